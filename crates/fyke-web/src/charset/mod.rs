//! Character encodings: BOM, HTTP header, meta, XML declaration, then detection (003 §3.5).
//! Departs from the declared name in two cases: what is declared Latin-1 but is valid UTF-8 with
//! characters outside ASCII is UTF-8, since by chance that hardly ever happens; and what is declared
//! UTF-8 but has none of its sequences, only octets that it forbids, is detected.

mod codepage;
mod named;
mod utf16;
mod utf32;
mod vietnamese;

use crate::html::{HtmlToken, Scanner, Tag, name};
use encoding_rs::{
    Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC, X_USER_DEFINED,
};
use named::NamedCharset;
use std::borrow::Cow;

/// How much of a page is searched for a declaration.
const PRESCAN: usize = 4_096;
/// How much of a page the detector sees.
const DETECT: usize = 65_536;
/// So many octets that UTF-8 forbids make a declaration of it doubtful.
const MANY_WRONG: usize = 3;
/// How much of a page is read to see which language it would be in.
const READ: usize = 8_192;

/// A text, and how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// WHATWG name of the encoding used, or that of the code page.
    pub charset: &'static str,
    /// Nothing named the encoding, and it is not evidently UTF-8.
    pub guessed: bool,
    /// Bytes that the encoding does not have were replaced.
    pub replaced: bool,
}

/// `bytes` as text.
#[must_use]
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    read(bytes.into(), content_type).text.into_owned()
}

/// As [`decode`], saying also which encoding it was, and whether that was a guess. UTF-8 costs no copy, borrowed or owned.
#[must_use]
pub fn read<'a>(bytes: Cow<'a, [u8]>, content_type: Option<&str>) -> Decoded<'a> {
    if let Some((order, width)) = utf32::detect(&bytes) {
        let (text, replaced) = utf32::decode(&bytes[width..], order);
        return Decoded { text: text.into(), charset: order.name(), guessed: width == 0, replaced };
    }
    let bom = Encoding::for_bom(&bytes);
    if let Some((encoding, width)) = bom {
        return with(without(bytes, width), encoding, false);
    }
    let named = content_type
        .and_then(charset_parameter)
        .and_then(NamedCharset::for_label)
        .or_else(|| named_inside(&bytes[..bytes.len().min(PRESCAN)]));
    let declared = match named {
        Some(NamedCharset::Web(encoding)) => Some(encoding),
        Some(other) => return other.read(bytes),
        None => None,
    };
    match declared {
        // Of the two orders of octets "UTF-16" means one; what has its zeros elsewhere is the other.
        Some(encoding) if encoding == UTF_16LE => {
            let encoding = utf16::detect(&bytes).unwrap_or(encoding);
            with(bytes, encoding, false)
        }
        Some(encoding) if encoding != WINDOWS_1252 && encoding != UTF_8 => {
            with(bytes, encoding, false)
        }
        None if utf16::detect(&bytes).is_some() => {
            let encoding = detect(&bytes);
            with(bytes, encoding, true)
        }
        _ => match from_utf8(bytes) {
            // Valid UTF-8; a page in ASCII keeps the name it declares.
            Ok(text) => {
                let ascii = declared.is_some() && text.is_ascii();
                let encoding = declared.filter(|_| ascii).unwrap_or(UTF_8);
                Decoded { text, charset: encoding.name(), guessed: false, replaced: false }
            }
            Err(bytes) => {
                match declared.filter(|encoding| *encoding != UTF_8 || !is_mislabelled(&bytes)) {
                    Some(encoding) => with(bytes, encoding, false),
                    None => guess(bytes),
                }
            }
        },
    }
}

/// The bytes behind a mark of this width.
fn without(bytes: Cow<'_, [u8]>, width: usize) -> Cow<'_, [u8]> {
    match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[width..]),
        Cow::Owned(mut bytes) => {
            bytes.drain(..width);
            Cow::Owned(bytes)
        }
    }
}

/// The bytes as the text that they are, or as they were where they are no UTF-8.
fn from_utf8(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, Cow<'_, [u8]>> {
    match bytes {
        Cow::Borrowed(bytes) => {
            std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| Cow::Borrowed(bytes))
        }
        Cow::Owned(bytes) => {
            String::from_utf8(bytes).map(Cow::Owned).map_err(|error| error.into_bytes().into())
        }
    }
}

/// Whether a label names an encoding that can be read.
#[must_use]
pub fn is_known(label: &str) -> bool {
    NamedCharset::for_label(label).is_some()
}

