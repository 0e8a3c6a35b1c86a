//! The index's folder: opened, read and searched. Readers see each commit as soon as it is made,
//! in this process or another; none ever meets half of one.

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, IndexReader, ReloadPolicy, TantivyDocument};

use crate::error::{IndexError, disk, engine};
use crate::query::Query;
use crate::rank::segment::Snapshot;
use crate::rank::weights::{WEIGHTS, Weights};
use crate::rank::{self, Candidate};
use crate::schema::FIELDS;
use crate::snippet::{Fragment, Marker, Snippet};
use crate::writer::Writer;
use crate::{analysis, snippet};

/// Says with what the folder was made; written last, so that a folder without it is unfinished.
const FORMAT_FILE: &str = "format.txt";

/// Raise it when fields or their meaning change; a change of the analysis is noticed by itself.
const FORMAT: &str = "fyke-index 2";

/// The engine's list of segments: another content, another commit.
const COMMIT_FILE: &str = "meta.json";

/// No page of hits is longer.
const MAX_LIMIT: usize = 100;

/// No page begins later.
const MAX_OFFSET: usize = 10_000;

/// A searchable index in a folder.
pub struct Index {
    dir: PathBuf,
    engine: tantivy::Index,
    reader: IndexReader,
    current: Mutex<(Vec<u8>, Arc<Snapshot>)>,
}

/// Which hits are wanted, and how much about them.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Hits to leave out at the front; at most 10,000.
    pub offset: usize,
    /// Hits wanted; at most 100.
    pub limit: usize,
    /// Whether each hit says what its score is made of.
    pub explain: bool,
    /// What the ranking weighs: those of a [`crate::Ranker`].
    pub weights: Weights,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions { offset: 0, limit: 10, explain: false, weights: WEIGHTS }
    }
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// Documents that match, counted exactly.
    pub total: usize,
    /// Those asked for, the best first.
    pub hits: Vec<Hit>,
    /// Time taken, in millionths of a second.
    pub micros: u64,
}

/// A document found.
#[derive(Clone, Debug, Serialize)]
pub struct Hit {
    /// The entry's id.
    pub id: u64,
    /// The entry's URL.
    pub url: String,
    /// The entry's host.
    pub host: String,
    /// The entry's title.
    pub title: String,
    /// The entry's language.
    pub language: String,
    /// The entry's time.
    pub time: i64,
    /// The larger the better; comparable within one query only.
    pub score: f32,
    /// The best places of the body, with the query's words marked.
    pub snippet: Vec<Fragment>,
    /// The page on which the snippet begins, counted from 1, where the body has pages.
    pub page: Option<u32>,
    /// The title, with the query's words marked.
    pub title_fragments: Vec<Fragment>,
    /// What the score is the sum of; empty unless asked for.
    pub explain: Vec<(String, f32)>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Index {
    /// Opens the index in `dir`, or makes an empty one there.
    ///
    /// # Errors
    /// `Old` when the folder was made by another version: delete it and build it again.
    pub fn open(dir: &Path) -> Result<Index, IndexError> {
        let engine_index = open_folder(dir)?;
        engine_index.tokenizers().register(analysis::NAME, analysis::Analysis);
        let broken = |e| engine(dir, e);
        let reader = engine_index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader: IndexReader = reader.try_into().map_err(broken)?;
        let snapshot = Snapshot::new(reader.searcher()).map_err(broken)?;
        let current = Mutex::new((Vec::new(), Arc::new(snapshot)));
        Ok(Index { dir: dir.to_owned(), engine: engine_index, reader, current })
    }

    /// The index's one writer.
    ///
    /// # Errors
    /// `Locked` while there is another, here or in another process.
    pub fn writer(&self) -> Result<Writer, IndexError> {
        Writer::open(self.dir.clone(), &self.engine)
    }

    /// The mark given with the last commit; empty before the first.
    #[must_use]
    pub fn mark(&self) -> String {
        self.engine.load_metas().ok().and_then(|metas| metas.payload).unwrap_or_default()
    }

    /// Number of entries.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn len(&self) -> Result<u64, IndexError> {
        Ok(self.snapshot()?.documents)
    }

