//! Scope: which URLs a crawl may go to (000 "Filters and robots.txt": filters are regular expressions
//! for URLs to be crawled or not).

use fyke_derive::UrlFate;
use fyke_store::Reason;
use fyke_web::{Url, UrlId};
use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use xxhash_rust::xxh3::xxh3_64;

/// What the seeds stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The seeds' hosts ("www." or not).
    #[default]
    Site,
    /// The seeds' registrable domains.
    Domain,
    /// The seeds' hosts, under the paths of the seeds.
    Path,
    /// The seeds themselves; `allow` may add to them.
    List,
    /// Wherever the subject leads; with `allow`, only there and on the seeds' hosts.
    Focused,
}

/// Scope as configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeOptions {
    pub mode: Mode,
    /// Patterns over `host/path?query` that are in scope beside what the mode admits: globs (`*` stays
    /// within a segment, `**` crosses), or `re:` and a regular expression.
    pub allow: Vec<String>,
    /// Patterns that are never in scope.
    pub deny: Vec<String>,
    /// Links from a seed at most.
    pub depth: u16,
}

impl Default for ScopeOptions {
    fn default() -> ScopeOptions {
        ScopeOptions { mode: Mode::Site, allow: Vec::new(), deny: Vec::new(), depth: 32 }
    }
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scope pattern {pattern:?} cannot be read: {what}")]
pub struct ScopeError {
    pub pattern: String,
    pub what: String,
}

/// A pattern of the scope that matched no URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedPattern {
    /// `allow` or `deny`.
    pub list: &'static str,
    pub pattern: String,
}

/// Scope made ready.
#[derive(Debug)]
pub struct Scope {
    mode: Mode,
    admitted: BTreeSet<String>,
    allow: Vec<ScopePattern>,
    deny: Vec<ScopePattern>,
    depth: u16,
    followed: RwLock<FollowedSeeds>,
}

/// A seed, or what one leads to, whose redirect took the scope to another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRedirect {
    pub from: String,
    pub to: String,
}

/// Where the seeds lead.
#[derive(Debug, Default)]
struct FollowedSeeds {
    /// Seeds and the URLs they redirect to.
    ids: HashSet<UrlId>,
    /// What the scope admits because of them.
    admitted: BTreeSet<String>,
    redirects: Vec<SeedRedirect>,
}

#[derive(Debug)]
pub(crate) struct ScopePattern {
    text: String,
    matcher: Matcher,
    /// It has matched a URL.
    has_matched: AtomicBool,
}

/// By which rule a URL is in scope or not, whatever its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeRule<'a> {
    /// What the mode makes of the seeds.
    Seeds(Mode),
    /// A seed redirects there.
    SeedRedirect,
    Allow(&'a str),
    /// The subject may lead anywhere.
    Anywhere,
    Deny(&'a str),
    /// The host of a seed, but outside its path.
    OutsidePath,
    OutsideHost,
}

impl ScopeRule<'_> {
    /// Whether it admits the URL.
    #[must_use]
    pub fn admits(self) -> bool {
        !matches!(self, ScopeRule::Deny(_) | ScopeRule::OutsidePath | ScopeRule::OutsideHost)
    }
}

impl fmt::Display for ScopeRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScopeRule::Seeds(Mode::Site | Mode::Focused) => f.write_str("in: its host is that of a seed"),
            ScopeRule::Seeds(Mode::Domain) => f.write_str("in: its domain is that of a seed"),
            ScopeRule::Seeds(Mode::Path) => f.write_str("in: it lies under the path of a seed"),
            ScopeRule::Seeds(Mode::List) => f.write_str("in: it is a seed"),
            ScopeRule::SeedRedirect => f.write_str("in: a seed redirects there"),
            ScopeRule::Allow(pattern) => write!(f, "in: scope.allow {pattern:?} matches"),
            ScopeRule::Anywhere => f.write_str("in: the subject may lead to any host"),
            ScopeRule::Deny(pattern) => write!(f, "out: scope.deny {pattern:?} matches"),
            ScopeRule::OutsidePath => {
                f.write_str("out: it lies outside the paths of the seeds, and no pattern of scope.allow matches")
            }
            ScopeRule::OutsideHost => {
                f.write_str("out: the seeds do not cover it, and no pattern of scope.allow matches")
            }
        }
    }
}

#[derive(Debug)]
enum Matcher {
    Glob(GlobMatcher),
    Regex(Regex),
}

