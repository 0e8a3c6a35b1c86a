//! Which pages are being read: a page that ends the process, or that never ends, is known at the next opening, and
//! is not begun a third time (docs/decisions/013).
//!
//! `ledger/underway` has a place of eight bytes for each thread that reads: the id of the page it reads, or zero. It is
//! written before the page is read and again after it, and not synced: so it outlives a kill, and a power cut is no
//! page's doing.
//! Such a page may have stood there by chance, so its second beginning is a trial: it waits until the collection has been
//! open for a moment, and [`ReadingPlace::is_doubtful`] tells its reader to keep a thread apart for it.
//! `ledger/unfinished` lists the pages that were begun and not finished, a line each: the id and how often.
//! Whoever deletes it has them read again.

use crate::disk::{self, DiskFile, FileOpening};
use crate::tail::locked;
use fyke_web::UrlId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Beginnings without an end after which a page is given up.
const MOST_BEGINNINGS: u8 = 2;
/// A page that was begun once and not finished is begun again when the collection has been open so long, in milliseconds:
/// whoever ends the process sooner, again and again, does not do so because of that page.
const TRIAL: u64 = 2_000;
/// Bytes of a place.
const PLACE: usize = 8;
/// More places than threads could ever take: what is longer is no such file.
const MOST_PLACES: usize = 1 << 16;

/// The pages that are being read, and those that never came to an end.
#[derive(Debug)]
pub struct Underway {
    places: PathBuf,
    list: PathBuf,
    /// Opened when the first page is begun.
    file: OnceLock<Option<DiskFile>>,
    /// Places that a thread has.
    taken: Mutex<BTreeSet<u64>>,
    /// By page, how often it was begun and not finished.
    unfinished: Mutex<BTreeMap<UrlId, u8>>,
    /// Whether there is any such page: most often there is none, and no lock is taken.
    has_unfinished: AtomicBool,
    opened: Instant,
    /// See [`TRIAL`].
    trial: AtomicU64,
}

/// A thread's place.
#[derive(Debug)]
pub struct ReadingPlace {
    of: Arc<Underway>,
    number: u64,
}

impl Underway {
    /// Opens the notes in the ledger's folder, for its one writer. What stands under way was left by a process that
    /// is gone.
    ///
    /// # Errors
    /// When the notes cannot be read or written.
    pub(crate) fn open(ledger: &Path) -> io::Result<Arc<Underway>> {
        let (places, list) = (ledger.join("underway"), ledger.join("unfinished"));
        let mut unfinished = listed(&read(&list)?);
        let left = left_over(&read(&places)?);
        for id in &left {
            let times = unfinished.entry(*id).or_default();
            *times = times.saturating_add(1);
        }
        let has_unfinished = AtomicBool::new(!unfinished.is_empty());
        let underway = Underway {
            places,
            list,
            file: OnceLock::new(),
            taken: Mutex::default(),
            unfinished: Mutex::new(unfinished),
            has_unfinished,
            opened: Instant::now(),
            trial: AtomicU64::new(TRIAL),
        };
        if !left.is_empty() {
            underway.keep()?;
            disk::remove_file(&underway.places)?;
        }
        Ok(Arc::new(underway))
    }

    /// A place for a thread that will read pages.
    #[must_use]
    pub fn place(self: &Arc<Self>) -> ReadingPlace {
        let mut taken = locked(&self.taken);
        let number = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
        taken.insert(number);
        ReadingPlace { of: Arc::clone(self), number }
    }

    /// Whether a page is not read any more.
    #[must_use]
    pub(crate) fn is_given_up(&self, id: UrlId) -> bool {
        self.beginnings(id) >= MOST_BEGINNINGS
    }

    /// Whether a page was begun before and not finished, and is not given up: it may have ended the process, or stood
    /// there by chance.
    #[must_use]
    pub fn is_doubtful(&self, id: UrlId) -> bool {
        (1..MOST_BEGINNINGS).contains(&self.beginnings(id))
    }

    /// Has doubtful pages begun without a wait.
    pub fn skip_trial_wait(&self) {
        self.trial.store(0, Relaxed);
    }

    /// How often a page was begun and not finished.
    fn beginnings(&self, id: UrlId) -> u8 {
        match self.has_unfinished.load(Relaxed) {
            true => locked(&self.unfinished).get(&id).copied().unwrap_or_default(),
            false => 0,
        }
    }

    /// Notes that a page took too long, however often it was begun.
    pub(crate) fn give_up(&self, id: UrlId) {
        locked(&self.unfinished).insert(id, MOST_BEGINNINGS);
        self.has_unfinished.store(true, Relaxed);
        self.try_to_keep();
    }

    /// A page was read to its end: if it stood there when a process ended, that was by chance.
    fn finish(&self, id: UrlId) {
        if self.has_unfinished.load(Relaxed) && locked(&self.unfinished).remove(&id).is_some() {
            self.try_to_keep();
        }
    }

    /// Writes the list. It saves work and holds no truth: where it cannot be written, the crawl goes on.
    fn try_to_keep(&self) {
        if let Err(error) = self.keep() {
            tracing::warn!(%error, "the list of unfinished pages could not be written");
        }
    }

    fn keep(&self) -> io::Result<()> {
        let unfinished = locked(&self.unfinished);
        let line = |(id, times): (&UrlId, &u8)| format!("{:016x} {times}\n", id.0);
        disk::replace(&self.list, unfinished.iter().map(line).collect::<String>().as_bytes())
    }

    fn write(&self, number: u64, id: UrlId) {
        let open = || match DiskFile::open(&self.places, FileOpening::Kept) {
            Ok(file) => Some(file),
            Err(error) => {
                tracing::warn!(%error, "pages under way cannot be noted");
                None
            }
        };
        if let Some(file) = self.file.get_or_init(open) {
            // As above: a disk that is full is found by those who must write.
            let _ = file.write_all_at(&id.0.to_le_bytes(), number * PLACE as u64);
        }
    }
}

