//! Documents, links and columns: derived, deleted and made again (D3, the BigTable model: a row per
//! URL, column groups, sorted immutable files).
//!
//! All of them live in one database, `documents/N/`: a batch of documents, its links and the mark
//! up to which captures were read go in together or not at all. Columns stand in it too, so there
//! is no `columns/` folder. The number N lets an emptied store be opened before the old one is
//! deleted.

use crate::table::{Table, decode, encode};
use crate::{StoreError, captures};
use fjall::Keyspace;
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A link as stored with its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredLink {
    pub target: UrlId,
    pub anchor: String,
    pub nofollow: bool,
}

/// The documents folder.
pub struct Documents {
    dir: PathBuf,
    table: Table,
    documents: Keyspace,
    links: Keyspace,
    columns: Keyspace,
    meta: Keyspace,
}

impl std::fmt::Debug for Documents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Documents").field("table", &self.table).finish_non_exhaustive()
    }
}

const MARK: &[u8] = b"mark";
/// The column of anchor texts.
const ANCHORS: &str = "anchor";

impl Documents {
    /// Opens the folder, making it where there is none.
    ///
    /// # Errors
    /// When the table cannot be read or written (so all of these).
    pub fn open(dir: &Path) -> Result<Documents, StoreError> {
        fs::create_dir_all(dir).map_err(|e| StoreError::io(dir, e))?;
        let numbers = numbers(dir)?;
        let number = numbers.last().copied().unwrap_or(0);
        let documents = Documents::open_number(dir, number)?;
        for old in numbers.iter().filter(|&&n| n != number) {
            remove(&dir.join(old.to_string()))?;
        }
        Ok(documents)
    }

    fn open_number(dir: &Path, number: u64) -> Result<Documents, StoreError> {
        let names = ["documents", "links", "columns", "meta"];
        let (table, keyspaces) = Table::open(&dir.join(number.to_string()), &names)?;
        let Ok([documents, links, columns, meta]) = <[Keyspace; 4]>::try_from(keyspaces) else {
            return Err(StoreError::damaged(dir, "a keyspace is missing"));
        };
        Ok(Documents { dir: dir.to_owned(), table, documents, links, columns, meta })
    }

    /// Throws everything away; what is open stays usable and is empty after this.
    pub(crate) fn delete(&mut self) -> Result<(), StoreError> {
        let next = numbers(&self.dir)?.last().map_or(0, |n| n + 1);
        let empty = Documents::open_number(&self.dir, next)?;
        let old = std::mem::replace(self, empty).table.dir().to_owned();
        remove(&old)
    }

    /// Up to which capture (file, offset) documents have been made.
    pub fn mark(&self) -> Result<(u32, u64), StoreError> {
        Ok(self.table.get(&self.meta, MARK)?.unwrap_or_default())
    }

    /// Puts documents (None: the capture gave no document, a former one is deleted) with their
    /// links and moves the mark, in one atomic batch. Of two entries of one URL the later stands.
    pub fn put(
        &self,
        batch: &[(UrlId, Option<Document>, Vec<StoredLink>)],
        mark: (u32, u64),
    ) -> Result<(), StoreError> {
        let mut write = self.table.batch();
        let last: BTreeMap<UrlId, _> = batch.iter().map(|(id, d, l)| (*id, (d, l))).collect();
        for (id, (document, links)) in last {
            let key = id.0.to_be_bytes();
            match document {
                Some(document) => write.insert(&self.documents, key, encode(document)),
                None => write.remove(&self.documents, key),
            }
            match links.is_empty() {
                false => write.insert(&self.links, key, encode(links)),
                true => write.remove(&self.links, key),
            }
        }
        write.insert(&self.meta, MARK, encode(&mark));
        self.table.commit(write)
    }

