//! Elements whose content is not markup: where it ends. `script` has its own rule, because old
//! pages wrap scripts that write scripts into comments.

use super::scan::{TagName, name};

const SCRIPT: TagName = name("script");
const PLAINTEXT: TagName = name("plaintext");
pub(super) const RAW: &[(TagName, &[u8])] = &[
    (SCRIPT, b"script"),
    (name("style"), b"style"),
    (name("title"), b"title"),
    (name("textarea"), b"textarea"),
    (name("xmp"), b"xmp"),
    (name("iframe"), b"iframe"),
    (name("noembed"), b"noembed"),
    (name("noframes"), b"noframes"),
    (PLAINTEXT, b"plaintext"),
];

/// Tags that cannot stand in svg or math, so they end it; the commonest of the standard's list.
const HTML_ONLY: &[TagName] = &[
    name("div"),
    name("p"),
    name("span"),
    name("ul"),
    name("ol"),
    name("li"),
    name("table"),
    name("h1"),
    name("h2"),
    name("h3"),
    name("h4"),
    name("img"),
    name("body"),
    name("head"),
    name("br"),
    name("b"),
    name("i"),
    name("em"),
    name("strong"),
    name("meta"),
    name("pre"),
    name("foreignobject"),
];

pub(super) fn is_raw(name: TagName) -> bool {
    RAW.iter().any(|row| row.0 == name)
}

pub(super) fn leaves_foreign(name: TagName) -> bool {
    HTML_ONLY.contains(&name)
}

/// Length of the raw text at the head of `rest`, up to the end tag that closes it.
pub(super) fn end_of_raw(rest: &[u8], name: TagName) -> usize {
    let word = RAW.iter().find(|row| row.0 == name).map_or(&b""[..], |row| row.1);
    match name {
        PLAINTEXT => rest.len(),
        SCRIPT => end_of_script(rest),
        _ => memchr::memmem::find_iter(rest, b"</")
            .find(|&at| is_word(&rest[at + 2..], word))
            .unwrap_or(rest.len()),
    }
}

/// Whether a tag name is exactly `word`.
fn is_word(rest: &[u8], word: &[u8]) -> bool {
    rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        && rest.get(word.len()).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'))
}

/// As the standard's script states: inside `<!-- … -->` an inner `<script>` hides one `</script>`.
fn end_of_script(rest: &[u8]) -> usize {
    let mut in_comment = false;
    let mut in_inner = false;
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'<', b'-', &rest[at..]) {
        at += found;
        let here = &rest[at..];
        if here.starts_with(b"<!--") {
            in_comment = true;
            at += 1; // "<!-->" closes the comment that it opens
        } else if in_comment && here.starts_with(b"-->") {
            (in_comment, in_inner) = (false, false);
        } else if here.starts_with(b"</") && is_word(&here[2..], b"script") {
            if !in_inner {
                return at;
            }
            in_inner = false;
        } else if in_comment && here.starts_with(b"<") && is_word(&here[1..], b"script") {
            in_inner = true;
        }
        at += 1;
    }
    rest.len()
}
