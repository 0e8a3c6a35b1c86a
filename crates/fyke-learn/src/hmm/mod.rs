//! Hidden Markov models whose structure is learnt (002 §4.1): states belong to classes, several to one; a
//! state emits the words of its class, and which state follows which is counted. From one state a word
//! (`Structure::neighbours`) or a class (`Structure::baseline`), and by merging states that share what
//! comes before or behind them (`Structure::merged`).

mod decode;
mod emission;
mod merge;
mod structure;

pub use decode::Hmm;
pub use emission::{Emissions, SMOOTHINGS, Smoothing};
pub use structure::{LabelledWords, Structure};
