//! What bytes are made of: by their content, then by the media type, then by the extension.

use super::{Conversion, FORMATS};
use fyke_web::charset;

/// How much of the bytes is looked at.
const HEAD: usize = 1_024;

/// Openings that are surely a page, whatever the header says.
const PAGE: &[&[u8]] = &[b"<!doctype html", b"<html", b"<head", b"<body"];

/// Openings of a page whose author left the beginning out.
const FRAGMENT: &[&[u8]] = &[
    b"<!--", b"<script", b"<style", b"<title", b"<meta", b"<link", b"<iframe", b"<h1", b"<h2",
    b"<div", b"<font", b"<table", b"<a ", b"<b>", b"<br", b"<p>", b"<p ", b"<center", b"<ul",
    b"<base",
];

/// Media types that say no more than that there are bytes, or text.
const VAGUE: &[&str] = &["", "application/octet-stream", "unknown/unknown", "*/*"];

/// First bytes of formats without text that could pass for text.
const MARKS: &[&[u8]] = &[b"\x89PNG", b"\xFF\xD8\xFF", b"GIF8", b"RIFF", b"OggS", b"ID3", b"BZh"];

/// Media types of which none holds text …
const MEDIA: &[&str] = &["image/", "audio/", "video/", "font/", "model/"];

/// … and others that name programs, fonts, styles and packages that nobody here opens.
const NO_TEXT: &[&str] = &[
    "text/css",
    "text/javascript",
    "text/ecmascript",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/wasm",
    "application/ogg",
    "application/mp4",
    "application/vnd.rn-realmedia",
    "application/x-shockwave-flash",
    "application/vnd.ms-fontobject",
    "application/font-woff",
    "application/font-woff2",
    "application/x-font-ttf",
    "application/x-font-otf",
    "application/x-font-woff",
    "application/vnd.android.package-archive",
    "application/vnd.debian.binary-package",
    "application/x-debian-package",
    "application/x-rpm",
    "application/x-redhat-package-manager",
    "application/x-msdownload",
    "application/x-msdos-program",
    "application/x-executable",
    "application/x-apple-diskimage",
    "application/x-iso9660-image",
    "application/x-bittorrent",
    "application/x-7z-compressed",
    "application/vnd.rar",
    "application/x-rar-compressed",
    "application/x-tar",
    "application/x-bzip2",
    "application/x-xz",
    "application/zstd",
];

/// Extensions of the same, for where the media type says nothing.
const NO_TEXT_EXTENSIONS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "bmp", "tif", "tiff", "psd", "mp3", "m4a",
    "ogg", "oga", "flac", "wav", "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv", "mpg", "mpeg",
    "woff", "woff2", "ttf", "otf", "eot", "css", "js", "wasm", "swf", "exe", "msi", "dmg", "iso",
    "img", "apk", "deb", "rpm", "7z", "rar", "tar", "bz2", "xz", "zst", "bin", "torrent",
];

/// Whether what comes under this media type and extension is surely no format that text can be taken from, so that
/// its bytes need not be looked at. A type that leaves it open, or none, does not say so.
#[must_use]
pub fn holds_no_text(content_type: &str, extension: &str) -> bool {
    let media = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media.is_empty() {
        return false;
    }
    MEDIA.iter().any(|kind| media.starts_with(kind))
        || NO_TEXT.contains(&media.as_str())
        || VAGUE.contains(&media.as_str()) && NO_TEXT_EXTENSIONS.contains(&extension)
}

/// The format of these bytes, with the media type and the extension that came with them; none when
/// it is no format that text can be taken from.
#[must_use]
pub fn detect(
    bytes: &[u8],
    content_type: Option<&str>,
    extension: &str,
) -> Option<&'static Conversion> {
    let media = content_type.map(|t| t.split(';').next().unwrap_or(t).trim().to_ascii_lowercase());
    let media = media.as_deref().unwrap_or("");
    if media == "image/svg+xml" && !is_page(bytes) {
        return None;
    }
    let known = FORMATS.iter().find(|row| (row.knows)(bytes));
    if known.is_some() || is_binary(head(bytes), content_type) {
        return known;
    }
    by_name(bytes, media, extension)
}

/// What text is by media type and extension.
fn by_name(bytes: &[u8], media: &str, extension: &str) -> Option<&'static Conversion> {
    let texts = || FORMATS.iter().filter(|row| row.is_text);
    let of_extension = || texts().find(|row| row.extensions.contains(&extension));
    if VAGUE.contains(&media) {
        let fragment = || begins(bytes, FRAGMENT).then(|| row("html")).flatten();
        let text = || media.is_empty().then(|| row("text")).flatten();
        return fragment().or_else(of_extension).or_else(text);
    }
    match media {
        // A table or a message is often served so; a page served so is wanted as text.
        "text/plain" => of_extension().filter(|row| row.name != "html").or_else(|| row("text")),
        "text/css" | "text/javascript" | "text/ecmascript" => None,
        _ => texts().find(|row| row.media.contains(&media)).or_else(|| match media {
            _ if media.ends_with("+xml") => row("xml"),
            _ if media.ends_with("+json") => row("json"),
            _ if media.starts_with("text/") => row("text"),
            _ => None,
        }),
    }
}

fn row(name: &str) -> Option<&'static Conversion> {
    FORMATS.iter().find(|row| row.name == name)
}

/// As much of the bytes as is looked at.
pub(super) fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(HEAD)]
}

/// Whether the text begins with one of these, case ignored.
fn begins(bytes: &[u8], openings: &[&[u8]]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    openings.iter().any(|opening| {
        text.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening))
    })
}

