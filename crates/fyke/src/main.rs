//! The program: reads the command line, runs one command, turns trouble into an exit code.

use clap::Parser;
use fyke::cli::{self, Cli};
use fyke::descriptors;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli::log(&cli.global);
    descriptors::raise();
    let exit = cli::run(cli).unwrap_or_else(|error| cli::report(&error));
    ExitCode::from(exit.code())
}
