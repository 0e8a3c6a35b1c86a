//! The growing path: a relative link that makes every path longer (000 "spider traps").

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Ask, Pond};

const LEGITIMATE: usize = 8;

pub const ROW: Hazard = Hazard {
    name: "growing-path",
    hosts: &["growing.test"],
    what: "Every page links to a/b/ below itself: /a/b/a/b/… without end. A good crawler notices \
           the repetition; more than eight repeats are trap fetches.",
    answer,
    links: &[("http://growing.test/", "A corridor")],
    ..PLAIN
};

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let repeats = ask
        .path
        .strip_prefix('/')?
        .split("a/b/")
        .try_fold(0, |count, rest| rest.is_empty().then_some(count + 1))?
        - 1;
    let kind = if repeats > LEGITIMATE { AnswerKind::Trap } else { AnswerKind::Page };
    let title = format!("A corridor, door {repeats}");
    let links = prose::list([("a/b/", "The next door")]);
    Some(Answer { kind, ..prose::article(pond, ask, &title, &links) })
}
