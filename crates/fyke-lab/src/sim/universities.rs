//! The experiment of 002 §2.1 on recorded departments of computer science: files of a page a line, as
//! JSON with `url`, `class`, `headers` and `html`, compressed by gzip. A file with one page of the class
//! "department" is a site, and the spider starts there.
//!
//! How it is set up: links are followed within the university's domain; a link to a paper (.ps, .pdf, .dvi,
//! packed or not) counts wherever it lies, and leads no further. Every distinct URL followed counts once,
//! also where the recording has no page for it; `index.html` is the folder it lies in; links with a query
//! are not followed; ftp is as good as http.

use super::recording::{self, Recorded, Recording};
use anyhow::Context as _;
use flate2::read::GzDecoder;
use fyke_crawl::Readers;
use fyke_text::Keywords;
use fyke_web::{Capture, Url};
use serde::Deserialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// What files of a recording are called.
const ENDING: &str = ".jsonl.gz";

/// A page of a recording.
#[derive(Debug, Deserialize)]
struct RecordingLine {
    url: String,
    class: String,
    #[serde(default)]
    headers: String,
    html: String,
}

/// The sites of a folder, in the order of their names.
///
/// # Errors
/// When a file cannot be read, or none is a site.
pub fn sites(dir: &Path) -> anyhow::Result<Vec<Recorded>> {
    let read = || format!("cannot read the folder {}", dir.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).with_context(read)? {
        let path = entry.with_context(read)?.path();
        if path.to_string_lossy().ends_with(ENDING) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut sites = Vec::new();
    for path in paths {
        let cannot = || format!("cannot read {}", path.display());
        let file = BufReader::new(File::open(&path).with_context(cannot)?);
        let lines = serde_json::Deserializer::from_reader(BufReader::new(GzDecoder::new(file)));
        let lines: Vec<RecordingLine> =
            lines.into_iter().collect::<Result<_, _>>().with_context(cannot)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        sites.extend(site(name.trim_end_matches(ENDING), &lines));
    }
    anyhow::ensure!(
        !sites.is_empty(),
        "no file *{ENDING} in {} has exactly one page of the class \"department\"",
        dir.display()
    );
    Ok(sites)
}

/// The web of one file, if it is a site.
fn site(name: &str, lines: &[RecordingLine]) -> Option<Recorded> {
    let mut homes = lines.iter().filter(|line| line.class == "department");
    let (home, None) = (address(&homes.next()?.url)?, homes.next()) else { return None };
    let domain = home.registrable_domain();
    // The experiment knows papers by their URLs, and no subject.
    let readers = Readers::new(Keywords::new::<&str>(&[], "en"));
    let mut recording = Recording::default();
    recording.page(key(&home), false);
    for line in lines {
        let Some(url) = address(&line.url).filter(|url| !is_paper(url)) else { continue };
        let page = capture(url.clone(), line);
        recording.page(key(&url), false);
        let links = recording::links(&readers, (&page, false), |link| {
            let (to, is_paper) = (&link.url, is_paper(&link.url));
            let is_inside = is_paper || to.registrable_domain() == domain;
            let is_followed = is_inside && !to.path_and_query().contains('?');
            is_followed.then(|| {
                recording.page(key(to), is_paper);
                key(to)
            })
        });
        recording.set_links(key(&url), links);
    }
    Some(recording.finish(name.to_owned(), &[key(&home)]))
}

fn address(text: &str) -> Option<Url> {
    Url::parse(&text.replacen("ftp://", "http://", 1)).ok()
}

/// Some pages came without headers, and their first lines were taken for these.
fn capture(url: Url, line: &RecordingLine) -> Capture {
    let first = if line.headers.contains('<') { line.headers.as_str() } else { "" };
    let html = format!("{first}\n{}", line.html);
    Capture {
        url,
        time: 0,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        payload: html.replace("ftp://", "http://").into_bytes(),
        truncated: None,
    }
}

/// One for all names of a page: a folder and its index, with a slash at the end or without.
fn key(url: &Url) -> u64 {
    let path = url.path();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = file.to_ascii_lowercase();
    let name = name.strip_suffix(".html").or_else(|| name.strip_suffix(".htm"));
    let is_index = matches!(name, Some("index" | "home" | "welcome" | "default"));
    let path = if is_index { folder } else { path };
    xxh3_64(format!("{}{}", url.authority(), path.trim_end_matches('/')).as_bytes())
}

fn is_paper(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let packed = [".gz", ".z"].iter().find_map(|packed| path.strip_suffix(packed));
    let path = packed.unwrap_or(&path);
    [".ps", ".pdf", ".dvi"].iter().any(|ending| path.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_learn::spider::{GUIDES, replay};

    fn line(url: &str, class: &str, html: &str) -> RecordingLine {
        let (url, class, html) = (url.to_owned(), class.to_owned(), html.to_owned());
        RecordingLine { url, class, headers: String::new(), html }
    }

    #[test]
    fn a_page_has_one_key_by_all_its_names() {
        let check = |a: &str, b: &str, is_same: bool| {
            let same = key(&Url::parse(a).unwrap()) == key(&Url::parse(b).unwrap());
            assert_eq!(same, is_same, "{a} {b}");
        };
        check("http://cs.test/a/", "http://cs.test/a/Index.HTML", true);
        check("http://cs.test", "http://cs.test:80/home.htm", true);
        check("http://cs.test/a", "http://cs.test/a/", true);
        check("http://cs.test/a", "http://cs.test/b", false);
        check("http://cs.test/a", "http://www.cs.test/a", false);
    }

    #[test]
    fn a_small_university_is_followed_to_its_papers() {
        let home = "<a href=people/>people</a> <a href=http://elsewhere.org/>out</a>
            <a href='/search?q=1'>search</a> <a href=missing.html>gone</a>";
        let people = "<a href=ftp://ftp.eel.edu/pub/a.ps.Z>paper</a><a href=../index.html>home</a>
            <a href=http://elsewhere.org/b.pdf>with others</a><a href='a.ps?x'>no</a>";
        let lines = [
            line("http://www.eel.edu/people/index.html", "staff", people),
            line("http://www.eel.edu/", "department", home),
            line("ftp://ftp.eel.edu/pub/a.ps.Z", "other", "<a href=/never>never</a>"),
        ];
        let site = site("eel", &lines).unwrap();
        assert_eq!((site.web.pages(), site.targets()), (5, 2));
        let curve = replay(&site.web, &site.starts, &mut GUIDES[0].train(&[]));
        assert_eq!((curve.followed, curve.found.as_slice()), (5, [4, 5].as_slice()));
    }

    #[test]
    fn a_file_with_several_departments_is_no_site() {
        let home = |url| line(url, "department", "");
        assert!(site("misc", &[home("http://a.edu/"), home("http://b.edu/")]).is_none());
        assert!(site("none", &[line("http://a.edu/", "other", "")]).is_none());
    }

    #[test]
    fn first_lines_taken_for_headers_are_read() {
        let mut page = line("http://a.edu/", "department", "</ul>");
        page.headers = "<title>A</title><ul><li><a href=b.ps>b</a>".to_owned();
        assert_eq!(site("a", &[page]).unwrap().targets(), 1);
    }
}
