//! Files of judgements, runs and topics, packed or not.

use crate::cli::Failure;
use flate2::read::MultiGzDecoder;
use fyke_eval::{ParseError, Qrels, Run, Topic, formats};
use std::collections::HashMap;
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

/// The topics in a file.
pub fn topics(path: &Path) -> anyhow::Result<Vec<Topic>> {
    parsed(path, formats::topics)
}

/// Groups of near-copies: lines of a document and the name of its group; numbers from 1.
pub fn groups(path: &Path) -> anyhow::Result<HashMap<String, u32>> {
    parsed(path, formats::groups)
}

/// What a parser makes of a file.
pub fn parsed<T>(path: &Path, parse: fn(&str) -> Result<T, ParseError>) -> anyhow::Result<T> {
    Ok(parse(&whole(path)?).map_err(|error| named(path, &error))?)
}

/// Trouble with a file.
pub fn named(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

/// The text of a file, unpacked if it begins as gzip does.
pub fn whole(path: &Path) -> anyhow::Result<String> {
    Ok(text(path).map_err(|error| named(path, &error))?)
}

fn text(path: &Path) -> std::io::Result<String> {
    let file = File::open(path)?;
    let length = file.metadata()?.len().min(MOST_BYTES);
    let mut file = BufReader::new(file);
    let packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let mut text = String::new();
    match packed {
        true => MultiGzDecoder::new(file).take(MOST_BYTES).read_to_string(&mut text)?,
        false => {
            text.reserve_exact(usize::try_from(length).unwrap_or(0));
            file.take(MOST_BYTES).read_to_string(&mut text)?
        }
    };
    Ok(text)
}
