//! The fingerprint of a page: all of its text, not only the main one, so that a page is known again
//! while the crawl runs, at the price of one scan (001 "near-duplicate detection").

use crate::html::{HtmlToken, Scanner, TagName, name};
use crate::page::Format;
use fyke_text::TextPart;
use fyke_text::fingerprint::{Fingerprint, PageWordHashes};

const TITLE: TagName = name("title");

/// The fingerprint of what a reader of the page sees: title and text outside scripts, styles and
/// markup. Without words when the page is of no format that text can be taken from.
#[must_use]
pub fn fingerprint(format: Format, content: &str) -> Fingerprint {
    let mut words = PageWordHashes::default();
    match format {
        Format::Html | Format::Converted(_) => add_markup(&mut words, Scanner::new(content)),
        Format::Xml => add_markup(&mut words, Scanner::xml(content)),
        Format::Text => words.add(TextPart::of(content)),
        Format::Other => {}
    }
    words.finish()
}

fn add_markup(words: &mut PageWordHashes, tokens: Scanner<'_>) {
    for token in tokens {
        match token {
            HtmlToken::Text(text) | HtmlToken::Cdata(text) | HtmlToken::Raw(TITLE, text) => {
                words.add(TextPart::of(text));
            }
            HtmlToken::Start(_) | HtmlToken::End(_) | HtmlToken::Raw(..) => {}
        }
    }
}