/// Whether `bytes` seem to be text in UTF-16 or UTF-32, with a mark or without one.
#[must_use]
pub fn is_wide(bytes: &[u8]) -> bool {
    utf32::detect(bytes).is_some() || utf16::detect(bytes).is_some()
}

/// `bytes` in the encoding that a label names, UTF-8 if it names none.
#[must_use]
pub fn decode_as(bytes: &[u8], label: &str) -> String {
    let width = Encoding::for_bom(bytes).map_or(0, |(_, width)| width);
    let named = NamedCharset::for_label(label).unwrap_or(NamedCharset::Web(UTF_8));
    match named {
        NamedCharset::Web(encoding)
            if Encoding::for_bom(bytes).is_some_and(|b| b.0 == encoding) =>
        {
            named.read(bytes[width..].into()).text.into_owned()
        }
        _ => named.read(bytes.into()).text.into_owned(),
    }
}

fn with<'a>(bytes: Cow<'a, [u8]>, encoding: &'static Encoding, guessed: bool) -> Decoded<'a> {
    Decoded { guessed, ..NamedCharset::Web(encoding).read(bytes) }
}

/// Text in an encoding that nothing names.
fn guess(bytes: Cow<'_, [u8]>) -> Decoded<'_> {
    let encoding = detect(&bytes);
    match codepage::for_label("ibm855").filter(|page| is_cyrillic(&bytes, encoding, page)) {
        None => with(bytes, encoding, true),
        Some(page) => {
            let text = page.decode(&bytes).into();
            Decoded { text, charset: page.name, guessed: true, replaced: false }
        }
    }
}

/// Whether what is taken for Western text is rather Cyrillic in a code page that the detector does
/// not know: then it reads as some language.
fn is_cyrillic(bytes: &[u8], detected: &Encoding, page: &codepage::CodePage) -> bool {
    if detected != WINDOWS_1252 {
        return false;
    }
    let text = page.decode(&bytes[..bytes.len().min(READ)]);
    let words = text.split(|c: char| c.is_ascii() || !c.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| word.chars().count() > 2).collect();
    let guess = fyke_text::identify(&words.join(" "));
    words.len() > 3 && guess.code != "und" && guess.confidence >= 0.9
}

/// Whether text taken for windows-1251 is rather that of a Macintosh, where small letters are the
/// same but for the last, which stands where the large one should.
fn is_mac_cyrillic(bytes: &[u8]) -> bool {
    let pairs = bytes.array_windows::<2>();
    let count = |last: u8| pairs.clone().filter(|p| p[0] >= 0xE0 && p[1] == last).count();
    count(0xDF) > 2 * count(0xFF)
}

/// Whether what is declared UTF-8 has none of its sequences, only octets that it forbids.
fn is_mislabelled(bytes: &[u8]) -> bool {
    let mut wrong = 0;
    for chunk in bytes[..bytes.len().min(DETECT)].utf8_chunks() {
        if !chunk.valid().is_ascii() {
            return false;
        }
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    wrong >= MANY_WRONG
}

/// The encoding that `bytes` seem to be in, whatever they declare; for those without a mark that
/// are not UTF-8.
#[must_use]
pub fn detect(bytes: &[u8]) -> &'static Encoding {
    if let Some(encoding) = utf16::detect(bytes) {
        return encoding;
    }
    // A text cut in the middle of a character is still UTF-8.
    if let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        return UTF_8;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    let head = &bytes[..bytes.len().min(DETECT)];
    detector.feed(head, head.len() == bytes.len());
    match detector.guess(None, chardetng::Utf8Detection::Allow) {
        found if found == WINDOWS_1251 && is_mac_cyrillic(head) => X_MAC_CYRILLIC,
        found => found,
    }
}

/// The value of `charset=` in a Content-Type.
pub fn charset_parameter(content_type: &str) -> Option<&str> {
    let mut rest = content_type;
    loop {
        let at = find_ignoring_case(rest, "charset")?;
        rest = rest[at + "charset".len()..].trim_start();
        let Some(value) = rest.strip_prefix('=') else { continue };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        return match quote {
            Some(quote) => value[1..].split(quote).next(),
            None => value.split(|c: char| c == ';' || c == ',' || c.is_ascii_whitespace()).next(),
        };
    }
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|w| w.eq_ignore_ascii_case(word.as_bytes()))
}

