//! Figures of a corpus, the same for the page, the API, the command and the dataset card.

use fyke_text::{Heaps, Mandelbrot, Zipf};
use serde::{Deserialize, Serialize};

/// A corpus in figures. Its documents are those kept: copies, thin ones and those in languages that
/// nobody asked for are no part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Corpus {
    /// Documents made, those left out included.
    pub documents: u64,
    pub kept: u64,
    pub words: u64,
    pub text_bytes: u64,
    /// Distinct hosts; `hosts` names those with the most documents.
    pub hosts_total: u64,
    /// When the first and the last were captured, in milliseconds since 1970.
    pub captured: Option<(i64, i64)>,
    pub languages: Vec<CorpusPart>,
    pub hosts: Vec<CorpusPart>,
    pub media_types: Vec<CorpusPart>,
    pub charsets: Vec<CorpusPart>,
    /// Licences that pages name, and opt-outs that they declare.
    pub licences: Vec<CorpusPart>,
    pub opt_outs: Vec<CorpusPart>,
    /// Years of publication, where pages say so, and of capture.
    pub years_published: Vec<(i32, u64)>,
    pub years_captured: Vec<(i32, u64)>,
    /// Documents by their number of words.
    pub lengths: Vec<Bin>,
    pub vocabulary: CorpusWords,
    pub laws: Laws,
}

/// The documents that share something, with their words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusPart {
    pub name: String,
    pub documents: u64,
    pub words: u64,
}

/// The documents that have at least `from` words and fewer than `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    pub from: u64,
    pub to: u64,
    pub documents: u64,
}

/// The words of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CorpusWords {
    /// Distinct words, and how many of them occur once.
    pub size: u64,
    pub once: u64,
    /// False when there were too many to count each: then both are estimates.
    pub is_exact: bool,
    /// The most frequent ones with their counts.
    pub top: Vec<(String, u64)>,
    /// Rank and probability, at places spread over the ranks.
    pub ranks: Vec<(u64, f64)>,
    /// Words read and distinct words among them.
    pub growth: Vec<(u64, u64)>,
    /// The share of the vocabulary that occurs n times, from n = 1 on.
    pub shares: Vec<f64>,
}

/// The laws fitted to the words; none where there are too few.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Laws {
    pub zipf: Option<Zipf>,
    pub mandelbrot: Option<Mandelbrot>,
    pub heaps: Option<Heaps>,
}

impl Corpus {
    /// The laws in words: whose it is, and how it fits.
    #[must_use]
    pub fn laws(&self) -> Vec<(&'static str, String)> {
        let mut told = Vec::new();
        if let Some(Zipf { c, error }) = self.laws.zipf {
            told.push((
                "Zipf",
                format!("r · P(r) = {c:.4}, off by a factor of {:.2}", error.exp()),
            ));
        }
        if let Some(Mandelbrot { alpha, beta, gamma, error }) = self.laws.mandelbrot {
            let off = error.exp();
            let law = format!("(r + {beta:.2})^{alpha:.3} · P(r) = {gamma:.4}");
            told.push(("Mandelbrot", format!("{law}, off by a factor of {off:.2}")));
        }
        if let Some(Heaps { k, beta }) = self.laws.heaps {
            told.push(("Heaps", format!("v = {k:.2} · n^{beta:.3}")));
        }
        told
    }
}
