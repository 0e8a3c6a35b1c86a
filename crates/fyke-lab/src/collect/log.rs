//! What a collecting run did, step by step: a line of JSON each in `collect/steps.jsonl`, only added to.

use super::told::ShownShare;
use crate::engine::{EngineAddress, EngineManners};
use fyke_store::StoreError;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CollectEvent {
    Start(CollectStart),
    /// What the engine was found to do with queries.
    Manners {
        run: u32,
        manners: EngineManners,
    },
    Query(QueryDone),
    Document(DocumentDone),
    /// A page of a host with a high yield, which no query found.
    HostPage(DocumentDone),
    /// What the learner believes after so many queries.
    Belief {
        run: u32,
        queries: u64,
        shares: Vec<ShownShare>,
    },
    /// Somebody judged a document of a sample: whether it is in the language.
    Judged {
        run: u32,
        url: String,
        is_right: bool,
    },
    /// A document that was taken to be in the language is not, by what was learnt from judgements.
    Rejected {
        run: u32,
        url: String,
        words: u32,
        /// No query found it.
        #[serde(default)]
        is_of_host: bool,
    },
    /// Something to be said to people.
    Note {
        run: u32,
        text: String,
    },
}

/// How a run begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollectStart {
    /// Runs of one collection count from 1; each knows nothing of the others.
    pub run: u32,
    pub lang: String,
    /// By which the answers of the engine are known.
    pub engine: String,
    /// How it is asked, and for how many hits.
    #[serde(default)]
    pub address: EngineAddress,
    #[serde(default)]
    pub depth: usize,
    pub learner: String,
    /// Wrong hits of a query in a row after which the next query is sent; 0: one hit of a query at a time, as in 004; none:
    /// as the learner was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<u32>,
    /// Of the dice.
    pub seed: u64,
    /// Texts in the language, and in others.
    pub texts: Vec<String>,
    pub others: Vec<String>,
    /// In milliseconds since 1970.
    pub time: i64,
}

/// A query that was answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueryDone {
    pub run: u32,
    pub query: String,
    /// The way its words were chosen, and how many of each: `PAIR-2-3`.
    pub way: String,
    pub hits: usize,
    /// Its answer was known: nobody was asked.
    pub was_known: bool,
    pub time: i64,
}

/// A hit that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentDone {
    pub run: u32,
    pub url: String,
    pub verdict: CollectVerdict,
    /// What the filter takes its language for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
    #[serde(default)]
    pub confidence: f32,
    #[serde(default)]
    pub words: u32,
    /// Why it could not be had: the name of a reason of the ledger.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub time: i64,
}

/// What a hit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectVerdict {
    /// A new document in the language.
    Found,
    /// In another language.
    Wrong,
    /// In the language, but not about the subject of the collection.
    Offtopic,
    /// Its text was there before.
    Copy,
    /// Too few words to say anything.
    Empty,
    /// It could not be had.
    Dead,
}

/// The steps so far.
#[derive(Debug)]
pub struct CollectLog {
    path: PathBuf,
    file: File,
    pub events: Vec<CollectEvent>,
}

impl CollectLog {
    /// Opens the log to be written; it is made when it is missing.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn open(root: &Path) -> Result<CollectLog, StoreError> {
        let dir = super::folder(root);
        std::fs::create_dir_all(&dir).map_err(|error| StoreError::io(&dir, error))?;
        let path = dir.join("steps.jsonl");
        let failed = |error| StoreError::io(&path, error);
        let file = OpenOptions::new().create(true).append(true).read(true).open(&path);
        let mut file = file.map_err(failed)?;
        let (events, is_whole) = read(&file).map_err(failed)?;
        if !is_whole {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(CollectLog { path, file, events })
    }

    /// The steps of a collection, for those who only read; none when nothing was collected.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(root: &Path) -> Result<Vec<CollectEvent>, StoreError> {
        let path = super::folder(root).join("steps.jsonl");
        let failed = |error| StoreError::io(&path, error);
        match File::open(&path) {
            Ok(file) => Ok(read(&file).map_err(failed)?.0),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Writes a step down.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, event: CollectEvent) -> Result<(), StoreError> {
        let failed = |error| StoreError::io(&self.path, error);
        let mut line = serde_json::to_vec(&event).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(failed)?;
        self.events.push(event);
        Ok(())
    }

    /// The last run, if there was one.
    #[must_use]
    pub fn last_start(&self) -> Option<&CollectStart> {
        self.events.iter().rev().find_map(|event| match event {
            CollectEvent::Start(start) => Some(start),
            _ => None,
        })
    }
}

/// The steps of a file; whether its last line is whole. A line that was cut by a kill is passed over.
fn read(file: &File) -> std::io::Result<(Vec<CollectEvent>, bool)> {
    let (mut events, mut is_whole) = (Vec::new(), true);
    for line in BufReader::new(file).split(b'\n') {
        let line = line?;
        let event = serde_json::from_slice(&line);
        is_whole = event.is_ok() || line.is_empty();
        events.extend(event.ok());
    }
    Ok((events, is_whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_again_but_for_one_that_was_cut() {
        let root = tempfile::tempdir().unwrap();
        assert!(CollectLog::read(root.path()).unwrap().is_empty());
        let mut log = CollectLog::open(root.path()).unwrap();
        log.add(CollectEvent::Start(CollectStart { run: 1, ..CollectStart::default() })).unwrap();
        let text = "the engine ignores a sign".to_owned();
        log.add(CollectEvent::Note { run: 1, text }).unwrap();
        let path = root.path().join("collect/steps.jsonl");
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 4]).unwrap();
        let mut log = CollectLog::open(root.path()).unwrap();
        assert_eq!((log.events.len(), log.last_start().map(|start| start.run)), (1, Some(1)));
        log.add(CollectEvent::Query(QueryDone::default())).unwrap();
        assert_eq!(CollectLog::read(root.path()).unwrap(), log.events);
    }
}
