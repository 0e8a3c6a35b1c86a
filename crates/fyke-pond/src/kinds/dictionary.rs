//! A dictionary: hundreds of entries, each shorter than the navigation around it.

use super::{KindPage, POND, SiteKind, document, html, item, list};
use crate::hazards::prose;

const ENTRIES: usize = 500;
const PER_LIST: usize = 25;
const SITE: &str = "dictionary.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "dictionary",
    host: SITE,
    what: "500 entries of half a sentence, listed twenty-five at a time, each with links to its neighbours in the list.",
    documents: ENTRIES,
    most_requests: 560,
    page,
};

/// Three syllables for each entry.
fn word(entry: usize) -> String {
    let syllables = ["ba", "lo", "mir", "ten", "gu", "sel", "kor", "pi"];
    [entry / 64, entry / 8 % 8, entry % 8].map(|at| syllables[at % 8]).concat()
}

fn path(entry: usize) -> String {
    format!("/word/{}", word(entry))
}

fn page(asked: &str) -> Option<KindPage> {
    if asked == "/" {
        let part =
            |at: usize| item(&format!("/list/{at}"), &format!("From {}", word(at * PER_LIST)));
        let rows: String = (0..ENTRIES / PER_LIST).map(part).collect();
        return list(html(SITE, "All words", &format!("<ul>{rows}</ul>")));
    }
    if let Some(at) = asked.strip_prefix("/list/") {
        let at: usize = at.parse().ok().filter(|at| *at < ENTRIES / PER_LIST)?;
        let rows: String =
            (at * PER_LIST..(at + 1) * PER_LIST).map(|n| item(&path(n), &word(n))).collect();
        return list(html(
            SITE,
            &format!("From {}", word(at * PER_LIST)),
            &format!("<ul>{rows}</ul>"),
        ));
    }
    let entry = (0..ENTRIES).find(|entry| path(*entry) == asked)?;
    let sentence = prose::sentence(&POND, &format!("{SITE}/{entry}"), 0);
    let meaning: Vec<&str> = sentence.split(' ').take(4).collect();
    let near = [(entry + 1) % ENTRIES, (entry + ENTRIES - 1) % ENTRIES];
    let near = near.map(|near| item(&path(near), &word(near))).concat();
    document(entry, html(SITE, &word(entry), &format!("<p>{}</p>{near}", meaning.join(" "))))
}
