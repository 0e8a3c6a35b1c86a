//! `fyke sitemap`: a sitemap of a folder of files (003 §3.2.3), split into parts with an index where
//! the protocol's limits ask for it. Memory is bounded by one folder's names and two parts.

use super::folder::{FolderEntry, FolderRules, FolderWalk};
use super::{Exit, Failure, Global, output};
use anyhow::Context;
use fyke_stages::show;
use fyke_store::archive::escaped;
use fyke_web::Url;
use fyke_web::sitemap::{self, SitemapUrl};
use serde_json::json;
use std::cell::Cell;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Write a sitemap.xml for a folder of files
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke sitemap public --base https://tides.example/ > sitemap.xml
  fyke sitemap public --base https://tides.example/ --output public/sitemap.xml
  fyke sitemap papers --base https://tides.example/papers/ --json | jq .loc

Lists pages, texts and office documents with the modification time of the file. Hidden files and
folders are skipped, symbolic links to folders are not followed. With --output, more than 50,000
URLs or 50 MiB are split into sitemap-1.xml, sitemap-2.xml, … with an index, which expects them at
the base URL. Exit code 1 if a folder cannot be read.")]
pub(super) struct Args {
    /// The folder to list
    dir: PathBuf,
    /// URL at which the folder is served
    #[arg(long, value_name = "URL", default_value = "http://localhost/")]
    base: String,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// List every file, not only documents
    #[arg(long)]
    all: bool,
    /// List the folder instead of its index.html
    #[arg(long)]
    folders: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let base = base(&args.base)?;
    if !args.dir.is_dir() {
        return Err(Failure::usage(format!("{}: no such folder", args.dir.display())).into());
    }
    let rules = FolderRules { base, all: args.all, folders: args.folders };
    let mut walk = FolderWalk::new(&args.dir, rules);
    match (&args.output, global.json) {
        (Some(path), _) => {
            let written = write_parts(&mut walk, path)?;
            report(global, &written)?;
        }
        (None, true) => say_entries(&mut walk)?,
        (None, false) => say_sitemap(&mut walk)?,
    }
    for trouble in &walk.troubles {
        output::note(global.quiet, &output::tame(trouble));
    }
    Ok(if walk.troubles.is_empty() { Exit::Done } else { Exit::Failed })
}

/// The base as a folder's URL: it ends with a slash.
fn base(text: &str) -> anyhow::Result<Url> {
    let slash = if text.ends_with('/') { "" } else { "/" };
    let refuse = |why: String| Failure::usage(format!("--base {text:?}: {why}"));
    let url = Url::parse(&format!("{text}{slash}")).map_err(|error| refuse(error.to_string()))?;
    match url.path_and_query().contains('?') {
        true => Err(refuse("a query cannot stand for a folder".to_owned()).into()),
        false => Ok(url),
    }
}

/// The files of a folder as a sitemap lists them.
fn listed(walk: &mut FolderWalk) -> impl Iterator<Item = SitemapUrl> {
    walk.filter_map(|FolderEntry { url, modified }| {
        let url = Url::parse(&url).ok()?;
        Some(SitemapUrl { url, modified, priority: None, change: None })
    })
}

/// To standard output: one sitemap, held back until it is known to be whole.
fn say_sitemap(walk: &mut FolderWalk) -> anyhow::Result<()> {
    let mut files = sitemap::files(listed(walk));
    let text = files.next().unwrap_or_default();
    if files.next().is_some() {
        let message = "more URLs than one sitemap may hold; write parts with --output FILE";
        return Err(Failure::usage(message).into());
    }
    pipe(std::io::stdout().write_all(text.as_bytes()))
}

fn say_entries(walk: &mut FolderWalk) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for entry in walk {
        let line = json!({ "loc": entry.url, "lastmod": entry.modified });
        if let Err(error) = writeln!(out, "{line}") {
            return pipe(Err(error));
        }
    }
    pipe(out.flush())
}

/// A reader that went away is no error.
fn pipe(written: std::io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// What was written.
#[derive(Debug, Default, serde::Serialize)]
struct WrittenSitemaps {
    urls: u64,
    files: Vec<PathBuf>,
}

/// Writes parts beside `path`, then the index; a single part becomes `path` itself. Every file comes
/// whole or not at all.
fn write_parts(walk: &mut FolderWalk, path: &Path) -> anyhow::Result<WrittenSitemaps> {
    walk.leave_out(path);
    let base = walk.base().clone();
    let mut written = WrittenSitemaps::default();
    let urls = Cell::new(0);
    let mut files = sitemap::files(listed(walk).inspect(|_| urls.set(urls.get() + 1))).peekable();
    while let Some(text) = files.next() {
        let is_only = written.files.is_empty() && files.peek().is_none();
        let name = match is_only {
            true => path.to_owned(),
            false => part_name(path, written.files.len() + 1),
        };
        keep(&text, &name)?;
        written.files.push(name);
    }
    drop(files);
    written.urls = urls.get();
    if written.files.len() > 1 {
        let locations = written.files.iter().map(|part| {
            let name = part.file_name().unwrap_or_default();
            Url::parse(&format!("{}{}", base.as_str(), escaped(name.as_bytes())))
        });
        let locations = locations.collect::<Result<Vec<_>, _>>()?;
        keep(&sitemap::index(&locations), path)?;
        written.files.insert(0, path.to_owned());
    }
    Ok(written)
}

/// "sitemap.xml" → "sitemap-2.xml".
fn part_name(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Writes a file under another name first, readable as other files are.
fn keep(text: &str, path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> anyhow::Result<()> {
        let mut file = NamedTempFile::new_in(dir)?;
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("writing {}", path.display()))
}

fn report(global: &Global, written: &WrittenSitemaps) -> anyhow::Result<()> {
    if global.json {
        return output::say_json(written);
    }
    let files = written.files.iter().map(|file| output::tame(&file.display().to_string()));
    let files: Vec<String> = files.collect();
    output::say(&format!("{} URLs in {}", show::count(written.urls), files.join(", ")));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_a_folder() {
        let check = |text: &str, expected: Option<&str>| {
            let url = base(text).ok();
            assert_eq!(url.as_ref().map(Url::as_str), expected, "{text}");
        };
        check("https://a.test", Some("https://a.test/"));
        check("https://a.test/b", Some("https://a.test/b/"));
        check("https://a.test/b/", Some("https://a.test/b/"));
        check("https://a.test/?b", None);
        check("ftp://a.test/", None);
    }

    #[test]
    fn parts_are_numbered_before_the_extension() {
        let check = |path: &str, expected: &str| {
            assert_eq!(part_name(Path::new(path), 2), Path::new(expected));
        };
        check("a/sitemap.xml", "a/sitemap-2.xml");
        check("sitemap", "sitemap-2");
    }
}
