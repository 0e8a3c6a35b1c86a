//! Papers of the pond's departments as they were read, against what the pond knows of them: words of headers, references
//! found and split, their fields, sentences that cite, references matched, and the papers most often cited.

use fyke_papers::matching::{Citation, Grouping};
use fyke_papers::names::PersonName;
use fyke_papers::paper::Paper;
use fyke_papers::reference::PaperReference;
use fyke_pond::departments::{TrueField, TruePaper, TrueReference};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Of so many works that are cited most often it is asked whether they were found to be.
pub(super) const MOST_CITED: usize = 20;

/// Words of headers that are no part of what they say.
const LEFT_OUT: &[&str] = &["and", "keywords"];

/// What is right of what is there, and of what was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RightOf {
    pub right: u64,
    pub there: u64,
    pub found: u64,
}

impl RightOf {
    pub fn add(&mut self, right: usize, there: usize, found: usize) {
        self.right += right as u64;
        self.there += there as u64;
        self.found += found as u64;
    }

    pub fn add_all(&mut self, other: RightOf) {
        self.right += other.right;
        self.there += other.there;
        self.found += other.found;
    }

    #[must_use]
    pub fn recall(&self) -> f64 {
        self.right as f64 / self.there.max(1) as f64
    }

    #[must_use]
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    #[must_use]
    pub fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.there + self.found).max(1) as f64
    }
}

/// How papers were read.
#[derive(Clone, Debug, Default)]
pub struct PaperScores {
    pub papers: u64,
    /// Words of headers by field, and of all fields.
    pub fields: BTreeMap<&'static str, RightOf>,
    pub header: RightOf,
    /// References whose text is theirs and nothing else.
    pub split: RightOf,
    /// Of those: authors, title, venue and year.
    pub reference_fields: BTreeMap<&'static str, RightOf>,
    /// Sentences with what they cite.
    pub contexts: RightOf,
    /// All references that are there or were found, in papers that are counted as citing.
    cited: Vec<ScoredReference>,
}

/// A reference that is there, was found, or both.
#[derive(Clone, Debug, Default)]
struct ScoredReference {
    /// The paper that it stands in.
    paper: usize,
    work: Option<usize>,
    found: Option<Citation>,
}

impl PaperScores {
    /// Counts a paper as it was read. The citations of a paper are counted once, whatever its files.
    pub fn add(&mut self, truth: &TruePaper, read: &Paper, is_first: bool) {
        self.papers += 1;
        self.add_header(truth, read);
        let partners = self.add_references(truth, read);
        self.add_contexts(truth, read, &partners);
        if is_first {
            self.add_citations(truth, read, &partners);
        }
    }

    fn add_header(&mut self, truth: &TruePaper, read: &Paper) {
        let mut there: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for line in &truth.header {
            there.entry(line.field).or_default().extend(header_words_of(&line.text));
        }
        let mut found = header_words(read);
        for field in there.keys().copied().chain(found.keys().copied()).collect::<BTreeSet<_>>() {
            let (there, found) =
                (there.remove(field).unwrap_or_default(), found.remove(field).unwrap_or_default());
            let right = common(&there, &found);
            self.fields.entry(field).or_default().add(right, there.len(), found.len());
            self.header.add(right, there.len(), found.len());
        }
    }

    /// Which reference of the truth each that was found is.
    fn add_references(&mut self, truth: &TruePaper, read: &Paper) -> Vec<Option<usize>> {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, reference) in truth.references.iter().enumerate().rev() {
            places.entry(plain(&reference.text)).or_default().push(at);
        }
        let partner = |found: &PaperReference| places.get_mut(&plain(&found.text))?.pop();
        let partners: Vec<Option<usize>> = read.references.iter().map(partner).collect();
        let right = partners.iter().flatten().count();
        self.split.add(right, truth.references.len(), read.references.len());
        for (found, at) in read.references.iter().zip(&partners) {
            if let Some(at) = at {
                self.add_fields(&truth.references[*at], found);
            }
        }
        partners
    }

    fn add_fields(&mut self, truth: &TrueReference, found: &PaperReference) {
        let of = |names: &[&str]| -> String {
            let fields = truth.fields.iter().filter(|part| names.contains(&part.field));
            fields.map(|part: &TrueField| plain(&part.text)).collect()
        };
        let written = |name: &str| -> String {
            let fields = found.fields.iter().filter(|part| part.field == name);
            fields.map(|part| plain(&part.text)).collect()
        };
        let venue = of(&["journal", "booktitle", "tech", "institution"]);
        let found_venue: String = ["journal", "booktitle", "tech", "institution"]
            .iter()
            .map(|name| written(name))
            .collect();
        let pairs = [
            ("authors", of(&["author"]), written("author")),
            ("title", of(&["title"]), written("title")),
            ("venue", venue, found_venue),
            (
                "year",
                truth.year.map(|year| year.to_string()).unwrap_or_default(),
                found.year.map(|year| year.to_string()).unwrap_or_default(),
            ),
        ];
        for (field, there, found) in pairs {
            let is_right = usize::from(there == found && !there.is_empty());
            let (there, found) = (usize::from(!there.is_empty()), usize::from(!found.is_empty()));
            self.reference_fields.entry(field).or_default().add(is_right, there, found);
        }
    }

    fn add_contexts(&mut self, truth: &TruePaper, read: &Paper, partners: &[Option<usize>]) {
        let there: BTreeSet<(usize, String)> =
            truth.citations.iter().map(|cited| (cited.reference, plain(&cited.sentence))).collect();
        let found: Vec<(Option<usize>, String)> = read
            .contexts
            .iter()
            .map(|cited| (partners[cited.reference], plain(&cited.sentence)))
            .collect();
        let is_right = |(at, sentence): &&(Option<usize>, String)| {
            at.is_some_and(|at| there.contains(&(at, sentence.clone())))
        };
        self.contexts.add(found.iter().filter(is_right).count(), there.len(), found.len());
    }

    fn add_citations(&mut self, truth: &TruePaper, read: &Paper, partners: &[Option<usize>]) {
        let paper = truth.number;
        for (at, reference) in truth.references.iter().enumerate() {
            let found = partners.iter().position(|partner| *partner == Some(at));
            let found = found.map(|found| Citation::of_fields(&read.references[found].fields));
            self.cited.push(ScoredReference { paper, work: Some(reference.work), found });
        }
        let others = read.references.iter().zip(partners).filter(|(_, partner)| partner.is_none());
        self.cited.extend(others.map(|(found, _)| ScoredReference {
            paper,
            work: None,
            found: Some(Citation::of_fields(&found.fields)),
        }));
    }

    /// Groups all references that were found, and compares with the truth.
    #[must_use]
    pub fn citations(&self) -> CitationScores {
        let mut grouping = Grouping::default();
        let found: Vec<&Citation> =
            self.cited.iter().filter_map(|one| one.found.as_ref()).collect();
        let mut groups = grouping.add(found).into_iter();
        // What was not found is a group by itself, what is none is a work by itself.
        let rows: Vec<MatchedReference> = self
            .cited
            .iter()
            .zip(0..)
            .map(|(one, at)| MatchedReference {
                paper: one.paper,
                work: one.work.map_or(1 << 62 | at, |work| work as u64),
                group: one.found.as_ref().and_then(|_| groups.next()).map_or(at, |id| id.0),
            })
            .collect();
        CitationScores { matched: pairs(&rows), most_cited: agreement(&rows) }
    }
}

