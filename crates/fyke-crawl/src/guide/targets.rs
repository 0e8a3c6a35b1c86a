//! What a crawl looks for (002 §2: "research papers" on the sites of departments): pages that are worth a reward where
//! they are found, known by their URL or by what they hold. All else is the way to them.

use crate::scope::{ScopeError, ScopePattern};
use fyke_web::{Capture, Url};

/// Among the words of a link: its URL looks like that of a target, or of a page on the way to one.
const LOOKS_SO: u32 = 0x7A26_E75B;
const ON_THE_WAY: u32 = 0x51DE_33A9;
/// What such a link is worth before anything was learnt, of a target, on the way …
const LIKELY: f64 = 0.6;
const WAY: f64 = 0.6;
/// … and of a pattern, where there is no doubt.
const CERTAIN: f64 = 1.0;
/// So many targets found halve what was only likely.
const ENOUGH: f64 = 10.0;

/// Which pages are worth a reward.
#[derive(Debug)]
pub struct Targets {
    patterns: Vec<ScopePattern>,
    holds: Option<fn(&Capture) -> bool>,
    /// URLs that often are those of pages that hold it, and of pages that lead there.
    likely: Vec<ScopePattern>,
    ways: Vec<ScopePattern>,
}

impl Targets {
    /// Pages whose URL fits one of the patterns, or of which a function says so.
    ///
    /// A pattern is one of a scope; without a slash it speaks of the last part of a path: `*.pdf`.
    ///
    /// # Errors
    /// When a pattern cannot be read.
    pub fn new(
        patterns: &[String],
        holds: Option<fn(&Capture) -> bool>,
    ) -> Result<Targets, ScopeError> {
        let whole = |pattern: &String| match pattern.contains('/') || pattern.starts_with("re:") {
            true => pattern.clone(),
            false => format!("**/{pattern}"),
        };
        let patterns = patterns.iter().map(|pattern| ScopePattern::new(&whole(pattern)));
        Ok(Targets {
            patterns: patterns.collect::<Result<_, _>>()?,
            holds,
            likely: Vec::new(),
            ways: Vec::new(),
        })
    }

    /// The same; URLs of these patterns are tried first until it is known which are, or which lead there.
    ///
    /// # Errors
    /// When a pattern cannot be read.
    pub fn likely_at(self, files: &[&str], ways: &[&str]) -> Result<Targets, ScopeError> {
        let read = |patterns: &[&str]| {
            patterns.iter().map(|pattern| ScopePattern::new(pattern)).collect::<Result<_, _>>()
        };
        Ok(Targets { likely: read(files)?, ways: read(ways)?, ..self })
    }

    /// Whether a page is one of them.
    #[must_use]
    pub fn has(&self, capture: &Capture) -> bool {
        self.has_url(&capture.url) || self.holds.is_some_and(|holds| holds(capture))
    }

    fn has_url(&self, url: &Url) -> bool {
        is_of(&self.patterns, url.normal().as_str())
    }

    /// Adds to the words of a link what its URL looks like.
    pub(crate) fn add_word(&self, url: &str, words: &mut Vec<u32>) {
        if is_of(&self.patterns, url) || is_of(&self.likely, url) {
            words.push(LOOKS_SO);
        } else if is_of(&self.ways, url) {
            words.push(ON_THE_WAY);
        }
    }

    /// What a link is worth besides what was learnt, once so many targets were found.
    pub(crate) fn prior(&self, words: &[u32], found: u64) -> f64 {
        match words.last() {
            Some(&LOOKS_SO) if self.holds.is_none() => CERTAIN,
            Some(&LOOKS_SO) => LIKELY / (1.0 + found as f64 / ENOUGH),
            Some(&ON_THE_WAY) => WAY / (1.0 + found as f64 / ENOUGH),
            _ => 0.0,
        }
    }
}

fn is_of(patterns: &[ScopePattern], url: &str) -> bool {
    let text = url.split_once("://").map_or(url, |(_, rest)| rest);
    patterns.iter().any(|pattern| pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_link_looks_like_counts_until_enough_was_found() {
        let looked_for = Targets::new(&[], Some(|_| false)).unwrap();
        let targets = looked_for.likely_at(&["**/*.ps"], &["**/papers/**"]).unwrap();
        let mut words = vec![7];
        targets.add_word("http://a.test/x.html", &mut words);
        assert_eq!(targets.prior(&words, 0), 0.0);
        targets.add_word("http://a.test/x.ps", &mut words);
        assert_eq!((targets.prior(&words, 0), targets.prior(&words, 10)), (LIKELY, LIKELY / 2.0));
        targets.add_word("http://a.test/papers/", &mut words);
        assert_eq!(targets.prior(&words, 0), WAY);
    }

    #[test]
    fn targets_are_known_by_the_end_of_their_url_or_by_what_they_hold() {
        let holds = |capture: &Capture| capture.payload.starts_with(b"Abstract");
        let targets = Targets::new(&["*.pdf".into(), "a.test/tr/**".into()], Some(holds)).unwrap();
        let check = |url: &str, payload: &str, expected: bool| {
            let (url, payload) = (Url::parse(url).unwrap(), payload.into());
            let headers = Vec::new();
            let capture = Capture { url, time: 0, status: 200, headers, payload, truncated: None };
            assert_eq!(targets.has(&capture), expected, "{}", capture.url);
        };
        check("http://b.test/x/nets.pdf", "", true);
        check("http://b.test/pdf", "", false);
        check("http://a.test/tr/1/x", "", true);
        check("http://b.test/x", "Abstract. We fish.", true);
        check("http://b.test/x", "We fish.", false);
        assert!(Targets::new(&["[".into()], None).is_err());
    }
}
