//! Prints what is found in pages of HTML, a line of JSON each: path, title, words, text. For trying on many files what
//! `fyke text --json` does, without building the program. File names come from standard input, a line each.
//! `find site -name '*.html' | cargo run --release -p fyke-web --example main_text`

use fyke_formats::parse;
use fyke_web::{Capture, Url, refine};
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (number, path) in std::io::stdin().lock().lines().enumerate() {
        let path = path?;
        let capture = Capture {
            url: Url::parse(&format!("http://site.test/{number}"))?,
            time: 0,
            status: 200,
            headers: vec![("Content-Type".into(), "text/html".into())],
            payload: std::fs::read(&path)?,
            truncated: None,
        };
        let document = refine(&capture, &parse(&capture));
        let line = serde_json::json!({
            "path": path, "title": document.title, "words": document.words, "text": document.text,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
