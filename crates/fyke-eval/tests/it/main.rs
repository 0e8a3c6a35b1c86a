//! The referee against others: figures and lines of trec_eval, and experiments with people whose
//! wishes are known.
#![allow(clippy::unwrap_used, reason = "what fails here fails its test")]

mod experiments;
mod figures;
mod lines;
mod users;
