//! The index's folder: opened, read and searched. Readers see each commit as soon as it is made,
//! in this process or another; none ever meets half of one.

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use tantivy::schema::IndexRecordOption::Basic;
use tantivy::schema::{Field, Value};
use tantivy::{
    DocAddress, DocSet, IndexReader, IndexSettings, ReloadPolicy, TERMINATED, TantivyDocument, Term,
};

use crate::diversity::diversify;
use crate::error::{IndexError, disk, engine};
use crate::facets::{Facets, facets};
use crate::query::Query;
use crate::rank;
use crate::rank::segment::Snapshot;
use crate::rank::weights::{WEIGHTS, Weights};
use crate::schema::FIELDS;
use crate::snippet::{Fragment, Marker, Snippet};
use crate::writer::Writer;
use crate::{analysis, snippet};

/// Says with what the folder was made; written last, so that a folder without it is unfinished.
const FORMAT_FILE: &str = "format.txt";

/// Raise it when fields or their meaning change; a change of the analysis is noticed by itself.
const FORMAT: &str = "fyke-index 4";

/// The engine's list of segments: another content, another commit.
const COMMIT_FILE: &str = "meta.json";

/// Bytes of kept documents that are packed together: a hit's text is unpacked with its neighbours'.
const KEPT_TOGETHER: usize = 4 << 10;

/// A commit that cannot be read is read so often.
const READINGS: usize = 3;

/// No page of hits is longer.
pub(crate) const MAX_LIMIT: usize = 100;

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
    /// Whether the matches are counted by host, language, format and year.
    pub facets: bool,
    /// How much it counts that a hit says what those before it do not, between 0 and 1; costs the
    /// reading of the best hundred.
    pub diversity: Option<f32>,
    /// What the ranking weighs: those of a [`crate::Ranker`].
    pub weights: Weights,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            offset: 0,
            limit: 10,
            explain: false,
            facets: false,
            diversity: None,
            weights: WEIGHTS,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Results {
    /// Documents that match, counted exactly.
    pub total: usize,
    /// Those asked for, the best first.
    pub hits: Vec<Hit>,
    /// What the matches are like, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
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
        Writer::open(&self.dir, &self.engine)
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

    /// The languages that a third of the entries are in, or else the one of most: those that queries
    /// are likely in.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn languages(&self) -> Result<Vec<&'static str>, IndexError> {
        Ok(self.snapshot()?.languages.clone())
    }

    /// Understands `text` in the languages of the index.
    #[must_use]
    pub fn query(&self, text: &str) -> Query {
        self.languages().map_or_else(|_| Query::parse(text), |codes| Query::parse_in(text, &codes))
    }

    /// The best documents for `query`. An empty query finds nothing.
    ///
    /// # Errors
    /// When the folder cannot be read; never because of the query.
    pub fn search(&self, query: &Query, options: &SearchOptions) -> Result<Results, IndexError> {
        let start = Instant::now();
        let snapshot = self.snapshot()?;
        let found = page(&snapshot, query, options).map_err(|e| engine(&self.dir, e))?;
        Ok(Results { micros: start.elapsed().as_micros() as u64, ..found })
    }

    /// The entry with this id, if it is there.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn get(&self, id: u64) -> Result<Option<Hit>, IndexError> {
        let snapshot = self.snapshot()?;
        let marker = Marker::new(&Query::default());
        let address = address_of(&snapshot, id).map_err(|e| engine(&self.dir, e))?;
        let found = address.map(|address| hit(&snapshot, address, &marker));
        found.transpose().map_err(|e| engine(&self.dir, e))
    }

    /// Its folder.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The index as of its last commit. Another index may take its place between two steps of the
    /// reading; then it is read again.
    pub(crate) fn snapshot(&self) -> Result<Arc<Snapshot>, IndexError> {
        let mut again = (1..READINGS).filter_map(|_| self.latest().ok());
        again.next().map_or_else(|| self.latest(), Ok)
    }

    fn latest(&self) -> Result<Arc<Snapshot>, IndexError> {
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
    let settings = IndexSettings { docstore_blocksize: KEPT_TOGETHER, ..IndexSettings::default() };
    let new = tantivy::Index::builder().schema(FIELDS.schema.clone()).settings(settings);
    let index = new.create_in_dir(dir).map_err(|e| engine(dir, e))?;
    let unfinished = dir.join("format.new");
    fs::write(&unfinished, format).map_err(|e| disk(dir, e))?;
    fs::rename(&unfinished, &format_file).map_err(|e| disk(dir, e))?;
    Ok(index)
}

