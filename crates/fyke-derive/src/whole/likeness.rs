//! Exact and near copies: which documents are twins, and which of them stands for the others
//! (000 "near duplicates", 001 "Duplicate detection", 003 §3.7: discovery).
//!
//! Bands of sketches give the pairs to look at; where a sketch cannot tell on which side of the
//! threshold a pair lies, the exact coefficient is asked for. Near copies of near copies may be
//! strangers (001: "not transitive"), so a document is a twin only of one that it resembles itself. Pages of a
//! manual that differ in little but their names (`find_path` and `find_file`) are documents of their own.

use crate::page::print::Print;
use fyke_store::StoreError;
use fyke_text::sketch::{doubt, pairs};
use fyke_text::{Languages, Sketch};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

/// Documents of one group that may stand for others; what resembles none of them stands for itself.
const LEADERS: usize = 64;

/// What of a document decides on its twins.
#[derive(Clone, Debug)]
pub struct TwinPrint {
    pub id: UrlId,
    pub url: String,
    /// As [`crate::page::print::host`].
    pub host: UrlId,
    pub language: String,
    pub words: u32,
    pub checksum: u64,
    pub sketch: Sketch,
}

impl TwinPrint {
    /// Of a document by its cell.
    #[must_use]
    pub fn of(id: UrlId, print: Print) -> TwinPrint {
        let Print { url, host, language, words, checksum, sketch, .. } = print;
        TwinPrint { id, url, host, language, words, checksum, sketch: Sketch(sketch) }
    }
}

/// What speaks for a document's standing for its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How many of its copies name it as their canonical form.
    pub named: u32,
    /// How many pages link to it.
    pub links: u32,
}

/// The document that a twin is a copy of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    pub of: UrlId,
    pub exact: bool,
}

/// Tells which of some documents are copies of each other.
pub struct Likeness<'a> {
    pub documents: &'a [TwinPrint],
    /// The Jaccard coefficient from which on they are.
    pub threshold: f64,
    /// The exact coefficient of two documents, asked for where sketches cannot tell.
    pub exact: &'a mut dyn FnMut(usize, usize) -> Result<f64, StoreError>,
    /// Whether two near copies of one host are pages with names of their own, and no copies.
    pub named_apart: &'a mut dyn FnMut(usize, usize) -> Result<bool, StoreError>,
}

impl std::fmt::Debug for Likeness<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Likeness").field("threshold", &self.threshold).finish_non_exhaustive()
    }
}

impl Likeness<'_> {
    /// What the sketches say of a pair; none when they cannot tell.
    fn told(&self, resemblance: f64) -> Option<bool> {
        let doubt = doubt(self.threshold);
        let is_near = resemblance >= self.threshold;
        ((resemblance - self.threshold).abs() >= doubt).then_some(is_near)
    }

    fn are_near(&mut self, a: usize, b: usize) -> Result<bool, StoreError> {
        let (first, second) = (&self.documents[a], &self.documents[b]);
        if first.checksum == second.checksum {
            return Ok(true);
        }
        let is_near = match self.told(first.sketch.resemblance(&second.sketch)) {
            Some(told) => told,
            None => (self.exact)(a, b)? >= self.threshold,
        };
        Ok(is_near && !(first.host == second.host && (self.named_apart)(a, b)?))
    }

    /// Groups of copies and copies of copies, as indexes; none has fewer than two members. Neither
    /// groups nor members depend on the order of the documents.
    ///
    /// # Errors
    /// Those of `exact`.
    pub fn groups(&mut self) -> Result<Vec<Vec<usize>>, StoreError> {
        let mut sets = Sets((0..self.documents.len()).collect());
        let distinct = self.distinct(&mut sets);
        let sketches: Vec<&[u8]> =
            distinct.iter().map(|&index| &self.documents[index].sketch.0[..]).collect();
        let mut doubtful = Vec::new();
        for pair in pairs(&sketches, self.threshold) {
            let (a, b) = (distinct[pair.first], distinct[pair.second]);
            match self.told(pair.resemblance) {
                Some(true) => sets.join(a, b),
                Some(false) => {}
                None => doubtful.push((a, b)),
            }
        }
        // Last, since a pair that is together by others need not be looked at.
        for (a, b) in doubtful {
            if sets.root(a) != sets.root(b) && (self.exact)(a, b)? >= self.threshold {
                sets.join(a, b);
            }
        }
        Ok(sets.groups())
    }

    /// One document for each text, by id; the others are joined with it.
    fn distinct(&self, sets: &mut Sets) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.documents.len()).collect();
        order.sort_unstable_by_key(|&index| self.documents[index].id);
        let mut first: HashMap<u64, usize> = HashMap::new();
        order.retain(|&index| {
            let TwinPrint { words, checksum, .. } = self.documents[index];
            if words == 0 {
                return false;
            }
            let of = *first.entry(checksum).or_insert(index);
            sets.join(index, of);
            of == index
        });
        order
    }

    /// Every copy with the document that stands for it: the one that most of the group name as their
    /// canonical form, then one whose URL names no other language than its text is in, then the one that most pages
    /// link to, then the one with the shortest URL, then by its letters. What does not resemble it is left to the next
    /// in that order.
    ///
    /// # Errors
    /// Those of `exact`.
    pub fn represent(
        &mut self,
        groups: &[Vec<usize>],
        standing: &HashMap<UrlId, Standing>,
    ) -> Result<BTreeMap<UrlId, Twin>, StoreError> {
        let mut twins = BTreeMap::new();
        for group in groups {
            let mut left = group.clone();
            left.sort_unstable_by_key(|&index| {
                let document = &self.documents[index];
                let Standing { named, links } =
                    standing.get(&document.id).copied().unwrap_or_default();
                let is_foreign = is_foreign(&document.url, &document.language);
                (Reverse(named), is_foreign, Reverse(links), document.url.len(), &document.url)
            });
            for _ in 0..LEADERS {
                let Some((&leader, rest)) = left.split_first() else { break };
                let mut apart = Vec::new();
                for &index in rest {
                    if !self.are_near(leader, index)? {
                        apart.push(index);
                        continue;
                    }
                    let (of, twin) = (&self.documents[leader], &self.documents[index]);
                    let exact = of.checksum == twin.checksum;
                    twins.insert(twin.id, Twin { of: of.id, exact });
                }
                left = apart;
            }
        }
        Ok(twins)
    }
}

