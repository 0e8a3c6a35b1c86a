//! Every format: what becomes of it, and that nothing hostile breaks its reader.

use crate::samples::{self, all, gzip, zip};
use crate::{capture, hostile};
use fyke_formats::{Converted, FORMATS, Source, detect, parse};
use fyke_web::{Document, Page, refine};
use proptest::prelude::*;

/// How many formats there are, and so samples.
const SAMPLES: usize = FORMATS.len();

fn converted(name: &str, bytes: &[u8]) -> Converted {
    let row = FORMATS.iter().find(|row| row.name == name).expect("a format");
    row.convert(&Source { bytes, content_type: None, extension: "" })
}

fn check(name: &str, bytes: &[u8], expected: &str) {
    let found = converted(name, bytes);
    assert_eq!(found.markup, expected, "{name}");
    assert_eq!(found.trouble, "", "{name}");
}

#[test]
fn office_files_become_simple_markup() {
    check(
        "docx",
        &samples::docx(),
        "<h1>The eel</h1><p><b>Long </b><i>and thin</i></p><ol><li>first</li></ol>\
         <table><tr><td><p>a</p><p>b</p></td><td><p>c</p></td></tr></table>\
         <p><a href=\"http://a.test/?x=1&amp;y=2\">link</a>\n&lt;end&gt;</p><p>a note</p>",
    );
    check(
        "pptx",
        &samples::pptx(),
        "<section data-page=\"1\"><h1>First</h1><p>the eel</p><p>say it</p></section>\
         <section data-page=\"2\"><h1>Second</h1><p>the pike</p></section>",
    );
    check(
        "xlsx",
        &samples::xlsx(),
        "<section><h2>Fish</h2><table><tr><td>eel</td><td></td><td>pike</td></tr>\
         <tr><td>2024-03-05</td><td>2.5</td><td>TRUE</td><td>in</td></tr></table></section>",
    );
    check(
        "odt",
        &samples::odt(),
        "<h2>The eel</h2><p>a <b>bold</b> b<p>note</p></p><ol><li><p>one</p></li></ol>\
         <p><a href=\"http://a.test/\">link</a></p>\
         <table><tr><td><p>x</p></td><td><p>y</p></td></tr></table>",
    );
    check(
        "ods",
        &samples::ods(),
        "<h2>Fish</h2><table><tr><td>eel</td><td>2</td><td>2</td></tr></table>",
    );
    check(
        "odp",
        &samples::odp(),
        "<section data-page=\"1\"><p>eel</p></section><section data-page=\"2\"><p>pike</p></section>",
    );
    check(
        "epub",
        &samples::epub(),
        "<section><h1>One</h1><p>eel</p></section><section><p>pike</p></section>",
    );
}

#[test]
fn messages_give_their_plain_text_and_their_attachments() {
    check(
        "eml",
        samples::EML.as_bytes(),
        "<h1>The žaba</h1><p>From: Ana Riba &lt;ana@a.test&gt;</p><p>To: bo@b.test</p>\
         <p>plain žaba and more</p><section><h2>t.csv</h2><table><tr><th>a</th><th>b</th></tr>\
         <tr><td>1</td><td>2</td></tr></table></section>",
    );
    let found = converted("mbox", &samples::mbox());
    assert_eq!(found.markup.matches("<section><h1>").count(), 2);
    assert!(found.markup.ends_with("<p>From there</p></section>"), "{}", found.markup);
}

#[test]
fn what_a_format_says_about_itself_is_kept() {
    let check = |name: &str, bytes: &[u8], expected: [&str; 4]| {
        let Converted { title, author, date, language, .. } = converted(name, bytes);
        assert_eq!([title, author, date, language], expected, "{name}");
    };
    let office = ["Eels & pikes", "Ana Riba", "2024-03-05T10:00:00Z", ""];
    check("docx", &samples::docx(), office);
    check("pptx", &samples::pptx(), office);
    check("xlsx", &samples::xlsx(), office);
    check("odt", &samples::odt(), ["Eels", "Ana", "2024-03-05T10:00:00", "en-gb"]);
    check("epub", &samples::epub(), ["Eels", "Ana", "2024", "en"]);
    check("eml", samples::EML.as_bytes(), ["The žaba", "Ana Riba", "2024-03-05", ""]);
    check("rtf", samples::RTF.as_bytes(), ["Eels", "", "", ""]);
    check("markdown", samples::MARKDOWN.as_bytes(), ["Eels", "", "", ""]);
    check("postscript", samples::POSTSCRIPT.as_bytes(), ["Eels", "", "", ""]);
}

#[test]
fn every_format_is_found_by_its_content_or_by_its_extension() {
    for (name, bytes) in all() {
        let row = FORMATS.iter().find(|row| row.name == name).expect("a format");
        assert!(!row.what.is_empty() && !row.media.is_empty() && !row.extensions.is_empty());
        for extension in row.extensions {
            let found = detect(&bytes, Some("application/octet-stream"), extension);
            assert_eq!(found.map(|row| row.name), Some(name), ".{extension}");
        }
    }
    assert_eq!(all().len(), FORMATS.len(), "a sample for every format");
    for (at, row) in FORMATS.iter().enumerate() {
        assert!(FORMATS[..at].iter().all(|other| other.name != row.name), "{}", row.name);
    }
}

