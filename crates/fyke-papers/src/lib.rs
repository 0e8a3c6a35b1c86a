//! Texts to papers (002 §4): the fields of its header and its references, and how a text's references are found and
//! split. Pure: no I/O, no clock, no log.

pub mod fields;
mod lexicon;
pub mod protocol;
pub mod seen;
pub mod split;
pub mod tagged;
