//! Floors of quality on samples of our own, pinned in `gates.toml`: the words of a file of every format.

use crate::floors::hold;
use crate::{capture, samples};
use fyke_eval::extraction::word_recall;
use fyke_formats::parse;
use fyke_web::{REFINERS, refine_by};

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
        let file = capture(&format!("http://a.test/x.{extension}"), bytes);
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
