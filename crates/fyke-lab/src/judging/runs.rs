//! Runs that are kept with the judgements, to be pooled, measured and compared: `judgements/runs/`, a
//! file in TREC's format each.

use anyhow::Context;
use fyke_eval::Run;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes of the longest run that the site reads.
const LONGEST: u64 = 256 << 20;
const EXTENSION: &str = "run";

/// The file of a run.
///
/// # Errors
/// When the name cannot be that of a file and of a run.
pub fn path(dir: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let fits =
        (1..=64).contains(&name.len()) && !name.starts_with('.') && name.chars().all(is_plain);
    anyhow::ensure!(fits, "{name:?} cannot name a run: use letters, digits, - and _");
    Ok(dir.join(format!("{name}.{EXTENSION}")))
}

/// Writes a run; it stands under its name only when it is whole.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, run: &impl std::fmt::Display) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let put = || -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(run.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    put().with_context(|| format!("cannot write {}", path.display()))
}

/// The files of all runs, by name.
///
/// # Errors
/// When the folder cannot be read.
pub fn files(dir: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if let (Some(name), Some(true)) = (name, path.extension().map(|e| e == EXTENSION)) {
            found.push((name.to_owned(), path));
        }
    }
    found.sort();
    Ok(found)
}

/// A run that is kept.
///
/// # Errors
/// When it cannot be read or is none.
pub fn read(path: &Path) -> anyhow::Result<Run> {
    let read = || -> anyhow::Result<Run> {
        let length = std::fs::metadata(path)?.len();
        anyhow::ensure!(length <= LONGEST, "{length} bytes are too long for a run");
        Ok(Run::parse(&std::fs::read_to_string(path)?)?)
    };
    read().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_comes_back_under_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("runs");
        assert!(files(&folder).unwrap().is_empty());
        let run = Run::parse("1 Q0 http://a.test/ 1 2 own\n").unwrap();
        write(&path(&folder, "b").unwrap(), &run).unwrap();
        write(&path(&folder, "a-1").unwrap(), &run).unwrap();
        let found = files(&folder).unwrap();
        assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a-1", "b"]);
        assert_eq!(read(&found[1].1).unwrap(), run);
    }

    #[test]
    fn a_name_is_that_of_a_file_in_its_folder() {
        for name in ["", ".", "..", "../x", "a/b", "a b", "é", &"x".repeat(65)] {
            assert!(path(Path::new("d"), name).is_err(), "{name:?}");
        }
    }
}
