//! Integration tests of the room: whole inputs in, whole answers out.

mod classified;
mod copies;
mod documents;
mod fingerprints;
mod floors;
mod gates;
mod genres;
mod hostile;
mod metadata;
mod oracle;
mod pages;
mod robots;
mod robots_cases;
mod seen;
mod shown;
mod standard;
mod urls;

use fyke_web::{Capture, Url};

/// A capture of `body` at `url` with the headers given as "Name: value" lines.
fn capture(url: &str, headers: &str, body: &[u8]) -> Capture {
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").expect("a header line");
        (name.to_owned(), value.to_owned())
    };
    Capture {
        url: Url::parse(url).expect("a URL"),
        time: 1_700_000_000_000,
        status: 200,
        headers: headers.lines().map(header).collect(),
        payload: body.to_vec(),
        truncated: None,
    }
}
