//! Strings to terms: tokens, languages, stop lists, sketches. Pure: no I/O, no clock, no log.

pub mod difference;
mod eight;
pub mod fingerprint;
mod hashed;
pub mod heaps;
pub mod language;
pub mod sketch;
pub mod stop;
pub mod token;
pub mod vocabulary;
pub mod zipf;

pub use fingerprint::Fingerprint;
pub use hashed::Hashed;
pub use heaps::Heaps;
pub use language::{Guess, Languages, identify, shares};
pub use sketch::{Digest, SKETCHES, Sketch, checksum, digest, sketch};
pub use stop::is_stop;
pub use token::{Token, fold, tokens};
pub use vocabulary::Vocabulary;
pub use zipf::{Mandelbrot, Spectrum, Zipf};
