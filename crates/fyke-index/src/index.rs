//! The index's folder: opened, read and searched. Readers see each commit as soon as it is made,
//! in this process or another; none ever meets half of one. Reading takes no lock, writes nothing and
//! needs no right to write; files that a merge or another index removes stay readable to whoever
//! has them open.

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use fyke_text::WordRules;
use serde::Serialize;
use tantivy::schema::IndexRecordOption::Basic;
use tantivy::schema::{Field, Value};
use tantivy::{
    DocAddress, DocSet, IndexReader, IndexSettings, ReloadPolicy, Searcher, TERMINATED,
    TantivyDocument, Term,
};

use crate::diversity::diversify;
use crate::error::{IndexError, disk, engine};
use crate::facets::{Facets, facets};
use crate::fact::{self, Fact};
use crate::guard::guarded;
use crate::query::Query;
use crate::rank;
use crate::rank::budget::{CutOff, QueryBudget};
use crate::rank::segment::Snapshot;
use crate::rank::weights::{WEIGHTS, Weights};
use crate::reading::ReadOnlyDirectory;
use crate::schema::{FIELDS, schema};
use crate::section::{HitSection, section_of};
use crate::snippet::{Fragment, Marker, Snippet};
use crate::writer::DocumentWriter;
use crate::{analysis, snippet};

/// What the writer writes through.
#[cfg(not(test))]
type WriteFolder = tantivy::directory::MmapDirectory;
#[cfg(test)]
type WriteFolder = crate::faults::OnFaultyDisk;

/// Says with what the folder was made; written last, so that a folder without it is unfinished.
const FORMAT_FILE: &str = "format.txt";

/// Raise it when fields or their meaning change; a change of the analysis is noticed by itself.
const FORMAT: &str = "fyke-index 8";

/// The engine's list of segments: another content, another commit.
const COMMIT_FILE: &str = "meta.json";

/// Bytes of kept documents that are packed together: a hit's text is unpacked with its neighbours'.
const KEPT_TOGETHER: usize = 4 << 10;

/// A commit that cannot be read is read so often: its files may have gone meanwhile, and then there is
/// a newer one.
const READINGS: usize = 10;

/// No page of hits is longer.
pub(crate) const MAX_LIMIT: usize = 100;

/// No page begins later.
const MAX_OFFSET: usize = 10_000;

/// A searchable index in a folder.
pub struct Index {
    dir: PathBuf,
    facts: &'static [Fact],
    /// By what stemmers and stop lists it is searched.
    rules: Arc<WordRules>,
    /// Whether there need not be one: it is only read.
    may_lack: bool,
    /// Whether it stays at the commit it was opened at.
    is_pinned: bool,
    current: Mutex<Current>,
}

