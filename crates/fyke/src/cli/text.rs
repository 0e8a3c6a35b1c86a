//! `fyke text`: the main text of files of any format, with title, author, date and language (003
//! §3.4, §3.8).

use super::parallel::{cores, in_order};
use super::{Exit, Failure, Global, output};
use crate::ghostscript::{self, Missing};
use fyke_formats::parse;
use fyke_stages::files::{self, Input};
use fyke_web::page::Format;
use fyke_web::{Capture, Document, REFINERS, Refiner, Url, refine_by};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Print the main text of pages and documents
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke text page.html                         the main text, without menus and footers
  fyke text report.docx slides.pptx mail.eml  any format: office, EPUB, RTF, CSV, mail, zip, …
  curl -s https://tides.example/ | fyke text --url https://tides.example/ --json
  fyke text --json papers/ | jq -r '[.path, .title, .date] | @tsv'
  find . -name '*.html' -print0 | fyke text --list0 --json > texts.jsonl

The format is detected by content, then by extension. Menus, footers and other noise are removed
from HTML (--refine chooses the method); other formats are printed in full. A table row becomes a
line. With --json, each input gives one line: path, url, title, text, author, date, language,
format, trouble. The output has the order of the input. PostScript is read by Ghostscript if it is
installed, with a simpler reader as the fallback. Exit code 1 if an input cannot be read or has no
text.")]
pub(super) struct Args {
    /// Files or folders [default: one document from standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read file names from standard input, separated by null characters
    #[arg(long, conflicts_with = "files")]
    list0: bool,
    /// URL of the document
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Method to find the main text of HTML: blocks, slope, window, dom or whole
    #[arg(long, value_name = "NAME")]
    refine: Option<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let way = TextOptions {
        url: args.url.as_deref().map(super::opened::url).transpose()?,
        refiner: refiner(args.refine.as_deref())?,
        json: global.json,
        lacks_gs: AtomicBool::new(false),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut exit = Exit::Done;
    let mut is_first = true;
    let done = in_order(
        inputs(args),
        args.threads.unwrap_or_else(cores),
        |input| answer(&way, input),
        |answer| {
            match answer {
                Ok(text) => {
                    if !way.json && !std::mem::take(&mut is_first) {
                        writeln!(out)?;
                    }
                    writeln!(out, "{text}")?;
                }
                Err(why) => {
                    exit = Exit::Failed;
                    output::note(false, &output::tame(&why));
                }
            }
            Ok(())
        },
    );
    if way.lacks_gs.load(Ordering::Relaxed) {
        output::note(global.quiet, "gs is not installed: PostScript was read without it");
    }
    match done.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(exit),
    }
}

/// How inputs are read.
struct TextOptions {
    url: Option<Url>,
    refiner: &'static Refiner,
    json: bool,
    /// A file asked for gs, which is not there.
    lacks_gs: AtomicBool,
}

/// The refiner of this name; the default without one.
fn refiner(name: Option<&str>) -> anyhow::Result<&'static Refiner> {
    let found = REFINERS.iter().find(|row| name.is_none_or(|name| row.name == name));
    found.ok_or_else(|| {
        let names: Vec<&str> = REFINERS.iter().map(|row| row.name).collect();
        let name = name.unwrap_or_default();
        Failure::usage(format!("--refine {name:?}: it is one of {}", names.join(", "))).into()
    })
}

/// All inputs, found as they are asked for.
fn inputs(args: &Args) -> Box<dyn Iterator<Item = Input> + Send + '_> {
    if args.list0 {
        return Box::new(files::listed(io::stdin()).flat_map(|path| files::walk(&path)));
    }
    if args.files.is_empty() {
        return Box::new(std::iter::once(Ok(PathBuf::from("-"))));
    }
    Box::new(args.files.iter().flat_map(|path| files::walk(path)))
}

/// The answer for one input, or why there is none.
fn answer(way: &TextOptions, input: Input) -> Result<String, String> {
    let path = input?;
    let name = path.display().to_string();
    let read = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            let read = io::stdin().take(files::MOST_BYTES).read_to_end(&mut bytes);
            read.map(|_| bytes)
        }
        false => files::read(&path),
    };
    let bytes = read.map_err(|error| format!("{name}: {error}"))?;
    let is_cut = bytes.len() as u64 >= files::MOST_BYTES;
    let capture = files::capture(&path, way.url.as_ref(), bytes);
    let capture = if is_postscript(&capture.payload) { by_gs(way, capture) } else { capture };
    // Parsing does not panic; should it do so all the same, one file is lost and not the others.
    let made = catch_unwind(AssertUnwindSafe(|| {
        let page = parse(&capture);
        (refine_by(&capture, &page, way.refiner), page.format, page.trouble)
    }));
    let (document, format, mut trouble) =
        made.map_err(|_| format!("{name}: the file broke its reader"))?;
    if format == Format::Other {
        let why =
            if trouble.is_empty() { "not a format that text can be taken from" } else { &trouble };
        return Err(format!("{name}: {why}"));
    }
    if is_cut {
        trouble = format!("cut at {} MiB", files::MOST_BYTES >> 20);
    }
    Ok(match way.json {
        true => as_json(way, &name, &document, format_name(format), &trouble).to_string(),
        false => document.text,
    })
}

fn as_json(way: &TextOptions, path: &str, found: &Document, format: &str, trouble: &str) -> Value {
    json!({
        "path": path,
        "url": way.url.as_ref().map(Url::as_str),
        "title": found.title,
        "text": found.text,
        "author": found.author,
        "date": found.date,
        "language": found.language,
        "format": format,
        "trouble": trouble,
    })
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Html => "html",
        Format::Text => "text",
        Format::Xml => "xml",
        Format::Converted(name) => name,
        Format::Other => "other",
    }
}

fn is_postscript(bytes: &[u8]) -> bool {
    fyke_formats::detect(bytes, None, "").is_some_and(|row| row.name == "postscript")
}

/// The capture with the text that gs finds in it; as it is where gs gives none.
fn by_gs(way: &TextOptions, capture: Capture) -> Capture {
    match ghostscript::text(&capture.payload) {
        Ok(text) if !text.trim().is_empty() => {
            let headers = vec![("Content-Type".to_owned(), "text/plain; charset=utf-8".to_owned())];
            Capture { payload: text.into_bytes(), headers, ..capture }
        }
        Err(Missing::Program) => {
            way.lacks_gs.store(true, Ordering::Relaxed);
            capture
        }
        _ => capture,
    }
}