impl Scope {
    /// # Errors
    /// When a pattern cannot be read.
    pub fn new(options: &ScopeOptions, seeds: &[Url]) -> Result<Scope, ScopeError> {
        let patterns = |texts: &[String]| -> Result<Vec<ScopePattern>, ScopeError> {
            texts.iter().map(|text| ScopePattern::new(text)).collect()
        };
        Ok(Scope {
            mode: options.mode,
            admitted: seeds.iter().map(|seed| key(options.mode, seed).into_owned()).collect(),
            allow: patterns(&options.allow)?,
            deny: patterns(&options.deny)?,
            depth: options.depth,
            followed: RwLock::new(FollowedSeeds {
                ids: seeds.iter().map(Url::id).collect(),
                ..FollowedSeeds::default()
            }),
        })
    }

    /// Takes note of a redirect: where a seed leads out of the scope, its target joins it. A list stays what it is,
    /// and what is denied stays denied.
    pub fn follow(&self, from: &Url, to: &Url) {
        if self.mode == Mode::List || !self.followed().ids.contains(&from.id()) {
            return;
        }
        let is_outside = matches!(self.rule(to), ScopeRule::OutsideHost | ScopeRule::OutsidePath);
        let mut followed = self.followed.write().unwrap_or_else(PoisonError::into_inner);
        followed.ids.insert(to.id());
        if is_outside && followed.admitted.insert(key(self.mode, to).into_owned()) {
            let (from, to) = (from.as_str().to_owned(), to.as_str().to_owned());
            followed.redirects.push(SeedRedirect { from, to });
        }
    }

    /// The redirects of seeds that took the scope to other hosts.
    #[must_use]
    pub fn seed_redirects(&self) -> Vec<SeedRedirect> {
        self.followed().redirects.clone()
    }

    fn followed(&self) -> RwLockReadGuard<'_, FollowedSeeds> {
        self.followed.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the URL is in scope at any depth; the reason and what it rests on where it is not.
    ///
    /// # Errors
    /// `ScopePath` with the pattern that denies it, `ScopeHost`.
    pub fn check(&self, url: &Url) -> Result<(), UrlFate> {
        let out = |reason, detail| Err(UrlFate { reason, detail });
        match self.rule(url) {
            ScopeRule::Deny(pattern) => out(Reason::ScopePath, format!("deny {pattern}")),
            ScopeRule::OutsidePath => {
                out(Reason::ScopePath, "outside the paths of the seeds".to_owned())
            }
            ScopeRule::OutsideHost => out(Reason::ScopeHost, url.authority().to_owned()),
            _ => Ok(()),
        }
    }

    /// Whether the seeds, or where they lead, stand for the host of this URL, so that all of it is worth finding.
    #[must_use]
    pub fn is_host_of_seed(&self, url: &Url) -> bool {
        let host = match self.mode {
            Mode::List | Mode::Focused => return false,
            Mode::Domain => url.registrable_domain(),
            Mode::Site | Mode::Path => site(url),
        };
        let is_host = |seed: &String| seed.split('/').next() == Some(host);
        self.admitted.iter().any(is_host) || self.followed().admitted.iter().any(is_host)
    }

    /// The rule that decides on a URL.
    #[must_use]
    pub fn rule(&self, url: &Url) -> ScopeRule<'_> {
        // `host/path?query` as it stands in the URL.
        let text = &url.as_str()[url.scheme().len() + "://".len()..];
        if let Some(pattern) = self.deny.iter().find(|p| p.is_match(text)) {
            return ScopeRule::Deny(&pattern.text);
        }
        let key = match self.mode {
            Mode::Path => under(url).into(),
            mode => key(mode, url),
        };
        if self.covers(&self.admitted, &key) {
            return ScopeRule::Seeds(self.mode);
        }
        if let Some(pattern) = self.allow.iter().find(|p| p.is_match(text)) {
            return ScopeRule::Allow(&pattern.text);
        }
        if self.mode == Mode::Focused && self.allow.is_empty() {
            return ScopeRule::Anywhere;
        }
        if self.covers(&self.followed().admitted, &key) {
            return ScopeRule::SeedRedirect;
        }
        match self.mode == Mode::Path && self.is_host_of_seed(url) {
            true => ScopeRule::OutsidePath,
            false => ScopeRule::OutsideHost,
        }
    }

    fn covers(&self, admitted: &BTreeSet<String>, key: &str) -> bool {
        match self.mode {
            Mode::Path => admitted.iter().any(|seed| key.starts_with(seed.as_str())),
            _ => admitted.contains(key),
        }
    }

    /// The patterns of `allow` and `deny` that matched no URL so far.
    #[must_use]
    pub fn unmatched(&self) -> Vec<UnmatchedPattern> {
        let lists = [("allow", &self.allow), ("deny", &self.deny)];
        let rows =
            lists.into_iter().flat_map(|(list, rows)| rows.iter().map(move |row| (list, row)));
        let unmatched = rows.filter(|(_, row)| !row.has_matched.load(Relaxed));
        unmatched.map(|(list, row)| UnmatchedPattern { list, pattern: row.text.clone() }).collect()
    }

    /// The same for the same scope, in a few letters.
    #[must_use]
    pub fn digest(&self) -> String {
        let texts = |patterns: &[ScopePattern]| -> Vec<String> {
            patterns.iter().map(|pattern| pattern.text.clone()).collect()
        };
        let parts = (self.mode, &self.admitted, texts(&self.allow), texts(&self.deny), self.depth);
        let followed = self.followed();
        let more = match followed.admitted.is_empty() {
            true => String::new(),
            false => format!("{:?}", followed.admitted),
        };
        let text = format!("{parts:?}{more}{}", crate::trap::EDITION);
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }

    /// Whether so many links from a seed are in scope.
    #[must_use]
    pub fn admits_depth(&self, depth: u16) -> bool {
        depth <= self.depth
    }
}