/// Whether these bytes are HTML, or XHTML behind its declaration.
pub(super) fn is_page(bytes: &[u8]) -> bool {
    begins(bytes, PAGE) || is_xml(bytes) && holds_page(head(bytes))
}

/// XHTML begins like any XML; its root tells.
fn holds_page(head: &[u8]) -> bool {
    let head = head.to_ascii_lowercase();
    [&b"<!doctype html"[..], b"<html"].iter().any(|m| memchr::memmem::find(&head, m).is_some())
}

/// Whether these bytes open with a declaration of XML.
pub(super) fn is_xml(bytes: &[u8]) -> bool {
    begins(bytes, &[b"<?xml"]) || bytes.starts_with(b"<\0?\0x") || bytes.starts_with(b"\0<\0?\0")
}

/// Bytes that no text has. UTF-16, UTF-32 and EBCDIC have them, but say so by BOM, header or declaration, and the
/// first two are known by where their zeros stand.
fn is_binary(head: &[u8], content_type: Option<&str>) -> bool {
    let charset = content_type.and_then(charset::charset_parameter).unwrap_or_default();
    let charset = charset.to_ascii_lowercase();
    let wide = head.starts_with(b"\xFE\xFF")
        || head.starts_with(b"\xFF\xFE")
        || ["utf-16", "037", "500", "ebcdic"].iter().any(|name| charset.contains(name));
    let odd = |b: &u8| matches!(b, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    MARKS.iter().any(|mark| head.starts_with(mark))
        || !wide && head.iter().any(odd) && !charset::is_wide(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], content_type: &str, extension: &str, expected: &str) {
        let content_type = Some(content_type).filter(|t| !t.is_empty());
        let found = detect(bytes, content_type, extension).map_or("", |row| row.name);
        assert_eq!(found, expected, "{bytes:?} as {content_type:?} .{extension}");
    }

    #[test]
    fn content_speaks_before_the_header() {
        check(b"{\\rtf1 x}", "text/html", "html", "rtf");
        check(b"%!PS-Adobe", "text/plain", "txt", "postscript");
        check(b"\x89PNG\r\n", "text/plain", "", "");
        check(b"GIF89a", "text/html", "", "");
        check(b"a\0b\x01", "text/plain", "txt", "");
        check(b" <!DOCTYPE HTML>", "text/plain", "", "html");
        check(b"\xEF\xBB\xBF<html>", "application/octet-stream", "", "html");
        check(b"<html>\0", "text/html", "", "html");
        check(b"<?xml version='1.0'?><urlset>", "text/html", "", "xml");
        check(b"<?xml version='1.0'?>\n<HTML>", "text/xml", "", "html");
        check(b"\xFF\xFEa\0", "text/plain", "", "text");
        let wide = |width: usize| -> Vec<u8> {
            b"<p>eels".iter().flat_map(|b| [&[*b][..], &[0; 3][..width - 1]].concat()).collect()
        };
        check(&wide(2), "", "txt", "text");
        check(&wide(4), "text/html", "", "html");
        check(b"\0\0\xFE\xFF\0\0\0a", "text/plain", "", "text");
        check(b"a\0b\0c\0\x01\0e\0", "text/plain", "txt", "");
        check(b"\xC8\x85\x93\x15", "text/plain; charset=cp037", "", "text");
        check(b"From: a@b.test\nSubject: eels\n\nHello", "text/plain", "", "eml");
    }

    #[test]
    fn the_media_type_speaks_before_the_extension() {
        check(b"<p>hello", "text/plain", "html", "text");
        check(b"<p>hello", "", "", "html");
        check(b"hello", "text/html; charset=utf-8", "txt", "html");
        check(b"hello", "Text/Plain", "", "text");
        check(b"a,b", "text/csv", "txt", "csv");
        check(b"{}", "application/json", "html", "json");
        check(b"{}", "application/activity+json", "", "json");
        check(b"body{}", "text/css", "", "");
        check(b"<rss>", "application/rss+xml", "", "xml");
        check(b"<svg>", "image/svg+xml", "", "");
        check(b"hello", "application/unknown", "txt", "");
        check(b"", "text/html", "", "html");
    }

    #[test]
    fn types_without_text_are_known_by_name_and_none_of_them_is_a_format() {
        let check = |content_type: &str, extension: &str, expected: bool| {
            let found = holds_no_text(content_type, extension);
            assert_eq!(found, expected, "{content_type} .{extension}");
        };
        for name in
            ["image/png", "Image/SVG+xml; charset=utf-8", "audio/mpeg", "video/mp4", "font/woff"]
        {
            check(name, "", true);
        }
        for (vague, extension) in [("application/octet-stream", "mp4"), ("*/*", "png")] {
            check(vague, extension, true);
        }
        check("application/octet-stream", "pdf", false);
        check("application/octet-stream", "", false);
        check("application/whatever", "mp4", false);
        check("", "png", false);
        check("text/plain", "js", false);
        for name in NO_TEXT {
            check(name, "", true);
            assert!(detect(b"", Some(name), "").is_none(), "{name}");
        }
        for row in FORMATS {
            row.media.iter().for_each(|name| check(name, "", false));
            row.extensions.iter().for_each(|name| check("application/octet-stream", name, false));
        }
    }

    #[test]
    fn the_extension_speaks_where_nothing_else_does() {
        check(b"# eels", "", "md", "markdown");
        check(b"# eels", "text/plain", "md", "markdown");
        check(b"a\tb", "application/octet-stream", "tsv", "csv");
        check(b"hello", "application/octet-stream", "bin", "");
        check(b"hello", "", "", "text");
        check(b"", "", "", "text");
    }
}
