//! A pool of documents in known languages that plays the web, and its index in memory.
//!
//! A query of terms that must and must not stand in a document has the hits that fyke's own index
//! gives for the same words in quotes; the benchmark checks that on a sample. They are ranked by BM25
//! over the inclusion terms (k₁ 1.2, b 0.75), equal ones by their place in the pool.

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use fyke_lab::collect::LanguageFilter;
use fyke_learn::terms::{TermCount, TermQuery};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

/// One document.
pub(crate) struct PoolDocument {
    pub lang: String,
    pub source: String,
    pub text: String,
    /// The language for which the filter of `fyke collect` would take it; none for no language.
    pub said: String,
    /// Its terms, each once.
    pub terms: Vec<TermCount>,
    length: u32,
}

/// All documents with their words.
#[derive(Default)]
pub(crate) struct LanguagePool {
    pub documents: Vec<PoolDocument>,
    pub words: Vec<String>,
    numbers: HashMap<String, u32>,
    filters: HashMap<&'static str, LanguageFilter>,
}

#[derive(Deserialize)]
pub(crate) struct PoolRow {
    pub lang: String,
    pub source: String,
    pub text: String,
}

impl LanguagePool {
    pub(crate) fn read(path: &Path) -> anyhow::Result<LanguagePool> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut pool = LanguagePool::default();
        for line in BufReader::new(MultiGzDecoder::new(file)).lines() {
            pool.add(serde_json::from_str(&line?)?);
        }
        Ok(pool)
    }

    pub(crate) fn add(&mut self, PoolRow { lang, source, text }: PoolRow) {
        let terms = self.terms(&text);
        let said = self.said(&text);
        let length = terms.iter().map(|term| term.count).sum();
        self.documents.push(PoolDocument { lang, source, text, said, terms, length });
    }

    fn said(&mut self, text: &str) -> String {
        let code = fyke_text::identify(text).code;
        let filter = self.filters.entry(code).or_insert_with(|| LanguageFilter::new(code, &[]));
        let is_wanted = filter.judge(text).is_wanted;
        if is_wanted { code.to_owned() } else { String::new() }
    }

    /// The words of a text by their numbers, without diacritics (004 §6.1.2 has c s z for č š ž); new words
    /// get new ones.
    pub(crate) fn terms(&mut self, text: &str) -> Vec<TermCount> {
        let (words, numbers) = (&mut self.words, &mut self.numbers);
        let mut counts: Vec<u32> = Vec::new();
        fyke_text::each_form(text, |word| {
            let word = fyke_text::bare(word);
            let number = numbers.get(&*word).copied().unwrap_or_else(|| {
                let number = words.len() as u32;
                words.push(word.to_string());
                numbers.insert(word.into_owned(), number);
                number
            });
            counts.push(number);
        });
        counts.sort_unstable();
        let runs = counts.chunk_by(|a, b| a == b);
        runs.map(|run| TermCount { term: run[0], count: run.len() as u32 }).collect()
    }
}

/// An index of some of the documents.
pub(crate) struct PoolIndex {
    /// Of each term the documents with its count, in ascending order.
    postings: Vec<Vec<(u32, u32)>>,
    lengths: Vec<u32>,
    documents: f64,
    mean_length: f64,
}

impl PoolIndex {
    pub(crate) fn of(pool: &LanguagePool, is_there: impl Fn(usize) -> bool) -> PoolIndex {
        let mut postings = vec![Vec::new(); pool.words.len()];
        let (mut count, mut sum) = (0, 0);
        for (number, document) in pool.documents.iter().enumerate().filter(|one| is_there(one.0)) {
            count += 1;
            sum += u64::from(document.length);
            for term in &document.terms {
                postings[term.term as usize].push((number as u32, term.count));
            }
        }
        let lengths = pool.documents.iter().map(|document| document.length).collect();
        let mean_length = sum as f64 / f64::from(count).max(1.0);
        PoolIndex { postings, lengths, documents: f64::from(count), mean_length }
    }

    fn list(&self, term: u32) -> &[(u32, u32)] {
        self.postings.get(term as usize).map_or(&[], Vec::as_slice)
    }

    /// The best documents for a query.
    pub(crate) fn hits(&self, query: &TermQuery, most: usize) -> Vec<u64> {
        let mut lists: Vec<&[(u32, u32)]> =
            query.include().iter().map(|term| self.list(*term)).collect();
        lists.sort_by_key(|list| list.len());
        let Some((rarest, others)) = lists.split_first() else { return Vec::new() };
        let mut found: Vec<(f64, u32)> = Vec::new();
        for &(document, count) in *rarest {
            let mut score = self.score(rarest.len(), document, count);
            let is_whole = others.iter().all(|list| {
                let at = list.binary_search_by_key(&document, |posting| posting.0);
                at.map(|at| score += self.score(list.len(), document, list[at].1)).is_ok()
            });
            if is_whole && !query.exclude().iter().any(|term| self.has(*term, document)) {
                found.push((score, document));
            }
        }
        let order = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if found.len() > most {
            found.select_nth_unstable_by(most, order);
            found.truncate(most);
        }
        found.sort_unstable_by(order);
        found.into_iter().map(|(_, document)| u64::from(document)).collect()
    }

    /// A term of a document with what it weighs there.
    pub(crate) fn weighed(&self, TermCount { term, count }: TermCount) -> PoolTerm {
        PoolTerm { term, weight: f64::from(count) * self.idf(self.list(term).len()) }
    }

    /// The documents that have a term, with its score in each.
    pub(crate) fn each(&self, term: u32, mut take: impl FnMut(u32, f64)) {
        let list = self.list(term);
        for &(document, count) in list {
            take(document, self.score(list.len(), document, count));
        }
    }

    fn has(&self, term: u32, document: u32) -> bool {
        self.list(term).binary_search_by_key(&document, |posting| posting.0).is_ok()
    }

    fn score(&self, with: usize, document: u32, count: u32) -> f64 {
        let count = f64::from(count);
        let length = f64::from(self.lengths[document as usize]) / self.mean_length;
        self.idf(with) * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length))
    }
    fn idf(&self, with: usize) -> f64 {
        (1.0 + (self.documents - with as f64 + 0.5) / (with as f64 + 0.5)).ln()
    }
}

/// A term and what it weighs in a document.
pub(crate) struct PoolTerm {
    pub term: u32,
    pub weight: f64,
}
