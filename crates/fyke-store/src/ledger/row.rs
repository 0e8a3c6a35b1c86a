//! What is known of a URL and of a host (B1).

use crate::{Place, Reason};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};

/// What is known of one URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// As first found.
    pub url: String,
    pub reason: Reason,
    /// The page it was first found on; none for seeds.
    pub parent: Option<UrlId>,
    /// Links from a seed.
    pub depth: u16,
    /// Front queue, 1 (best) to K.
    pub priority: u8,
    /// When first seen, milliseconds since 1970.
    pub found: i64,
    /// When last asked for.
    pub fetched: Option<i64>,
    /// HTTP status of the last answer, 0 when none came.
    pub status: u16,
    /// How often it was asked for.
    pub tries: u16,
    /// Its last capture.
    pub capture: Option<Place>,
    /// SHA-1 of the payload, first 16 bytes.
    pub digest: Option<[u8; 16]>,
    /// Where it redirects to.
    pub redirect: Option<String>,
    /// More about the reason: the robots line, the error's text, the trap's pattern.
    pub detail: String,
    /// What a sitemap said of it last. Encoded beside the row.
    #[serde(skip)]
    pub listed: Option<Listed>,
}

/// What a sitemap says of a URL.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listed {
    /// `lastmod` as written.
    pub modified: Option<String>,
    /// `changefreq`.
    pub change: Option<String>,
    /// `priority` in hundredths.
    pub priority: Option<u8>,
}

impl Row {
    /// A URL found at a time and never asked for: a seed of the best priority.
    #[must_use]
    pub fn new(url: &str, reason: Reason, found: i64) -> Row {
        Row {
            url: url.to_owned(),
            reason,
            parent: None,
            depth: 0,
            priority: 1,
            found,
            fetched: None,
            status: 0,
            tries: 0,
            capture: None,
            digest: None,
            redirect: None,
            detail: String::new(),
            listed: None,
        }
    }
}

/// The last good copy of a host's robots.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotsCopy {
    pub fetched: i64,
    /// 200: `body` binds; 4xx: all allowed; anything else: unreachable, all disallowed.
    pub status: u16,
    pub body: Vec<u8>,
}

/// What is known of one host (keyed by authority: "a.test" or "a.test:8080").
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct HostRow {
    pub robots: Option<RobotsCopy>,
    /// No request before this time, milliseconds since 1970 (Retry-After, back-off).
    pub not_before: i64,
    /// Failures in a row.
    pub failures: u32,
    /// Pages fetched (counts against per_host_pages).
    pub pages: u64,
    /// Bytes of payload received.
    pub bytes: u64,
    /// Why it waits, in words, empty when it does not.
    pub waits: String,
    /// The other domains that link to its domain, counted in 256 bits.
    pub inlinks: [u64; 4],
    /// The host that has the same pages and is asked instead; empty when there is none.
    pub mirror_of: String,
}
