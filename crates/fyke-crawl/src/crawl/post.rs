//! The post between the threads of a crawl: links and robots.txt files that concern hosts of another
//! thread, in batches. Nothing in it is lost with the process: a URL's record is in the ledger before
//! its letter is sent.

use fyke_store::Position;
use fyke_web::Url;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::Notify;

/// One letter.
#[derive(Debug)]
pub(super) enum Letter {
    /// A queued URL of yours: its host, its record, its priority, and the domain (by hash) that
    /// links to it, none for its own.
    Url { authority: String, position: Position, priority: u8, from: Option<u64> },
    /// A domain (by hash) links to a host of yours, to a URL that is known.
    Inlink { authority: String, from: u64 },
    /// Please ask one of your hosts for the robots.txt of one of mine.
    Robots { of: String, url: Url, hops: u8 },
    /// What came of that.
    Rules { of: String, hops: u8, found: Rules },
    /// A host of yours has the same pages as another.
    Mirror { authority: String, of: String },
}

/// What came of asking for a robots.txt.
#[derive(Debug)]
pub(super) enum Rules {
    /// It, or none: the status and the text.
    Text(u16, Vec<u8>),
    /// It is kept elsewhere: a redirect from the first to the second.
    Elsewhere(Url, Url),
    /// It could not be had.
    Failed(String),
}

/// A thread's letters that have come.
pub(super) type Mailbox = Receiver<Vec<Letter>>;

/// The post office.
#[derive(Debug)]
pub(super) struct Post {
    boxes: Vec<Slot>,
    sent: AtomicU64,
    received: AtomicU64,
    /// All that earlier runs left has been sent.
    loaded: AtomicBool,
}

/// One thread's side of it.
#[derive(Debug)]
struct Slot {
    sender: Sender<Vec<Letter>>,
    bell: Notify,
    /// It has nothing to do and nothing under way.
    idle: AtomicBool,
}

impl Post {
    pub(super) fn new(threads: usize) -> (Post, Vec<Mailbox>) {
        let (mut boxes, mut mailboxes) = (Vec::new(), Vec::new());
        for _ in 0..threads {
            let (sender, mailbox) = channel();
            boxes.push(Slot { sender, bell: Notify::new(), idle: AtomicBool::new(false) });
            mailboxes.push(mailbox);
        }
        let (sent, received) = (AtomicU64::new(0), AtomicU64::new(0));
        (Post { boxes, sent, received, loaded: AtomicBool::new(false) }, mailboxes)
    }

    /// The thread that owns a partition.
    pub(super) fn owner(&self, partition: u8) -> usize {
        usize::from(partition) % self.boxes.len()
    }

    pub(super) fn send(&self, to: usize, letters: Vec<Letter>) {
        self.sent.fetch_add(1, SeqCst);
        // A thread that has ended reads no more; its URLs are in the ledger.
        let _ = self.boxes[to].sender.send(letters);
        self.boxes[to].bell.notify_one();
    }

    /// Batches that nobody has read yet.
    pub(super) fn waiting(&self) -> u64 {
        self.sent.load(SeqCst).saturating_sub(self.received.load(SeqCst))
    }

    /// Nothing more comes from earlier runs.
    pub(super) fn set_loaded(&self) {
        self.loaded.store(true, SeqCst);
        self.ring_all();
    }

    /// A batch was taken in by `thread`, which is no longer idle.
    pub(super) fn count_received(&self, thread: usize) {
        self.boxes[thread].idle.store(false, SeqCst);
        self.received.fetch_add(1, SeqCst);
    }

    /// Waits for letters.
    pub(super) async fn bell(&self, thread: usize) {
        self.boxes[thread].bell.notified().await;
    }

    /// Everybody has something to look at: the end.
    pub(super) fn ring_all(&self) {
        self.boxes.iter().for_each(|one| one.bell.notify_one());
    }

    /// Says whether a thread has nothing to do; true when nobody has and no letter is on its way.
    pub(super) fn set_idle(&self, thread: usize, idle: bool) -> bool {
        self.boxes[thread].idle.store(idle, SeqCst);
        if !idle || !self.loaded.load(SeqCst) {
            return false;
        }
        let received = self.received.load(SeqCst);
        self.boxes.iter().all(|one| one.idle.load(SeqCst)) && self.sent.load(SeqCst) == received
    }
}
