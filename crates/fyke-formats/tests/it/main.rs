//! Integration tests of the room: files of every format in, markup and pages out.

#[path = "../../../fyke-web/tests/it/floors.rs"]
mod floors;
mod formats;
mod gates;
mod growth;
mod hostile;
mod samples;

use fyke_web::{Capture, Url};

/// A capture of `body` at `url`, without headers.
fn capture(url: &str, body: &[u8]) -> Capture {
    Capture {
        url: Url::parse(url).expect("a URL"),
        time: 1_700_000_000_000,
        status: 200,
        headers: Vec::new(),
        payload: body.to_vec(),
        truncated: None,
    }
}
