//! A club: a form to log in, with a hidden field that must come along, sets a cookie that its rooms want. A link ends the
//! session of whoever follows it.

use super::{READER, page, text, token};
use crate::{Answer, AnswerKind, Ask, Pond};

/// The password of [`super::READER`].
pub const CLUB_PASSWORD: &str = "tide & table 2718";
/// As a form is sent.
const PASSWORD_SENT: &str = "tide+%26+table+2718";
/// Rooms of the club.
const ROOMS: usize = 10;

/// The value of the cookie of a session.
#[must_use]
pub fn club_session(pond: &Pond) -> String {
    token(pond, "session of the club")
}

pub(super) fn answer(pond: &Pond, ask: &Ask) -> Answer {
    let (path, _) = ask.path.split_once('?').unwrap_or((ask.path, ""));
    match (ask.method, path) {
        ("POST", "/session") => log_in(pond, ask),
        ("POST", _) => super::harmful("nothing but the login is posted here"),
        (_, "/") => page(
            AnswerKind::Page,
            "The club",
            "<p>A club for those who like tides.</p><a href=\"/login\">Log in</a> \
             <a href=\"/rooms/\">The rooms</a>",
        ),
        (_, "/login") => page(AnswerKind::Page, "Log in", &form(pond)),
        (_, "/logout") => {
            let mut answer = Answer::redirect(302, "/".to_owned());
            answer.headers.push(("set-cookie", "session=; Path=/; Max-Age=0".to_owned()));
            answer
        }
        _ if path.starts_with("/rooms/") => {
            let expected = format!("session={}", club_session(pond));
            let cookies = ask.header("cookie").unwrap_or_default();
            match cookies.split("; ").any(|cookie| cookie == expected) {
                true => renewed(pond, room(pond, path)),
                false => Answer::redirect(302, format!("/login?next={path}")),
            }
        }
        _ => Answer::missing(),
    }
}

fn form(pond: &Pond) -> String {
    let csrf = token(pond, "form of the club");
    format!(
        "<form method=\"post\" action=\"/session\"><input type=\"hidden\" name=\"csrf\" value=\"{csrf}\">\
         <input name=\"user\"><input type=\"password\" name=\"password\"><button>Enter</button></form>"
    )
}

fn log_in(pond: &Pond, ask: &Ask) -> Answer {
    let csrf = token(pond, "form of the club");
    let expected =
        [format!("csrf={csrf}"), format!("user={READER}"), format!("password={PASSWORD_SENT}")];
    let sent: Vec<&str> = ask.body.split('&').collect();
    if !expected.iter().all(|pair| sent.contains(&pair.as_str())) {
        return Answer::redirect(302, "/login?error=1".to_owned());
    }
    renewed(pond, Answer::redirect(302, "/rooms/".to_owned()))
}

/// An answer that sets the cookie once more, as servers do whose sessions go on.
fn renewed(pond: &Pond, mut answer: Answer) -> Answer {
    answer
        .headers
        .push(("set-cookie", format!("session={}; Path=/; HttpOnly", club_session(pond))));
    answer
}

fn room(pond: &Pond, path: &str) -> Answer {
    let number = path.trim_start_matches("/rooms/");
    if number.is_empty() {
        let link = |n| format!("<li><a href=\"/rooms/{n}\">Room {n}</a></li>");
        let links: String = (1..=ROOMS).map(link).collect();
        let main =
            format!("<a href=\"/logout\">Log out</a>{}<ul>{links}</ul>", text(pond, "rooms"));
        return page(AnswerKind::Page, "The rooms of the club", &main);
    }
    match number.parse::<usize>() {
        Ok(number) if (1..=ROOMS).contains(&number) => {
            let title = format!("Room {number} of the club");
            page(AnswerKind::Page, &title, &text(pond, &format!("club {number}")))
        }
        _ => Answer::missing(),
    }
}
