//! Trains the shipped language model: `train_languages SIB200/data/annotated POOL.jsonl.gz MODEL`.
//!
//! Of SIB-200 (the texts are FLORES-200, CC BY-SA 4.0) its training and development parts are learnt,
//! which are rows of the pool, and of its test part every other sentence, from the first; the rest
//! measures (`cargo bench-fyke language`). The pool is JSON lines {id, lang, source, text}; every tenth news
//! excerpt of a language measures too. The same input gives the same bytes. Serbian is written in two
//! scripts: its sentences are learnt in both.
//!
//! A number from 0 to 4 behind the model sets a fifth of the learnt sentences of SIB-200 aside and says
//! how many of them are told: so settings are chosen, never by what measures.

use flate2::read::MultiGzDecoder;
use fyke_text::language::{LanguageModel, LanguageTrainer, Languages};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Error, Result, Write as _};
use std::path::Path;

/// Code and folder of each language; those behind the remark are known by their script.
const LANGUAGES: &str = include_str!("../data/sib200.txt");

fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let learnt = LANGUAGES.lines().take_while(|line| !line.starts_with('#'));
    learnt.filter_map(|line| line.split_once(' '))
}

/// Languages that get a closer look.
const RIVALS: [&[&str]; 4] =
    [&["bs", "hr", "sl", "sr"], &["id", "ms"], &["da", "nn", "no"], &["xh", "zu"]];
/// Groups whose languages share only these sources of the pool: of others one would learn to tell
/// genres apart, not languages.
const SHARED: [(&[&str], &[&str]); 2] =
    [(&["id", "ms"], &[NEWS, PHRASES]), (&["da", "nn", "no"], &["lo", PHRASES])];

/// Bytes learnt from one source of the pool, so that none outweighs the others.
const MOST_OF_A_SOURCE: usize = 250_000;
/// The same for manuals, scripture and machine translations, which are unlike other text.
const MOST_OF_A_MANUAL: usize = 10_000;
/// The same for what programs say (LibreOffice's labels and hints), of which many languages have the same.
const MOST_OF_LABELS: usize = 60_000;
/// Bytes of lists of words with their frequencies.
const MOST_OF_WORDS: usize = 400_000;
/// Those lists, and a few words of them at a time.
const WORDS: &str = "wordfreq";
const PHRASES: &str = "phrases";
const MANUALS: [&str; 5] = ["d-i", "ebible", "erddap-mt", "gmodebate", "lohelp"];
/// Sentences of SIB-200 are read so often, to weigh beside the pool.
const TURNS: usize = 6;
/// Of so many news excerpts of a language the last is never learnt.
const NEWS_HELD_OUT: usize = 10;
const NEWS: &str = "dslcc";
/// Parts that the sentences of SIB-200 are divided into while settings are chosen.
const PARTS: usize = 5;

#[derive(Deserialize)]
struct Row {
    id: String,
    lang: String,
    source: String,
    text: String,
}

/// What is learnt, and what is set aside to be asked.
struct School {
    trainer: LanguageTrainer,
    /// The part of the sentences of SIB-200 that is set aside.
    part: Option<usize>,
    aside: Vec<(String, String)>,
    /// What measures; a few sentences stand in two parts.
    held_out: HashSet<String>,
    /// Bytes learnt by language and source.
    taken: HashMap<(String, String), usize>,
    /// News excerpts seen of each language.
    news: HashMap<String, usize>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pools, model, part @ ..] = arguments.as_slice() else {
        let usage = "usage: train_languages SIB200/data/annotated POOL.jsonl.gz,… MODEL [PART]";
        return Err(Error::other(usage));
    };
    let part = part.first().map(|part| part.parse().map_err(Error::other)).transpose()?;
    let mut school = School::new(part);
    for (code, name) in languages() {
        let file = std::fs::read_to_string(Path::new(folder).join(name).join("test.tsv"))?;
        let sentences = || file.lines().skip(1).filter_map(|line| line.split('\t').nth(2));
        school.held_out.extend(sentences().skip(1).step_by(2).map(bare));
        let learnt = sentences().step_by(2).enumerate();
        learnt.for_each(|(number, text)| school.sentence(code, number, text));
    }
    for pool in pools.split(',') {
        for line in BufReader::new(MultiGzDecoder::new(File::open(pool)?)).lines() {
            school.read(&serde_json::from_str(&line?)?);
        }
    }
    let bytes = school.trainer.finish();
    std::fs::write(model, &bytes)?;
    examine(bytes, &school.aside)
}

