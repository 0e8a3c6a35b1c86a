//! Spider traps seen from the URL alone (000 "Malicious pages"; 003 §3.2): overlong, or growing at every step.
//! These need no evidence. What only a crawl can tell (pages without end that say the same) is judged by what
//! URLs of the same shape have brought: `crawl/evidence`.

use fyke_derive::UrlFate;
use fyke_store::Reason;
use fyke_web::Url;

const LONGEST: usize = 1024;
const MOST_SEGMENTS: usize = 16;
const MOST_PARAMETERS: usize = 16;
/// A segment this often in one path, in a row or not, is growth, not structure. Numbers may be the same by
/// chance (`/genesis/1/1/1`).
const MOST_SAME_IN_A_ROW: usize = 2;
const MOST_SAME: usize = 3;

/// Counts up when the rules change: rows that were judged by others are judged again.
pub(crate) const EDITION: u32 = 2;

type TrapRule = fn(&TrapView<'_>) -> Option<UrlFate>;

/// What the rules look at.
struct TrapView<'a> {
    url: &'a Url,
    segments: Vec<&'a str>,
}

/// The rules, in the order they are asked.
const RULES: [TrapRule; 3] = [length, path, query];

/// Whether the URL looks like part of a trap.
#[must_use]
pub fn check(url: &Url) -> Option<UrlFate> {
    let seen = TrapView { url, segments: segments(url) };
    RULES.iter().find_map(|rule| rule(&seen))
}

fn length(seen: &TrapView<'_>) -> Option<UrlFate> {
    let length = seen.url.as_str().len();
    (length > LONGEST)
        .then(|| UrlFate { reason: Reason::TrapLength, detail: format!("{length} bytes") })
}

fn path(TrapView { segments, .. }: &TrapView<'_>) -> Option<UrlFate> {
    let trap = |detail: String| Some(UrlFate { reason: Reason::TrapPath, detail });
    if segments.len() > MOST_SEGMENTS {
        return trap(format!("{} segments", segments.len()));
    }
    for (i, segment) in segments.iter().enumerate().filter(|(_, segment)| !is_number(segment)) {
        let rest = &segments[i..];
        let in_all = rest.iter().filter(|s| *s == segment).count();
        // Whatever grows begins with a segment that comes again and again; nearly none does.
        if in_all < 3 {
            continue;
        }
        let in_a_row = rest.iter().take_while(|s| *s == segment).count();
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

/// Lists may be chosen from (`tag[]=a&tag[]=b`), so one name may stand there often: with one value it grows.
fn query(TrapView { url, .. }: &TrapView<'_>) -> Option<UrlFate> {
    let trap = |detail: String| Some(UrlFate { reason: Reason::TrapQuery, detail });
    let (_, query) = url.path_and_query().split_once('?')?;
    let mut parameters: Vec<&str> = query.split('&').collect();
    let count = parameters.len();
    if count > MOST_PARAMETERS {
        return trap(format!("{count} parameters"));
    }
    if query.matches("amp;").count() + query.matches("amp%3B").count() > 1 {
        return trap("&amp; growth".to_owned());
    }
    parameters.sort_unstable();
    let filled = parameters.chunk_by(|a, b| a == b).filter(|same| !same[0].is_empty());
    let same = filled.max_by_key(|same| same.len())?;
    match same.len() > MOST_SAME {
        true => trap(format!("{} {} times", same[0], same.len())),
        false => None,
    }
}

fn is_number(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit())
}

fn segments(url: &Url) -> Vec<&str> {
    url.path().split('/').filter(|segment| !segment.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_rows(rows: &[(&str, Option<Reason>)]) {
        for (path, reason) in rows {
            let url = Url::parse(&format!("http://a.test{path}")).expect("a URL");
            assert_eq!(check(&url).map(|trap| trap.reason), *reason, "{path}");
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
            ("/a/1/a/1/a/1", trap),
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
            ("/?f=1&f=2&f=3&f=4&f=5&f=6", None),
            ("/?f=1&f=1&f=1&f=1", trap),
            ("/?a&&&&&b", None),
            ("/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", trap),
        ]);
    }

    #[test]
    fn neither_a_year_nor_a_number_makes_a_trap() {
        let good = [
            "/diary/2010-01-01",
            "/1998/01/02/",
            "/2009/05/12",
            "/cal?year=1999",
            "/cal?date=2010-01-01",
            "/calendar/2031-05-02",
            "/t/some-topic/4521/2",
            "/law/1998/29",
            "/forum/1234/5",
            "/genesis/1/1/1",
            "/1/1/1/1",
            "/q?tag[]=a&tag[]=b&tag[]=c&tag[]=d&tag[]=e",
            "/models/9000/12v",
        ];
        check_rows(&good.map(|path| (path, None)));
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
                let _ = check(&url);
            }
        }
    }
}