    /// Settles what was put, so that the next opening is quick.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        self.table.settle(&[&self.documents, &self.links, &self.columns, &self.meta])
    }

    /// One document.
    pub fn get(&self, id: UrlId) -> Result<Option<Document>, StoreError> {
        self.table.get(&self.documents, &id.0.to_be_bytes())
    }

    /// All documents, by id.
    pub fn all(&self) -> impl Iterator<Item = Result<Document, StoreError>> {
        self.documents.iter().map(|guard| self.table.entry(guard).map(|(_, document)| document))
    }

    /// Links out of a document.
    pub fn links(&self, id: UrlId) -> Result<Vec<StoredLink>, StoreError> {
        Ok(self.table.get(&self.links, &id.0.to_be_bytes())?.unwrap_or_default())
    }

    /// Collects the anchor text of every link with its target (the column group `anchor:*` of the
    /// BigTable example, 003 §3.6.4). Of several links from one page to one target the first counts.
    pub fn gather_anchors(&self) -> Result<(), StoreError> {
        let mut gathered: BTreeMap<UrlId, Vec<(UrlId, String)>> = BTreeMap::new();
        for guard in self.links.iter() {
            let (key, links): (_, Vec<StoredLink>) = self.table.entry(guard)?;
            let source = UrlId(self.table.id(&key, 0)?);
            for link in links {
                let anchors = gathered.entry(link.target).or_default();
                if anchors.last().is_none_or(|(last, _)| *last != source) {
                    anchors.push((source, link.anchor));
                }
            }
        }
        let cell = |(target, anchors)| (target, encode(&anchors));
        self.put_column(ANCHORS, &gathered.into_iter().map(cell).collect::<Vec<_>>())
    }

    /// Anchor texts of links to this URL with their sources, by source, as last gathered.
    pub fn anchors(&self, id: UrlId) -> Result<Vec<(UrlId, String)>, StoreError> {
        let cell = self.cell(ANCHORS, id)?;
        cell.map_or(Ok(Vec::new()), |cell| decode(self.table.dir(), &cell))
    }

    /// Replaces a whole column of facts (name such as "twin"), keyed by URL id, in one atomic
    /// batch.
    pub fn put_column(&self, name: &str, cells: &[(UrlId, Vec<u8>)]) -> Result<(), StoreError> {
        let mut write = self.table.batch();
        let cells: BTreeMap<UrlId, &Vec<u8>> = cells.iter().map(|(id, v)| (*id, v)).collect();
        for (id, _) in self.column(name)? {
            if !cells.contains_key(&id) {
                write.remove(&self.columns, cell_key(name, id));
            }
        }
        for (id, value) in cells {
            write.insert(&self.columns, cell_key(name, id), encode(value));
        }
        self.table.commit(write)
    }

    /// One fact.
    pub fn cell(&self, name: &str, id: UrlId) -> Result<Option<Vec<u8>>, StoreError> {
        self.table.get(&self.columns, &cell_key(name, id))
    }

    /// A whole column, by id.
    pub fn column(&self, name: &str) -> Result<Vec<(UrlId, Vec<u8>)>, StoreError> {
        let prefix = column_prefix(name);
        let entry = |guard| {
            let (key, value) = self.table.entry(guard)?;
            Ok((UrlId(self.table.id(&key, prefix.len())?), value))
        };
        self.columns.prefix(&prefix).map(entry).collect()
    }
}

/// The numbers of the databases in the folder, smallest first.
fn numbers(dir: &Path) -> Result<Vec<u64>, StoreError> {
    let entries = fs::read_dir(dir).map_err(|e| StoreError::io(dir, e))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut numbers: Vec<u64> = names.filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

fn remove(dir: &Path) -> Result<(), StoreError> {
    fs::remove_dir_all(dir).map_err(|e| StoreError::io(dir, e))?;
    captures::sync_dir(dir.parent().unwrap_or(dir))
}

/// The name's length comes first, so that no name is the start of another.
fn column_prefix(name: &str) -> Vec<u8> {
    [&(name.len() as u32).to_be_bytes()[..], name.as_bytes()].concat()
}

fn cell_key(name: &str, id: UrlId) -> Vec<u8> {
    [&column_prefix(name)[..], &id.0.to_be_bytes()].concat()
}
