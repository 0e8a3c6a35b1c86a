//! When a feed is asked for again (003 §3.4): by the times of its items, and never before what it was given with has
//! run out (`ttl`, `sy:updatePeriod`, Cache-Control), nor in hours and on days that it names as quiet. Pure.

use fyke_store::{FeedVisits, PushPace, Row};
use fyke_web::Capture;
use fyke_web::feed::{Feed, FeedRhythm};

/// Items by which the rate of a feed is judged.
const RECENT: usize = 10;
/// Minutes between two visits: without a `ttl`, of a feed without times, and at most.
const SOONEST: i64 = 15;
const USUAL: i64 = 360;
const LATEST: i64 = 1_440;
/// A `ttl` is believed from here on.
const LEAST_TTL: i64 = 5;
/// A feed that was silent for so many times its usual gap has another rhythm by now.
const SILENCE: i64 = 4;
/// Visits in a row that brought nothing, after which the time to the next doubles, and how often it may.
const IDLE: usize = 4;
const MOST_DOUBLED: usize = 5;

/// How often a hub that tells all may double the time between two visits.
pub(crate) const MOST_SLOWED: u32 = 6;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// Hours of a week: in one of them a feed may be asked for, whatever it says.
const WEEK: i64 = 168;

/// What is kept of a feed for its visits, read at a time in milliseconds since 1970.
#[must_use]
pub(crate) fn visits_of(feed: &Feed, capture: &Capture, now: i64) -> FeedVisits {
    let told = feed.rhythm.ttl.map(|ttl| i64::from(ttl).max(LEAST_TTL));
    let least = told.unwrap_or(SOONEST).max(max_age(capture).unwrap_or(0));
    let every = by_items(feed, now).max(least).min(LATEST.max(least));
    let every = u32::try_from(every).unwrap_or(u32::MAX);
    let keeps = u32::try_from(keeps(feed, now) / 2).unwrap_or(u32::MAX);
    let FeedRhythm { skip_hours, skip_days, .. } = feed.rhythm;
    FeedVisits { every, skip_hours, skip_days, keeps, push: None }
}

/// The times of the items, the oldest first, in seconds since 1970.
fn times(feed: &Feed, now: i64) -> Vec<i64> {
    let times = feed.items.iter().filter_map(|item| item.published.or(item.updated));
    let mut times: Vec<i64> = times.filter(|time| *time <= now / 1_000).collect();
    times.sort_unstable();
    times
}

/// The minutes after which an item is pushed out by newer ones.
fn keeps(feed: &Feed, now: i64) -> i64 {
    let times = times(feed, now);
    let span = times.last().zip(times.first()).map_or(0, |(newest, oldest)| newest - oldest);
    span / 60
}

/// The minutes that the items ask for: half the usual gap between two, and no more than half the time that it takes
/// until the oldest has been pushed out.
fn by_items(feed: &Feed, now: i64) -> i64 {
    let times = times(feed, now);
    let now = now / 1_000;
    let (Some(&newest), Some(&oldest)) = (times.last(), times.first()) else { return USUAL };
    let recent = &times[times.len().saturating_sub(RECENT)..];
    let gaps = i64::try_from(recent.len()).unwrap_or(1) - 1;
    if gaps == 0 {
        return (now - newest) / 60 / SILENCE;
    }
    let usual = (newest - recent[0]) / gaps / 60;
    let silent = (now - newest) / 60;
    let gap = if silent > SILENCE * usual { silent / SILENCE } else { usual };
    match silent > SILENCE * usual {
        true => gap,
        false => (gap / 2).min((newest - oldest) / 60 / 2),
    }
}

/// Minutes for which an answer may be kept.
fn max_age(capture: &Capture) -> Option<i64> {
    let words = capture.header_values("cache-control").flat_map(|value| value.split(','));
    let ages = words.filter_map(|word| {
        word.trim().to_ascii_lowercase().strip_prefix("max-age=")?.parse::<i64>().ok()
    });
    ages.max().map(|seconds| (seconds / 60).clamp(0, LATEST))
}

/// When a feed is asked for again, in milliseconds since 1970.
#[must_use]
pub(crate) fn next_feed_visit(row: &Row) -> Option<i64> {
    let FeedVisits { every, skip_hours, skip_days, keeps, push } = row.feed?;
    let idle = row.visits.iter().take_while(|visit| !visit.changed).count();
    let doubled = i64::from(every) << (idle / IDLE).min(MOST_DOUBLED);
    let usual = doubled.min(LATEST.max(every.into()));
    let asked = push.and_then(|push| push.asked).or(row.fetched)?;
    let due = match push {
        None => asked + usual * MINUTE,
        Some(push) => slowed(push, asked, (usual, i64::from(keeps).min(LATEST))),
    };
    // The first day of 1970 was a Thursday.
    let is_quiet = |hour: &i64| {
        let (of_day, day) = (hour.rem_euclid(24), (hour.div_euclid(24) + 3).rem_euclid(7));
        skip_hours >> of_day & 1 == 1 || skip_days >> day & 1 == 1
    };
    let hour = due.div_euclid(HOUR);
    let open = (hour..hour + WEEK).find(|hour| !is_quiet(hour)).unwrap_or(hour);
    Some(due.max(open * HOUR))
}

