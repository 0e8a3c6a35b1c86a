//! Placing documents in the tree by what was learnt.

use super::figures::{TopicSample, TopicTreeFigures};
use super::paper::seen;
use super::{FIGURES, MODEL, TopicModel, parts, references};
use crate::facts::FoundFact;
use crate::whole::WholeRun;
use crate::whole::reasons::{REASONS, is_searched};
use crate::whole::twins::left_out;
use fyke_store::{Cells, Column, StoreError, View};
use fyke_text::bag::Lexicon;
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};

/// The topics of each document that has any, the main one first.
pub const TOPICS: Column<Vec<PlacedTopic>> = Column::new("topic", 1);

/// A topic of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedTopic {
    pub name: String,
    /// The share of the document that lies there, from 0 to 1.
    pub share: f64,
}

/// What was learnt, ready to place documents.
#[derive(Debug)]
pub struct TopicPlacer<'a> {
    trained: &'a TopicModel,
    lexicon: Lexicon,
}

impl<'a> TopicPlacer<'a> {
    #[must_use]
    pub fn by(trained: &'a TopicModel) -> TopicPlacer<'a> {
        TopicPlacer { lexicon: Lexicon::new(trained.words.clone()), trained }
    }

    /// The topics of a document with what others call it: places in the outline with their shares, the
    /// main one first.
    #[must_use]
    pub fn nodes(&self, document: &Document, references: &str) -> Vec<(usize, f64)> {
        let words = self.lexicon.bag(&parts(document, references), &document.language);
        let model = &self.trained.model;
        model.topics(&model.shares(&words))
    }

    /// The same by their names.
    #[must_use]
    pub fn topics(&self, document: &Document, references: &str) -> Vec<PlacedTopic> {
        self.named(&self.nodes(document, references))
    }

    /// Shares are told to three places.
    fn named(&self, nodes: &[(usize, f64)]) -> Vec<PlacedTopic> {
        let share = |share: f64| (share * 1e3).round() / 1e3;
        let named = |(node, of): &(usize, f64)| PlacedTopic {
            name: self.name(*node).to_owned(),
            share: share(*of),
        };
        nodes.iter().map(named).collect()
    }

    fn name(&self, node: usize) -> &str {
        &self.trained.outline.names[node]
    }
}

/// Places all documents but those left out.
pub(super) fn place_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(model) = run.cells.value(&MODEL)? else {
        run.batch.clear(TOPICS.declaration());
        run.batch.clear(FIGURES.declaration());
        return Ok(());
    };
    let (placed, out) = (TopicPlacer::by(&model), left_out(run.cells)?);
    let mut figures = TopicTreeFigures::of(&model);
    let mut done = 0;
    let (view, cells, observe) = (run.view, run.cells, &mut *run.observe);
    let found = view.documents.all().filter_map(|document| {
        let place = |document: Document| {
            if out.contains(&document.id) {
                return Ok(None);
            }
            let (id, sample) = (document.id, TopicSample::of(&document));
            let nodes = placed.nodes(&seen(cells, document)?, &references(cells, id)?);
            figures.add(sample, &nodes);
            done += 1;
            if u64::is_multiple_of(done, 64) {
                observe(done, Some(model.documents.max(done)));
            }
            Ok((!nodes.is_empty()).then(|| (id, placed.named(&nodes))))
        };
        document.and_then(place).transpose()
    });
    run.batch.replace(&TOPICS, found)?;
    figures.finish(&model.outline);
    run.batch.set(&FIGURES, &figures)
}

/// Places documents that have changed; the figures wait.
pub(super) fn place_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(model) = run.cells.value(&MODEL)? else { return Ok(()) };
    let placed = TopicPlacer::by(&model);
    for &id in run.pages {
        let is_out = run.cells.get(&REASONS, id)?.is_some_and(|reason| !is_searched(reason));
        let document = if is_out { None } else { run.view.documents.get(id)? };
        let topics = match document {
            Some(document) => {
                placed.topics(&seen(run.cells, document)?, &references(run.cells, id)?)
            }
            None => Vec::new(),
        };
        if topics == run.cells.get(&TOPICS, id)?.unwrap_or_default() {
            continue;
        }
        match topics.is_empty() {
            true => run.batch.delete(&TOPICS, id),
            false => run.batch.put(&TOPICS, id, &topics),
        }
        run.touched.insert(id);
    }
    Ok(())
}

/// The topics of a document as they were found last.
///
/// # Errors
/// When the column cannot be read.
pub fn of_document(collection: &View, id: UrlId) -> Result<Vec<PlacedTopic>, StoreError> {
    Ok(collection.cells().get(&TOPICS, id)?.unwrap_or_default())
}

/// Their names, one to a line, the main one first.
///
/// # Errors
/// When the column cannot be read.
pub fn names_of(cells: &Cells, id: UrlId) -> Result<String, StoreError> {
    let topics = cells.get(&TOPICS, id)?.unwrap_or_default();
    Ok(topics.into_iter().map(|topic| topic.name).collect::<Vec<_>>().join("\n"))
}

/// The same as a fact of the index.
pub(super) fn label(cells: &Cells, id: UrlId) -> Result<Option<FoundFact>, StoreError> {
    let names = names_of(cells, id)?;
    Ok((!names.is_empty()).then_some(FoundFact::Labels(names)))
}
