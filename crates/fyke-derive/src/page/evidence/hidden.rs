//! Hidden text: the share of words that no reader sees. What folds, tabs and scripts show is none.

use super::PageEvidence;

pub(super) const HIDDEN: PageEvidence = PageEvidence {
    name: "hidden",
    what: "hides words from its readers",
    // A few words may be an oversight of whoever made the page.
    value: |view| match view.unseen.words() {
        0..=9 => 0.0,
        _ => 0.5 + view.unseen.share() as f32,
    },
};