    /// Whether there are no entries.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn is_empty(&self) -> Result<bool, IndexError> {
        Ok(self.len()? == 0)
    }

    /// The best documents for `query`. An empty query finds nothing.
    ///
    /// # Errors
    /// When the folder cannot be read; never because of the query.
    pub fn search(&self, query: &Query, options: &SearchOptions) -> Result<Results, IndexError> {
        let start = Instant::now();
        let snapshot = self.snapshot()?;
        let found =
            if query.is_empty() { Ok((0, Vec::new())) } else { page(&snapshot, query, options) };
        let (total, hits) = found.map_err(|e| engine(&self.dir, e))?;
        Ok(Results { total, hits, micros: start.elapsed().as_micros() as u64 })
    }

    /// The index as of its last commit.
    fn snapshot(&self) -> Result<Arc<Snapshot>, IndexError> {
        let commit = fs::read(self.dir.join(COMMIT_FILE)).map_err(|e| disk(&self.dir, e))?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.0 != commit {
            let broken = |e| engine(&self.dir, e);
            self.reader.reload().map_err(broken)?;
            let snapshot = Snapshot::new(self.reader.searcher()).map_err(broken)?;
            *current = (commit, Arc::new(snapshot));
        }
        Ok(Arc::clone(&current.1))
    }
}

/// The engine's index in `dir`, made anew where there is none.
fn open_folder(dir: &Path) -> Result<tantivy::Index, IndexError> {
    let format = format!("{FORMAT}\n{}\n", analysis::fingerprint());
    let format_file = dir.join(FORMAT_FILE);
    match fs::read_to_string(&format_file) {
        Ok(found) if found == format => {
            return tantivy::Index::open_in_dir(dir).map_err(|e| engine(dir, e));
        }
        Ok(_) => return Err(IndexError::Old(dir.to_owned())),
        Err(e) if e.kind() != NotFound => return Err(disk(dir, e)),
        Err(_) => {}
    }
    fs::create_dir_all(dir).map_err(|e| disk(dir, e))?;
    if dir.join(COMMIT_FILE).exists() {
        return Err(IndexError::Old(dir.to_owned()));
    }
    let schema = FIELDS.schema.clone();
    let index = tantivy::Index::create_in_dir(dir, schema).map_err(|e| engine(dir, e))?;
    let unfinished = dir.join("format.new");
    fs::write(&unfinished, format).map_err(|e| disk(dir, e))?;
    fs::rename(&unfinished, &format_file).map_err(|e| disk(dir, e))?;
    Ok(index)
}

/// The number of matches and the hits of the page asked for.
fn page(
    snapshot: &Snapshot,
    query: &Query,
    options: &SearchOptions,
) -> tantivy::Result<(usize, Vec<Hit>)> {
    let limit = options.limit.min(MAX_LIMIT);
    let offset = options.offset.min(MAX_OFFSET);
    let ranked = rank::rank(snapshot, query, offset + limit, &options.weights)?;
    let marker = Marker::new(query);
    let shown = ranked.best.iter().skip(offset).take(limit);
    let hits = shown.map(|candidate| {
        let mut hit = hit(snapshot, candidate, &marker)?;
        if options.explain {
            hit.explain = rank::explain(snapshot, &ranked, candidate, &options.weights)?;
        }
        Ok(hit)
    });
    Ok((ranked.total, hits.collect::<tantivy::Result<_>>()?))
}

fn hit(snapshot: &Snapshot, candidate: &Candidate, marker: &Marker) -> tantivy::Result<Hit> {
    let address = DocAddress::new(candidate.segment as u32, candidate.doc);
    let stored: TantivyDocument = snapshot.searcher.doc(address)?;
    let text =
        |field: Field| stored.get_first(field).and_then(|value| value.as_str()).unwrap_or_default();
    let title = text(FIELDS.title);
    let pages = stored.get_first(FIELDS.pages).and_then(|value| value.as_bytes());
    let pages = pages.unwrap_or_default();
    let Snippet { fragments, place } =
        snippet::snippet(text(FIELDS.body), marker, !pages.is_empty());
    Ok(Hit {
        id: candidate.id,
        url: text(FIELDS.url).to_owned(),
        host: text(FIELDS.host).to_owned(),
        title: title.to_owned(),
        language: text(FIELDS.language).to_owned(),
        time: stored.get_first(FIELDS.time).and_then(|value| value.as_i64()).unwrap_or_default(),
        score: candidate.score,
        snippet: fragments,
        page: place.and_then(|place| page_at(pages, place)),
        title_fragments: marker.mark(title),
        explain: Vec::new(),
    })
}

/// The page, from 1, on which a place of the body lies; none before the first page.
fn page_at(pages: &[u8], place: usize) -> Option<u32> {
    let starts =
        pages.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    let before =
        starts.take_while(|start| usize::try_from(*start).is_ok_and(|start| start <= place));
    u32::try_from(before.count()).ok().filter(|page| *page > 0)
}