/// The commit that was seen last.
struct Current {
    /// What its file said; empty before there was one.
    commit: Vec<u8>,
    /// The folder, with the files that are still open: those of a segment never change.
    folder: Option<ReadOnlyDirectory>,
    searcher: Searcher,
    /// What searches need of it, made when the first asks.
    snapshot: Option<Arc<Snapshot>>,
    /// The same of a commit before, most of which still holds.
    before: Option<Arc<Snapshot>>,
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
    /// How much work it may make.
    pub budget: QueryBudget,
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
            budget: QueryBudget::default(),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Results {
    /// Documents that match, counted exactly; where something was cut off, of those looked at.
    pub total: usize,
    /// That only a part of the documents was looked at, since the query asks for too much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutOff>,
    /// Those asked for, the best first.
    pub hits: Vec<Hit>,
    /// Whether words of the best documents joined the query and why, in a sentence, if hits say what their
    /// scores are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// By what stemmers and stop lists words were found, a sentence for each language, if hits say what their
    /// scores are made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
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
    /// The section it is about, where the document has sections that can be linked to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<HitSection>,
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
    /// Opens the index in `dir`, or makes an empty one there; one that knows no facts.
    ///
    /// # Errors
    /// `Old` when the folder was made by another version: delete it and build it again.
    pub fn open(dir: &Path) -> Result<Index, IndexError> {
        Index::open_with(dir, &[])
    }

    /// The same, with these facts.
    ///
    /// # Errors
    /// `Old` when the folder was made by another version or with other facts. `Facts` when the table
    /// cannot be used.
    pub fn open_with(dir: &Path, facts: &'static [Fact]) -> Result<Index, IndexError> {
        fact::check(facts).map_err(IndexError::Facts)?;
        make_folder(dir, facts)?;
        Index::at(dir, facts, false)
    }

    /// Opens the index in `dir` to read it, whoever writes it: nothing is made, locked or written. While
    /// there is none it is empty; one that goes away stays as it was seen last.
    ///
    /// # Errors
    /// As [`Index::open_with`].
    pub fn open_to_read(dir: &Path, facts: &'static [Fact]) -> Result<Index, IndexError> {
        fact::check(facts).map_err(IndexError::Facts)?;
        Index::at(dir, facts, true)
    }

    fn at(dir: &Path, facts: &'static [Fact], may_lack: bool) -> Result<Index, IndexError> {
        let nothing = tantivy::Index::create_in_ram(schema(facts));
        let searcher = searcher(&nothing).map_err(|e| engine(dir, e))?;
        let (commit, folder, snapshot, before) = (Vec::new(), None, None, None);
        let current = Current { commit, folder, searcher, snapshot, before };
        let (dir, current) = (dir.to_owned(), Mutex::new(current));
        let rules = Arc::default();
        let index = Index { dir, facts, rules, may_lack, is_pinned: false, current };
        index.refresh()?;
        Ok(index)
    }

    /// The same, searched by these stemmers and stop lists. They are looked up when a search is made: the
    /// folder is the same whichever are chosen.
    #[must_use]
    pub fn searched_by(mut self, rules: WordRules) -> Index {
        self.rules = Arc::new(rules);
        let current = self.current.get_mut().unwrap_or_else(PoisonError::into_inner);
        (current.snapshot, current.before) = (None, None);
        self
    }

    /// The index's one writer.
    ///
    /// # Errors
    /// `Locked` while there is another, here or in another process. `Old` and the like when there is
    /// another index in the folder than was opened.
    pub fn writer(&self) -> Result<DocumentWriter, IndexError> {
        make_folder(&self.dir, self.facts)?;
        guarded(&self.dir, || {
            let index = WriteFolder::open(&self.dir).map_err(tantivy::TantivyError::from);
            let index = index.and_then(tantivy::Index::open).map_err(|e| engine(&self.dir, e))?;
            index.tokenizers().register(analysis::NAME, analysis::Analysis);
            DocumentWriter::open(&self.dir, &index, self.facts)
        })
    }

    /// Reads every file of the index in `dir` and compares it with its checksum; says how many entries there are.
    /// Where there is no folder there are none.
    ///
    /// # Errors
    /// `Broken` when a file is damaged or missing; as [`Index::open_with`].
    pub fn verify(dir: &Path, facts: &'static [Fact]) -> Result<u64, IndexError> {
        if [FORMAT_FILE, COMMIT_FILE].iter().all(|name| !dir.join(name).exists()) {
            return Ok(0);
        }
        let index = Index::open_to_read(dir, facts)?;
        let wrong = guarded(dir, || {
            let opened = ReadOnlyDirectory::open(dir).and_then(tantivy::Index::open);
            opened.and_then(|index| index.validate_checksum()).map_err(|e| engine(dir, e))
        })?;
        let mut wrong: Vec<_> = wrong.iter().map(|path| path.display().to_string()).collect();
        wrong.sort();
        if !wrong.is_empty() {
            let what = format!("not as they were written: {}", wrong.join(", "));
            return Err(IndexError::Broken { dir: dir.to_owned(), what });
        }
        index.snapshot()?;
        index.len()
    }

    /// What it knows by name.
    #[must_use]
    pub fn facts(&self) -> &'static [Fact] {
        self.facts
    }

    /// The mark given with the last commit; empty before the first.
    #[must_use]
    pub fn mark(&self) -> String {
        let index = ReadOnlyDirectory::open(&self.dir).and_then(tantivy::Index::open);
        let metas = index.and_then(|index| index.load_metas());
        metas.ok().and_then(|metas| metas.payload).unwrap_or_default()
    }

