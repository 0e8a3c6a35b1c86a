//! A crawl and sites in other processes: the crawl tells how it stands in a file of the collection's folder
//! and looks for orders there. Who may write into the folder may give orders; a site takes them from its
//! own pages alone, as those to a crawl of its own process.
//!
//! `crawl/status.json` is replaced every second and removed at the end; one that is older than a few
//! seconds is of a crawl that was killed. An order is a file `crawl/NAME.order`, removed when it is obeyed.

use super::live::{Live, Phase};
use super::told::CrawlReport;
use fyke_crawl::{Control, HostNow};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// How often a crawl looks for orders; it tells of itself every second time, of its hosts less often.
const EVERY: Duration = Duration::from_millis(500);
const TELLS: u32 = 2;
const HOSTS: u32 = 8;
/// A crawl that told nothing for so long runs no more.
const STALE: Duration = Duration::from_secs(5);
/// No status and no order is larger.
const MOST: u64 = 1 << 20;
const STATUS: &str = "status.json";
const ORDER: &str = "order";

/// An order to a crawl.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrawlOrder {
    pub name: String,
    #[serde(default)]
    pub host: String,
}

fn folder(root: &Path) -> PathBuf {
    root.join("crawl")
}

/// What the crawl of another process told last; none when none runs.
#[must_use]
pub(crate) fn told(root: &Path) -> Option<CrawlReport> {
    let path = folder(root).join(STATUS);
    let age = SystemTime::now().duration_since(fs::metadata(&path).ok()?.modified().ok()?);
    if age.is_ok_and(|age| age > STALE) {
        return None;
    }
    serde_json::from_str(&read(&path)?).ok()
}

fn read(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MOST);
    is_small.then(|| fs::read_to_string(path).ok()).flatten()
}

/// Gives an order to the crawl of another process.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn send(root: &Path, order: &CrawlOrder) -> anyhow::Result<()> {
    let file = tempfile::Builder::new().suffix(".new").tempfile_in(folder(root))?;
    serde_json::to_writer(&file, order)?;
    let path = file.path().with_extension(ORDER);
    file.persist(path)?;
    Ok(())
}

/// A crawl that tells of itself; it stops to do so when this is dropped.
#[derive(Debug)]
pub struct Announced {
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Announced {
    /// Tells of a crawl from now on. Trouble is no reason not to crawl: it is told once.
    #[must_use]
    pub fn start(root: &Path, live: &Arc<Live>) -> Announced {
        let (over, ended) = mpsc::channel();
        let (dir, live) = (folder(root), Arc::clone(live));
        let thread = std::thread::spawn(move || {
            if let Err(error) = begin(&dir) {
                tracing::warn!(%error, "sites in other processes do not see this crawl");
                return;
            }
            let (mut hosts, mut turn) = (live.hosts(), 0);
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                turn += 1;
                if turn % HOSTS == 0 && live.phase() == Phase::Crawling {
                    hosts = live.hosts();
                }
                obey(&dir, &live.control);
                if turn % TELLS == 0 {
                    tell(&dir, &live, hosts.clone());
                }
            }
            let _ = fs::remove_file(dir.join(STATUS));
        });
        Announced { over: Some(over), thread: Some(thread) }
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        drop(self.over.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("the thread that tells of the crawl ended badly");
        }
    }
}

/// Makes the folder, and removes what a killed crawl left in it.
fn begin(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == ORDER || kind == "new" || kind == "json") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn tell(dir: &Path, live: &Live, hosts: Vec<HostNow>) {
    let write = || -> anyhow::Result<()> {
        let (new, path) = (dir.join("status.new"), dir.join(STATUS));
        fs::write(&new, serde_json::to_vec(&CrawlReport::of(live, hosts))?)?;
        Ok(fs::rename(new, path)?)
    };
    if let Err(error) = write() {
        tracing::debug!("the crawl's status could not be written: {error:#}");
    }
}

/// Obeys the orders there are, and removes them.
fn obey(dir: &Path, control: &Control) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let orders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    for path in orders.filter(|path| path.extension().is_some_and(|kind| kind == ORDER)) {
        let sent = read(&path).and_then(|text| serde_json::from_str::<CrawlOrder>(&text).ok());
        let _ = fs::remove_file(&path);
        let obeyed = sent.map(|sent| super::orders::obeyed(control, &sent));
        if obeyed.is_none_or(|obeyed| obeyed.is_err()) {
            tracing::warn!(path = %path.display(), "an order was not understood");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_is_seen_and_ordered_from_elsewhere_until_it_ends() {
        let root = tempfile::tempdir().expect("a folder");
        assert!(told(root.path()).is_none());
        let control = Control::new();
        let live = Live::new(control.clone());
        let dir = folder(root.path());
        begin(&dir).expect("a folder");
        tell(&dir, &live, Vec::new());
        assert_eq!(told(root.path()).expect("it runs").state, "running");
        let order = |name: &str, host: &str| {
            let sent = CrawlOrder { name: name.to_owned(), host: host.to_owned() };
            send(root.path(), &sent).expect("sent");
            obey(&dir, &control);
        };
        order("pause", "");
        assert!(control.is_paused());
        order("ban", "a.test");
        assert!(control.is_banned("a.test"));
        order("ban", "no host at all/");
        order("dance", "");
        order("resume", "");
        assert!(!control.is_paused() && !control.is_stopped());
        fs::write(dir.join("x.order"), vec![b'x'; 9]).expect("written");
        obey(&dir, &control);
        let left = fs::read_dir(&dir).expect("read").count();
        assert_eq!(left, 1, "the status alone");
        begin(&dir).expect("another crawl");
        assert!(told(root.path()).is_none());
    }

    #[test]
    fn what_a_killed_crawl_told_is_not_believed_for_long() {
        let root = tempfile::tempdir().expect("a folder");
        let dir = folder(root.path());
        begin(&dir).expect("a folder");
        tell(&dir, &Live::new(Control::new()), Vec::new());
        let file = fs::File::options().write(true).open(dir.join(STATUS)).expect("there");
        file.set_modified(SystemTime::now() - 2 * STALE).expect("set");
        assert!(told(root.path()).is_none());
    }
}
