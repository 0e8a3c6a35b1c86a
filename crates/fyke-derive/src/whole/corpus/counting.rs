//! Counting documents into figures. Memory is bounded but for the hosts, of which a million have names.

use super::figures::{Bin, Corpus, CorpusPart, CorpusWords, Laws};
use fyke_text::{Heaps, Vocabulary};
use fyke_web::{Document, Rights, Url};
use std::collections::{BTreeMap, HashMap};

/// Distinct words counted exactly: what fits into a table of 2^23 places, 143 MB.
const MOST_WORDS: usize = (1 << 23) / 8 * 7;
/// Names told apart in one tally; the rest are others.
const MOST_NAMES: usize = 1 << 20;
const OTHERS: &str = "(others)";
/// Rows of a list.
const ROWS: usize = 100;
/// Places on the curve of ranks in one power of ten.
const PLACES: f64 = 24.0;
/// Shares of words that occur n times are told up to this n.
const SHARES: u64 = 10;

/// Figures in the making.
#[derive(Debug)]
pub struct Counting {
    corpus: Corpus,
    vocabulary: Vocabulary,
    languages: CorpusTally,
    hosts: CorpusTally,
    media_types: CorpusTally,
    charsets: CorpusTally,
    licences: CorpusTally,
    opt_outs: CorpusTally,
    published: BTreeMap<i32, u64>,
    captured: BTreeMap<i32, u64>,
    /// By the number of binary digits of their words.
    lengths: [u64; 65],
}

impl Default for Counting {
    fn default() -> Counting {
        Counting {
            corpus: Corpus::default(),
            vocabulary: Vocabulary::new(MOST_WORDS),
            languages: CorpusTally::default(),
            hosts: CorpusTally::default(),
            media_types: CorpusTally::default(),
            charsets: CorpusTally::default(),
            licences: CorpusTally::default(),
            opt_outs: CorpusTally::default(),
            published: BTreeMap::new(),
            captured: BTreeMap::new(),
            lengths: [0; 65],
        }
    }
}

impl Counting {
    /// Counts one document.
    pub fn add(&mut self, document: &Document, rights: &Rights) {
        let words = u64::from(document.words);
        self.corpus.kept += 1;
        self.corpus.words += words;
        self.corpus.text_bytes += document.text.len() as u64;
        let time = document.time;
        let (first, last) = self.corpus.captured.unwrap_or((time, time));
        self.corpus.captured = Some((first.min(time), last.max(time)));
        self.vocabulary.read(&document.text);
        self.languages.add(&document.language, words);
        self.charsets.add(&document.charset, words);
        self.media_types.add(&rights.media_type, words);
        let url = Url::parse(&document.url);
        self.hosts.add(url.as_ref().map_or("", Url::host), words);
        rights.licences.iter().for_each(|licence| self.licences.add(licence, words));
        rights.opt_outs.iter().for_each(|opt_out| self.opt_outs.add(opt_out, words));
        if let Some(year) = year_of(&document.date) {
            *self.published.entry(year).or_default() += 1;
        }
        *self.captured.entry(year_of_capture(time)).or_default() += 1;
        self.lengths[(u64::BITS - words.leading_zeros()) as usize] += 1;
    }

    /// The figures.
    #[must_use]
    pub fn finish(self) -> Corpus {
        let spectrum = self.vocabulary.spectrum();
        let growth = self.vocabulary.growth();
        let laws = Laws {
            zipf: spectrum.zipf(),
            mandelbrot: spectrum.mandelbrot(),
            heaps: Heaps::fit(&growth),
        };
        let vocabulary = CorpusWords {
            size: self.vocabulary.size(),
            once: spectrum.once(),
            is_exact: self.vocabulary.is_exact(),
            top: self.vocabulary.top(ROWS),
            ranks: spread(spectrum.ranks()),
            growth,
            shares: (1..=SHARES).map(|n| spectrum.share(n)).collect(),
        };
        Corpus {
            hosts_total: self.hosts.0.len() as u64,
            languages: self.languages.parts(),
            hosts: self.hosts.parts(),
            media_types: self.media_types.parts(),
            charsets: self.charsets.parts(),
            licences: self.licences.parts(),
            opt_outs: self.opt_outs.parts(),
            years_published: self.published.into_iter().collect(),
            years_captured: self.captured.into_iter().collect(),
            lengths: bins(&self.lengths),
            vocabulary,
            laws,
            ..self.corpus
        }
    }
}

/// Documents and words by name.
#[derive(Debug, Default)]
struct CorpusTally(HashMap<String, (u64, u64)>);

impl CorpusTally {
    fn add(&mut self, name: &str, words: u64) {
        let name = if name.is_empty() { "(unknown)" } else { name };
        let is_full = self.0.len() >= MOST_NAMES && !self.0.contains_key(name);
        let name = if is_full { OTHERS } else { name };
        let entry = match self.0.get_mut(name) {
            Some(entry) => entry,
            None => self.0.entry(name.to_owned()).or_default(),
        };
        entry.0 += 1;
        entry.1 += words;
    }

