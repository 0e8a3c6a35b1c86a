//! How well a URL is known.

use crate::Reason;

/// Whether a URL is known. The two between no and yes were refused for the way they were found, not for
/// what they are: found again by a better way, they are judged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    No,
    /// Only by links that may not be followed.
    Nofollow,
    /// By links that may, but only from too far away: from the seeds, or from the subject.
    Far,
    Yes,
}

impl Known {
    /// How a URL is known that stands under this reason.
    #[must_use]
    pub fn under(reason: Reason) -> Known {
        match reason {
            Reason::Nofollow => Known::Nofollow,
            Reason::ScopeDepth | Reason::ScopeSubject => Known::Far,
            _ => Known::Yes,
        }
    }
}
