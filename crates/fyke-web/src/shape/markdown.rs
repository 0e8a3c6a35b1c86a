//! A text with its shape as Markdown (CommonMark with the tables of GitHub).

use super::{HeldPiece, Piece, PieceKind, pieces};
use crate::refine::TextLink;

/// The text as Markdown, with its links.
#[must_use]
pub fn markdown(text: &str, shape: &[Piece], links: &[TextLink]) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let pieces = pieces(text, shape);
    let mut at = 0;
    let mut was_item = false;
    while let Some(held) = pieces.get(at) {
        let kind = held.kind;
        let is_item = matches!(kind, PieceKind::Item { .. });
        if !out.is_empty() {
            out.push_str(if is_item && was_item { "\n" } else { "\n\n" });
        }
        was_item = is_item;
        if matches!(kind, PieceKind::Cell { .. }) {
            let rest = &pieces[at..];
            let is_cell = |piece: &HeldPiece<'_>| matches!(piece.kind, PieceKind::Cell { .. });
            let cells = rest.iter().position(|piece| !is_cell(piece)).unwrap_or(rest.len());
            table(&mut out, &rest[..cells], links);
            at += cells;
            continue;
        }
        piece(&mut out, held, links);
        at += 1;
    }
    out
}

fn piece(out: &mut String, held: &HeldPiece<'_>, links: &[TextLink]) {
    match held.kind {
        PieceKind::Heading { level, .. } => {
            (0..(*level).clamp(1, 6)).for_each(|_| out.push('#'));
            out.push(' ');
            inside(out, held, links);
        }
        PieceKind::Item { lists, number } => {
            (1..*lists).for_each(|_| out.push_str("  "));
            match number {
                0 => out.push_str("- "),
                number => out.push_str(&format!("{number}. ")),
            }
            inside(out, held, links);
        }
        PieceKind::More { lists } => {
            (0..*lists).for_each(|_| out.push_str("  "));
            inside(out, held, links);
        }
        PieceKind::Term { .. } => {
            out.push_str("**");
            inside(out, held, links);
            out.push_str("**");
        }
        PieceKind::Code { language } => code(out, held.text, language),
        PieceKind::Quote => {
            out.push_str("> ");
            inside(out, held, links);
        }
        PieceKind::Paragraph
        | PieceKind::Definition
        | PieceKind::Caption
        | PieceKind::Cell { .. } => {
            inside(out, held, links);
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
fn table(out: &mut String, cells: &[HeldPiece<'_>], links: &[TextLink]) {
    let mut rows: Vec<Vec<&HeldPiece<'_>>> = Vec::new();
    for held in cells {
        match (rows.last_mut(), held.kind) {
            (Some(row), PieceKind::Cell { opens_row: false }) => row.push(held),
            _ => rows.push(vec![held]),
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for (number, row) in rows.iter().enumerate() {
        out.push_str(if number == 0 { "|" } else { "\n|" });
        for column in 0..columns {
            out.push(' ');
            let mut cell = String::new();
            row.get(column).iter().for_each(|held| inside(&mut cell, held, links));
            out.push_str(&cell.replace('|', "\\|"));
            out.push_str(" |");
        }
        if number == 0 {
            out.push_str("\n|");
            (0..columns).for_each(|_| out.push_str(" --- |"));
        }
    }
}

/// Adds the text of a piece, with its links.
fn inside(out: &mut String, held: &HeldPiece<'_>, links: &[TextLink]) {
    for (text, url) in held.runs(links) {
        match url {
            None => escape(out, text, false),
            Some(url) => {
                // Before a link it would make an image of it, which is fetched without being asked for.
                if out.ends_with('!') {
                    out.pop();
                    out.push_str("\\!");
                }
                out.push('[');
                escape(out, text, true);
                out.push_str(&format!("]({url})"));
            }
        }
    }
}

/// Adds text that stays text: what would be read as markup gets a backslash. No bracket ends the name of a link.
fn escape(out: &mut String, text: &str, is_name: bool) {
    let from = out.len();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let is_inside = before.is_alphanumeric() && next.is_alphanumeric();
        let is_first = out.len() == from;
        let is_markup = match c {
            '\\' | '`' | '*' => true,
            '_' if is_first && text.chars().all(|c| matches!(c, '_' | ' ')) => true,
            '_' => !(is_inside || before == '_' || next == '_' || before == ' ' && next == ' '),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '[' => is_name || next != ' ',
            ']' => is_name || matches!(next, '(' | ':' | '['),
            '!' => next == '[',
            '#' | '>' => is_first,
            '-' => is_first && matches!(next, ' ' | '-'),
            '+' => is_first && next == ' ',
            '~' | '=' => is_first && next == c,
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
        let page = crate::Url::parse("https://a.test/b/").unwrap();
        let links = crate::refine::text_links(&blocks, &all).resolved(&page);
        assert_eq!(markdown(&text, &shape, &links), expected, "{html}");
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
    fn links_are_kept_wherever_they_stand() {
        check(
            "<h2><a href=/o>Options</a></h2><ul><li><a href=c>one</a>, <a href='#d'>two</a><li>three</ul>",
            "## [Options](https://a.test/o)\n\n- [one](https://a.test/b/c), [two](https://a.test/b/#d)\n- three",
        );
        check(
            "<table><tr><th><a href=/x|y>a|b</a><th>c</table><p>see <a href='mailto:a@b.test'>us</a>.",
            "| [a\\|b](https://a.test/x%7Cy) | c |\n| --- | --- |\n\nsee [us](mailto:a@b.test).",
        );
        check("<pre><a href=/x>code</a> here</pre>", "```\ncode here\n```");
    }

    #[test]
    fn no_text_becomes_a_link_and_no_link_ends_early() {
        check(
            "<p><a href=/x>a ](http://b.test) [c] [ d</a> e",
            "[a \\](http://b.test) \\[c\\] \\[ d](https://a.test/x) e",
        );
        check(
            "<p>[ a](javascript:x) [ b]: http://c.test",
            "[ a\\](javascript:x) [ b\\]: http://c.test",
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

    #[test]
    fn no_link_becomes_an_image() {
        check("<p>Wow!<a href=/p.gif>more</a>", "Wow\\![more](https://a.test/p.gif)");
        check("<p>Wow! <a href=/p.gif>more!</a>", "Wow! [more!](https://a.test/p.gif)");
        check("<p>![ a](http://b.test) !", "\\![ a\\](http://b.test) !");
    }

    #[test]
    fn no_paragraph_opens_a_fence_a_rule_or_a_heading() {
        let check = |text: &str, expected: &str| assert_eq!(markdown(text, &[], &[]), expected);
        check("~~~ sh", "\\~~~ sh");
        check("---", "\\---");
        check("===", "\\===");
        check("```", "\\`\\`\\`");
        check("_ __", "\\_ __");
        check("-1 = a --- b ~~~ c === d", "-1 = a --- b ~~~ c === d");
    }
}
