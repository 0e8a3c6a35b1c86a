//! `fyke text`: the main text of files of any format, with title, author, date and language (003
//! §3.4, §3.8).

use super::inputs::{self, ReadInput};
use super::parallel::{cores, in_order};
use super::{Exit, Failure, Global, output};
use fyke_derive::{ReadLimits, read_within};
use fyke_formats::open;
use fyke_stages::files::Input;
use fyke_text::entity::{Entity, entities};
use fyke_web::document::{Content, ReadContent};
use fyke_web::page::Format;
use fyke_web::shape::Section;
use fyke_web::{REFINERS, Refiner, Url};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Print the main text of pages and documents
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke text page.html                         the main text, without menus and footers
  fyke text report.docx slides.pptx mail.eml  any format: office, EPUB, RTF, CSV, mail, zip, …
  fyke text --format markdown page.html       headings, lists, tables, code and links as Markdown
  curl -s https://tides.example/ | fyke text --url https://tides.example/ --json
  fyke text --annotate letter.html            persons, places, dates … as XML elements (English)
  fyke text --json papers/ | jq -r '[.path, .title, .date] | @tsv'
  find . -name '*.html' -print0 | fyke text --list0 --json > texts.jsonl

The format is detected by content, then by extension. Menus, footers and other noise are removed
from HTML (--refine chooses the method); other formats are printed in full. A table row becomes a
line with tabs between its cells, and code keeps its lines. --format markdown and xml keep headings,
lists, tables and code as such; markdown also keeps links, as absolute URLs (give --url, or only
those that are absolute in the page are kept). With --json, each input gives one line: path, url,
title, text, sections (level, heading, anchor, start in bytes), author, date, language, format,
trouble. The output has the order of the input. PostScript is read by Ghostscript if it is
installed, with a simpler reader as the fallback. Exit code 1 if an input cannot be read or has no
text.")]
pub(super) struct Args {
    /// Files or folders [default: one document from standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read file names from standard input, separated by null characters
    #[arg(long, conflicts_with = "files")]
    list0: bool,
    /// Format of the output: text, markdown, xml or json
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Text, hide_possible_values = true)]
    format: TextFormat,
    /// Mark persons, places, organisations, dates, money and addresses, as XML or in the JSON
    #[arg(long)]
    annotate: bool,
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

/// How a document is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TextFormat {
    Text,
    Markdown,
    Xml,
    Json,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let way = TextOptions {
        url: args.url.as_deref().map(super::opened::url).transpose()?,
        refiner: refiner(args.refine.as_deref())?,
        format: match args.format {
            _ if global.json => TextFormat::Json,
            TextFormat::Text if args.annotate => TextFormat::Xml,
            TextFormat::Markdown if args.annotate => {
                let why = "--annotate writes XML or JSON; leave out --format markdown";
                return Err(Failure::usage(why.to_owned()).into());
            }
            format => format,
        },
        annotate: args.annotate,
        lacks_gs: AtomicBool::new(false),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut exit = Exit::Done;
    let mut is_first = true;
    let done = in_order(
        inputs::inputs(&args.files, args.list0),
        args.threads.unwrap_or_else(cores),
        |input| answer(&way, input),
        |answer| {
            match answer {
                Ok(text) => {
                    if way.format != TextFormat::Json && !std::mem::take(&mut is_first) {
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
    format: TextFormat,
    annotate: bool,
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

/// The answer for one input, or why there is none.
fn answer(way: &TextOptions, input: Input) -> Result<String, String> {
    let path = input?;
    let name = path.display().to_string();
    let ReadInput { capture, is_cut } = inputs::read(&path, way.url.as_ref(), &way.lacks_gs)?;
    let (refiner, is_told) =
        (way.refiner, matches!(way.format, TextFormat::Json | TextFormat::Xml));
    let url = capture.url.clone();
    let made = read_within(&capture, &ReadLimits::default(), move |capture| {
        let ReadContent { found, format, declared_language, trouble } =
            open(capture).content(refiner);
        // Of a page's text alone nobody asks in which language it is.
        let language = match is_told {
            true => found.language(declared_language.as_deref()),
            false => String::new(),
        };
        ReadPage { found, language, format, trouble }
    });
    let ReadPage { found, language, format, mut trouble } =
        made.map_err(|why| format!("{name}: {}", why.judge().detail))?;
    if format == Format::Other {
        let why =
            if trouble.is_empty() { "not a format that text can be taken from" } else { &trouble };
        return Err(format!("{name}: {why}"));
    }
    if is_cut {
        trouble = inputs::cut_note();
    }
    Ok(match way.format {
        TextFormat::Json => {
            let page = ReadPage { found, language, format, trouble };
            as_json(way, &name, &page).to_string()
        }
        TextFormat::Markdown => found.markdown(&url),
        TextFormat::Xml if way.annotate => found.annotated_xml(url.as_str(), &language),
        TextFormat::Xml => found.xml(url.as_str(), &language),
        TextFormat::Text => found.text,
    })
}

/// What an input gives.
struct ReadPage {
    found: Content,
    language: String,
    format: Format,
    trouble: String,
}

fn as_json(way: &TextOptions, path: &str, page: &ReadPage) -> Value {
    let ReadPage { found, language, format, trouble } = page;
    let section = |section: Section<'_>| {
        json!({
            "level": section.level,
            "heading": section.heading,
            "anchor": section.anchor,
            "start": section.start,
        })
    };
    let sections: Vec<Value> = found.sections().into_iter().map(section).collect();
    let mut row = json!({
        "path": path,
        "url": way.url.as_ref().map(Url::as_str),
        "title": found.title,
        "text": found.text,
        "sections": sections,
        "author": found.author,
        "date": found.date,
        "language": language,
        "format": format_name(*format),
        "trouble": trouble,
    });
    if way.annotate {
        row["entities"] =
            entities(&found.text).iter().map(|one| entity(&found.text, one)).collect();
    }
    row
}

/// An entity, with where it begins and ends in bytes of the text.
fn entity(text: &str, Entity { kind, from, to, parts }: &Entity) -> Value {
    let parts: Vec<Value> = parts
        .iter()
        .map(|part| json!({ "element": part.element, "text": text[part.from..part.to] }))
        .collect();
    let text = &text[*from..*to];
    json!({ "kind": kind.name(), "text": text, "start": from, "end": to, "parts": parts })
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