    /// Takes up a newer commit, or another index that was put in the place of this one; says whether
    /// there was one. It costs the reading of a small file, and every search does it by itself.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn refresh(&self) -> Result<bool, IndexError> {
        self.read(|_, is_new| Ok(is_new))
    }

    /// The same index as it is now, for as long as it is wanted: it takes up no newer commit.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn pinned(&self) -> Result<Index, IndexError> {
        let current = self.read(|current, _| {
            let snapshot =
                current.snapshot((self.facts, &self.rules)).map_err(|e| engine(&self.dir, e))?;
            let (commit, searcher) = (current.commit.clone(), current.searcher.clone());
            let snapshot = Some(snapshot);
            Ok(Current { commit, folder: None, searcher, snapshot, before: None })
        })?;
        let (dir, facts, may_lack) = (self.dir.clone(), self.facts, self.may_lack);
        let rules = Arc::clone(&self.rules);
        Ok(Index { dir, facts, rules, may_lack, is_pinned: true, current: Mutex::new(current) })
    }

    /// Whether two of one folder are at the same commit, as they were seen last.
    #[must_use]
    pub fn is_as(&self, other: &Index) -> bool {
        let commit = |index: &Index| {
            index.current.lock().unwrap_or_else(PoisonError::into_inner).commit.clone()
        };
        commit(self) == commit(other)
    }

    /// Number of entries.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn len(&self) -> Result<u64, IndexError> {
        self.read(|current, _| Ok(current.searcher.num_docs()))
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
        Ok(self.snapshot()?.languages.codes().to_vec())
    }

    /// Understands `text` in the languages of the index.
    #[must_use]
    pub fn query(&self, text: &str) -> Query {
        match self.snapshot() {
            Ok(snapshot) => snapshot.query(text),
            Err(_) => Query::parse_with(text, &["en"], self.facts),
        }
    }

    /// The best documents for `query`. An empty query finds nothing.
    ///
    /// # Errors
    /// When the folder cannot be read; never because of the query.
    pub fn search(&self, query: &Query, options: &SearchOptions) -> Result<Results, IndexError> {
        let start = Instant::now();
        let snapshot = self.snapshot()?;
        let found = guarded(&self.dir, || {
            page(&snapshot, query, options).map_err(|e| engine(&self.dir, e))
        })?;
        Ok(Results { micros: start.elapsed().as_micros() as u64, ..found })
    }

    /// The entry with this id, if it is there.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn get(&self, id: u64) -> Result<Option<Hit>, IndexError> {
        let snapshot = self.snapshot()?;
        let marker = Marker::new(&Query::default());
        guarded(&self.dir, || {
            let address = address_of(&snapshot, id).map_err(|e| engine(&self.dir, e))?;
            let found = address.map(|address| hit(&snapshot, address, &marker));
            found.transpose().map_err(|e| engine(&self.dir, e))
        })
    }

    /// Its folder.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The index as of its last commit.
    pub(crate) fn snapshot(&self) -> Result<Arc<Snapshot>, IndexError> {
        self.read(|current, _| {
            current.snapshot((self.facts, &self.rules)).map_err(|e| engine(&self.dir, e))
        })
    }

    /// Looks at the last commit, and says whether it is another than before. Another index may take its
    /// place between two steps of the reading, or a merge remove its files; then it is read again.
    fn read<T>(
        &self,
        look: impl Fn(&mut Current, bool) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        guarded(&self.dir, || {
            let mut again = (1..READINGS).find_map(|_| self.latest(&mut current).ok());
            let is_new = again.take().map_or_else(|| self.latest(&mut current), Ok)?;
            look(&mut current, is_new)
        })
    }

    /// Brings `current` up to date; says whether it was not.
    fn latest(&self, current: &mut Current) -> Result<bool, IndexError> {
        if self.is_pinned {
            return Ok(false);
        }
        let commit = match fs::read(self.dir.join(COMMIT_FILE)) {
            Err(e) if e.kind() == NotFound && self.may_lack => return Ok(false),
            read => read.map_err(|e| disk(&self.dir, e))?,
        };
        if current.commit == commit {
            return Ok(false);
        }
        match format_of(&self.dir)? {
            Some(found) if found == format(self.facts) => {}
            // It is being made.
            None if self.may_lack => return Ok(false),
            _ => return Err(IndexError::Old(self.dir.clone())),
        }
        current.open(&self.dir).map_err(|e| engine(&self.dir, e))?;
        current.commit = commit;
        current.before = current.snapshot.take().or(current.before.take());
        Ok(true)
    }
}

