//! A file of JSON lines that is only ever added to: what people said stays as they said it. A line
//! is on the disk before it is acknowledged; one that a crash tore is skipped with a warning.
//! Several processes may add to one file; each reads what the others added when it looks again.

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of the longest line that is taken.
const LONGEST: usize = 64 << 10;

/// What the lines of a file add up to.
pub trait Account: Default {
    type Row: Serialize + DeserializeOwned;

    /// Takes the next line in.
    fn take(&mut self, row: Self::Row);
}

/// A file and what its lines add up to.
#[derive(Debug)]
pub struct Journal<A> {
    path: PathBuf,
    account: A,
    /// Bytes taken in, and of which file: another one of the same name is read from its start.
    read: u64,
    inode: u64,
    passed_over: u64,
}

impl<A: Account> Journal<A> {
    /// Reads the file; one that is not there has no lines.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: PathBuf) -> anyhow::Result<Journal<A>> {
        let mut journal =
            Journal { path, account: A::default(), read: 0, inode: 0, passed_over: 0 };
        journal.refresh()?;
        Ok(journal)
    }

    pub fn account(&self) -> &A {
        &self.account
    }

    /// Lines that could not be understood.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// Another version, another account.
    pub fn version(&self) -> (u64, u64) {
        (self.inode, self.read)
    }

    /// Takes in what was added since, by whomever.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn refresh(&mut self) -> anyhow::Result<()> {
        self.catch_up().with_context(|| format!("cannot read {}", self.path.display()))
    }

    fn catch_up(&mut self) -> std::io::Result<()> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.start_over(0);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let meta = file.metadata()?;
        if meta.ino() != self.inode || meta.len() < self.read {
            self.start_over(meta.ino());
        }
        if meta.len() == self.read {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.read))?;
        self.take_lines(BufReader::new(file.take(meta.len() - self.read)))
    }

    fn start_over(&mut self, inode: u64) {
        (self.account, self.read, self.inode, self.passed_over) = (A::default(), 0, inode, 0);
    }

    /// Takes in whole lines; the last one may still be under way.
    fn take_lines(&mut self, mut lines: impl BufRead) -> std::io::Result<()> {
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            self.read += line.len() as u64;
            let is_blank = line.iter().all(u8::is_ascii_whitespace);
            let row = serde_json::from_slice(&line).ok().filter(|_| line.len() <= LONGEST);
            match row {
                Some(row) => self.account.take(row),
                None if is_blank => {}
                None => self.pass_over(),
            }
            line.clear();
        }
        Ok(())
    }

    fn pass_over(&mut self) {
        self.passed_over += 1;
        let (path, before) = (self.path.display(), self.read);
        tracing::warn!(%path, before, "a damaged line was skipped");
    }

    /// Adds lines. They are on the disk when it returns.
    ///
    /// # Errors
    /// When they cannot be written: then none is acknowledged.
    pub fn append(&mut self, rows: &[A::Row]) -> anyhow::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut lines = Vec::new();
        for row in rows {
            let start = lines.len();
            serde_json::to_writer(&mut lines, row)?;
            lines.push(b'\n');
            anyhow::ensure!(lines.len() - start <= LONGEST, "a line of more than {LONGEST} bytes");
        }
        self.write(&lines).with_context(|| format!("cannot write {}", self.path.display()))?;
        self.refresh()
    }

    fn write(&self, lines: &[u8]) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let is_new = !self.path.exists();
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&self.path)?;
        // Goes with the file, however this ends.
        file.lock()?;
        if is_torn(&mut file)? {
            file.write_all(b"\n")?;
        }
        file.write_all(lines)?;
        file.sync_data()?;
        if is_new {
            sync_folder(folder)?;
            sync_folder(folder.parent().unwrap_or(folder))?;
        }
        Ok(())
    }
}

/// Whether the last line has no end.
fn is_torn(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// A new name must not go with the next power cut.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Default)]
    struct NumberJournal(Vec<i64>);

    impl Account for NumberJournal {
        type Row = i64;

        fn take(&mut self, row: i64) {
            self.0.push(row);
        }
    }

    fn numbers(path: &Path) -> Journal<NumberJournal> {
        Journal::open(path.to_owned()).unwrap()
    }

    #[test]
    fn two_who_write_one_file_see_each_others_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/numbers.jsonl");
        let (mut first, mut second) = (numbers(&path), numbers(&path));
        first.append(&[1, 2]).unwrap();
        second.append(&[3]).unwrap();
        first.append(&[4]).unwrap();
        assert_eq!(first.account().0, [1, 2, 3, 4]);
        second.refresh().unwrap();
        assert_eq!(second.account().0, [1, 2, 3, 4]);
    }

    #[test]
    fn a_file_that_was_written_anew_is_read_from_its_start() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("numbers.jsonl");
        let mut journal = numbers(&path);
        journal.append(&[1, 2]).unwrap();
        std::fs::write(dir.path().join("other"), "7\n").unwrap();
        std::fs::rename(dir.path().join("other"), &path).unwrap();
        journal.refresh().unwrap();
        assert_eq!(journal.account().0, [7]);
        std::fs::remove_file(&path).unwrap();
        journal.refresh().unwrap();
        assert!(journal.account().0.is_empty() && journal.version() == (0, 0));
    }

    proptest! {
        #[test]
        fn cut_anywhere_the_file_keeps_its_whole_lines_and_takes_more(
            before in proptest::collection::vec(any::<i64>(), 1..9),
            cut in any::<prop::sample::Index>(),
            after in any::<i64>(),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("numbers.jsonl");
            numbers(&path).append(&before).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let cut = cut.index(bytes.len() + 1);
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let whole = bytes[..cut].iter().filter(|byte| **byte == b'\n').count();
            let mut journal = numbers(&path);
            prop_assert_eq!(&journal.account().0, &before[..whole]);
            journal.append(&[after]).unwrap();
            let found = &journal.account().0;
            prop_assert_eq!(&found[..whole], &before[..whole]);
            prop_assert_eq!(found.last(), Some(&after));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..99)) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("numbers.jsonl");
            std::fs::write(&path, bytes).unwrap();
            let mut journal = numbers(&path);
            journal.append(&[5]).unwrap();
            prop_assert_eq!(journal.account().0.last(), Some(&5));
        }
    }
}
