//! What is known of each host and of its two sides, and its rows in the ledger.

use super::rules::{Bound, SideName, SideRules};
use super::standing::SideStanding;
use super::whereabouts::Whereabouts;
use crate::crawl::cell::CrawlCell;
use crate::frontier::HostId;
use crate::politeness::believed;
use fyke_store::{HostRow, RobotsCopy, StoreError};
use fyke_web::Url;

/// A host's number, whichever of its sides is meant: they count up from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::crawl) struct HostNumber(pub(in crate::crawl) usize);

/// One host in this run: what its two sides share.
#[derive(Debug)]
pub(super) struct Host {
    /// Without the robots.txt, which stays in the ledger.
    pub(super) row: HostRow,
    /// Crawl-delays without TLS and with it.
    delays: [u64; 2],
    /// The side that was met first.
    pub(super) first: HostId,
    /// It was looked whether made-up paths were asked for.
    is_probed: bool,
}

/// One side of a host in this run, with TLS or without. What goes wrong with one says nothing of the other.
#[derive(Debug)]
pub(super) struct HostSide {
    pub(super) host: HostNumber,
    pub(super) is_secure: bool,
    pub(super) standing: SideStanding,
    pub(super) rules: SideRules,
    pub(super) whereabouts: Whereabouts,
}

/// A side of a host that was met for the first time in this run.
#[derive(Debug)]
pub(in crate::crawl) struct Met {
    pub(in crate::crawl) host: HostId,
    pub(in crate::crawl) number: HostNumber,
    /// Pages of the host over the collection's life.
    pub(in crate::crawl) pages: u64,
    /// The sitemaps that its robots.txt names, as the ledger has it.
    pub(in crate::crawl) sitemaps: Vec<Url>,
}

/// A host's rows as earlier runs left them.
pub(super) struct EarlierHost {
    pub(super) row: HostRow,
    /// Without TLS and with it.
    pub(super) sides: [HostRow; 2],
}

/// A side that is new in this run.
#[derive(Clone, Copy)]
pub(super) struct NewSide {
    pub(super) is_secure: bool,
    /// The other side of its host, if that was met before.
    pub(super) sister: Option<HostId>,
    /// The rules that an earlier run left, without TLS and with it.
    pub(super) bounds: [Option<Bound>; 2],
}

impl EarlierHost {
    /// The robots.txt files, without TLS and with it: nothing else keeps them.
    pub(super) fn take_robots(&mut self) -> [Option<RobotsCopy>; 2] {
        [self.row.robots.take(), self.sides[1].robots.take()]
    }
}

impl Host {
    /// The Crawl-delay in milliseconds: of two of one host the longer one binds both sides.
    pub(super) fn delay(&self) -> u64 {
        self.delays[0].max(self.delays[1])
    }

    /// Nothing is asked of it before then, in later runs neither.
    pub(super) fn promise(&mut self, until: u64) {
        let until = i64::try_from(until).unwrap_or(i64::MAX);
        self.row.not_before = self.row.not_before.max(until);
    }

    /// The Crawl-delay that it waits for, in words; empty where the gap is longer.
    pub(super) fn delay_in_words(&self, floor: u64) -> String {
        let delay = self.delay();
        match delay > floor + 1 {
            true => format!("Crawl-delay: {} s", (delay - 1) as f64 / 1000.0),
            false => String::new(),
        }
    }

    /// Whether it has given so many pages, and nobody asked that before in this run.
    pub(super) fn has_now_given(&mut self, pages: u64) -> bool {
        let is_time = self.row.pages >= pages && !self.is_probed;
        self.is_probed |= is_time;
        is_time
    }
}

/// The hosts of one thread.
pub(super) struct HostTable<'a> {
    cell: &'a CrawlCell<'a>,
    /// By number.
    pub(super) hosts: Vec<Host>,
    /// By number in the frontier.
    pub(super) sides: Vec<HostSide>,
}

