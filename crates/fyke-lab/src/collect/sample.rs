//! The error of the filter, by people: a random sample of what is called the language is judged, the share of the
//! right ones is told with its interval, and what was judged teaches the filter, which looks at the corpus again.

use super::filter::{JudgedText, LanguageFilter};
use super::hits;
use super::log::{CollectEvent, CollectLog, CollectStart, CollectVerdict};
use super::told;
use fyke_learn::shuffle::shuffle;
use fyke_store::{Collection, StoreError};
use fyke_web::Url;
use std::collections::{BTreeMap, BTreeSet};

/// Of the normal distribution, for 95 %.
const Z: f64 = 1.96;

/// A judgement, by whoever can read the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedUrl {
    pub url: String,
    pub is_right: bool,
}

/// What was judged of a random sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgedSample {
    pub judged: u64,
    pub right: u64,
}

impl JudgedSample {
    /// What was judged so far.
    #[must_use]
    pub fn of(events: &[CollectEvent]) -> JudgedSample {
        let latest = latest(events);
        let right = latest.values().filter(|is_right| **is_right).count() as u64;
        JudgedSample { judged: latest.len() as u64, right }
    }

    /// The share of right ones, and between what it lies in 95 of 100 cases (Wilson 1927).
    #[must_use]
    pub fn precision(self) -> Option<[f64; 3]> {
        if self.judged == 0 {
            return None;
        }
        let n = self.judged as f64;
        let share = self.right as f64 / n;
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half =
            Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / (1.0 + Z * Z / n);
        Some([share, (middle - half).max(0.0), (middle + half).min(1.0)])
    }

    /// As a sentence; empty when nothing was judged.
    #[must_use]
    pub fn words(self) -> String {
        let Some([share, least, most]) = self.precision() else { return String::new() };
        format!(
            "{} of a random sample of {} documents are in the language, as people judged: {share:.2}, \
             between {least:.2} and {most:.2} in 95 of 100 cases, before the filter learned from them",
            self.right, self.judged
        )
    }
}

/// The latest judgement of each URL.
fn latest(events: &[CollectEvent]) -> BTreeMap<&str, bool> {
    let judged = events.iter().filter_map(|event| match event {
        CollectEvent::Judged { url, is_right, .. } => Some((url.as_str(), *is_right)),
        _ => None,
    });
    judged.collect()
}

/// A document that is taken to be in the language.
#[derive(Clone, Copy, Debug)]
struct FoundDocument {
    words: u32,
    is_of_host: bool,
}

/// Documents that are taken to be in the language, by URL.
fn found(events: &[CollectEvent]) -> BTreeMap<&str, FoundDocument> {
    let mut found = BTreeMap::new();
    for event in events {
        match event {
            CollectEvent::Document(done) | CollectEvent::HostPage(done)
                if done.verdict == CollectVerdict::Found =>
            {
                let is_of_host = matches!(event, CollectEvent::HostPage(_));
                let words = done.words;
                found.entry(done.url.as_str()).or_insert(FoundDocument { words, is_of_host });
            }
            CollectEvent::Rejected { url, .. } => drop(found.remove(url.as_str())),
            _ => {}
        }
    }
    found
}

/// A random sample of what is taken to be in the language and was not judged.
#[must_use]
pub fn sample(events: &[CollectEvent], most: usize) -> Vec<String> {
    let judged = latest(events);
    let mut urls: Vec<&str> =
        found(events).into_keys().filter(|url| !judged.contains_key(url)).collect();
    shuffle(&mut urls, &mut (judged.len() as u64 + 1));
    urls.into_iter().take(most).map(str::to_owned).collect()
}

/// The text of a document that was found.
///
/// # Errors
/// When the collection cannot be read.
pub fn text(collection: &Collection, url: &str) -> Result<String, StoreError> {
    let Ok(url) = Url::parse(url) else { return Ok(String::new()) };
    Ok(hits::text_of(collection, &url)?.map(|page| page.1).unwrap_or_default())
}

/// What judgements have taught by now.
pub(super) fn judged_texts(
    collection: &Collection,
    events: &[CollectEvent],
) -> Result<Vec<JudgedText>, StoreError> {
    let judged = latest(events).into_iter();
    let texts =
        judged.map(|(url, is_right)| Ok(JudgedText { text: text(collection, url)?, is_right }));
    texts.collect()
}

/// Writes judgements down and looks at the whole corpus again; returns how many documents are rejected by that.
/// The ledger says so at once; the index has to be made anew.
///
/// # Errors
/// When the collection cannot be read or written.
pub fn judge(
    collection: &Collection,
    log: &mut CollectLog,
    judgements: &[JudgedUrl],
) -> anyhow::Result<u64> {
    let Some(start) = log.last_start().cloned() else {
        anyhow::bail!("nothing was collected here; fyke collect does that");
    };
    let known: BTreeSet<String> = found(&log.events).into_keys().map(str::to_owned).collect();
    for JudgedUrl { url, is_right } in judgements.iter().filter(|one| known.contains(&one.url)) {
        let (run, url, is_right) = (start.run, url.clone(), *is_right);
        log.add(CollectEvent::Judged { run, url, is_right })?;
    }
    let rejected = rejected(collection, &start, &log.events)?;
    for (url, document) in &rejected {
        if let Ok(url) = Url::parse(url)
            && let Some((id, _)) = hits::text_of(collection, &url)?
        {
            hits::settle(collection, id, false, "by judgements of a sample")?;
        }
        let (run, url) = (start.run, url.clone());
        let FoundDocument { words, is_of_host } = *document;
        log.add(CollectEvent::Rejected { run, url, words, is_of_host })?;
    }
    collection.sync()?;
    told::tell_again(collection.root(), &log.events)?;
    Ok(rejected.len() as u64)
}

/// Documents that are not in the language by what is known now.
fn rejected(
    collection: &Collection,
    start: &CollectStart,
    events: &[CollectEvent],
) -> Result<Vec<(String, FoundDocument)>, StoreError> {
    let judged = latest(events);
    let filter =
        LanguageFilter::new(&start.lang, &start.texts).taught(&judged_texts(collection, events)?);
    let mut rejected = Vec::new();
    for (url, document) in found(events) {
        let is_wanted = match judged.get(url) {
            Some(is_right) => *is_right,
            // Without anything learnt it would say the same again.
            None => !filter.is_taught() || filter.judge(&text(collection, url)?).is_wanted,
        };
        if !is_wanted {
            rejected.push((url.to_owned(), document));
        }
    }
    Ok(rejected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_the_interval_of_wilson() {
        let [share, least, most] = JudgedSample { judged: 100, right: 90 }.precision().unwrap();
        assert!((share - 0.9).abs() < 1e-9);
        assert!((least - 0.8256).abs() < 1e-3 && (most - 0.9448).abs() < 1e-3, "{least} {most}");
        assert_eq!(JudgedSample::default().precision(), None);
        assert!(
            JudgedSample { judged: 10, right: 10 }.words().contains("10 of a random sample of 10")
        );
    }
}