impl School {
    fn new(part: Option<usize>) -> School {
        let groups = RIVALS.iter().map(|group| group.iter().map(ToString::to_string).collect());
        let trainer = LanguageTrainer::new(groups.collect());
        School {
            trainer,
            part,
            aside: Vec::new(),
            held_out: HashSet::new(),
            taken: HashMap::new(),
            news: HashMap::new(),
        }
    }

    fn learn(&mut self, code: &str, text: &str, is_shared: bool) {
        let learn = if is_shared { LanguageTrainer::add } else { LanguageTrainer::add_aside };
        learn(&mut self.trainer, code, text);
        if code == "sr" && text.contains('а') {
            learn(&mut self.trainer, code, &latin(text));
        }
    }

    /// Learns a sentence of SIB-200, or sets it aside.
    fn sentence(&mut self, code: &str, number: usize, text: &str) {
        if self.part == Some(number % PARTS) {
            self.aside.push((code.to_owned(), text.to_owned()));
            return;
        }
        // What tells rivals apart is not surer for being read again.
        (0..TURNS).for_each(|turn| self.learn(code, text, turn == 0));
    }

    /// Learns a row of the pool, if it may be learnt.
    fn read(&mut self, row: &Row) {
        let code = if row.lang == "nb" { "no" } else { row.lang.as_str() };
        if !languages().any(|known| known.0 == code) || self.held_out.contains(&bare(&row.text)) {
            return;
        }
        if row.source == "sib200" {
            if let Some(number) = number(&row.id) {
                self.sentence(code, number, &row.text);
            }
            return;
        }
        // That Bible is in a broken encoding.
        if code == "sr" && row.source == "ebible" || self.is_held_out(row) {
            return;
        }
        let manual = MANUALS.contains(&row.source.as_str());
        let most = match row.source.as_str() {
            "lo" | "lo-latin" => MOST_OF_LABELS,
            WORDS | PHRASES => MOST_OF_WORDS,
            _ if manual => MOST_OF_A_MANUAL,
            _ => MOST_OF_A_SOURCE,
        };
        let taken = self.taken.entry((code.to_owned(), row.source.clone())).or_default();
        if *taken < most {
            *taken += row.text.len();
            self.learn(code, &row.text, is_shared(code, &row.source));
        }
    }

    fn is_held_out(&mut self, row: &Row) -> bool {
        if !row.source.starts_with(NEWS) {
            return false;
        }
        let count = self.news.entry(row.lang.clone()).or_default();
        *count += 1;
        count.is_multiple_of(NEWS_HELD_OUT)
    }
}

/// A text without what differs between copies of it.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The number of a sentence of the training or the development part of SIB-200; those of its test
/// part have none here.
fn number(id: &str) -> Option<usize> {
    let (_, file) = id.rsplit_once('/')?;
    let number = file.strip_prefix("train.tsv").or(file.strip_prefix("dev.tsv"))?;
    number.parse().ok()
}

/// Says what became of the sentences set aside: of each language, how many were told to be in which.
fn examine(model: Vec<u8>, aside: &[(String, String)]) -> Result<()> {
    let languages = Languages::only(LanguageModel::read(model).map_err(Error::other)?);
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (code, text) in aside {
        *counts.entry((code, languages.identify(text).code)).or_default() += 1;
    }
    for ((code, said), count) in counts {
        writeln!(std::io::stdout(), "{code} {said} {count}")?;
    }
    Ok(())
}

/// Whether all rivals of a language have texts of this source.
fn is_shared(code: &str, source: &str) -> bool {
    if source == WORDS {
        return false;
    }
    let shared = SHARED.iter().find(|(group, _)| group.contains(&code));
    shared.is_none_or(|row| row.1.iter().any(|name| source.starts_with(name)))
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
