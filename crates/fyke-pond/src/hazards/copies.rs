//! Mirrors, exact copies and near-copies (000 "Duplicate documents", "Near-duplicates").

use super::{Hazard, PLAIN, prose};
use crate::truth::Copied;
use crate::{Answer, Ask, Pond};

const MIRROR_HOSTS: [&str; 2] = ["mirror-a.test", "mirror-b.test"];
const MIRRORED: u64 = 8;

pub(crate) const MIRRORS: Hazard = Hazard {
    name: "mirrors",
    hosts: &MIRROR_HOSTS,
    what: "Two hosts with the same nine pages. A good crawler may fetch both, keeps one copy of \
           each page and knows the other for a twin.",
    answer: |pond, ask| {
        let number = match ask.path {
            "/" => 0,
            path => path.strip_prefix("/sheet/")?.parse().ok()?,
        };
        (number <= MIRRORED).then(|| sheet(pond, number))
    },
    links: &[
        ("http://mirror-a.test/", "The rule book"),
        ("http://mirror-b.test/", "The rule book, at another place"),
    ],
    copies: |_| (0..=MIRRORED).map(mirrored).collect(),
    ..PLAIN
};

fn sheet(pond: &Pond, number: u64) -> Answer {
    let links = (1..=MIRRORED).map(|n| format!("<a href=\"/sheet/{n}\">Sheet {n}</a>\n"));
    let links: String = links.collect();
    let title = format!("Rule book, sheet {number}");
    let text = prose::text(pond, &format!("rule book {number}"), 14);
    prose::page(&title, "", &format!("<p>{text}</p>\n<nav>{links}</nav>"))
}

fn mirrored(number: u64) -> Copied {
    let path = if number == 0 { String::new() } else { format!("sheet/{number}") };
    let [of, url] = MIRROR_HOSTS.map(|host| format!("http://{host}/{path}"));
    Copied { url, of }
}

const PAIRS: u64 = 4;

pub const EXACT: Hazard = Hazard {
    name: "exact-copies",
    hosts: &["copies.test"],
    what: "Four pages, each a second time under another path, byte for byte. A good crawler keeps \
           one of each pair.",
    answer: |pond, ask| pairs(pond, ask, "Originals and copies", |_| 0),
    links: &[("http://copies.test/", "Originals and copies")],
    copies: |_| copied("copies.test"),
    ..PLAIN
};

pub const NEAR: Hazard = Hazard {
    name: "near-copies",
    hosts: &["near.test"],
    what: "Four pages of forty sentences, each a second time with one, two, four or eight \
           sentences changed; the truth holds the Jaccard coefficient of each pair. A good crawler \
           joins the pairs above its threshold.",
    answer: |pond, ask| pairs(pond, ask, "Drafts and fair copies", |number| 1 << (number - 1)),
    links: &[("http://near.test/", "Drafts and fair copies")],
    copies: |_| copied("near.test"),
    ..PLAIN
};

/// `changed` says how many sentences of copy `number` differ.
fn pairs(pond: &Pond, ask: &Ask, title: &str, changed: fn(u64) -> u64) -> Option<Answer> {
    if ask.path == "/" {
        let pages = (1..=PAIRS).flat_map(|n| ["original", "copy"].map(|kind| (kind, n)));
        let links = pages.map(|(kind, n)| format!("<a href=\"/{kind}/{n}\">Paper {n}</a>\n"));
        return Some(prose::article(pond, ask, title, &links.collect::<String>()));
    }
    let (kind, number) = ask.path.strip_prefix('/')?.split_once('/')?;
    let number = number.parse().ok().filter(|n| (1..=PAIRS).contains(n))?;
    let changed = match kind {
        "original" => 0,
        "copy" => changed(number),
        _ => return None,
    };
    let text = paper(pond, ask.host, number, changed);
    Some(prose::page(&format!("Paper {number}"), "", &format!("<p>{text}</p>")))
}

/// Forty sentences, of which every fifth is changed until `changed` of them are.
fn paper(pond: &Pond, host: &str, number: u64, changed: u64) -> String {
    let (key, other) = (format!("{host} paper {number}"), format!("{host} changed {number}"));
    let sentences = (0..40).map(|n| {
        let is_changed = n % 5 == 2 && n / 5 < changed;
        prose::sentence(pond, if is_changed { &other } else { &key }, n)
    });
    sentences.collect::<Vec<_>>().join(" ")
}

fn copied(host: &str) -> Vec<Copied> {
    let url = |kind: &str, n: u64| format!("http://{host}/{kind}/{n}");
    (1..=PAIRS).map(|n| Copied { url: url("copy", n), of: url("original", n) }).collect()
}
