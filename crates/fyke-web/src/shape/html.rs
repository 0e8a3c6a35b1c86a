//! A text with its shape as HTML of a few elements, everything escaped: how the site shows a document.

use super::{HeldPiece, Piece, PieceKind, pieces};
use crate::escape::escape;
use crate::refine::TextLink;

/// The text as HTML. A heading becomes one of a lower level, below those of the page around it, by `below` levels.
#[must_use]
pub fn html((text, shape): (&str, &[Piece]), links: &[TextLink], below: u8) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut open: &'static str = "";
    for held in pieces(text, shape) {
        let kind = held.kind;
        let around = around(kind);
        if around != open || matches!(kind, PieceKind::Cell { opens_row: true }) {
            close(&mut out, if around == open { "row" } else { open });
            begin(&mut out, if around == open { "row" } else { around });
            open = around;
        }
        piece(&mut out, &inside(&held, links), kind, below);
    }
    close(&mut out, open);
    out
}

/// The element that pieces of a kind stand in together.
fn around(kind: &PieceKind) -> &'static str {
    match kind {
        PieceKind::Item { .. } | PieceKind::More { .. } => "ul",
        PieceKind::Term { .. } | PieceKind::Definition => "dl",
        PieceKind::Cell { .. } => "table",
        _ => "",
    }
}

fn begin(out: &mut String, element: &str) {
    match element {
        "" => {}
        "table" => out.push_str("<div class=\"wide\"><table><tr>"),
        "row" => out.push_str("<tr>"),
        element => out.push_str(&format!("<{element}>")),
    }
}

fn close(out: &mut String, element: &str) {
    match element {
        "" => {}
        "table" => out.push_str("</tr></table></div>\n"),
        "row" => out.push_str("</tr>\n"),
        element => out.push_str(&format!("</{element}>\n")),
    }
}

/// What stands in the element of a piece: its text, with its links.
fn inside(piece: &HeldPiece<'_>, links: &[TextLink]) -> String {
    let run = |(text, url): (&str, Option<&str>)| match url {
        Some(url) => {
            let (url, text) = (escape(url), escape(text));
            format!("<a href=\"{url}\" rel=\"nofollow noreferrer\">{text}</a>")
        }
        None => escape(text),
    };
    piece.runs(links).into_iter().map(run).collect()
}

fn piece(out: &mut String, text: &str, kind: &PieceKind, below: u8) {
    out.push_str(&match kind {
        PieceKind::Heading { level, .. } => {
            let level = level.saturating_add(below).clamp(1, 6);
            format!("<h{level}>{text}</h{level}>\n")
        }
        PieceKind::Item { lists, number } => {
            let depth = (*lists).clamp(1, 6);
            match number {
                0 => format!("<li class=\"depth{depth}\">{text}</li>\n"),
                number => format!("<li class=\"depth{depth} numbered\">{number}. {text}</li>\n"),
            }
        }
        PieceKind::More { lists } => {
            format!("<li class=\"depth{} more\">{text}</li>\n", (*lists).clamp(1, 6))
        }
        PieceKind::Term { .. } => format!("<dt>{text}</dt>\n"),
        PieceKind::Definition => format!("<dd>{text}</dd>\n"),
        PieceKind::Cell { .. } => format!("<td>{text}</td>"),
        PieceKind::Code { .. } => format!("<pre><code>{text}</code></pre>\n"),
        PieceKind::Quote => format!("<blockquote>{text}</blockquote>\n"),
        PieceKind::Paragraph | PieceKind::Caption => format!("<p>{text}</p>\n"),
    });
}

#[cfg(test)]
mod tests {
    use super::super::shaped;
    use super::*;
    use crate::refine::blocks;

    #[test]
    fn a_text_is_shown_with_its_shape_and_nothing_of_its_markup() {
        let page = "<h1>A&lt;script></h1><p>b</p><ul><li>c<li>d</ul><table><tr><td>1<td>2<tr><td>3</table><pre>e\n f</pre>";
        let blocks = blocks(page);
        let all: Vec<usize> = (0..blocks.list.len()).collect();
        let (text, shape) = shaped(&blocks, &all);
        assert_eq!(
            html((&text, &shape), &[], 2),
            "<h3>A&lt;script&gt;</h3>\n<p>b</p>\n<ul><li class=\"depth1\">c</li>\n<li class=\"depth1\">d</li>\n</ul>\n\
             <div class=\"wide\"><table><tr><td>1</td><td>2</td></tr>\n<tr><td>3</td></tr></table></div>\n\
             <pre><code>e\n f</code></pre>\n"
        );
    }
}
