//! `cargo xtask fuzz [TARGET] [--minutes N] [--file FILE]`: coverage-guided fuzzing of everything that reads strangers'
//! bytes. cargo-fuzz builds the programs in `fuzz/` (on the stable toolchain); each runs for its time, and what it
//! found new stays in `fuzz/corpus` for the next time.

use crate::{answers, cargo, run};
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Minutes for each target where none are named.
const MINUTES: f64 = 1.0;
/// Longest input; those that are files of some format get more.
const MOST_BYTES: usize = 4 << 10;
const MOST_FILE_BYTES: usize = 64 << 10;

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
struct FuzzWanted {
    target: Option<String>,
    minutes: Option<f64>,
    /// Run the target once on this file.
    file: Option<String>,
}

/// What came of one target's run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fuzzed {
    executions: u64,
    /// The file with the input that broke it.
    crash: Option<String>,
}

pub fn fuzz(words: &[String]) -> Result<()> {
    let wanted = wanted(words)?;
    let known = targets(&fs::read_to_string(folder().join("Cargo.toml"))?);
    let chosen: Vec<String> = match &wanted.target {
        None => known,
        Some(name) if known.contains(name) => vec![name.clone()],
        Some(name) => bail!("no target {name:?}; there are: {}", known.join(", ")),
    };
    need_cargo_fuzz()?;
    for target in &chosen {
        run(cargo_fuzz("build").arg(target))?;
    }
    if let (Some(file), [target]) = (&wanted.file, &chosen[..]) {
        return run(cargo_fuzz("run").arg(target).arg(file));
    }
    let minutes = wanted.minutes.unwrap_or(MINUTES);
    let (mut total, mut crashes) = (0, Vec::new());
    for target in &chosen {
        let fuzzed = fuzz_target(target, minutes)?;
        eprintln!("{target:20} {:>14} executions", fuzzed.executions);
        total += fuzzed.executions;
        if let Some(file) = fuzzed.crash {
            eprintln!("{target:20} broke on {file}");
            eprintln!("{:20} again: cargo xtask fuzz {target} --file {file}", "");
            crashes.push(target.as_str());
        }
    }
    eprintln!("{:20} {total:>14} executions", "total");
    if !crashes.is_empty() {
        bail!("broken: {}", crashes.join(", "));
    }
    Ok(())
}

fn wanted(words: &[String]) -> Result<FuzzWanted> {
    let mut wanted = FuzzWanted::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--minutes" => {
                let text = value()?;
                let minutes = text.parse().ok().filter(|minutes: &f64| *minutes > 0.0);
                wanted.minutes = Some(minutes.with_context(|| format!("--minutes {text}"))?);
            }
            "--file" => wanted.file = Some(value()?.clone()),
            name if wanted.target.is_none() && !name.starts_with('-') => {
                wanted.target = Some(name.to_owned());
            }
            other => bail!("{other}: expected [TARGET] [--minutes N] [--file FILE]"),
        }
    }
    if wanted.file.is_some() && wanted.target.is_none() {
        bail!("--file needs the target that is to read it");
    }
    Ok(wanted)
}

/// The names of the programs in a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let programs = manifest.split("[[bin]]").skip(1);
    let name =
        |program: &str| Some(program.split("name = \"").nth(1)?.split('"').next()?.to_owned());
    programs.filter_map(name).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("fuzz")
}

fn need_cargo_fuzz() -> Result<()> {
    if answers("cargo", &["fuzz", "--version"]) {
        return Ok(());
    }
    let installed = run(cargo().args(["install", "--locked", "cargo-fuzz"]));
    installed.context("cargo-fuzz is missing; install it with: cargo install --locked cargo-fuzz")
}

/// A command of cargo-fuzz. Our rooms have no unsafe code, so the address sanitiser would only cost time; what guides
/// the fuzzer is the coverage. The stable compiler takes its flags when it is told to.
fn cargo_fuzz(what: &str) -> Command {
    let mut command = cargo();
    command.args(["fuzz", what, "--sanitizer", "none", "--fuzz-dir"]).arg(folder());
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}

