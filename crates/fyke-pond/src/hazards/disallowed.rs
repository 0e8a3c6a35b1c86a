//! Sections of every ordinary host that its robots.txt forbids and its pages link to.

use super::{Hazard, PLAIN, prose};
use crate::robots::FORBIDDEN;
use crate::{Answer, AnswerKind, Ask, Pond};

pub const ROW: Hazard = Hazard {
    name: "disallowed",
    what: "Ordinary hosts link to /private/ and /search, which their robots.txt forbids. A good \
           crawler never asks for them: every such request is a disallowed fetch.",
    answer,
    ..PLAIN
};

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    FORBIDDEN.iter().find(|prefix| ask.path.starts_with(**prefix))?;
    let links = prose::list([("/private/minutes-10", "Older minutes"), ("/", "Home")]);
    Some(Answer {
        kind: AnswerKind::Disallowed,
        ..prose::article(pond, ask, "Not for robots", &links)
    })
}
