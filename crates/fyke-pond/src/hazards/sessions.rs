//! Session ids: the same eight rooms under ever new URLs (000 "spider traps").

use super::{Hazard, PLAIN, prose};
use crate::truth::Alias;
use crate::{Answer, AnswerKind, Ask, Pond};
use std::borrow::Cow;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const ROOMS: u32 = 8;

pub const ROW: Hazard = Hazard {
    name: "session-ids",
    hosts: &["sessions.test"],
    what: "Every link carries a session id (?sid= or ;jsessionid=) that is new at each visit. A \
           good crawler sees through it and fetches the home page and eight rooms once; a page \
           fetched again under another id is a trap fetch.",
    answer,
    links: &[("http://sessions.test/", "Rooms with a guest book")],
    identity,
    aliases,
    ..PLAIN
};

fn identity(path: &str) -> Cow<'_, str> {
    match path.find(";jsessionid=").or_else(|| path.find("?sid=")) {
        Some(at) => Cow::Borrowed(&path[..at]),
        None => Cow::Borrowed(path),
    }
}

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let page = identity(ask.path);
    let mut links = format!("<a href=\"/{}\">Guest book</a>\n", suffix(pond, ask, 0));
    for room in 1..=ROOMS {
        let id = suffix(pond, ask, room);
        let _ = writeln!(links, "<a href=\"/room/{room}{id}\">Room {room}</a>");
    }
    let title = match page.strip_prefix("/room/").map(str::parse::<u32>) {
        Some(Ok(room)) if (1..=ROOMS).contains(&room) => format!("Room {room}"),
        None if page == "/" => "Rooms with a guest book".into(),
        _ => return None,
    };
    let kind = if ask.visit > 0 { AnswerKind::Trap } else { AnswerKind::Page };
    let known = Ask { path: &page, ..*ask };
    Some(Answer { kind, ..prose::article(pond, &known, &title, &links) })
}

/// A new session for the link to `room`, by the page as it was asked for and how often.
fn suffix(pond: &Pond, ask: &Ask, room: u32) -> String {
    let id = xxh3_64_with_seed(ask.path.as_bytes(), pond.seed ^ (ask.visit << 8));
    if room.is_multiple_of(2) {
        format!("?sid={id:016x}")
    } else {
        format!(";jsessionid={id:016X}")
    }
}

/// The URLs that the home page shows at its first visit.
fn aliases(pond: &Pond) -> Vec<Alias> {
    let home = Ask::get("sessions.test", "/");
    (1..=ROOMS)
        .map(|room| {
            let canonical = format!("http://sessions.test/room/{room}");
            Alias { url: format!("{canonical}{}", suffix(pond, &home, room)), canonical }
        })
        .collect()
}
