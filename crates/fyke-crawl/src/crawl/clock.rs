//! The time of a crawl.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// Time in milliseconds since 1970 that never goes back (and stands still in tests that say so).
#[derive(Debug)]
pub(super) struct Clock {
    origin: Instant,
    /// When the crawl began.
    pub(super) wall: u64,
}

impl Clock {
    /// The wall is looked at once in a process: from there on two crawls, too, are as far apart as they
    /// were for whoever waited.
    pub(super) fn new() -> Clock {
        static FIRST: OnceLock<(Instant, Duration)> = OnceLock::new();
        let origin = Instant::now();
        let wall = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (first, wall) = FIRST.get_or_init(|| (origin, wall()));
        let wall = *wall + origin.saturating_duration_since(*first);
        Clock { origin, wall: wall.as_millis() as u64 }
    }

    pub(super) fn now(&self) -> u64 {
        self.wall + self.origin.elapsed().as_millis() as u64
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.origin.elapsed()
    }

    pub(super) fn at(&self, time: u64) -> Instant {
        // A month is for ever; adding more might leave the clock's range.
        let ahead = time.saturating_sub(self.wall).min(1 << 31);
        self.origin + Duration::from_millis(ahead)
    }
}
