//! Entries into the index: one writer; segments are made beside it, and merging depends on nothing but
//! what was written (000 "updates").
//!
//! A commit costs what it changes. What was put becomes a segment of its own; what it replaces is
//! looked up by id (`gone.rs`) and marked, a bit a document. Readers see it then; only after that
//! segments are merged, by a rule under which an entry is rewritten once for every size of segments
//! (a factor of `FAN` from `SMALL` on), once more in every `FAN - 1` commits while its segment is
//! small, and when more of its segment is dead than alive. So a single commit may rewrite the whole
//! index, but of many each bears the same small part. What searches know of all documents together is
//! brought up to date in the same manner (`rank/sums.rs`).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{Directory, IndexWriter, TantivyDocument};

use crate::analysis::is_manner_of_speaking;
use crate::build::Builder;
use crate::error::{IndexError, engine};
use crate::fact::{Fact, FactKind, FactValue, kept, labels};
use crate::gone::Gone;
use crate::guard::guarded;
use crate::schema::{FIELDS, TEXTS, fact_field, language_code};
use crate::section::{self, EntrySection};
use crate::wholes::{keys_of_names, keys_of_options, keys_of_wholes, name_in_url};

/// What the engine asks for at least; it makes no postings here.
const MEMORY: usize = 15_000_000;

/// So many segments of like size become one.
const FAN: usize = 8;

/// Segments below this number of documents are of like size.
const SMALL: u32 = 1_000;

/// No field is longer, in bytes; the rest is left out.
const MAX_TEXT: usize = 2 << 20;

/// A document as it is to be found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// The URL's id; an entry replaces the one with the same id.
    pub id: u64,
    /// The URL, shown and searched by its words.
    pub url: &'a str,
    /// Names under which runs list it, one to a line: its own, then those of its copies. Without
    /// any it is listed by its URL.
    pub names: &'a str,
    /// The host's name, for `site:`.
    pub host: &'a str,
    /// The title.
    pub title: &'a str,
    /// All headings, one to a line.
    pub headings: &'a str,
    /// What stands out in the main text (bold, italic), one to a line.
    pub emphasis: &'a str,
    /// What the page says of itself (`<meta name=description>`).
    pub description: &'a str,
    /// Who wrote it.
    pub author: &'a str,
    /// What the page names as its keywords, one to a line.
    pub keywords: &'a str,
    /// What links in the main text say beside their text, one to a line.
    pub link_titles: &'a str,
    /// Parts of the compounds in title and main text, those of one to a line.
    pub parts: &'a str,
    /// The main text; kept for snippets.
    pub body: &'a str,
    /// Where the pages of a paged format begin in `body`, in bytes.
    pub pages: &'a [u32],
    /// The sections of `body`, in order.
    pub sections: &'a [EntrySection<'a>],
    /// The text of links that point here from other hosts, one to a line.
    pub anchors: &'a str,
    /// The text of links that point here from the same host, one to a line.
    pub own_anchors: &'a str,
    /// ISO code; `und` or empty when unknown.
    pub language: &'a str,
    /// Name of the format, as `html` or `pdf`; empty when unknown.
    pub format: &'a str,
    /// Day of the document's own date, counted from 1970, where it has one.
    pub date: Option<i64>,
    /// What links say of its weight: PageRank times the number of documents, so that 1 is the mean.
    pub rank: f64,
    /// Milliseconds since 1970, whatever time the caller shows and sorts by.
    pub time: i64,
    /// What others found out, by the names of the index's facts; each at most once.
    pub facts: &'a [(&'static str, FactValue<'a>)],
}

/// The one writer of an index; dropped without a commit, it leaves the index as it was.
pub struct DocumentWriter {
    pub(crate) dir: PathBuf,
    pub(crate) engine: IndexWriter,
    builder: Builder,
    facts: &'static [Fact],
    /// What was put (true) or deleted since segments were last sealed.
    changed: HashMap<u64, bool>,
    /// The segments of the index, and those sealed for it.
    segments: HashSet<SegmentId>,
}

impl std::fmt::Debug for DocumentWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl DocumentWriter {
    pub(crate) fn open(
        dir: &Path,
        index: &tantivy::Index,
        facts: &'static [Fact],
    ) -> Result<DocumentWriter, IndexError> {
        let broken = |e| engine(dir, e);
        let writer = index.writer_with_num_threads(1, MEMORY).map_err(broken)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let builder = Builder::new(index, dir.to_owned());
        let mut writer = DocumentWriter {
            dir: dir.to_owned(),
            engine: writer,
            builder,
            facts,
            changed: HashMap::new(),
            segments: HashSet::new(),
        };
        writer.know_segments().map_err(broken)?;
        Ok(writer)
    }

