//! Politeness: how long a host is left alone (000 "Explicit and implicit politeness", "Politeness –
//! challenges"). All times in milliseconds, no clock.

use jiff::Unit;
use jiff::civil::{Date, DateTime, date};
use std::net::IpAddr;

/// A server that asks for more than this is taken to mean this: seven days.
const LONGEST_RETRY_AFTER: u64 = 7 * DAY;
const DAY: u64 = 24 * 3600 * 1000;
const EPOCH: Date = date(1970, 1, 1);

/// What settings without a gap, which are for this machine alone, mean for any other: the defaults.
const FLOOR_ELSEWHERE: u64 = 1000;
const FACTOR_ELSEWHERE: f64 = 10.0;

/// The gap rule. The gap runs from the end of one request to the start of the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Politeness {
    /// Smallest gap.
    pub floor: u64,
    /// The gap is at least so many times the time of the last fetch; 0 switches this off.
    pub factor: f64,
    /// What the factor can make of it at most.
    pub longest: u64,
}

impl Politeness {
    /// The rule for a host at this address.
    #[must_use]
    pub fn at(self, address: Option<IpAddr>) -> Politeness {
        if address.is_some_and(is_loopback) {
            return self;
        }
        let floor = if self.floor > 0 { self.floor } else { FLOOR_ELSEWHERE };
        let factor = if self.factor > 0.0 { self.factor } else { FACTOR_ELSEWHERE };
        Politeness { floor, factor, ..self }
    }

    /// max(floor, Crawl-delay, factor × time of the last fetch).
    #[must_use]
    pub fn gap(&self, crawl_delay: u64, last: u64) -> u64 {
        let by_time = (self.factor.max(0.0) * last as f64).min(self.longest as f64) as u64;
        self.floor.max(crawl_delay).max(by_time)
    }
}

/// Whether an address is this machine's own.
#[must_use]
pub fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Until when a `Retry-After` header, read at `now`, asks to stay away: seconds or an HTTP date.
#[must_use]
pub fn retry_after(value: &str, now: u64) -> Option<u64> {
    let value = value.trim();
    let wait = match value.bytes().all(|b| b.is_ascii_digit()) && !value.is_empty() {
        true => value.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000),
        false => http_date(value)?.saturating_sub(now),
    };
    Some(now + wait.min(LONGEST_RETRY_AFTER))
}

/// Until when something waits, by what an earlier run wrote. A time that lies farther ahead than any wait is long was
/// written while the clock was wrong: it counts as now.
#[must_use]
pub fn believed(until: i64, now: u64) -> i64 {
    let longest = now.saturating_add(LONGEST_RETRY_AFTER + DAY);
    let is_plausible = u64::try_from(until).is_ok_and(|until| until <= longest) || until < 0;
    if is_plausible { until } else { i64::try_from(now).unwrap_or(i64::MAX) }
}

/// The three forms of an HTTP date, and those of mail, in milliseconds since 1970; dates before that are 0.
pub(crate) fn http_date(text: &str) -> Option<u64> {
    const FORMS: [&str; 4] = [
        "%a, %d %b %Y %H:%M:%S",
        "%d %b %Y %H:%M:%S",
        "%A, %d-%b-%y %H:%M:%S",
        "%a %b %e %H:%M:%S %Y",
    ];
    let (text, zone) = match text.rsplit_once(' ') {
        Some((before, zone)) if is_zone(zone) => (before, offset(zone)?),
        _ => (text, 0),
    };
    let date = FORMS.iter().find_map(|form| DateTime::strptime(form, text.trim_end()).ok())?;
    // Seconds since 1970, for any year that has four digits.
    let days = date.date().since((Unit::Day, EPOCH)).ok()?.get_days();
    let (hours, minutes) = (i64::from(date.hour()), i64::from(date.minute()));
    let time = hours * 3600 + minutes * 60 + i64::from(date.second());
    let seconds = i64::from(days) * 24 * 3600 + time - zone;
    Some(u64::try_from(seconds).unwrap_or(0) * 1000)
}

/// Whether a word is the zone of a date.
fn is_zone(word: &str) -> bool {
    matches!(word, "GMT" | "UTC" | "UT" | "Z") || word.starts_with(['+', '-'])
}

/// The seconds by which a zone, as `+0130`, is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    if !zone.starts_with(['+', '-']) {
        return Some(0);
    }
    let (sign, digits) = zone.split_at(1);
    let is_right = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    let number: i64 = digits.parse().ok().filter(|_| is_right)?;
    let seconds = (number / 100 * 60 + number % 100) * 60;
    Some(if sign == "-" { -seconds } else { seconds })
}

