//! Malformed HTML: links that are links all the same, text that only looks like one, and nesting.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind};
use std::fmt::Write as _;

pub const ROW: Hazard = Hazard {
    name: "malformed-html",
    hosts: &["malformed.test"],
    what: "Unclosed tags, odd quotes, a base element, NUL bytes, 20,000 nested elements, 5,000 \
           attributes, a page cut in a tag. A good crawler survives, finds all under /found/ and \
           nothing under /ghost/, which stands only in comments and scripts.",
    answer: |pond, ask| {
        let body = match ask.path {
            "/soup" => SOUP.to_owned(),
            "/nested" => "<div>".repeat(20_000) + "<a href=/found/nested>deep</a>",
            "/attributes" => attributes(),
            "/bytes" => BYTES.to_owned(),
            "/base" => BASE.to_owned(),
            "/cut" => CUT.to_owned(),
            path if path.starts_with("/found/") => {
                return Some(prose::article(pond, ask, "Found all the same", ""));
            }
            _ => return prose::small_host(pond, ask, "Odds and ends", PAGES),
        };
        let text = prose::text(pond, ask.path, 6);
        let mut html = format!("<title>Odds{}<body>\n<p>{text}\n{body}", ask.path).into_bytes();
        if ask.path == "/bytes" {
            html.extend_from_slice(b"\0\xff\xfe<a href=/found/bytes\0>\xc3\x28");
        }
        Some(Answer::html(AnswerKind::Page, html))
    },
    links: &[("http://malformed.test/", "Odds and ends")],
    ..PLAIN
};

const PAGES: &[(&str, &str)] = &[
    ("/soup", "Soup"),
    ("/nested", "Nested"),
    ("/attributes", "Attributes"),
    ("/bytes", "Bytes"),
    ("/base", "Base"),
    ("/cut", "Cut"),
];

const SOUP: &str = "</title><a href=/found/unquoted>one<A HREF = '/found/single'>two<a\nhref=\
    \"/found/newline\"\n>three</b></p></table><td><a class=x href=\"/found/entity?x=1&y=2\">four\
    <b><i></b><a href=\" /found/blank \">five<!-- <a href=\"/ghost/comment\"> --><script>var a = \
    '<a href=\"/ghost/script\">';</script><style>a{content:'<a href=/ghost/style>'}</style>\
    <textarea><a href=/ghost/textarea></textarea><noscript><a href=/found/noscript>six</a>\
    </noscript><a href=\"javascript:void(0)\"><a href=\"mailto:a@b.test\"><a href=\"http://\">\
    <a href=\"http://[broken/\"><a href><a href=\"\"><a href=\"//\">";
const BYTES: &str = "</title><p>some bytes that are no text follow";
const BASE: &str = "</title><base href=\"/found/\"><a href=\"base\">relative to the base</a>";
const CUT: &str = "</title><a href=\"/found/before-the-cut\">whole</a><a href=\"/ghost/cut";

fn attributes() -> String {
    let mut tag = String::from("</title><a");
    for n in 0..5000 {
        let _ = write!(tag, " data-{n}={n}");
    }
    tag + " href=/found/attributes>after many attributes</a>"
}
