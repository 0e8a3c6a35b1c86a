//! A collection as a closed web: the URLs that it has captures of, and the links between them.

use super::recording::{self, Recorded, Recording};
use anyhow::Context as _;
use fyke_crawl::Readers;
use fyke_crawl::scope::{Mode, Scope, ScopeOptions};
use fyke_derive::derive;
use fyke_store::{Reason, Spot, StoreError, View};
use fyke_text::{Keywords, fold, tokens};
use fyke_web::{Capture, Document, Url};

/// Which pages are wanted.
#[derive(Debug)]
pub enum SimTargets {
    /// Those with a URL that matches a pattern.
    Matching(Box<Scope>),
    /// Documents in which one of these stands, folded.
    Keywords(Vec<String>),
    /// All that became documents.
    Kept,
}

impl SimTargets {
    /// URLs by patterns as in `[scope]`; one without a slash is about the last part of a URL.
    ///
    /// # Errors
    /// When a pattern cannot be read.
    pub fn matching(patterns: &[String]) -> anyhow::Result<SimTargets> {
        let whole = |pattern: &String| match pattern.contains('/') || pattern.starts_with("re:") {
            true => pattern.clone(),
            false => format!("**/{pattern}"),
        };
        let allow = patterns.iter().map(whole).collect();
        let options = ScopeOptions { mode: Mode::List, allow, ..ScopeOptions::default() };
        Ok(SimTargets::Matching(Box::new(Scope::new(&options, &[])?)))
    }

    /// Documents by words or phrases.
    #[must_use]
    pub fn keywords(keywords: &[String]) -> SimTargets {
        SimTargets::Keywords(keywords.iter().map(|keyword| folded(keyword)).collect())
    }

    /// The keywords by which links are named, as in a crawl about them.
    fn subject(&self) -> Keywords {
        match self {
            SimTargets::Keywords(keywords) => Keywords::new(keywords, "en"),
            SimTargets::Matching(_) | SimTargets::Kept => Keywords::new::<&str>(&[], "en"),
        }
    }

    fn has(&self, capture: &Capture) -> bool {
        match self {
            SimTargets::Matching(scope) => scope.check(&capture.url).is_ok(),
            SimTargets::Kept => derive(capture).reason == Reason::Kept,
            SimTargets::Keywords(keywords) => {
                derive(capture).document.is_some_and(|document| mentions(&document, keywords))
            }
        }
    }
}

fn mentions(document: &Document, keywords: &[String]) -> bool {
    let text = folded(&format!("{}\n{}", document.title, document.text));
    keywords.iter().any(|keyword| text.contains(keyword.as_str()))
}

/// The words of a text with a space on each side, so that a phrase is found as whole words.
fn folded(text: &str) -> String {
    let mut words = String::from(" ");
    for token in tokens(text) {
        words.push_str(&fold(token.text));
        words.push(' ');
    }
    words
}

/// The web that a collection has captured. Of several captures of a URL the last one counts. A spider
/// starts at the seeds; where none was captured, at what was captured first.
///
/// # Errors
/// When the captures cannot be read; a damaged one is passed over.
pub fn collection(
    collection: &View,
    seeds: &[Url],
    targets: &SimTargets,
    mut observe: impl FnMut(u64),
) -> anyhow::Result<Recorded> {
    let readers = Readers::new(targets.subject());
    let mut recording = Recording::default();
    let mut starts: Vec<u64> = Vec::new();
    let mut first = None;
    for (read, record) in collection.captures.from(Spot::START).enumerate() {
        observe(read as u64);
        let capture = match record {
            Ok((_, capture)) => capture,
            Err(StoreError::Damaged { .. }) => continue,
            Err(error) => return Err(error).context("cannot read the captures"),
        };
        let key = capture.url.id().0;
        first.get_or_insert(key);
        let is_target = targets.has(&capture);
        recording.page(key, is_target);
        recording.set_links(key, links(&readers, &capture, is_target));
    }
    let captured = |key: &u64| recording.has(*key);
    starts.extend(seeds.iter().map(|seed| seed.id().0).filter(captured));
    if starts.is_empty() {
        starts.extend(first);
    }
    let name = collection.root().file_name().unwrap_or_default().to_string_lossy();
    Ok(recording.finish(name.into_owned(), &starts))
}

/// The links of a capture; a redirect is one without words.
fn links(readers: &Readers, capture: &Capture, is_target: bool) -> Vec<(u64, Vec<u32>)> {
    if (300..400).contains(&capture.status) {
        let to = capture.header("location").and_then(|to| capture.url.join(to).ok());
        return to.into_iter().map(|to| (to.id().0, Vec::new())).collect();
    }
    recording::links(readers, (capture, is_target), |link| Some(link.url.id().0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_found_as_whole_words_and_phrases() {
        let check = |keyword: &str, is_found: bool| {
            let keyword = folded(keyword);
            assert_eq!(
                folded("A Tidal Turbine, turning.").contains(&keyword),
                is_found,
                "{keyword}"
            );
        };
        check("tidal turbine", true);
        check("TURNING", true);
        check("turn", false);
        check("turbine tidal", false);
    }

    #[test]
    fn a_pattern_without_a_slash_is_about_the_last_part() {
        let targets = SimTargets::matching(&["*.pdf".to_owned()]).unwrap();
        let check = |url: &str, is_target: bool| {
            let capture = Capture {
                url: Url::parse(url).unwrap(),
                time: 0,
                status: 200,
                headers: Vec::new(),
                payload: Vec::new(),
                truncated: None,
            };
            assert_eq!(targets.has(&capture), is_target, "{url}");
        };
        check("http://a.test/x/y.pdf", true);
        check("http://a.test/y.pdf", true);
        check("http://a.test/y.pdf/z", false);
    }
}
