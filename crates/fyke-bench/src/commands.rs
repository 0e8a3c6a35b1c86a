//! What a user types to measure a collection: `fyke import FILE` and `fyke search --topics FILE --run FILE`, each in
//! a process of its own.

use super::program;
use anyhow::Context as _;
use fyke_eval::Run;
use std::path::{Path, PathBuf};

/// Makes a collection below `scratch` and imports a file into it.
pub(crate) fn import(scratch: &Path, file: &Path) -> anyhow::Result<PathBuf> {
    let collection = scratch.join("collection");
    std::fs::create_dir_all(&collection)?;
    std::fs::write(collection.join("fyke.toml"), "")?;
    let file = file.to_string_lossy().into_owned();
    said(&collection, &["import", "--quiet", "--json", &file])?;
    Ok(collection)
}

/// The answers to every topic of a file.
pub(crate) fn run(collection: &Path, topics: &Path, options: &[&str]) -> anyhow::Result<Run> {
    let topics = topics.to_string_lossy().into_owned();
    let words = ["search", "--quiet", "--topics", &topics, "--run", "-"];
    let words: Vec<&str> = words.into_iter().chain(options.iter().copied()).collect();
    Ok(Run::parse(&said(collection, &words)?)?)
}

/// Runs the program in a folder; what it says.
fn said(folder: &Path, words: &[&str]) -> anyhow::Result<String> {
    let mut command = program()?;
    command.args(words).current_dir(folder);
    let done = command.output().with_context(|| format!("cannot start fyke {}", words[0]))?;
    let trouble = String::from_utf8_lossy(&done.stderr);
    anyhow::ensure!(done.status.success(), "fyke {} failed: {}", words[0], trouble.trim());
    Ok(String::from_utf8(done.stdout)?)
}
