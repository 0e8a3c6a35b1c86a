//! 429 and 503 with Retry-After, in seconds and as a date (RFC 9110 §10.2.3).

use super::{Hazard, PLAIN, prose};
use crate::render::http_date;
use crate::{Answer, AnswerKind, Ask, Body, Pond};

/// How long a window lasts.
const PATIENCE_MS: u64 = 2000;

pub(crate) const SECONDS: Hazard = Hazard {
    name: "retry-after-seconds",
    hosts: &["busy.test"],
    what: "The first request for /queue gets 429 with Retry-After: 2, and so does every request \
           until the two seconds are over. A good crawler leaves the host alone, then comes back.",
    answer: |pond, ask| answer(pond, ask, 429, |end, now| (end - now).div_ceil(1000).to_string()),
    links: &[("http://busy.test/", "A busy counter")],
    ..PLAIN
};

pub const DATE: Hazard = Hazard {
    name: "retry-after-date",
    hosts: &["maintenance.test"],
    what: "The first request for /queue gets 503 with Retry-After as a date two or three seconds \
           ahead, and so does every request until then. A good crawler waits, then comes back.",
    answer: |pond, ask| answer(pond, ask, 503, |end, _| http_date(end.div_ceil(1000))),
    links: &[("http://maintenance.test/", "Closed for maintenance")],
    ..PLAIN
};

/// `header` turns the window's end and now, both in Unix milliseconds, into Retry-After.
fn answer(pond: &Pond, ask: &Ask, status: u16, header: fn(u64, u64) -> String) -> Option<Answer> {
    let waiting = ask.now_ms < ask.retry_until_ms;
    if !waiting && (ask.path != "/queue" || ask.visit > 0) {
        let pages = [("/queue", "The queue"), ("/desk", "The desk"), ("/form", "The form")];
        return prose::small_host(pond, ask, "At the counter", &pages);
    }
    let end = if waiting { ask.retry_until_ms } else { ask.now_ms + PATIENCE_MS };
    let retry_after = header(ask.epoch_ms + end, ask.epoch_ms + ask.now_ms);
    Some(Answer {
        status,
        headers: vec![("retry-after", retry_after), ("content-type", "text/plain".into())],
        body: Body::Bytes(b"please wait\n".to_vec()),
        kind: AnswerKind::Other,
    })
}
