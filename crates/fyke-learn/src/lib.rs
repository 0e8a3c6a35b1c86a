//! Counts to models: what can be learned from a collection as a whole. No I/O, no clock, no log; the
//! number of threads is an argument.

pub mod bayes;
pub mod capture;
pub mod cluster;
pub mod crf;
pub mod graph;
pub mod hashed;
pub mod hmm;
pub mod logistic;
pub mod online;
pub mod revisit;
pub mod shuffle;
pub mod size;
pub mod spider;
pub mod terms;
pub mod topics;

pub use graph::{Graph, Hits, HitsValues, InLinks, PageRank, Ranks, base_set};
pub use logistic::{Logistic, LogisticExample};