/// How references were matched.
#[derive(Clone, Copy, Debug, Default)]
pub struct CitationScores {
    /// Pairs of references to one work.
    pub matched: RightOf,
    /// Which share of the works most often cited are found to be.
    pub most_cited: f64,
}

#[derive(Clone, Copy, Debug)]
struct MatchedReference {
    paper: usize,
    work: u64,
    group: u64,
}

fn pairs(rows: &[MatchedReference]) -> RightOf {
    let (mut both, mut works, mut groups) = (HashMap::new(), HashMap::new(), HashMap::new());
    for row in rows {
        *both.entry((row.work, row.group)).or_insert(0_usize) += 1;
        *works.entry(row.work).or_insert(0_usize) += 1;
        *groups.entry(row.group).or_insert(0_usize) += 1;
    }
    let of = |count: &usize| count * (count - 1) / 2;
    let mut pairs = RightOf::default();
    pairs.add(
        both.values().map(of).sum(),
        works.values().map(of).sum(),
        groups.values().map(of).sum(),
    );
    pairs
}

/// The share of the most cited groups whose work is among the most cited.
fn agreement(rows: &[MatchedReference]) -> f64 {
    let (mut works, mut groups) = (HashMap::new(), HashMap::new());
    for row in rows {
        works.entry(row.work).or_insert_with(BTreeSet::new).insert(row.paper);
        groups.entry(row.group).or_insert_with(Vec::new).push(row);
    }
    let mut counts: Vec<usize> = works.values().map(BTreeSet::len).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let least = counts.get(MOST_CITED - 1).copied().unwrap_or(1);
    let citing = |rows: &[&MatchedReference]| {
        rows.iter().map(|row| row.paper).collect::<BTreeSet<_>>().len()
    };
    let mut found: Vec<(usize, u64)> =
        groups.iter().map(|(group, rows)| (citing(rows), *group)).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    let is_right = |(_, group): &&(usize, u64)| {
        let mut of: HashMap<u64, usize> = HashMap::new();
        groups[group].iter().for_each(|row| *of.entry(row.work).or_default() += 1);
        let work =
            of.into_iter().max_by_key(|(work, count)| (*count, *work)).map_or(0, |(work, _)| work);
        works[&work].len() >= least
    };
    let shown = found.len().min(MOST_CITED);
    found.iter().take(shown).filter(is_right).count() as f64 / shown.max(1) as f64
}

/// Letters and digits alone, in small letters.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn header_words_of(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(plain);
    words.filter(|word| !word.is_empty() && !LEFT_OUT.contains(&word.as_str())).collect()
}

/// How many words two texts have in common, each as often as it stands in both.
fn common(there: &[String], found: &[String]) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    there.iter().for_each(|word| *counts.entry(word).or_default() += 1);
    let is_there = |word: &&String| {
        let left = counts.get_mut(word.as_str()).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    };
    found.iter().filter(is_there).count()
}

fn header_words(read: &Paper) -> BTreeMap<&'static str, Vec<String>> {
    let header = &read.header;
    let authors: Vec<String> = header.authors.iter().map(PersonName::full).collect();
    let texts = [
        ("title", header.title.clone()),
        ("author", authors.join(" ")),
        ("affiliation", header.affiliations.join(" ")),
        ("address", header.addresses.join(" ")),
        ("email", header.emails.join(" ")),
        ("date", header.date.clone()),
        ("note", format!("{} {}", header.note, header.number)),
        ("abstract", header.abstract_text.clone()),
        ("keyword", header.keywords.join(" ")),
    ];
    texts.into_iter().map(|(field, text)| (field, header_words_of(&text))).collect()
}
