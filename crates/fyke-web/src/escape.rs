//! Text in XML and HTML: the four signs escaped, and without what XML cannot hold. It may stand in an element, and in
//! an attribute in double quotes.

/// The text, escaped.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_escaped(text, &mut out);
    out
}

/// Appends the text, escaped.
pub fn push_escaped(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(allowed(c)),
        }
    }
}

/// What XML can hold in the place of a character: a blank for control characters but tabs and ends of lines, U+FFFD
/// for the two that are no characters.
#[must_use]
pub fn allowed(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' => c,
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn signs_are_escaped_and_what_xml_cannot_hold_is_replaced() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check("a<b> & \"c\" 'd'", "a&lt;b&gt; &amp; &quot;c&quot; 'd'");
        check("a\u{0}\tb\u{b}\n\u{fffe}\u{1f41f}", "a \tb \n\u{fffd}\u{1f41f}");
    }
}
