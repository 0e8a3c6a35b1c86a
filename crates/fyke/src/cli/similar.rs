//! `fyke similar`: near copies of a document or file, how alike two texts are by every method, and
//! what differs between them (003 §3.7: search).

use super::{Exit, Failure, Global, Viewed, opened, output};
use fyke_derive::asked::similar::{self, DifferentPart, Similar, SimilarTo};
use fyke_store::{View, archive::escaped};
use fyke_text::difference::Side;
use fyke_text::sketch::{HashedText, P, SHINGLE, SKETCHES, SketchMethod, zero_mod_p};
use fyke_web::{Capture, Document, Url};
use serde_json::{Value, json};
use std::cell::OnceCell;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Bytes read of a file at the most.
const MOST_BYTES: u64 = 64 << 20;
/// The coefficient that methods are asked about: from there on two texts are near copies (001).
const NEAR: f64 = 0.8;

/// Find near copies of a page or file, or compare two texts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke similar https://tides.example/spring      the documents most like this one
  fyke similar draft.html -n 3 --json            the documents most like a file
  fyke similar https://tides.example/spring --diff    compare with its original or nearest document
  fyke similar old.html new.html                 compare two files by every method
  fyke similar old.html new.html --ngram 5 --modulus 4    fingerprints of 5-grams that are 0 mod 4
  fyke similar old.html new.html --diff          [-only in the first-] {+only in the second+}

Resemblance is the Jaccard coefficient of word 3-grams of the main text. Within a collection, text
that is on very many pages of one host does not count.
Exit code 1 if the collection has no such document, or if nothing resembles it.")]
pub(super) struct Args {
    /// A file, or the URL of a document in the collection
    first: String,
    /// Compare with this file or URL
    second: Option<String>,
    /// Number of documents to show
    #[arg(long, short = 'n', default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=100))]
    limit: u8,
    /// Smallest resemblance to show
    #[arg(long, value_name = "0..1", default_value_t = 0.1, value_parser = share)]
    least: f64,
    /// Words of an n-gram of the fingerprints by 0 mod p (two texts)
    #[arg(long, value_name = "N", requires = "second", value_parser = clap::value_parser!(u8).range(1..=20))]
    ngram: Option<u8>,
    /// Keep one n-gram in so many (two texts)
    #[arg(long, value_name = "P", requires = "second", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    modulus: Option<u64>,
    /// Show the differences, word by word
    #[arg(long)]
    diff: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    let is_share = (0.0..=1.0).contains(&number);
    is_share.then_some(number).ok_or_else(|| "a number from 0 to 1 is wanted".to_owned())
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let opened = OnceCell::new();
    let first = find(global, &opened, &args.first)?;
    let Some(second) = &args.second else {
        return search(global, args, collection(global, &opened)?, &first);
    };
    let second = find(global, &opened, second)?;
    match args.diff {
        true => say_differences(global, &first, &second)?,
        false => say_values(global, args, &first, &second)?,
    }
    Ok(Exit::Done)
}

/// The collection, opened when it is first needed: two files need none.
fn collection<'a>(global: &Global, opened: &'a OnceCell<Viewed>) -> anyhow::Result<&'a View> {
    if let Some(opened) = opened.get() {
        return Ok(&opened.collection);
    }
    let found = opened::show(global)?;
    Ok(&opened.get_or_init(|| found).collection)
}

/// A text that was asked for.
#[derive(Debug)]
struct NamedText {
    name: String,
    document: Document,
    is_file: bool,
}

impl NamedText {
    fn subject(&self) -> SimilarTo<'_> {
        match self.is_file {
            true => SimilarTo::Text(&self.document.text),
            false => SimilarTo::Document(&self.document),
        }
    }
}

/// A file of this name, else the document of the collection with this URL.
fn find(global: &Global, opened: &OnceCell<Viewed>, name: &str) -> anyhow::Result<NamedText> {
    let path = Path::new(name);
    if path.exists() {
        return read(path);
    }
    let url = opened::url(name).map_err(|error| {
        Failure::usage(format!("{name:?} is neither a file nor a URL: {error:#}"))
    })?;
    match similar::document(collection(global, opened)?, &url, name)? {
        Some(document) => Ok(NamedText { name: document.url.clone(), document, is_file: false }),
        None => {
            let message = format!(
                "the collection has no document {}; what became of it says: fyke why {name}",
                url.as_str()
            );
            Err(Failure { exit: Exit::Failed, message }.into())
        }
    }
}

/// The document inside a file.
fn read(path: &Path) -> anyhow::Result<NamedText> {
    let unreadable = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    let mut payload = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(MOST_BYTES).read_to_end(&mut payload).map_err(unreadable)?;
    let name = path.file_name().map(|name| escaped(name.as_bytes())).unwrap_or_default();
    let capture = Capture {
        url: Url::parse(&format!("http://localhost/{name}"))?,
        time: 0,
        status: 200,
        headers: Vec::new(),
        payload,
        truncated: None,
    };
    let document = fyke_derive::document_of(&capture).map_err(|why| {
        let message = format!("{}: {}", path.display(), why.judge().detail);
        Failure { exit: Exit::Failed, message }
    })?;
    Ok(NamedText { name: path.display().to_string(), document, is_file: true })
}

