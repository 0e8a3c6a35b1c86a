//! Measuring a collection and its search: judgements and pools, the log of searches, reports and plots,
//! the harvest of a focused crawl, and guides tried on recorded webs. The figures themselves are made by
//! `fyke_eval` and `fyke_learn`; here they meet a collection's folder and become pages and pictures.
#![warn(unreachable_pub)]

pub mod collect;
pub mod engine;
pub mod harvest;
pub mod judging;
pub mod plot;
pub mod reports;
pub mod searches;
pub mod sim;
pub mod size;
