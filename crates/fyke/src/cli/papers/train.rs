//! `fyke papers train`: a model of fields from a user's own tagged file.

use crate::cli::{Exit, Failure, Global, output};
use anyhow::Context as _;
use fyke_papers::fields::{FieldExample, full, train};
use fyke_papers::tagged;
use fyke_stages::files;
use fyke_stages::show::count;
use fyke_text::sequence::SequenceModel;
use serde_json::json;
use std::path::PathBuf;

/// Learn a model of headers or references from a tagged file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers train headers.txt -o headers.model
  fyke papers train references.txt -o references.model --source 'theses of our library'
  fyke papers parse --model headers.model --model references.model thesis.pdf

A file of references has a reference on each line, every field between a tag and its end:
  <author> A. Fisher. </author> <title> Nets by night. </title> <date> 1999. </date>
A file of headers has <NEW_HEADER> before each header; +L+ ends a line, +PAGE+ ends page one:
  <NEW_HEADER> <title> Nets by +L+ night +L+ </title> <author> A. Fisher +L+ </author>
Field names are in lower case. fyke papers parse knows the names of the Cora files. Headers:
abstract address affiliation author date degree email intro keyword note page phone pubnum title
web. References: author booktitle date editor institution journal location note pages publisher
tech title volume. The model holds weights of hashed features and no words of the file.")]
pub(in crate::cli) struct Args {
    /// The tagged file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write the model
    #[arg(short, long, value_name = "MODEL")]
    out: PathBuf,
    /// Description of the file, stored in the model [default: the name of the file]
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let bytes = files::read(&args.file).with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let (what, texts) = match tagged::holds_headers(&text) {
        true => ("headers", tagged::headers(&text)),
        false => ("references", tagged::references(&text)),
    };
    let mut fields: Vec<&str> = texts.iter().flat_map(|text| &text.fields).copied().collect();
    fields.sort_unstable();
    fields.dedup();
    if fields.len() < 2 {
        let message = format!("{name}: no tagged fields; fyke papers train --help shows the form");
        return Err(Failure::usage(message).into());
    }
    let examples: Vec<FieldExample<'_>> = texts.iter().map(full).collect();
    let source = args.source.clone().unwrap_or_else(|| {
        let file = args.file.file_name().unwrap_or_default();
        file.to_string_lossy().into_owned()
    });
    let model = train(&examples, &format!("{} {what} of {source}", examples.len())).write();
    if SequenceModel::read(&model).is_err() {
        let message =
            format!("{name}: {} fields are more than a model can tell apart", fields.len());
        return Err(Failure::usage(message).into());
    }
    let path = args.out.display();
    std::fs::write(&args.out, &model).with_context(|| format!("cannot write {path}"))?;
    if global.json {
        output::say_json(&json!({
            "model": path.to_string(),
            "kind": what,
            "texts": examples.len(),
            "fields": fields,
            "bytes": model.len(),
        }))?;
    } else {
        let (texts, bytes) = (count(examples.len() as u64), count(model.len() as u64));
        output::say(&format!("{path}: learned from {texts} {what}, {bytes} bytes"));
        output::say(&format!("fields: {}", fields.join(" ")));
    }
    Ok(Exit::Done)
}
