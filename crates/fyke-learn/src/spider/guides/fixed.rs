//! Guides that learn nothing: breadth-first, and the one that knows which links lead to targets.

use super::Guide;
use crate::spider::{Policy, Web};

pub(super) const BREADTH_FIRST: Guide = Guide {
    name: "breadth-first",
    what: "links in the order in which they are found",
    train: |_| Box::new(Fixed { knows_targets: false }),
};

pub(super) const TARGETS_FIRST: Guide = Guide {
    name: "targets-first",
    what: "links to targets at once, the others in the order in which they are found",
    train: |_| Box::new(Fixed { knows_targets: true }),
};

struct Fixed {
    knows_targets: bool,
}

impl Policy for Fixed {
    fn worth(&self, web: &Web, link: u32) -> f64 {
        f64::from(self.knows_targets && web.is_target(web.leads(link)))
    }
}
