//! The deep web (003 §3.2.5, §3.2.6): what links alone do not lead to. Pages for members, pages behind a login, a catalogue
//! whose records are found by a search form alone (beside it stand forms that nobody may send by himself), and a site whose
//! texts and links are made by scripts.

mod catalogue;
mod club;
mod members;
mod scripted;

pub use catalogue::{RECORDS, record_path};
pub use club::{CLUB_PASSWORD, club_session};
pub use members::MEMBER_PASSWORD;
pub(crate) use scripted::RULES as SCRIPTED_RULES;
pub use scripted::{ENDLESS, ScriptedTruth, harm_page, scripted_pages};

use crate::hazards::prose;
use crate::words::hash;
use crate::{Answer, AnswerKind, Ask, Body, Pond};

/// The host whose pages are for members, by name and password of every request.
pub const MEMBERS: &str = "members.test";
/// The host with a form to log in.
pub const CLUB: &str = "club.test";
/// The host with a search form.
pub const CATALOGUE: &str = "catalogue.test";
/// The host whose pages are made by scripts.
pub const SCRIPTED: &str = "scripted.test";

/// Who members and the club know.
pub const READER: &str = "reader";

/// All hosts of the deep web.
pub const HOSTS: [&str; 4] = [MEMBERS, CLUB, CATALOGUE, SCRIPTED];

/// Everything that links lead to is reachable from these.
pub(crate) fn seeds() -> Vec<String> {
    HOSTS.map(|host| format!("http://{host}/")).to_vec()
}

/// The answer of a host of the deep web.
pub(crate) fn answer(pond: &Pond, ask: &Ask) -> Answer {
    if brings_foreign_secret(pond, ask) {
        return harmful("a secret of another host came with this request");
    }
    match ask.host {
        MEMBERS => members::answer(pond, ask),
        CLUB => club::answer(pond, ask),
        CATALOGUE => catalogue::answer(pond, ask),
        SCRIPTED => scripted::answer(pond, ask),
        _ => Answer::missing(),
    }
}

/// A request that a good crawler never makes.
fn harmful(what: &str) -> Answer {
    Answer { status: 403, ..page(AnswerKind::Harmful, "No", &format!("<p>{what}</p>")) }
}

/// Whether a request shows what another host is to be shown.
fn brings_foreign_secret(pond: &Pond, ask: &Ask) -> bool {
    let is_of_members = ask.header("authorization").is_some();
    let session = club_session(pond);
    let is_of_club = ask.header("cookie").is_some_and(|cookies| cookies.contains(&session));
    is_of_members && ask.host != MEMBERS || is_of_club && ask.host != CLUB
}

fn page(kind: AnswerKind, title: &str, main: &str) -> Answer {
    let html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>{title}</title></head>\
         <body><main><h1>{title}</h1>{main}</main></body></html>"
    );
    Answer { status: 200, headers: html_type(), body: Body::Bytes(html.into_bytes()), kind }
}

fn html_type() -> Vec<(&'static str, String)> {
    vec![("content-type", "text/html; charset=utf-8".into())]
}

/// A text of its own for each key.
fn text(pond: &Pond, key: &str) -> String {
    format!("<p>{}</p>", prose::text(pond, key, 8))
}

/// Something nobody can guess, but always the same.
fn token(pond: &Pond, what: &str) -> String {
    format!("{:016x}", hash(pond.seed, what))
}
