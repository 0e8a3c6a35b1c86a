//! What the formats make of two documents, one of them hostile.

use super::out::Out;
use super::{ExportRecord, FORMATS};
use expect_test::expect_file;
use fyke_derive::kept::Kept;
use fyke_store::{Collection, Reason};
use fyke_web::shape::{Piece, PieceKind};
use fyke_web::{Document, PageNames, Rights, UrlId};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

fn documents() -> [Kept; 2] {
    let plain = Document {
        id: UrlId(1),
        url: "http://a.test/tides?x=1&y=2".to_owned(),
        time: 1_700_000_000_125,
        docno: String::new(),
        title: "Tides".to_owned(),
        names: PageNames::default(),
        author: "A. Author".to_owned(),
        date: "2024-03-05".to_owned(),
        site: "A test".to_owned(),
        headings: "Tides".to_owned(),
        emphasis: String::new(),
        description: String::new(),
        keywords: String::new(),
        link_titles: String::new(),
        links: Vec::new(),
        text: "The tide comes in.\nPlima pride.".to_owned(),
        shape: vec![Piece {
            end: 18,
            kind: PieceKind::Heading { level: 2, anchor: "in".to_owned() },
        }],
        comments: "First!".to_owned(),
        pages: Vec::new(),
        language: "en".to_owned(),
        languages: vec![("en".to_owned(), 70), ("sl".to_owned(), 30)],
        format: "html".to_owned(),
        charset: "UTF-8".to_owned(),
        words: 6,
        checksum: 77,
        sketch: Vec::new(),
    };
    let hostile = Document {
        id: UrlId(u64::MAX),
        url: "http://b.test/".to_owned(),
        time: 0,
        title: "a \"b\"\n</doc>\u{0}\u{1b}[31m".to_owned(),
        author: String::new(),
        date: String::new(),
        site: String::new(),
        text: "</doc></DOC>\n<DOC> & \u{0}\u{c}é 東京 \u{1F41F}\r\n\u{2028}end".to_owned(),
        shape: Vec::new(),
        comments: String::new(),
        language: "und".to_owned(),
        languages: Vec::new(),
        ..plain.clone()
    };
    let rights = Rights {
        media_type: "text/html".to_owned(),
        licences: vec!["CC BY 4.0".to_owned(), "http://a.test/l".to_owned()],
        opt_outs: vec!["noai".to_owned()],
    };
    [
        Kept {
            document: plain,
            reason: Reason::Kept,
            place: None,
            rights,
            is_private: false,
            facts: Vec::new(),
        },
        Kept {
            document: hostile,
            reason: Reason::DupExact,
            place: None,
            rights: Rights::default(),
            is_private: false,
            facts: Vec::new(),
        },
    ]
}

/// Keeps what is written to it.
#[derive(Clone, Default)]
struct KeptOutput(Arc<Mutex<Vec<u8>>>);

impl Write for KeptOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn export(name: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    let format = FORMATS.iter().find(|format| format.name == name).unwrap();
    let bytes = KeptOutput::default();
    let mut writer = (format.open)(Out::new(Box::new(bytes.clone()), false), &collection).unwrap();
    for kept in &documents() {
        let copy_of = (kept.reason == Reason::DupExact).then_some(UrlId(1));
        writer.put(&ExportRecord::of(kept, copy_of)).unwrap();
    }
    let written = writer.finish().and_then(Out::finish).unwrap();
    let bytes = bytes.0.lock().unwrap().clone();
    assert_eq!(written.bytes, bytes.len() as u64);
    bytes
}

#[test]
fn documents_are_written_as_others_expect_them() {
    let text = |name: &str| String::from_utf8(export(name)).unwrap();
    expect_file!["../../tests/data/export.jsonl"].assert_eq(&text("jsonl"));
    expect_file!["../../tests/data/export.txt"].assert_eq(&text("text"));
    expect_file!["../../tests/data/export.md"].assert_eq(&text("markdown"));
    expect_file!["../../tests/data/export.trec"].assert_eq(&text("trec"));
}

#[test]
fn every_format_gives_the_same_bytes_twice() {
    for format in FORMATS {
        assert_eq!(export(format.name), export(format.name), "{format:?}");
    }
    let parquet = export("parquet");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
}
