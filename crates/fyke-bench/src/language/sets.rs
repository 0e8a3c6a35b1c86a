//! Sentences whose language is known and that were not learnt: every second one of SIB-200's test
//! files, and every tenth news excerpt of the pool that the rest is learnt from.

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Codes and folders, as the trainer has them.
pub(crate) const LANGUAGES: &str = include_str!("../../../fyke-text/data/sib200.txt");
/// Sources of news, and of so many excerpts of a language the last is never learnt: as the trainer has
/// it.
const NEWS: &str = "dslcc";
const NEWS_HELD_OUT: usize = 10;

/// Sentences, a code before each.
pub(crate) struct SentenceSet {
    pub name: &'static str,
    pub cases: Vec<(String, String)>,
}

/// The sets that the folder has; the news only where there are any.
pub(crate) fn read(data: &Path) -> anyhow::Result<Vec<SentenceSet>> {
    let pool = data.join("langpool/pool.jsonl.gz");
    let news = pool.exists().then(|| news(&pool)).transpose()?;
    let sentences = SentenceSet { name: "sib200", cases: sentences(data)? };
    Ok(std::iter::once(sentences).chain(news).collect())
}

fn sentences(data: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let folder = data.join("langid/sib200/data/annotated");
    let mut cases = Vec::new();
    let rows = LANGUAGES.lines().filter(|line| !line.starts_with('#'));
    for (code, name) in rows.filter_map(|line| line.split_once(' ')) {
        let path = folder.join(name).join("test.tsv");
        let file = std::fs::read_to_string(&path)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        let held_out = file.lines().skip(2).step_by(2).filter_map(|line| line.split('\t').nth(2));
        cases.extend(held_out.map(|text| (code.to_owned(), text.to_owned())));
    }
    Ok(cases)
}

#[derive(Deserialize)]
struct SentenceRow {
    lang: String,
    source: String,
    text: String,
    /// There when a program said what language it is.
    lang_by: Option<String>,
}

fn news(pool: &Path) -> anyhow::Result<SentenceSet> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut cases = Vec::new();
    for line in BufReader::new(MultiGzDecoder::new(File::open(pool)?)).lines() {
        let row: SentenceRow = serde_json::from_str(&line?)?;
        if !row.source.starts_with(NEWS) {
            continue;
        }
        let count = counts.entry(row.lang.clone()).or_default();
        *count += 1;
        if count.is_multiple_of(NEWS_HELD_OUT) && row.lang_by.is_none() {
            cases.push((row.lang, row.text));
        }
    }
    Ok(SentenceSet { name: "news", cases })
}

/// Writes all sentences as lines of JSON (set, text), for the peers.
pub(crate) fn write(sets: &[SentenceSet], path: &Path) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut file = BufWriter::new(file);
    for set in sets {
        for (_, text) in &set.cases {
            writeln!(file, "{}", json!({ "set": set.name, "text": text }))?;
        }
    }
    Ok(file.flush()?)
}
