//! A harmless copy of a page for people to read: the cached copy of a result (000 "results"). Only
//! elements that give text its shape are kept, of their attributes only where a link leads;
//! scripts, styles, forms, pictures and frames are left out. All text goes through the caller's
//! `mark`.

use crate::Url;
use crate::escape::escape;
use crate::html::{HtmlToken, Scanner, Tag, TagName, name, text_of};
use crate::page::{Format, Page};
use std::fmt::Write;

/// The copy is cut here, so that a hostile page cannot stall the reader's browser.
const LONGEST_COPY: usize = 2 << 20;

/// Elements that stay, as they are.
const KEPT: &[&str] = &[
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
];

/// The page as harmless HTML (a fragment). `mark` writes a run of plain text to the copy: it must
/// escape it, and may put words between `<mark>` and `</mark>`.
#[must_use]
pub fn copy(page: &Page, base: &Url, mark: &mut dyn FnMut(&str, &mut String)) -> String {
    let mut out = String::with_capacity(page.content.len().min(LONGEST_COPY));
    if !matches!(page.format, Format::Html | Format::Converted(_)) {
        out.push_str("<pre>");
        mark(&page.content[..page.content.floor_char_boundary(LONGEST_COPY)], &mut out);
        out.push_str("</pre>");
        return out;
    }
    for token in Scanner::new(&page.content) {
        if out.len() > LONGEST_COPY {
            break;
        }
        match token {
            HtmlToken::Text(text) => mark(&text_of(text), &mut out),
            HtmlToken::Start(tag) => open(&tag, base, &mut out),
            HtmlToken::End(end) => {
                if let Some(kept) = kept(end).filter(|kept| *kept != "br") {
                    let _ = write!(out, "</{kept}>");
                }
            }
            HtmlToken::Raw(..) | HtmlToken::Cdata(_) => {}
        }
    }
    out
}

fn kept(wanted: TagName) -> Option<&'static str> {
    KEPT.iter().copied().find(|kept| name(kept) == wanted)
}

fn open(tag: &Tag<'_>, base: &Url, out: &mut String) {
    let Some(kept) = kept(tag.name) else { return };
    let target = tag.attribute("href").filter(|_| kept == "a");
    match target.and_then(|target| base.join(&target).ok()) {
        Some(url) => {
            let url = escape(url.as_str());
            let _ = write!(out, "<a href=\"{url}\" rel=\"nofollow noreferrer\" target=\"_blank\">");
        }
        None => {
            let _ = write!(out, "<{kept}>");
        }
    }
}
