//! What an answer means for its URL and its host: pure, a table of cases.

use crate::fetch::{Blame, Failed, Outcome};
use crate::glance::Glance;
use crate::politeness::retry_after;
use fyke_derive::{UrlFate, judge_status};
use fyke_store::Reason;
use fyke_web::feed::Feed;
use fyke_web::sitemap::Sitemap;
use fyke_web::{Capture, Url};

/// Tries of a URL whose host fails or answers 5xx.
pub const TRIES: u16 = 3;
/// Tries of a URL whose body stalls or breaks off.
const TRIES_BROKEN: u16 = 2;
/// Tries of a URL whose host says "later" (429, 503).
pub const TRIES_LATER: u16 = 6;
/// Redirects in a row that are followed.
pub(crate) const MOST_REDIRECTS: usize = 10;

/// What was read out of an answer while still in the fetcher's task.
#[derive(Debug)]
pub(crate) enum AnswerContent {
    Nothing,
    /// The payload that the URL had before.
    Same,
    Page(Box<Glance>),
    Sitemap(Sitemap),
    Feed(Box<Feed>),
}

/// What becomes of the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UrlVerdict {
    /// It is done, for this reason.
    Final(Reason, String),
    /// It leads there.
    Redirect(Url),
    /// It goes back to the queue.
    Again,
    /// It failed: it goes back to the queue after a wait of its own.
    Later,
}

/// What becomes of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostStanding {
    /// It answered.
    Well,
    /// It asked to be left alone until then.
    Held(u64),
    /// It is in trouble: back off.
    Trouble(String),
    /// It answered that this URL fails: it is in trouble if other URLs fail too.
    Doubtful(String),
    /// It refuses what it gave before: slow down, then wait.
    Refusing(String),
    /// It took the request and gave no answer: it is gone if other URLs get none either.
    Unanswered(Reason, String),
    /// It took no connection: back off, and give it up when that goes on.
    Silent(Reason, String),
    /// Nothing can be said.
    Same,
}

/// What an answer, or what came instead, means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) url: UrlVerdict,
    pub(crate) host: HostStanding,
}

/// Judges one outcome of the try number `tries`, at `now`.
pub(crate) fn judge(outcome: &Outcome, content: &AnswerContent, tries: u16, now: u64) -> Verdict {
    match outcome {
        Outcome::Failed(failed) => judge_failure(failed, tries),
        Outcome::Captured(_) if outcome.is_half() && tries < TRIES_BROKEN => {
            Verdict { url: UrlVerdict::Later, host: HostStanding::Same }
        }
        Outcome::Captured(captured) => judge_answer(&captured.capture, content, tries, now),
    }
}

pub(crate) fn judge_failure(failed: &Failed, tries: u16) -> Verdict {
    let last = UrlVerdict::Final(failed.reason, failed.detail.clone());
    match failed.blame {
        // The loop asks again by itself, without counting a try.
        Blame::Connection => Verdict { url: UrlVerdict::Again, host: HostStanding::Same },
        Blame::Page if failed.reason == Reason::Timeout && tries < TRIES_BROKEN => {
            Verdict { url: UrlVerdict::Later, host: HostStanding::Same }
        }
        Blame::Page => Verdict { url: last, host: HostStanding::Same },
        Blame::Host | Blame::Address | Blame::Unclear => {
            // An account that was not accepted is no better the next time.
            let is_last = tries >= TRIES || failed.reason == Reason::Credentials;
            let url = if is_last { last } else { UrlVerdict::Later };
            let what = failed.detail.clone();
            let host = match (failed.reason, failed.blame) {
                (reason, Blame::Unclear) => HostStanding::Unanswered(reason, what),
                // It closed the connection instead of an answer: alive, but perhaps in trouble.
                (Reason::Protocol, _) => HostStanding::Doubtful(what),
                (reason, _) => HostStanding::Silent(reason, what),
            };
            Verdict { url, host }
        }
    }
}

fn judge_answer(capture: &Capture, content: &AnswerContent, tries: u16, now: u64) -> Verdict {
    let end = || {
        let UrlFate { reason, detail } = judge_status(capture);
        UrlVerdict::Final(reason, detail)
    };
    let later = |most| if tries >= most { end() } else { UrlVerdict::Later };
    let (url, host) = match capture.status {
        _ if capture.has_content() => (judge_content(content), HostStanding::Well),
        429 | 503 => (later(TRIES_LATER), asks_for_later(capture, now)),
        500..=599 => match asks_for_later(capture, now) {
            // It names no time: perhaps only this page fails.
            HostStanding::Trouble(what) if capture.header("retry-after").is_none() => {
                (later(TRIES), HostStanding::Doubtful(what))
            }
            standing => (later(TRIES), standing),
        },
        _ => match capture.redirect() {
            Some(Ok(target)) => (UrlVerdict::Redirect(target), HostStanding::Well),
            _ => (end(), HostStanding::Well),
        },
    };
    Verdict { url, host }
}

/// A 429 or 5xx: the time it names, or a back-off.
pub(crate) fn asks_for_later(capture: &Capture, now: u64) -> HostStanding {
    match capture.header("retry-after").and_then(|value| retry_after(value, now)) {
        Some(until) => HostStanding::Held(until),
        None => HostStanding::Trouble(format!("status {}", capture.status)),
    }
}

