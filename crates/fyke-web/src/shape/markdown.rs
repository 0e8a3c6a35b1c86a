//! A text with its shape as Markdown (CommonMark with the tables of GitHub).

use super::{HeldPiece, Piece, PieceKind, pieces};

/// The text as Markdown.
#[must_use]
pub fn markdown(text: &str, shape: &[Piece]) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let pieces = pieces(text, shape);
    let mut at = 0;
    let mut was_item = false;
    while let Some(&HeldPiece { text, kind, .. }) = pieces.get(at) {
        let is_item = matches!(kind, PieceKind::Item { .. });
        if !out.is_empty() {
            out.push_str(if is_item && was_item { "\n" } else { "\n\n" });
        }
        was_item = is_item;
        if matches!(kind, PieceKind::Cell { .. }) {
            let rest = &pieces[at..];
            let is_cell = |piece: &HeldPiece<'_>| matches!(piece.kind, PieceKind::Cell { .. });
            let cells = rest.iter().position(|piece| !is_cell(piece)).unwrap_or(rest.len());
            table(&mut out, &rest[..cells]);
            at += cells;
            continue;
        }
        piece(&mut out, text, kind);
        at += 1;
    }
    out
}

fn piece(out: &mut String, text: &str, kind: &PieceKind) {
    match kind {
        PieceKind::Heading { level, .. } => {
            (0..(*level).clamp(1, 6)).for_each(|_| out.push('#'));
            out.push(' ');
            escape(out, text);
        }
        PieceKind::Item { lists, number } => {
            (1..*lists).for_each(|_| out.push_str("  "));
            match number {
                0 => out.push_str("- "),
                number => out.push_str(&format!("{number}. ")),
            }
            escape(out, text);
        }
        PieceKind::More { lists } => {
            (0..*lists).for_each(|_| out.push_str("  "));
            escape(out, text);
        }
        PieceKind::Term { .. } => {
            out.push_str("**");
            escape(out, text);
            out.push_str("**");
        }
        PieceKind::Code { language } => code(out, text, language),
        PieceKind::Quote => {
            out.push_str("> ");
            escape(out, text);
        }
        PieceKind::Paragraph
        | PieceKind::Definition
        | PieceKind::Caption
        | PieceKind::Cell { .. } => {
            escape(out, text);
        }
    }
}

/// Code between fences that are longer than any inside it.
fn code(out: &mut String, text: &str, language: &str) {
    let runs = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(runs + 1));
    out.push_str(&format!("{fence}{language}\n{text}\n{fence}"));
}

/// Rows of cells; the first row is the head.
fn table(out: &mut String, cells: &[HeldPiece<'_>]) {
    let mut rows: Vec<Vec<&str>> = Vec::new();
    for HeldPiece { text, kind, .. } in cells {
        match (rows.last_mut(), kind) {
            (Some(row), PieceKind::Cell { opens_row: false }) => row.push(text),
            _ => rows.push(vec![text]),
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for (number, row) in rows.iter().enumerate() {
        out.push_str(if number == 0 { "|" } else { "\n|" });
        for column in 0..columns {
            out.push(' ');
            let mut cell = String::new();
            escape(&mut cell, row.get(column).copied().unwrap_or_default());
            out.push_str(&cell.replace('|', "\\|"));
            out.push_str(" |");
        }
        if number == 0 {
            out.push_str("\n|");
            (0..columns).for_each(|_| out.push_str(" --- |"));
        }
    }
}

/// Adds text that stays text: what would be read as markup gets a backslash.
fn escape(out: &mut String, text: &str) {
    let from = out.len();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let is_inside = before.is_alphanumeric() && next.is_alphanumeric();
        let is_markup = match c {
            '\\' | '`' | '*' => true,
            '_' => !(is_inside || before == '_' || next == '_' || before == ' ' && next == ' '),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '[' => next != ' ',
            '#' | '>' => before == ' ' && out.len() == from,
            '-' | '+' => out.len() == from && next == ' ',
            '.' | ')' => chars.peek() == Some(&' ') && is_number(&out[from..]),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
        before = c;
    }
}

/// Whether a line so far would be the number of an item.
fn is_number(line: &str) -> bool {
    (1..=9).contains(&line.len()) && line.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::shaped;
    use super::*;
    use crate::refine::blocks;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let blocks = blocks(html);
        let all: Vec<usize> = (0..blocks.list.len()).collect();
        let (text, shape) = shaped(&blocks, &all);
        assert_eq!(markdown(&text, &shape), expected, "{html}");
    }

    #[test]
    fn every_kind_of_piece_has_its_form() {
        check("<h2 id=o>Options</h2><p>one</p><p>two", "## Options\n\none\n\ntwo");
        check(
            "<ul><li>a<li>b<ul><li>c</ul><li><p>d</p><p>e</p></ul><p>f",
            "- a\n- b\n  - c\n- d\n\n  e\n\nf",
        );
        check("<ol><li>a<li>b</ol><ol start=7><li>c</ol>", "1. a\n2. b\n7. c");
        check("<table><tr><th>a<th>b<tr><td>1|2</table>", "| a | b |\n| --- | --- |\n| 1\\|2 |  |");
        check(
            "<pre><code class=language-c>int *p;\n  ```\n</code></pre>",
            "````c\nint *p;\n  ```\n````",
        );
        check(
            "<dl><dt>term<dd>what it is</dl><blockquote>said</blockquote>",
            "**term**\n\nwhat it is\n\n> said",
        );
    }

    #[test]
    fn what_looks_like_markup_stays_text() {
        check(
            "<p>a * b and snake_case, _x_ &lt;b> 1 &lt; 2",
            "a \\* b and snake_case, \\_x\\_ \\<b> 1 < 2",
        );
        check(
            "<p># no heading<p>- no item<p>1. no number<p>2024.",
            "\\# no heading\n\n\\- no item\n\n1\\. no number\n\n2024.",
        );
    }
}
