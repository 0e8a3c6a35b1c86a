//! What a body is made of: by its first bytes, then by its Content-Type.

use super::Format;

/// How much of a body is looked at.
const HEAD: usize = 1_024;

/// First bytes of formats that are no text.
const MAGIC: &[&[u8]] = &[
    b"%PDF-",
    b"\x89PNG",
    b"\xFF\xD8\xFF",
    b"GIF8",
    b"PK\x03\x04",
    b"\x1F\x8B",
    b"RIFF",
    b"\x7FELF",
    b"\xD0\xCF\x11\xE0",
    b"OggS",
    b"ID3",
    b"BZh",
    b"\xFD7zXZ",
    b"7z\xBC\xAF",
    b"Rar!",
    b"\0asm",
    b"wOFF",
    b"wOF2",
    b"%!PS",
    b"{\\rtf",
];

/// Openings that are surely a page, whatever the header says.
const PAGE: &[&str] = &["<!doctype html", "<html", "<head", "<body"];

/// Openings of a page whose author left the beginning out.
const FRAGMENT: &[&str] = &[
    "<!--", "<script", "<style", "<title", "<meta", "<link", "<iframe", "<h1", "<h2", "<div",
    "<font", "<table", "<a ", "<b>", "<br", "<p>", "<p ", "<center", "<ul", "<base",
];

/// The format of a body.
pub(super) fn of(body: &[u8], content_type: Option<&str>) -> Format {
    let media = content_type.map(|t| t.split(';').next().unwrap_or(t).trim().to_ascii_lowercase());
    let media = media.as_deref().unwrap_or("");
    let head = &body[..body.len().min(HEAD)];
    if MAGIC.iter().any(|magic| head.starts_with(magic)) || is_binary(head, content_type) {
        return Format::Other;
    }
    let text = String::from_utf8_lossy(head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head));
    let text = text.trim_start().to_ascii_lowercase();
    let begins = |openings: &[&str]| openings.iter().any(|opening| text.starts_with(opening));
    if begins(PAGE) {
        return Format::Html;
    }
    if text.starts_with("<?xml") && media != "image/svg+xml" {
        let page = text.contains("<!doctype html") || text.contains("<html");
        return if page { Format::Html } else { Format::Xml };
    }
    by_media_type(media, begins(FRAGMENT))
}

fn by_media_type(media: &str, fragment: bool) -> Format {
    match media {
        "text/html" | "application/xhtml+xml" => Format::Html,
        "image/svg+xml" => Format::Other,
        "text/xml" | "application/xml" => Format::Xml,
        "text/css" | "text/javascript" | "text/ecmascript" => Format::Other,
        _ if media.ends_with("+xml") => Format::Xml,
        "" | "application/octet-stream" | "unknown/unknown" | "*/*" if fragment => Format::Html,
        "" => Format::Text,
        _ if media.starts_with("text/") => Format::Text,
        _ => Format::Other,
    }
}

/// Bytes that no text has; UTF-16 has them, but says so by BOM, header or declaration.
fn is_binary(head: &[u8], content_type: Option<&str>) -> bool {
    let utf_16 = head.starts_with(b"\xFE\xFF")
        || head.starts_with(b"\xFF\xFE")
        || head.starts_with(b"<\0?\0")
        || head.starts_with(b"\0<\0?")
        || content_type.is_some_and(|t| t.to_ascii_lowercase().contains("utf-16"));
    let odd = |b: &u8| matches!(b, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    !utf_16 && head.iter().any(odd) && !starts_as_page(head)
}

/// Old pages may hold stray control characters; what opens as a page is one.
fn starts_as_page(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    PAGE.iter().any(|p| head.get(..p.len()).is_some_and(|h| h.eq_ignore_ascii_case(p.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &[u8], content_type: &str, expected: Format) {
        let content_type = Some(content_type).filter(|t| !t.is_empty());
        assert_eq!(of(body, content_type), expected, "{body:?} as {content_type:?}");
    }

    #[test]
    fn content_speaks_before_the_header() {
        check(b"%PDF-1.7", "text/html", Format::Other);
        check(b"\x89PNG\r\n", "text/plain", Format::Other);
        check(b"a\0b\x01", "text/plain", Format::Other);
        check(b" <!DOCTYPE HTML>", "text/plain", Format::Html);
        check(b"\xEF\xBB\xBF<html>", "application/octet-stream", Format::Html);
        check(b"<html>\0", "text/html", Format::Html);
        check(b"<p>hello", "text/plain", Format::Text);
        check(b"<p>hello", "", Format::Html);
        check(b"hello", "text/html; charset=utf-8", Format::Html);
        check(b"hello", "", Format::Text);
        check(b"hello", "Text/Plain", Format::Text);
        check(b"{}", "application/json", Format::Other);
        check(b"body{}", "text/css", Format::Other);
        check(b"<rss>", "application/rss+xml", Format::Xml);
        check(b"<?xml version='1.0'?><urlset>", "text/html", Format::Xml);
        check(b"<?xml version='1.0'?><html>", "text/html", Format::Html);
        check(b"\xFF\xFEa\0", "text/plain", Format::Text);
        check(b"", "text/html", Format::Html);
        check(b"", "", Format::Text);
    }
}
