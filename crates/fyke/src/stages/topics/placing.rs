//! Placing documents in the tree: the column "topic", a line for each topic of a document.

use super::figures::{self, Figures, Sample};
use super::{Step, Trained, parts, references};
use fyke_store::{Collection, StoreError, View};
use fyke_text::bag::Lexicon;
use fyke_web::{Document, UrlId};
use serde::Serialize;
use std::collections::BTreeSet;

/// The column of each document's topics.
const TOPIC: &str = "topic";

/// A topic of a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Topic {
    pub name: String,
    /// The share of the document that lies there, from 0 to 1.
    pub share: f64,
}

/// What was learnt, ready to place documents.
#[derive(Debug)]
pub struct Placed<'a> {
    trained: &'a Trained,
    lexicon: Lexicon,
}

impl<'a> Placed<'a> {
    #[must_use]
    pub fn by(trained: &'a Trained) -> Placed<'a> {
        Placed { lexicon: Lexicon::new(trained.words.clone()), trained }
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
    pub fn topics(&self, document: &Document, references: &str) -> Vec<Topic> {
        let nodes = self.nodes(document, references).into_iter();
        nodes.map(|(node, share)| Topic { name: self.name(node).to_owned(), share }).collect()
    }

    fn name(&self, node: usize) -> &str {
        &self.trained.outline.names[node]
    }
}

/// Places all documents but those left out, and writes the columns; the figures last.
pub(super) fn place_all(
    collection: &Collection,
    trained: &Trained,
    out: &BTreeSet<UrlId>,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Figures> {
    let placed = Placed::by(trained);
    let mut figures = Figures::of(trained);
    let (mut cells, mut done) = (Vec::new(), 0);
    for document in collection.documents.all() {
        let document = document?;
        if out.contains(&document.id) {
            continue;
        }
        let nodes = placed.nodes(&document, &references(collection, document.id)?);
        figures.add(Sample::of(&document), &nodes);
        if !nodes.is_empty() {
            cells.push((document.id, written(&placed, &nodes).into_bytes()));
        }
        done += 1;
        if done % 64 == 0 {
            observe(Step { stage: "topics", done, total: Some(trained.documents.max(done)) });
        }
    }
    figures.finish(&trained.outline);
    collection.documents.put_column(TOPIC, &cells)?;
    figures::store(collection, &figures)?;
    Ok(figures)
}

/// Takes all documents out of their topics.
pub(super) fn clear(collection: &Collection) -> Result<(), StoreError> {
    collection.documents.put_column(TOPIC, &[])?;
    figures::clear(collection)
}

fn written(placed: &Placed, nodes: &[(usize, f64)]) -> String {
    let line = |(node, share): &(usize, f64)| format!("{share:.3} {}", placed.name(*node));
    nodes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The topics of a document as they were found last.
///
/// # Errors
/// When the column cannot be read.
pub fn of_document(collection: &View, id: UrlId) -> Result<Vec<Topic>, StoreError> {
    let cell = collection.documents.cell(TOPIC, id)?.unwrap_or_default();
    Ok(read(&String::from_utf8_lossy(&cell)))
}

/// Their names, one to a line, the main one first.
///
/// # Errors
/// When the column cannot be read.
pub fn names_of(collection: &View, id: UrlId) -> Result<String, StoreError> {
    let topics = of_document(collection, id)?;
    Ok(topics.into_iter().map(|topic| topic.name).collect::<Vec<_>>().join("\n"))
}

fn read(cell: &str) -> Vec<Topic> {
    let line = |line: &str| {
        let (share, name) = line.split_once(' ')?;
        Some(Topic { name: name.to_owned(), share: share.parse().ok()? })
    };
    cell.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_a_line_a_topic() {
        let topics = read("0.813 science/space\n0.250 sport\nnonsense\n");
        let names: Vec<_> = topics.iter().map(|topic| (&*topic.name, topic.share)).collect();
        assert_eq!(names, [("science/space", 0.813), ("sport", 0.25)]);
        assert!(read("").is_empty());
    }
}