/// The page asked for, with the time it took left open.
fn page(snapshot: &Snapshot, query: &Query, options: &SearchOptions) -> tantivy::Result<Results> {
    if query.is_empty() {
        return Ok(Results::default());
    }
    let limit = options.limit.min(MAX_LIMIT);
    let offset = options.offset.min(MAX_OFFSET);
    let mut ranked = rank::rank(snapshot, query, offset + limit, &options.weights)?;
    if let Some(share) = options.diversity {
        diversify(snapshot, &mut ranked.best, share)?;
    }
    let marker = Marker::new(query);
    let shown = ranked.best.iter().skip(offset).take(limit);
    let hits = shown.map(|candidate| {
        let mut hit = hit(snapshot, candidate.address(), &marker)?;
        hit.score = candidate.score;
        if options.explain {
            hit.explain = rank::explain(snapshot, &ranked, candidate, &options.weights)?;
        }
        Ok(hit)
    });
    let hits = hits.collect::<tantivy::Result<_>>()?;
    let counted = options.facets.then(|| facets(snapshot, &ranked.matching, ranked.total));
    Ok(Results { total: ranked.total, hits, facets: counted.transpose()?, micros: 0 })
}

/// Where the entry with this id lies, if it is there.
pub(crate) fn address_of(snapshot: &Snapshot, id: u64) -> tantivy::Result<Option<DocAddress>> {
    let term = Term::from_field_u64(FIELDS.id, id);
    for (at, segment) in (0..).zip(&snapshot.segments) {
        let reader = segment.reader.inverted_index(FIELDS.id)?;
        let Some(mut postings) = reader.read_postings(&term, Basic)? else { continue };
        while postings.doc() != TERMINATED {
            if !segment.reader.is_deleted(postings.doc()) {
                return Ok(Some(DocAddress::new(at, postings.doc())));
            }
            postings.advance();
        }
    }
    Ok(None)
}

/// What is shown of a document, with its score left open.
pub(crate) fn hit(
    snapshot: &Snapshot,
    address: DocAddress,
    marker: &Marker,
) -> tantivy::Result<Hit> {
    let stored: TantivyDocument = snapshot.searcher.doc(address)?;
    let text = |field| stored_text(&stored, field);
    let title = text(FIELDS.title);
    let pages = stored.get_first(FIELDS.pages).and_then(|value| value.as_bytes());
    let pages = pages.unwrap_or_default();
    let Snippet { mut fragments, place } =
        snippet::snippet(text(FIELDS.body), marker, !pages.is_empty());
    let description = text(FIELDS.description);
    if place.is_none() && !description.trim().is_empty() {
        // What the page says of itself is the better summary.
        fragments = snippet::snippet(description, marker, false).fragments;
    }
    Ok(Hit {
        id: snapshot.segments[address.segment_ord as usize].id(address.doc_id),
        url: text(FIELDS.url).to_owned(),
        host: text(FIELDS.host).to_owned(),
        title: title.to_owned(),
        language: text(FIELDS.language).to_owned(),
        time: stored.get_first(FIELDS.time).and_then(|value| value.as_i64()).unwrap_or_default(),
        score: 0.0,
        snippet: fragments,
        page: place.and_then(|place| page_at(pages, place)),
        title_fragments: marker.mark(title),
        explain: Vec::new(),
    })
}

/// What is kept of a field.
pub(crate) fn stored_text(stored: &TantivyDocument, field: Field) -> &str {
    stored.get_first(field).and_then(|value| value.as_str()).unwrap_or_default()
}

/// The page, from 1, on which a place of the body lies; none before the first page.
fn page_at(pages: &[u8], place: usize) -> Option<u32> {
    let starts =
        pages.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    let before =
        starts.take_while(|start| usize::try_from(*start).is_ok_and(|start| start <= place));
    u32::try_from(before.count()).ok().filter(|page| *page > 0)
}