impl<'a> HostTable<'a> {
    pub(super) fn new(cell: &'a CrawlCell<'a>) -> HostTable<'a> {
        HostTable { cell, hosts: Vec::new(), sides: Vec::new() }
    }

    pub(super) fn side(&self, side: HostId) -> &HostSide {
        &self.sides[side.index()]
    }

    pub(super) fn side_mut(&mut self, side: HostId) -> &mut HostSide {
        &mut self.sides[side.index()]
    }

    pub(super) fn host(&self, side: HostId) -> &Host {
        &self.hosts[self.side(side).host.0]
    }

    pub(super) fn host_mut(&mut self, side: HostId) -> &mut Host {
        let number = self.side(side).host;
        &mut self.hosts[number.0]
    }

    /// Every side with its number.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (HostId, &HostSide)> {
        self.sides.iter().enumerate().map(|(number, side)| (HostId(number as u32), side))
    }

    /// These rules bind a side; their Crawl-delay binds its host, which is returned.
    pub(super) fn bind(&mut self, side: HostId, bound: Bound) -> &mut Host {
        let of = self.side_mut(side);
        of.rules.bound = Some(bound);
        let is_secure = of.is_secure;
        let host = self.host_mut(side);
        host.delays[usize::from(is_secure)] = bound.delay;
        host
    }

    /// Enters the next side of the frontier; its host, too, when this is its first side.
    pub(super) fn enter(
        &mut self,
        new: NewSide,
        side: HostId,
        earlier: EarlierHost,
        now: u64,
    ) -> HostNumber {
        let NewSide { is_secure, sister, bounds } = new;
        let EarlierHost { mut row, sides: [plain, secure] } = earlier;
        row.not_before = believed(row.not_before, now);
        let trouble = if is_secure { secure } else { plain };
        let standing = SideStanding::of_earlier(trouble, std::mem::take(&mut row.failures), now);
        let next = HostNumber(self.hosts.len());
        let host = sister.map_or(next, |sister| self.side(sister).host);
        if sister.is_none() {
            let delays = bounds.map(|bound| bound.map_or(0, |bound| bound.delay));
            self.hosts.push(Host { row, delays, first: side, is_probed: false });
        }
        let bound = bounds[usize::from(is_secure)];
        let rules = SideRules { bound, ..SideRules::default() };
        let whereabouts = Whereabouts::default();
        self.sides.push(HostSide { host, is_secure, standing, rules, whereabouts });
        host
    }

    /// What earlier runs knew of a host.
    pub(super) fn earlier(&self, authority: &str) -> Result<EarlierHost, StoreError> {
        let ledger = self.cell.ledger();
        let side = |is_secure| match self.cell.is_resumed {
            true => Ok(ledger.side(authority, is_secure)?.unwrap_or_default()),
            false => Ok(HostRow::default()),
        };
        let row = ledger.host(authority)?.unwrap_or_default();
        Ok(EarlierHost { row, sides: [side(false)?, side(true)?] })
    }

    /// Writes what is known of the host of a side.
    pub(super) fn put(&self, authority: &str, side: HostId, now: u64) -> Result<(), StoreError> {
        self.cell.touch(now);
        self.cell.ledger().put_host(authority, &self.host(side).row)
    }

    /// Writes the trouble of a side.
    pub(super) fn put_side(
        &self,
        authority: &str,
        side: HostId,
        now: u64,
    ) -> Result<(), StoreError> {
        self.cell.touch(now);
        let HostSide { is_secure, standing, .. } = self.side(side);
        self.cell.ledger().put_side(authority, *is_secure, &standing.trouble)
    }

    /// Writes a side's robots.txt. It stays in the ledger; a million of them would fill the memory.
    pub(super) fn put_robots(
        &self,
        name: SideName<'_>,
        side: HostId,
        copy: RobotsCopy,
    ) -> Result<(), StoreError> {
        let robots = Some(copy);
        match name.is_secure {
            true => {
                let row = HostRow { robots, ..self.side(side).standing.trouble.clone() };
                self.cell.ledger().put_side(name.authority, true, &row)
            }
            false => {
                let row = HostRow { robots, ..self.host(side).row.clone() };
                self.cell.ledger().put_host(name.authority, &row)
            }
        }
    }
}
