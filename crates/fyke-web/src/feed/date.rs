//! Times as feeds write them: RFC 822 with its many slips, ISO 8601, seconds since 1970. What names a day in any way
//! that pages do is that day's midnight.

use crate::metadata::{month_by_name, read_date};

/// Minutes east of Greenwich of the zones that RFC 822 names, and of others that are met.
const ZONES: [(&str, i64); 16] = [
    ("EST", -300),
    ("EDT", -240),
    ("CST", -360),
    ("CDT", -300),
    ("MST", -420),
    ("MDT", -360),
    ("PST", -480),
    ("PDT", -420),
    ("CET", 60),
    ("CEST", 120),
    ("EET", 120),
    ("EEST", 180),
    ("MSK", 180),
    ("BST", 60),
    ("JST", 540),
    ("AEST", 600),
];
/// How much of a text is looked at.
const REACH: usize = 100;

/// A time in seconds since 1970.
#[must_use]
pub fn feed_time(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = &text[..text.floor_char_boundary(REACH)];
    if let Some(seconds) = seconds(text) {
        return Some(seconds);
    }
    let day = read_date(text).or_else(|| read_date(&with_century(text)?))?;
    let mut parts = day.split('-').filter_map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (clock, zone) = clock(text);
    Some(days(year, month, day) * 86_400 + clock - zone * 60)
}

/// A time as a computer counts it, in seconds or in thousandths.
fn seconds(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    match text.len() {
        9 | 10 => Some(number),
        13 => Some(number / 1_000),
        _ => None,
    }
}

/// "05 Jun 18" with all of its year.
fn with_century(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split([' ', '-', ',']).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| {
        let is_name = word.bytes().all(|b| b.is_ascii_alphabetic());
        is_name && !word.ends_with("day") && month_by_name(word).is_some()
    })?;
    let year = words.get(at + 1).filter(|year| year.len() == 2)?;
    let year: u32 = year.parse().ok()?;
    let century = if year < 70 { 2000 } else { 1900 };
    Some(format!("{} {} {}", words.get(at.checked_sub(1)?)?, words[at], century + year))
}

/// The seconds of the day that "09:33:01 +0200" names, and the minutes of its zone.
fn clock(text: &str) -> (i64, i64) {
    let Some(at) = text.find(':') else { return (0, 0) };
    let bytes = text.as_bytes();
    let digit =
        |at: usize| bytes.get(at).filter(|b| b.is_ascii_digit()).map(|b| i64::from(b - b'0'));
    let number = |at: usize| Some(digit(at)? * 10 + digit(at + 1)?);
    let hour = match at.checked_sub(2).and_then(number) {
        Some(hour) => Some(hour),
        None => at.checked_sub(1).and_then(digit),
    };
    let (Some(mut hour), Some(minute)) = (hour.filter(|h| *h < 25), number(at + 1)) else {
        return (0, 0);
    };
    let mut rest = at + 3;
    let mut second = 0;
    if bytes.get(rest) == Some(&b':')
        && let Some(found) = number(rest + 1)
    {
        (second, rest) = (found, rest + 3);
    }
    let rest = text.get(rest..).unwrap_or_default();
    let rest = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).trim_start();
    let is_half = |word: &str| rest.get(..2).is_some_and(|half| half.eq_ignore_ascii_case(word));
    if is_half("pm") && hour < 12 {
        hour += 12;
    } else if is_half("am") && hour == 12 {
        hour = 0;
    }
    (hour * 3_600 + minute.min(59) * 60 + second.min(59), zone(rest))
}

/// The minutes of a zone; what is unknown is Greenwich.
fn zone(rest: &str) -> i64 {
    let word = rest.split_whitespace().next().unwrap_or_default();
    let sign = match word.as_bytes().first() {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => {
            let found = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
            return found.map_or(0, |(_, minutes)| *minutes);
        }
    };
    let digits: Vec<i64> =
        word.bytes().filter(u8::is_ascii_digit).map(|b| i64::from(b - b'0')).collect();
    let minutes = match digits[..] {
        [a, b, c, d] => (a * 10 + b) * 60 + c * 10 + d,
        [a, b] => (a * 10 + b) * 60,
        [a] => a * 60,
        _ => 0,
    };
    sign * minutes.min(14 * 60)
}

/// A time in seconds since 1970 as ISO 8601 has it: "2018-06-05T09:33:01Z".
#[must_use]
pub fn iso_time(seconds: i64) -> String {
    let clock = seconds.rem_euclid(86_400);
    // The calendar of days since 1970, with years that begin in March.
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Days since 1970 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the odd day comes last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_read_however_they_are_written() {
        let check =
            |text: &str, expected: Option<i64>| assert_eq!(feed_time(text), expected, "{text}");
        let at = Some(1_528_191_181);
        check("Tue, 05 Jun 2018 09:33:01 GMT", at);
        check("Mon, 5 June 2018 9:33:01", at);
        check("05 Jun 18 09:33:01 GMT", at);
        check("Tue, 05-Jun-18 09:33:01 UTC", at);
        check("Tue, 05 Jun 2018 11:33:01 +0200", at);
        check("Tue, 05 Jun 2018 04:33:01 EST", at);
        check("2018-06-05T09:33:01Z", at);
        check("2018-06-05T09:33:01.250+00:00", at);
        check("2018-06-05T11:33:01+02:00", at);
        check("2018-06-05 09:33:01", at);
        check("June 5, 2018 9:33:01 AM", at);
        check("20180605T09:33:01", at);
        check("1528191181", at);
        check("1528191181000", at);
        let day = Some(1_528_156_800);
        check("2018-06-05", day);
        check("5. Juni 2018", day);
        check("6/5/2018", day);
        check("5 Jun 98", Some(897_004_800));
        check("soon", None);
        check("", None);
        check("Tue, 31 Foo 2018 25:99", None);
    }

    #[test]
    fn one_day_comes_after_the_other() {
        let mut expected = feed_time("1990-01-01").expect("a day");
        assert_eq!(expected, 631_152_000);
        for year in 1990..2100 {
            let is_leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
            let february = if is_leap { 29 } else { 28 };
            let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(months) {
                for day in 1..=length {
                    assert_eq!(feed_time(&format!("{year}-{month:02}-{day:02}")), Some(expected));
                    expected += 86_400;
                }
            }
        }
    }

    proptest! {
        #[test]
        fn every_way_to_write_a_time_gives_the_same(
            day in 1..=28_u32, hour in 0..24_u32, minute in 0..60_u32, second in 0..60_u32,
        ) {
            let clock = format!("{hour:02}:{minute:02}:{second:02}");
            let iso = feed_time(&format!("2023-08-{day:02}T{clock}Z"));
            prop_assert!(iso.is_some());
            prop_assert_eq!(feed_time(&format!("{day} Aug 2023 {clock} GMT")), iso);
            prop_assert_eq!(feed_time(&format!("{day:02}-Aug-23 {clock}")), iso);
            let earlier = feed_time(&format!("2023-08-{day:02} {clock}+0130"));
            prop_assert_eq!(earlier, iso.map(|time| time - 5_400));
        }

        #[test]
        fn what_is_written_is_read_back(time in 631_152_000_i64..4_102_444_800) {
            prop_assert_eq!(feed_time(&iso_time(time)), Some(time));
        }

        #[test]
        fn any_text_is_read_as_a_time_or_not(text in ".{0,60}", slips in "[0-9:+ TZ/-]{0,40}") {
            let _ = (feed_time(&text), feed_time(&slips));
        }
    }
}
