//! Text whose lines and spaces count (`pre`): how its lines are kept, and the language it says it is in.

use crate::html::{Tag, text_of};

/// Longest name of a language, in bytes.
const MOST_LANGUAGE: usize = 20;

/// What stands before the name of a language in a class, as in "language-rust".
const PREFIXES: &[&str] =
    &["language-", "lang-", "highlight-source-", "highlight-", "brush:", "sourceCode"];
/// Names that name none.
const NONE: &[&str] =
    &["none", "default", "text", "plaintext", "plain", "notranslate", "code", "wrapper", "block"];

/// Adds text as it stands, references decoded.
pub(super) fn add_lines(out: &mut String, text: &str) {
    let decoded = text_of(text);
    let is_plain = |b: &u8| *b >= b' ' && *b != 0x7F || matches!(b, b'\n' | b'\t');
    if decoded.bytes().all(|b| is_plain(&b)) {
        out.push_str(&decoded);
        return;
    }
    let is_kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    out.extend(decoded.chars().filter(is_kept));
}

/// Ends the line, if there is something on it since `start`.
pub(super) fn end_line(out: &mut String, start: usize) {
    if out.len() > start && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Leaves out empty lines at the beginning and white space at the end of the block from `start` on.
pub(super) fn trim(text: &mut String, start: &mut usize) {
    text.truncate(text.trim_ascii_end().len().max(*start));
    let block = text.get(*start..).unwrap_or_default();
    let blank = block.len() - block.trim_ascii_start().len();
    let lines = block[..blank].rfind('\n').map_or(0, |at| at + 1);
    text.drain(*start..*start + lines);
}

/// Whether a word of a class begins as the prefixes do: most do not.
fn may_name(word: &str) -> bool {
    let is_begun =
        |first: &u8| PREFIXES.iter().any(|prefix| prefix.as_bytes().first() == Some(first));
    word.as_bytes().first().is_some_and(is_begun)
}

/// The language that the class of a tag names; empty when it names none.
pub(super) fn language<'a>(tag: &Tag<'a>) -> &'a str {
    let mut named = tag.attributes().map(|(key, value)| language_in(key, value));
    named.find(|name| !name.is_empty()).unwrap_or_default()
}

/// The language that one attribute names; empty when it names none.
pub(super) fn language_in<'a>(key: &str, value: &'a str) -> &'a str {
    match key.len() {
        5 if key.eq_ignore_ascii_case("class") => in_class(value),
        9 if key.eq_ignore_ascii_case("data-lang") => {
            Some(value.trim()).filter(is_name).unwrap_or_default()
        }
        _ => "",
    }
}

fn is_name(name: &&str) -> bool {
    let is_letter =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'#' | b'-' | b'.' | b'_');
    (1..=MOST_LANGUAGE).contains(&name.len())
        && name.bytes().all(is_letter)
        && !NONE.iter().any(|none| none.eq_ignore_ascii_case(name))
}

/// The language that a class names; empty when it names none.
pub(super) fn in_class(value: &str) -> &str {
    let mut words = value.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if !may_name(word) {
            continue;
        }
        let Some(rest) = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix)) else {
            continue;
        };
        let name = if rest.is_empty() { words.next().unwrap_or_default() } else { rest };
        let name = name.trim_end_matches(';');
        if is_name(&name) {
            return name;
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::super::blocks;

    #[track_caller]
    fn check(html: &str, expected: &[(&str, &str)]) {
        let blocks = blocks(html);
        let found = blocks.list.iter().enumerate();
        let found: Vec<_> =
            found.map(|(at, block)| (blocks.text_of(block), blocks.language_of(at))).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn lines_and_spaces_are_kept() {
        check(
            "<p>a</p><pre>\nfn f() {\n    1 &lt; 2\n}\n\n</pre>  b",
            &[("a", ""), ("fn f() {\n    1 < 2\n}", ""), ("b", "")],
        );
        check("<pre>a<br>b<br>\n</pre>", &[("a\nb", "")]);
        check("<pre><div>a</div><div>  b</div></pre>c", &[("a\n  b", ""), ("c", "")]);
        check("<pre> \n\n  x\r\n\ty</pre>", &[("  x\n\ty", "")]);
        check("<div><pre>x\ny</div>z", &[("x\ny", ""), ("z", "")]);
        check("<pre>  </pre><pre></pre>", &[]);
    }

    #[test]
    fn numbers_of_lines_are_no_code() {
        check(
            "<pre><span class=linenos>1</span>a\n<span class=\"linenos\">2</span>b</pre>",
            &[("a\nb", "")],
        );
        check(
            "<table><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></table>",
            &[("a\nb", "")],
        );
    }

    #[test]
    fn a_class_names_the_language() {
        check("<pre><code class='language-rust'>x</code></pre>", &[("x", "rust")]);
        check(
            "<div class='highlight-python3 notranslate'><div class=highlight><pre>x</pre></div></div><p>y",
            &[("x", "python3"), ("y", "")],
        );
        check("<pre class='sourceCode bash'>x</pre>", &[("x", "bash")]);
        check("<pre class='brush: js; gutter: false'>x</pre>", &[("x", "js")]);
        check("<div class='highlight-default'><pre>x</pre></div>", &[("x", "")]);
    }
}