impl Current {
    /// Opens what is in the folder now.
    fn open(&mut self, dir: &Path) -> tantivy::Result<()> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => self.folder.insert(ReadOnlyDirectory::open(dir)?).clone(),
        };
        let index = tantivy::Index::open(folder)?;
        index.tokenizers().register(analysis::NAME, analysis::Analysis);
        self.searcher = searcher(&index)?;
        Ok(())
    }

    fn snapshot(
        &mut self,
        known: (&'static [Fact], &Arc<WordRules>),
    ) -> tantivy::Result<Arc<Snapshot>> {
        if let Some(snapshot) = &self.snapshot {
            return Ok(Arc::clone(snapshot));
        }
        let before = self.before.as_deref();
        let snapshot = Arc::new(Snapshot::new(self.searcher.clone(), known, before)?);
        self.before = None;
        self.snapshot = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }
}

/// What an index with these facts says of its making.
fn format(facts: &[Fact]) -> String {
    format!("{FORMAT}\n{}\n{}", analysis::fingerprint(), fact::fingerprint(facts))
}

/// What the index in `dir` says of its making, if it says anything.
fn format_of(dir: &Path) -> Result<Option<String>, IndexError> {
    match fs::read_to_string(dir.join(FORMAT_FILE)) {
        Ok(found) => Ok(Some(found)),
        Err(e) if e.kind() == NotFound => Ok(None),
        Err(e) => Err(disk(dir, e)),
    }
}

/// An index as it is now.
fn searcher(index: &tantivy::Index) -> tantivy::Result<Searcher> {
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
    let reader: IndexReader = reader.try_into()?;
    Ok(reader.searcher())
}

/// Makes an index in `dir` where there is none; one of another make is old.
fn make_folder(dir: &Path, facts: &[Fact]) -> Result<(), IndexError> {
    let format = format(facts);
    match format_of(dir)? {
        Some(found) if found == format => return Ok(()),
        Some(_) => return Err(IndexError::Old(dir.to_owned())),
        None => {}
    }
    fs::create_dir_all(dir).map_err(|e| disk(dir, e))?;
    if dir.join(COMMIT_FILE).exists() {
        return Err(IndexError::Old(dir.to_owned()));
    }
    let settings = IndexSettings { docstore_blocksize: KEPT_TOGETHER, ..IndexSettings::default() };
    let new = tantivy::Index::builder().schema(schema(facts)).settings(settings);
    new.create_in_dir(dir).map_err(|e| engine(dir, e))?;
    let unfinished = dir.join("format.new");
    fs::write(&unfinished, format).map_err(|e| disk(dir, e))?;
    fs::rename(&unfinished, dir.join(FORMAT_FILE)).map_err(|e| disk(dir, e))
}

/// The page asked for, with the time it took left open.
fn page(snapshot: &Snapshot, query: &Query, options: &SearchOptions) -> tantivy::Result<Results> {
    if query.is_empty() {
        return Ok(Results::default());
    }
    let limit = options.limit.min(MAX_LIMIT);
    let offset = options.offset.min(MAX_OFFSET);
    let mut ranked =
        rank::rank(snapshot, query, offset + limit, (&options.weights, options.budget))?;
    if let Some(share) = options.diversity {
        diversify(snapshot, &mut ranked.best, share)?;
    }
    let marker = Marker::weighing(query, |word| ranked.rarity(word));
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
    let (total, cut, facets) = (ranked.total, ranked.cut, counted.transpose()?);
    let feedback = options.explain.then(|| ranked.fed.told());
    let words = if options.explain { snapshot.told_words() } else { Vec::new() };
    Ok(Results { total, cut, hits, feedback, words, facets, micros: 0 })
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
    let Snippet { mut fragments, place, found } =
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
        section: section_of(text(FIELDS.outline), text(FIELDS.url), (title, &found), marker),
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
