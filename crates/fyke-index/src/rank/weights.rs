//! All numbers of the ranking, in one place (BM25; BM25F for the fields).

use super::signals::{COUNT, SIGNALS};
use crate::fact::{Fact, MOST_FACTS};
use crate::schema::TEXTS;

/// What the ranking weighs and by how much.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// How soon more of the same word stops counting (BM25's k1).
    pub k1: f32,
    /// A row for each field with words: as in the schema.
    pub fields: [FieldWeight; TEXTS],
    /// What another form of the word counts beside the form that was typed.
    pub variant: f32,
    /// What a whole counts that was typed in one piece, as `e-bay`, beside a word.
    pub whole: f32,
    /// What each of its parts counts.
    pub part: f32,
    /// Power, by the number of the query's words, of the share of them that a document has.
    pub coordination: f32,
    /// What each signal of the second stage counts, as in its table.
    pub signals: [f32; COUNT],
    /// What each fact that is a signal counts, by its place in the table; none as it is declared.
    pub facts: [Option<f32>; MOST_FACTS],
    /// What the words of the best documents count beside those that were typed; 0: they are not
    /// looked at.
    pub feedback: f32,
    /// Farther apart than this, in words, they are not near.
    pub near: u32,
    /// So many of the best are looked at in the second stage.
    pub head: usize,
}

/// A field's part in the score.
#[derive(Clone, Copy, Debug)]
pub struct FieldWeight {
    /// Its name in explanations.
    pub name: &'static str,
    /// A word here counts as so many in the body.
    pub weight: f32,
    /// How much the field's length is held against it (BM25's b).
    pub b: f32,
}

/// The weights of the standard ranker.
pub const WEIGHTS: Weights = Weights {
    k1: 1.2,
    fields: [
        FieldWeight { name: "title", weight: 3.0, b: 0.4 },
        FieldWeight { name: "headings", weight: 1.5, b: 0.5 },
        FieldWeight { name: "emphasis", weight: 0.5, b: 0.5 },
        FieldWeight { name: "anchors", weight: 2.0, b: 0.6 },
        FieldWeight { name: "own-anchors", weight: 1.0, b: 0.6 },
        FieldWeight { name: "body", weight: 1.0, b: 0.6 },
        FieldWeight { name: "url", weight: 0.5, b: 0.4 },
        FieldWeight { name: "description", weight: 0.5, b: 0.5 },
        FieldWeight { name: "parts", weight: 0.5, b: 0.5 },
        FieldWeight { name: "author", weight: 0.5, b: 0.5 },
        FieldWeight { name: "keywords", weight: 0.5, b: 0.5 },
        FieldWeight { name: "link-titles", weight: 0.3, b: 0.5 },
        FieldWeight { name: "wholes", weight: 1.0, b: 0.5 },
        FieldWeight { name: "names", weight: 1.0, b: 0.5 },
        FieldWeight { name: "sections", weight: 0.5, b: 0.5 },
    ],
    variant: 0.9,
    whole: 1.0,
    part: 0.5,
    coordination: 1.0,
    signals: standard_signals(),
    facts: [None; MOST_FACTS],
    feedback: 0.25,
    near: 6,
    head: 300,
};

impl FieldWeight {
    /// What one occurrence counts in a field that is so many times as long as the mean.
    pub(crate) fn one(&self, length: f32) -> f32 {
        self.weight / (1.0 - self.b + self.b * length)
    }
}

impl Weights {
    /// What a fact counts that stands at this place of its table.
    pub(crate) fn fact(&self, place: usize, fact: &Fact) -> f32 {
        let declared = fact.signal.map_or(0.0, |signal| signal.weight);
        self.facts.get(place).copied().flatten().unwrap_or(declared)
    }
}

const fn standard_signals() -> [f32; COUNT] {
    let mut weights = [0.0; COUNT];
    let mut at = 0;
    while at < COUNT {
        weights[at] = SIGNALS[at].weight;
        at += 1;
    }
    weights
}
