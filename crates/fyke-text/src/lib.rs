//! Strings to terms: tokens, languages, stop lists, sketches. Pure: no I/O, no clock, no log.

pub mod fingerprint;
pub mod language;
pub mod sketch;
pub mod stop;
pub mod token;

pub use fingerprint::Fingerprint;
pub use language::{Guess, Languages, identify, shares};
pub use sketch::{Digest, Sketch, checksum, digest, sketch, twins};
pub use stop::is_stop;
pub use token::{Token, fold, tokens};