/// What a feed holds, for people.
fn of_feed(feed: &Feed) -> String {
    let (kind, items) = (feed.kind.name(), feed.items.len());
    let nameless = feed.items.iter().filter(|item| item.url().is_none()).count();
    let mut text = format!("feed ({kind}): {items} items");
    if nameless > 0 {
        text += &format!(", {nameless} of them without an address");
    }
    if feed.is_cut {
        text += "; not all of it was read";
    }
    text
}

fn judge_content(content: &AnswerContent) -> UrlVerdict {
    match content {
        AnswerContent::Page(glance) => UrlVerdict::Final(glance.reason, glance.detail.clone()),
        AnswerContent::Sitemap(sitemap) => {
            let (urls, maps) = (sitemap.urls.len(), sitemap.sitemaps.len());
            UrlVerdict::Final(Reason::Type, format!("sitemap: {urls} URLs, {maps} sitemaps"))
        }
        AnswerContent::Feed(feed) => UrlVerdict::Final(Reason::Type, of_feed(feed)),
        AnswerContent::Nothing | AnswerContent::Same => {
            UrlVerdict::Final(Reason::Type, String::new())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Captured;
    use std::time::Duration;

    fn check(status: u16, header: (&str, &str), tries: u16, expected: &str) {
        let capture = Capture {
            url: Url::parse("http://a.test/x").expect("a URL"),
            time: 0,
            status,
            headers: vec![(header.0.to_owned(), header.1.to_owned())],
            payload: Vec::new(),
            truncated: None,
        };
        let outcome =
            Outcome::Captured(Captured { capture, request: vec![], elapsed: Duration::ZERO });
        let Verdict { url: verdict, host: standing } =
            judge(&outcome, &AnswerContent::Nothing, tries, 1000);
        let verdict = match verdict {
            UrlVerdict::Final(reason, _) => reason.name().to_owned(),
            UrlVerdict::Redirect(url) => format!("to {url}"),
            UrlVerdict::Again => "again".to_owned(),
            UrlVerdict::Later => "later".to_owned(),
        };
        let standing = match standing {
            HostStanding::Well => "well".to_owned(),
            HostStanding::Held(until) => format!("held {until}"),
            HostStanding::Trouble(_) => "trouble".to_owned(),
            HostStanding::Doubtful(_) => "doubtful".to_owned(),
            HostStanding::Refusing(_) => "refusing".to_owned(),
            HostStanding::Unanswered(..) => "unanswered".to_owned(),
            HostStanding::Silent(..) => "silent".to_owned(),
            HostStanding::Same => "same".to_owned(),
        };
        assert_eq!(format!("{verdict}, {standing}"), expected, "{status} {header:?} {tries}");
    }

    #[test]
    fn every_status_has_its_meaning() {
        let none = ("x", "y");
        check(404, none, 1, "http.4xx, well");
        check(202, none, 1, "http.other, well");
        check(206, none, 1, "type, well");
        check(500, none, 2, "later, doubtful");
        check(500, none, 3, "http.5xx, doubtful");
        check(502, ("Retry-After", "2"), 1, "later, held 3000");
        check(429, ("Retry-After", "2"), 1, "later, held 3000");
        check(429, none, 1, "later, trouble");
        check(429, ("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), 1, "later, held 604801000");
        check(500, ("Retry-After", "tomorrow"), 1, "later, trouble");
        check(503, ("retry-after", "soon"), 5, "later, trouble");
        check(503, none, 6, "http.5xx, trouble");
        check(301, ("Location", "/y"), 1, "to http://a.test/y, well");
        check(302, ("Location", "mailto:x@y"), 1, "http.other, well");
        check(307, none, 1, "http.other, well");
        check(304, none, 1, "http.other, well");
    }

    fn told(url: UrlVerdict, host: HostStanding) -> Verdict {
        Verdict { url, host }
    }

    #[test]
    fn silent_hosts_are_asked_again_and_broken_pages_are_not() {
        let host = Failed::of_host(Reason::Connect, "refused");
        assert_eq!(judge_failure(&host, 2).url, UrlVerdict::Later);
        assert_eq!(
            judge_failure(&host, 3).url,
            UrlVerdict::Final(Reason::Connect, "refused".into())
        );
        let page = Failed::of_page(Reason::Protocol, "odd");
        let broken = UrlVerdict::Final(Reason::Protocol, "odd".into());
        assert_eq!(judge_failure(&page, 1), told(broken, HostStanding::Same));
        let slow = Failed::of_page(Reason::Timeout, "slow");
        assert_eq!(judge_failure(&slow, 1), told(UrlVerdict::Later, HostStanding::Same));
        let broken = UrlVerdict::Final(Reason::Timeout, "slow".into());
        assert_eq!(judge_failure(&slow, 2), told(broken, HostStanding::Same));
        let unclear = HostStanding::Unanswered(Reason::Timeout, "quiet".into());
        assert_eq!(
            judge_failure(&Failed::unanswered("quiet"), 1),
            told(UrlVerdict::Later, unclear)
        );
    }
}
