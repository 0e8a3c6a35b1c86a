//! The calendar trap: a next month and a previous month, for ever (000 "spider traps").

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Ask, Pond};

const START: i64 = 2024 * 12;
const LEGITIMATE: i64 = 24;

pub const ROW: Hazard = Hazard {
    name: "calendar",
    hosts: &["calendar.test"],
    what: "Each month links to the next and the previous without end, and says nothing but its \
           date. A good crawler takes some and notices; months more than 24 away from January \
           2024 are trap fetches.",
    answer,
    links: &[("http://calendar.test/", "Calendar of the office")],
    ..PLAIN
};

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    if ask.path == "/" {
        let links = prose::list([("/2024/01", "This month")]);
        return Some(prose::article(pond, ask, "Calendar of the office", &links));
    }
    let month = parse(ask.path)?;
    let (before, after) = (show(month - 1), show(month + 1));
    let links = prose::list([(before.as_str(), "Previous month"), (after.as_str(), "Next month")]);
    let title = format!("Month {} of {}", month % 12 + 1, month / 12);
    let kind = if (month - START).abs() > LEGITIMATE { AnswerKind::Trap } else { AnswerKind::Page };
    // Every month has the text of all.
    let month = Ask { path: "/month", ..*ask };
    Some(Answer { kind, ..prose::article(pond, &month, &title, &links) })
}

/// `/2024/01` as a count of months.
fn parse(path: &str) -> Option<i64> {
    let (year, month) = path.strip_prefix('/')?.split_once('/')?;
    let (year, month): (i64, i64) = (year.parse().ok()?, month.parse().ok()?);
    ((1..=9_999_999).contains(&year) && (1..=12).contains(&month)).then(|| year * 12 + month - 1)
}

fn show(month: i64) -> String {
    format!("/{}/{:02}", month / 12, month % 12 + 1)
}
