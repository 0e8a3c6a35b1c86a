//! Answers on disk: a query that was answered costs nothing, now or in another run. A line of JSON for each
//! in `collect/answers.jsonl`; a line that was cut by a kill is passed over, and the query asked again.

use super::{Engine, EngineTrouble};
use fyke_store::StoreError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// A day, in milliseconds.
const DAY: i64 = 24 * 3_600 * 1_000;

/// A query with its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredAnswer {
    engine: String,
    query: String,
    depth: usize,
    /// When it was asked, in milliseconds since 1970.
    time: i64,
    hits: Vec<String>,
}

impl StoredAnswer {
    fn key(&self) -> AnswerKey {
        let StoredAnswer { engine, query, depth, .. } = self;
        AnswerKey { engine: engine.clone(), query: query.clone(), depth: *depth }
    }
}

/// What is asked of whom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AnswerKey {
    engine: String,
    query: String,
    depth: usize,
}

/// The answers that are known.
#[derive(Debug)]
pub struct AnswerStore {
    path: PathBuf,
    file: File,
    known: HashMap<AnswerKey, Vec<String>>,
    /// When queries were sent, by engine.
    times: HashMap<String, Vec<i64>>,
}

impl AnswerStore {
    /// Opens the file, which is made when it is missing.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn open(path: &Path) -> Result<AnswerStore, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let mut known = HashMap::new();
        let mut times: HashMap<String, Vec<i64>> = HashMap::new();
        let file = OpenOptions::new().create(true).append(true).read(true).open(path);
        let mut file = file.map_err(failed)?;
        let mut is_whole = true;
        for line in BufReader::new(&file).split(b'\n') {
            let line = line.map_err(failed)?;
            let answer = serde_json::from_slice::<StoredAnswer>(&line);
            is_whole = answer.is_ok();
            if let Ok(answer) = answer {
                times.entry(answer.engine.clone()).or_default().push(answer.time);
                known.insert(answer.key(), answer.hits);
            }
        }
        if !is_whole {
            // The next line must not become part of one that was cut.
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(AnswerStore { path: path.to_owned(), file, known, times })
    }

    /// The answers of one engine alone, where several are asked at a time.
    ///
    /// # Errors
    /// As [`AnswerStore::open`].
    pub fn of_engine(folder: &Path, name: &str) -> Result<AnswerStore, StoreError> {
        let file = format!("answers-{:016x}.jsonl", xxhash_rust::xxh3::xxh3_64(name.as_bytes()));
        AnswerStore::open(&folder.join(file))
    }

    fn keep(&mut self, answer: StoredAnswer) -> Result<(), StoreError> {
        let failed = |error| StoreError::io(&self.path, error);
        let mut line = serde_json::to_vec(&answer).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(failed)?;
        self.times.entry(answer.engine.clone()).or_default().push(answer.time);
        self.known.insert(answer.key(), answer.hits);
        Ok(())
    }

    /// Queries sent to an engine in the 24 hours before this time.
    #[must_use]
    pub fn sent(&self, engine: &str, now: i64) -> u64 {
        let times = self.times.get(engine).map_or(&[][..], Vec::as_slice);
        times.iter().filter(|time| **time > now - DAY).count() as u64
    }
}

/// An engine whose answers are kept.
#[derive(Debug)]
pub struct KnownEngine {
    pub engine: Engine,
    /// By which its answers are known.
    pub name: String,
    pub answers: AnswerStore,
    /// Queries of a day.
    pub quota: Option<u64>,
}

impl KnownEngine {
    /// The documents for a query, the best first, and whether they were known.
    ///
    /// # Errors
    /// When the engine gives no answer, or may not be asked by now.
    pub async fn ask(
        &mut self,
        query: &str,
        depth: usize,
        now: i64,
    ) -> anyhow::Result<(Vec<String>, bool)> {
        let key = AnswerKey { engine: self.name.clone(), query: query.to_owned(), depth };
        if let Some(hits) = self.answers.known.get(&key) {
            return Ok((hits.clone(), true));
        }
        if let Some(quota) = self.quota.filter(|quota| self.answers.sent(&self.name, now) >= *quota)
        {
            return Err(EngineTrouble::Quota(quota).into());
        }
        let hits = self.engine.ask(query, depth).await?;
        let AnswerKey { engine, query, .. } = key;
        self.answers.keep(StoredAnswer { engine, query, depth, time: now, hits: hits.clone() })?;
        Ok((hits, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_known_again_and_a_line_that_was_cut_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.jsonl");
        let answer = |query: &str, time| StoredAnswer {
            engine: "e".to_owned(),
            query: query.to_owned(),
            depth: 10,
            time,
            hits: vec![format!("http://a.test/{query}")],
        };
        let mut store = AnswerStore::open(&path).unwrap();
        store.keep(answer("one", 5)).unwrap();
        store.keep(answer("two", DAY)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let mut store = AnswerStore::open(&path).unwrap();
        assert_eq!(store.known.len(), 1);
        store.keep(answer("three", DAY)).unwrap();
        let store = AnswerStore::open(&path).unwrap();
        assert_eq!(store.known.len(), 2);
        assert_eq!((store.sent("e", DAY), store.sent("e", DAY + 5), store.sent("x", 0)), (2, 1, 0));
    }
}