    /// Those with the most documents first, of equals by their letters.
    fn parts(self) -> Vec<CorpusPart> {
        let part = |(name, (documents, words))| CorpusPart { name, documents, words };
        let mut parts: Vec<CorpusPart> = self.0.into_iter().map(part).collect();
        parts.sort_by(|a, b| b.documents.cmp(&a.documents).then_with(|| a.name.cmp(&b.name)));
        parts.truncate(ROWS);
        parts
    }
}

/// The year an ISO 8601 date begins with.
fn year_of(date: &str) -> Option<i32> {
    let year = date.get(..4).filter(|year| year.bytes().all(|b| b.is_ascii_digit()))?;
    year.parse().ok()
}

fn year_of_capture(time: i64) -> i32 {
    let time = jiff::Timestamp::from_millisecond(time).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    i32::from(time.to_zoned(jiff::tz::TimeZone::UTC).year())
}

/// Of a long curve, places that lie apart on a logarithmic axis; the first and the last stay.
fn spread(ranks: impl Iterator<Item = (u64, f64)>) -> Vec<(u64, f64)> {
    let mut places: Vec<(u64, f64)> = Vec::new();
    let (mut last, mut next) = (None, 0);
    for place in ranks {
        if place.0 >= next {
            places.push(place);
            next = (place.0 as f64 * 10f64.powf(1.0 / PLACES)).ceil() as u64;
        }
        last = Some(place);
    }
    places.extend(last.filter(|last| places.last() != Some(last)));
    places
}

/// From the first bin with a document to the last.
fn bins(lengths: &[u64]) -> Vec<Bin> {
    let bin = |(digits, documents): (usize, &u64)| {
        let from = if digits == 0 { 0 } else { 1 << (digits - 1) };
        Bin {
            from,
            to: 1_u64.checked_shl(digits as u32).unwrap_or(u64::MAX),
            documents: *documents,
        }
    };
    let bins: Vec<Bin> = lengths.iter().enumerate().map(bin).collect();
    let has_some = |bin: &Bin| bin.documents > 0;
    let first = bins.iter().position(has_some).unwrap_or(bins.len());
    let last = bins.iter().rposition(has_some).map_or(first, |last| last + 1);
    bins[first..last].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::{PageNames, UrlId};

    fn document(url: &str, date: &str, text: &str) -> Document {
        let words = fyke_text::tokens(text).count() as u32;
        Document {
            id: UrlId(0),
            url: url.to_owned(),
            time: 1_700_000_000_000,
            docno: String::new(),
            title: String::new(),
            names: PageNames::default(),
            author: String::new(),
            date: date.to_owned(),
            site: String::new(),
            headings: String::new(),
            emphasis: String::new(),
            description: String::new(),
            keywords: String::new(),
            link_titles: String::new(),
            links: Vec::new(),
            text: text.to_owned(),
            shape: Vec::new(),
            comments: String::new(),
            pages: Vec::new(),
            language: "en".to_owned(),
            languages: Vec::new(),
            format: "html".to_owned(),
            charset: "UTF-8".to_owned(),
            words,
            checksum: 0,
            sketch: Vec::new(),
        }
    }

    #[test]
    fn documents_are_counted_by_all_that_is_known_of_them() {
        let mut counting = Counting::default();
        let rights = Rights {
            media_type: "text/html".to_owned(),
            licences: vec!["CC BY 4.0".to_owned()],
            opt_outs: vec!["noai".to_owned()],
        };
        counting.add(&document("http://a.test/1", "2024-03", "the tide comes in"), &rights);
        counting.add(&document("http://a.test/2", "", "the tide"), &Rights::default());
        counting.add(&document("http://b.test/", "long ago", ""), &Rights::default());
        let corpus = counting.finish();
        assert_eq!((corpus.kept, corpus.words, corpus.hosts_total), (3, 6, 2));
        let hosts: Vec<_> = corpus.hosts.iter().map(|h| (h.name.as_str(), h.documents)).collect();
        assert_eq!(hosts, [("a.test", 2), ("b.test", 1)]);
        assert_eq!(corpus.years_published, [(2024, 1)]);
        assert_eq!(corpus.years_captured, [(2023, 3)]);
        assert_eq!(corpus.media_types[0].name, "(unknown)");
        assert_eq!((corpus.licences[0].words, corpus.opt_outs[0].documents), (4, 1));
        let bins: Vec<_> = corpus.lengths.iter().map(|b| (b.from, b.to, b.documents)).collect();
        assert_eq!(bins, [(0, 1, 1), (1, 2, 0), (2, 4, 1), (4, 8, 1)]);
        assert_eq!((corpus.vocabulary.size, corpus.vocabulary.once), (4, 2));
        assert_eq!(corpus.vocabulary.shares[..2], [0.5, 0.5]);
        assert_eq!(corpus.vocabulary.ranks, [(2, 2.0 / 6.0), (4, 1.0 / 6.0)]);
    }

    #[test]
    fn nothing_counted_is_nothing_told() {
        let corpus = Counting::default().finish();
        assert_eq!((corpus.kept, corpus.lengths.len(), corpus.laws.heaps), (0, 0, None));
    }

    #[test]
    fn a_long_curve_is_told_at_few_places() {
        let places = spread((1..=1_000_000).map(|rank| (rank, 1.0 / rank as f64)));
        assert!((100..200).contains(&places.len()), "{}", places.len());
        assert_eq!((places[0].0, places[places.len() - 1].0), (1, 1_000_000));
    }
}
