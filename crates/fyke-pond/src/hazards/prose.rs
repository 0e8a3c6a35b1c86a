//! Plain pages for the hazard hosts: readable English of its own vocabulary (clear of every
//! topic's), different on every page, so that a hazard changes no figure of the ordinary web.

use crate::render::strip_tags;
use crate::{Answer, AnswerKind, Ask, Pond};
use std::fmt::Write as _;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Four lists: adjectives, nouns, verbs, endings.
static WORDS: LazyLock<[Vec<&str>; 4]> = LazyLock::new(|| {
    let lines = include_str!("../../data/office.txt").lines();
    let mut lists = lines.filter_map(|line| line.split_once(": ")).map(|(_, list)| list);
    [(); 4].map(|()| lists.next().unwrap_or_default().split(", ").collect())
});

/// A number between 0 and `below`, from the pond's seed and a key.
pub fn pick(pond: &Pond, key: &str, nth: u64, below: usize) -> usize {
    let hash = xxh3_64_with_seed(key.as_bytes(), pond.seed ^ nth.wrapping_mul(0x9e37_79b9));
    usize::try_from(hash % below.max(1) as u64).unwrap_or(0)
}

/// Sentence number `nth` of the text called `key`.
pub fn sentence(pond: &Pond, key: &str, nth: u64) -> String {
    let [adjectives, nouns, verbs, endings] = &*WORDS;
    let word = |slot: u64, list: &[&'static str]| list[pick(pond, key, nth * 8 + slot, list.len())];
    format!(
        "The {} {} {} the {} {} {}.",
        word(0, adjectives),
        word(1, nouns),
        word(2, verbs),
        word(3, adjectives),
        word(4, nouns),
        word(5, endings)
    )
}

/// The text called `key`: so many sentences.
pub fn text(pond: &Pond, key: &str, sentences: u64) -> String {
    (0..sentences).map(|n| sentence(pond, key, n)).collect::<Vec<_>>().join(" ")
}

/// A whole page from its parts. `head` goes into the head, `main` is HTML.
pub fn page(title: &str, head: &str, main: &str) -> Answer {
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         {head}</head>\n<body><main><h1>{title}</h1>\n{main}</main></body></html>\n"
    );
    Answer::html(AnswerKind::Page, html.into_bytes())
}

/// Title and main text of such a page: heading and paragraph. The links below lead on and are no
/// part of what a reader came for.
pub fn read(html: &str) -> Option<(String, String)> {
    let (_, rest) = html.split_once("<title>")?;
    let (title, rest) = rest.split_once("</title>")?;
    let (_, main) = rest.split_once("<main>")?;
    let (main, _) = main.split_once("</p>")?;
    Some((title.to_owned(), strip_tags(main)))
}

/// A list of links.
pub fn list<'a>(links: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut html = String::from("<ul>\n");
    for (href, anchor) in links {
        let _ = writeln!(html, "<li><a href=\"{href}\">{anchor}</a></li>");
    }
    html + "</ul>\n"
}

/// A page of text about nothing in particular, then `main`.
pub fn article(pond: &Pond, ask: &Ask, title: &str, main: &str) -> Answer {
    let key = format!("{}{}", ask.host, ask.path);
    page(title, "", &format!("<p>{}</p>\n{main}", text(pond, &key, 8)))
}

/// A small host: a home page that links to `pages` (path, title), and those pages. A path that
/// is not listed is missing.
pub(crate) fn small_host(
    pond: &Pond,
    ask: &Ask,
    title: &str,
    pages: &[(&'static str, &'static str)],
) -> Option<Answer> {
    if ask.path == "/" {
        return Some(article(pond, ask, title, &list(pages.iter().copied())));
    }
    let (_, name) = pages.iter().find(|(path, _)| *path == ask.path)?;
    Some(article(pond, ask, name, &list([("/", title)])))
}
