//! Writing the log: a file a day, `searches/2026-11-16.jsonl`, lines appended and never changed.
//! Days older than the settings allow are deleted, and the oldest ones when all are too large; when
//! today's alone is, the rest of the day is not logged. One thread writes, a whole line at a time.

use super::SearchRecord;
use fyke_stages::show;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Lines that may wait for the disk; more are dropped.
const WAITING: usize = 1_024;
const DAY_MILLIS: i64 = 86_400_000;
/// How long nothing is written before old days are looked for.
const A_WHILE: Duration = Duration::from_secs(3_600);

/// The log, open for writing.
#[derive(Debug)]
pub(crate) struct SearchLog {
    lines: Option<SyncSender<DatedLine>>,
    writer: Option<JoinHandle<()>>,
}

/// A line and the day, counted from 1970, on which it was made.
#[derive(Debug)]
struct DatedLine {
    day: i64,
    text: String,
}

impl SearchLog {
    pub(crate) fn open(folder: PathBuf, days: u32, bytes: u64) -> SearchLog {
        let (lines, waiting) = sync_channel(WAITING);
        let days = Days { folder, keep: i64::from(days), limit: bytes, today: None, torn: true };
        if let Err(error) = days.tidy(day(show::now()), 0) {
            tracing::warn!(%error, "old searches cannot be deleted");
        }
        let writer = std::thread::Builder::new().name("searches".into());
        let writer = writer.spawn(move || write(days, &waiting)).ok();
        SearchLog { lines: Some(lines), writer }
    }

    /// Has a line written, soon; drops it if the disk cannot keep up.
    pub(crate) fn append(&self, now: i64, record: &SearchRecord) {
        let Ok(mut text) = serde_json::to_string(record) else { return };
        text.push('\n');
        let line = DatedLine { day: day(now), text };
        if let Some(lines) = &self.lines
            && lines.try_send(line).is_err()
        {
            tracing::warn!("a line of the log of searches was dropped");
        }
    }
}

impl Drop for SearchLog {
    /// What was accepted is written before the program ends.
    fn drop(&mut self) {
        self.lines = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn write(mut days: Days, lines: &Receiver<DatedLine>) {
    let mut well = true;
    loop {
        let done = match lines.recv_timeout(A_WHILE) {
            Ok(line) => days.append(&line),
            // Where nobody searches, old days go all the same.
            Err(RecvTimeoutError::Timeout) => days.tidy(day(show::now()), 0).map(|_| ()),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if let (Err(error), true) = (&done, well) {
            let folder = days.folder.display().to_string();
            tracing::warn!(%error, folder, "the log of searches cannot be written");
        }
        well = done.is_ok();
    }
}

/// The files of the log.
#[derive(Debug)]
struct Days {
    folder: PathBuf,
    /// Days that are kept.
    keep: i64,
    /// Bytes of all of them.
    limit: u64,
    /// The day of the last line, and the bytes there were then.
    today: Option<(i64, u64)>,
    /// Whether the last line may have been cut off.
    torn: bool,
}

impl Days {
    fn append(&mut self, line: &DatedLine) -> io::Result<()> {
        let length = line.text.len() as u64;
        let known = self
            .today
            .filter(|(day, bytes)| *day == line.day && bytes.saturating_add(length) <= self.limit);
        let bytes = match known {
            Some((_, bytes)) => bytes,
            None => self.tidy(line.day, length)?,
        };
        if bytes + length > self.limit {
            return Err(io::Error::other("today's searches alone are larger than serve.log_bytes"));
        }
        let path = self.folder.join(name(line.day));
        // Made and opened for every line: whoever deletes the log is obeyed at once.
        fs::create_dir_all(&self.folder)?;
        let mut file = OpenOptions::new().append(true).read(true).create(true).open(path)?;
        if std::mem::replace(&mut self.torn, true) && is_torn(&mut file)? {
            file.write_all(b"\n")?;
        }
        file.write_all(line.text.as_bytes())?;
        self.torn = false;
        self.today = Some((line.day, bytes + length));
        Ok(())
    }

    /// Makes room: deletes what is too old, and then the oldest days but today. Gives the bytes that
    /// are left.
    fn tidy(&self, today: i64, length: u64) -> io::Result<u64> {
        let mut sizes = Vec::new();
        for path in files(&self.folder)? {
            sizes.push((fs::metadata(&path)?.len(), path));
        }
        let mut bytes: u64 = sizes.iter().map(|(size, _)| size).sum();
        let first = name(today - self.keep + 1);
        for (size, path) in sizes {
            let day = path.file_name().unwrap_or_default();
            let is_old = day < first.as_str();
            if is_old || (bytes + length > self.limit && day < name(today).as_str()) {
                fs::remove_file(&path)?;
                bytes -= size;
            }
        }
        Ok(bytes)
    }
}

/// Whether a file does not end with a whole line.
fn is_torn(file: &mut fs::File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// The day, counted from 1970, of a moment in milliseconds.
fn day(now: i64) -> i64 {
    now.div_euclid(DAY_MILLIS)
}

fn name(day: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(day * DAY_MILLIS).unwrap_or_default();
    time.strftime("%Y-%m-%d.jsonl").to_string()
}

/// The files of the log, the oldest first; what else is in the folder is somebody else's.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.len() == "2026-11-16.jsonl".len() && name.ends_with(".jsonl")
    });
    paths.sort();
    Ok(paths)
}

/// Deletes the log of the collection at `root`; gives how many days it had.
///
/// # Errors
/// When a file cannot be deleted.
pub fn forget(root: &Path) -> io::Result<usize> {
    let folder = super::folder(root);
    let files = files(&folder)?;
    for path in &files {
        fs::remove_file(path)?;
    }
    // Only if nothing else is in it.
    let _ = fs::remove_dir(folder);
    Ok(files.len())
}

#[cfg(test)]
mod tests {
    use super::super::Click;
    use super::*;

