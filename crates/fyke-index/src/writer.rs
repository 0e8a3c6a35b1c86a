//! Entries into the index: one writer, one thread, merging that depends on nothing but what was
//! written (003 §5.6 "index construction": merged runs; 000 "updates").

use std::borrow::Cow;
use std::path::PathBuf;

use tantivy::index::SegmentMeta;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{IndexWriter, TantivyDocument, Term};

use crate::error::{IndexError, engine};
use crate::schema::{FIELDS, TEXTS, language_code};

/// Postings are gathered in this much memory before they become a segment.
const MEMORY: usize = 64 << 20;

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
    /// The host's name, for `site:`.
    pub host: &'a str,
    /// The title.
    pub title: &'a str,
    /// All headings, one to a line.
    pub headings: &'a str,
    /// The main text; kept for snippets.
    pub body: &'a str,
    /// Where the pages of a paged format begin in `body`, in bytes.
    pub pages: &'a [u32],
    /// The text of links that point here, one to a line.
    pub anchors: &'a str,
    /// ISO code; `und` or empty when unknown.
    pub language: &'a str,
    /// Milliseconds since 1970, whatever time the caller shows and sorts by.
    pub time: i64,
}

/// The one writer of an index; dropped without a commit, it leaves the index as it was.
pub struct Writer {
    pub(crate) dir: PathBuf,
    pub(crate) engine: IndexWriter,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Writer {
    pub(crate) fn open(dir: PathBuf, index: &tantivy::Index) -> Result<Writer, IndexError> {
        let writer = index.writer_with_num_threads(1, MEMORY).map_err(|e| engine(&dir, e))?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Writer { dir, engine: writer })
    }

    /// Adds an entry, in place of the one with its id. Seen by readers after the next commit.
    ///
    /// # Errors
    /// When the disk refuses; what was put since the last commit is lost then.
    pub fn put(&mut self, entry: &Entry) -> Result<(), IndexError> {
        self.delete(entry.id);
        match self.engine.add_document(document(entry)) {
            Ok(_) => Ok(()),
            // The thread that writes has died; only joining it tells why.
            Err(e) => {
                let cause = self.engine.prepare_commit().err().unwrap_or(e);
                Err(engine(&self.dir, cause))
            }
        }
    }

    /// Takes out the entry with this id, if there is one.
    pub fn delete(&mut self, id: u64) {
        self.engine.delete_term(Term::from_field_u64(FIELDS.id, id));
    }

    /// Makes all that was put and deleted lasting and visible, and `mark` with it.
    ///
    /// # Errors
    /// When the disk refuses; the index is then as after this commit or the one before.
    pub fn commit(&mut self, mark: &str) -> Result<(), IndexError> {
        self.write_down(mark).map_err(|e| engine(&self.dir, e))
    }

    fn write_down(&mut self, mark: &str) -> tantivy::Result<()> {
        let mut commit = self.engine.prepare_commit()?;
        commit.set_payload(mark);
        commit.commit()?;
        while let Some(run) = mergeable(&self.engine.index().searchable_segment_metas()?) {
            let ids: Vec<_> = run.iter().map(SegmentMeta::id).collect();
            self.engine.merge(&ids).wait()?;
        }
        self.engine.garbage_collect_files().wait()?;
        Ok(())
    }
}

fn document(entry: &Entry) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    let fields = &*FIELDS;
    document.add_u64(fields.id, entry.id);
    document.add_i64(fields.time, entry.time);
    document.add_text(fields.url, cut(entry.url));
    document.add_text(fields.host, cut(entry.host));
    for site in domains(&entry.host.to_ascii_lowercase()) {
        document.add_text(fields.site, site);
    }
    document.add_text(fields.language, cut(entry.language));
    document.add_u64(fields.language_code, language_code(entry.language));
    if !entry.pages.is_empty() {
        let pages: Vec<u8> = entry.pages.iter().flat_map(|at| at.to_le_bytes()).collect();
        document.add_bytes(fields.pages, &pages);
    }
    for (field, text) in fields.texts.into_iter().zip(entry.texts()) {
        document.add_text(field, text);
    }
    document
}

impl<'a> Entry<'a> {
    /// The fields with words, in the order of the schema.
    pub(crate) fn texts(&self) -> [Cow<'a, str>; TEXTS] {
        let [title, headings, anchors, body] =
            [self.title, self.headings, self.anchors, self.body].map(|text| cut(text).into());
        [title, headings, anchors, body, url_words(cut(self.url)).into()]
    }
}

/// The host and the domains it lies in, the longest first.
pub(crate) fn domains(host: &str) -> impl Iterator<Item = &str> {
    let dots = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
    std::iter::once(host).chain(dots).filter(|domain| !domain.is_empty()).take(16)
}

/// A URL without its scheme, letters and digits only, so that each part is a word.
fn url_words(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect()
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
    fn the_words_of_a_url_stand_apart() {
        assert_eq!(url_words("http://a.test/wind_power?x=1"), "a test wind power x 1");
    }
}
