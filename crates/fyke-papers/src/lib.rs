//! Texts to papers (002 §4): the fields of its header and its references, and how a text's references are found and
//! split; which references name the same paper, and the graph of who cites whom. Pure: no I/O, no clock, no log.

pub mod bibtex;
pub mod contexts;
mod escape;
pub mod fields;
mod footnotes;
mod furniture;
pub mod graph;
pub mod header;
mod lexicon;
pub mod literature;
pub mod made;
pub mod matching;
pub mod models;
pub mod names;
pub mod paper;
pub mod protocol;
pub mod reference;
pub mod sections;
pub mod seen;
pub mod slug;
pub mod small;
pub mod split;
pub mod tagged;
pub mod tei;
pub mod trial;
pub mod verdict;
