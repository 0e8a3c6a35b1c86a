//! Conversion (003 §3.4): every format becomes simple markup and what it says about itself. One
//! file a format, one row each. Pure: no I/O, no clock, no log. From here a capture of any format is opened and
//! read ([`parse`], [`skim`]); conversion never fails.

mod archive;
mod budget;
mod csv;
mod detect;
mod docx;
mod eml;
mod epub;
mod feed;
mod gzip;
mod html;
mod json;
mod lines;
mod mail;
mod markdown;
mod markup;
mod mbox;
mod odf;
mod ooxml;
mod open;
mod pdf;
mod percent;
mod plain;
mod postscript;
mod pptx;
mod properties;
mod rtf;
mod xlsx;
mod xml;
mod zip;

pub use detect::{detect, holds_no_text};
pub use feed::{feed_capture, feed_page};
pub use fyke_web::page::Converted;
pub use lines::{PageLine, lines};
pub use mbox::{begins_message, messages};
pub use open::{may_take_long, open, parse, skim, skim_seen, skim_with_fingerprint};

use budget::InputBudget;
use fyke_web::page::Format;
use markup::Markup;

impl From<Markup> for Converted {
    fn from(markup: Markup) -> Converted {
        let (markup, trouble) = markup.finish();
        Converted { markup, trouble, ..Converted::default() }
    }
}

/// Archives and messages inside each other that are opened.
const MOST_NESTED: u8 = 3;

/// What is to be converted.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub bytes: &'a [u8],
    /// The media type with its parameters, if one is named.
    pub content_type: Option<&'a str>,
    /// The extension of its name in lower case, without the dot; empty when there is none.
    pub extension: &'a str,
}

/// A row: a format, how it is known, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    pub name: &'static str,
    /// What it is, in a line.
    pub what: &'static str,
    pub media: &'static [&'static str],
    pub extensions: &'static [&'static str],
    /// Whether content is surely of this format, whatever its name says.
    knows: fn(&[u8]) -> bool,
    /// Its content is text: when content tells nothing, media type and extension are believed.
    pub(crate) is_text: bool,
    /// What a page of it is.
    pub(crate) format: Format,
    convert: fn(&Inner<'_>) -> Converted,
}

/// A source that may stand inside another.
#[derive(Clone, Copy, Debug)]
struct Inner<'a> {
    source: Source<'a>,
    budget: &'a InputBudget,
    /// How many archives or messages it stands in.
    depth: u8,
}

impl Conversion {
    /// Converts bytes of this format.
    #[must_use]
    pub fn convert(&self, source: &Source<'_>) -> Converted {
        (self.convert)(&Inner { source: *source, budget: &InputBudget::default(), depth: 0 })
    }
}

impl Inner<'_> {
    /// Converts what stands inside this one.
    fn convert(&self, source: Source<'_>) -> Converted {
        if self.depth >= MOST_NESTED {
            return Converted::failed("archives inside each other too deep");
        }
        let Source { bytes, content_type, extension } = source;
        let Some(row) = detect(bytes, content_type, extension) else {
            return Converted::default();
        };
        // Messages hold texts, which pay for themselves.
        let is_paid = row.is_text && !matches!(row.name, "eml" | "mbox");
        let read = if is_paid { self.budget.text(bytes) } else { bytes };
        let source = Source { bytes: read, content_type, extension };
        let found = (row.convert)(&Inner { source, budget: self.budget, depth: self.depth + 1 });
        found.with_trouble(if read.len() < bytes.len() { "more text than is read" } else { "" })
    }
}

/// The extension of a path or file name, in lower case.
#[must_use]
pub fn extension(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_ascii_lowercase())
}

const fn never(_: &[u8]) -> bool {
    false
}

