//! Files of this machine as captures: what `fyke text` and `fyke import` share.

use fyke_store::archive::escaped;
use fyke_web::{Capture, Url};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Most bytes of one file that are read.
pub const MOST_BYTES: u64 = 64 << 20;
/// Folders inside each other that are entered.
const MOST_DEPTH: usize = 64;

/// A file, or why there is none.
pub type Input = Result<PathBuf, String>;

/// The file, or all files below the folder, by name; hidden ones are passed over, as are pipes, sockets and
/// devices, which might never end; links to folders are not followed.
#[must_use]
pub fn walk(path: &Path) -> Box<dyn Iterator<Item = Input> + Send> {
    // A folder is only read when its turn has come.
    let mut open: Vec<std::vec::IntoIter<Input>> = vec![vec![Ok(path.to_owned())].into_iter()];
    let mut is_named = true;
    Box::new(std::iter::from_fn(move || {
        loop {
            let Some(next) = open.last_mut()?.next() else {
                open.pop();
                continue;
            };
            let Ok(path) = next else { return Some(next) };
            let is_link = !std::mem::take(&mut is_named) && path.is_symlink();
            if !path.is_dir() || path == Path::new("-") {
                return Some(Ok(path));
            }
            if !is_link && open.len() < MOST_DEPTH {
                open.push(entries(&path).into_iter());
            }
        }
    }))
}

fn entries(folder: &Path) -> Vec<Input> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            if !name.as_encoded_bytes().starts_with(b".") && may_be_read(&path) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    };
    match read() {
        Ok(paths) => paths.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(format!("{}: {error}", folder.display()))],
    }
}

/// Whether a path leads to a file or a folder, or nowhere, which whoever reads it is told.
fn may_be_read(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir())
}

/// The names in a list, each ended by a null character.
pub fn listed(list: impl Read + Send) -> impl Iterator<Item = PathBuf> + Send {
    let names = BufReader::new(list).split(0).map_while(Result::ok);
    names.filter(|name| !name.is_empty()).map(path_of)
}

#[cfg(unix)]
fn path_of(name: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(name).into()
}

#[cfg(not(unix))]
fn path_of(name: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&name).into_owned().into()
}

/// The bytes of a regular file, as far as they are read.
///
/// # Errors
/// When it cannot be read or is no regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file as if it had been fetched; by its own URL where no other is given.
#[must_use]
pub fn capture(path: &Path, url: Option<&Url>, payload: Vec<u8>) -> Capture {
    Capture {
        url: url.cloned().unwrap_or_else(|| url_of(path)),
        time: modified(path),
        status: 200,
        headers: Vec::new(),
        payload,
        truncated: None,
    }
}

/// The `file:` URL of a path; one whose name is too long for a URL keeps its end.
#[must_use]
pub(crate) fn url_of(path: &Path) -> Url {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let steps = absolute.components().filter_map(|step| match step {
        std::path::Component::Normal(name) => Some(escaped(name.as_encoded_bytes())),
        _ => None,
    });
    let text: Vec<String> = steps.collect();
    let text = text.join("/");
    let end = text.get(text.len().saturating_sub(2_000)..).unwrap_or_default();
    Url::stored(&format!("file:///{end}")).expect("an escaped path is a URL")
}

/// When a file was written, in milliseconds since 1970.
#[must_use]
pub fn modified(path: &Path) -> i64 {
    let time = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(0)
}
