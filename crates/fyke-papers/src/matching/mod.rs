//! Which references name the same paper (002 §1: "the extracted results are used to group citations to the same
//! paper together"). A [`Citation`] is a reference by its fields; its [`CitedForm`] is what matching sees of it; forms
//! that share rare words of titles and names come together (canopies), a score learned by field says how probably
//! two of them name one paper (`weights`), and average link makes papers of them ([`Grouping`]).
//!
//! Departs from common practice: forms that are the same to the letter are kept once, and new references join the
//! papers that are there without matching all again.

mod citation;
mod cora;
mod features;
mod form;
mod grams;
mod grouping;
mod learn;
pub(crate) mod names;
mod weights;

pub use citation::Citation;
pub use cora::cora;
pub use features::{FEATURES, PairFeatures, SIGNS, pair_features};
pub use form::CitedForm;
pub use grouping::{CitedId, Grouping, GroupingOptions};
pub use learn::{KnownCitation, learn};
pub use weights::{MATCHING, score};

#[cfg(test)]
mod tests;
