//! The gap where engine and hits stand on one host, as for the search of a site: the engine's asker and the crawl know
//! nothing of each other.

use fyke_web::Url;
use std::time::Duration;

/// Longest gap that the time of a fetch can make.
const LONGEST_GAP: Duration = Duration::from_secs(60);

/// A host that is asked by the engine's asker and by the crawl.
pub(super) struct SharedHost {
    pub(super) authority: Option<String>,
    pub(super) floor: Duration,
    pub(super) factor: f64,
}

impl SharedHost {
    pub(super) fn has(&self, url: &Url) -> bool {
        self.authority.as_deref() == Some(url.authority())
    }

    /// Waits as long as a crawl does between two requests, the last of which took so long.
    pub(super) fn pause(&self, last: Duration) {
        std::thread::sleep(self.floor.max(last.mul_f64(self.factor)).min(LONGEST_GAP));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hits_on_the_host_of_the_engine_wait_for_it() {
        let shared =
            SharedHost { authority: Some("a.test".to_owned()), floor: Duration::ZERO, factor: 0.0 };
        let has = |url: &str| shared.has(&Url::parse(url).unwrap());
        assert!(has("http://a.test/x") && !has("http://b.test/x"));
        shared.pause(Duration::from_secs(9));
    }
}
