//! `&amp;` growth: links that are escaped once too often grow an `amp;` at every step.

use super::{Hazard, PLAIN, prose};
use crate::truth::Alias;
use crate::{Answer, AnswerKind, Ask, Pond};
use std::borrow::Cow;

const LISTS: u32 = 3;

pub const ROW: Hazard = Hazard {
    name: "amp-growth",
    hosts: &["amp.test"],
    what: "Each list links to itself with & escaped twice, so that the query grows an amp; a step. \
           A good crawler takes &amp; in a query for &; from the second amp; on it is a trap.",
    answer,
    links: &[("http://amp.test/", "Lists and sublists")],
    identity: |path| Cow::Owned(path.replace("amp;", "")),
    aliases: |_| {
        let list = |n: u32, amp: &str| format!("http://amp.test/list?a={n}&{amp}b=1");
        (1..=LISTS).map(|n| Alias { url: list(n, "amp;"), canonical: list(n, "") }).collect()
    },
    ..PLAIN
};

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    if ask.path == "/" {
        let links = prose::list([
            ("/list?a=1&amp;b=1", "First list"),
            ("/list?a=2&amp;b=1", "Second list"),
            ("/list?a=3&amp;b=1", "Third list"),
        ]);
        return Some(prose::article(pond, ask, "Lists and sublists", &links));
    }
    let grown = ask.path.matches("amp;").count();
    let page = ask.path.replace("amp;", "");
    let number = page.strip_prefix("/list?a=")?.strip_suffix("&b=1")?.parse::<u32>().ok()?;
    if !(1..=LISTS).contains(&number) {
        return None;
    }
    let amps = "amp;".repeat((grown + 2).min(400));
    let next = format!("/list?a={number}&{amps}b=1");
    let kind = if grown > 1 { AnswerKind::Trap } else { AnswerKind::Page };
    let known = Ask { path: &page, ..*ask };
    let links = prose::list([(next.as_str(), "Same list, again")]);
    Some(Answer { kind, ..prose::article(pond, &known, &format!("List {number}"), &links) })
}
