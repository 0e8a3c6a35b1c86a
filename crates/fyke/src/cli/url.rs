//! `fyke url`: the normal form of URLs, or why one is refused (000 "URL normalization").

use super::lines::{self, InputLine, Sources};
use super::{Exit, Failure, Global, output};
use fyke_web::{Url, UrlError};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Print the normal form of URLs, or why a URL is refused
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke url 'HTTP://Tides.Example:80/a/../b?utm_source=x&id=7'
  fyke url < urls.txt | sort -u             one line for all spellings of a URL
  fyke url -f urls.txt -f more.txt --json | jq .domain
  fyke url --base https://tides.example/a/ ../b 'c?d'

Each output line is a normal form. For a refused URL the first column is empty; the reason and the
URL as given follow, separated by tabs. Blank lines are skipped; bytes that are not UTF-8 are
escaped. Exit code 1 if a URL is refused.")]
pub(super) struct Args {
    /// URLs [default: one per line from standard input, unless -f is given]
    urls: Vec<String>,
    /// Read URLs from a file, one per line; - is standard input (repeatable)
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Resolve relative URLs against this one
    #[arg(long, value_name = "URL")]
    base: Option<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let base = args.base.as_deref().map(|text| {
        Url::parse(text).map_err(|error| Failure::usage(format!("--base {text:?}: {error}")))
    });
    let base = base.transpose()?;
    let mut exit = Exit::Done;
    lines::each(Sources { given: &args.urls, files: &args.files }, |line| {
        let read = parse(line, base.as_ref());
        if read.is_err() {
            exit = Exit::Failed;
        }
        let input = line.text();
        Ok(match (global.json, read) {
            (true, read) => as_json(&input, read).to_string(),
            (false, Ok(url)) => url.normal(),
            (false, Err(why)) => format!("\t{}\t{}", output::tame(&why), output::tame(&input)),
        })
    })?;
    Ok(exit)
}

fn parse(line: &InputLine, base: Option<&Url>) -> Result<Url, String> {
    if !line.whole {
        return Err(UrlError::TooLong.to_string());
    }
    let text = line.text();
    let read = base.map_or_else(|| Url::parse(&text), |base| base.join(&text));
    read.map_err(|error| error.to_string())
}

fn as_json(input: &str, read: Result<Url, String>) -> Value {
    match read {
        Err(error) => json!({ "input": input, "error": error }),
        Ok(url) => json!({
            "input": input,
            "url": url.as_str(),
            "normal": url.normal(),
            "id": format!("{:016x}", url.id().0),
            "scheme": url.scheme(),
            "host": url.host(),
            "port": url.port(),
            "domain": url.registrable_domain(),
            "path": url.path(),
        }),
    }
}
