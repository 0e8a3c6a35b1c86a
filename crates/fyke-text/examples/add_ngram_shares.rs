//! Adds what frequencies of n-grams tell about near languages to the shipped model: `add_ngram_shares MODEL NGRAMS.jsonl.gz
//! NEW`, after `train_languages`.
//!
//! The lines are {lang, gram, share}, made by `data/pools.py ngrams`. The same input gives the same bytes.

use flate2::read::MultiGzDecoder;
use fyke_text::language::{LanguageModel, NgramShares};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Error, Result};

/// What languages have before anything is read: without it they are named too seldom for what could be in any of three. Serbian
/// in Latin letters has but half of the odds of its language. Chosen on every other news excerpt held out.
const BEFORE: [(&str, f64); 2] = [("bs", 15.0), ("sr", 15.0)];

#[derive(Deserialize)]
struct Row {
    lang: String,
    gram: String,
    share: f64,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, shares, out] = arguments.as_slice() else {
        return Err(Error::other("usage: add_ngram_shares MODEL NGRAMS.jsonl.gz NEW"));
    };
    let model = LanguageModel::read(std::fs::read(model)?).map_err(Error::other)?;
    let mut lists: Vec<NgramShares> = Vec::new();
    for line in BufReader::new(MultiGzDecoder::new(File::open(shares)?)).lines() {
        let row: Row = serde_json::from_str(&line?)?;
        if lists.last().is_none_or(|list| list.code != row.lang) {
            let before = BEFORE.iter().find(|(code, _)| *code == row.lang).map_or(0.0, |own| own.1);
            lists.push(NgramShares { code: row.lang, before, ..NgramShares::default() });
        }
        if let Some(list) = lists.last_mut() {
            list.shares.insert(row.gram, row.share);
        }
    }
    std::fs::write(out, model.with_shares(&lists))
}
