//! Depth: the fewer steps a URL has, the more general is its page (003 §4.5).

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "depth",
    what: "how near the front page of its host the page is",
    weight: 0.3,
    values: |head| {
        let segments = &head.index.snapshot.segments;
        Ok(head.each(|c| 1.0 / (1.0 + segments[c.segment].depth(c.doc) as f32)))
    },
};
