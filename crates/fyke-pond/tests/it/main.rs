//! The pond from outside: its server and judge, its hazards, its sites.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod client;
mod hazards;
mod plain;
mod server;
mod sites;