/// Whether a URL names another language than its text is in: where a site has no translation it shows the original,
/// and that stands for itself.
fn is_foreign(url: &str, language: &str) -> bool {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let path = path.map_or("", |(_, path)| path.split(['?', '#']).next().unwrap_or_default());
    let named = |part: &&str| {
        let code = part.split(['-', '_']).next().unwrap_or_default();
        code.len() == 2 && CODES.contains(code)
    };
    let mut parts = path.split(['/', '.']).filter(named).peekable();
    parts.peek().is_some() && parts.all(|part| !part.to_ascii_lowercase().starts_with(language))
}

/// The codes of languages that texts are known in.
static CODES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| Languages::shipped().codes().into_iter().collect());

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

    /// The sets of two and more.
    fn groups(mut self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..self.0.len() {
            groups.entry(self.root(index)).or_default().push(index);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_text::sketch::{HashedText, jaccard, shingle_set};

    const THRESHOLD: f64 = 0.8;

    /// What [`check`] reads: URL and text.
    type CheckedPage = (&'static str, String);

    fn fingerprint((url, text): &CheckedPage) -> TwinPrint {
        let id = fyke_web::Url::parse(url).unwrap().id();
        let fyke_text::Digest { words, checksum, sketch } = fyke_text::digest(text);
        let (url, language) = ((*url).to_string(), "en".to_owned());
        let host = crate::page::print::host(&url);
        TwinPrint { id, url, host, language, words, checksum, sketch }
    }

    fn words(from: usize, count: usize) -> String {
        (from..from + count).map(|n| format!("w{n} ")).collect()
    }

    fn found(pages: &[CheckedPage], standing: &HashMap<UrlId, Standing>) -> BTreeMap<UrlId, Twin> {
        let documents: Vec<TwinPrint> = pages.iter().map(fingerprint).collect();
        let set = |index: usize| shingle_set(&HashedText::read(&pages[index].1).words);
        let mut exact = |a, b| Ok(jaccard(&set(a), &set(b)));
        let is_named = |index: usize| pages[index].0.contains("named");
        let mut named_apart = |a, b| Ok(is_named(a) && is_named(b));
        let mut likeness = Likeness {
            documents: &documents,
            threshold: THRESHOLD,
            exact: &mut exact,
            named_apart: &mut named_apart,
        };
        let groups = likeness.groups().unwrap();
        likeness.represent(&groups, standing).unwrap()
    }

    /// `expected`: copy, what it is a copy of, exactly or nearly. The order must not matter.
    fn check(pages: &[CheckedPage], named: &[(&str, u32)], expected: &[(&str, &str, bool)]) {
        let standing: Vec<_> = named
            .iter()
            .map(|(url, named)| (*url, Standing { named: *named, ..Standing::default() }))
            .collect();
        check_standing(pages, &standing, expected);
    }

    fn check_standing(
        pages: &[CheckedPage],
        standing: &[(&str, Standing)],
        expected: &[(&str, &str, bool)],
    ) {
        let id = |url: &str| fyke_web::Url::parse(url).unwrap().id();
        let named = standing.iter().map(|(url, standing)| (id(url), *standing)).collect();
        let expected: BTreeMap<UrlId, Twin> = expected
            .iter()
            .map(|(twin, of, exact)| (id(twin), Twin { of: id(of), exact: *exact }))
            .collect();
        let mut pages = pages.to_vec();
        for _ in 0..pages.len() {
            pages.rotate_left(1);
            assert_eq!(found(&pages, &named), expected);
        }
        pages.reverse();
        assert_eq!(found(&pages, &named), expected);
    }

    #[test]
    fn the_shortest_url_stands_for_exact_copies_unless_another_is_canonical() {
        let text = "the tide comes in and the tide goes out again twice a day".to_owned();
        let pages = [
            ("http://a.test/x", text.clone()),
            ("http://a.test/x/copy", text),
            ("http://a.test/y", "something else entirely stands on this page".to_owned()),
        ];
        check(&pages, &[], &[("http://a.test/x/copy", "http://a.test/x", true)]);
        let named = [("http://a.test/x/copy", 2)];
        check(&pages, &named, &[("http://a.test/x", "http://a.test/x/copy", true)]);
    }

    #[test]
    fn what_most_pages_link_to_stands_for_its_copies_in_the_language_of_its_text() {
        let text = "the tide comes in and the tide goes out again twice a day".to_owned();
        let pages = [
            ("http://a.test/docs/da/howto.html", text.clone()),
            ("http://a.test/docs/en/howto.html", text.clone()),
            ("http://a.test/docs/2.4/en/howto.html", text),
        ];
        let links = |links: u32| Standing { links, ..Standing::default() };
        let [da, en, old] = [pages[0].0, pages[1].0, pages[2].0];
        let of_en = [(da, en, true), (old, en, true)];
        check_standing(&pages, &[], &of_en);
        check_standing(&pages, &[(da, links(9)), (en, links(3)), (old, links(1))], &of_en);
        let of_old = [(da, old, true), (en, old, true)];
        check_standing(&pages, &[(da, links(9)), (en, links(3)), (old, links(4))], &of_old);
        check(&pages, &[(da, 1)], &[(en, da, true), (old, da, true)]);
    }

    #[test]
    fn a_url_may_name_another_language_than_its_text_is_in() {
        let check = |path: &str, language: &str, expected: bool| {
            let url = format!("http://en.test/{path}");
            assert_eq!(is_foreign(&url, language), expected, "{path} {language}");
        };
        check("da/index.html", "en", true);
        check("en/index.html", "en", false);
        check("index.html.de", "en", true);
        check("pt-br/x", "pt", false);
        check("x/y.html", "en", false);
        check("en/da/x", "en", false);
    }

    #[test]
    fn a_near_copy_is_told_from_an_exact_one() {
        let whole = words(0, 400);
        let pages =
            [("http://a.test/1", whole.clone()), ("http://a.test/2", whole.replace("w200", "x"))];
        check(&pages, &[], &[("http://a.test/2", "http://a.test/1", false)]);
    }

    #[test]
    fn near_copies_of_one_host_with_names_of_their_own_are_no_copies() {
        let text = |name: &str| words(0, 400).replace("w200", name);
        let pages = [
            ("http://a.test/named/1", text("x")),
            ("http://a.test/named/2", text("y")),
            ("http://a.test/named/33", text("y")),
            ("http://a.test/other/4", text("z")),
            ("http://b.test/named/5", text("v")),
        ];
        let [one, two, copy, other, elsewhere] = [0, 1, 2, 3, 4].map(|at: usize| pages[at].0);
        let of_one = [(copy, two, true), (other, one, false), (elsewhere, one, false)];
        check(&pages, &[], &of_one);
    }

    /// Pairs on both sides of the threshold, so near that a sketch of 200 places tells most wrong.
    #[test]
    fn at_the_threshold_the_exact_coefficient_decides() {
        for n in 0..40 {
            let pair = |apart: usize| {
                let side = |side: usize| words(n * 10_000 + side * 3_000, apart);
                let common = words(n * 10_000 + 8_000, 810);
                [("http://a.test/1", side(1) + &common), ("http://a.test/2", side(2) + &common)]
            };
            check(&pair(100), &[], &[("http://a.test/2", "http://a.test/1", false)]);
            check(&pair(103), &[], &[]);
        }
    }

    /// 1 is near 2 and 2 is near 3, but 1 and 3 are strangers.
    #[test]
    fn a_copy_of_a_copy_is_a_twin_only_of_what_it_resembles_itself() {
        let pages = [0, 70, 140].map(|from| words(from, 800));
        let [one, two, three] = pages;
        let pages =
            [("http://a.test/1", one), ("http://a.test/22", two), ("http://a.test/333", three)];
        check(&pages, &[], &[("http://a.test/22", "http://a.test/1", false)]);
        let named = [("http://a.test/22", 1)];
        let both = [
            ("http://a.test/1", "http://a.test/22", false),
            ("http://a.test/333", "http://a.test/22", false),
        ];
        check(&pages, &named, &both);
    }

    #[test]
    fn pages_without_words_are_not_copies_of_each_other() {
        check(&[("http://a.test/1", String::new()), ("http://a.test/2", String::new())], &[], &[]);
    }
}
