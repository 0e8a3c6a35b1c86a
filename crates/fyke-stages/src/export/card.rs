//! The dataset card: what an export holds, where it comes from, what was left out and why, under which
//! licences pages stand and which uses they opt out of. As JSON for programs and as a README for people.
//! Dates are those of the captures.

use super::out::Digested;
use super::record::moment;
use super::{ExportOptions, ExportPass};
use crate::collected::CollectedHow;
use crate::config::{Config, Purpose};
use crate::corpus::{Corpus, CorpusPart, Laws};
use crate::reasons;
use crate::show::count;
use askama::Template;
use fyke_store::{Reason, View};
use serde::Serialize;
use std::collections::BTreeMap;

/// Rows of a list.
const ROWS: usize = 20;
/// What no other list of the card says of opt-outs: URLs that were never taken, or not kept.
const OBEYED: &[Reason] =
    &[Reason::Robots, Reason::RobotsUnreachable, Reason::Noindex, Reason::Nofollow];

/// What is told of an export.
#[derive(Debug, Serialize)]
pub struct Card {
    pub name: String,
    pub software: &'static str,
    pub format: &'static str,
    pub file: String,
    pub bytes: u64,
    pub sha1: String,
    /// The command that makes the file again.
    pub command: String,
    pub filter: String,
    /// Where it was made by queries to a search engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collected: Option<CollectedHow>,
    /// What the collection is made for, as its settings say.
    pub purpose: Vec<Purpose>,
    pub documents: u64,
    /// Copies among them, where they were asked for.
    pub copies: u64,
    /// Kept documents that the filter left out.
    pub filtered: u64,
    /// Kept documents left out because they were fetched with credentials.
    #[serde(skip_serializing_if = "is_zero")]
    pub private: u64,
    /// Kept documents that are not in the file because their captures are missing or damaged.
    #[serde(skip_serializing_if = "is_zero")]
    pub missing: u64,
    pub words: u64,
    pub text_bytes: u64,
    /// When the first and the last were captured.
    pub captured: Option<(String, String)>,
    pub vocabulary: u64,
    pub vocabulary_is_exact: bool,
    pub laws: Laws,
    pub languages: Vec<CardShare>,
    pub hosts_total: u64,
    pub hosts: Vec<CardShare>,
    pub media_types: Vec<CardShare>,
    pub licences: Vec<CardShare>,
    pub opt_outs: Vec<CardShare>,
    /// Every URL that the collection has seen, by reason; `urls` is the sum.
    pub urls: u64,
    pub funnel: BTreeMap<&'static str, u64>,
    /// URLs not taken or not kept because robots.txt or the page asked for it.
    pub obeyed: BTreeMap<&'static str, u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A part of the documents.
#[derive(Debug, Serialize)]
pub struct CardShare {
    pub name: String,
    pub documents: u64,
    pub words: u64,
    /// Of the documents.
    pub share: f64,
}

/// The file that a card tells of.
pub(super) struct CardFile {
    name: String,
    written: Digested,
    pass: ExportPass,
}

impl CardFile {
    pub(crate) fn new(name: &str, written: Digested, pass: ExportPass) -> CardFile {
        CardFile { name: name.to_owned(), written, pass }
    }
}

pub(super) fn make(
    collection: &View,
    config: &Config,
    options: &ExportOptions<'_>,
    CardFile { name: file, written, pass }: CardFile,
) -> anyhow::Result<Card> {
    let counts = reasons::counts(collection)?;
    let corpus = pass.counting.finish();
    let shares = |parts: &[CorpusPart]| shares(parts, pass.exported);
    let named = |reason: &Reason| Some((reason.name(), *counts.get(reason)?));
    Ok(Card {
        name: config.collection.name.clone(),
        software: concat!("fyke ", env!("CARGO_PKG_VERSION")),
        format: options.format.name,
        file,
        bytes: written.bytes,
        sha1: written.sha1,
        command: command(options),
        filter: options.filter.text().to_owned(),
        collected: CollectedHow::read(collection.root()),
        purpose: config.collection.purpose.clone(),
        documents: pass.exported,
        copies: pass.copies,
        filtered: pass.filtered,
        private: pass.private,
        missing: pass.missing,
        words: corpus.words,
        text_bytes: corpus.text_bytes,
        captured: corpus.captured.map(|(first, last)| (moment(first), moment(last))),
        vocabulary: corpus.vocabulary.size,
        vocabulary_is_exact: corpus.vocabulary.is_exact,
        languages: shares(&corpus.languages),
        hosts_total: corpus.hosts_total,
        hosts: shares(&corpus.hosts),
        media_types: shares(&corpus.media_types),
        licences: shares(&corpus.licences),
        opt_outs: shares(&corpus.opt_outs),
        urls: counts.values().sum(),
        funnel: counts.iter().map(|(reason, count)| (reason.name(), *count)).collect(),
        obeyed: OBEYED.iter().filter_map(named).collect(),
        laws: corpus.laws,
    })
}

fn shares(parts: &[CorpusPart], all: u64) -> Vec<CardShare> {
    let share = |part: &CorpusPart| CardShare {
        name: part.name.clone(),
        documents: part.documents,
        words: part.words,
        share: part.documents as f64 / all.max(1) as f64,
    };
    parts.iter().take(ROWS).map(share).collect()
}

/// As it would be typed, but for where the file goes.
fn command(options: &ExportOptions<'_>) -> String {
    let mut command = format!("fyke export {}", options.format.name);
    if !options.filter.text().is_empty() {
        command += &format!(" --where '{}'", options.filter.text().replace('\'', "'\\''"));
    }
    let flags = [
        (options.duplicates, " --duplicates"),
        (options.private, " --private"),
        (options.gzip, " --gzip"),
    ];
    for (is_on, flag) in flags {
        command += if is_on { flag } else { "" };
    }
    command
}

#[derive(Template)]
#[template(path = "card.md", escape = "none")]
struct Readme<'a> {
    card: &'a Card,
    laws: Vec<(&'static str, String)>,
    tables: Vec<CardTable<'a>>,
    funnel: Vec<CardReason>,
}

struct CardTable<'a> {
    title: &'static str,
    /// Heads the first column.
    head: &'static str,
    rows: &'a [CardShare],
}

