//! Plain text: paragraphs between empty lines.

use super::markup::Markup;
use super::{Converted, Source};
use fyke_web::charset;

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let mut markup = Markup::default();
    write(&mut markup, &charset::decode(source.bytes, source.content_type));
    Converted::from(markup)
}

/// Writes the paragraphs of a text.
pub(super) fn write(markup: &mut Markup, text: &str) {
    for line in text.lines() {
        if line.trim().is_empty() {
            markup.close("p");
            continue;
        }
        match markup.is_in("p") {
            true => markup.text("\n"),
            false => markup.open("p"),
        }
        markup.text(line);
    }
    markup.close("p");
}
