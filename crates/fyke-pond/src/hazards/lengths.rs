//! Content-Length that does not tell the truth.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Body};

pub const ROW: Hazard = Hazard {
    name: "wrong-content-length",
    hosts: &["lengths.test"],
    what: "/short promises more bytes than it sends, /long sends more than it promises, then both \
           close. A good crawler records the first as cut off and never reads the rest of the \
           second as another answer.",
    answer: |pond, ask| {
        let pages = [("/short", "Short"), ("/long", "Long"), ("/honest", "Honest")];
        let answer = prose::small_host(pond, ask, "Measures", &pages)?;
        let claimed = |size: usize| match ask.path {
            "/short" => size as u64 * 2,
            _ => size as u64 / 2,
        };
        match (ask.path, answer) {
            ("/short" | "/long", Answer { body: Body::Bytes(bytes), headers, .. }) => {
                let body = Body::ShortOf { claimed: claimed(bytes.len()), bytes };
                Some(Answer { status: 200, headers, body, kind: AnswerKind::Other })
            }
            (_, answer) => Some(answer),
        }
    },
    links: &[("http://lengths.test/", "Measures")],
    ..PLAIN
};
