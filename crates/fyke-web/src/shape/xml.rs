//! A text with its shape as XML, for tools that read marked-up corpora: an element a piece.

use super::{HeldPiece, Piece, PieceKind, pieces};
use crate::escape::escape;
use fyke_text::entity::entities;

/// The text as elements: head, p, item, term, definition, cell, code, quote, caption; a line each but for code.
#[must_use]
pub fn xml(text: &str, shape: &[Piece]) -> String {
    written(text, shape, escape)
}

/// As [`xml`], and the entities of all but code are elements, too (003 figure 4.13).
#[must_use]
pub(super) fn annotated_xml(text: &str, shape: &[Piece]) -> String {
    written(text, shape, annotated)
}

/// A text without code, its entities as elements.
fn annotated(text: &str) -> String {
    let (mut out, mut at) = (String::with_capacity(2 * text.len()), 0);
    let plain = |out: &mut String, from: usize, to: usize| out.push_str(&escape(&text[from..to]));
    for entity in entities(text) {
        let element = entity.kind.element();
        plain(&mut out, at, entity.from);
        out.push_str(&format!("<{element}>"));
        at = entity.from;
        for part in entity.parts {
            plain(&mut out, at, part.from);
            let inside = escape(&text[part.from..part.to]);
            out.push_str(&format!("<{0}>{inside}</{0}>", part.element));
            at = part.to;
        }
        plain(&mut out, at, entity.to);
        out.push_str(&format!("</{element}>"));
        at = entity.to;
    }
    plain(&mut out, at, text.len());
    out
}

/// The pieces as elements, what is no code as `inside` gives it.
fn written(text: &str, shape: &[Piece], inside: fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for HeldPiece { text, kind, .. } in pieces(text, shape) {
        let (name, attributes) = element(kind);
        out.push_str(&format!("<{name}"));
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            out.push_str(&format!(" {key}=\"{}\"", escape(value)));
        }
        let is_code = matches!(kind, PieceKind::Code { .. });
        let text = if is_code { escape(text) } else { inside(text) };
        out.push_str(&format!(">{text}</{name}>\n"));
    }
    out
}

/// The element of a piece and its attributes; an empty one is left out.
fn element(kind: &PieceKind) -> (&'static str, Vec<(&'static str, String)>) {
    let some = |number: u32| if number == 0 { String::new() } else { number.to_string() };
    match kind {
        PieceKind::Paragraph => ("p", vec![]),
        PieceKind::Heading { level, anchor } => {
            ("head", vec![("level", level.to_string()), ("id", anchor.clone())])
        }
        PieceKind::Item { lists, number } => {
            ("item", vec![("depth", lists.to_string()), ("n", some(*number))])
        }
        PieceKind::More { lists } => ("p", vec![("depth", lists.to_string())]),
        PieceKind::Term { anchor } => ("term", vec![("id", anchor.clone())]),
        PieceKind::Definition => ("definition", vec![]),
        PieceKind::Cell { opens_row } => {
            ("cell", vec![("row", if *opens_row { "new".to_owned() } else { String::new() })])
        }
        PieceKind::Code { language } => ("code", vec![("lang", language.clone())]),
        PieceKind::Quote => ("quote", vec![]),
        PieceKind::Caption => ("caption", vec![]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::shaped;
    use super::*;
    use crate::refine::blocks;

    #[test]
    fn figure_4_13() {
        let blocks = blocks(
            "<p>Fred Smith, who lives at 10 Water Street, Springfield, MA, &amp; fishes.</p><pre>Fred Smith</pre>",
        );
        let all: Vec<usize> = (0..blocks.list.len()).collect();
        let (text, shape) = shaped(&blocks, &all);
        assert_eq!(
            annotated_xml(&text, &shape),
            "<p><PersonName><GivenName>Fred</GivenName> <Sn>Smith</Sn></PersonName>, who lives at \
             <address><Street>10 Water Street</Street>, <City>Springfield</City>, <State>MA</State></address>, &amp; \
             fishes.</p>\n<code>Fred Smith</code>\n"
        );
    }

    #[test]
    fn a_piece_is_an_element() {
        let blocks =
            blocks("<h2 id='a&amp;b'>A</h2><p>b & c</p><ol><li>d</ol><pre class=lang-c>e;\n</pre>");
        let all: Vec<usize> = (0..blocks.list.len()).collect();
        let (text, shape) = shaped(&blocks, &all);
        assert_eq!(
            xml(&text, &shape),
            "<head level=\"2\" id=\"a&amp;b\">A</head>\n<p>b &amp; c</p>\n<item depth=\"1\" n=\"1\">d</item>\n<code lang=\"c\">e;</code>\n"
        );
    }
}
