//! Queries of links on pages in legacy encodings: what is not ASCII in them is sent in the encoding of the page, as WHATWG's
//! "percent-encode after encoding" says. Paths are always UTF-8.

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use std::borrow::Cow;

/// A link with its query escaped in the encoding of this name; as it is where that makes no difference.
pub(super) fn in_charset<'a>(href: &'a str, charset: &str) -> Cow<'a, str> {
    if charset == UTF_8.name() || href.is_ascii() {
        return Cow::Borrowed(href);
    }
    let before = &href[..href.find('#').unwrap_or(href.len())];
    let Some(question) = before.find('?') else { return Cow::Borrowed(href) };
    let query = &before[question..];
    if query.is_ascii() {
        return Cow::Borrowed(href);
    }
    let encoding = Encoding::for_label(charset.as_bytes()).map_or(UTF_8, Encoding::output_encoding);
    if encoding == UTF_8 {
        return Cow::Borrowed(href);
    }
    Cow::Owned(href[..question].to_owned() + &escaped(query, encoding))
}

/// A query whose characters outside ASCII are escaped, and those that the encoding does not have named by number.
fn escaped(query: &str, encoding: &'static Encoding) -> String {
    let mut out = String::with_capacity(2 * query.len());
    let mut encoder = encoding.new_encoder();
    let mut rest = query;
    let mut bytes = [0; 256];
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut bytes, true);
        for byte in &bytes[..written] {
            match byte {
                // One of two bytes may look like the start of a fragment.
                b' '..=b'"' | b'$'..=b'~' => out.push(char::from(*byte)),
                byte => out.push_str(&format!("%{byte:02X}")),
            }
        }
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return out,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => out.push_str(&format!("%26%23{}%3B", u32::from(c))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_query_is_escaped_in_the_encoding_of_its_page() {
        let check = |href: &str, charset: &str, expected: &str| {
            assert_eq!(in_charset(href, charset), expected, "{href} {charset}");
        };
        check("/s?q=café", "windows-1252", "/s?q=caf%E9");
        check("/s?q=café#é", "ISO-8859-1", "/s?q=caf%E9");
        check("/é?q=ž&x=1 2", "ISO-8859-2", "/é?q=%BE&x=1 2");
        check("?q=日本", "Shift_JIS", "?q=%93%FA%96{");
        check("?q=日本", "EUC-KR", "?q=%EC%ED%DC%E2");
        check("?q=☃é", "windows-1252", "?q=%26%239731%3B%E9");
        check("/s?q=café", "UTF-8", "/s?q=café");
        check("/s?q=café", "UTF-16LE", "/s?q=café");
        check("/s?q=café", "no such thing", "/s?q=café");
        check("/café", "windows-1252", "/café");
        check("/s?q=%E9&r=a#é", "windows-1252", "/s?q=%E9&r=a#é");
        let long = "é".repeat(1000);
        check(&format!("?{long}"), "windows-1252", &format!("?{}", "%E9".repeat(1000)));
    }

    proptest! {
        #[test]
        fn any_link_can_be_escaped_in_any_encoding(href in "\\PC{0,60}", which in 0..5_usize) {
            let charset = ["windows-1251", "GBK", "ISO-2022-JP", "Big5", "KOI8-R"][which];
            let escaped = in_charset(&href, charset);
            let before = escaped.split_once('#').map_or(&*escaped, |(before, _)| before);
            let query = before.split_once('?').map_or("", |(_, query)| query);
            prop_assert!(query.is_ascii(), "{}", escaped);
        }
    }
}
