//! Topics from keywords (002 §3): a tree of topics with a few keywords each, and documents without any
//! label. Keywords give first labels, naive Bayes learns from them, EM takes in all documents, and
//! estimates lean on those of more documents: up the tree as in the source ([`Mixture`]), or on the
//! collection as a whole ([`Frequencies::pooled`]), which measures better. Numbers only: words, topics
//! and documents are known by their places.

mod damping;
mod em;
mod frequencies;
mod labels;
mod model;
mod regression;
mod rules;
mod shrinkage;
mod subject;
#[cfg(test)]
mod tests;
mod tree;
mod typical;

pub use em::{em, expect};
pub use frequencies::{CollectionWords, Frequencies, count};
pub use labels::{Labels, best};
pub use model::{Bags, LearntTopics, train};
pub use rules::{FoundKeyword, first_found};
pub use shrinkage::Mixture;
pub use subject::{LearntSubject, SubjectDocument, evidence, learn_subject};
pub use tree::Tree;
pub use typical::Typical;

/// A keyword of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    pub node: usize,
    /// The words it is made of, as far as documents have them.
    pub words: Vec<u32>,
}

/// How a model is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicOptions {
    /// Rounds of EM.
    pub rounds: usize,
    /// Topics are of like size.
    pub even: bool,
    /// There are documents of no topic.
    pub rest: bool,
}

impl Default for TopicOptions {
    fn default() -> TopicOptions {
        TopicOptions { rounds: 12, even: false, rest: true }
    }
}
