//! The program: reads the command line, runs one command, turns trouble into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    fyke::cli::start(std::env::args_os())
}
