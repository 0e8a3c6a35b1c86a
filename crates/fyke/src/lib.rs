//! Wiring: settings, stages, command line and web site over the other rooms. Computes nothing itself.

pub mod cli;
pub mod cpu;
pub mod demo;
pub mod ghostscript;
