//! A small server: pages in made-up languages, and a search engine that does what it is told to do wrong.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What the engine does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    #[default]
    Good,
    /// It ignores `-`.
    NoMinus,
    /// It finds documents that have any of the words.
    AnyWord,
    /// Every hit comes twice, and page 2 is page 1.
    Repeats,
    /// An error page with status 200 after so many queries.
    HtmlErrors(usize),
    /// Status 429 after so many queries, with this Retry-After.
    Limited(usize, &'static str),
    /// The connection breaks after so many queries.
    Dies(usize),
    /// It breaks at every so many-th query.
    Stutters(usize),
    /// It never has a hit.
    Silent,
}

/// What was asked.
#[derive(Debug, Default)]
pub struct Asked {
    pub queries: Vec<String>,
    pub pages: BTreeMap<String, usize>,
}

/// The server; it ends with the process.
#[derive(Clone, Debug)]
pub struct SmallWeb {
    pub address: String,
    pub asked: Arc<Mutex<Asked>>,
}

/// A page: its text, and whether it is there.
pub type SmallPage = (String, bool);

impl SmallWeb {
    pub fn start(pages: Vec<SmallPage>, manner: Manner) -> SmallWeb {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let web = SmallWeb { address, asked: Arc::default() };
        let (server, pages) = (web.clone(), Arc::new(pages));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (server, pages) = (server.clone(), Arc::clone(&pages));
                std::thread::spawn(move || server.serve(stream, &pages, manner));
            }
        });
        web
    }

    pub fn queries(&self) -> Vec<String> {
        self.asked.lock().expect("a lock").queries.clone()
    }

    fn serve(&self, mut stream: TcpStream, pages: &[SmallPage], manner: Manner) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let path = line.split(' ').nth(1)?.to_owned();
            while !matches!(line.as_str(), "\r\n" | "") {
                line.clear();
                reader.read_line(&mut line).ok()?;
            }
            let (status, kind, more, body) = self.answer(&path, pages, manner)?;
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{more}\r\n"
            );
            stream.write_all((head + &body).as_bytes()).ok()?;
        }
    }

    /// Status, media type, more headers and the body; none breaks the connection.
    #[allow(clippy::type_complexity, reason = "a test's own server")]
    fn answer(
        &self,
        path: &str,
        pages: &[SmallPage],
        manner: Manner,
    ) -> Option<(u16, &'static str, String, String)> {
        let html = "text/html; charset=utf-8";
        if let Some(query) = path.strip_prefix("/search?q=") {
            return self.search(&decoded(query), pages, manner);
        }
        *self.asked.lock().expect("a lock").pages.entry(path.to_owned()).or_default() += 1;
        let number = path.strip_prefix("/d/").and_then(|text| text.parse::<usize>().ok());
        Some(match number.and_then(|number| pages.get(number)) {
            Some((text, true)) => {
                // Links that are not followed: some of them are hits later.
                let next = number.unwrap_or(0) + 2;
                let body = format!(
                    "<html><body><article><p>{text}</p></article><a href=/d/{next}>next</a></body></html>"
                );
                (200, html, String::new(), body)
            }
            _ => (404, html, String::new(), "nothing".to_owned()),
        })
    }

    fn search(
        &self,
        query: &str,
        pages: &[SmallPage],
        manner: Manner,
    ) -> Option<(u16, &'static str, String, String)> {
        let json = "application/json";
        let count = {
            let mut asked = self.asked.lock().expect("a lock");
            asked.queries.push(query.to_owned());
            asked.queries.len()
        };
        match manner {
            Manner::HtmlErrors(most) if count > most => {
                let body = "<!doctype html><html>Something went wrong".to_owned();
                return Some((200, "text/html", String::new(), body));
            }
            Manner::Limited(most, wait) if count > most => {
                return Some((
                    429,
                    "text/plain",
                    format!("Retry-After: {wait}\r\n"),
                    String::new(),
                ));
            }
            Manner::Dies(most) if count > most => return None,
            Manner::Stutters(every) if count.is_multiple_of(every) => return None,
            _ => {}
        }
        let words: Vec<&str> = query.split_whitespace().collect();
        let has = |text: &str, word: &str| text.split_whitespace().any(|one| one == word);
        let fits = |text: &str| {
            let included = words.iter().filter(|word| !word.starts_with('-'));
            let mut included = included.map(|word| has(text, word.trim_start_matches('+')));
            let is_in = match manner {
                Manner::AnyWord => included.any(|fits| fits),
                _ => included.all(|fits| fits),
            };
            let mut excluded = words.iter().filter_map(|word| word.strip_prefix('-'));
            is_in && (manner == Manner::NoMinus || !excluded.any(|word| has(text, word)))
        };
        let hits = pages.iter().enumerate().filter(|(_, page)| fits(&page.0));
        let mut hits: Vec<String> = hits
            .map(|(number, _)| format!("{{\"url\":\"{}/d/{number}\"}}", self.address))
            .collect();
        match manner {
            Manner::Silent => hits.clear(),
            Manner::Repeats => hits = hits.into_iter().flat_map(|hit| [hit.clone(), hit]).collect(),
            _ => {}
        }
        hits.truncate(30);
        Some((200, json, String::new(), format!("{{\"results\":[{}]}}", hits.join(","))))
    }
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let hex = (*first == b'%').then(|| after.get(..2)).flatten();
        let byte = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Pages of two made-up languages, `x-bl` and `x-kr`, by turns, with words of their own each.
pub fn two_languages(pages: usize) -> Vec<SmallPage> {
    let words = |number: usize, stems: [&str; 5], ends: [&str; 4]| {
        let word = |at: usize| {
            let seed = number * 31 + at * at * 7 + at;
            format!("{}{}", stems[seed % 5], ends[(seed / 5 + at) % 4])
        };
        // Some words stand in many pages, some in few.
        let rare = format!("{}{}{}", stems[number % 5], stems[number / 5 % 5], ends[number % 4]);
        (0..24).map(word).chain([rare]).collect::<Vec<String>>().join(" ")
    };
    let page = |number: usize| match number % 2 {
        0 => words(number / 2, ["blim", "blam", "blom", "balu", "bilo"], ["a", "o", "ima", "esa"]),
        _ => words(number / 2, ["krix", "krax", "krox", "karu", "kiro"], ["u", "e", "int", "ost"]),
    };
    (0..pages).map(|number| (page(number), true)).collect()
}
