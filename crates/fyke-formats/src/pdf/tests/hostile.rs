//! Files made to do harm: loops, bombs, lies, and mutations of good ones. Nothing may panic, and
//! everything ends at its limits.

use super::build::{page, pages, pdf, stream, with_xref_stream};
use super::convert;
use crate::pdf::fuel::Fuel;
use crate::pdf::read;
use flate2::{Compression, write::ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;

const CATALOG: &str = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES: &str = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE: &str = "<< /Type /Page /Contents 4 0 R /Resources << /Font << /F1 << /Subtype /Type1 \
                    /BaseFont /Helvetica >> >> /XObject << /X 5 0 R /Y 6 0 R >> >> >>";

/// Reads a file and looks whether what comes out is whole and small.
fn harmless(bytes: &[u8]) {
    let converted = convert(bytes);
    let count = |what: &str| converted.markup.matches(what).count();
    assert_eq!(count("<section data-page="), count("</section>"));
    assert!(converted.markup.len() < 1 << 20, "{} bytes", converted.markup.len());
}

#[test]
fn a_page_tree_that_contains_itself_ends() {
    let kids = "<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R 3 0 R] >>";
    let converted = convert(&pdf(&[CATALOG, kids, "<< /Type /Page >>"]));
    assert_eq!(converted.markup.matches("<section").count(), 1);
}

#[test]
fn tables_that_lead_to_each_other_end() {
    let text = String::from_utf8(page("BT /F1 12 Tf 72 700 Td (x) Tj ET")).unwrap();
    let at = text.rfind("xref\n0").unwrap();
    let looped = text.replace("/Size", &format!("/Prev {at} /XRefStm {at} /Size"));
    assert!(convert(looped.as_bytes()).markup.contains("<p>x</p>"));
}

#[test]
fn forms_that_draw_themselves_end() {
    let form = |call: &str| {
        let content = format!("BT /F1 9 Tf 9 9 Td (x) Tj ET {}", call.repeat(50));
        stream("/Type /XObject /Subtype /Form", &content)
    };
    let content = stream("", "/X Do /Y Do");
    let file = pdf(&[CATALOG, PAGES, PAGE, &content, &form("/X Do /Y Do "), &form("/X Do ")]);
    let converted = read(&file, &Fuel::of(200_000));
    assert_eq!(converted.trouble, "too large: cut at a limit");
}

#[test]
fn an_object_stream_inside_itself_is_nothing() {
    let bundle = stream("/Type /ObjStm /N 1 /First 4", "4 0 << /Type /Catalog >>");
    harmless(&with_xref_stream(&[(4, &bundle)], &[(1, 4, 0), (4, 4, 0), (2, 4, 9)]));
    harmless(&with_xref_stream(&[], &[(1, 4, 0), (4, 1, 0)]));
}

#[test]
fn an_object_that_is_a_reference_to_itself_is_nothing() {
    harmless(&pdf(&["1 0 R", "3 0 R", "2 0 R"]));
    harmless(&pdf(&[
        CATALOG,
        PAGES,
        "<< /Type /Page /Contents 4 0 R >>",
        "<< /Length 4 0 R >> stream\nx\nendstream",
    ]));
}

#[test]
fn a_bomb_is_cut() {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b' '; 40 << 20]).unwrap();
    let hex: String = encoder.finish().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    let content = stream("/Filter [/ASCIIHexDecode /FlateDecode]", &hex);
    let converted = convert(&pdf(&[CATALOG, PAGES, PAGE, &content]));
    assert_eq!(converted.trouble, "too large: cut at a limit");
}

#[test]
fn depth_of_syntax_is_bounded() {
    for open in ["[", "<<", "<</a", "(", "[<</a"] {
        harmless(open.repeat(100_000).as_bytes());
        harmless(&pdf(&[CATALOG, &open.repeat(100_000)]));
        harmless(&pdf(&[CATALOG, PAGES, PAGE, &stream("", &open.repeat(100_000))]));
    }
    harmless(&pdf(&[CATALOG, PAGES, PAGE, &stream("", &"q ".repeat(100_000))]));
    harmless(&pdf(&[
        CATALOG,
        PAGES,
        PAGE,
        &stream("", &"/Span <</ActualText (x)>> BDC ".repeat(10_000)),
    ]));
}

#[test]
fn numbers_that_lie_do_no_harm() {
    for lie in ["-1", "99999999999999999999", "1e9", "4294967295", "0.5", "null", "[]"] {
        let content =
            format!("<< /Length {lie} >>\nstream\nBT /F1 12 Tf 72 700 Td (x) Tj ET\nendstream");
        let converted = convert(&pdf(&[CATALOG, PAGES, PAGE, &content]));
        assert!(converted.markup.contains("<p>x</p>"), "{lie}: {converted:?}");
        let drawn = format!(
            "BT /F1 {lie} Tf {lie} {lie} Td {lie} Tz (x) Tj {lie} 0 0 {lie} 0 0 cm (x) Tj ET"
        );
        harmless(&pdf(&[CATALOG, PAGES, PAGE, &stream("", &drawn)]));
        let xref = format!(
            "xref\n{lie} {lie}\n0 0 n\ntrailer << /Size {lie} /Prev {lie} >>\nstartxref\n0\n"
        );
        harmless(xref.as_bytes());
        let bundle = format!(
            "<< /Type /ObjStm /N {lie} /First {lie} /W [{lie} {lie} {lie}] /Index [0 {lie}] >>\nstream\n1 0\nendstream"
        );
        harmless(&pdf(&[&bundle, PAGES, PAGE]));
    }
}

/// Good files to begin with.
fn seeds() -> Vec<Vec<u8>> {
    let text = "BT /F1 12 Tf 14 TL 72 700 Td (some words) Tj T* [(of) -300 (a text)] TJ ET /X1 Do";
    let fonts = "BT /F2 12 Tf 72 700 Td (\\001) Tj /F3 12 Tf <00010002> Tj /F4 9 Tf <93FA> Tj ET";
    let bundle = stream("/Type /ObjStm /N 1 /First 4", "1 0 << /Type /Catalog /Pages 3 0 R >>");
    vec![
        page(text),
        page(fonts),
        pages(&[text.to_owned(), fonts.to_owned(), text.to_owned()]),
        super::build::encrypted(text),
        with_xref_stream(&[(3, PAGES), (4, &bundle)], &[(1, 4, 0)]),
    ]
}

#[test]
fn a_file_cut_anywhere_does_no_harm() {
    for seed in seeds() {
        for length in 0..seed.len() {
            harmless(&seed[..length]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        harmless(&bytes);
        harmless(&[b"%PDF-1.4\n1 0 obj\n", &bytes[..]].concat());
    }

    #[test]
    fn any_content_does_no_harm(content in "[ -~]{0,200}") {
        harmless(&pdf(&[CATALOG, PAGES, PAGE, &stream("", &content)]));
    }

    #[test]
    fn mutated_files_do_no_harm(
        seed in 0usize..5,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..12),
    ) {
        let mut bytes = seeds().swap_remove(seed);
        for (place, byte, kind) in changes {
            let at = place.index(bytes.len().max(1));
            match kind {
                0 => bytes.insert(at.min(bytes.len()), byte),
                1 if at < bytes.len() => { bytes.remove(at); }
                2 => {
                    let piece = bytes[at..bytes.len().min(at + usize::from(byte))].to_vec();
                    let to = usize::from(byte) * 7 % bytes.len().max(1);
                    bytes.splice(to..to, piece);
                }
                _ => if let Some(old) = bytes.get_mut(at) { *old = byte; },
            }
        }
        harmless(&bytes);
    }
}