/// The host, "www." or not.
fn site(url: &Url) -> &str {
    url.host().strip_prefix("www.").unwrap_or(url.host())
}

/// What a seed of this path stands for: the folder of a file (`/docs/index.html`), or else all that lies under it
/// (`/docs`); with a slash at its end.
fn folder(path: &str) -> String {
    let (folder, last) = path.rsplit_once('/').unwrap_or(("", path));
    match last {
        "" => path.to_owned(),
        file if file.contains('.') => format!("{folder}/"),
        _ => format!("{path}/"),
    }
}

/// Where a URL lies, to be compared with what seeds stand for.
fn under(url: &Url) -> String {
    [site(url), url.path(), "/"].concat()
}

fn key(mode: Mode, url: &Url) -> Cow<'_, str> {
    match mode {
        Mode::Site | Mode::Focused => site(url).into(),
        Mode::Path => (site(url).to_owned() + &folder(url.path())).into(),
        Mode::Domain => url.registrable_domain().into(),
        Mode::List => url.normal().into(),
    }
}

impl ScopePattern {
    pub(crate) fn new(text: &str) -> Result<ScopePattern, ScopeError> {
        let error = |what: String| ScopeError { pattern: text.to_owned(), what };
        let matcher = match text.strip_prefix("re:") {
            Some(regex) => Matcher::Regex(Regex::new(regex).map_err(|e| error(e.to_string()))?),
            None => Matcher::Glob(
                GlobBuilder::new(text)
                    .literal_separator(true)
                    .build()
                    .map_err(|e| error(e.kind().to_string()))?
                    .compile_matcher(),
            ),
        };
        Ok(ScopePattern { text: text.to_owned(), matcher, has_matched: AtomicBool::new(false) })
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        let is_match = match &self.matcher {
            Matcher::Glob(glob) => glob.is_match(text),
            Matcher::Regex(regex) => regex.is_match(text),
        };
        if is_match && !self.has_matched.load(Relaxed) {
            self.has_matched.store(true, Relaxed);
        }
        is_match
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mode: Mode, allow: &[&str], deny: &[&str], rows: &[(&str, Option<Reason>)]) {
        let own = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect();
        let options = ScopeOptions { mode, allow: own(allow), deny: own(deny), depth: 3 };
        let seeds = [Url::parse("http://www.a.co.uk/start").expect("a URL")];
        let scope = Scope::new(&options, &seeds).expect("patterns");
        for (url, reason) in rows {
            let found = scope.check(&Url::parse(url).expect("a URL")).err().map(|out| out.reason);
            assert_eq!(found, *reason, "{url}");
        }
        assert!(scope.admits_depth(3) && !scope.admits_depth(4));
    }

    #[test]
    fn each_mode_admits_what_its_seeds_stand_for() {
        let out = Some(Reason::ScopeHost);
        let site = [
            ("http://www.a.co.uk/x", None),
            ("https://a.co.uk/x", None),
            ("http://b.a.co.uk/", out),
            ("http://c.co.uk/", out),
        ];
        check(Mode::Site, &[], &[], &site);
        check(Mode::Domain, &[], &[], &[("http://b.a.co.uk/", None), ("http://c.co.uk/", out)]);
        let list = [("http://www.a.co.uk/start", None), ("http://www.a.co.uk/", out)];
        check(Mode::List, &[], &[], &list);
        let rows = [("http://c.co.uk/", None), ("http://c.fr/x", Some(Reason::ScopePath))];
        check(Mode::Focused, &[], &["*.fr/**"], &rows);
        let rows = [("http://a.co.uk/x", None), ("http://c.fr/", None), ("http://c.it/", out)];
        check(Mode::Focused, &["*.fr/**"], &[], &rows);
    }

