//! Dates of a query (`date:`) and stretches of days, counted from 1970 in the Gregorian calendar:
//! `2023`, `2021-05`, `2021-05-03`, `2020..2024`, `2020..`, `..2024`, `>2021-05`, `>=`, `<`, `<=`.

use std::ops::RangeInclusive;

/// Days of a cycle of 400 years.
const CYCLE: i64 = 146_097;

/// From 1 March of the year 0, with which the count of days begins here, to 1 January 1970.
const EPOCH: i64 = 719_468;

/// The days that `text` stands for; nothing when it is no date.
pub(crate) fn days(text: &str) -> Option<RangeInclusive<i64>> {
    if let Some(date) = text.strip_prefix(">=") {
        return Some(*span(date)?.start()..=i64::MAX);
    }
    if let Some(date) = text.strip_prefix("<=") {
        return Some(i64::MIN..=*span(date)?.end());
    }
    if let Some(date) = text.strip_prefix('>') {
        return Some(span(date)?.end() + 1..=i64::MAX);
    }
    if let Some(date) = text.strip_prefix('<') {
        return Some(i64::MIN..=span(date)?.start() - 1);
    }
    match text.split_once("..") {
        None => span(text),
        Some(("", "")) => None,
        Some((from, "")) => Some(*span(from)?.start()..=i64::MAX),
        Some(("", to)) => Some(i64::MIN..=*span(to)?.end()),
        Some((from, to)) => Some(*span(from)?.start()..=*span(to)?.end()),
    }
}

/// The days of a year, a month or one day.
fn span(date: &str) -> Option<RangeInclusive<i64>> {
    let mut parts = date.split('-').map(|part| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse::<i64>().ok()).flatten().map(|number| (number, part.len()))
    });
    let (year, 4) = parts.next()?? else { return None };
    let month = parts.next().map(|part| part.filter(|(n, len)| *len <= 2 && (1..=12).contains(n)));
    let day = parts.next().map(|part| part.filter(|(_, length)| *length <= 2));
    if parts.next().is_some() {
        return None;
    }
    let Some(month) = month else { return Some(day_of(year, 1, 1)..=day_of(year + 1, 1, 1) - 1) };
    let month = month?.0;
    let (first, after) = (day_of(year, month, 1), day_of(year, month + 1, 1));
    let Some(day) = day else { return Some(first..=after - 1) };
    let day = first + day?.0 - 1;
    (first..after).contains(&day).then_some(day..=day)
}

/// The day of a date; a thirteenth month is the first of the next year.
fn day_of(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here: the day that leap years add is then their last.
    let months = year * 12 + month - 3;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    let before_month = (153 * month + 2) / 5;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leaps + before_month + day - 1 - EPOCH
}

/// The year in which a day lies.
pub(crate) fn year(day: i64) -> i64 {
    let guess = 1970 + (day.clamp(-CYCLE * 1_000, CYCLE * 1_000) * 400).div_euclid(CYCLE);
    let later = i64::from(day >= day_of(guess + 1, 1, 1));
    let earlier = i64::from(day < day_of(guess, 1, 1));
    guess + later - earlier
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_are_stretches_of_days() {
        let check = |text: &str, expected: Option<(i64, i64)>| {
            let found = days(text).map(|days| (*days.start(), *days.end()));
            assert_eq!(found, expected, "{text}");
        };
        check("1970", Some((0, 364)));
        check("1970-01", Some((0, 30)));
        check("1970-01-02", Some((1, 1)));
        check("1972-02", Some((761, 789)));
        check("2000-02-29", Some((11_016, 11_016)));
        check("1969..1970", Some((-365, 364)));
        check("1970..", Some((0, i64::MAX)));
        check("..1969", Some((i64::MIN, -1)));
        check(">1969", Some((0, i64::MAX)));
        check(">=1970-01", Some((0, i64::MAX)));
        check("<1970", Some((i64::MIN, -1)));
        check("<=1969-12-31", Some((i64::MIN, -1)));
        for wrong in
            ["", "soon", "24", "..", "2023-13", "1900-02-29", "2023-1-1-1", "+200", ">", "2023-"]
        {
            check(wrong, None);
        }
    }

    proptest! {
        #[test]
        fn a_day_lies_in_its_year(day in -3_000_000_i64..3_000_000) {
            let year = year(day);
            prop_assert!(day_of(year, 1, 1) <= day && day < day_of(year + 1, 1, 1), "{}", year);
        }
    }
}
