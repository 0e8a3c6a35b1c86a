//! Links: what PageRank says of a document's weight (003 §4.5.2), on a scale on which ten times the
//! rank is one step more.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "links",
    what: "how much weight links give the page (PageRank)",
    weight: 0.5,
    values: |head| {
        let segments = &head.index.snapshot.segments;
        Ok(head.each(|c| (1.0 + segments[c.segment].rank(c.doc)).log10() as f32))
    },
};