/// Exponential back-off: base, twice the base, four times …, at most `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    pub base: u64,
    pub most: u64,
}

impl Backoff {
    /// How long to wait after so many failures in a row.
    #[must_use]
    pub fn wait(&self, failures: u32) -> u64 {
        match failures {
            0 => 0,
            n => self.base.saturating_mul(1 << (n - 1).min(40)).min(self.most),
        }
    }
}

/// Decay: an answer halves what is held against a host, so that one lucky answer in the middle of
/// trouble does not bring back full speed.
#[must_use]
pub fn decay(failures: u32) -> u32 {
    failures / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_longer_than_any_was_written_with_a_wrong_clock() {
        let day = i64::try_from(DAY).unwrap();
        let check = |until, expected| assert_eq!(believed(until, 1000 * DAY), expected);
        check(0, 0);
        check(1000 * day + 5, 1000 * day + 5);
        check(1007 * day, 1007 * day);
        check(1365 * day, 1000 * day);
        check(i64::MAX, 1000 * day);
    }

    #[test]
    fn the_gap_is_the_largest_of_its_three_parts() {
        let rule = Politeness { floor: 1000, factor: 10.0, longest: 60_000 };
        let check = |delay, last, gap| assert_eq!(rule.gap(delay, last), gap, "{delay} {last}");
        check(0, 0, 1000);
        check(0, 99, 1000);
        check(0, 250, 2500);
        check(5000, 250, 5000);
        check(0, 30_000, 60_000);
        check(90_000, 30_000, 90_000);
        assert_eq!(Politeness { factor: 0.0, ..rule }.gap(0, 30_000), 1000);
    }

    #[test]
    fn without_a_gap_only_this_machine_is_asked() {
        let none = Politeness { floor: 0, factor: 0.0, longest: 60_000 };
        let own = Politeness { floor: 250, factor: 1.0, longest: 60_000 };
        let check = |address: &str, expected: u64| {
            let address = Some(address.parse().expect("an address"));
            assert_eq!(none.at(address).gap(0, 500), expected, "{address:?}");
            assert_eq!(own.at(address), own, "what is set binds everywhere");
        };
        check("127.0.0.1", 0);
        check("127.9.9.9", 0);
        check("::1", 0);
        check("::ffff:127.0.0.1", 0);
        check("192.0.2.1", 5000);
        check("10.0.0.1", 5000);
        assert_eq!(none.at(None).gap(0, 0), 1000);
    }

    #[test]
    fn retry_after_is_read_in_seconds_and_as_a_date() {
        let now = 784_111_777_000; // Sun, 06 Nov 1994 08:49:37 GMT
        let check = |value, expected: Option<u64>| {
            assert_eq!(retry_after(value, now), expected.map(|wait| now + wait), "{value}");
        };
        check("120", Some(120_000));
        check(" 0 ", Some(0));
        check("99999999999999999999999", Some(LONGEST_RETRY_AFTER));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60_000));
        check("Sunday, 06-Nov-94 08:50:37 GMT", Some(60_000));
        check("Sun Nov  6 08:50:37 1994", Some(60_000));
        check("Sun, 06 Nov 1994 07:00:00 GMT", Some(0));
        check("Thu, 01 Jan 1960 00:00:00 GMT", None); // a Friday: not a date
        check("Fri, 01 Jan 1960 00:00:00 GMT", Some(0));
        check("Fri, 31 Dec 9999 23:59:59 GMT", Some(LONGEST_RETRY_AFTER));
        check("Sun, 06 Nov 1994 08:50:37 +0000", Some(60_000));
        check("Sun, 06 Nov 1994 10:50:37 +0200", Some(60_000));
        check("Sun, 06 Nov 1994 03:20:37 -0530", Some(60_000));
        check("6 Nov 1994 08:50:37 UTC", Some(60_000));
        check("Sun, 06 Nov 1994 08:50:37 +00", None);
        check("-5", None);
        check("soon", None);
        check("", None);
    }

    #[test]
    fn backing_off_doubles_up_to_its_cap_and_decays() {
        let backoff = Backoff { base: 1000, most: 3_600_000 };
        let waits: Vec<u64> = [0, 1, 2, 3, 12, 13, 99].map(|n| backoff.wait(n)).to_vec();
        assert_eq!(waits, [0, 1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000]);
        assert_eq!([5, 2, 1, 0].map(decay), [2, 1, 0, 0]);
    }
}
