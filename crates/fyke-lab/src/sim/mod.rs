//! Spiders tried on what was recorded (002 §2.1): recordings become webs that are known whole, and each
//! guide is sent over one of them after it has learned from the others.

mod captures;
mod experiment;
mod recording;
mod universities;

pub use captures::{SimTargets, collection};
pub use experiment::{Contender, GuideTrial, run, run_model, train};
pub use recording::Recorded;
pub use universities::sites;
