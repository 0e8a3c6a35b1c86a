//! Spider traps seen from the URL alone (000 "Malicious pages"; 003 §3.2). Rules look at one URL and
//! the date, never at what was crawled before, so the answer does not depend on the order of the crawl.

use fyke_store::Reason;
use fyke_web::Url;

const LONGEST: usize = 1024;
const MOST_SEGMENTS: usize = 16;
const MOST_PARAMETERS: usize = 16;
/// A segment this often in one path, in a row or not, is growth, not structure.
const MOST_SAME_IN_A_ROW: usize = 2;
const MOST_SAME: usize = 3;
/// A calendar is believed this many years back and ahead.
const YEARS_BACK: i64 = 10;
const YEARS_AHEAD: i64 = 1;
/// Names of parameters that carry a year, or a date.
const YEAR_PARAMETERS: [&str; 3] = ["year", "y", "yr"];
/// Names of parameters that carry a date; a bare number there may count anything.
const DATE_PARAMETERS: [&str; 9] =
    ["date", "day", "month", "ym", "from", "start", "cal", "calendar", "week"];

type TrapRule = fn(&TrapView<'_>) -> Option<(Reason, String)>;

/// What the rules look at.
struct TrapView<'a> {
    url: &'a Url,
    segments: Vec<&'a str>,
    /// The present year.
    year: i64,
}

/// The rules, in the order they are asked.
const RULES: [TrapRule; 4] = [length, path, query, calendar];

/// Whether the URL looks like part of a trap; `year` is the present one.
#[must_use]
pub fn check(url: &Url, year: i64) -> Option<(Reason, String)> {
    let seen = TrapView { url, segments: segments(url), year };
    RULES.iter().find_map(|rule| rule(&seen))
}

fn length(seen: &TrapView<'_>) -> Option<(Reason, String)> {
    let length = seen.url.as_str().len();
    (length > LONGEST).then(|| (Reason::TrapLength, format!("{length} bytes")))
}

fn path(TrapView { segments, .. }: &TrapView<'_>) -> Option<(Reason, String)> {
    let trap = |detail: String| Some((Reason::TrapPath, detail));
    if segments.len() > MOST_SEGMENTS {
        return trap(format!("{} segments", segments.len()));
    }
    for (i, segment) in segments.iter().enumerate() {
        let rest = &segments[i..];
        let in_a_row = rest.iter().take_while(|s| *s == segment).count();
        let in_all = rest.iter().filter(|s| *s == segment).count();
        if in_a_row > MOST_SAME_IN_A_ROW || in_all > MOST_SAME {
            return trap(format!("/{segment} {} times", in_all.max(in_a_row)));
        }
        for period in 2..=4 {
            let Some(pattern) = rest.get(..period) else { break };
            if rest.chunks(period).take_while(|chunk| *chunk == pattern).count() > 2 {
                return trap(format!("/{} over and over", pattern.join("/")));
            }
        }
    }
    None
}

fn query(TrapView { url, .. }: &TrapView<'_>) -> Option<(Reason, String)> {
    let trap = |detail: String| Some((Reason::TrapQuery, detail));
    let (_, query) = url.path_and_query().split_once('?')?;
    let count = query.split('&').count();
    if count > MOST_PARAMETERS {
        return trap(format!("{count} parameters"));
    }
    if query.matches("amp;").count() + query.matches("amp%3B").count() > 1 {
        return trap("&amp; growth".to_owned());
    }
    let mut names: Vec<&str> = query.split('&').map(|p| p.split('=').next().unwrap_or(p)).collect();
    names.sort_unstable();
    let same = names.chunk_by(|a, b| a == b).max_by_key(|chunk| chunk.len())?;
    (same.len() > MOST_SAME + 1)
        .then(|| (Reason::TrapQuery, format!("{} {} times", same[0], same.len())))
}

/// A calendar's page stands for a date: its path *ends* in one, or a parameter is one. An article
/// with its date in the middle of its path is no calendar, however old; one of the future is.
fn calendar(&TrapView { url, ref segments, year }: &TrapView<'_>) -> Option<(Reason, String)> {
    let trap = |found: i64| Some((Reason::TrapCalendar, format!("year {found}")));
    if let Some((found, is_last)) = path_date(segments) {
        let ahead = found > year + YEARS_AHEAD;
        if ahead || (is_last && found < year - YEARS_BACK) {
            return trap(found);
        }
    }
    let (_, query) = url.path_and_query().split_once('?')?;
    dates(query)
        .find(|&found| found > year + YEARS_AHEAD || found < year - YEARS_BACK)
        .and_then(trap)
}

/// Whether the URL stands for a date as a page of a calendar does. Such pages lead to each other for
/// ever, so a crawl takes only those that are near its seeds.
#[must_use]
pub fn is_calendar(url: &Url) -> bool {
    if let Some((_, true)) = path_date(&segments(url)) {
        return true;
    }
    url.path_and_query().split_once('?').is_some_and(|(_, query)| dates(query).next().is_some())
}

/// The years that parameters with the name of a date carry.
fn dates(query: &str) -> impl Iterator<Item = i64> {
    let parameters = query.split('&').filter_map(|p| p.split_once('='));
    let is_in = |names: &[&str], name: &str| names.iter().any(|n| name.eq_ignore_ascii_case(n));
    let dates = parameters.filter(move |(name, value)| {
        is_in(&YEAR_PARAMETERS, name) || is_in(&DATE_PARAMETERS, name) && has_month(value)
    });
    dates.filter_map(|(_, value)| leading_year(value))
}

