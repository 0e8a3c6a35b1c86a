//! What files cost. Every loop whose length a file decides pays for what it does, so that steps bound the time; work
//! that was forgotten here would take minutes.

use super::build::{page, pdf, stream};
use crate::budget::MOST_STEPS;
use crate::pdf::fuel::Fuel;
use crate::pdf::read;

const CATALOG: &str = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES: &str = "<< /Type /Pages /Kids [3 0 R] >>";
const CUT: &str = "too large: cut at a limit";

/// Steps that reading a file takes.
fn steps(bytes: &[u8]) -> u64 {
    let fuel = Fuel::default();
    read(bytes, &fuel);
    MOST_STEPS - fuel.left()
}

/// Holds a file that would cost without end to a few steps.
fn is_cut(what: &str, bytes: &[u8]) {
    let converted = read(bytes, &Fuel::of(1_000_000));
    assert_eq!(converted.trouble, CUT, "{what}");
}

/// A page that chooses these fonts one after the other and shows a letter in each; `rest` are the objects from
/// number 5 on.
fn with_fonts(fonts: &[String], rest: &[&str]) -> Vec<u8> {
    let name = |(number, font): (usize, &String)| format!("/F{number} {font}");
    let names: Vec<String> = fonts.iter().enumerate().map(name).collect();
    let resources = format!("/Resources << /Font << {} >> >>", names.join(" "));
    let shown: Vec<String> = (0..fonts.len()).map(|n| format!("/F{n} 9 Tf (A) Tj")).collect();
    let content = stream("", &format!("BT 72 700 Td {} ET", shown.join(" ")));
    let page = format!("<< /Type /Page /Contents 4 0 R {resources} >>");
    let mut objects = vec![CATALOG, PAGES, &page, &content];
    objects.extend(rest);
    pdf(&objects)
}

