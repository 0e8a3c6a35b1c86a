//! Walking a folder of files in the order of their URLs. One folder's names are held at a time, with
//! those of the folders above it; hidden names and links to folders are skipped, so there are no
//! loops.

use fyke_store::archive::escaped;
use fyke_web::Url;
use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Deepest folder that is entered.
const MOST_DEPTH: usize = 128;
/// Kinds of file that hold something to read, by extension.
const KINDS: &[&str] = &[
    "html", "htm", "xhtml", "pdf", "txt", "md", "doc", "docx", "odt", "rtf", "ps", "epub", "ppt",
    "pptx", "odp", "xls", "xlsx", "ods", "csv", "tex",
];

/// Which files are listed, and how.
#[derive(Clone, Debug)]
pub(super) struct FolderRules {
    /// URL of the folder; it ends with a slash.
    pub base: Url,
    /// Files of every kind.
    pub all: bool,
    /// index.html stands for its folder.
    pub folders: bool,
}

/// A file to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FolderEntry {
    pub url: String,
    /// When it was last changed, as "2026-11-15T07:30:00Z".
    pub modified: Option<String>,
}

/// A name in a folder; a folder's own sorts as its URL does, with a slash at its end.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FolderName {
    sort: Vec<u8>,
    name: OsString,
    is_folder: bool,
}

/// A folder being read: its path, its URL, and the names still to come, the last first.
#[derive(Debug)]
struct FolderLevel {
    path: PathBuf,
    url: String,
    names: Vec<FolderName>,
}

/// An iterator over the files of a folder.
#[derive(Debug)]
pub(super) struct FolderWalk {
    rules: FolderRules,
    levels: Vec<FolderLevel>,
    left_out: Option<PathBuf>,
    /// What could not be read or named.
    pub troubles: Vec<String>,
}

impl FolderWalk {
    #[must_use]
    pub(super) fn new(dir: &Path, rules: FolderRules) -> FolderWalk {
        let url = rules.base.as_str().to_owned();
        let mut walk =
            FolderWalk { rules, levels: Vec::new(), left_out: None, troubles: Vec::new() };
        walk.enter(dir.to_owned(), url);
        walk
    }

    /// URL of the folder.
    #[must_use]
    pub(super) fn base(&self) -> &Url {
        &self.rules.base
    }

    /// A file that is being written and not to be listed.
    pub(super) fn leave_out(&mut self, path: &Path) {
        self.left_out = std::path::absolute(path).ok();
    }

    fn enter(&mut self, path: PathBuf, url: String) {
        if self.levels.len() >= MOST_DEPTH {
            self.troubles.push(format!("{}: too deep", path.display()));
            return;
        }
        let names = std::fs::read_dir(&path).and_then(|entries| {
            let names = entries.map(|entry| entry.and_then(|entry| name(&entry)));
            names.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()
        });
        match names {
            Err(error) => self.troubles.push(format!("{}: {error}", path.display())),
            Ok(mut names) => {
                names.sort_unstable_by(|a, b| b.cmp(a));
                self.levels.push(FolderLevel { path, url, names });
            }
        }
    }

    /// The entry of a file, if it is to be listed.
    fn entry(&mut self, path: &Path, folder: &str, name: &OsStr) -> Option<FolderEntry> {
        let extension = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_kind = KINDS.iter().any(|kind| extension.eq_ignore_ascii_case(kind));
        let is_left_out =
            self.left_out.is_some() && std::path::absolute(path).ok() == self.left_out;
        // Follows a link: what counts is the file behind it.
        let file = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        if !(is_kind || self.rules.all) || is_left_out {
            return None;
        }
        let is_index = name == "index.html" || name == "index.htm";
        let last =
            if self.rules.folders && is_index { String::new() } else { escaped(name.as_bytes()) };
        let url = format!("{folder}{last}");
        match Url::parse(&url) {
            Ok(_) => Some(FolderEntry { url, modified: modified(&file) }),
            Err(error) => {
                self.troubles.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }
}

impl Iterator for FolderWalk {
    type Item = FolderEntry;

    fn next(&mut self) -> Option<FolderEntry> {
        loop {
            let level = self.levels.last_mut()?;
            let Some(FolderName { name, is_folder, .. }) = level.names.pop() else {
                self.levels.pop();
                continue;
            };
            let (path, folder) = (level.path.join(&name), level.url.clone());
            if is_folder {
                self.enter(path, format!("{folder}{}/", escaped(name.as_bytes())));
            } else if let Some(entry) = self.entry(&path, &folder, &name) {
                return Some(entry);
            }
        }
    }
}

/// The name of an entry; none for hidden ones and for what is neither file nor folder nor link.
fn name(entry: &DirEntry) -> std::io::Result<Option<FolderName>> {
    let kind = entry.file_type()?;
    let name = entry.file_name();
    let is_hidden = name.as_bytes().starts_with(b".");
    if is_hidden || !(kind.is_dir() || kind.is_file() || kind.is_symlink()) {
        return Ok(None);
    }
    let slash = if kind.is_dir() { "/" } else { "" };
    let sort = format!("{}{slash}", escaped(name.as_bytes())).into_bytes();
    Ok(Some(FolderName { sort, name, is_folder: kind.is_dir() }))
}

fn modified(file: &Metadata) -> Option<String> {
    let time = jiff::Timestamp::try_from(file.modified().ok()?).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}
