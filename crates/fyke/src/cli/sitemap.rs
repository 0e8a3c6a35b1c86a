//! `fyke sitemap`: a sitemap of a folder of files (003 §3.2.3), split into parts with an index where
//! the protocol's limits ask for it. Memory is bounded by one folder's names, and by one part where
//! it goes to standard output.

use super::folder::{Entry, Rules, Walk};
use super::{Exit, Failure, Global, output};
use crate::show;
use anyhow::Context;
use fyke_store::archive::escaped;
use fyke_web::Url;
use serde_json::json;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Most URLs of one sitemap, and most sitemaps of an index.
const MOST_URLS: usize = 50_000;
/// Most bytes of one sitemap; the protocol has 52,428,800, less what closes it.
const MOST_BYTES: usize = 52_428_700;
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Write a sitemap.xml for a folder of files
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke sitemap public --base https://tides.example/ > sitemap.xml
  fyke sitemap public --base https://tides.example/ --output public/sitemap.xml
  fyke sitemap papers --base https://tides.example/papers/ --json | jq .loc

Lists pages, texts and office documents, with the time of the file; --all lists every file.
Hidden files and folders are left out, links to folders are not followed. With --output, more
than 50,000 URLs or 50 MiB become sitemap-1.xml, sitemap-2.xml, … beside an index; they are
expected to be served from the base. Exit code 1 when a folder could not be read.")]
pub struct Args {
    /// The folder
    dir: PathBuf,
    /// URL of the folder
    #[arg(long, value_name = "URL", default_value = "http://localhost/")]
    base: String,
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// List files of every kind
    #[arg(long)]
    all: bool,
    /// Let index.html stand for its folder
    #[arg(long)]
    folders: bool,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let base = base(&args.base)?;
    if !args.dir.is_dir() {
        return Err(Failure::usage(format!("{}: no such folder", args.dir.display())).into());
    }
    let rules = Rules { base, all: args.all, folders: args.folders };
    let mut walk = Walk::new(&args.dir, rules);
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

/// One sitemap as it grows.
struct Part<W> {
    out: W,
    urls: usize,
    bytes: usize,
}

impl<W: Write> Part<W> {
    fn begin(mut out: W) -> anyhow::Result<Part<W>> {
        let head = format!("{HEAD}<urlset xmlns=\"{SPACE}\">\n");
        out.write_all(head.as_bytes())?;
        Ok(Part { out, urls: 0, bytes: head.len() })
    }

    /// Writes the entry, if there is room.
    fn add(&mut self, entry: &Entry) -> anyhow::Result<bool> {
        let text = element("url", &entry.url, entry.modified.as_deref());
        if self.urls == MOST_URLS || self.bytes + text.len() > MOST_BYTES {
            return Ok(false);
        }
        self.out.write_all(text.as_bytes())?;
        self.urls += 1;
        self.bytes += text.len();
        Ok(true)
    }

    fn end(mut self) -> anyhow::Result<W> {
        self.out.write_all(b"</urlset>\n")?;
        Ok(self.out)
    }
}

/// One `<url>` or `<sitemap>`.
fn element(name: &str, location: &str, modified: Option<&str>) -> String {
    let location = escape(location);
    let modified = modified.map(|time| format!("<lastmod>{time}</lastmod>")).unwrap_or_default();
    format!("<{name}><loc>{location}</loc>{modified}</{name}>\n")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

/// To standard output: one sitemap, held back until it is known to be whole.
fn say_sitemap(walk: &mut Walk) -> anyhow::Result<()> {
    let mut part = Part::begin(Vec::new())?;
    for entry in walk {
        if !part.add(&entry)? {
            let message = "more URLs than one sitemap may hold; write parts with --output FILE";
            return Err(Failure::usage(message).into());
        }
    }
    let text = part.end()?;
    pipe(std::io::stdout().write_all(&text))
}

fn say_entries(walk: &mut Walk) -> anyhow::Result<()> {
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
struct Written {
    urls: u64,
    files: Vec<PathBuf>,
}

/// Writes parts beside `path`, then the index; a single part becomes `path` itself. Every file comes
/// whole or not at all.
fn write_parts(walk: &mut Walk, path: &Path) -> anyhow::Result<Written> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let fresh =
        || NamedTempFile::new_in(dir).with_context(|| format!("writing {}", path.display()));
    let begin = || Part::begin(std::io::BufWriter::new(fresh()?));
    walk.leave_out(path);
    let mut written = Written::default();
    let mut part = begin()?;
    for entry in walk.by_ref() {
        if !part.add(&entry)? {
            let name = part_name(path, written.files.len() + 1);
            keep(part.end()?, &name)?;
            written.files.push(name);
            part = begin()?;
            part.add(&entry)?;
        }
        written.urls += 1;
    }
    if written.files.is_empty() {
        keep(part.end()?, path)?;
        written.files.push(path.to_owned());
        return Ok(written);
    }
    let name = part_name(path, written.files.len() + 1);
    keep(part.end()?, &name)?;
    written.files.push(name);
    let mut index = std::io::BufWriter::new(fresh()?);
    write_index(&mut index, walk.base(), &written.files)?;
    keep(index, path)?;
    written.files.insert(0, path.to_owned());
    Ok(written)
}

fn write_index(out: &mut impl Write, base: &Url, parts: &[PathBuf]) -> anyhow::Result<()> {
    anyhow::ensure!(parts.len() <= MOST_URLS, "more sitemaps than an index may hold");
    writeln!(out, "{HEAD}<sitemapindex xmlns=\"{SPACE}\">")?;
    for part in parts {
        let name = part.file_name().unwrap_or_default();
        let location = format!("{}{}", base.as_str(), escaped(name.as_bytes()));
        out.write_all(element("sitemap", &location, None).as_bytes())?;
    }
    out.write_all(b"</sitemapindex>\n")?;
    Ok(())
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

/// Gives a finished file its name, readable as other files are.
fn keep(out: std::io::BufWriter<NamedTempFile>, path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    file.persist(path).with_context(|| format!("writing {}", path.display()))?;
    Ok(())
}

fn report(global: &Global, written: &Written) -> anyhow::Result<()> {
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

    #[test]
    fn a_part_takes_no_more_than_the_protocol_allows() {
        let url = "http://a.test/".to_owned();
        let entry = Entry { url, modified: Some("2026-11-15T00:00:00Z".to_owned()) };
        let mut part = Part::begin(std::io::sink()).unwrap();
        for _ in 0..MOST_URLS {
            assert!(part.add(&entry).unwrap());
        }
        assert!(!part.add(&entry).unwrap());
        let mut part = Part::begin(std::io::sink()).unwrap();
        let long = Entry { url: "'".repeat(2_000), ..entry };
        let mut urls = 0;
        while part.add(&long).unwrap() {
            urls += 1;
        }
        assert!(urls < MOST_URLS && part.bytes + 20 <= 52_428_800, "{urls} {}", part.bytes);
    }
}
