//! The subject of a focused collection: how much each document is about it, by its main text (002 §3). A crawl judges
//! a page when it comes, by what it has seen until then and by all that stands on it; here all documents are known,
//! and menus and margins are gone. Learning and judging are two derivations: new documents are judged by what was
//! learned last. Other keywords, examples or words of people, and all are judged again from their captures.

use super::WholeRun;
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_learn::topics::{LearntSubject, SubjectDocument, evidence, learn_subject};
use fyke_store::{Column, Single, StoreError};
use fyke_text::Keywords;
use fyke_text::keywords::of_examples;
use fyke_text::subject::{SubjectGathering, SubjectLexicon, SubjectReading, SubjectText};
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub const MODEL_ROW: Derivation = Derivation {
    name: "subject.model",
    what: "what was learned of the subject of [focus]",
    code: 14,
    version: 2,
    reads: &[],
    late: &["print"],
    writes: &[MODEL.declaration()],
    facts: &[],
    settings: |settings| format!("{:?}", settings.subject.as_ref().map(|subject| &subject.known)),
    tier: Tier::Whole { all: learn, some: None, is_exact: true },
};

pub const ROW: Derivation = Derivation {
    name: "subject",
    what: "how much each document is about the subject of [focus]",
    code: 15,
    version: 1,
    reads: &["print", "subject.model"],
    late: &[],
    writes: &[RELEVANCE.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Whole { all: judge_all, some: Some(judge_some), is_exact: true },
};

/// How much a document is about the subject, 0 to 1.
pub const RELEVANCE: Column<f32> = Column::new("relevance", 1);
/// What was learned.
const MODEL: Single<SubjectModel> = Single::new("subject.model", 2);

/// It is learned from so many documents at the most: those with the smallest ids, which are hashes.
const MOST_DOCUMENTS: usize = 50_000;

/// The subject of a focused collection, as its settings have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectSettings {
    pub known: KnownSubject,
    /// The relevance from which on a document is about it.
    pub threshold: f32,
}

/// What people say of a subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownSubject {
    pub keywords: Vec<String>,
    /// Whose stems the keywords have.
    pub language: String,
    /// Titles and texts of pages about it.
    pub examples: Vec<(String, String)>,
    /// Documents of the collection that are about it, and those that are not, whatever their words.
    pub approved: BTreeSet<UrlId>,
    pub refused: BTreeSet<UrlId>,
}

/// What was learned, with what it was learned from.
#[derive(Debug, Serialize, Deserialize)]
struct SubjectModel {
    known: KnownSubject,
    /// Hashes of the words, by number.
    words: Vec<u64>,
    learnt: LearntSubject,
}

/// The keywords of a subject.
fn keywords(known: &KnownSubject) -> Keywords {
    match known.keywords.as_slice() {
        [] => Keywords::new(&of_examples(&known.examples), &known.language),
        keywords => Keywords::new(keywords, &known.language),
    }
}

/// What the keywords say of a document.
fn named(reading: &SubjectReading) -> f32 {
    evidence(reading.keywords, reading.length, reading.is_titled)
}

impl KnownSubject {
    /// What a person said of a document.
    fn told(&self, id: UrlId) -> Option<bool> {
        let (approved, refused) = (self.approved.contains(&id), self.refused.contains(&id));
        (approved || refused).then_some(approved)
    }
}

fn text_of(document: &Document) -> SubjectText<'_> {
    let Document { title, text, language, .. } = document;
    SubjectText { title, text, language }
}

/// Learns where there is a subject; where there is none, nothing is known.
fn learn(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(subject) = &run.settings.subject else {
        run.batch.clear(MODEL.declaration());
        return Ok(());
    };
    let (known, keywords) = (&subject.known, keywords(&subject.known));
    let (mut gathering, mut documents) = (SubjectGathering::default(), Vec::new());
    let mut read = |text: SubjectText<'_>, told: Option<bool>| {
        let reading = gathering.read(text, &keywords);
        let evidence = named(&reading);
        documents.push(SubjectDocument { words: reading.words, evidence, told });
        documents.len()
    };
    for (title, text) in &known.examples {
        read(SubjectText { title, text, language: &known.language }, Some(true));
    }
    for document in run.view.documents.all().take(MOST_DOCUMENTS) {
        let document = document?;
        let done = read(text_of(&document), known.told(document.id));
        if done.is_multiple_of(64) {
            (run.observe)(done as u64, None);
        }
    }
    let lexicon = gathering.finish(documents.iter_mut().map(|document| &mut document.words));
    let learnt = learn_subject(&documents, lexicon.hashes().len());
    let (known, words) = (known.clone(), lexicon.hashes().to_vec());
    run.batch.set(&MODEL, &SubjectModel { known, words, learnt })
}

/// Judges documents by what was learned.
struct SubjectJudge<'a> {
    known: &'a KnownSubject,
    keywords: Keywords,
    lexicon: SubjectLexicon,
    learnt: &'a LearntSubject,
}

impl<'a> SubjectJudge<'a> {
    fn new(model: &'a SubjectModel) -> SubjectJudge<'a> {
        let SubjectModel { known, words, learnt } = model;
        let (keywords, lexicon) = (keywords(known), SubjectLexicon::new(words.clone()));
        SubjectJudge { known, keywords, lexicon, learnt }
    }

    /// None where too little was learned: what the crawl took the document for holds.
    fn relevance(&mut self, document: &Document) -> Option<f32> {
        if let Some(told) = self.known.told(document.id) {
            return Some(f32::from(u8::from(told)));
        }
        let reading = self.lexicon.read(text_of(document), &self.keywords);
        self.learnt.relevance(&reading.words, named(&reading))
    }
}

fn judge_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(model) = run.cells.value(&MODEL)? else {
        run.batch.clear(RELEVANCE.declaration());
        return Ok(());
    };
    let (mut judge, observe, mut done) = (SubjectJudge::new(&model), &mut *run.observe, 0);
    let found = run.view.documents.all().map(|document| {
        let document = document?;
        done += 1;
        if done % 64 == 0 {
            observe(done, None);
        }
        Ok(judge.relevance(&document).map(|relevance| (document.id, relevance)))
    });
    run.batch.replace(&RELEVANCE, found.filter_map(Result::transpose))
}

fn judge_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(model) = run.cells.value(&MODEL)? else { return Ok(()) };
    let mut judge = SubjectJudge::new(&model);
    for &id in run.pages {
        let document = run.view.documents.get(id)?;
        let relevance = document.and_then(|document| judge.relevance(&document));
        if relevance == run.cells.get(&RELEVANCE, id)? {
            continue;
        }
        match relevance {
            Some(relevance) => run.batch.put(&RELEVANCE, id, &relevance),
            None => run.batch.delete(&RELEVANCE, id),
        }
        run.touched.insert(id);
    }
    Ok(())
}

/// Whether a document is about the subject, by what all documents taught; none where there is no subject, or where
/// that was not found out yet.
pub(super) fn is_on(settings: &DeriveSettings, relevance: Option<f32>) -> Option<bool> {
    Some(relevance? >= settings.subject.as_ref()?.threshold)
}