/// A TrueType font, written in hexadecimal: a `cmap` whose rows each lead to a table of their own of all
/// characters there are.
fn truetype(rows: u8) -> String {
    let mut font = vec![0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    font.extend(b"cmap\0\0\0\0\0\0\0\x1C\0\0\xFF\xFF");
    font.extend([0, 0, 0, rows]);
    for row in 0..rows {
        font.extend([0, 3, 0, 1, 0, 0]);
        font.extend((4 + 8 * u16::from(rows) + 32 * u16::from(row)).to_be_bytes());
    }
    for _ in 0..rows {
        // Format 4, one segment from 0 to 0xFFFE.
        font.extend([
            0, 4, 0, 32, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0xFF, 0xFE, 0, 0, 0, 0, 0, 1, 0, 0,
        ]);
        font.extend([0; 8]);
    }
    let hex: String = font.iter().map(|byte| format!("{byte:02x}")).collect();
    stream("/Filter /ASCIIHexDecode", &hex)
}

#[test]
fn an_embedded_font_is_paid_by_its_characters_and_read_once() {
    let font = "<< /Subtype /TrueType /BaseFont /A /FontDescriptor << /FontFile2 5 0 R >> >>";
    let of = |fonts: usize, rows: u8| {
        steps(&with_fonts(&vec![font.to_owned(); fonts], &[&truetype(rows)]))
    };
    let (one, two) = (of(1, 1), of(1, 2));
    assert!(two - one > 0xFFFF, "characters are not paid: {one} and {two} steps");
    assert!(of(1, 60) < 8 * one, "tables without end");
    let (ten, twenty) = (of(10, 2), of(20, 2));
    assert!(twenty - ten < 10 * 2_000, "a font is read again: {ten} and {twenty} steps");
}

#[test]
fn names_of_differences_are_paid_by_every_font_that_has_them() {
    let names = format!("[{}]", "0 /a ".repeat(10_000));
    let font = "<< /Subtype /Type1 /BaseFont /A /Encoding << /Differences 5 0 R >> >>";
    let of = |fonts: usize| steps(&with_fonts(&vec![font.to_owned(); fonts], &[&names]));
    assert!(of(3) - of(2) > 20_000, "{} and {} steps", of(2), of(3));
}

#[test]
fn ranges_of_widths_cost_what_is_written() {
    let font = "<< /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /W 5 0 R >>] >>";
    let of = |ranges: usize| {
        let widths = format!("[{}]", "0 65535 1 ".repeat(ranges));
        steps(&with_fonts(&[font.to_owned()], &[&widths]))
    };
    // Written out, these would be two billion widths.
    let (few, many) = (of(1_000), of(31_000));
    assert!(many - few < 30_000 * 50, "{few} and {many} steps");
    let single = format!("[0 [{}]]", "1 ".repeat(20_000));
    let fonts = |count: usize| steps(&with_fonts(&vec![font.to_owned(); count], &[&single]));
    assert!(fonts(3) - fonts(2) > 20_000, "single widths are not paid");
}

#[test]
fn texts_of_codes_are_paid_by_what_is_kept() {
    let font = "<< /Subtype /Type1 /BaseFont /A /ToUnicode 5 0 R >>";
    let of = |codes: usize| {
        let rows: String = (0..codes).map(|code| format!("<{code:08x}><0041>")).collect();
        steps(&with_fonts(&[font.to_owned()], &[&stream("", &format!("{rows} endbfchar"))]))
    };
    let (few, many) = (of(1_000), of(11_000));
    assert!(many - few > 10_000 * 8, "{few} and {many} steps");
    assert!(of(200_000) - of(100_000) < 10 * 100_000, "codes without end are kept");
}

#[test]
fn code_spaces_are_searched_by_halves() {
    let spaces: String = (0..30_000).map(|n| format!("<{:06x}> <{:06x}> ", 2 * n, 2 * n)).collect();
    let cmap = stream("", &format!("{spaces} endcodespacerange"));
    let font = "<< /Subtype /Type0 /Encoding 5 0 R /DescendantFonts [<< >>] >>";
    let text = "F".repeat(600_000);
    let content = stream("", &format!("BT /F0 9 Tf 72 700 Td <{text}> Tj ET"));
    let page = format!("<< /Type /Page /Contents 4 0 R /Resources << /Font << /F0 {font} >> >> >>");
    // One by one these would be nine billion comparisons.
    let file = pdf(&[CATALOG, PAGES, &page, &content, &cmap]);
    assert!(steps(&file) < 2_000_000);
}

#[test]
fn what_is_used_again_and_again_is_paid_every_time() {
    let blank = " ".repeat(1 << 20);
    let forms = "<< /Type /Page /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>";
    let form = stream("/Type /XObject /Subtype /Form", &blank);
    let calls = stream("", &"/X Do ".repeat(50_000));
    is_cut("forms of nothing", &pdf(&[CATALOG, PAGES, forms, &calls, &form]));

    let text = "x".repeat(1 << 20);
    let marks = "<< /Type /Page /Contents 4 0 R /Resources << /Properties << /M << /ActualText 5 0 R >> >> >> >>";
    let calls = stream("", &"/Span /M BDC EMC ".repeat(50_000));
    is_cut("texts instead of glyphs", &pdf(&[CATALOG, PAGES, marks, &calls, &format!("({text})")]));

    let glyphs =
        format!("BT /F1 9 Tf -99999 0 Td {} ET", "(xxxxxxxxxxxxxxxxxxxx) Tj ".repeat(60_000));
    is_cut("glyphs beside the page", &page(&glyphs));

    let kids = format!("[{}]", "<< /Kids 3 0 R >> ".repeat(1_000));
    is_cut("pages inside each other", &pdf(&[CATALOG, "<< /Kids 3 0 R >>", &kids]));
}

#[test]
fn rows_of_tables_are_paid() {
    let rows = "00".repeat(2_000_000);
    let entries = "/Type /XRef /W [0 1 0] /Size 2000000 /Filter /ASCIIHexDecode";
    let table = format!("%PDF-1.5\n1 0 obj\n{}\nendobj\nstartxref\n9\n", stream(entries, &rows));
    is_cut("rows", table.as_bytes());
}

#[test]
fn comments_without_end_are_paid() {
    is_cut("trailers in one comment", "trailer%".repeat(200_000).as_bytes());
}

#[test]
fn long_lists_of_numbers_are_not_read_for_every_page() {
    let boxes = format!("[{}]", "1 ".repeat(100_000));
    let page = "<< /Type /Page /MediaBox 4 0 R /CropBox 4 0 R >> ".repeat(4_000);
    let tree = format!("<< /Type /Pages /Kids [{page}] >>");
    assert!(steps(&pdf(&[CATALOG, &tree, "null", &boxes])) < 4_000_000);
}
