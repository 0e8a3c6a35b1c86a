//! A folder of files as a web: every folder in it is a host, files beside them are one more. Each
//! host has a sitemap that names all its pages, so that none is missed for want of a link. For
//! measuring on pages that nobody here wrote.

use crate::plain::Tally;
use crate::server::accept;
use crate::server::wire::{self, PondRequestHead};
use crate::{Answer, AnswerKind, Body};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(120);
/// Pages that a sitemap names, at most.
const MOST_LISTED: usize = 50_000;

/// The files by host and path.
#[derive(Debug)]
pub struct Folder {
    /// What each host has, by decoded path.
    hosts: Vec<BTreeMap<String, PondFile>>,
    numbers: HashMap<String, usize>,
    files: u64,
}

#[derive(Debug)]
struct PondFile {
    at: PathBuf,
    number: u64,
}

impl Folder {
    /// Looks through a folder. Links to elsewhere are not followed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(folder: &Path) -> io::Result<Folder> {
        let mut found = Folder { hosts: Vec::new(), numbers: HashMap::new(), files: 0 };
        let mut loose = Vec::new();
        for entry in sorted(folder)? {
            match entry.is_dir() && !entry.is_symlink() {
                true => found.add_host(&entry, vec![entry.clone()])?,
                false => loose.push(entry),
            }
        }
        found.add_host(folder, loose)?;
        Ok(found)
    }

    /// Adds a host with what is at or below these places, if there is anything.
    fn add_host(&mut self, root: &Path, mut places: Vec<PathBuf>) -> io::Result<()> {
        let mut files = BTreeMap::new();
        while let Some(at) = places.pop() {
            if at.is_symlink() {
                continue;
            }
            if at.is_dir() {
                places.extend(sorted(&at)?);
            } else if let Some(name) = at.strip_prefix(root).ok().and_then(Path::to_str) {
                files.insert(format!("/{name}"), PondFile { at: at.clone(), number: self.files });
                self.files += 1;
            }
        }
        if !files.is_empty() {
            self.numbers.insert(host_name(self.hosts.len()), self.hosts.len());
            self.hosts.push(files);
        }
        Ok(())
    }

    /// A page of each host.
    #[must_use]
    pub fn seeds(&self) -> Vec<String> {
        let seed = |(number, files): (usize, &BTreeMap<String, PondFile>)| {
            let page = files.keys().find(|path| is_page(path))?;
            Some(url(number, page))
        };
        self.hosts.iter().enumerate().filter_map(seed).collect()
    }

    /// Pages in HTML.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.hosts.iter().flat_map(BTreeMap::keys).filter(|path| is_page(path)).count()
    }

    fn answer(&self, host: usize, path: &str, tally: &Tally) -> Answer {
        let path = path.split('?').next().unwrap_or_default();
        let Some(files) = self.hosts.get(host) else { return Answer::missing() };
        if path == "/robots.txt" {
            let text = format!("User-agent: *\nSitemap: {}\n", url(host, "/__sitemap.xml"));
            return typed("text/plain", text.into());
        }
        if path == "/__sitemap.xml" {
            return typed("application/xml", sitemap(host, files).into());
        }
        let path = decoded(path);
        // The same page under another URL is no page fetched twice.
        let (own, index) = (files.get(&path), files.get(&format!("{path}index.html")));
        let bytes = own.or(index).and_then(|file| std::fs::read(&file.at).ok());
        let Some(bytes) = bytes else { return Answer::missing() };
        own.into_iter().for_each(|file| tally.deliver(file.number));
        typed(content_type(&path), bytes)
    }
}

/// What lies in a folder, by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = std::fs::read_dir(folder)?.collect();
    let mut paths: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    Ok(paths)
}

fn host_name(number: usize) -> String {
    format!("h{number:06}.test")
}

fn url(host: usize, path: &str) -> String {
    let mut url = format!("http://{}", host_name(host));
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                url.push(char::from(byte));
            }
            _ => url += &format!("%{byte:02X}"),
        }
    }
    url
}

/// A path with its %-escapes undone.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let escaped = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match escaped.filter(|_| byte == b'%') {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn is_page(path: &str) -> bool {
    content_type(path) == "text/html"
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "css" => "text/css",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "js" => "text/javascript",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain",
        "xml" => "application/xml",
        "htm" | "html" | "xhtml" => "text/html",
        _ if path.ends_with('/') => "text/html",
        _ => "application/octet-stream",
    }
}