fn page(path: &str, payload: &[u8]) -> (Page, Document) {
    let capture = capture(&format!("http://a.test/{path}"), payload);
    let page = parse(&capture);
    let document = refine(&capture, &page);
    (page, document)
}

#[test]
fn a_capture_of_any_format_becomes_a_document() {
    let (found, document) = page("x.docx", &samples::docx());
    let links: Vec<&str> = found.links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(links, ["http://a.test/?x=1&y=2"]);
    assert_eq!(document.title, "Eels & pikes");
    assert_eq!((document.author.as_str(), &document.date[..10]), ("Ana Riba", "2024-03-05"));
    assert_eq!(document.headings, "The eel");
    assert_eq!(document.text, "The eel\nLong and thin\nfirst\na b\tc\nlink <end>\na note");
    let (_, document) = page("x.pptx", &samples::pptx());
    assert_eq!(document.text, "First\nthe eel\nsay it\nSecond\nthe pike");
    let starts: Vec<&str> =
        document.pages.iter().map(|at| &document.text[*at as usize..]).collect();
    assert_eq!(starts[1], "Second\nthe pike");
    assert_eq!(document.pages.len(), 2);
}

#[test]
fn a_bomb_ends_at_a_limit_and_says_so() {
    let zeros = vec![b' '; 64 << 20];
    let bomb = zip(&[("a.txt", &zeros), ("b.txt", &zeros), ("c.txt", b"the end")]);
    assert!(!converted("zip", &bomb).trouble.is_empty());
    let mut nested = samples::CSV.as_bytes().to_vec();
    for _ in 0..8 {
        nested = zip(&[("inner.zip", &nested)]);
    }
    assert!(converted("zip", &nested).trouble.contains("too deep"));
    let laughs =
        "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><x>&b;</x>";
    assert!(converted("xml", laughs.as_bytes()).markup.len() < 100);
    assert!(!converted("gzip", &gzip(&zeros)).trouble.is_empty());
    let texts = zip(&[("a.txt", &zeros[..16 << 20]), ("b.txt", &zeros[..16 << 20])]);
    assert!(converted("zip", &texts).trouble.contains("more text than is read"));
    let deep = "{".repeat(100_000);
    assert!(converted("rtf", format!("{{\\rtf1 {deep}eel").as_bytes()).markup.contains("eel"));
    let sheet = "<table:table><table:table-row><table:table-cell table:number-columns-repeated=\
                 '99999999'><text:p>x</text:p></table:table-cell></table:table-row></table:table>";
    let content = sheet.repeat(2_000);
    let media = b"application/vnd.oasis.opendocument.spreadsheet";
    let sheets = zip(&[("mimetype", media), ("content.xml", content.as_bytes())]);
    assert!(converted("ods", &sheets).markup.len() < 8 << 20);
}

#[test]
fn files_made_to_cost_much_end() {
    for file in hostile::all(1 << 18) {
        let found = converted(file.format, &file.bytes);
        assert!(found.markup.len() < 64 << 20, "{}: {}", file.format, file.what);
    }
}

/// Each of them took seconds to minutes when work inside fonts was not paid for.
#[test]
fn small_files_of_pdf_that_held_a_thread_for_minutes_end() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/hostile-pdf");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of the files") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        let found = converted("pdf", &bytes);
        assert!(found.markup.contains("<section"), "{}: {}", path.display(), found.trouble);
        read += 1;
    }
    assert_eq!(read, 6);
}

#[test]
fn one_endless_line_is_no_trouble_for_any_format() {
    for piece in
        ["a", "<", "[", "{", "(", "\"", "*", "`", "&", "\\", "a,", "> ", "=?", "|", "\u{17E}"]
    {
        let line = piece.repeat((1 << 17) / piece.len());
        for row in FORMATS {
            let source = Source { bytes: line.as_bytes(), content_type: None, extension: "" };
            assert!(row.convert(&source).markup.len() < 64 << 20, "{} of {piece}", row.name);
        }
    }
}

#[test]
fn a_file_cut_anywhere_gives_what_came_before() {
    for (name, bytes) in all() {
        for cut in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
            converted(name, &bytes[..cut]);
        }
    }
    let cut = samples::docx();
    let found = converted("docx", &cut[..cut.len() - 40]);
    assert!(found.markup.contains("The eel") && !found.trouble.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changed_bytes_break_no_reader(
        which in 0..SAMPLES,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let (name, mut bytes) = all().swap_remove(which);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let found = converted(name, &bytes);
        prop_assert!(found.markup.len() < 1 << 20);
    }

    #[test]
    fn any_bytes_are_converted(bytes: Vec<u8>, which in 0..SAMPLES) {
        let row = &FORMATS[which];
        let found = row.convert(&Source { bytes: &bytes, content_type: None, extension: "" });
        prop_assert!(found.markup.len() < 1 << 20);
        prop_assert!(detect(&bytes, None, "").is_none_or(|row| !row.name.is_empty()));
    }
}
