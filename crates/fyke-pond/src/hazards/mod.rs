//! Every hazard of the sources (000 "Is it crawling hard", "robots.txt"; 003 §3), each a row of
//! [`HAZARDS`] on hosts of its own, each switchable by name.
//!
//! A hazard is one file here and two lines below. A row's `what` says what it is and what a good
//! crawler does; the judge counts by the row's own knowledge, never by code of a crawler.

mod addresses;
mod amp;
mod binary;
mod bomb;
mod calendar;
mod canonical;
pub mod changing;
mod copies;
mod disallowed;
mod fed;
mod growing;
mod huge;
mod lengths;
mod malformed;
mod opt_outs;
mod permutations;
pub mod prose;
mod redirects;
mod retry;
mod robots_txt;
mod sessions;
pub mod sitemapped;
mod slow;
mod soft404;
pub mod spam;

use crate::robots::{OPEN, PondRobots};
use crate::truth::{Alias, Copied};
use crate::{Answer, Ask, Pond};
use std::borrow::Cow;

pub use bomb::gzip;

/// One hazard.
#[derive(Clone, Copy, Debug)]
pub struct Hazard {
    pub name: &'static str,
    /// Hosts that are wholly its own. None: a section of other hosts, or unknown names.
    pub hosts: &'static [&'static str],
    /// What it is and what a good crawler does, in a sentence or two.
    pub what: &'static str,
    /// The answer, or nothing where the row does not claim this path.
    pub answer: fn(&Pond, &Ask) -> Option<Answer>,
    /// URLs and anchor texts by which other sites lead here.
    pub links: &'static [(&'static str, &'static str)],
    pub rules: PondRobots,
    /// The page behind a path: paths with the same identity are one page to the judge.
    pub identity: fn(&str) -> Cow<'_, str>,
    /// Whether a path is linked to only by links that ask not to be followed.
    pub nofollow: fn(&str) -> bool,
    /// Copies that the truth must know.
    pub copies: fn(&Pond) -> Vec<Copied>,
    /// Other URLs of the same page.
    pub aliases: fn(&Pond) -> Vec<Alias>,
}

/// What most rows have in common; `name`, `what` and `answer` are always given.
const PLAIN: Hazard = Hazard {
    name: "",
    hosts: &[],
    what: "",
    answer: |_, _| None,
    links: &[],
    rules: OPEN,
    identity: |path| Cow::Borrowed(path),
    nofollow: |_| false,
    copies: |_| Vec::new(),
    aliases: |_| Vec::new(),
};

/// All hazards.
pub const HAZARDS: &[Hazard] = &[
    disallowed::ROW,
    robots_txt::GROUPS,
    robots_txt::WILDCARDS,
    robots_txt::LONGEST,
    robots_txt::DELAY,
    robots_txt::ABSENT,
    robots_txt::UNAVAILABLE,
    robots_txt::MOVED,
    robots_txt::HTML,
    robots_txt::HUGE,
    robots_txt::UNTIDY,
    retry::SECONDS,
    retry::DATE,
    slow::DRIP,
    slow::ENDLESS,
    bomb::ROW,
    lengths::ROW,
    redirects::CHAINS,
    redirects::PRIVATE,
    soft404::ROW,
    sessions::ROW,
    calendar::ROW,
    growing::ROW,
    amp::ROW,
    permutations::ROW,
    copies::MIRRORS,
    copies::EXACT,
    copies::NEAR,
    canonical::ROW,
    changing::ROW,
    opt_outs::META,
    opt_outs::HEADER,
    opt_outs::NOFOLLOW,
    sitemapped::ROW,
    fed::ROW,
    malformed::ROW,
    huge::PAGE,
    huge::HEADERS,
    binary::ROW,
    addresses::SHARED,
    addresses::UNRESOLVED,
    addresses::REFUSED,
    addresses::CLOSES,
];

/// Switches by hazard name; all on by default.
#[derive(Clone, Debug, Default)]
pub struct Hazards {
    off: Vec<String>,
}

impl Hazards {
    /// All off: ordinary sites only.
    pub fn none() -> Hazards {
        Hazards { off: HAZARDS.iter().map(|row| row.name.to_owned()).collect() }
    }

    /// All on but these.
    pub fn without(names: &[&str]) -> Hazards {
        Hazards { off: names.iter().map(|&name| name.to_owned()).collect() }
    }

    pub fn has(&self, name: &str) -> bool {
        !self.off.iter().any(|off| off == name)
    }
}

/// All rows that are switched on.
pub fn rows(pond: &Pond) -> impl Iterator<Item = &'static Hazard> {
    HAZARDS.iter().filter(|row| pond.hazards.has(row.name))
}

/// The row that owns this host.
pub fn row(pond: &Pond, host: &str) -> Option<&'static Hazard> {
    let mut owners = HAZARDS.iter().filter(|row| row.hosts.contains(&host));
    owners.next().filter(|row| pond.hazards.has(row.name))
}

/// Host names of all rows that are switched on.
pub fn hosts(pond: &Pond) -> Vec<String> {
    rows(pond).flat_map(|row| row.hosts).map(|&host| host.to_owned()).collect()
}

/// The answer of the row that claims this host or section.
pub fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    match row(pond, ask.host) {
        Some(row) => (row.answer)(pond, ask),
        None if pond.hazards.has(disallowed::ROW.name) => (disallowed::ROW.answer)(pond, ask),
        None => None,
    }
}

/// URLs and anchor texts that directory.test and some ordinary pages show.
pub fn links(pond: &Pond) -> Vec<(String, String)> {
    rows(pond)
        .flat_map(|row| row.links)
        .map(|&(url, anchor)| (url.to_owned(), anchor.to_owned()))
        .collect()
}

/// Mirrors, exact copies and near-copies.
pub fn copies(pond: &Pond) -> Vec<Copied> {
    rows(pond).flat_map(|row| (row.copies)(pond)).collect()
}

/// URL → canonical URL.
pub fn aliases(pond: &Pond) -> Vec<Alias> {
    rows(pond).flat_map(|row| (row.aliases)(pond)).collect()
}

/// Whether the name resolves to an address where nobody listens.
pub fn is_refused(host: &str) -> bool {
    addresses::REFUSED.hosts.contains(&host)
}

/// Whether the host shares its address with others on purpose: the first of them.
pub(crate) fn shares_address_with(host: &str) -> Option<&'static str> {
    addresses::SHARED.hosts.contains(&host).then(|| addresses::SHARED.hosts[0])
}
