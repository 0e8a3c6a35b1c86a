//! A text with its shape as XML, for tools that read marked-up corpora: an element a piece.

use super::{HeldPiece, Piece, PieceKind, pieces};
use crate::escape::escape;

/// The text as elements: head, p, item, term, definition, cell, code, quote, caption; a line each but for code.
#[must_use]
pub fn xml(text: &str, shape: &[Piece]) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for HeldPiece { text, kind, .. } in pieces(text, shape) {
        let (name, attributes) = element(kind);
        out.push_str(&format!("<{name}"));
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            out.push_str(&format!(" {key}=\"{}\"", escape(value)));
        }
        out.push_str(&format!(">{}</{name}>\n", escape(text)));
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
