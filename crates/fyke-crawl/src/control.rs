//! The crawl's controls: stop, pause, leave a host alone, and a look at the hosts while it runs. Clone
//! it and give one side to Ctrl-C or to the dashboard.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Hosts that are told of at the most, per thread.
pub(crate) const HOSTS: usize = 200;

/// The controls of one crawl.
#[derive(Clone, Debug, Default)]
pub struct Control {
    shared: Arc<ControlState>,
}

#[derive(Debug, Default)]
struct ControlState {
    stopped: AtomicBool,
    asked: Notify,
    paused: AtomicBool,
    banned: Mutex<BTreeSet<String>>,
    /// Counts changes of `banned`.
    bans: AtomicU64,
    /// Counts how often somebody looked at the hosts.
    looks: AtomicU64,
    hosts: Mutex<Vec<Vec<HostNow>>>,
}

/// One host as the crawl sees it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostNow {
    pub authority: String,
    pub queued: u64,
    /// Pages over the collection's life.
    pub pages: u64,
    pub failures: u32,
    /// When it may next be asked, milliseconds since 1970; none: something else must happen first.
    pub until: Option<u64>,
    /// Why it waits, in words.
    pub why: String,
}

/// Locks; a thread that broke while holding it left nothing half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Control {
    #[must_use]
    pub fn new() -> Control {
        Control::default()
    }

    /// Asks the crawl to end, in good order.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.shared.asked.notify_waiters();
        self.shared.asked.notify_one();
    }

    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::SeqCst)
    }

    /// Starts no more requests, or goes on.
    pub fn set_paused(&self, paused: bool) {
        self.shared.paused.store(paused, Ordering::SeqCst);
    }

    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.shared.paused.load(Ordering::SeqCst)
    }

    /// Asks nothing more of a host in this run.
    pub fn ban(&self, authority: &str) {
        if lock(&self.shared.banned).insert(authority.to_owned()) {
            self.shared.bans.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Whether a host was banned in this run.
    #[must_use]
    pub fn is_banned(&self, authority: &str) -> bool {
        self.shared.bans.load(Ordering::SeqCst) > 0 && lock(&self.shared.banned).contains(authority)
    }

    /// The hosts that are banned, when there are more than `seen` bans now.
    pub(crate) fn banned_since(&self, seen: &mut u64) -> Vec<String> {
        let bans = self.shared.bans.load(Ordering::SeqCst);
        if bans == *seen {
            return Vec::new();
        }
        *seen = bans;
        lock(&self.shared.banned).iter().cloned().collect()
    }

    /// The hosts as last told by the crawl, those with most queued URLs first; asks for news.
    #[must_use]
    pub fn hosts(&self) -> Vec<HostNow> {
        self.shared.looks.fetch_add(1, Ordering::SeqCst);
        let mut hosts: Vec<HostNow> = lock(&self.shared.hosts).iter().flatten().cloned().collect();
        hosts.sort_by(|a, b| b.queued.cmp(&a.queued).then_with(|| a.authority.cmp(&b.authority)));
        hosts
    }

    /// Whether somebody looked at the hosts since `seen` looks. Each thread keeps its own count: one
    /// that tells does not silence the others.
    pub(crate) fn is_watched_since(&self, seen: &mut u64) -> bool {
        let looks = self.shared.looks.load(Ordering::SeqCst);
        std::mem::replace(seen, looks) != looks
    }

    /// Tells the hosts of one thread.
    pub(crate) fn tell(&self, thread: usize, told: Vec<HostNow>) {
        let mut hosts = lock(&self.shared.hosts);
        if hosts.len() <= thread {
            hosts.resize(thread + 1, Vec::new());
        }
        hosts[thread] = told;
    }

    /// Waits until somebody asks for the end.
    pub(crate) async fn asked(&self) {
        let asked = self.shared.asked.notified();
        if !self.is_stopped() {
            asked.await;
        }
    }
}
