//! The words of links that were queued and not yet followed: what a guide learns from when the page
//! comes. Memory is bounded, and one piece: of more links or words than it holds, the oldest links are
//! forgotten and teach nothing.

use super::{LinkWords, WeighedLink};
use fyke_text::Hashed;
use fyke_web::{Url, UrlId};
use std::collections::VecDeque;

/// Links remembered, and their words in all.
const MOST: usize = 1 << 16;
const MOST_WORDS: usize = MOST << 6;

/// Links of a page that are weighed, and those of them that go into the frontier, with their words.
#[derive(Debug)]
pub(crate) struct Leads {
    kept: Vec<KeptLead>,
    words: Vec<u32>,
}

/// One that goes into the frontier.
#[derive(Clone, Copy, Debug)]
struct KeptLead {
    id: UrlId,
    weighed: WeighedLink,
    /// Where its words end.
    end: usize,
}

/// The same, with its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordedLead<'a> {
    pub(super) id: UrlId,
    pub(super) weighed: WeighedLink,
    pub(super) words: &'a [u32],
}

impl Default for Leads {
    /// Room for what most pages have.
    fn default() -> Leads {
        Leads { kept: Vec::with_capacity(16), words: Vec::with_capacity(1024) }
    }
}

impl Leads {
    /// Writes the words of the next link; they are those that [`Leads::keep`] keeps.
    pub(crate) fn write(&mut self, links: &LinkWords<'_>, (at, url): (usize, &Url)) -> &[u32] {
        let (words, start) = self.next();
        links.add(at, url.as_str(), words);
        &words[start..]
    }

    /// Where the words of the next link are written, behind those of links that are kept.
    fn next(&mut self) -> (&mut Vec<u32>, usize) {
        let start = self.kept.last().map_or(0, |kept| kept.end);
        self.words.truncate(start);
        (&mut self.words, start)
    }

    /// The link that was weighed last leads here, and is kept.
    pub(crate) fn keep(&mut self, id: UrlId, weighed: WeighedLink) {
        self.kept.push(KeptLead { id, weighed, end: self.words.len() });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = WordedLead<'_>> {
        let starts = std::iter::once(0).chain(self.kept.iter().map(|kept| kept.end));
        let kept = self.kept.iter().zip(starts);
        kept.map(|(&KeptLead { id, weighed, end }, start)| WordedLead {
            id,
            weighed,
            words: &self.words[start..end],
        })
    }
}

/// How a link stands that was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeadStanding {
    /// Its priority in the frontier.
    pub(super) priority: u8,
    /// Pages off the subject that it lies behind.
    pub(super) off: u8,
    /// The cell of the URL.
    pub(super) cell: u16,
}

impl LeadStanding {
    pub(super) fn new(weighed: WeighedLink, cell: usize) -> LeadStanding {
        let WeighedLink { priority, off, .. } = weighed;
        let cell = u16::try_from(cell).unwrap_or(u16::MAX);
        LeadStanding { priority: priority.unwrap_or(1), off, cell }
    }
}

/// A URL that waits and is worth more than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reweighed {
    pub(crate) id: UrlId,
    pub(crate) priority: u8,
    /// Whose it is.
    pub(crate) cell: u16,
}

/// A link that was queued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lead {
    pub(super) standing: LeadStanding,
    /// Where its words begin, counted from the first word ever remembered and round again, and how many
    /// there are.
    start: u32,
    words: u16,
}

/// The links, by where they lead.
#[derive(Debug, Default)]
pub(super) struct Trail {
    leads: Hashed<Lead>,
    /// In the order in which they came, with the beginning of their words; those followed since may
    /// stand here still.
    order: VecDeque<(UrlId, u32)>,
    /// A ring: words of the oldest links make room for new ones.
    words: Vec<u32>,
    end: u32,
}

impl Lead {
    fn range(self) -> std::ops::Range<usize> {
        let start = self.start as usize % MOST_WORDS;
        start..start + usize::from(self.words)
    }
}

impl Trail {
    pub(super) fn remember(&mut self, id: UrlId, standing: LeadStanding, words: &[u32]) {
        let words = &words[..words.len().min(u16::MAX.into())];
        let start = self.make_room(words.len());
        let lead = Lead { standing, start, words: words.len() as u16 };
        if self.words.len() < lead.range().end {
            self.words.resize(lead.range().end, 0);
        }
        self.words[lead.range()].copy_from_slice(words);
        self.leads.insert(id.0, lead);
        self.order.push_back((id, start));
    }

