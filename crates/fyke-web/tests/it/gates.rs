//! Floors of quality on samples of our own, pinned in `gates.toml`: the main text of hand-made pages, and
//! texts in many encodings.

use crate::capture;
use crate::floors::hold;
use encoding_rs::Encoding;
use fyke_eval::extraction::{average, overlap};
use fyke_formats::parse;
use fyke_web::document::content;
use fyke_web::{REFINERS, charset};
use std::path::Path;

/// A page and its text, which stands below a line of five equals signs.
fn pages() -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pages");
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of the pages") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let file = std::fs::read_to_string(&path).expect("a page");
        let (html, text) = file.split_once("\n=====\n").expect("a page and its text");
        pages.push((name, html.to_owned(), text.to_owned()));
    }
    pages.sort();
    pages
}

#[test]
fn the_main_text_of_pages_of_every_type_keeps_above_the_gate() {
    let pages = pages();
    let (mut all, mut shown, mut types) = (Vec::new(), Vec::new(), 0);
    for (name, html, text) in &pages {
        let url = format!("http://a.test/{name}");
        let page = capture(&url, "Content-Type: text/html; charset=utf-8", html.as_bytes());
        let found = content(&page, &parse(&page), &REFINERS[0]);
        let overlap = overlap(text, &found.text);
        let wanted = name.split('-').next().unwrap_or_default();
        let is_type = found.genre.name() == wanted;
        types += u32::from(is_type);
        shown.push(format!("{name}: {:.3} {:?}", average(&[overlap]).f1, found.genre));
        all.push(overlap);
    }
    hold("extraction", "pages", pages.len() as f64, &shown);
    hold("extraction", "f1", average(&all).f1, &shown);
    hold("extraction", "types_right", f64::from(types), &shown);
}

/// Sentences written for the tests, a line each behind its code.
const SENTENCES: &str = include_str!("../../../fyke-text/tests/data/sentences.txt");

/// Languages and the encodings they are met in.
const ENCODED: [(&str, &str); 14] = [
    ("fr es pt it de nl da sv fi", "windows-1252"),
    ("fr de is", "macintosh"),
    ("pl cs sk sl hu ro", "windows-1250"),
    ("pl cs sk sl hu", "iso-8859-2"),
    ("ru uk bg sr mk be", "windows-1251"),
    ("ru bg", "koi8-r"),
    ("uk", "koi8-u"),
    ("el", "windows-1253"),
    ("tr", "windows-1254"),
    ("he", "windows-1255"),
    ("lt lv et", "windows-1257"),
    ("ja", "shift_jis euc-jp iso-2022-jp"),
    ("zh", "gbk gb18030"),
    ("ko", "euc-kr"),
];

#[test]
fn texts_in_many_encodings_keep_above_the_gate() {
    let (mut labelled, mut detected, mut all, mut shown) = (0, 0, 0, Vec::new());
    for (codes, labels) in ENCODED {
        for (code, label) in codes.split(' ').flat_map(|c| labels.split(' ').map(move |l| (c, l))) {
            let line = SENTENCES.lines().find_map(|line| line.strip_prefix(&format!("{code} ")));
            let text = line.expect("a sentence");
            let encoding = Encoding::for_label(label.as_bytes()).expect("an encoding");
            let (bytes, _, has_gaps) = encoding.encode(text);
            if has_gaps {
                shown.push(format!("{code} has letters that {label} has not"));
                continue;
            }
            all += 1;
            let header = format!("text/plain; charset={label}");
            labelled += u32::from(charset::decode(&bytes, Some(&header)) == text);
            let found = charset::read((&*bytes).into(), None);
            detected += u32::from(found.text == text);
            if found.text != text {
                shown.push(format!("{code} in {label}: taken for {}", found.charset));
            }
        }
    }
    hold("encodings", "samples", f64::from(all), &shown);
    hold("encodings", "share_right_with_labels", f64::from(labelled) / f64::from(all), &shown);
    hold("encodings", "share_right_without_labels", f64::from(detected) / f64::from(all), &shown);
}
