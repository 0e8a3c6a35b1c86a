//! A quick look at style attributes: whether one of them could hide text by itself. Most pages of today take in sheets
//! or scripts, so that only such attributes count, and have none; they are not walked through.

use memchr::memmem;

/// Bytes of an attribute that are looked at; a longer one may hide text.
const MOST: usize = 300;

/// Whether an attribute may hide text, or the `hidden` attribute stands somewhere.
pub(super) fn may_hide(content: &str) -> bool {
    let bytes = content.as_bytes();
    let finder = |word: &str| memmem::find(bytes, word.as_bytes()).is_some();
    // Attributes in other letters are rare.
    if finder("STYLE=") || finder("Style=") || finder("style =") {
        return true;
    }
    if memmem::find_iter(bytes, b" hidden").any(|at| ends_name(bytes.get(at + 7))) {
        return true;
    }
    memmem::find_iter(bytes, b"style=").any(|at| hides(&bytes[at + 6..]))
}

/// Whether a name of an attribute may end before this byte: the word stands in scripts and sheets, too.
fn ends_name(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'>' | b'=' | b'/' | b' ' | b'\n' | b'\r' | b'\t'))
}

/// Whether the value that begins here may hide text.
fn hides(rest: &[u8]) -> bool {
    let quote = rest.first().copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let value = &rest[usize::from(quote.is_some())..];
    let quote = quote.unwrap_or(b'>');
    let Some(end) = memchr::memchr(quote, &value[..value.len().min(MOST)]) else { return true };
    let small = value[..end].to_ascii_lowercase();
    let has = |word: &str| memmem::find(&small, word.as_bytes()).is_some();
    [
        "none", "hidden", "collapse", "opacity", "clip", "indent", "position", "overflow",
        "z-index", "&",
    ]
    .iter()
    .any(|word| has(word))
        || has("margin") && has("-")
        || has("font") && ["0", "1px", "1pt"].iter().any(|size| has(size))
        || has("color") && has("background")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_hide_text_is_walked_through() {
        for page in [
            "<p>x",
            "<p style='color:red'>x",
            "<p style=\"width:3em;text-align:left\">x",
            "<p style='font-weight:bold'>x",
            "<img style='margin:4px 9px'>",
            "<style>p{overflow: hidden}</style><p>x",
        ] {
            assert!(!may_hide(page), "{page}");
        }
        for page in [
            "<p STYLE='color:red'>x",
            "<p hidden>x",
            "<p style='display:none'>x",
            "<p style='FONT-SIZE:0'>x",
            "<p style=position:absolute>x",
            "<p style='",
            "<p style='color:#fff;background:#fff'>x",
            "<p style='margin-left:-999em'>x",
        ] {
            assert!(may_hide(page), "{page}");
        }
    }
}
