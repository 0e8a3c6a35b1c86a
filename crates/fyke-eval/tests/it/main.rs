//! Experiments with people whose wishes are known: simulated users in front of interleaved lists.
#![allow(clippy::unwrap_used, reason = "what fails here fails its test")]

mod experiments;
mod users;
