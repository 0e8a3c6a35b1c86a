//! Kinds of queries (001 "user needs"; Broder 2002): informational, navigational, transactional. A
//! guess by stated rules, in this order:
//!
//! 1. navigational: the query is the name of a host or domain among its results, or its words run
//!    together are the first label of such a domain; or of at least three clicks four of five went
//!    to one page, or to one host while others were shown;
//! 2. transactional: a word of `data/transactional.txt` is in it;
//! 3. else informational.
//!
//! The sources call the borders grey; people should look over the guesses of what they judge.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// Clicks from which their concentration says something.
const ENOUGH_CLICKS: u64 = 3;

/// What somebody wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NeedKind {
    /// To learn about something.
    #[default]
    Informational,
    /// To go to a certain page.
    Navigational,
    /// To do something on the web.
    Transactional,
}

impl NeedKind {
    /// Its name, as files and people spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NeedKind::Informational => "informational",
            NeedKind::Navigational => "navigational",
            NeedKind::Transactional => "transactional",
        }
    }
}

impl fmt::Display for NeedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every kind.
pub const KINDS: [NeedKind; 3] =
    [NeedKind::Informational, NeedKind::Navigational, NeedKind::Transactional];

impl FromStr for NeedKind {
    type Err = String;

    fn from_str(name: &str) -> Result<NeedKind, String> {
        let named = KINDS.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
        let known = KINDS.map(NeedKind::name).join(", ");
        named.ok_or_else(|| format!("{name:?} is no kind of query ({known})"))
    }
}

/// What is known of a query's use.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Hosts of the results shown, each with its registrable domain.
    pub sites: BTreeSet<(String, String)>,
    /// Clicks by page.
    pub pages: BTreeMap<String, u64>,
    /// Clicks by host.
    pub hosts: BTreeMap<String, u64>,
}

/// The kind of a query, and by what it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuessedNeed {
    pub kind: NeedKind,
    pub why: String,
}

/// Guesses the kind of a query, given in lower case.
#[must_use]
pub fn guess(query: &str, evidence: &Evidence) -> GuessedNeed {
    let of = |kind, why| GuessedNeed { kind, why };
    if let Some(site) = named(query, &evidence.sites) {
        return of(NeedKind::Navigational, format!("names {site}"));
    }
    let hosts = if evidence.sites.len() > 1 { Some(&evidence.hosts) } else { None };
    for clicks in std::iter::once(&evidence.pages).chain(hosts) {
        if let Some(reason) = concentrated(clicks) {
            return of(NeedKind::Navigational, reason);
        }
    }
    match query.split_whitespace().find(|word| transactional(word)) {
        Some(word) => of(NeedKind::Transactional, format!("has {word:?}")),
        None => of(NeedKind::Informational, String::new()),
    }
}

fn named<'a>(query: &str, sites: &'a BTreeSet<(String, String)>) -> Option<&'a str> {
    let typed = query.trim_start_matches("https://").trim_start_matches("http://");
    let typed = typed.trim_end_matches('/').trim_start_matches("www.");
    let squeezed: String = query.split_whitespace().collect();
    let is_named = |(host, domain): &&(String, String)| {
        let label = domain.split('.').next().unwrap_or_default();
        typed == host.trim_start_matches("www.")
            || typed == domain
            || (squeezed == label && !label.is_empty())
    };
    sites.iter().find(is_named).map(|(host, _)| host.as_str())
}

/// Says which place has four fifths of the clicks, if one has and there are enough of them.
fn concentrated(clicks: &BTreeMap<String, u64>) -> Option<String> {
    let all: u64 = clicks.values().sum();
    let (place, &part) = clicks.iter().max_by_key(|(_, count)| **count)?;
    let is_most = all >= ENOUGH_CLICKS && part * 5 >= all * 4;
    is_most.then(|| format!("{part} of {all} clicks on {place}"))
}

fn transactional(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let words = include_str!("../data/transactional.txt").lines();
    words.filter(|line| !line.starts_with('#')).any(|line| line == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(pages: &[(&str, u64)]) -> Evidence {
        let sites = [("www.united.test", "united.test"), ("b.hub.test", "hub.test")];
        let own = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
        let mut evidence =
            Evidence { sites: sites.map(own).into_iter().collect(), ..Evidence::default() };
        for (page, clicks) in pages {
            let host = page.split('/').next().unwrap_or_default();
            evidence.pages.insert((*page).to_owned(), *clicks);
            *evidence.hosts.entry(host.to_owned()).or_default() += clicks;
        }
        evidence
    }

    #[test]
    fn kinds_are_guessed_by_names_clicks_and_words() {
        let check = |query: &str, pages: &[(&str, u64)], kind: NeedKind, why: &str| {
            let expected = GuessedNeed { kind, why: why.to_owned() };
            assert_eq!(guess(query, &evidence(pages)), expected, "{query}");
        };
        check("low hemoglobin", &[], NeedKind::Informational, "");
        check("united", &[], NeedKind::Navigational, "names www.united.test");
        check("https://united.test/", &[], NeedKind::Navigational, "names www.united.test");
        check("b.hub.test", &[], NeedKind::Navigational, "names b.hub.test");
        check("united airlines", &[], NeedKind::Informational, "");
        let once = [("united.test/", 4), ("hub.test/x", 1)];
        check("united airlines", &once, NeedKind::Navigational, "4 of 5 clicks on united.test/");
        check("united airlines", &[("united.test/", 2)], NeedKind::Informational, "");
        let spread = [("united.test/a", 2), ("united.test/b", 2)];
        check("flights", &spread, NeedKind::Navigational, "4 of 4 clicks on united.test");
        check("tide tables, download", &[], NeedKind::Transactional, "has \"download\"");
        check("seattle weather", &[], NeedKind::Transactional, "has \"weather\"");
        check("mars surface images", &[], NeedKind::Transactional, "has \"images\"");
        check("# words", &[], NeedKind::Informational, "");
    }

    #[test]
    fn kinds_are_read_by_their_names() {
        for kind in KINDS {
            assert_eq!(kind.to_string().to_uppercase().parse(), Ok(kind));
        }
        assert!("casual".parse::<NeedKind>().unwrap_err().contains("navigational"));
    }

    #[test]
    fn clicks_on_the_only_host_say_nothing() {
        let mut one = evidence(&[("a.test/1", 2), ("a.test/2", 2)]);
        one.sites.clear();
        assert_eq!(guess("eels", &one).kind, NeedKind::Informational);
    }
}
