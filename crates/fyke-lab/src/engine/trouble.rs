//! What an engine can do wrong, so that who asks can act on it.

use std::time::Duration;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineTrouble {
    /// It asks for a longer wait than anybody waits here.
    #[error("the engine answers with status {status} and asks for a wait of {} s", wait.as_secs())]
    Busy { status: u16, wait: Duration },
    /// What came was no answer: an error page with status 200, a page for people.
    #[error("the engine's answer cannot be read: {0}")]
    Unreadable(String),
    /// No connection, no answer, or another status than 200.
    #[error("{0}")]
    Dead(String),
    /// Its robots.txt.
    #[error("{0}")]
    Forbidden(String),
    /// As many queries of a day as were allowed have been sent.
    #[error("the quota of {0} queries in 24 hours is used up")]
    Quota(u64),
}

impl EngineTrouble {
    /// The trouble behind an error, if it was one.
    #[must_use]
    pub fn of(error: &anyhow::Error) -> Option<&EngineTrouble> {
        error.chain().find_map(|cause| cause.downcast_ref::<EngineTrouble>())
    }

    /// Whether the same query may have an answer later.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(
            self,
            EngineTrouble::Busy { .. } | EngineTrouble::Dead(_) | EngineTrouble::Quota(_)
        )
    }
}