    /// Where so many words may stand in one piece; links whose words stood there are forgotten.
    fn make_room(&mut self, words: usize) -> u32 {
        let rest = MOST_WORDS - self.end as usize % MOST_WORDS;
        let start = self.end.wrapping_add(if words > rest { rest as u32 } else { 0 });
        self.end = start.wrapping_add(words as u32);
        while let Some(&(id, oldest)) = self.order.front()
            && (self.order.len() >= MOST || self.end.wrapping_sub(oldest) as usize > MOST_WORDS)
        {
            self.order.pop_front();
            if self.leads.get(&id.0).is_some_and(|lead| lead.start == oldest) {
                self.leads.remove(&id.0);
            }
        }
        start
    }

    pub(super) fn get(&self, id: UrlId) -> Option<&Lead> {
        self.leads.get(&id.0)
    }

    /// The words of a link, until others are remembered.
    pub(super) fn words(&self, lead: Lead) -> &[u32] {
        &self.words[lead.range()]
    }

    /// Gives every link its priority anew; returns those that became better, by cell.
    pub(super) fn weigh_again(&mut self, priority: impl Fn(&[u32]) -> u8) -> Vec<Reweighed> {
        let mut better = Vec::new();
        for (id, lead) in &mut self.leads {
            let now = priority(&self.words[lead.range()]);
            let LeadStanding { priority: before, cell, .. } = lead.standing;
            // A step to one side or the other is not worth the work of a second place.
            if now.abs_diff(before) > 1 {
                let url = Reweighed { id: UrlId(*id), priority: now, cell };
                better.extend((now < before).then_some(url));
                lead.standing.priority = now;
            }
        }
        better.sort_by_key(|url| url.cell);
        better
    }

    /// The link is followed: what it said is handed over.
    pub(super) fn take(&mut self, id: UrlId) -> Option<Lead> {
        self.leads.remove(&id.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FIRST: LeadStanding = LeadStanding { priority: 1, off: 0, cell: 0 };

    #[test]
    fn the_oldest_links_are_forgotten_when_there_are_too_many() {
        let mut trail = Trail::default();
        for n in 0..MOST as u64 + 10 {
            trail.remember(UrlId(n), FIRST, &[]);
        }
        assert!(trail.get(UrlId(9)).is_none() && trail.get(UrlId(10)).is_some());
        assert_eq!(trail.leads.len(), MOST);
        assert!(trail.take(UrlId(10)).is_some() && trail.take(UrlId(10)).is_none());
    }

    proptest! {
        /// Links that are remembered several times, followed, or too many, have the words they came with
        /// last, or none at all; and the last ones are there.
        #[test]
        fn a_link_has_its_own_words_as_long_as_it_is_remembered(
            lengths in prop::collection::vec(0usize..1 << 16, 1..60),
        ) {
            let mut trail = Trail::default();
            let words = |nth: usize| vec![nth as u32; lengths[nth]];
            for nth in 0..lengths.len() {
                trail.remember(UrlId(nth as u64 % 5), FIRST, &words(nth));
                for earlier in nth.saturating_sub(4)..=nth {
                    if let Some(lead) = trail.get(UrlId(earlier as u64 % 5)) {
                        prop_assert_eq!(trail.words(*lead), words(earlier));
                    }
                }
                prop_assert!(trail.get(UrlId(nth as u64 % 5)).is_some());
                prop_assert!(trail.words.len() <= MOST_WORDS);
                if nth % 3 == 0 {
                    trail.take(UrlId(nth as u64 % 5));
                }
            }
        }
    }

    #[test]
    fn only_links_that_are_kept_have_their_words() {
        let weighed = WeighedLink { value: 0., priority: None, off: 0 };
        let mut leads = Leads::default();
        for (id, words) in [(1, &[1, 2][..]), (2, &[]), (3, &[3]), (4, &[4, 5])] {
            leads.next().0.extend(words);
            if id != 3 {
                leads.keep(UrlId(id), weighed);
            }
        }
        let found: Vec<_> = leads.iter().map(|lead| (lead.id.0, lead.words.to_vec())).collect();
        assert_eq!(found, [(1, vec![1, 2]), (2, vec![]), (4, vec![4, 5])]);
    }
}