    /// Adds an entry, in place of the one with its id. Seen by readers after the next commit.
    ///
    /// # Errors
    /// When the disk refuses; what was put since the last commit is lost then. When the entry has a
    /// fact that the index does not; it is left as it was then.
    pub fn put(&mut self, entry: &Entry) -> Result<(), IndexError> {
        let texts = entry.texts();
        let bytes = texts.iter().map(|text| text.len()).sum();
        let document = document(entry, &texts, self.facts).map_err(IndexError::Facts)?;
        self.change(entry.id, true)?;
        self.builder.put(document, bytes).map_err(|e| engine(&self.dir, e))
    }

    /// Takes out the entry with this id, if there is one.
    ///
    /// # Errors
    /// As [`DocumentWriter::put`].
    pub fn delete(&mut self, id: u64) -> Result<(), IndexError> {
        self.change(id, false)
    }

    /// Notes what becomes of an id. An entry of a segment that is being made is out of reach: the
    /// segment is sealed before.
    fn change(&mut self, id: u64, is_put: bool) -> Result<(), IndexError> {
        if self.changed.get(&id) == Some(&true) {
            self.seal().map_err(|e| engine(&self.dir, e))?;
        }
        self.changed.insert(id, is_put);
        Ok(())
    }

    /// Gives the engine the segments made so far, and takes what they replace from those before.
    fn seal(&mut self) -> tantivy::Result<()> {
        let made = self.builder.finish()?;
        let ids: HashSet<u64> = std::mem::take(&mut self.changed).into_keys().collect();
        if !ids.is_empty() && !self.segments.is_empty() {
            let (ids, segments) = (Arc::new(ids), Arc::new(self.segments.clone()));
            self.engine.delete_query(Box::new(Gone { ids, segments }))?;
        }
        for segment in made {
            self.segments.insert(segment.id());
            self.engine.add_segment(segment)?;
        }
        Ok(())
    }

    fn know_segments(&mut self) -> tantivy::Result<()> {
        let metas = self.engine.index().searchable_segment_metas()?;
        self.segments = metas.iter().map(SegmentMeta::id).collect();
        Ok(())
    }

    /// Makes all that was put and deleted lasting and visible, and `mark` with it.
    ///
    /// # Errors
    /// When the disk refuses; the index is then as after this commit or the one before.
    pub fn commit(&mut self, mark: &str) -> Result<(), IndexError> {
        let dir = self.dir.clone();
        guarded(&dir, || self.write_down(mark).map_err(|e| engine(&dir, e)))
    }

    fn write_down(&mut self, mark: &str) -> tantivy::Result<()> {
        self.seal()?;
        let mut commit = self.engine.prepare_commit()?;
        commit.set_payload(mark);
        commit.commit()?;
        // The engine leaves the name of its list of segments to the next change.
        self.engine.index().directory().sync_directory()?;
        while let Some(run) = mergeable(&self.engine.index().searchable_segment_metas()?) {
            let ids: Vec<_> = run.iter().map(SegmentMeta::id).collect();
            self.engine.merge(&ids).wait()?;
        }
        self.engine.garbage_collect_files().wait()?;
        self.know_segments()
    }
}

/// The entry as the engine takes it; the name of a fact that is not among `facts` is refused.
pub(crate) fn document(
    entry: &Entry,
    texts: &[Cow<str>],
    facts: &[Fact],
) -> Result<TantivyDocument, String> {
    let mut document = TantivyDocument::new();
    let fields = &*FIELDS;
    document.add_u64(fields.id, entry.id);
    document.add_i64(fields.time, entry.time);
    document.add_text(fields.url, cut(entry.url));
    document.add_text(fields.host, cut(entry.host));
    for name in entry.names.lines() {
        document.add_text(fields.name, name);
    }
    for site in domains(&entry.host.to_ascii_lowercase()) {
        document.add_text(fields.site, site);
    }
    document.add_text(fields.language, cut(entry.language));
    document.add_u64(fields.language_code, language_code(entry.language));
    document.add_text(fields.format, cut(entry.format));
    document.add_f64(fields.rank, entry.rank);
    document.add_u64(fields.depth, depth(entry.url));
    if let Some(day) = entry.date {
        document.add_i64(fields.date, day);
    }
    if !entry.pages.is_empty() {
        let pages: Vec<u8> = entry.pages.iter().flat_map(|at| at.to_le_bytes()).collect();
        document.add_bytes(fields.pages, &pages);
    }
    if !entry.sections.is_empty() {
        document.add_text(fields.outline, section::kept(entry.sections));
    }
    for (field, text) in fields.texts.into_iter().zip(texts).filter(|(_, text)| !text.is_empty()) {
        document.add_text(field, text);
    }
    for (place, (name, value)) in entry.facts.iter().enumerate() {
        if entry.facts[..place].iter().any(|(other, _)| other == name) {
            return Err(format!("an entry has the fact {name:?} twice"));
        }
        add_fact(&mut document, facts, name, *value)?;
    }
    Ok(document)
}

