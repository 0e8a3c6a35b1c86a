//! `fyke stem`: the stems of words (003 §4.3.4).

use super::lines::{self, InputLine, Sources};
use super::{Exit, Failure, Global, output};
use fyke_stages::config::nearest;
use fyke_text::stem::classes::{LEAST, StemClassCounter, WINDOW};
use fyke_text::stem::{self, Exceptions, STEMMERS, Stemmer};
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

/// Print the stems of words
#[derive(Debug, clap::Args)]
#[command(after_help = help())]
pub(super) struct Args {
    /// Words [default: standard input, unless -f is given]
    words: Vec<String>,
    /// Stemmer to use (see below)
    #[arg(long, value_name = "NAME", conflicts_with = "language")]
    stemmer: Option<String>,
    /// Use the stemmer of this language
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: String,
    /// File of exceptions: a word and its stem per line
    #[arg(long, value_name = "FILE")]
    exceptions: Option<PathBuf>,
    /// Read texts and print the words of each stem that occur together (one class per line)
    #[arg(long, conflicts_with = "words")]
    classes: bool,
    /// With --classes: number of words that count as together
    #[arg(long, value_name = "N", default_value_t = WINDOW, requires = "classes")]
    window: usize,
    /// With --classes: how much more often than by chance, as a share of both
    #[arg(long, value_name = "SHARE", default_value_t = LEAST, requires = "classes")]
    least: f64,
    /// Read words from a file; - is standard input (repeatable)
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
}

fn help() -> String {
    let rows =
        STEMMERS.iter().map(|row| format!("  {:<12}{:<4}{}", row.name, row.language, row.what));
    format!(
        "Examples:\n  \
         fyke stem turbines flying                 turbin, fli\n  \
         fyke stem --stemmer krovetz < words.txt   stems that are words\n  \
         fyke stem --language de -f woerter.txt --json\n  \
         fyke stem --exceptions own.txt mice       lines of own.txt: mice mouse\n  \
         fyke stem --classes -f texts.txt          organ organs, without organization\n\n\
         Stemmers, with the language of each:\n{}\n\n\
         Each output line has the stems of the words of an input line. Words are changed to lower case\n\
         first. In a language without a stemmer the words do not change.",
        rows.collect::<Vec<_>>().join("\n")
    )
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let stemmer = stemmer(args)?;
    let exceptions = args.exceptions.as_deref().map(exceptions).transpose()?.unwrap_or_default();
    if args.classes {
        return classes(global, args, |word| match stemmer {
            Some(stemmer) => exceptions.stem(stemmer, word).into_owned(),
            None => word.to_owned(),
        });
    }
    lines::each(Sources { given: &args.words, files: &args.files }, |line| {
        Ok(answer(line, global.json, |word| match stemmer {
            Some(stemmer) => exceptions.stem(stemmer, word).into_owned(),
            None => word.to_owned(),
        }))
    })?;
    Ok(Exit::Done)
}

/// The classes of a stemmer, taken apart by what the texts say.
fn classes(global: &Global, args: &Args, stem: impl Fn(&str) -> String) -> anyhow::Result<Exit> {
    let standard = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard[..] } else { &args.files };
    let mut counter = StemClassCounter::new(args.window);
    for path in files {
        let said = |error: io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let mut input = lines::open(path)?;
        while let Some(line) = lines::read_line(&mut input).map_err(said)? {
            for token in fyke_text::tokens(&line.text()) {
                let word = fyke_text::fold(token.text);
                if !word.is_empty() && word.chars().all(char::is_alphabetic) {
                    counter.add(&word, &stem);
                }
            }
        }
        counter.end();
    }
    for words in counter.classes(args.least) {
        match global.json {
            true => output::say(&json!({ "words": words }).to_string()),
            false => output::say(&words.join(" ")),
        }
    }
    Ok(Exit::Done)
}

fn answer(line: &InputLine, is_json: bool, stem: impl Fn(&str) -> String) -> String {
    let text = line.text().to_lowercase();
    let pairs = text.split_whitespace().map(|word| (word, stem(word)));
    if is_json {
        let lines = pairs.map(|(word, stem)| json!({ "word": word, "stem": stem }).to_string());
        return lines.collect::<Vec<_>>().join("\n");
    }
    pairs.map(|(_, stem)| stem).collect::<Vec<_>>().join(" ")
}

fn stemmer(args: &Args) -> anyhow::Result<Option<&'static Stemmer>> {
    let Some(name) = &args.stemmer else { return Ok(stem::of(&args.language)) };
    let names = || STEMMERS.iter().map(|row| row.name);
    stem::named(name).map(Some).ok_or_else(|| {
        let advice = match nearest(name, names()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("it is one of {}", names().collect::<Vec<_>>().join(", ")),
        };
        Failure::usage(format!("--stemmer {name:?}: {advice}")).into()
    })
}

fn exceptions(path: &Path) -> anyhow::Result<Exceptions> {
    let said = |why: String| Failure::usage(format!("--exceptions {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| said(error.to_string()))?;
    let read = Exceptions::read(&text);
    Ok(read.map_err(|line| said(format!("line {line} is not a word and its stem")))?)
}
