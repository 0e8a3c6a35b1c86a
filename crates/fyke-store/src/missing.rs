//! Captures that the ledger names and the disk does not have: a WARC file was deleted, cut off or damaged. They are
//! counted before anything is made again from captures, and their URLs are queued again when that is asked for.

use crate::warc::payload_digest;
use crate::{Collection, Place, Reason, StoreError, View};
use fyke_web::UrlId;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// How closely captures are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDepth {
    /// Whether their files are there and long enough.
    Lengths,
    /// Whether each can be read.
    Contents,
}

/// What is missing.
#[derive(Debug, Default)]
pub struct MissingCaptures {
    /// The URLs whose captures are gone.
    pub urls: Vec<UrlId>,
    /// How many of each file.
    pub files: BTreeMap<PathBuf, u64>,
    /// URLs that have a capture, by the ledger.
    pub of: u64,
}

impl MissingCaptures {
    /// What is gone, in words; nothing when all is there.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let (path, _) = self.files.first_key_value()?;
        let more = match self.files.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more files"),
        };
        let (missing, of) = (self.urls.len(), self.of);
        Some(format!(
            "{missing} of {of} captures are missing or damaged ({}{more})",
            path.display()
        ))
    }
}

impl View {
    /// Looks for the capture of every URL that has one.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn missing_captures(&self, closely: CheckDepth) -> Result<MissingCaptures, StoreError> {
        let mut missing = MissingCaptures::default();
        let mut lengths = BTreeMap::new();
        for row in self.ledger.rows() {
            let (id, row) = row?;
            let Some(place) = row.capture else { continue };
            missing.of += 1;
            let length = lengths.entry(place.file).or_insert_with(|| {
                fs::metadata(self.captures.path(place.file)).map_or(0, |file| file.len())
            });
            let is_there = place.after().offset <= *length
                && (closely == CheckDepth::Lengths || self.is_whole(place, row.digest)?);
            if !is_there {
                missing.urls.push(id);
                *missing.files.entry(self.captures.path(place.file)).or_default() += 1;
            }
        }
        Ok(missing)
    }

    /// Whether a capture can be read and is the one that was taken.
    fn is_whole(&self, place: Place, digest: Option<[u8; 16]>) -> Result<bool, StoreError> {
        match self.captures.read(place) {
            Ok(capture) => Ok(digest.is_none_or(|taken| taken == payload_digest(&capture.payload))),
            Err(StoreError::Damaged { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Collection {
    /// Queues every URL again whose capture is gone, to be fetched whole; says how many.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn queue_missing(&self) -> Result<u64, StoreError> {
        let missing = self.missing_captures(CheckDepth::Contents)?;
        for id in &missing.urls {
            self.ledger.update(*id, |row| {
                (row.reason, row.capture, row.digest) = (Reason::Queued, None, None);
                // With a validator the server would send nothing.
                (row.etag, row.last_modified) = (None, None);
                (row.tries, row.given_up) = (0, false);
                row.detail.clear();
                true
            })?;
        }
        self.sync()?;
        Ok(missing.urls.len() as u64)
    }
}
