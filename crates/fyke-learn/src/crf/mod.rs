//! Conditional random fields of one chain (003 §4.3.5, "Markov models for part-of-speech tagging"): a
//! sequence of hidden states, of which one depends on the one before, and what is seen depends on the
//! state. Here what is seen is a handful of features, numbered, which speak for a state by their weights.
//!
//! The weights are learnt so that the right sequence is likely given what is seen (`train`), not the
//! two together by counting, as those of hidden Markov models are (`hmm`): known words cannot drown what
//! endings say of unknown ones.

mod chain;
mod train;

pub use chain::Chain;
pub use train::{ChainOptions, StateSequence, Trained, train};