    #[test]
    fn allow_adds_and_deny_wins() {
        let rows = [
            ("http://x.ac.uk/deep/er", None),
            ("http://x.ac.uk/", None),
            ("http://x.ac.fr/", Some(Reason::ScopeHost)),
            ("http://a.co.uk/calendar/2020", Some(Reason::ScopePath)),
            ("http://a.co.uk/x/calendar/", Some(Reason::ScopePath)),
            ("http://a.co.uk/x/calendars", None),
            ("http://x.ac.uk/p?print=1", Some(Reason::ScopePath)),
        ];
        check(Mode::Site, &["*.ac.uk/**"], &["**/calendar/**", "re:[?&]print="], &rows);
    }

    #[test]
    fn where_a_seed_redirects_to_joins_the_scope_and_other_redirects_do_not() {
        let url = |text: &str| Url::parse(text).expect("a URL");
        for (mode, joins, beside) in
            [(Mode::Site, true, false), (Mode::Domain, true, true), (Mode::List, false, false)]
        {
            let options =
                ScopeOptions { mode, deny: vec!["no.test/**".into()], ..Default::default() };
            let scope = Scope::new(&options, &[url("http://a.test/")]).expect("patterns");
            let before = scope.digest();
            scope.follow(&url("http://a.test/page"), &url("http://other.test/"));
            scope.follow(&url("http://a.test/"), &url("http://no.test/"));
            assert_eq!(scope.digest(), before);
            scope.follow(&url("http://a.test/"), &url("http://b.test/"));
            scope.follow(&url("http://b.test/"), &url("http://en.b.test/home"));
            assert_eq!(scope.check(&url("https://en.b.test/home")).is_ok(), joins, "{mode:?}");
            assert_eq!(scope.check(&url("http://fr.b.test/")).is_ok(), beside, "{mode:?}");
            assert!(scope.check(&url("http://other.test/")).is_err(), "{mode:?}");
            assert_eq!(scope.digest() != before, joins);
        }
    }

    #[test]
    fn a_seed_with_a_path_limits_to_it() {
        let url = |text: &str| Url::parse(text).expect("a URL");
        let check = |seed: &str, text: &str, expected: ScopeRule<'_>| {
            let allow = vec!["*/shared/**".to_owned()];
            let options = ScopeOptions { mode: Mode::Path, allow, ..Default::default() };
            let scope = Scope::new(&options, &[url(seed)]).expect("patterns");
            assert_eq!(scope.rule(&url(text)), expected, "{text} by {seed}");
        };
        let inside = ScopeRule::Seeds(Mode::Path);
        for seed in ["http://a.test/docs/", "http://a.test/docs", "http://a.test/docs/index.html"] {
            check(seed, "https://www.a.test/docs/x/y", inside);
            check(seed, "http://a.test/docs", inside);
            check(seed, "http://a.test/docs/?q", inside);
            check(seed, "http://a.test/docsy/", ScopeRule::OutsidePath);
            check(seed, "http://a.test/", ScopeRule::OutsidePath);
            check(seed, "http://b.test/docs/", ScopeRule::OutsideHost);
            check(seed, "http://b.test/shared/x", ScopeRule::Allow("*/shared/**"));
        }
        check("http://a.test/", "http://a.test/any", inside);
        check("http://a.test", "http://a.test/any", inside);
    }

    #[test]
    fn the_rule_that_decides_is_named_and_patterns_that_never_matched_too() {
        let own = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect();
        let allow = own(&["*.fr/**", "re:^https:"]);
        let options = ScopeOptions { allow, deny: own(&["**/x", "**/y"]), ..Default::default() };
        let url = |text: &str| Url::parse(text).expect("a URL");
        let scope = Scope::new(&options, &[url("http://a.test/")]).expect("patterns");
        let check = |text: &str, expected: &str| {
            assert_eq!(scope.rule(&url(text)).to_string(), expected, "{text}");
        };
        check("http://a.test/p", "in: its host is that of a seed");
        check("https://b.fr/p", "in: scope.allow \"*.fr/**\" matches");
        check("https://b.fr/p/x", "out: scope.deny \"**/x\" matches");
        check(
            "https://b.it/",
            "out: the seeds do not cover it, and no pattern of scope.allow matches",
        );
        let unmatched =
            |list, pattern: &str| UnmatchedPattern { list, pattern: pattern.to_owned() };
        let expected = [unmatched("allow", "re:^https:"), unmatched("deny", "**/y")];
        assert_eq!(scope.unmatched(), expected);
    }

    #[test]
    fn a_bad_pattern_is_named() {
        for bad in ["re:(", "a{b"] {
            let options = ScopeOptions { deny: vec![bad.to_owned()], ..Default::default() };
            assert_eq!(Scope::new(&options, &[]).expect_err("bad").pattern, bad);
        }
    }
}