fn search(
    global: &Global,
    args: &Args,
    collection: &View,
    first: &NamedText,
) -> anyhow::Result<Exit> {
    let twin = match first.is_file {
        true => None,
        false => fyke_stages::twin(collection, first.document.id)?,
    };
    let of = twin.map(|twin| collection.documents.get(twin.of)).transpose()?.flatten();
    let mut found = similar::nearest(collection, first.subject(), usize::from(args.limit))?;
    found.retain(|similar| similar.resemblance >= args.least);
    if found.is_empty() && of.is_none() {
        output::note(global.quiet, "nothing in the collection resembles it");
    }
    if args.diff {
        let other = match (of, found.first()) {
            (None, Some(nearest)) => collection.documents.get(nearest.id)?,
            (of, _) => of,
        };
        let Some(document) = other else { return Ok(Exit::Failed) };
        let other = NamedText { name: document.url.clone(), document, is_file: false };
        say_differences(global, &other, first)?;
        return Ok(Exit::Done);
    }
    let of = of.map(|of| of.url);
    match global.json {
        true => output::say_json(&json!({
            "subject": first.name, "words": first.document.words,
            "copy_of": of, "exact": twin.map(|twin| twin.exact), "similar": found,
        }))?,
        false => say_similar(global, of.as_deref(), &found),
    }
    Ok(if found.is_empty() { Exit::Failed } else { Exit::Done })
}

fn say_similar(global: &Global, of: Option<&str>, found: &[Similar]) {
    if let Some(of) = of {
        output::note(global.quiet, &format!("a copy of {}", output::tame(of)));
    }
    let row = |similar: &Similar| {
        let Similar { url, title, resemblance, .. } = similar;
        vec![format!("{resemblance:.3}"), output::tame(url), output::tame(title)]
    };
    if !found.is_empty() {
        output::say(&output::table(&found.iter().map(row).collect::<Vec<_>>()));
    }
}

/// What a method says of two texts.
struct SaidValue {
    name: String,
    value: f64,
    is_near: bool,
    what: String,
}

/// What every method says; where n or p of 0 mod p are chosen, a row for them comes last.
fn values(args: &Args, texts: [&HashedText<'_>; 2]) -> Vec<SaidValue> {
    let [a, b] = texts;
    let row = |method: &SketchMethod| {
        let value = (method.compare)(&(method.make)(a), &(method.make)(b));
        let is_near = value >= (method.least)(NEAR);
        SaidValue { name: method.name.to_owned(), value, is_near, what: method.what.to_owned() }
    };
    let mut rows: Vec<SaidValue> = SKETCHES.iter().map(row).collect();
    if args.ngram.is_some() || args.modulus.is_some() {
        let n = args.ngram.map_or(SHINGLE, usize::from);
        let p = args.modulus.unwrap_or(P);
        let (value, [first, second]) = zero_mod_p(texts, n, p);
        let what = format!(
            "fingerprints of word {n}-grams whose hash is 0 mod {p}: {first} and {second} of them"
        );
        let name = format!("0-mod-{p}, n={n}");
        rows.push(SaidValue { name, value, is_near: value >= NEAR, what });
    }
    rows
}

fn say_values(
    global: &Global,
    args: &Args,
    first: &NamedText,
    second: &NamedText,
) -> anyhow::Result<()> {
    let [a, b] = [first, second].map(|found| HashedText::read(&found.document.text));
    let rows = values(args, [&a, &b]);
    if global.json {
        let row = |row: SaidValue| (row.name, json!({ "value": row.value, "near": row.is_near }));
        let values: serde_json::Map<String, Value> = rows.into_iter().map(row).collect();
        return output::say_json(&json!({
            "first": first.name, "second": second.name, "near_at": NEAR, "methods": values,
        }));
    }
    let rows = rows.into_iter().map(|row| {
        let verdict = if row.is_near { "near" } else { "apart" };
        vec![row.name, format!("{:.4}", row.value), verdict.to_owned(), row.what]
    });
    output::say(&output::table(&rows.collect::<Vec<_>>()));
    Ok(())
}

fn say_differences(global: &Global, first: &NamedText, second: &NamedText) -> anyhow::Result<()> {
    let parts = similar::differences(&first.document.text, &second.document.text);
    if global.json {
        let part = |part: &DifferentPart| json!({ "side": part.side.name(), "text": part.text });
        return output::say_json(&json!({
            "first": first.name, "second": second.name,
            "parts": parts.iter().map(part).collect::<Vec<_>>(),
        }));
    }
    let names = [(Side::First, &first.name), (Side::Second, &second.name)];
    let names = names.map(|(side, name)| DifferentPart { side, text: name.clone() });
    output::say(&format!("{}\n\n{}", marked(&names), marked(&parts)));
    Ok(())
}

/// In a line, with marks around what stands in one text alone.
pub(super) fn marked(parts: &[DifferentPart]) -> String {
    let mark = |DifferentPart { side, text }: &DifferentPart| {
        let text = output::tame(text);
        match side {
            Side::Both => text,
            Side::First => format!("[-{text}-]"),
            Side::Second => format!("{{+{text}+}}"),
        }
    };
    parts.iter().map(mark).collect::<Vec<_>>().join(" ")
}
