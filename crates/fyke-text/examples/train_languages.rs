//! Trains the shipped language model: `train_languages SIB200/data/annotated POOL.jsonl.gz MODEL`.
//!
//! Of SIB-200 (the texts are FLORES-200, CC BY-SA 4.0) every other sentence is learnt, from the
//! first; the rest measures (`fyke bench language`). The pool is JSON lines {lang, source, text}; its
//! rows from SIB-200 are left out, since they may be sentences that measure. The same input gives
//! the same bytes. Serbian is written in two scripts: its sentences are learnt in both.

use flate2::read::MultiGzDecoder;
use fyke_text::language::Trainer;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Error, Result};
use std::path::Path;

/// Code and folder of each language; those behind the remark are known by their script.
const LANGUAGES: &str = include_str!("../data/sib200.txt");

fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let learnt = LANGUAGES.lines().take_while(|line| !line.starts_with('#'));
    learnt.filter_map(|line| line.split_once(' '))
}

/// Languages that get a closer look.
const RIVALS: [&[&str]; 3] = [&["bs", "hr", "sr"], &["id", "ms"], &["da", "nn", "no"]];
/// Groups whose languages share only these sources of the pool: of others one would learn to tell
/// genres apart, not languages.
const SHARED: [(&[&str], &[&str]); 2] = [(&["id", "ms"], &["dslcc"]), (&["da", "nn", "no"], &[])];

/// Bytes learnt from one source of the pool, so that none outweighs the others.
const MOST_OF_A_SOURCE: usize = 250_000;
/// The same for manuals, scripture and machine translations, which are unlike other text.
const MOST_OF_A_MANUAL: usize = 10_000;
const MANUALS: [&str; 5] = ["d-i", "ebible", "erddap-mt", "gmodebate", "lohelp"];
/// Sentences of SIB-200 are read so often, to weigh beside the pool.
const TURNS: usize = 6;

#[derive(Deserialize)]
struct Row {
    lang: String,
    source: String,
    text: String,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pool, model] = arguments.as_slice() else {
        let usage = "usage: train_languages SIB200/data/annotated POOL.jsonl.gz MODEL";
        return Err(Error::other(usage));
    };
    let groups = RIVALS.iter().map(|group| group.iter().map(ToString::to_string).collect());
    let mut trainer = Trainer::new(groups.collect());
    for (code, name) in languages() {
        for sentence in sentences(Path::new(folder), name)? {
            for _ in 0..TURNS {
                learn(&mut trainer, code, &sentence);
            }
        }
    }
    read_pool(Path::new(pool), &mut trainer)?;
    std::fs::write(model, trainer.finish())
}

fn learn(trainer: &mut Trainer, code: &str, text: &str) {
    trainer.add(code, text);
    if code == "sr" && text.contains('а') {
        trainer.add(code, &latin(text));
    }
}

/// The sentences to learn from.
fn sentences(folder: &Path, name: &str) -> Result<Vec<String>> {
    let file = std::fs::read_to_string(folder.join(name).join("test.tsv"))?;
    let learnt = file.lines().skip(1).step_by(2).filter_map(|line| line.split('\t').nth(2));
    Ok(learnt.map(str::to_owned).collect())
}

fn read_pool(path: &Path, trainer: &mut Trainer) -> Result<()> {
    let mut taken: HashMap<(String, String), usize> = HashMap::new();
    for line in BufReader::new(MultiGzDecoder::new(File::open(path)?)).lines() {
        let row: Row = serde_json::from_str(&line?)?;
        let code = if row.lang == "nb" { "no" } else { row.lang.as_str() };
        if !languages().any(|known| known.0 == code) || !is_fit(code, &row.source) {
            continue;
        }
        let manual = MANUALS.contains(&row.source.as_str());
        let most = if manual { MOST_OF_A_MANUAL } else { MOST_OF_A_SOURCE };
        let taken = taken.entry((code.to_owned(), row.source)).or_default();
        if *taken < most {
            *taken += row.text.len();
            learn(trainer, code, &row.text);
        }
    }
    Ok(())
}

/// Whether a language may be learnt from a source. The Serbian Bible is in a broken encoding.
fn is_fit(code: &str, source: &str) -> bool {
    let shared = SHARED.iter().find(|(group, _)| group.contains(&code));
    let outside = shared.is_some_and(|row| !row.1.iter().any(|name| source.starts_with(name)));
    source != "sib200" && !(source == "ebible" && code == "sr") && !outside
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
