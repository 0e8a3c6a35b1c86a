//! Texts to papers (002 §4): the fields of its header and its references, and how a text's references are found and
//! split. Pure: no I/O, no clock, no log.

pub mod bibtex;
pub mod contexts;
pub mod fields;
pub mod header;
mod lexicon;
pub mod models;
pub mod names;
pub mod paper;
pub mod protocol;
pub mod reference;
pub mod sections;
pub mod seen;
pub mod split;
pub mod tagged;
pub mod tei;
pub mod trial;
