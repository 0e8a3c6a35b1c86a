//! What the URLs of a host have brought so far, and what may be concluded from it for those that wait (000
//! "Malicious pages": a crawler must survive spider traps). A trap is known by what it brings, not by how its URLs
//! look: a calendar of a thousand years is one when its pages say nothing new, an archive as old is none.
//!
//! Evidence is counted by shape of URL (`shapes`) and by what URLs of one page differ in (`dimensions`); what
//! counts as news is text that no page of the host had (`pieces`), and links to URLs that may bring some.
//! It is the owner's: what was found elsewhere is judged when its turn comes. It is kept in
//! `ledger/evidence` when a run ends and read by the next; a run that is killed forgets what it learned, and the
//! next one samples anew.

mod dimensions;
mod keep;
mod pieces;
mod shapes;

pub(super) use keep::{EvidenceNote, keep_evidence};

use super::hosts::HostNumber;
use crate::glance::{Glance, LinkTarget};
use dimensions::{Dimension, DimensionComparison, Dimensions};
use fyke_store::{Known, Ledger, Reason, Row, StoreError};
use fyke_web::Url;
use pieces::{PieceSketch, SeenPieces};
use serde::{Deserialize, Serialize};
use shapes::{ON_COPIES, ShapeTable, ShapeYield};

/// What may be expected of a URL that waits.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    Good,
    /// Others of its host come first.
    Doubtful,
    /// It is not asked for.
    Hopeless(Reason, String),
}

/// What a link says of the page that it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkYield {
    News,
    /// It leads to one more of the same shape.
    Successor,
    Nothing,
}

/// What a page brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageYield {
    pub(super) is_news: bool,
    /// URLs of its own shape that were not known.
    pub(super) successors: u32,
}

/// What is known of one host.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct HostEvidence {
    seen: SeenPieces,
    shapes: ShapeTable,
    dimensions: Dimensions,
}

/// The hosts of one thread, by number.
#[derive(Debug, Default)]
pub(super) struct UrlEvidence {
    hosts: Vec<Option<Box<NamedEvidence>>>,
}

/// What is known of a host of this name.
#[derive(Debug)]
struct NamedEvidence {
    authority: String,
    known: HostEvidence,
}

impl UrlEvidence {
    /// What is known of a host; of one that is new in this pass, what an earlier one left.
    pub(super) fn host(
        &mut self,
        host: HostNumber,
        authority: &str,
        note: &EvidenceNote,
    ) -> &mut HostEvidence {
        if self.hosts.len() <= host.0 {
            self.hosts.resize_with(host.0 + 1, || None);
        }
        let named = self.hosts[host.0].get_or_insert_with(|| {
            let (authority, known) = (authority.to_owned(), note.take(authority));
            Box::new(NamedEvidence { authority, known: known.unwrap_or_default() })
        });
        &mut named.known
    }

    /// Gives what was learned to the next pass.
    pub(super) fn give_back(self, note: &EvidenceNote) {
        for named in self.hosts.into_iter().flatten() {
            note.put(named.authority, named.known);
        }
    }
}

impl HostEvidence {
    /// Whether anything speaks against some of its URLs.
    fn is_suspicious(&self) -> bool {
        self.shapes.has_idle() || self.dimensions.has_idle()
    }

    /// Takes in the text of a page; whether it says anything new.
    pub(super) fn take_text(&mut self, page: &Glance) -> bool {
        self.seen.take(&page.pieces)
    }

    /// What a link to a URL of this host that was not known says of its page: one more of the same shape is no news,
    /// nor is one of a shape that brings nothing. The links of a page that is a copy, word for word, are none.
    pub(super) fn link_yield(&self, page_shape: Option<u64>, target: &LinkTarget) -> LinkYield {
        let Some(shape) = target.url.shape_key() else { return LinkYield::News };
        match page_shape == Some(shape) {
            true => LinkYield::Successor,
            false if self.shapes.is_idle(shape) => LinkYield::Nothing,
            false => LinkYield::News,
        }
    }

    /// Takes in a page that was fetched for the first time, and what it brought.
    pub(super) fn note(&mut self, url: &Url, page: &Glance, on_copy: bool, brought: PageYield) {
        self.note_shapes(url, on_copy, brought);
        let is_news = brought.is_news;
        if page.fingerprint.is_some() {
            self.dimensions.take(url, PieceSketch::of(&page.pieces), is_news);
        }
    }

    fn note_shapes(&mut self, url: &Url, on_copy: bool, brought: PageYield) {
        let PageYield { is_news, successors } = brought;
        if let Some(shape) = url.shape_key() {
            self.shapes.note(shape, is_news);
            if !is_news {
                self.shapes.note_successors(shape, successors);
            }
        }
        if on_copy {
            self.shapes.note(ON_COPIES, is_news);
        }
    }

