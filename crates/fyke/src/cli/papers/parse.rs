//! `fyke papers parse`: header, sections, references and citations of files of any format.

use super::show;
use crate::cli::inputs::{self, ReadInput};
use crate::cli::parallel::{cores, in_order};
use crate::cli::{Exit, Failure, Global, output};
use anyhow::Context as _;
use fyke_papers::bibtex::bibtex;
use fyke_papers::models::PaperModels;
use fyke_papers::tei::tei;
use fyke_stages::files::{self, Input};
use fyke_stages::papers::read_paper;
use fyke_text::sequence::SequenceModel;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Print header, abstract, sections, references and citations of papers
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers parse paper.pdf                     readable text
  fyke papers parse --format bibtex paper.pdf     the paper and its references as BibTeX
  fyke papers parse --format tei paper.pdf        TEI, for tools that read the output of GROBID
  fyke papers parse --json papers/ > papers.jsonl one line for each file
  pdftotext paper.pdf - | fyke papers parse
  fyke papers parse --model my.model paper.pdf    fields by a model of fyke papers train

Reads PDF, PostScript, HTML, DOCX, plain text and the other formats of fyke text. The header ends at
the first section or at the end of page one. Two models, which are part of the program, find the
fields of the header and of the references. References are found below their heading at the end and
split by numbers, brackets, paragraphs, or names and years. With --json, each input gives one line:
path, format, pages, verdict (is it a paper, and by which evidence), header, sections, references,
contexts (sentences that cite a reference; references are counted from 0), notes, trouble. A note
says what was not found. The output has the order of the input. Exit code 1 if an input cannot be
read or has no text, for example if it is encrypted or has only pictures of pages.")]
pub(in crate::cli) struct Args {
    /// Files or folders [default: one paper from standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read file names from standard input, separated by null characters
    #[arg(long, conflicts_with = "files")]
    list0: bool,
    /// Format of the output: text, json, bibtex or tei
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ParsedPaperFormat::Text, hide_possible_values = true)]
    format: ParsedPaperFormat,
    /// Model of headers or of references, made by fyke papers train (repeatable)
    #[arg(long = "model", value_name = "FILE")]
    models: Vec<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// How a paper is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ParsedPaperFormat {
    Text,
    Json,
    Bibtex,
    Tei,
}

/// How inputs are read.
struct PaperOptions {
    format: ParsedPaperFormat,
    models: Arc<PaperModels>,
    /// A file asked for gs, which is not there.
    lacks_gs: AtomicBool,
}

/// What is printed for an input.
struct PaperAnswer {
    out: String,
    /// What is said of it besides; may be empty.
    note: String,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let way = PaperOptions {
        format: if global.json { ParsedPaperFormat::Json } else { args.format },
        models: Arc::new(models(&args.models)?),
        lacks_gs: AtomicBool::new(false),
    };
    let is_single = !args.list0 && args.files.len() < 2 && !args.files.iter().any(|f| f.is_dir());
    let is_corpus = way.format == ParsedPaperFormat::Tei && !is_single;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut exit = Exit::Done;
    let (head, foot) = frame(&way, is_corpus);
    let done = write!(out, "{head}").and_then(|()| {
        in_order(
            inputs::inputs(&args.files, args.list0),
            args.threads.unwrap_or_else(cores),
            |input| answer(&way, input),
            |answer| {
                match answer {
                    Ok(PaperAnswer { out: text, note }) => {
                        writeln!(out, "{}", text.trim_end())?;
                        if way.format != ParsedPaperFormat::Json {
                            writeln!(out)?;
                        }
                        if !note.is_empty() {
                            output::note(global.quiet, &output::tame(&note));
                        }
                    }
                    Err(why) => {
                        exit = Exit::Failed;
                        output::note(false, &output::tame(&why));
                    }
                }
                Ok(())
            },
        )
    });
    let done = done.and_then(|()| write!(out, "{foot}")).and_then(|()| out.flush());
    if way.lacks_gs.load(Ordering::Relaxed) {
        output::note(global.quiet, "gs is not installed: PostScript was read without it");
    }
    match done {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(exit),
    }
}

/// What stands before and behind all answers.
fn frame(way: &PaperOptions, is_corpus: bool) -> (&'static str, &'static str) {
    const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    match (way.format, is_corpus) {
        (ParsedPaperFormat::Tei, true) => (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <teiCorpus xmlns=\"http://www.tei-c.org/ns/1.0\">\n",
            "</teiCorpus>\n",
        ),
        (ParsedPaperFormat::Tei, false) => (XML, ""),
        _ => ("", ""),
    }
}

/// The models that ship, with those of the user in their places.
fn models(paths: &[PathBuf]) -> anyhow::Result<PaperModels> {
    let mut models = PaperModels::shipped().clone();
    for path in paths {
        let name = path.display();
        let bytes = files::read(path).with_context(|| format!("cannot read {name}"))?;
        let model = SequenceModel::read(&bytes);
        models.replace(model.map_err(|why| Failure::usage(format!("--model {name}: {why}")))?);
    }
    Ok(models)
}

/// The answer for one input, or why there is none.
fn answer(way: &PaperOptions, input: Input) -> Result<PaperAnswer, String> {
    let path = input?;
    let name = path.display().to_string();
    let ReadInput { capture, is_cut } = inputs::read(&path, None, &way.lacks_gs)?;
    let mut read = read_paper(&capture, &way.models).map_err(|why| format!("{name}: {why}"))?;
    if is_cut {
        read.trouble = inputs::cut_note();
    }
    let note = match read.trouble.as_str() {
        "" => String::new(),
        trouble => format!("{name}: {trouble}"),
    };
    let out = match way.format {
        ParsedPaperFormat::Json => show::json(&name, &read).to_string(),
        ParsedPaperFormat::Text => {
            show::text(if path == Path::new("-") { "" } else { &name }, &read)
        }
        ParsedPaperFormat::Bibtex => bibtex(&read.paper),
        ParsedPaperFormat::Tei => tei(&read.paper),
    };
    Ok(PaperAnswer { out, note })
}
