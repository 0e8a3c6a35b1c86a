//! The subject of a focused collection: how much each document is about it, by its main text (002 §3). A crawl judges
//! a page when it comes, by what it has seen until then and by all that stands on it; here all documents are known,
//! and menus and margins are gone. Learning and judging are two derivations: new documents are judged by what was
//! learned last. Other keywords, examples or words of people, and all are judged again from their captures.

use super::WholeRun;
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_learn::topics::{LearntSubject, SubjectDocument, evidence, learn_subject};
use fyke_store::{Column, Single, StoreError};
use fyke_text::Keywords;
use fyke_text::bag::{Gathering, Lexicon, WeightedPart};
use fyke_text::keywords::of_examples;
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub const MODEL_ROW: Derivation = Derivation {
    name: "subject.model",
    what: "what was learned of the subject of [focus]",
    code: 14,
    version: 1,
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
const MODEL: Single<SubjectModel> = Single::new("subject.model", 1);

/// It is learned from so many documents at the most: those with the smallest ids, which are hashes.
const MOST_DOCUMENTS: usize = 50_000;
/// A word of the title counts as so many of the text.
const TITLE: f32 = 3.;

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
    words: Vec<String>,
    learnt: LearntSubject,
}

/// Reads documents for what they say of a subject.
struct SubjectReader<'a> {
    known: &'a KnownSubject,
    keywords: Keywords,
}

impl<'a> SubjectReader<'a> {
    fn new(known: &'a KnownSubject) -> SubjectReader<'a> {
        let keywords = match known.keywords.as_slice() {
            [] => Keywords::new(&of_examples(&known.examples), &known.language),
            keywords => Keywords::new(keywords, &known.language),
        };
        SubjectReader { known, keywords }
    }

    /// What the keywords say of a text.
    fn evidence(&self, title: &str, text: &str) -> f32 {
        let found = self.keywords.count_in(text);
        let is_titled = self.keywords.count(title).iter().any(|found| *found > 0);
        evidence(found.sum(), found.words(), is_titled)
    }

    /// What a person said of a document.
    fn told(&self, id: UrlId) -> Option<bool> {
        let (approved, refused) =
            (self.known.approved.contains(&id), self.known.refused.contains(&id));
        (approved || refused).then_some(approved)
    }
}

fn parts<'a>(title: &'a str, text: &'a str) -> [WeightedPart<'a>; 2] {
    [(title, TITLE), (text, 1.)]
}

/// Learns where there is a subject; where there is none, nothing is known.
fn learn(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(subject) = &run.settings.subject else {
        run.batch.clear(MODEL.declaration());
        return Ok(());
    };
    let reader = SubjectReader::new(&subject.known);
    let (mut gathering, mut said) = (Gathering::new([]), Vec::new());
    for (title, text) in &subject.known.examples {
        gathering.add(&parts(title, text), &subject.known.language);
        said.push((reader.evidence(title, text), Some(true)));
    }
    for document in run.view.documents.all().take(MOST_DOCUMENTS) {
        let Document { id, title, text, language, .. } = document?;
        gathering.add(&parts(&title, &text), &language);
        said.push((reader.evidence(&title, &text), reader.told(id)));
        if said.len().is_multiple_of(64) {
            (run.observe)(said.len() as u64, None);
        }
    }
    let (lexicon, bags) = gathering.finish();
    let documents = bags.documents.into_iter().zip(said);
    let documents: Vec<SubjectDocument> = documents
        .map(|(words, (evidence, told))| SubjectDocument { words, evidence, told })
        .collect();
    let learnt = learn_subject(&documents, bags.words);
    let (known, words) = (subject.known.clone(), lexicon.words().to_vec());
    run.batch.set(&MODEL, &SubjectModel { known, words, learnt })
}

/// Judges documents by what was learned.
struct SubjectJudge<'a> {
    reader: SubjectReader<'a>,
    lexicon: Lexicon,
    learnt: &'a LearntSubject,
}

impl<'a> SubjectJudge<'a> {
    fn new(model: &'a SubjectModel) -> SubjectJudge<'a> {
        let (reader, lexicon) =
            (SubjectReader::new(&model.known), Lexicon::new(model.words.clone()));
        SubjectJudge { reader, lexicon, learnt: &model.learnt }
    }

    /// None where too little was learned: what the crawl took the document for holds.
    fn relevance(&self, document: &Document) -> Option<f32> {
        if let Some(told) = self.reader.told(document.id) {
            return Some(f32::from(u8::from(told)));
        }
        let Document { title, text, language, .. } = document;
        let words = self.lexicon.bag(&parts(title, text), language);
        self.learnt.relevance(&words, self.reader.evidence(title, text))
    }
}

fn judge_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(model) = run.cells.value(&MODEL)? else {
        run.batch.clear(RELEVANCE.declaration());
        return Ok(());
    };
    let (judge, observe, mut done) = (SubjectJudge::new(&model), &mut *run.observe, 0);
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
    let judge = SubjectJudge::new(&model);
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