    /// What may be expected of a URL whose row waits.
    pub(super) fn prospect(
        &self,
        url: &Url,
        row: &Row,
        ledger: &Ledger,
    ) -> Result<Prospect, StoreError> {
        // A seed is what somebody wants; what was fetched before is asked for because it was worth it.
        let is_wanted = row.depth == 0 || row.fetched.is_some();
        if is_wanted || !self.is_suspicious() {
            return Ok(Prospect::Good);
        }
        let compared = self.compare(url, ledger)?;
        if let Prospect::Hopeless(..) = compared {
            return Ok(compared);
        }
        Ok(match self.by_shape(url, row, ledger)? {
            Prospect::Good => compared,
            found => found,
        })
    }

    /// Whether a page was fetched, or will be, whose URL differs only in what changes nothing here.
    fn compare(&self, url: &Url, ledger: &Ledger) -> Result<Prospect, StoreError> {
        let idle = self.dimensions.idle(url);
        for (dimension, compared) in &idle {
            if self.dimensions.has_fetched(*dimension, url) {
                return Ok(judged(*dimension, compared));
            }
        }
        let Some((dimension, compared)) = idle.first() else { return Ok(Prospect::Good) };
        let base = without_all(url, &idle);
        if self.dimensions.has_fetched_text(base.as_str()) {
            return Ok(judged(*dimension, compared));
        }
        let is_known = base != *url && ledger.known(base.id())? == Known::Yes;
        Ok(if is_known { Prospect::Doubtful } else { Prospect::Good })
    }

    /// What its shape has brought. What leads on from nothing to nothing is a trap; what was found on a page that still
    /// brings something is asked for in the end, until there is no doubt. Where only dates were told apart from
    /// nothing, doubt remains.
    fn by_shape(&self, url: &Url, row: &Row, ledger: &Ledger) -> Result<Prospect, StoreError> {
        let is_dated = url.is_dated();
        // Lists of days are copies of each other wherever they lead.
        let on_copies = self.shapes.get(ON_COPIES).filter(|_| row.on_copy && !is_dated);
        if let Some(copies) = on_copies.filter(|copies| copies.is_spent()) {
            let detail = format!("found on copies of other pages: {}", copies.in_words());
            return Ok(Prospect::Hopeless(Reason::TrapSame, detail));
        }
        let shape = url.shape_key().and_then(|key| self.shapes.get(key));
        let Some(shape) = shape.filter(|shape| shape.is_idle()) else {
            let is_doubtful = on_copies.is_some_and(ShapeYield::is_idle);
            return Ok(if is_doubtful { Prospect::Doubtful } else { Prospect::Good });
        };
        let is_sure = !is_dated && shape.is_surely_spent();
        let is_trap =
            is_sure || shape.is_spent() && self.leads_on_from_nothing(url, row, ledger)?;
        if !is_trap {
            return Ok(Prospect::Doubtful);
        }
        let reason = if is_dated { Reason::TrapCalendar } else { Reason::TrapSame };
        Ok(Prospect::Hopeless(reason, format!("{}: {}", url.shape(), shape.in_words())))
    }

    /// Whether the page it was found on is of a shape that brings nothing either, and for a date goes on by itself: lists
    /// of days that say nothing but their dates may lead to data, and come to an end.
    fn leads_on_from_nothing(
        &self,
        url: &Url,
        row: &Row,
        ledger: &Ledger,
    ) -> Result<bool, StoreError> {
        let Some(parent) = row.parent else { return Ok(false) };
        let parent = ledger.get(parent)?.and_then(|row| Url::parse(&row.url).ok());
        let parent = parent.filter(|parent| parent.authority() == url.authority());
        let shape = parent.and_then(|parent| parent.shape_key());
        let shape = shape.and_then(|shape| self.shapes.get(shape));
        let is_dated = url.is_dated();
        let is_endless = |shape: &ShapeYield| shape.is_idle() && (!is_dated || shape.goes_on());
        Ok(row.on_copy && !is_dated || shape.is_some_and(is_endless))
    }
}

/// The URL without all that changes nothing.
fn without_all(url: &Url, idle: &[(Dimension<'_>, DimensionComparison)]) -> Url {
    let mut base = url.clone();
    for (dimension, _) in idle {
        let text = match dimension {
            // The other scheme's.
            Dimension::Scheme => {
                let scheme = if url.scheme() == "https" { "http" } else { "https" };
                format!("{scheme}{}", dimension.without(&base))
            }
            // There is no page of no version.
            Dimension::Version => continue,
            _ => dimension.without(&base),
        };
        base = Url::parse(&text).unwrap_or(base);
    }
    base
}

/// A page was fetched whose URL differs in this alone.
fn judged(dimension: Dimension<'_>, compared: &DimensionComparison) -> Prospect {
    let reason = match dimension {
        Dimension::Parameter(_) | Dimension::Session => Reason::DupParameter,
        Dimension::Version | Dimension::Scheme => Reason::Mirror,
    };
    let DimensionComparison { same, different, .. } = compared;
    let (what, all) = (dimension.in_words(), same + different);
    let detail =
        format!("{what} changes nothing: {same} of {all} pages that differ in it say the same");
    Prospect::Hopeless(reason, detail)
}
