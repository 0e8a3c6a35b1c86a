//! Qrels and runs from files, packed or not.

use crate::cli::Failure;
use flate2::read::MultiGzDecoder;
use fyke_eval::{ParseError, Qrels, Run};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of the longest file read, unpacked.
const MOST_BYTES: u64 = 4 << 30;

/// The judgements in a file.
pub fn qrels(path: &Path) -> anyhow::Result<Qrels> {
    parsed(path, Qrels::parse)
}

/// The run in a file.
pub fn run(path: &Path) -> anyhow::Result<Run> {
    parsed(path, Run::parse)
}

fn parsed<T>(path: &Path, parse: fn(&str) -> Result<T, ParseError>) -> anyhow::Result<T> {
    let text = text(path).map_err(|error| named(path, &error))?;
    Ok(parse(&text).map_err(|error| named(path, &error))?)
}

pub fn named(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

/// The text of a file, unpacked if it begins as gzip does.
pub fn text(path: &Path) -> std::io::Result<String> {
    let mut file = BufReader::new(File::open(path)?);
    let packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let mut text = String::new();
    match packed {
        true => MultiGzDecoder::new(file).take(MOST_BYTES).read_to_string(&mut text)?,
        false => file.take(MOST_BYTES).read_to_string(&mut text)?,
    };
    Ok(text)
}
