//! What came of asking for a robots.txt: its text, the way to it, or why it could not be had. The crawl, a
//! probe and the search of other engines read answers here; what a status means is
//! [`fyke_web::RobotsStatus`].

use crate::frontier::Origin;
use fyke_web::{Capture, RobotsStatus, Url};

/// Redirects that are followed (RFC 9309, 2.3.1.2).
const MOST_HOPS: u8 = 5;
/// What is read of the text.
const MOST_BYTES: usize = 500 * 1024;

/// What came of asking for a robots.txt.
#[derive(Debug)]
pub enum RobotsAnswer {
    /// It, or none: the status to be kept, 200 or that there is none, and the text.
    Text(u16, Vec<u8>),
    /// It is kept elsewhere: a redirect from the first to the second.
    Elsewhere(Url, Url),
    /// It could not be had.
    Failed(String),
}

impl RobotsAnswer {
    /// What an answer says. Whatever is neither a file nor the word that there is none, nor leads anywhere,
    /// leaves the rules unknown.
    #[must_use]
    pub fn of(capture: &Capture) -> RobotsAnswer {
        match capture.redirect() {
            Some(Ok(to)) => return RobotsAnswer::Elsewhere(capture.url.clone(), to),
            Some(Err(_)) => {
                return RobotsAnswer::Failed("a redirect that leads nowhere".to_owned());
            }
            None => {}
        }
        match (RobotsStatus::of(capture.status), capture.status) {
            (RobotsStatus::Rules, _) => match text(capture) {
                Some(body) => RobotsAnswer::Text(200, body),
                None => RobotsAnswer::Failed("cut short or not decodable".to_owned()),
            },
            (RobotsStatus::Absent, 204) => RobotsAnswer::Text(200, Vec::new()),
            (RobotsStatus::Absent, status) => RobotsAnswer::Text(status, Vec::new()),
            (RobotsStatus::Unknown, status) => RobotsAnswer::Failed(format!("status {status}")),
        }
    }

    /// The same after so many redirects. More than five on one host mean that there is no robots.txt; across
    /// hosts somebody made a mistake, and what is not known is forbidden.
    pub(crate) fn after(self, hops: u8, of: &Origin) -> RobotsAnswer {
        let is_own = |url: &Url| url.authority() == of.authority;
        match self {
            RobotsAnswer::Elsewhere(from, to) if hops >= MOST_HOPS => match is_own(&from)
                && is_own(&to)
            {
                true => RobotsAnswer::Text(404, Vec::new()),
                false => RobotsAnswer::Failed(format!("redirected more than {MOST_HOPS} times")),
            },
            rules => rules,
        }
    }
}

/// The text of a robots.txt, none when it did not come whole: what is missing might forbid. What
/// lies past the limit never counts.
fn text(capture: &Capture) -> Option<Vec<u8>> {
    let (body, cut) = capture.body(MOST_BYTES);
    let is_whole = !cut && capture.truncated.is_none() || body.len() >= MOST_BYTES;
    is_whole.then(|| body.into_owned())
}