/// Runs a target for its time; its log goes to a file.
fn fuzz_target(target: &str, minutes: f64) -> Result<Fuzzed> {
    let folder = folder();
    let (corpus, seeds) = (folder.join("corpus").join(target), folder.join("seeds").join(target));
    let log = folder.join("logs").join(format!("{target}.txt"));
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(folder.join("logs"))?;
    let most = if target.starts_with("format_") { MOST_FILE_BYTES } else { MOST_BYTES };
    let mut command = cargo_fuzz("run");
    command.arg(target).arg(&corpus).arg(&seeds).arg("--");
    command.arg(format!("-max_total_time={}", (minutes * 60.0).ceil()));
    command.arg(format!("-max_len={most}"));
    command.args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]);
    eprintln!("xtask: fuzzing {target} for {minutes} min; log: {}", log.display());
    let mut running = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let mut file = fs::File::create(&log).with_context(|| format!("writing {}", log.display()))?;
    let mut fuzzed = Fuzzed::default();
    for line in BufReader::new(running.stderr.take().context("no log")?).lines() {
        let line = line?;
        writeln!(file, "{line}")?;
        note(&line, &mut fuzzed);
    }
    let status = running.wait()?;
    if !status.success() && fuzzed.crash.is_none() {
        bail!("{target} ended with {status}; see {}", log.display());
    }
    Ok(fuzzed)
}

/// Takes from a line of libFuzzer's log what it says of executions and crashes.
fn note(line: &str, fuzzed: &mut Fuzzed) {
    let progress = line.strip_prefix('#').and_then(|rest| rest.split(['\t', ':', ' ']).next());
    let last = line.strip_prefix("stat::number_of_executed_units:");
    if let Some(count) = progress.or(last).and_then(|text| text.trim().parse().ok()) {
        fuzzed.executions = fuzzed.executions.max(count);
    }
    if let Some((_, file)) = line.split_once("Test unit written to ") {
        fuzzed.crash = Some(file.trim().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_a_fuzzer_tells_executions_and_the_file_that_broke_it() {
        let mut fuzzed = Fuzzed::default();
        for line in [
            "INFO: Seed: 1",
            "#2\tINITED cov: 5 ft: 6 corp: 1/1b exec/s: 0 rss: 40Mb",
            "#4096\tpulse  cov: 5 ft: 6",
            "thread '<unnamed>' panicked at src/urls.rs:9:5:",
            "artifact_prefix='a/'; Test unit written to fuzz/artifacts/url/crash-1",
            "stat::number_of_executed_units: 5000",
        ] {
            note(line, &mut fuzzed);
        }
        let crash = Some("fuzz/artifacts/url/crash-1".to_owned());
        assert_eq!(fuzzed, Fuzzed { executions: 5_000, crash });
    }

    #[test]
    fn words_of_the_command_are_read_or_refused() {
        let read = |text: &str| {
            wanted(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).ok()
        };
        assert_eq!(read(""), Some(FuzzWanted::default()));
        let url = Some("url".to_owned());
        let expected = FuzzWanted { target: url.clone(), minutes: Some(0.5), file: None };
        assert_eq!(read("url --minutes 0.5"), Some(expected));
        let file = Some("x".to_owned());
        assert_eq!(read("--file x url"), Some(FuzzWanted { target: url, minutes: None, file }));
        for bad in ["--minutes", "--minutes x", "--minutes 0", "url page", "--file x", "--help"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_program_of_the_manifest_has_a_file_and_seeds() {
        let names = targets(&fs::read_to_string(folder().join("Cargo.toml")).expect("a manifest"));
        assert!(names.len() > 30, "{names:?}");
        for name in names {
            assert!(
                folder().join("fuzz_targets").join(&name).with_extension("rs").exists(),
                "{name}"
            );
            assert!(folder().join("seeds").join(&name).is_dir(), "{name}");
        }
    }
}
