//! Answers that take for ever: one byte a second, and a body without an end.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Body};

pub const DRIP: Hazard = Hazard {
    name: "slow-drip",
    hosts: &["drip.test"],
    what: "/drip sends one byte a second for ten minutes. A good crawler limits the whole fetch, \
           not only the wait for the next byte, and goes on with other work.",
    answer: |pond, ask| {
        let answer = prose::small_host(pond, ask, "A dripping tap", &[("/drip", "The tap")])?;
        Some(if ask.path == "/drip" { dripping(answer) } else { answer })
    },
    links: &[("http://drip.test/", "A dripping tap")],
    ..PLAIN
};

fn dripping(answer: Answer) -> Answer {
    match answer.body {
        Body::Bytes(mut bytes) => {
            bytes.truncate(600);
            Answer { body: Body::Drip { bytes, every_ms: 1000 }, kind: AnswerKind::Other, ..answer }
        }
        _ => answer,
    }
}

pub const ENDLESS: Hazard = Hazard {
    name: "endless-body",
    hosts: &["endless.test"],
    what: "/stream never ends. A good crawler stops at its size limit and closes the connection.",
    answer: |pond, ask| {
        let answer = prose::small_host(pond, ask, "A long story", &[("/stream", "The story")])?;
        if ask.path != "/stream" {
            return Some(answer);
        }
        let chunk = prose::text(pond, "endless", 200).into_bytes();
        Some(Answer { body: Body::Endless { chunk }, kind: AnswerKind::Other, ..answer })
    },
    links: &[("http://endless.test/", "A long story")],
    ..PLAIN
};
