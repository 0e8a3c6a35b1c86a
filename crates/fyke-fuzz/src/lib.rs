//! What a fuzzer asks of every reader of strangers' bytes. A target is a plain function: it takes any bytes and panics
//! when the code under it does, or when a property does not hold (a normal form is its own normal form, what is
//! written is read back, what comes out is bounded). `fuzz/` makes a libFuzzer program of each row of [`TARGETS`]; the
//! test of this room runs each row on its seeds and on changed copies of them.
//!
//! No part of the program: only `fuzz/` and the tests depend on it.

mod archives;
mod formats;
mod judgements;
mod ledger;
mod markup;
mod network;
mod package;
mod pages;
mod papers;
mod queries;
mod scratch;
mod settings;
mod urls;

/// A row: a name, what it reads, and the function that reads it.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// As the program in `fuzz/` and the folder of its seeds are called.
    pub name: &'static str,
    /// What the bytes are taken for, and what must hold.
    pub what: &'static str,
    pub run: fn(&[u8]),
}

const fn row(name: &'static str, what: &'static str, run: fn(&[u8])) -> FuzzTarget {
    FuzzTarget { name, what, run }
}

/// Every target, by name.
#[rustfmt::skip]
pub const TARGETS: &[FuzzTarget] = &[
    row("archive", "a file of another tool: WARC, ARC or TREC, packed or not", archive),
    row("browser", "what a browser says; a page it asks for is no other than the one it was given", browser),
    row("charset", "a Content-Type and a text; owned and borrowed bytes give the same text", charset),
    row("content_coding", "a Content-Encoding and a payload; no more comes out than the limit", content_coding),
    row("extract", "a pattern, four lists of selectors and HTML; what is left is a part of the page", extract),
    row("feed", "a feed of any kind; what is read of it is bounded", feed),
    row("format_any", "an extension and a file, its format found by content", format_any),
    row("format_csv", "a table of values", format_csv),
    row("format_docx", "the parts of a Word document", format_docx),
    row("format_eml", "a mail message", format_eml),
    row("format_epub", "the parts of a book", format_epub),
    row("format_html", "HTML as it stands in books and messages", format_html),
    row("format_json", "JSON", format_json),
    row("format_markdown", "Markdown", format_markdown),
    row("format_mbox", "a mailbox", format_mbox),
    row("format_odf", "the parts of an OpenDocument file", format_odf),
    row("format_pdf", "a PDF file", format_pdf),
    row("format_postscript", "a PostScript file", format_postscript),
    row("format_pptx", "the parts of a presentation", format_pptx),
    row("format_rtf", "an RTF file", format_rtf),
    row("format_xlsx", "the parts of a workbook", format_xlsx),
    row("format_xml", "XML", format_xml),
    row("format_zip", "a zip archive", format_zip),
    row("forms", "the forms of a page; their number, their fields and their words are bounded", forms),
    row("http_answer", "an answer of a server; however it is cut, the capture is the same", http_answer),
    row("ledger_log", "records of the ledger's log, and damage done to it", ledger_log),
    row("ledger_record", "a record of the ledger; written again it says the same", ledger_record),
    row("opensearch", "an OpenSearch description", opensearch),
    row("page", "HTML; the skim of a page agrees with the page, and its copy is harmless", page),
    row("page_headers", "the headers of an answer that a page is read with", page_headers),
    row("paper", "lines of a paper; its sentences cite references that it has, and every format is written", paper),
    row("qrels", "judgements; in every format they read back the same", qrels),
    row("query", "a query; its description is the same query", query),
    row("refine", "HTML; every refiner takes its text from the page", refine),
    row("robots", "a path and a robots.txt, whatever its line ends are", robots),
    row("run", "a run; in every format it reads back the same", run),
    row("settings", "a fyke.toml; written again it gives the same settings", settings),
    row("sitemap", "a sitemap; however it is cut, its entries are the same, and written they read back", sitemap),
    row("topics", "topics of an experiment; written they read back the same", topics),
    row("url", "a URL and a link on it; a normal form is its own", url),
    row("warc", "a WARC record inside a gzip member that is whole", warc),
    row("warc_member", "bytes taken for a gzip member with a record", warc_member),
    row("warc_round_trip", "a payload; packed and read back it is the same", warc_round_trip),
];

pub use archives::{archive, warc, warc_member, warc_round_trip};
pub use formats::{
    format_any, format_csv, format_docx, format_eml, format_epub, format_html, format_json,
    format_markdown, format_mbox, format_odf, format_pdf, format_postscript, format_pptx,
    format_rtf, format_xlsx, format_xml, format_zip,
};
pub use judgements::{qrels, run, topics};
pub use ledger::{ledger_log, ledger_record};
pub use network::{browser, http_answer};
pub use pages::{charset, content_coding, extract, forms, opensearch, page, page_headers, refine};
pub use papers::paper;
pub use queries::query;
pub use settings::settings;
pub use urls::{feed, robots, sitemap, url};

/// Text of any bytes, as most readers of text get it.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The first line, and what stands behind it.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
    }
}

/// Pieces of the input: each ends at a line that is `%%%`.
fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut pieces, mut rest) = (Vec::new(), bytes);
    const MARK: &[u8] = b"\n%%%\n";
    while let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) {
        pieces.push(&rest[..at]);
        rest = &rest[at + MARK.len()..];
    }
    pieces.push(rest);
    pieces
}