/// How many URLs stand under a reason.
struct CardReason {
    name: &'static str,
    urls: String,
    explain: &'static str,
}

impl Card {
    /// For programs.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn json(&self) -> anyhow::Result<Vec<u8>> {
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        Ok(json)
    }

    /// For people, in Markdown.
    #[must_use]
    pub fn readme(&self) -> String {
        let figures = Corpus { laws: self.laws.clone(), ..Corpus::default() };
        let mut funnel: Vec<(u64, Reason)> = self
            .funnel
            .iter()
            .filter_map(|(name, count)| Some((*count, Reason::parse(name)?)))
            .collect();
        funnel.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let told = |(urls, reason): (u64, Reason)| CardReason {
            name: reason.name(),
            urls: count(urls),
            explain: reason.explain(),
        };
        let table = |title, head, rows| CardTable { title, head, rows };
        let readme = Readme {
            card: self,
            laws: figures.laws(),
            tables: vec![
                table("Languages", "language", &self.languages),
                table("Hosts", "host", &self.hosts),
                table("Formats", "media type", &self.media_types),
                table("Licences that pages name", "licence", &self.licences),
                table("Opt-outs that pages declare", "opt-out", &self.opt_outs),
            ],
            funnel: funnel.into_iter().map(told).collect(),
        };
        readme.render().unwrap_or_else(|error| error.to_string()) + "\n"
    }
}

/// A text in a table of Markdown, whatever a page put into it.
fn cell(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect::<String>().replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_breaks_a_table() {
        assert_eq!(cell("a|b\n<script>"), "a\\|b &lt;script>");
    }
}