/// The encoding of the web that the head of a page declares by XML declaration or meta.
pub(crate) fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    named_inside(head).and_then(NamedCharset::web)
}

/// The encoding that the head of a page declares.
fn named_inside(head: &[u8]) -> Option<NamedCharset> {
    if head.starts_with(b"<\0?\0") {
        return Some(NamedCharset::Web(UTF_16LE));
    }
    if head.starts_with(b"\0<\0?") {
        return Some(NamedCharset::Web(UTF_16BE));
    }
    // Markup is ASCII in every encoding that can be declared inside it; the rest may go wrong.
    let head = String::from_utf8_lossy(head);
    let declared = xml_declaration(&head).or_else(|| meta(&head))?;
    // What could be read as ASCII cannot be wider.
    Some(match declared {
        NamedCharset::Wide(_) => NamedCharset::Web(UTF_8),
        NamedCharset::Page(page) if !page.has_ascii() => return None,
        NamedCharset::Web(web) if web == UTF_16LE || web == UTF_16BE => NamedCharset::Web(UTF_8),
        NamedCharset::Web(web) if web == X_USER_DEFINED => NamedCharset::Web(WINDOWS_1252),
        _ => declared,
    })
}

fn xml_declaration(head: &str) -> Option<NamedCharset> {
    let declaration = head.trim_start().strip_prefix("<?xml")?;
    let declaration = &declaration[..declaration.find("?>")?];
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    NamedCharset::for_label(value[1..].split(quote).next()?)
}

fn meta(head: &str) -> Option<NamedCharset> {
    Scanner::new(head).find_map(|token| match token {
        HtmlToken::Start(tag) if tag.name == name("meta") => meta_charset(&tag),
        _ => None,
    })
}

