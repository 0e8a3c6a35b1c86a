//! Chores of the workspace. `cargo xtask test` is the whole test command: it installs what the
//! tests need, checks format and lints, and runs every test.

mod docs;
mod fuzz;
mod needs;
mod signatures;
mod size;
mod unused;

use anyhow::{Context, Result, bail};
use std::process::{Command, ExitCode};

/// A chore: its name, what it does, and the function that does it.
struct Chore {
    name: &'static str,
    what: &'static str,
    run: fn(&[String]) -> Result<()>,
}

const CHORES: &[Chore] = &[
    Chore { name: "test", what: "install what the tests need, then run all of them", run: test },
    Chore { name: "lint", what: "check format and lints only", run: |_| lint() },
    Chore { name: "docs", what: "build the documentation site in target/docs", run: docs::docs },
    Chore {
        name: "fuzz",
        what: "fuzz [TARGET] [--minutes N], or --file FILE once",
        run: fuzz::fuzz,
    },
    Chore {
        name: "unused",
        what: "list public items that nothing outside their room names",
        run: unused::unused,
    },
    Chore { name: "size", what: "count lines, items, names, methods and tuples", run: size::size },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let chore = words.first().and_then(|word| CHORES.iter().find(|chore| chore.name == word));
    let Some(chore) = chore else {
        eprintln!("usage: cargo xtask CHORE\n");
        for chore in CHORES {
            eprintln!("  {:8} {}", chore.name, chore.what);
        }
        return ExitCode::from(2);
    };
    match (chore.run)(&words[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Everything: needs, format, lints, tests. Further words go to the test runner (a filter, say).
fn test(words: &[String]) -> Result<()> {
    needs::browser()?;
    let python_path = needs::python_path()?;
    if words.is_empty() {
        lint()?;
    }
    let mut tests = cargo();
    if answers("cargo", &["nextest", "--version"]) {
        tests.args(["nextest", "run", "--workspace", "--no-fail-fast"]);
    } else {
        tests.args(["test", "--workspace", "--no-fail-fast"]);
    }
    run(tests.args(words).env("FYKE_TEST_PYTHONPATH", python_path))?;
    // nextest runs no examples of documentation.
    match words.is_empty() {
        true => run(cargo().args(["test", "--doc", "--workspace"])),
        false => Ok(()),
    }
}

fn lint() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command to its end; says which one it was when it fails.
fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}").replace('"', "");
    eprintln!("xtask: {shown}");
    let status = command.status().with_context(|| format!("could not start: {shown}"))?;
    if !status.success() {
        bail!("{shown} ended with {status}");
    }
    Ok(())
}

/// Whether a program is there and answers with success.
fn answers(program: &str, words: &[&str]) -> bool {
    let output = Command::new(program).args(words).output();
    output.is_ok_and(|output| output.status.success())
}
