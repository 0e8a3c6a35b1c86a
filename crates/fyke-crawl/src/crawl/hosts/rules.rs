//! robots.txt and the sitemaps it names (000 "Robots.txt", RFC 9309): the rules that bind one side of a host, for 24
//! hours, across restarts too. The texts stay in the ledger; the library keeps as many ready as find room.

use super::library::Library;
use crate::crawl::cell::CrawlCell;
use crate::crawl::millis;
use fyke_store::{RobotsCopy, StoreError};
use fyke_web::robots::RobotsVerdict;
use fyke_web::{Robots, RobotsStatus, Url};
use std::sync::Arc;

/// How long a robots.txt binds, in milliseconds.
pub(super) const FRESH: u64 = 24 * 3_600_000;
/// How long the last good copy of one that cannot be had binds before it is asked for again.
pub(super) const STALE: u64 = 3_600_000;

/// The rules of a robots.txt: what the library has them under, until when they bind, and the Crawl-delay
/// in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    key: u64,
    until: u64,
    pub(super) delay: u64,
}

impl Bound {
    fn new(key: u64, robots: &Robots, until: u64) -> Bound {
        // A day is taken for the most that anyone means. The clock counts whole milliseconds: one more is
        // never too early.
        let delay = robots.crawl_delay.map_or(0, |delay| millis(delay).min(24 * 3_600_000) + 1);
        Bound { key, until, delay }
    }
}

/// What one side of a host has for rules.
#[derive(Debug, Default)]
pub(super) struct SideRules {
    /// The rules that bind.
    pub(super) bound: Option<Bound>,
    /// Times robots.txt could not be had in this run.
    pub(super) tries: u32,
    /// The host where it is looked for meanwhile, if that is another.
    pub(super) elsewhere: Option<String>,
}

impl SideRules {
    /// The rules that bind now.
    pub(super) fn bound(&self, now: u64) -> Option<Bound> {
        self.bound.filter(|bound| bound.until > now)
    }
}

/// The answer to "may this URL be asked for now?".
#[derive(Debug, PartialEq, Eq)]
pub(in crate::crawl) enum Leave {
    Yes,
    /// Nothing more is asked of the host in this run.
    Closed,
    /// Its address has to be found first.
    Unresolved,
    /// Its robots.txt has to be asked for first.
    Unruled,
    /// By this rule of its robots.txt.
    Forbidden(String),
}

/// What comes after an answer about a robots.txt.
#[derive(Debug)]
pub(in crate::crawl) enum RulesNext {
    /// The rules are known; they name these sitemaps.
    Known(Vec<Url>),
    /// It has to be asked for there.
    Ask(Url),
    /// Nothing, for now.
    Wait,
}

/// The rule a URL is refused by, in words.
pub(super) fn in_words(verdict: &RobotsVerdict) -> String {
    match (&verdict.rule, verdict.line) {
        (Some(rule), Some(line)) => format!("{rule} (line {line})"),
        (Some(rule), None) => rule.clone(),
        (None, _) => String::new(),
    }
}

/// One side of a host, as the ledger knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideName<'n> {
    pub(super) authority: &'n str,
    pub(super) is_secure: bool,
}

/// The rules of all hosts of a thread: those that are kept ready, and those in the ledger.
pub(super) struct Rulebook<'a> {
    cell: &'a CrawlCell<'a>,
    library: Library,
}

impl<'a> Rulebook<'a> {
    pub(super) fn new(cell: &'a CrawlCell<'a>) -> Rulebook<'a> {
        Rulebook { cell, library: Library::default() }
    }

    /// The text came: its rules bind until then.
    pub(super) fn bind(&mut self, text: &[u8], until: u64) -> Bound {
        let (key, robots) = self.library.take_in(text);
        Bound::new(key, &robots, until)
    }

    /// The last good copy that the ledger has, to bind until then.
    pub(super) fn last_good(
        &mut self,
        side: SideName<'_>,
        until: u64,
    ) -> Result<Option<Bound>, StoreError> {
        let good = self.stored(side)?.and_then(|copy| self.good(&copy));
        Ok(good.map(|(key, robots)| Bound::new(key, &robots, until)))
    }

    /// The rules themselves.
    pub(super) fn rules(
        &mut self,
        side: SideName<'_>,
        bound: Bound,
    ) -> Result<Option<Arc<Robots>>, StoreError> {
        if let Some(robots) = self.library.get(bound.key) {
            return Ok(Some(robots));
        }
        let copy = self.stored(side)?;
        Ok(copy.and_then(|copy| self.good(&copy)).map(|(_, robots)| robots))
    }

    /// The robots.txt that the ledger has.
    pub(super) fn stored(&self, side: SideName<'_>) -> Result<Option<RobotsCopy>, StoreError> {
        match side.is_secure {
            true => self.cell.ledger().secure_robots(side.authority),
            false => Ok(self.cell.ledger().host(side.authority)?.and_then(|row| row.robots)),
        }
    }

    /// The rules of a robots.txt from the ledger, if it is still fresh and was an answer.
    pub(super) fn fresh(&mut self, copy: Option<RobotsCopy>, now: u64) -> Option<Bound> {
        let copy = copy?;
        // One from the future was fetched while the clock was wrong, nobody knows when.
        let until = u64::try_from(copy.fetched).unwrap_or(0).saturating_add(FRESH);
        let is_fresh = until > now && until <= now + 2 * FRESH;
        let (key, robots) = self.good(&copy).filter(|_| is_fresh)?;
        Some(Bound::new(key, &robots, until))
    }

    /// The rules in a copy, if it was an answer.
    fn good(&mut self, copy: &RobotsCopy) -> Option<(u64, Arc<Robots>)> {
        match RobotsStatus::of(copy.status) {
            RobotsStatus::Rules => Some(self.library.take_in(&copy.body)),
            RobotsStatus::Absent => Some(self.library.take_in(&[])),
            RobotsStatus::Unknown => None,
        }
    }

    /// The sitemaps that a robots.txt names which stands at this URL.
    pub(super) fn sitemaps(&mut self, bound: Option<Bound>, home: &Url) -> Vec<Url> {
        let robots = bound.and_then(|bound| self.library.get(bound.key));
        let resolve = |line: &String| home.join(line.trim()).ok();
        robots.map_or_else(Vec::new, |robots| robots.sitemaps.iter().filter_map(resolve).collect())
    }
}
