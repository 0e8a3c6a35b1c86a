//! Freshness: a year makes a page half as new, counted from the newest date in the index, so that the
//! ranking needs no clock. Off in the standard ranker: few questions ask for news.

use super::Signal;

/// Days after which a page is half as new.
const HALF: f32 = 365.0;

pub(super) const SIGNAL: Signal = Signal {
    name: "freshness",
    what: "how new the page is, by its own date",
    weight: 0.0,
    values: |head| {
        let snapshot = head.index.snapshot;
        Ok(head.each(|c| {
            let day = snapshot.segments[c.segment].date(c.doc);
            let age = day.zip(snapshot.newest).map(|(day, newest)| newest.saturating_sub(day));
            age.map_or(0.0, |days| (-(days as f32) / HALF).exp2())
        }))
    },
};