impl ReadingPlace {
    /// Notes that a page is begun; false where it is not to be begun again.
    #[must_use]
    pub fn begin(&self, id: UrlId) -> bool {
        if self.of.is_given_up(id) {
            return false;
        }
        self.of.write(self.number, id);
        true
    }

    /// Whether a page was begun once and not finished, and is to be begun once more.
    #[must_use]
    pub fn is_doubtful(&self, id: UrlId) -> bool {
        self.of.is_doubtful(id)
    }

    /// How long such a page has to wait.
    #[must_use]
    pub fn trial_wait(&self) -> Duration {
        let trial = Duration::from_millis(self.of.trial.load(Relaxed));
        trial.saturating_sub(self.of.opened.elapsed())
    }

    /// See [`Underway::give_up`].
    pub fn give_up(&self, id: UrlId) {
        self.of.write(self.number, UrlId(0));
        self.of.give_up(id);
    }

    /// Notes that it was read to its end: whatever ends the process from now on, it was not this page.
    pub fn end(&self, id: UrlId) {
        self.of.write(self.number, UrlId(0));
        self.of.finish(id);
    }
}

impl Drop for ReadingPlace {
    fn drop(&mut self) {
        // A thread that ends as it should blames no page; one that panics leaves what it was reading.
        if self.of.file.get().is_some() && !std::thread::panicking() {
            self.of.write(self.number, UrlId(0));
        }
        locked(&self.of.taken).remove(&self.number);
    }
}

/// The bytes of a file; none where there is no such file.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// The pages that stand in the places.
fn left_over(bytes: &[u8]) -> BTreeSet<UrlId> {
    let places = bytes.as_chunks::<PLACE>().0.iter().take(MOST_PLACES);
    places.map(|id| UrlId(u64::from_le_bytes(*id))).filter(|id| id.0 != 0).collect()
}

/// The pages of the list; a line that is damaged is none.
fn listed(bytes: &[u8]) -> BTreeMap<UrlId, u8> {
    let text = String::from_utf8_lossy(bytes);
    let page = |line: &str| {
        let (id, times) = line.split_once(' ')?;
        Some((UrlId(u64::from_str_radix(id, 16).ok()?), times.parse().ok()?))
    };
    text.lines().filter_map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that begins these pages, each on a thread of its own, and is killed.
    fn killed(dir: &Path, pages: &[u64]) {
        let underway = Underway::open(dir).unwrap();
        for page in pages {
            let place = underway.place();
            assert!(place.begin(UrlId(*page)), "{page}");
            // Its place is never given back.
            std::mem::forget(place);
        }
    }

    #[test]
    fn a_page_that_was_begun_twice_and_never_finished_is_not_begun_a_third_time() {
        let dir = tempfile::tempdir().unwrap();
        killed(dir.path(), &[7, 8]);
        killed(dir.path(), &[9, 7]);
        let underway = Underway::open(dir.path()).unwrap();
        let place = underway.place();
        assert!(!place.begin(UrlId(7)));
        assert!(place.begin(UrlId(8)) && place.begin(UrlId(9)));
        // Nothing else was left of the kills.
        assert_eq!(fs::read(dir.path().join("underway")).unwrap().len(), PLACE);
        fs::remove_file(dir.path().join("unfinished")).unwrap();
        drop((place, underway));
        assert!(Underway::open(dir.path()).unwrap().place().begin(UrlId(7)));
    }

    #[test]
    fn a_page_that_is_finished_later_was_there_by_chance() {
        let dir = tempfile::tempdir().unwrap();
        killed(dir.path(), &[7]);
        let underway = Underway::open(dir.path()).unwrap();
        let place = underway.place();
        assert!(place.begin(UrlId(7)));
        place.end(UrlId(7));
        drop((place, underway));
        killed(dir.path(), &[7]);
        assert!(Underway::open(dir.path()).unwrap().place().begin(UrlId(7)));
    }

    #[test]
    fn a_page_that_was_read_to_its_end_is_not_to_blame_for_a_kill() {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            let underway = Underway::open(dir.path()).unwrap();
            let place = underway.place();
            assert!(place.begin(UrlId(7)));
            place.end(UrlId(7));
            std::mem::forget(place);
        }
        assert!(!dir.path().join("unfinished").exists());
    }

    #[test]
    fn a_process_that_ends_well_leaves_nothing_under_way() {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            let underway = Underway::open(dir.path()).unwrap();
            let (one, two) = (underway.place(), underway.place());
            assert!(one.begin(UrlId(1)) && two.begin(UrlId(2)));
            drop(one);
            assert_eq!(underway.place().number, 0, "a place that was given back serves again");
        }
        assert!(!Underway::open(dir.path()).unwrap().is_given_up(UrlId(1)));
        assert!(!dir.path().join("unfinished").exists());
    }

    #[test]
    fn a_page_that_took_too_long_is_given_up_at_once_and_for_good() {
        let dir = tempfile::tempdir().unwrap();
        Underway::open(dir.path()).unwrap().give_up(UrlId(5));
        assert!(Underway::open(dir.path()).unwrap().is_given_up(UrlId(5)));
    }

    #[test]
    fn damaged_notes_are_no_trouble() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("underway"), [1; 2 * PLACE + 3]).unwrap();
        fs::write(dir.path().join("unfinished"), b"\xff\n12 z\n00000000000000ff 2\n").unwrap();
        let underway = Underway::open(dir.path()).unwrap();
        assert!(underway.is_given_up(UrlId(255)) && !underway.is_given_up(UrlId(0x12)));
    }
}
