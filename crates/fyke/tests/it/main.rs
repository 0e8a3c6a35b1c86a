//! The program from outside: every command run as people run it, on a small pond.
#![allow(clippy::unwrap_used, reason = "what fails here fails its test")]

mod again;
mod archive;
mod bad_input;
mod before;
mod browser;
mod check;
mod client;
mod collect;
mod commands;
mod comparisons;
mod config;
mod dashboard;
mod derivations;
mod disk;
mod export;
mod filters;
mod fixture;
mod import;
mod interrupt;
mod kill;
mod lab;
mod lab_eval;
mod lab_pages;
mod lab_tune;
mod links;
mod papers;
mod pond;
mod private;
mod readers;
mod searches;
mod sections;
mod seeds;
mod sim;
mod similar;
mod site_api;
mod site_browser;
mod site_feed;
mod site_fresh;
mod site_hostile;
mod site_limits;
mod site_papers;
mod site_results;
mod topics;

use pond::pond_collection;
