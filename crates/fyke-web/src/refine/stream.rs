//! Pages that React sends in pieces: where a piece was not ready, the page holds `<template id="B:0">` with what is
//! shown meanwhile up to `<!--/$-->`, and later `<div hidden id="S:0">` with the content, which a script puts
//! in the template's place. Here that is done on the markup.

use crate::html::{HtmlToken, Scanner, name};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashMap;

const PIECE: &str = "<div hidden id=\"S:";
const GAP: &str = "<template id=\"B:";
const END: &str = "<!--/$-->";
/// Pieces inside pieces that are followed.
const MOST_DEPTH: usize = 32;

/// The page with its late pieces in their places.
pub(super) fn assembled(content: &str) -> Cow<'_, str> {
    if memmem::find(content.as_bytes(), PIECE.as_bytes()).is_none() {
        return Cow::Borrowed(content);
    }
    let (rest, mut pieces) = taken(content);
    let mut page = String::with_capacity(content.len());
    fill(&rest, &mut pieces, &mut page, 0);
    // Pieces whose place was not found stand at the end.
    let mut left: Vec<_> = pieces.drain().collect();
    left.sort_unstable_by_key(|(_, piece)| piece.as_ptr());
    for (_, piece) in left {
        page.push_str(piece);
    }
    Cow::Owned(page)
}

/// The page without its late pieces, and these by their numbers.
fn taken(content: &str) -> (String, HashMap<&str, &str>) {
    let mut rest = String::with_capacity(content.len());
    let mut pieces = HashMap::new();
    let mut from = 0;
    while let Some(found) = memmem::find(&content.as_bytes()[from..], PIECE.as_bytes()) {
        let (start, tail) = (from + found, &content[from + found..]);
        let number = tail[PIECE.len()..].split('"').next().unwrap_or_default();
        let Some(inside) = tail.find('>').map(|at| at + 1) else { break };
        let length = end_of_div(&tail[inside..]);
        rest.push_str(&content[from..start]);
        pieces.entry(number).or_insert(&tail[inside..inside + length]);
        from = start + inside + length;
    }
    rest.push_str(&content[from..]);
    (rest, pieces)
}

/// Length of what stands in a `div` that is open.
fn end_of_div(markup: &str) -> usize {
    let mut depth = 1_u32;
    let mut scanner = Scanner::new(markup);
    while let Some(token) = scanner.next() {
        match token {
            HtmlToken::Start(tag) if tag.name == name("div") => depth += 1,
            HtmlToken::End(n) if n == name("div") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let before = &markup[..scanner.place()];
            return before.rfind("</").unwrap_or(before.len());
        }
    }
    markup.len()
}

/// Writes markup with the pieces in the place of their templates; each is used once.
fn fill<'a>(markup: &str, pieces: &mut HashMap<&'a str, &'a str>, page: &mut String, depth: usize) {
    let mut rest = markup;
    while let Some(found) = rest.find(GAP) {
        let number = rest[found + GAP.len()..].split('"').next().unwrap_or_default();
        let Some(piece) = pieces.remove(number).filter(|_| depth < MOST_DEPTH) else {
            page.push_str(&rest[..found + GAP.len()]);
            rest = &rest[found + GAP.len()..];
            continue;
        };
        page.push_str(&rest[..found]);
        fill(piece, pieces, page, depth + 1);
        let after = rest[found..].find(END).map_or(found + GAP.len(), |at| found + at + END.len());
        rest = &rest[after..];
    }
    page.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::super::check_texts as check;
    use super::*;

    #[test]
    fn what_is_sent_later_stands_in_its_place() {
        check(
            "<main><!--$?--><template id=\"B:0\"></template><p>Loading</p><!--/$--></main><footer>end</footer>\
             <div hidden id=\"S:0\"><div><p>Eels</p></div><!--$?--><template id=\"B:1\"></template>…<!--/$--></div>\
             <script>$RC(\"B:0\",\"S:0\")</script><div hidden id=\"S:1\"><p>Pike</p></div><p>after</p>",
            &["Eels", "Pike", "end", "after"],
        );
        check("<p>a</p><div hidden id=\"S:7\"><p>b</p></div>", &["a", "b"]);
    }

    #[test]
    fn pieces_that_hold_themselves_end() {
        assert!(
            assembled("<template id=\"B:0\"><div hidden id=\"S:0\"><template id=\"B:0\">x</div>")
                .contains('x')
        );
        assert_eq!(assembled("<div hidden id=\"S:0"), "<div hidden id=\"S:0");
        assert!(matches!(assembled("<p>"), Cow::Borrowed(_)));
    }
}
