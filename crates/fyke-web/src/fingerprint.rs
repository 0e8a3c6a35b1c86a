//! The fingerprint of a page: all of its text, not only the main one, so that a page is known again
//! while the crawl runs, at the price of one scan (001 "near-duplicate detection").

use crate::html::{Name, Scanner, Token, name};
use crate::page::Format;
use fyke_text::Part;
use fyke_text::fingerprint::{Fingerprint, Words};

const TITLE: Name = name("title");

/// The fingerprint of what a reader of the page sees: title and text outside scripts, styles and
/// markup. Without words when the page is of no format that text can be taken from.
#[must_use]
pub fn fingerprint(format: Format, content: &str) -> Fingerprint {
    let mut words = Words::default();
    match format {
        Format::Html | Format::Converted(_) => add_markup(&mut words, Scanner::new(content)),
        Format::Xml => add_markup(&mut words, Scanner::xml(content)),
        Format::Text => words.add(Part::of(content)),
        Format::Other => {}
    }
    words.finish()
}

fn add_markup(words: &mut Words, tokens: Scanner<'_>) {
    for token in tokens {
        match token {
            Token::Text(text) | Token::Cdata(text) | Token::Raw(TITLE, text) => {
                words.add(Part::of(text));
            }
            Token::Start(_) | Token::End(_) | Token::Raw(..) => {}
        }
    }
}
