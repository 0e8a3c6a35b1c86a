//! Files of judgements, runs and topics, packed or not.

use crate::cli::Failure;
use flate2::read::MultiGzDecoder;
use fyke_eval::formats::{self, RunPieces};
use fyke_eval::{ParseError, Qrels, Run, Topic};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of the longest file read, unpacked.
const MOST_BYTES: u64 = 4 << 30;
/// Bytes of a piece of a run: few enough to stay near the processor.
const PIECE: usize = 256 << 10;

/// The judgements in a file.
pub fn qrels(path: &Path) -> anyhow::Result<Qrels> {
    parsed(path, Qrels::parse)
}

/// The run in a file. Those of TREC are read piece by piece, since they may be large.
pub fn run(path: &Path) -> anyhow::Result<Run> {
    match in_pieces(path).map_err(|error| named(path, &error))? {
        Some(run) => Ok(run),
        None => parsed(path, Run::parse),
    }
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
    let text = text(path).map_err(|error| named(path, &error))?;
    Ok(parse(&text).map_err(|error| named(path, &error))?)
}

/// Trouble with a file.
pub fn named(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

/// The text of a file, unpacked if it begins as gzip does.
pub fn whole(path: &Path) -> anyhow::Result<String> {
    Ok(text(path).map_err(|error| named(path, &error))?)
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut file = BufReader::with_capacity(PIECE, File::open(path)?);
    Ok(match file.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        true => Box::new(MultiGzDecoder::new(file).take(MOST_BYTES)),
        false => Box::new(file.take(MOST_BYTES)),
    })
}

/// None if it is in another format, or has to be read as a whole to say what is wrong.
fn in_pieces(path: &Path) -> io::Result<Option<Run>> {
    let mut file = open(path)?;
    let mut pieces = RunPieces::default();
    let (mut buffer, mut filled, mut is_first) = (vec![0; PIECE], 0, true);
    loop {
        let read = file.read(&mut buffer[filled..])?;
        filled += read;
        let end = if read == 0 { filled } else { after_last_line(&buffer[..filled]) };
        let Ok(lines) = std::str::from_utf8(&buffer[..end]) else { return Ok(None) };
        if is_first && end > 0 && formats::detect(lines).name != "trec" {
            return Ok(None);
        }
        is_first &= lines.trim_ascii().is_empty();
        if pieces.push(lines).is_err() {
            return Ok(None);
        }
        if read == 0 {
            return Ok(pieces.finish());
        }
        buffer.copy_within(end..filled, 0);
        filled -= end;
        if filled == buffer.len() {
            // A line longer than a piece.
            buffer.resize(buffer.len() * 2, 0);
        }
    }
}

fn after_last_line(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}
