//! The words of links that were queued and not yet followed: what a guide learns from when the page
//! comes. Memory is bounded: of more links than it holds, the oldest are forgotten and teach nothing.

use super::REFUSED;
use fyke_learn::bayes::Occurrence;
use fyke_web::UrlId;
use std::collections::{HashMap, VecDeque};

/// Links remembered.
const MOST: usize = 1 << 16;

/// A link that was queued.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lead {
    pub(super) words: Box<[Occurrence]>,
    /// Its priority in the frontier.
    pub(super) priority: u8,
    /// Pages off the subject that it lies behind.
    pub(super) off: u8,
}

/// The links, by where they lead.
#[derive(Debug, Default)]
pub(super) struct Trail {
    leads: HashMap<UrlId, Lead>,
    /// In the order in which they came; those followed since may stand here still.
    order: VecDeque<UrlId>,
}

impl Trail {
    pub(super) fn remember(&mut self, id: UrlId, lead: Lead) {
        if self.leads.insert(id, lead).is_none() {
            self.order.push_back(id);
        }
        while self.order.len() > MOST {
            self.order.pop_front().map(|oldest| self.leads.remove(&oldest));
        }
    }

    pub(super) fn get(&self, id: UrlId) -> Option<&Lead> {
        self.leads.get(&id)
    }

    /// Gives every link that is to be followed its priority anew; returns those that became better.
    pub(super) fn weigh_again(
        &mut self,
        priority: impl Fn(&[Occurrence]) -> u8,
    ) -> Vec<(UrlId, u8)> {
        let mut better = Vec::new();
        for (id, lead) in self.leads.iter_mut().filter(|(_, lead)| lead.priority != REFUSED) {
            let now = priority(&lead.words);
            // A step to one side or the other is not worth the work of a second place.
            if now.abs_diff(lead.priority) > 1 {
                better.extend((now < lead.priority).then_some((*id, now)));
                lead.priority = now;
            }
        }
        better
    }

    /// The link is followed: what it said is handed over.
    pub(super) fn take(&mut self, id: UrlId) -> Option<Lead> {
        self.leads.remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_links_are_forgotten_when_there_are_too_many() {
        let mut trail = Trail::default();
        for n in 0..MOST as u64 + 10 {
            trail.remember(UrlId(n), Lead { words: Box::new([]), priority: 1, off: 0 });
        }
        assert!(trail.get(UrlId(9)).is_none() && trail.get(UrlId(10)).is_some());
        assert_eq!(trail.leads.len(), MOST);
        assert!(trail.take(UrlId(10)).is_some() && trail.take(UrlId(10)).is_none());
    }
}