/// "2031-05", "2031-05-12", "2031-W05": a number that can be a month follows.
fn has_month(value: &str) -> bool {
    value.split('-').nth(1).is_some_and(|part| is_day_or_month(part.trim_start_matches('W')))
}

/// The year of `/2031/05…` or `/2031-05…` in a path, and whether the path ends with that date.
fn path_date(segments: &[&str]) -> Option<(i64, bool)> {
    for (i, segment) in segments.iter().enumerate() {
        let Some(year) = leading_year(segment) else { continue };
        if segment.len() == 4 {
            let numbers = segments[i + 1..].iter().take_while(|s| is_day_or_month(s)).count();
            if numbers > 0 {
                return Some((year, i + 1 + numbers == segments.len()));
            }
        } else if segment.get(5..7).is_some_and(is_day_or_month) {
            return Some((year, i + 1 == segments.len()));
        }
    }
    None
}

fn is_day_or_month(text: &str) -> bool {
    text.parse::<u8>().is_ok_and(|n| (1..=31).contains(&n))
}

/// "2031", "2031-05", "2031-05-12": the year.
fn leading_year(text: &str) -> Option<i64> {
    let year = text.get(..4)?.parse().ok()?;
    let rest = &text[4..];
    (year >= 1000 && (rest.is_empty() || rest.starts_with('-'))).then_some(year)
}

fn segments(url: &Url) -> Vec<&str> {
    let path = url.path_and_query().split('?').next().unwrap_or_default();
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_rows(rows: &[(&str, Option<Reason>)]) {
        for (path, reason) in rows {
            let url = Url::parse(&format!("http://a.test{path}")).expect("a URL");
            assert_eq!(check(&url, 2026).map(|(r, _)| r), *reason, "{path}");
        }
    }

    #[test]
    fn growing_paths_are_traps() {
        let trap = Some(Reason::TrapPath);
        check_rows(&[
            ("/a/b/c/d", None),
            ("/a/a/b", None),
            ("/a/a/a", trap),
            ("/a/b/a/b/c", None),
            ("/a/b/a/b/a/b", trap),
            ("/x/a/b/c/a/b/c/a/b/c", trap),
            ("/a/1/a/2/a/3/a/4", trap),
            ("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16", None),
            ("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", trap),
        ]);
    }

    #[test]
    fn growing_queries_are_traps() {
        let trap = Some(Reason::TrapQuery);
        check_rows(&[
            ("/?a=1&b=2", None),
            ("/?a=1&amp;b=2", None),
            ("/?a=1&amp;amp;b=2", trap),
            ("/?a=1&amp;b=2&amp;c=3", trap),
            ("/?f=1&f=2&f=3&f=4", None),
            ("/?f=1&f=2&f=3&f=4&f=5", trap),
            ("/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", trap),
        ]);
    }

    #[test]
    fn calendars_far_from_now_are_traps_and_old_articles_are_not() {
        let trap = Some(Reason::TrapCalendar);
        check_rows(&[
            ("/calendar/2026/05", None),
            ("/calendar/2027/05/", None),
            ("/calendar/2028/05/", trap),
            ("/calendar/2015/12", trap),
            ("/calendar/2031-05", trap),
            ("/calendar/2031-05-02", trap),
            ("/2009/05/12/a-walk-in-the-rain", None),
            ("/2009/05/12", trap),
            ("/archive/1998/paper.html", None),
            ("/2040/05/events", trap),
            ("/models/9000/12v", None),
            ("/cal?year=2026&month=5", None),
            ("/cal?year=2031&month=5", trap),
            ("/cal?date=1999-01-01", trap),
            ("/cal?y=1999", trap),
            ("/cal?start=2031-05-02", trap),
            ("/cal?week=2031-W05", trap),
            ("/list?start=1000", None),
            ("/list?from=5000", None),
            ("/list?from=5000-10000", None),
            ("/item?number=9999", None),
        ]);
    }

    #[test]
    fn calendar_pages_are_known_by_where_their_date_stands() {
        for (path, expected) in [
            ("/2024/01", true),
            ("/cal/2024-01-02/", true),
            ("/cal?month=2024-01", true),
            ("/2024/01/a-story", false),
            ("/2024", false),
            ("/list?start=2000", false),
            ("/cal?year=2024", true),
            ("/list?size=2024", false),
        ] {
            let url = Url::parse(&format!("http://a.test{path}")).expect("a URL");
            assert_eq!(is_calendar(&url), expected, "{path}");
        }
    }

    #[test]
    fn overlong_urls_are_traps() {
        let long = format!("/{}", "x".repeat(1100));
        check_rows(&[(long.as_str(), Some(Reason::TrapLength))]);
    }

    proptest::proptest! {
        #[test]
        fn no_url_makes_the_rules_panic(path in "[/a-z0-9?&=;%-]{0,60}", other in ".{0,30}") {
            if let Ok(url) = Url::parse(&format!("http://a.test/{path}{other}")) {
                let _ = check(&url, 2026);
            }
        }
    }
}