fn add_fact(
    document: &mut TantivyDocument,
    facts: &[Fact],
    name: &str,
    value: FactValue,
) -> Result<(), String> {
    let place = facts.iter().position(|fact| fact.name == name);
    let place =
        place.ok_or_else(|| format!("an entry has the fact {name:?}, the index has not"))?;
    let field = fact_field(place);
    match (facts[place].kind, value) {
        (FactKind::Number, FactValue::Number(number)) => {
            kept(number).into_iter().for_each(|number| document.add_f64(field, number));
        }
        (FactKind::Label, FactValue::Labels(list)) => {
            let list = cut(list).to_lowercase();
            labels(&list).into_iter().for_each(|label| document.add_text(field, label));
        }
        _ => return Err(format!("an entry has the fact {name:?} of another kind than the index")),
    }
    Ok(())
}

impl<'a> Entry<'a> {
    /// The fields with words, in the order of the schema.
    pub(crate) fn texts(&self) -> [Cow<'a, str>; TEXTS] {
        let [title, headings, emphasis, description] =
            [self.title, self.headings, self.emphasis, self.description].map(|t| cut(t).into());
        let [anchors, own_anchors, body] =
            [self.anchors, self.own_anchors, self.body].map(|t| cut(t).into());
        let url = url_words(cut(self.url)).into();
        let [parts, author] = [self.parts, self.author].map(|t| cut(t).into());
        let [keywords, link_titles] = [self.keywords, self.link_titles].map(|t| cut(t).into());
        let [wholes, names, sections] = self.keys().map(Cow::Owned);
        [
            title,
            headings,
            emphasis,
            anchors,
            own_anchors,
            body,
            url,
            description,
            parts,
            author,
            keywords,
            link_titles,
            wholes,
            names,
            sections,
        ]
    }

    /// The keys of what is written in one piece, of the document's names, and of its sections'.
    fn keys(&self) -> [String; 3] {
        let written = [self.title, self.headings, self.body, self.description].map(cut);
        let called = [self.anchors, self.own_anchors].map(|anchors| cut(anchors).lines());
        let called = called.into_iter().flatten().filter(|name| !is_manner_of_speaking(name));
        let names = [cut(self.title), name_in_url(cut(self.url))].into_iter().chain(called);
        let sections = section::names(self.sections).chain(cut(self.headings).lines());
        let options = keys_of_options(cut(self.body));
        let sections = [keys_of_names(sections, self.language), options].join(" ");
        [keys_of_wholes(&written), keys_of_names(names, self.language), sections]
    }
}

/// The host and the domains it lies in, the longest first.
pub(crate) fn domains(host: &str) -> impl Iterator<Item = &str> {
    let dots = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
    std::iter::once(host).chain(dots).filter(|domain| !domain.is_empty()).take(16)
}

/// What stands behind the scheme of a URL; all of it where there is none.
pub(crate) fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// A URL without its scheme, letters and digits only, so that each part is a word.
pub(crate) fn url_words(url: &str) -> String {
    without_scheme(url).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect()
}

/// Steps of a URL's path: 0 for a host's front page.
fn depth(url: &str) -> u64 {
    let path = without_scheme(url).split(['?', '#']).next().unwrap_or_default();
    path.split('/').skip(1).filter(|step| !step.is_empty()).count() as u64
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// Segments that should become one: those of a size when there are `FAN` of them, or one with
/// more dead entries than live ones. Sizes grow by the factor `FAN`, so that each entry is
/// rewritten only as often as its index has sizes.
fn mergeable(segments: &[SegmentMeta]) -> Option<Vec<SegmentMeta>> {
    let mut sizes: Vec<Vec<SegmentMeta>> = Vec::new();
    for segment in segments {
        if segment.num_deleted_docs() > segment.num_docs() {
            return Some(vec![segment.clone()]);
        }
        let size =
            (segment.max_doc() / SMALL).checked_ilog(FAN as u32).map_or(0, |s| s + 1) as usize;
        sizes.resize(sizes.len().max(size + 1), Vec::new());
        sizes[size].push(segment.clone());
    }
    sizes.into_iter().find(|run| run.len() >= FAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_lies_in_all_its_domains() {
        assert_eq!(domains("www.a.test").collect::<Vec<_>>(), ["www.a.test", "a.test", "test"]);
        assert_eq!(domains("a.").collect::<Vec<_>>(), ["a."]);
        assert_eq!(domains("").count(), 0);
    }

    #[test]
    fn the_depth_of_a_url_is_the_number_of_its_steps() {
        let check = |url: &str, expected: u64| assert_eq!(depth(url), expected, "{url}");
        check("http://a.test", 0);
        check("http://a.test/", 0);
        check("http://a.test/?x=/y/z", 0);
        check("http://a.test/b//c.html#d/e", 2);
        check("file:/home/x", 2);
        check("", 0);
    }

    #[test]
    fn the_words_of_a_url_stand_apart() {
        assert_eq!(url_words("http://a.test/wind_power?x=1"), "a test wind power x 1");
    }
}
