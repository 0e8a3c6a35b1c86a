//! A limit of time for each page, outside of the pure rooms that read it: no reader of a format stops a stage
//! (docs/decisions/013). Readers count their work and end by themselves; this is the wall behind them, for what
//! they forgot to count.
//!
//! What may take long is read by a thread of its own. When it is over its time, the stage goes on without it:
//! a thread cannot be ended from outside, so it is left behind.

use crate::derive::UrlFate;
use fyke_formats::may_take_long;
use fyke_store::{ReadingPlace, Reason};
use fyke_web::Capture;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Threads left behind: with so many, no more pages are begun that may take long.
const MOST_LEFT: usize = 16;
/// How often a page that is over its time is looked at.
const LOOK: Duration = Duration::from_secs(1);

static LEFT: AtomicUsize = AtomicUsize::new(0);

/// What reading one page may take.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// It is over its time after so long …
    pub wall: Duration,
    /// … if its thread has worked so long: on a busy machine it may have waited for its turn …
    pub cpu: Duration,
    /// … and after so long in any case.
    pub longest: Duration,
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        let [wall, cpu, longest] = [10, 2, 60].map(Duration::from_secs);
        ReadLimits { wall, cpu, longest }
    }
}

/// Why nothing was read of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It made its reader panic.
    Broken,
    /// It took too long.
    Overdue,
    /// Too many pages before it took too long and are still being read.
    NotBegun,
    /// It was begun twice and never finished.
    GivenUp,
}

impl Unread {
    /// What becomes of the URL.
    #[must_use]
    pub fn judge(self) -> UrlFate {
        let (reason, detail) = match self {
            Unread::Broken => (Reason::Protocol, "the page broke the parser"),
            Unread::Overdue => (Reason::Unfinished, "reading it took too long"),
            Unread::NotBegun => {
                (Reason::Unfinished, "not read: too many pages before it took too long")
            }
            Unread::GivenUp => {
                (Reason::Unfinished, "the program ended twice while it was being read")
            }
        };
        UrlFate { reason, detail: detail.to_owned() }
    }
}

/// Reads a capture, on a thread of its own if that may take long.
///
/// # Errors
/// When it broke its reader, or took too long.
pub fn read_within<T: Send + 'static>(
    capture: &Capture,
    limits: &ReadLimits,
    read: impl FnOnce(&Capture) -> T + Send + 'static,
) -> Result<T, Unread> {
    if may_take_long(capture) {
        return within(Arc::new(capture.clone()), limits, read);
    }
    // Parsing does not panic; should it do so all the same, one page is lost and not the stage.
    catch_unwind(AssertUnwindSafe(|| read(capture))).map_err(|_| Unread::Broken)
}

/// Reads a page of a collection: the place says that it is under way, so that one which ends the process is not
/// begun a third time, and one that takes too long is not begun again. The second time is a trial: it waits for its
/// moment, and has a thread of its own.
///
/// # Errors
/// As [`read_within`], and when it was given up before.
pub fn read_noted<T: Send + 'static>(
    place: &ReadingPlace,
    capture: &Capture,
    limits: &ReadLimits,
    read: impl FnOnce(&Capture) -> T + Send + 'static,
) -> Result<T, Unread> {
    let id = capture.url.id();
    let is_doubtful = place.is_doubtful(id);
    if is_doubtful {
        std::thread::sleep(place.trial_wait());
    }
    if !place.begin(id) {
        return Err(Unread::GivenUp);
    }
    let made = match is_doubtful {
        // Small markup may have hung as well.
        true => within(Arc::new(capture.clone()), limits, read),
        false => read_within(capture, limits, read),
    };
    match made {
        Err(Unread::Overdue) => place.give_up(id),
        _ => place.end(id),
    }
    made
}

/// The thread that reads one page, as it is seen from outside.
#[derive(Debug, Default)]
struct PageThread {
    /// Where the system tells how long it has worked, if it does; set when the thread has begun.
    told: OnceLock<Option<PathBuf>>,
    is_left: AtomicBool,
}

impl PageThread {
    /// How long it has worked; none where the system does not tell.
    fn cpu(&self) -> Option<Duration> {
        let Some(told) = self.told.get() else { return Some(Duration::ZERO) };
        let text = std::fs::read_to_string(told.as_ref()?).ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    }

