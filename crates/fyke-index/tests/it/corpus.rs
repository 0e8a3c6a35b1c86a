//! A corpus in a string: a line a document, `id host language title: body`.

use fyke_index::{DocumentWriter, Entry, Fragment, Hit, Index, Query, SearchOptions};
use tempfile::TempDir;

pub struct Corpus {
    pub index: Index,
    pub dir: TempDir,
}

/// An index of the documents in `text`.
pub fn corpus(text: &str) -> Corpus {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    put_all(&mut writer, text);
    writer.commit("").unwrap();
    drop(writer);
    Corpus { index, dir }
}

pub fn put_all(writer: &mut DocumentWriter, text: &str) {
    each(text, |entry| writer.put(entry).unwrap());
}

/// Shows the entries of the documents in `text`.
pub fn each(text: &str, mut see: impl FnMut(&Entry)) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        read(line, &mut see);
    }
}

fn read(line: &str, see: &mut impl FnMut(&Entry)) {
    let (head, body) = line.split_once(": ").unwrap();
    let mut words = head.splitn(4, ' ');
    let id = words.next().unwrap().parse().unwrap();
    let host = words.next().unwrap();
    let language = words.next().unwrap();
    let title = words.next().unwrap_or_default();
    let url = format!("http://{host}/{id}");
    let entry =
        Entry { id, url: &url, host, title, body: body.trim(), language, ..Entry::default() };
    see(&entry);
}

impl Corpus {
    pub fn hits(&self, query: &str) -> Vec<Hit> {
        let options = SearchOptions { limit: 100, explain: true, ..SearchOptions::default() };
        let results = self.index.search(&Query::parse(query), &options).unwrap();
        assert_eq!(results.total, results.hits.len(), "{query}");
        results.hits
    }

    /// Checks which ids `query` finds, in order.
    pub fn check(&self, query: &str, expected: &[u64]) {
        let found: Vec<u64> = self.hits(query).iter().map(|hit| hit.id).collect();
        assert_eq!(found, expected, "{query}");
    }
}

/// Fragments with the marked ones in brackets.
pub fn shown(fragments: &[Fragment]) -> String {
    let write = |f: &Fragment| if f.marked { format!("[{}]", f.text) } else { f.text.clone() };
    fragments.iter().map(write).collect()
}