/// When a feed is asked for that a hub tells of, the usual time being so many minutes: later each time that the hub had
/// told all, but soon enough to find what it did not tell, and as usual from when it tells no more.
fn slowed(push: PushPace, asked: i64, (usual, keeps): (i64, i64)) -> i64 {
    let doubled = usual << u32::from(push.doubled).min(MOST_SLOWED);
    let slow = asked + doubled.min(keeps.max(usual)) * MINUTE;
    let due = asked + usual * MINUTE;
    slow.min(push.until.max(due))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_store::{Reason, Visit};
    use fyke_web::{Url, feed};

    /// Monday, 1 January 2024, 12:00.
    const NOON: i64 = 1_704_110_400_000;

    fn url() -> Url {
        Url::parse("http://a.test/feed").expect("a URL")
    }

    /// A feed whose items are so many minutes old.
    fn feed(head: &str, ages: &[i64]) -> Feed {
        let item = |age: &i64| {
            let time = feed::iso_time(NOON / 1_000 - age * 60);
            format!("<item><link>/{age}</link><dc:date>{time}</dc:date></item>")
        };
        let items: String = ages.iter().map(item).collect();
        let text = format!("<rss><channel>{head}{items}</channel></rss>");
        feed::read(text.as_bytes(), None, &url()).expect("a feed")
    }

    fn capture(headers: &[(&str, &str)]) -> Capture {
        let headers = headers.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Capture { url: url(), time: 0, status: 200, headers, payload: Vec::new(), truncated: None }
    }

    #[test]
    fn the_next_visit_is_set_by_items_ttl_and_cache() {
        let check = |head: &str, ages: &[i64], cache: &str, expected: u32| {
            let capture = capture(&[("Cache-Control", cache)]);
            assert_eq!(
                visits_of(&feed(head, ages), &capture, NOON).every,
                expected,
                "{head} {ages:?} {cache}"
            );
        };
        check("", &[10, 70, 130, 190], "", 30);
        check("<ttl>60</ttl>", &[10, 70, 130, 190], "", 60);
        check("<ttl>5</ttl>", &[1, 3, 5, 7, 9, 11], "", 5);
        check("<ttl>1</ttl>", &[1, 3, 5, 7, 9, 11], "", 5);
        check("", &[1, 3, 5, 7], "public, max-age=3600", 60);
        check("", &[1, 2, 3], "max-age=99999999999", 1_440);
        check("", &[], "", 360);
        check("", &[10], "", 15);
        // Silent for ten days, after news every hour.
        check("", &[14_400, 14_460, 14_520], "", 1_440);
        check("", &[400, 460, 520], "", 100);
        // The oldest of many is pushed out soon.
        check("<ttl>10080</ttl>", &[1, 3], "", 10_080);
    }

    #[test]
    fn quiet_hours_and_days_are_left_out() {
        let check = |head: &str, fetched: i64, idle: usize, expected: i64| {
            let visits = visits_of(&feed(head, &[10, 70, 130, 190]), &capture(&[]), NOON);
            let visit = |n: usize| Visit { time: fetched, changed: n >= idle };
            let row = Row {
                feed: Some(visits),
                fetched: Some(fetched),
                visits: (0..9).map(visit).collect(),
                ..Row::new("http://a.test/feed", Reason::Type, 0)
            };
            assert_eq!(
                next_feed_visit(&row).map(|due| (due - fetched) / MINUTE),
                Some(expected),
                "{head}"
            );
        };
        check("", NOON, 0, 30);
        check("", NOON, 4, 60);
        check("", NOON, 8, 120);
        check("<skipHours><hour>12</hour><hour>13</hour></skipHours>", NOON, 0, 120);
        check("<skipDays><day>Monday</day><day>Tuesday</day></skipDays>", NOON, 0, 36 * 60);
        let all: String = (0..24).map(|hour| format!("<hour>{hour}</hour>")).collect();
        check(&format!("<skipHours>{all}</skipHours>"), NOON, 0, 30);
        assert_eq!(next_feed_visit(&Row::new("http://a.test/", Reason::Type, 0)), None);
    }

    #[test]
    fn a_feed_is_visited_less_often_while_a_hub_tells_of_it() {
        // Every half an hour; the oldest of its items is ten hours older than the newest.
        let visits = visits_of(&feed("", &[10, 70, 130, 610]), &capture(&[]), NOON);
        assert_eq!((visits.every, visits.keeps), (100, 300));
        let check = |doubled: u8, until: i64, asked: Option<i64>, expected: i64| {
            let (minutes, push) =
                (MINUTE, PushPace { doubled, until: NOON + until * MINUTE, asked });
            let visits = FeedVisits { every: 30, push: Some(push), ..visits };
            let row = Row {
                feed: Some(visits),
                fetched: Some(NOON),
                ..Row::new("http://a.test/feed", Reason::Type, 0)
            };
            let due = next_feed_visit(&row).map(|due| (due - NOON) / minutes);
            assert_eq!(due, Some(expected), "{doubled} {until} {asked:?}");
        };
        check(0, 9_999, None, 30);
        check(1, 9_999, None, 60);
        check(3, 9_999, None, 240);
        check(9, 9_999, None, 300);
        check(3, 50, None, 50);
        check(3, -50, None, 30);
        check(3, 9_999, Some(NOON - 100 * MINUTE), 140);
    }
}
