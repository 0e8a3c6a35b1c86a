//! Pages for members: name and password come with each request (RFC 7617), or it is refused. One of them leads to another
//! host, which must not be told either.

use super::{CLUB, page, text};
use crate::{Answer, AnswerKind, Ask, Pond};

/// The password of [`super::READER`].
pub const MEMBER_PASSWORD: &str = "kelp-forest-9314";
/// `reader:kelp-forest-9314` as the standard writes it.
const EXPECTED: &str = "Basic cmVhZGVyOmtlbHAtZm9yZXN0LTkzMTQ=";
/// Pages of the reading room.
const PAGES: usize = 12;

pub(super) fn answer(pond: &Pond, ask: &Ask) -> Answer {
    match ask.path {
        "/" => {
            let main = "<p>A society of readers with rooms of its own for members.</p>\
                <p><a href=\"/reading-room/\">The reading room, for members</a></p>";
            page(AnswerKind::Page, "The readers", main)
        }
        path if path.starts_with("/reading-room/") => match ask.header("authorization") {
            Some(EXPECTED) => room(pond, ask),
            _ => refused(),
        },
        _ => Answer::missing(),
    }
}

fn room(pond: &Pond, ask: &Ask) -> Answer {
    let number = ask.path.trim_start_matches("/reading-room/");
    if number == "elsewhere" {
        return Answer::redirect(302, format!("http://{CLUB}/"));
    }
    let Ok(number) = number.parse::<usize>() else {
        let link = |n| format!("<li><a href=\"/reading-room/{n}\">Room {n}</a></li>");
        let links: String = (1..=PAGES).map(link).collect();
        let more = "<a href=\"/reading-room/elsewhere\">Friends of ours</a>";
        let is_home = ask.path == "/reading-room/";
        let main = format!("{}<ul>{links}</ul>{more}", text(pond, "reading-room"));
        let home = page(AnswerKind::Page, "The reading room", &main);
        return if is_home { home } else { Answer::missing() };
    };
    match (1..=PAGES).contains(&number) {
        true => {
            let title = format!("Room {number} of the readers");
            page(AnswerKind::Page, &title, &text(pond, &format!("room {number}")))
        }
        false => Answer::missing(),
    }
}

fn refused() -> Answer {
    let realm = ("www-authenticate", "Basic realm=\"reading room\"".to_owned());
    let mut answer = page(AnswerKind::Other, "Members only", "<p>Please say who you are.</p>");
    answer.headers.push(realm);
    Answer { status: 401, ..answer }
}
