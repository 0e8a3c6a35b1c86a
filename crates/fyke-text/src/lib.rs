//! Strings to terms: tokens, stems, tags, phrases, languages, stop lists, sketches. Pure: no I/O, no clock,
//! no log.

pub mod bag;
pub mod bare;
pub mod compound;
pub mod difference;
mod eight;
pub mod entity;
pub mod fingerprint;
pub mod grams;
mod hashed;
pub mod heaps;
pub mod keywords;
pub mod language;
pub mod link;
pub mod phrase;
pub mod pieces;
mod rules;
pub mod segment;
pub mod sequence;
pub mod sixteen;
pub mod sketch;
pub mod stem;
pub mod stop;
pub mod subject;
pub mod tag;
pub mod token;
pub mod vocabulary;
pub mod words;
pub mod zipf;

pub use bare::bare;
pub use fingerprint::Fingerprint;
pub use hashed::Hashed;
pub use heaps::Heaps;
pub use keywords::Keywords;
pub use language::{Guess, Languages, identify, shares};
pub use pieces::{OpenPiece, TextPiece, TextPieces};
pub use rules::WordRules;
pub use sketch::{Digest, SKETCHES, Sketch, checksum, digest, sketch};
pub use stem::stem;
pub use stop::is_stop;
pub use token::{Token, each_form, fold, tokens};
pub use vocabulary::Vocabulary;
pub use words::{TextPart, each_word};
pub use zipf::{Mandelbrot, Spectrum, Zipf};