fn sitemap(host: usize, files: &BTreeMap<String, PondFile>) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in files.keys().filter(|path| is_page(path)).take(MOST_LISTED) {
        text += &format!("<url><loc>{}</loc></url>\n", url(host, page));
    }
    text + "</urlset>\n"
}

fn typed(content_type: &str, bytes: Vec<u8>) -> Answer {
    let headers = vec![("content-type", content_type.to_owned())];
    Answer { status: 200, headers, body: Body::Bytes(bytes), kind: AnswerKind::Other }
}

/// Serves a folder's files for ever, hosts told apart by the Host header; `/__pond/stats` is what
/// was asked for.
pub async fn serve(folder: Folder, listener: TcpListener) {
    let tally = Tally::new(folder.hosts.len() as u64, folder.files, 0);
    let served = Arc::new(ServedFolder { folder, tally, started: Instant::now() });
    accept(listener, move |socket| converse(Arc::clone(&served), socket)).await;
}

/// A folder while it is served.
struct ServedFolder {
    folder: Folder,
    tally: Tally,
    started: Instant,
}

/// Answers one request after the other until either side closes.
async fn converse(served: Arc<ServedFolder>, mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(512);
    loop {
        let reading = wire::read_head(&mut socket, &mut buffer);
        let Ok(Some(end)) = tokio::time::timeout(IDLE, reading).await.unwrap_or(Ok(None)) else {
            return Ok(());
        };
        let Some(head) = wire::parse(&buffer[..end]) else {
            return wire::refuse(&mut socket).await;
        };
        let (length, is_last) = (head.body_length, head.is_last);
        let is_open = reply(&served, &mut socket, &head).await?;
        if !is_open || is_last {
            return Ok(());
        }
        wire::skip(&mut socket, &mut buffer, end + length).await?;
    }
}

/// Answers a request and tells the tally. Whether the connection stays open.
async fn reply(
    ServedFolder { folder, tally, started }: &ServedFolder,
    socket: &mut TcpStream,
    head: &PondRequestHead<'_>,
) -> io::Result<bool> {
    let is_head = head.method == "HEAD";
    if head.path == "/__pond/stats" {
        let stats = serde_json::json!(tally.stats()).to_string();
        return wire::send(socket, typed("application/json", stats.into()), is_head, &mut 0).await;
    }
    let host = folder.numbers.get(&head.host).copied().unwrap_or(usize::MAX);
    tally.arrive(host as u64, started.elapsed().as_micros() as u64, false);
    let mut sent = 0;
    let answer = folder.answer(host, head.path, tally);
    let is_open = wire::send(socket, answer, is_head, &mut sent).await;
    tally.leave(host as u64, sent);
    is_open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_of_a_folder_has_a_url_that_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        };
        let names = ["b/index.html", "a/deep/odd name%.html", "loose.html", "a/deep/x.css"];
        names.into_iter().for_each(write);
        let read = Folder::read(folder.path()).unwrap();
        assert_eq!((read.pages(), read.files), (3, 4));
        let tally = Tally::new(3, 4, 0);
        let check = |url: &str, expected: Option<&str>| {
            let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
            let answer = read.answer(read.numbers[host], &format!("/{path}"), &tally);
            let Body::Bytes(bytes) = answer.body else { panic!("{url}") };
            let found = (answer.status == 200).then(|| String::from_utf8(bytes).unwrap());
            assert_eq!(found.as_deref(), expected, "{url}");
        };
        let seeds = read.seeds();
        assert_eq!(seeds[0], "http://h000000.test/deep/odd%20name%25.html");
        check(&seeds[0], Some(names[1]));
        check("http://h000001.test/?x=1", Some(names[0]));
        check(&seeds[2], Some(names[2]));
        check("http://h000001.test/../loose.html", None);
        // A host that is none of the folders has nothing, and no sitemap either.
        assert_eq!(read.answer(usize::MAX, "/robots.txt", &tally).status, 404);
        let listed = sitemap(0, &read.hosts[0]);
        assert!(listed.contains(&seeds[0]) && !listed.contains("x.css"), "{listed}");
        assert_eq!(tally.stats().sum.unique_pages, 2);
    }
}
