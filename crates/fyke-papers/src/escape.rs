//! Text in XML, for TEI and GraphML: escaped, and without what XML cannot hold.

/// Text for XML; characters that it cannot hold are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped_and_what_xml_cannot_hold_is_left_out() {
        let expected = "a&lt;b&gt; &amp; &quot;c&quot; 'd'";
        assert_eq!(escaped("a<b> & \"c\"\t'd'\u{0}\u{fffe}"), expected);
    }
}
