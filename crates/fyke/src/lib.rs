//! Wiring: settings, stages, command line and web site over the other rooms. Computes nothing itself.

pub mod cli;
pub mod config;
pub mod cpu;
pub mod demo;
pub mod descriptors;
pub mod facts;
pub mod files;
pub mod ghostscript;
pub mod judging;
pub mod lab;
pub mod memory;
pub mod plot;
pub mod searches;
pub mod serve;
pub mod show;
pub mod sim;
pub mod stages;