    fn days(folder: &Path, keep: i64, limit: u64) -> Days {
        Days { folder: folder.to_owned(), keep, limit, today: None, torn: true }
    }

    fn line(day: i64, text: &str) -> DatedLine {
        DatedLine { day, text: format!("{text}\n") }
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        files(folder).unwrap().into_iter().map(name).collect()
    }

    #[test]
    fn old_days_go_and_what_is_not_of_the_log_stays() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("notes.jsonl"), "mine").unwrap();
        let mut log = days(dir.path(), 3, 1_000);
        for day in 20_000..20_006 {
            log.append(&line(day, "x")).unwrap();
        }
        assert_eq!(names(dir.path()), ["2024-10-07.jsonl", "2024-10-08.jsonl", "2024-10-09.jsonl"]);
        assert!(dir.path().join("notes.jsonl").exists());
    }

    #[test]
    fn the_log_never_grows_beyond_its_limit() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = days(dir.path(), 90, 30);
        let mut refused = 0;
        for day in [1, 1, 2, 3, 3, 3, 3, 4, 5, 5] {
            refused += usize::from(log.append(&line(day, "123456789")).is_err());
            let sizes = files(dir.path()).unwrap();
            let sizes = sizes.iter().map(|path| fs::metadata(path).unwrap().len());
            assert!(sizes.sum::<u64>() <= 30);
        }
        assert_eq!(refused, 1, "only the fourth line of the third day has no room");
        assert_eq!(names(dir.path()), ["1970-01-05.jsonl", "1970-01-06.jsonl"]);
    }

    #[test]
    fn a_line_cut_off_is_left_alone_and_the_next_begins_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name(9));
        fs::write(&path, "whole\nto").unwrap();
        let mut log = days(dir.path(), 90, 1_000);
        log.append(&line(9, "next")).unwrap();
        log.append(&line(9, "last")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole\nto\nnext\nlast\n");
    }

    #[test]
    fn a_log_deleted_under_way_begins_again() {
        let root = tempfile::tempdir().unwrap();
        let mut log = days(&super::super::folder(root.path()), 90, 1_000);
        log.append(&line(9, "one")).unwrap();
        assert_eq!(forget(root.path()).unwrap(), 1);
        assert!(!super::super::folder(root.path()).exists());
        log.append(&line(9, "two")).unwrap();
        assert_eq!(forget(root.path()).unwrap(), 1);
        assert_eq!(forget(root.path()).unwrap(), 0);
    }

    #[test]
    fn lines_from_many_threads_stay_whole() {
        let dir = tempfile::tempdir().unwrap();
        let log = SearchLog::open(dir.path().to_owned(), 90, 1 << 20);
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let log = &log;
                scope.spawn(move || {
                    for rank in 0..50 {
                        let (id, time) = (thread, "t".repeat(200));
                        log.append(0, &SearchRecord::Click(Click { id, time, rank }));
                    }
                });
            }
        });
        drop(log);
        let text = fs::read_to_string(dir.path().join(name(0))).unwrap();
        let whole = text.lines().filter(|line| serde_json::from_str::<SearchRecord>(line).is_ok());
        assert_eq!((whole.count(), text.lines().count()), (400, 400));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_trouble_for_who_searches() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("in the way");
        fs::write(&file, "").unwrap();
        let log = SearchLog::open(file.join("searches"), 90, 1 << 20);
        log.append(0, &SearchRecord::Click(Click { id: 1, time: String::new(), rank: 1 }));
        drop(log);
        assert_eq!(fs::read(&file).unwrap(), b"");
    }
}
