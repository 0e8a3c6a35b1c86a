//! Formats: every row of the table, and packages whose parts are the input. The table is named here and nowhere else.

use crate::package::zip;
use crate::{first_line, markup, pieces, text};
use fyke_formats::{Conversion, Converted, FORMATS, Source, detect};

/// Most bytes of markup that anything becomes: the limit of the writer, and what may stand behind it.
const MOST_MARKUP: usize = 40 << 20;

fn convert(row: &Conversion, bytes: &[u8], content_type: Option<&str>) -> Converted {
    let source = Source { bytes, content_type, extension: row.extensions[0] };
    let found = row.convert(&source);
    assert!(found.markup.len() <= MOST_MARKUP, "{}: {} bytes", row.name, found.markup.len());
    if let Err(why) = markup::simple(&found.markup) {
        panic!("{}: {why} in {}", row.name, found.markup);
    }
    found
}

fn of(name: &str, bytes: &[u8]) {
    let row = FORMATS.iter().find(|row| row.name == name).expect("a format of the table");
    convert(row, bytes, None);
}

/// The first line is an extension, the rest a file.
pub fn format_any(bytes: &[u8]) {
    let (extension, file) = first_line(bytes);
    if let Some(row) = detect(file, None, &text(extension)) {
        convert(row, file, None);
    }
}

pub fn format_csv(bytes: &[u8]) {
    of("csv", bytes);
}

pub fn format_eml(bytes: &[u8]) {
    of("eml", bytes);
}

pub fn format_html(bytes: &[u8]) {
    of("html", bytes);
}

pub fn format_json(bytes: &[u8]) {
    of("json", bytes);
}

pub fn format_markdown(bytes: &[u8]) {
    of("markdown", bytes);
}

pub fn format_mbox(bytes: &[u8]) {
    of("mbox", bytes);
}

pub fn format_pdf(bytes: &[u8]) {
    of("pdf", bytes);
}

pub fn format_postscript(bytes: &[u8]) {
    of("postscript", bytes);
}

pub fn format_rtf(bytes: &[u8]) {
    of("rtf", bytes);
}

pub fn format_xml(bytes: &[u8]) {
    of("xml", bytes);
}

pub fn format_zip(bytes: &[u8]) {
    of("zip", bytes);
}

/// A package whose parts are the pieces of the input, in the order of these names.
fn packed(name: &str, names: &[&str], bytes: &[u8]) {
    let parts: Vec<_> = names.iter().copied().zip(pieces(bytes)).collect();
    of(name, &zip(&parts));
}

pub fn format_docx(bytes: &[u8]) {
    let names = [
        "word/document.xml",
        "word/styles.xml",
        "word/_rels/document.xml.rels",
        "docProps/core.xml",
        "word/footnotes.xml",
    ];
    packed("docx", &names, bytes);
}

pub fn format_pptx(bytes: &[u8]) {
    let names = [
        "ppt/slides/slide1.xml",
        "ppt/presentation.xml",
        "ppt/_rels/presentation.xml.rels",
        "ppt/slides/_rels/slide1.xml.rels",
        "ppt/notesSlides/notesSlide1.xml",
    ];
    packed("pptx", &names, bytes);
}

pub fn format_xlsx(bytes: &[u8]) {
    let names = [
        "xl/worksheets/sheet1.xml",
        "xl/sharedStrings.xml",
        "xl/styles.xml",
        "xl/workbook.xml",
        "xl/_rels/workbook.xml.rels",
    ];
    packed("xlsx", &names, bytes);
}

/// The kind of the file stands in its first part.
pub fn format_odf(bytes: &[u8]) {
    packed("odt", &["content.xml", "mimetype", "meta.xml", "styles.xml"], bytes);
    packed("ods", &["content.xml", "mimetype"], bytes);
}

pub fn format_epub(bytes: &[u8]) {
    let names = [
        "OEBPS/content.opf",
        "META-INF/container.xml",
        "OEBPS/one.xhtml",
        "OEBPS/two.xhtml",
        "mimetype",
    ];
    packed("epub", &names, bytes);
}
