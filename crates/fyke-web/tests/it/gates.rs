//! Floors of quality on samples of our own, pinned in `gates.toml`: the main text of hand-made pages,
//! the words of a file of every format, and texts in many encodings.

use crate::{capture, samples};
use encoding_rs::Encoding;
use fyke_eval::extraction::{average, overlap, word_recall};
use fyke_web::document::content;
use fyke_web::{REFINERS, charset, parse, refine_by};
use std::path::Path;

/// The floor of a figure.
#[track_caller]
fn least(table: &str, figure: &str) -> f64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gates.toml");
    let gates: toml::Table =
        std::fs::read_to_string(path).expect("the gates").parse().expect("a table");
    let value = &gates[table]["least"][figure];
    value.as_float().or(value.as_integer().map(|whole| whole as f64)).expect("a number")
}

/// Holds a figure to its floor; `worst` says where to look.
#[track_caller]
fn hold(table: &str, figure: &str, reached: f64, worst: &[String]) {
    let floor = least(table, figure);
    assert!(reached >= floor, "{table}: {figure} {reached:.4} is below {floor}: {worst:#?}");
}

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

/// What the sample of each format says.
const SAID: [(&str, &str); 20] = [
    ("docx", "The eel Long and thin first a b c link end a note"),
    ("pptx", "First the eel say it Second the pike"),
    ("xlsx", "Fish eel pike 2024 03 05 2.5 TRUE in"),
    ("odt", "The eel a bold b note one link x y"),
    ("ods", "Fish eel 2 2"),
    ("odp", "eel pike"),
    ("epub", "One eel pike"),
    ("eml", "The žaba plain žaba and more a b 1 2"),
    ("mbox", "The žaba plain žaba and more a b 1 2 Re From there"),
    ("rtf", "The žaba ž a b"),
    ("markdown", "The eel a b c x y 1 2 code"),
    ("pdf", "The eel"),
    ("postscript", "The eel"),
    ("csv", "name size eel long 1,5 pike 2"),
    ("json", "the eel pike žaba"),
    ("xml", "eel pike raw"),
    ("html", "The eel long and thin"),
    ("text", "the eel the pike"),
    ("zip", "The eel a b c x y 1 2 code The eel Long and thin first a b c link end a note"),
    ("gzip", "The žaba ž a b"),
];

#[test]
fn the_words_of_every_format_keep_above_the_gate() {
    let samples = samples::all();
    let whole = REFINERS.iter().find(|row| row.name == "whole").expect("the whole text");
    let (mut sum, mut shown) = (0.0, Vec::new());
    for (name, bytes) in &samples {
        let (_, said) = SAID.iter().find(|row| row.0 == *name).expect("its words");
        let extension = match *name {
            "markdown" => "md",
            "postscript" => "ps",
            "text" => "txt",
            "gzip" => "rtf.gz",
            other => other,
        };
        let file = capture(&format!("http://a.test/x.{extension}"), "", bytes);
        let found = refine_by(&file, &parse(&file), whole).text;
        let recall = word_recall(said, &found);
        sum += recall;
        if recall < 1.0 {
            shown.push(format!("{name}: {recall:.3} {found:?}"));
        }
    }
    hold("formats", "formats", samples.len() as f64, &shown);
    hold("formats", "word_recall", sum / samples.len() as f64, &shown);
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
            labelled += u32::from(charset::decode(&bytes, Some(&header)).0 == text);
            let (found, name) = charset::decode(&bytes, None);
            detected += u32::from(found == text);
            if found != text {
                shown.push(format!("{code} in {label}: taken for {name}"));
            }
        }
    }
    hold("encodings", "samples", f64::from(all), &shown);
    hold("encodings", "share_right_with_labels", f64::from(labelled) / f64::from(all), &shown);
    hold("encodings", "share_right_without_labels", f64::from(detected) / f64::from(all), &shown);
}
