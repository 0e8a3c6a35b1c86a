//! Exact and near copies: which documents are twins, and which of them stands for the others
//! (000 "near duplicates", 003 §3.7).

use fyke_text::Sketch;
use fyke_web::{Document, UrlId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// What of a document decides on its twins.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    pub id: UrlId,
    pub url: String,
    pub words: u32,
    pub checksum: u64,
    pub sketch: Sketch,
}

impl Fingerprint {
    /// Takes a document's marks.
    #[must_use]
    pub fn of(document: &Document) -> Fingerprint {
        Fingerprint {
            id: document.id,
            url: document.url.clone(),
            words: document.words,
            checksum: document.checksum,
            sketch: Sketch(document.sketch.clone()),
        }
    }
}

/// The document that a twin is a copy of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    pub of: UrlId,
    pub exact: bool,
}

impl Twin {
    /// As a cell of the column "twin": the representative's id and the kind.
    #[must_use]
    pub fn cell(self) -> Vec<u8> {
        let mut bytes = self.of.0.to_le_bytes().to_vec();
        bytes.push(u8::from(self.exact));
        bytes
    }

    /// Reads a cell.
    #[must_use]
    pub fn read(cell: &[u8]) -> Option<Twin> {
        let (id, kind) = cell.split_first_chunk::<8>()?;
        Some(Twin { of: UrlId(u64::from_le_bytes(*id)), exact: kind == [1] })
    }
}

/// Groups of copies, as indexes into `documents`; none has fewer than two members.
#[must_use]
pub fn groups(documents: &[Fingerprint], threshold: f64) -> Vec<Vec<usize>> {
    let mut sets = Sets((0..documents.len()).collect());
    let mut first: HashMap<u64, usize> = HashMap::new();
    let with_words = documents.iter().enumerate().filter(|(_, d)| d.words > 0);
    for (index, document) in with_words {
        let other = *first.entry(document.checksum).or_insert(index);
        sets.join(index, other);
    }
    let mut distinct: Vec<usize> = first.into_values().collect();
    distinct.sort_unstable();
    let sketches: Vec<Sketch> = distinct.iter().map(|i| documents[*i].sketch.clone()).collect();
    for (a, b, _) in fyke_text::twins(&sketches, threshold) {
        sets.join(distinct[a], distinct[b]);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..documents.len() {
        groups.entry(sets.root(index)).or_default().push(index);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Every copy with the document that stands for it: the one that most of the group name as their
/// canonical form, then the one with the shortest URL, then by its letters.
#[must_use]
pub fn represent(
    documents: &[Fingerprint],
    groups: &[Vec<usize>],
    named: &HashMap<UrlId, u32>,
) -> BTreeMap<UrlId, Twin> {
    let mut twins = BTreeMap::new();
    for group in groups {
        let rank = |index: &&usize| {
            let document = &documents[**index];
            let names = named.get(&document.id).copied().unwrap_or(0);
            (Reverse(names), document.url.len(), &document.url)
        };
        let Some(leader) = group.iter().min_by_key(rank).map(|index| &documents[*index]) else {
            continue;
        };
        for document in group.iter().map(|index| &documents[*index]) {
            if document.id != leader.id {
                let exact = leader.checksum == document.checksum;
                twins.insert(document.id, Twin { of: leader.id, exact });
            }
        }
    }
    twins
}

/// Disjoint sets with path halving; the smaller index is the root, so order does not matter.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high] = low;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(url: &str, text: &str) -> Fingerprint {
        let id = fyke_web::Url::parse(url).unwrap().id();
        let words = text.split_whitespace().count() as u32;
        let (checksum, sketch) = (fyke_text::checksum(text), fyke_text::sketch(text));
        Fingerprint { id, url: url.to_string(), words, checksum, sketch }
    }

    /// `expected`: copy, what it is a copy of, exactly or nearly. The order must not matter.
    fn check(documents: &[Fingerprint], named: &[(&str, u32)], expected: &[(&str, &str, bool)]) {
        let id = |url: &str| documents.iter().find(|d| d.url == url).unwrap().id;
        let named = named.iter().map(|(url, times)| (id(url), *times)).collect();
        let expected: BTreeMap<UrlId, Twin> = expected
            .iter()
            .map(|(twin, of, exact)| (id(twin), Twin { of: id(of), exact: *exact }))
            .collect();
        let mut backwards = documents.to_vec();
        backwards.reverse();
        for documents in [documents, &backwards] {
            let groups = groups(documents, 0.9);
            assert_eq!(represent(documents, &groups, &named), expected);
        }
    }

    #[test]
    fn the_shortest_url_stands_for_exact_copies_unless_another_is_canonical() {
        let text = "the tide comes in and the tide goes out again twice a day";
        let documents = [
            document("http://a.test/x", text),
            document("http://a.test/x/copy", text),
            document("http://a.test/y", "something else entirely stands on this page"),
        ];
        check(&documents, &[], &[("http://a.test/x/copy", "http://a.test/x", true)]);
        let named = [("http://a.test/x/copy", 2)];
        check(&documents, &named, &[("http://a.test/x", "http://a.test/x/copy", true)]);
    }

    #[test]
    fn a_near_copy_is_told_from_an_exact_one() {
        let words: Vec<String> = (0..400).map(|n| format!("word{n}")).collect();
        let whole = words.join(" ");
        let changed = whole.replace("word200", "other");
        let documents =
            [document("http://a.test/1", &whole), document("http://a.test/2", &changed)];
        check(&documents, &[], &[("http://a.test/2", "http://a.test/1", false)]);
    }

    #[test]
    fn pages_without_words_are_not_copies_of_each_other() {
        check(&[document("http://a.test/1", ""), document("http://a.test/2", "")], &[], &[]);
    }

    #[test]
    fn a_cell_reads_back() {
        let twin = Twin { of: UrlId(77), exact: true };
        assert_eq!(Twin::read(&twin.cell()), Some(twin));
        assert_eq!(Twin::read(b"short"), None);
    }
}
