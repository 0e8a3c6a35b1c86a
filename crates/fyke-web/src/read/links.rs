//! Where a page leads: its links resolved, each target once.

use super::gather::Anchor;
use super::next::is_successor;
use super::query::in_charset;
use crate::Url;
use fyke_text::Hashed;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A link without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlink {
    /// Where it leads, as found, resolved against the page's base.
    pub url: Url,
    /// `rel=nofollow` (or ugc, sponsored) stands on it.
    pub nofollow: bool,
    /// It leads to the next page of a list.
    pub is_next: bool,
}

/// Who set a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkKind {
    /// The page's author.
    #[default]
    Content,
    /// A reader, in a comment, or another page, by a trackback (003 §4.5.3).
    Comment,
}

/// The links of a page, in the order in which their targets are met first.
#[derive(Debug, Default)]
pub(crate) struct Outlinks {
    pub(crate) targets: Vec<Outlink>,
    /// Which of all the links met in the text each of them is; [`UNMET`] for one that stands in no text.
    pub(crate) order: Vec<u32>,
    /// Who set them.
    pub(crate) kinds: Vec<LinkKind>,
}

/// The place of a link that no text has.
pub(crate) const UNMET: u32 = u32::MAX;

impl Outlinks {
    /// Resolves the links and keeps each target once, by its first link that has a name; one that its author set
    /// counts for more than one in a comment. A target linked twice may be followed if one of its links may.
    pub(super) fn distinct(
        found: Vec<Anchor<'_>>,
        (base, charset): (&Url, &str),
        page: &Url,
    ) -> Outlinks {
        let mut targets: Vec<Outlink> = Vec::with_capacity(found.len());
        let mut order: Vec<u32> = Vec::with_capacity(found.len());
        let mut kinds: Vec<LinkKind> = Vec::with_capacity(found.len());
        // Where in the lists a target stands, by what it is written as and by what that resolves to, and
        // how good the link there is. A target is most often written as it was before.
        let mut known: Hashed<usize> = Hashed::default();
        let mut worths: Vec<(bool, bool)> = Vec::with_capacity(found.len());
        known.reserve(2 * found.len());
        for (anchor, nth) in found.into_iter().zip(0..) {
            let Anchor { href, nofollow, kind, is_next, is_named } = anchor;
            let worth = (kind == LinkKind::Content, is_named);
            let written = xxh3_64(href.as_bytes());
            let at = match known.get(&written) {
                Some(&at) => at,
                None => {
                    let Ok(url) = base.join(&in_charset(&href, charset)) else { continue };
                    let hash = xxh3_64(url.as_str().as_bytes());
                    let at = *known.entry(hash).or_insert(targets.len());
                    known.insert(written, at);
                    if at == targets.len() {
                        let is_next = is_next && url.authority() == page.authority()
                            || is_successor(page, &url);
                        targets.push(Outlink { url, nofollow, is_next });
                        order.push(nth);
                        kinds.push(kind);
                        worths.push(worth);
                        continue;
                    }
                    at
                }
            };
            // What may be followed only in comments is a comment's, whatever else leads there.
            kinds[at] = match (targets[at].nofollow, nofollow) {
                (true, false) => kind,
                (false, false) if kind == LinkKind::Content => kind,
                _ => kinds[at],
            };
            targets[at].nofollow &= nofollow;
            targets[at].is_next |= is_next && targets[at].url.authority() == page.authority();
            if worth > worths[at] {
                (order[at], worths[at]) = (nth, worth);
            }
        }
        Outlinks { targets, order, kinds }
    }

    /// Adds a link that stands in no text, where no other leads there.
    pub(super) fn add(&mut self, link: Outlink) {
        match self.targets.iter_mut().find(|known| known.url == link.url) {
            Some(known) => known.is_next |= link.is_next,
            None => {
                self.targets.push(link);
                self.order.push(UNMET);
                self.kinds.push(LinkKind::Content);
            }
        }
    }
}
