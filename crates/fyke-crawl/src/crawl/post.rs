//! The post between the threads of a crawl: links and robots.txt files that concern hosts of another
//! thread, in batches. Within a cell nothing in it is lost with the process: a URL's record is in the ledger
//! before its letter is sent.

use super::cell::cell_of;
use super::letter::Letter;
use fyke_web::url::partition_of;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::Notify;

/// A thread's letters that have come.
pub(super) type Mailbox = Receiver<Vec<Letter>>;

/// Letters that fill a batch.
const BATCH: usize = 256;

/// One thread's side of the post.
#[derive(Debug)]
pub(super) struct PostBox<'a> {
    post: &'a Post,
    /// The thread.
    pub(super) number: usize,
    mailbox: Mailbox,
    /// Batches that are being filled, by thread.
    outgoing: Vec<Vec<Letter>>,
    /// Letters to itself, which need not be sent.
    home: VecDeque<Letter>,
}

impl<'a> PostBox<'a> {
    pub(super) fn new(post: &'a Post, number: usize, mailbox: Mailbox) -> PostBox<'a> {
        let outgoing = post.boxes.iter().map(|_| Vec::new()).collect();
        PostBox { post, number, mailbox, outgoing, home: VecDeque::new() }
    }

    /// Whether this thread owns the domain, given by its hash.
    pub(super) fn is_mine(&self, domain: u64) -> bool {
        self.post.owner(domain) == self.number
    }

    /// Writes to the thread that owns the domain.
    pub(super) fn write(&mut self, domain: u64, letter: Letter) {
        self.write_to(self.post.owner(domain), letter);
    }

    /// Writes to a thread of another cell, which sees to it for the others.
    pub(super) fn write_to_cell(&mut self, cell: usize, letter: Letter) {
        self.write_to(cell * self.post.threads(), letter);
    }

    fn write_to(&mut self, to: usize, letter: Letter) {
        if to == self.number {
            return self.home.push_back(letter);
        }
        self.outgoing[to].push(letter);
        if self.outgoing[to].len() >= BATCH {
            self.send(BATCH);
        }
    }

    /// The next letter of this thread to itself.
    pub(super) fn next_home(&mut self) -> Option<Letter> {
        self.home.pop_front()
    }

    /// Sends every batch of at least so many letters.
    pub(super) fn send(&mut self, least: usize) {
        for (to, letters) in self.outgoing.iter_mut().enumerate() {
            if letters.len() >= least {
                self.post.send(to, std::mem::take(letters));
            }
        }
    }

    /// The next batch that has come. The thread is no longer idle then.
    pub(super) fn receive(&mut self) -> Option<Vec<Letter>> {
        let letters = self.mailbox.try_recv().ok()?;
        self.post.count_received(self.number);
        Some(letters)
    }

    /// Waits for letters.
    pub(super) async fn bell(&self) {
        self.post.boxes[self.number].bell.notified().await;
    }

    /// Everybody has something to look at: the end.
    pub(super) fn ring_all(&self) {
        self.post.ring_all();
    }

    /// The others have something to look at.
    pub(super) fn ring_others(&self) {
        let others = self.post.boxes.iter().enumerate().filter(|(at, _)| *at != self.number);
        others.for_each(|(_, one)| one.bell.notify_one());
    }

    /// Says how far this thread is from the end; returns how far all are.
    pub(super) fn set_idle(&self, idle: ThreadIdle) -> ThreadIdle {
        self.post.set_idle(self.number, idle)
    }
}

/// The post office.
#[derive(Debug)]
pub(super) struct Post {
    /// Those of the first cell, then those of the next.
    boxes: Vec<ThreadSlot>,
    cells: usize,
    sent: AtomicU64,
    received: AtomicU64,
    /// All that earlier runs left has been sent.
    loaded: AtomicBool,
}

/// One thread's place in it.
#[derive(Debug)]
struct ThreadSlot {
    sender: Sender<Vec<Letter>>,
    bell: Notify,
    /// How far it is from the end, an [`ThreadIdle`].
    idle: AtomicU8,
}

/// How far a thread is from the end of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ThreadIdle {
    /// It has something to do, or under way.
    No,
    /// Only a link could bring something: hosts of exhausted domains wait for one.
    Waiting,
    /// Nothing is left.
    Yes,
}

impl Post {
    /// A post for so many cells, each with so many threads.
    pub(super) fn new(cells: usize, threads: usize) -> (Post, Vec<Mailbox>) {
        let (mut boxes, mut mailboxes) = (Vec::new(), Vec::new());
        for _ in 0..cells * threads {
            let (sender, mailbox) = channel();
            boxes.push(ThreadSlot {
                sender,
                bell: Notify::new(),
                idle: AtomicU8::new(ThreadIdle::No as u8),
            });
            mailboxes.push(mailbox);
        }
        let (sent, received) = (AtomicU64::new(0), AtomicU64::new(0));
        (Post { boxes, cells, sent, received, loaded: AtomicBool::new(false) }, mailboxes)
    }

    /// The threads of a cell.
    fn threads(&self) -> usize {
        self.boxes.len() / self.cells
    }

    /// The thread that owns a domain, given by its hash.
    pub(super) fn owner(&self, domain: u64) -> usize {
        let first = cell_of(domain, self.cells) * self.threads();
        first + usize::from(partition_of(domain)) % self.threads()
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
    fn count_received(&self, thread: usize) {
        self.boxes[thread].idle.store(ThreadIdle::No as u8, SeqCst);
        self.received.fetch_add(1, SeqCst);
    }

    /// Everybody has something to look at: the end.
    fn ring_all(&self) {
        self.boxes.iter().for_each(|one| one.bell.notify_one());
    }

    /// Says how far a thread is from the end; returns how far all are. Nobody is near it while a letter
    /// is on its way.
    fn set_idle(&self, thread: usize, idle: ThreadIdle) -> ThreadIdle {
        self.boxes[thread].idle.store(idle as u8, SeqCst);
        if idle == ThreadIdle::No || !self.loaded.load(SeqCst) {
            return ThreadIdle::No;
        }
        let received = self.received.load(SeqCst);
        let least = self.boxes.iter().map(|one| one.idle.load(SeqCst)).min();
        match least.filter(|_| self.sent.load(SeqCst) == received) {
            Some(least) if least == ThreadIdle::Yes as u8 => ThreadIdle::Yes,
            Some(least) if least == ThreadIdle::Waiting as u8 => ThreadIdle::Waiting,
            _ => ThreadIdle::No,
        }
    }
}