/// All formats. Where content could be of two, the earlier counts.
pub const FORMATS: &[Conversion] = &[
    Conversion {
        name: "html",
        what: "HTML and XHTML",
        media: &["text/html", "application/xhtml+xml"],
        extensions: &["html", "htm", "xhtml", "xht"],
        knows: detect::is_page,
        is_text: true,
        format: Format::Html,
        convert: |inner| html::convert(&inner.source),
    },
    Conversion {
        name: "pdf",
        what: "PDF, with its pages",
        media: &["application/pdf", "application/x-pdf"],
        extensions: &["pdf"],
        knows: |bytes| memchr::memmem::find(detect::head(bytes), b"%PDF-").is_some(),
        is_text: false,
        format: Format::Converted("pdf"),
        convert: pdf::convert,
    },
    Conversion {
        name: "postscript",
        what: "PostScript: the strings it shows",
        media: &["application/postscript"],
        extensions: &["ps", "eps"],
        knows: |bytes| bytes.starts_with(b"%!") || bytes.starts_with(b"\x04%!"),
        is_text: false,
        format: Format::Converted("postscript"),
        convert: |inner| postscript::convert(inner.source.bytes),
    },
    Conversion {
        name: "rtf",
        what: "Rich Text Format",
        media: &["application/rtf", "text/rtf"],
        extensions: &["rtf"],
        knows: |bytes| bytes.starts_with(b"{\\rt"),
        is_text: false,
        format: Format::Converted("rtf"),
        convert: |inner| rtf::convert(inner.source.bytes),
    },
    Conversion {
        name: "docx",
        what: "Word documents",
        media: &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
        extensions: &["docx", "docm", "dotx"],
        knows: |bytes| ooxml::holds(bytes, "word/"),
        is_text: false,
        format: Format::Converted("docx"),
        convert: docx::convert,
    },
    Conversion {
        name: "pptx",
        what: "PowerPoint presentations, a slide a page",
        media: &["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
        extensions: &["pptx", "pptm", "ppsx", "potx"],
        knows: |bytes| ooxml::holds(bytes, "ppt/"),
        is_text: false,
        format: Format::Converted("pptx"),
        convert: pptx::convert,
    },
    Conversion {
        name: "xlsx",
        what: "Excel workbooks",
        media: &["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
        extensions: &["xlsx", "xlsm", "xltx"],
        knows: |bytes| ooxml::holds(bytes, "xl/"),
        is_text: false,
        format: Format::Converted("xlsx"),
        convert: xlsx::convert,
    },
    Conversion {
        name: "odt",
        what: "OpenDocument text",
        media: &["application/vnd.oasis.opendocument.text"],
        extensions: &["odt", "ott"],
        knows: |bytes| odf::is(bytes, "text"),
        is_text: false,
        format: Format::Converted("odt"),
        convert: odf::convert,
    },
    Conversion {
        name: "odp",
        what: "OpenDocument presentations, a slide a page",
        media: &["application/vnd.oasis.opendocument.presentation"],
        extensions: &["odp", "otp"],
        knows: |bytes| odf::is(bytes, "presentation") || odf::is(bytes, "graphics"),
        is_text: false,
        format: Format::Converted("odp"),
        convert: odf::convert,
    },
    Conversion {
        name: "ods",
        what: "OpenDocument spreadsheets",
        media: &["application/vnd.oasis.opendocument.spreadsheet"],
        extensions: &["ods", "ots"],
        knows: |bytes| odf::is(bytes, "spreadsheet"),
        is_text: false,
        format: Format::Converted("ods"),
        convert: odf::convert,
    },
    Conversion {
        name: "epub",
        what: "EPUB books, in the order of their spine",
        media: &["application/epub+zip"],
        extensions: &["epub"],
        knows: epub::is,
        is_text: false,
        format: Format::Converted("epub"),
        convert: epub::convert,
    },
    Conversion {
        name: "zip",
        what: "Zip archives of any of these",
        media: &["application/zip", "application/x-zip-compressed"],
        extensions: &["zip"],
        knows: |bytes| bytes.starts_with(b"PK\x03\x04"),
        is_text: false,
        format: Format::Converted("zip"),
        convert: archive::convert,
    },
    Conversion {
        name: "gzip",
        what: "any of these compressed by gzip",
        media: &["application/gzip", "application/x-gzip"],
        extensions: &["gz"],
        knows: |bytes| bytes.starts_with(b"\x1F\x8B\x08"),
        is_text: false,
        format: Format::Converted("gzip"),
        convert: gzip::convert,
    },
    Conversion {
        name: "mbox",
        what: "mailboxes, a message a section",
        media: &["application/mbox"],
        extensions: &["mbox", "mbx"],
        knows: mbox::is,
        is_text: true,
        format: Format::Converted("mbox"),
        convert: mbox::convert,
    },
    Conversion {
        name: "eml",
        what: "mail messages with their attachments",
        media: &["message/rfc822"],
        extensions: &["eml"],
        knows: mail::is,
        is_text: true,
        format: Format::Converted("eml"),
        convert: eml::convert,
    },
    Conversion {
        name: "xml",
        what: "XML: the text of its elements",
        media: &["text/xml", "application/xml"],
        extensions: &["xml"],
        knows: detect::is_xml,
        is_text: true,
        format: Format::Xml,
        convert: |inner| xml::convert(&inner.source),
    },
    Conversion {
        name: "json",
        what: "JSON: its strings in order",
        media: &["application/json", "application/ld+json", "application/x-ndjson"],
        extensions: &["json", "jsonl", "ndjson"],
        knows: never,
        is_text: true,
        format: Format::Converted("json"),
        convert: |inner| json::convert(&inner.source),
    },
    Conversion {
        name: "csv",
        what: "tables of values between commas, semicolons, tabs or bars",
        media: &["text/csv", "text/tab-separated-values", "application/csv"],
        extensions: &["csv", "tsv", "tab", "psv"],
        knows: never,
        is_text: true,
        format: Format::Converted("csv"),
        convert: |inner| csv::convert(&inner.source),
    },
    Conversion {
        name: "markdown",
        what: "Markdown, with front matter",
        media: &["text/markdown", "text/x-markdown"],
        extensions: &["md", "markdown", "mkd"],
        knows: never,
        is_text: true,
        format: Format::Converted("markdown"),
        convert: |inner| markdown::convert(&inner.source),
    },
    Conversion {
        name: "text",
        what: "plain text",
        media: &["text/plain"],
        extensions: &["txt", "text", "asc", "log"],
        knows: never,
        is_text: true,
        format: Format::Text,
        convert: |inner| plain::convert(&inner.source),
    },
];
