//! Trains the language models: `train_languages SIB200/data/annotated MODEL`; the model shipped is
//! `crates/fyke-text/data/languages.bin`.
//!
//! Reads the sentences of SIB-200 (the texts are FLORES-200, CC BY-SA 4.0), every other one from
//! the first, so that the rest measures (`language_accuracy`), and writes n-gram counts. The same
//! input gives the same bytes. Serbian is written in two scripts: its sentences are learnt in both.

use fyke_text::language::ngrams;
use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::path::Path;

/// Rows kept: those that tell most.
const ROWS: usize = 74_000;
/// As in `language.rs`.
const SMOOTHING: f64 = 0.3;

/// Code and folder; `sr` comes a second time, in Latin letters. Languages with a script to
/// themselves need no model.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str); 45] = [
    ("af", "afr_Latn"), ("ar", "arb_Arab"), ("be", "bel_Cyrl"), ("bg", "bul_Cyrl"),
    ("bs", "bos_Latn"), ("ca", "cat_Latn"), ("cs", "ces_Latn"), ("cy", "cym_Latn"),
    ("da", "dan_Latn"), ("de", "deu_Latn"), ("en", "eng_Latn"), ("es", "spa_Latn"),
    ("et", "est_Latn"), ("eu", "eus_Latn"), ("fa", "pes_Arab"), ("fi", "fin_Latn"),
    ("fr", "fra_Latn"), ("ga", "gle_Latn"), ("gl", "glg_Latn"), ("hi", "hin_Deva"),
    ("hr", "hrv_Latn"), ("hu", "hun_Latn"), ("id", "ind_Latn"), ("is", "isl_Latn"),
    ("it", "ita_Latn"), ("lt", "lit_Latn"), ("lv", "lvs_Latn"), ("mk", "mkd_Cyrl"),
    ("nl", "nld_Latn"), ("no", "nob_Latn"), ("pl", "pol_Latn"), ("pt", "por_Latn"),
    ("ro", "ron_Latn"), ("ru", "rus_Cyrl"), ("sk", "slk_Latn"), ("sl", "slv_Latn"),
    ("sq", "als_Latn"), ("sr", "srp_Cyrl"), ("sv", "swe_Latn"), ("sw", "swh_Latn"),
    ("tl", "tgl_Latn"), ("tr", "tur_Latn"), ("uk", "ukr_Cyrl"), ("ur", "urd_Arab"),
    ("vi", "vie_Latn"),
];

/// Counts of one n-gram in each model.
type Row = BTreeMap<usize, u32>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, model] = arguments.as_slice() else {
        return Err(Error::other("usage: train_languages SIB200/data/annotated MODEL"));
    };
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    let mut codes = Vec::new();
    for (code, name) in LANGUAGES {
        let text = read(Path::new(folder), name)?;
        count(&text, codes.len(), &mut rows);
        codes.push(code);
        if code == "sr" {
            count(&latin(&text), codes.len(), &mut rows);
            codes.push(code);
        }
    }
    std::fs::write(model, write(&codes, &best(rows, codes.len())))
}

/// The sentences to learn from.
fn read(folder: &Path, name: &str) -> Result<String> {
    let file = std::fs::read_to_string(folder.join(name).join("test.tsv"))?;
    let sentences = file.lines().skip(1).step_by(2).filter_map(|line| line.split('\t').nth(2));
    Ok(sentences.collect::<Vec<_>>().join("\n"))
}

fn count(text: &str, model: usize, rows: &mut BTreeMap<u32, Row>) {
    ngrams(text, |key| *rows.entry(key).or_default().entry(model).or_default() += 1);
}

/// The rows that tell most: by what the sightings of an n-gram add to the scores of its languages
/// above the mean of all.
fn best(rows: BTreeMap<u32, Row>, models: usize) -> BTreeMap<u32, Row> {
    let weight = |count: u32| (f64::from(count) / SMOOTHING).ln_1p();
    let gain = |row: &Row| -> f64 {
        let mean = row.values().map(|&count| weight(count)).sum::<f64>() / models as f64;
        row.values().map(|&count| f64::from(count) * (weight(count) - mean)).sum()
    };
    let mut rated: Vec<_> = rows.into_iter().map(|(key, row)| (gain(&row), key, row)).collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    rated.into_iter().take(ROWS).map(|(_, key, row)| (key, row)).collect()
}

/// The format is told in `language.rs`, where it is read.
fn write(codes: &[&str], rows: &BTreeMap<u32, Row>) -> Vec<u8> {
    let mut bytes = codes.join(" ").into_bytes();
    bytes.push(b'\n');
    let mut before = 0;
    for (&key, row) in rows {
        let mut gap = key - before;
        while gap > 127 {
            bytes.push(gap as u8 | 128);
            gap >>= 7;
        }
        bytes.extend([gap as u8, row.len() as u8]);
        for (&model, &count) in row {
            match count {
                1..=3 => bytes.push(model as u8 | (count as u8) << 6),
                _ => bytes.extend([model as u8, count.min(255) as u8]),
            }
        }
        before = key;
    }
    bytes
}

/// Serbian Cyrillic in Latin letters.
fn latin(text: &str) -> String {
    const CYRILLIC: &str = "абвгдђежзијклљмнњопрстћуфхцчџш";
    const LATIN: [&str; 30] = [
        "a", "b", "v", "g", "d", "đ", "e", "ž", "z", "i", "j", "k", "l", "lj", "m", "n", "nj", "o",
        "p", "r", "s", "t", "ć", "u", "f", "h", "c", "č", "dž", "š",
    ];
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match CYRILLIC.chars().position(|letter| letter == c) {
            Some(place) => out.push_str(LATIN[place]),
            None => out.push(c),
        }
    }
    out
}