    /// Runs on the thread itself.
    fn run<T>(&self, work: impl FnOnce() -> T, done: &SyncSender<Option<T>>) {
        // "PID/task/TID"
        let name = std::fs::read_link("/proc/thread-self").ok();
        let told = name.map(|name| PathBuf::from("/proc").join(name).join("schedstat"));
        let _ = self.told.set(told);
        let made = catch_unwind(AssertUnwindSafe(work)).ok();
        // Nobody waits any more for one that was left behind.
        let _ = done.try_send(made);
        if self.is_left.swap(true, Relaxed) {
            LEFT.fetch_sub(1, Relaxed);
        }
    }

    /// Goes on without it.
    fn leave(&self) {
        if !self.is_left.swap(true, Relaxed) {
            LEFT.fetch_add(1, Relaxed);
        }
    }
}

fn within<T: Send + 'static>(
    capture: Arc<Capture>,
    limits: &ReadLimits,
    read: impl FnOnce(&Capture) -> T + Send + 'static,
) -> Result<T, Unread> {
    if LEFT.load(Relaxed) >= MOST_LEFT {
        return Err(Unread::NotBegun);
    }
    let (done, made) = sync_channel(1);
    let thread = Arc::new(PageThread::default());
    let (inside, url) = (Arc::clone(&thread), capture.url.clone());
    let run = move || inside.run(|| read(&capture), &done);
    let start = Instant::now();
    let spawned = std::thread::Builder::new().name("page".to_owned()).spawn(run);
    if let Err(error) = spawned {
        tracing::warn!(%error, "no thread could be started to read a page");
        return Err(Unread::NotBegun);
    }
    let mut wait = limits.wall;
    loop {
        match made.recv_timeout(wait) {
            Ok(made) => return made.ok_or(Unread::Broken),
            Err(RecvTimeoutError::Disconnected) => return Err(Unread::Broken),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let has_worked = thread.cpu().is_none_or(|cpu| cpu >= limits.cpu);
        if has_worked || start.elapsed() >= limits.longest {
            thread.leave();
            tracing::warn!(url = url.as_str(), "a page took too long to read");
            return Err(Unread::Overdue);
        }
        wait = LOOK;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::Url;
    use std::sync::mpsc::channel;

    const NO_TIME: ReadLimits =
        ReadLimits { wall: Duration::ZERO, cpu: Duration::ZERO, longest: Duration::ZERO };

    fn capture(payload: &[u8]) -> Capture {
        let url = Url::parse("http://a.test/").unwrap();
        let (headers, payload) = (Vec::new(), payload.to_vec());
        Capture { url, time: 0, status: 200, headers, payload, truncated: None }
    }

    #[test]
    fn a_page_without_end_is_left_behind_and_one_that_breaks_is_told() {
        let (pdf, limits) = (capture(b"%PDF-1.4"), ReadLimits::default());
        assert_eq!(read_within(&pdf, &limits, |page| page.payload.len()), Ok(8));
        let broken = read_within(&pdf, &limits, |_| -> u8 { panic!("as a broken reader would") });
        assert_eq!(broken, Err(Unread::Broken));
        let (release, held) = channel::<()>();
        let endless = read_within(&pdf, &NO_TIME, move |_| held.recv().is_ok());
        assert_eq!((endless, LEFT.load(Relaxed)), (Err(Unread::Overdue), 1));
        // With many of them nothing more is begun, until they come to an end.
        let mut others = Vec::new();
        for _ in 1..MOST_LEFT {
            let (release, held) = channel::<()>();
            let endless = read_within(&pdf, &NO_TIME, move |_| held.recv().is_ok());
            assert_eq!(endless, Err(Unread::Overdue));
            others.push(release);
        }
        assert_eq!(read_within(&pdf, &limits, |_| ()), Err(Unread::NotBegun));
        // What takes no thread is read as ever.
        assert_eq!(read_within(&capture(b"<p>eel"), &NO_TIME, |page| page.payload.len()), Ok(6));
        drop((release, others));
        while LEFT.load(Relaxed) > 0 {
            std::thread::yield_now();
        }
        assert_eq!(read_within(&pdf, &limits, |_| ()), Ok(()));
    }

    #[test]
    fn a_thread_that_waits_for_its_turn_is_waited_for() {
        let limits = ReadLimits {
            wall: Duration::ZERO,
            cpu: Duration::from_secs(3_600),
            ..ReadLimits::default()
        };
        assert_eq!(read_within(&capture(b"%PDF-1.4"), &limits, |page| page.status), Ok(200));
    }
}