fn meta_charset(tag: &Tag<'_>) -> Option<NamedCharset> {
    let label = match tag.attribute("charset") {
        Some(label) => Some(label),
        None => tag
            .attribute("http-equiv")
            .filter(|value| value.trim().eq_ignore_ascii_case("content-type"))
            .and_then(|_| tag.attribute("content"))
            .and_then(|content| charset_parameter(&content).map(|c| Cow::Owned(c.to_owned()))),
    };
    NamedCharset::for_label(&label?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(bytes: &[u8], content_type: Option<&str>, text: &str, charset: &str, guessed: bool) {
        let read = read(bytes.into(), content_type);
        assert_eq!((&*read.text, read.charset, read.guessed), (text, charset, guessed));
    }

    #[test]
    fn the_encoding_is_found_by_bom_then_header_then_markup() {
        check(b"\xEF\xBB\xBF\xC5\xBE", Some("text/plain; charset=latin1"), "ž", "UTF-8", false);
        check(b"\xFF\xFE\x7E\x01", None, "ž", "UTF-16LE", false);
        check(b"\x9E", Some("text/plain; charset=windows-1250"), "ž", "windows-1250", false);
        check(b"\xBE", Some("text/html;charset=\"ISO-8859-2\""), "ž", "ISO-8859-2", false);
        check(
            b"<meta charset=windows-1250>\x9E",
            None,
            "<meta charset=windows-1250>ž",
            "windows-1250",
            false,
        );
        let equiv = "<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=Shift_JIS'>";
        let page = [equiv.as_bytes(), b"\x82\xA0"].concat();
        check(&page, None, &format!("{equiv}あ"), "Shift_JIS", false);
        let xml = "<?xml version=\"1.0\" encoding='iso-8859-2'?>";
        check(&[xml.as_bytes(), b"\xBE"].concat(), None, &format!("{xml}ž"), "ISO-8859-2", false);
    }

    #[test]
    fn a_declaration_inside_a_comment_or_script_does_not_count() {
        let page = "<!-- <meta charset=koi8-r> --><script>'<meta charset=koi8-r>'</script>ž";
        check(page.as_bytes(), None, page, "UTF-8", false);
    }

    #[test]
    fn what_calls_itself_latin_but_is_utf_8_is_utf_8() {
        check("ž".as_bytes(), Some("text/html; charset=ISO-8859-1"), "ž", "UTF-8", false);
        check(b"\xE9", Some("text/html; charset=ISO-8859-1"), "é", "windows-1252", false);
    }

    #[test]
    fn without_any_name_it_is_guessed() {
        let (bytes, ..) = WINDOWS_1251.encode("Это русский текст о рыбах и реках");
        check(&bytes, None, "Это русский текст о рыбах и реках", "windows-1251", true);
        check(b"plain", None, "plain", "UTF-8", false);
    }

    #[test]
    fn utf_32_and_ebcdic_are_read_though_the_web_has_them_not() {
        check(b"\0\0\xFE\xFF\0\0\x01\x7E", None, "ž", "UTF-32BE", false);
        check(b"\xFF\xFE\0\0\x7E\x01\0\0", Some("text/plain"), "ž", "UTF-32LE", false);
        check(b"\xC8\x85", Some("text/plain; charset=IBM037"), "He", "IBM037", false);
    }

    #[test]
    fn code_pages_of_dos_and_wide_encodings_are_read_by_name() {
        check(
            b"\x9F\xE7\xA7",
            Some("text/plain; charset=cp852"),
            "\u{10d}\u{161}\u{17e}",
            "IBM852",
            false,
        );
        check(b"<meta charset=IBM437>\x81", None, "<meta charset=IBM437>\u{fc}", "IBM437", false);
        let wide = Some("text/plain; charset=utf-32le");
        check(b"\x7E\x01\0\0", wide, "\u{17e}", "UTF-32LE", false);
        let header = Some("text/plain; charset=windows-1258");
        check(
            b"Ti\xEA\xECng Vi\xEA\xF2t",
            header,
            "Ti\u{1ebf}ng Vi\u{1ec7}t",
            "windows-1258",
            false,
        );
        let header = Some("text/plain; charset=utf-16");
        check(b"\0p\0l\0a\0i\0n", header, "plain", "UTF-16BE", false);
        check(b"p\0l\0a\0i\0n\0", header, "plain", "UTF-16LE", false);
        let unknown = read(b"\xE7".as_slice().into(), Some("text/plain; charset=cp857"));
        assert!(unknown.replaced);
    }

    #[test]
    fn cyrillic_in_old_code_pages_is_known_by_its_language() {
        let text = "вечером старая сеть лежит в реке, а утром её снова поднимают рыбаки, вся \
                    семья идёт с ними";
        let page = codepage::for_label("ibm855").unwrap();
        let octet = |c: char| (0..=255).find(|&octet| page.decode(&[octet]) == c.to_string());
        let bytes: Vec<u8> = text.chars().filter_map(octet).collect();
        check(&bytes, None, text, "IBM855", true);
        let (bytes, ..) = WINDOWS_1251.encode(text);
        check(&bytes, None, text, "windows-1251", true);
    }

    #[test]
    fn utf_16_without_a_mark_is_known_by_its_zeros() {
        check(b"p\0l\0a\0i\0n\0", None, "plain", "UTF-16LE", true);
        check(b"\0p\0l\0a\0i\0n", None, "plain", "UTF-16BE", true);
    }

    #[test]
    fn what_calls_itself_utf_8_but_has_none_of_it_is_guessed() {
        let (bytes, ..) =
            WINDOWS_1252.encode("caf\u{e9}, h\u{e9}, \u{e9}t\u{e9} d\u{e9}j\u{e0} vu");
        let header = Some("text/plain; charset=utf-8");
        check(
            &bytes,
            header,
            "caf\u{e9}, h\u{e9}, \u{e9}t\u{e9} d\u{e9}j\u{e0} vu",
            "windows-1252",
            true,
        );
        check(
            b"\xC5\xBE \xFF \xFF \xFF",
            header,
            "\u{17e} \u{FFFD} \u{FFFD} \u{FFFD}",
            "UTF-8",
            false,
        );
    }

    #[test]
    fn user_defined_in_markup_means_latin_and_replacement_gives_nothing() {
        let page = b"<meta charset=x-user-defined>\xE9";
        check(page, None, "<meta charset=x-user-defined>\u{e9}", "windows-1252", false);
        let header = Some("text/html; charset=iso-2022-kr");
        check(b"<script>", header, "\u{FFFD}", "replacement", false);
    }

    #[test]
    fn bytes_outside_the_encoding_are_replaced_and_reported() {
        let read = read(b"a\xFFb".as_slice().into(), Some("text/html; charset=utf-8"));
        assert_eq!((&*read.text, read.replaced), ("a\u{FFFD}b", true));
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded(bytes: Vec<u8>, header in proptest::option::of(".{0,40}")) {
            let Decoded { text, charset, .. } = read(bytes.as_slice().into(), header.as_deref());
            prop_assert!(!charset.is_empty() && text.len() <= 4 * bytes.len().max(3));
        }
    }
}
