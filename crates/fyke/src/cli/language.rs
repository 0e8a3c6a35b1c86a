//! `fyke language`: the language of texts, and training of a model for languages that are not
//! shipped (004 "language filter").

use super::inputs;
use super::lines::{self, InputLine};
use super::parallel::{cores, in_order, in_order_batched};
use super::{Exit, Failure, Global, output};
use fyke_derive::{ReadLimits, read_within};
use fyke_formats::open;
use fyke_text::language::{LanguageMethod, LanguageModel, LanguageTrainer, Languages, METHODS};
use fyke_web::REFINERS;
use fyke_web::document::ReadContent;
use fyke_web::page::Format;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Most bytes of a plain text that are read.
const MOST_BYTES: usize = 4 << 20;

/// Identify the language of texts, or learn a new language
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  fyke language letter.txt                    the language of a file, with its confidence
  fyke language page.html report.pdf          of the main text of a page, of the text of a document
  echo 'Dober dan, kako ste?' | fyke language
  fyke language --lines --json < sentences.txt > languages.jsonl
  fyke language --method ranks *.txt          by ranks of n-grams (Cavnar and Trenkle)
  fyke language train texts/ --out my.model   a folder for each language: texts/fry/*.txt
  fyke language --model my.model letter.txt

An output line has the language code, the confidence from 0 to 1 and the path, separated by tabs.
The code is \"und\" if the language is unknown. With --json the line also has the percentage of the
text in each language. The output has the order of the input. Formats are detected as by fyke text,
character encodings, too; with --lines, lines are read as they are. Exit code 1 if a file cannot be
read."
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<LanguageCommand>,
    /// Files; - is standard input [default: -]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat each line as a text
    #[arg(long)]
    lines: bool,
    /// Method: bayes or ranks
    #[arg(long, value_name = "NAME", default_value = METHODS[0].name)]
    method: String,
    /// Use this model in addition to the built-in one (repeatable)
    #[arg(long, value_name = "FILE")]
    model: Vec<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Debug, clap::Subcommand)]
enum LanguageCommand {
    Train(Train),
}

/// Learn languages from texts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke language train texts/ --out my.model       texts/fry/a.txt, texts/nds/b.txt, …
  fyke language train texts.jsonl --out my.model  lines {\"lang\": \"fry\", \"text\": \"…\"}
  fyke language train texts/ --rivals nob,nno,dan --out my.model

A few kilobytes per language are enough; more is better. --rivals names similar languages, which get
additional weights. Exit code 2 if there is nothing to learn.")]
struct Train {
    /// Folders with a folder for each language, or files of JSON lines {lang, text}
    #[arg(value_name = "DIR|FILE", required = true)]
    sources: Vec<PathBuf>,
    /// File to write the model to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Languages that are hard to distinguish, for example hr,bs,sr (repeatable)
    #[arg(long, value_name = "CODES")]
    rivals: Vec<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.command {
        Some(LanguageCommand::Train(args)) => train(global, args),
        None => identify(global, args),
    }
}

/// How texts are told.
struct LanguageOptions {
    languages: Languages,
    method: LanguageMethod,
    json: bool,
}

fn identify(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let way = LanguageOptions {
        languages: languages(&args.model)?,
        method: method(&args.method)?,
        json: global.json,
    };
    let threads = args.threads.unwrap_or_else(cores);
    let standard = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard[..] } else { &args.files };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut exit = Exit::Done;
    let take = |answer: Result<String, String>| match answer {
        Ok(text) => writeln!(out, "{text}"),
        Err(why) => {
            exit = Exit::Failed;
            output::note(false, &output::tame(&why));
            Ok(())
        }
    };
    let done = match args.lines {
        true => {
            let texts = files.iter().flat_map(|path| texts(path));
            in_order_batched(texts, threads, |text| answer(&way, text), take)
        }
        false => in_order(files.iter().map(|path| whole(path)), threads, |t| answer(&way, t), take),
    };
    match done.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(exit),
    }
}

fn method(name: &str) -> anyhow::Result<LanguageMethod> {
    let found = METHODS.iter().find(|method| method.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        Failure::usage(format!("--method {name:?}: it is one of {}", names.join(", "))).into()
    })
}

fn languages(models: &[PathBuf]) -> anyhow::Result<Languages> {
    models.iter().try_fold(Languages::shipped().clone(), |languages, path| {
        let said = |error: String| Failure::usage(format!("--model {}: {error}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| said(error.to_string()))?;
        Ok(languages.with(LanguageModel::read(bytes).map_err(|error| said(error.to_string()))?))
    })
}

/// A text, with where it stands.
type LanguageInput = Result<(String, String), String>;

/// The text of a file: of plain text all of it, of other formats what `fyke text` prints.
fn whole(path: &Path) -> LanguageInput {
    let name = path.display().to_string();
    let capture = inputs::read(path, None, &AtomicBool::new(false))?.capture;
    let read = read_within(&capture, &ReadLimits::default(), |capture| {
        open(capture).content(&REFINERS[0])
    });
    let ReadContent { found, format, .. } =
        read.map_err(|why| format!("{name}: {}", why.judge().detail))?;
    if !matches!(format, Format::Text | Format::Other) {
        return Ok((name, if found.text.is_empty() { found.title } else { found.text }));
    }
    let bytes = &capture.payload[..capture.payload.len().min(MOST_BYTES)];
    Ok((name, fyke_web::charset::decode(bytes, None)))
}

/// The lines of a file that are not blank, each with its number.
fn texts(path: &Path) -> Box<dyn Iterator<Item = LanguageInput> + Send> {
    let name = path.display().to_string();
    let opened: io::Result<Box<dyn Read + Send>> = match path == Path::new("-") {
        true => Ok(Box::new(io::stdin())),
        false => std::fs::File::open(path).map(|file| Box::new(file) as Box<dyn Read + Send>),
    };
    let mut input = match opened {
        Ok(input) => BufReader::new(input),
        Err(error) => return Box::new(std::iter::once(Err(format!("{name}: {error}")))),
    };
    let mut number = 0;
    Box::new(std::iter::from_fn(move || {
        loop {
            let line = lines::read_line(&mut input);
            number += 1;
            match line {
                Ok(None) => return None,
                Ok(Some(line)) if line.is_blank() => {}
                Ok(Some(line)) => return Some(Ok((format!("{name}:{number}"), text_of(&line)))),
                Err(error) => return Some(Err(format!("{name}: {error}"))),
            }
        }
    }))
}

fn text_of(line: &InputLine) -> String {
    String::from_utf8_lossy(line.bytes()).into_owned()
}

fn answer(way: &LanguageOptions, text: LanguageInput) -> Result<String, String> {
    let (path, text) = text?;
    if !way.json {
        let guess = way.languages.identify_by(&way.method, &text);
        return Ok(format!("{}\t{:.2}\t{}", guess.code, guess.confidence, output::tame(&path)));
    }
    let (guess, shares) = match way.method.name == METHODS[0].name {
        true => way.languages.told(&text),
        false => (way.languages.identify_by(&way.method, &text), way.languages.shares(&text)),
    };
    let confidence = (f64::from(guess.confidence) * 1e4).round() / 1e4;
    let shares = shares.into_iter().collect();
    let line = ToldLanguage { confidence, language: guess.code, path: &path, shares };
    serde_json::to_string(&line).map_err(|error| format!("{path}: {error}"))
}

/// A line of the answer as JSON.
#[derive(Serialize)]
struct ToldLanguage<'a> {
    confidence: f64,
    language: &'a str,
    path: &'a str,
    shares: BTreeMap<&'a str, u8>,
}

#[derive(Deserialize)]
struct LanguageRow {
    lang: String,
    text: String,
}

fn train(global: &Global, args: &Train) -> anyhow::Result<Exit> {
    let group = |codes: &String| codes.split(',').map(|code| code.trim().to_owned()).collect();
    let mut trainer = LanguageTrainer::new(args.rivals.iter().map(group).collect());
    let mut learnt = 0_usize;
    for source in &args.sources {
        learnt += match source.is_dir() {
            true => learn_folder(source, &mut trainer)?,
            false => learn_rows(source, &mut trainer)?,
        };
    }
    if learnt == 0 {
        let message = "nothing to learn: give folders with a folder of texts for each language, \
                       or files of JSON lines {lang, text}";
        return Err(Failure::usage(message).into());
    }
    let bytes = trainer.finish();
    std::fs::write(&args.out, &bytes)
        .map_err(|error| Failure::usage(format!("{}: {error}", args.out.display())))?;
    let model = LanguageModel::read(bytes)?;
    let codes = model.codes();
    match global.json {
        true => output::say_json(&json!({ "texts": learnt, "languages": codes }))?,
        false => output::say(&format!("learnt {} from {learnt} texts", codes.join(", "))),
    }
    Ok(Exit::Done)
}

fn add(trainer: &mut LanguageTrainer, code: &str, text: &str, place: &str) -> anyhow::Result<()> {
    match trainer.add(code, text) {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "{place}: {code:?} is no language code (letters, digits and hyphens), or there are \
             more than 256 languages"
        ))
        .into()),
    }
}

/// Learns from the files of each folder below `folder`, whose name is the code; how many.
fn learn_folder(folder: &Path, trainer: &mut LanguageTrainer) -> anyhow::Result<usize> {
    let mut learnt = 0;
    for language in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let code = language.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for file in entries(&language)?.into_iter().filter(|path| path.is_file()) {
            let (name, text) = whole(&file).map_err(Failure::usage)?;
            add(trainer, &code, &text, &name)?;
            learnt += 1;
        }
    }
    Ok(learnt)
}

/// What is in a folder, sorted, so that the same texts give the same model.
fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let said = |error: io::Error| Failure::usage(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(said)?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Learns from JSON lines; how many.
fn learn_rows(file: &Path, trainer: &mut LanguageTrainer) -> anyhow::Result<usize> {
    let mut learnt = 0;
    for (number, line) in lines::open(file)?.lines().enumerate() {
        let place = format!("{}:{}", file.display(), number + 1);
        let said = |error: String| Failure::usage(format!("{place}: {error}"));
        let line = line.map_err(|error| said(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let row: LanguageRow =
            serde_json::from_str(&line).map_err(|error| said(error.to_string()))?;
        add(trainer, &row.lang, &row.text, &place)?;
        learnt += 1;
    }
    Ok(learnt)
}
