//! Where a page leads: its links resolved, each target once.

use super::gather::Anchor;
use crate::Url;
use fyke_text::Hashed;
use xxhash_rust::xxh3::xxh3_64;

/// A link without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlink {
    /// Where it leads, as found, resolved against the page's base.
    pub url: Url,
    /// `rel=nofollow` (or ugc, sponsored) stands on it.
    pub nofollow: bool,
}

/// The links of a page, in the order in which their targets are met first.
#[derive(Debug, Default)]
pub(crate) struct Outlinks {
    pub(crate) targets: Vec<Outlink>,
    /// Which of all the links met each of them is.
    pub(crate) order: Vec<u32>,
}

impl Outlinks {
    /// Resolves the links and keeps each target once, by its first link that has a name. A target linked
    /// twice may be followed if one of its links may.
    pub(super) fn distinct(found: Vec<Anchor<'_>>, base: &Url) -> Outlinks {
        let mut targets: Vec<Outlink> = Vec::with_capacity(found.len());
        let mut order: Vec<u32> = Vec::with_capacity(found.len());
        // Where in the lists a target stands, by what it is written as and by what that resolves to, and
        // whether the link there has a name. A target is most often written as it was before.
        let mut known: Hashed<usize> = Hashed::default();
        let mut named: Vec<bool> = Vec::with_capacity(found.len());
        known.reserve(2 * found.len());
        for (Anchor { href, nofollow, is_named }, nth) in found.into_iter().zip(0..) {
            let written = xxh3_64(href.as_bytes());
            let at = match known.get(&written) {
                Some(&at) => at,
                None => {
                    let Ok(url) = base.join(&href) else { continue };
                    let hash = xxh3_64(url.as_str().as_bytes());
                    let at = *known.entry(hash).or_insert(targets.len());
                    known.insert(written, at);
                    if at == targets.len() {
                        targets.push(Outlink { url, nofollow });
                        order.push(nth);
                        named.push(is_named);
                        continue;
                    }
                    at
                }
            };
            targets[at].nofollow &= nofollow;
            if is_named && !named[at] {
                (order[at], named[at]) = (nth, true);
            }
        }
        Outlinks { targets, order }
    }
}
