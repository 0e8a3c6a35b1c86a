//! The index from outside: small corpora written as strings go in, ranked hits come out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod alike;
mod budget;
mod corpus;
mod facts;
mod folder;
mod help;
mod hostile;
mod language;
mod questions;
mod readers;
mod rehearsal;
mod search;
