//! `fyke export`: the documents as files for others, with a dataset card.

use super::{Exit, Failure, Global, Viewed, opened, output, summary};
use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser};
use fyke_stages::export::{self, ExportFilter, ExportFormat, ExportOptions, ExportTarget, FORMATS};
use fyke_stages::{search, show};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The list of feeds, which is no format of documents.
const OPML: &str = "opml";

/// Export documents as JSON lines, Parquet, Markdown, text, TREC, WARC, or feeds as OPML
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke export jsonl                              exports/jsonl/ in the collection, with README.md
  fyke export parquet --out corpus.parquet       one file, with the card beside it
  fyke export text --where 'lang:sl -site:b.test date:2024..' --gzip
  fyke export jsonl --out - | jq -r .title       only the documents, to standard output
  fyke export warc --where 'type:html \"tidal power\"'
  fyke export opml --out feeds.opml              the feeds that were read, for feed readers

All documents with the reason kept are exported, or those that match --where, which takes the query
language of fyke search. type:pdf tests media type and extension; date:2024-03, date:2023..2024-06
and date:2024.. test the date of publication. Documents are ordered by id: the same collection gives
the same bytes. A file gets its name when it is complete. Exit code 3 if the disk is full. In the
format text, the characters & < > \" are escaped as in XML.")]
pub(super) struct Args {
    /// Format of the export
    #[arg(value_parser = names())]
    format: String,
    /// File or folder to write; - is standard output [default: exports/FORMAT in the collection]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Export only documents that match this query
    #[arg(long = "where", value_name = "QUERY", default_value = "", allow_hyphen_values = true)]
    filter: String,
    /// Also export copies, each with a reference to its original
    #[arg(long)]
    duplicates: bool,
    /// Also export documents that were fetched with credentials
    #[arg(long)]
    private: bool,
    /// Compress the file with gzip
    #[arg(long)]
    gzip: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.format == OPML {
        return export_feeds(global, args);
    }
    let found = FORMATS.iter().find(|format| format.name == args.format);
    let format = found.expect("clap allows no other name");
    if args.gzip && format.is_packed {
        let what = format!("{} is packed already; leave --gzip out", format.name);
        return Err(Failure::usage(what).into());
    }
    let Viewed { config, collection, .. } = opened::show(global)?;
    let rules = search::word_rules(collection.root(), &config)?;
    let filter = ExportFilter::parse(&args.filter, &rules).map_err(Failure::usage)?;
    if collection.documents.mark()? != collection.captures.end() {
        output::note(global.quiet, "some captures have no documents yet; fyke rebuild makes them");
    }
    let target = target(args.out.as_deref(), collection.root(), format);
    let &Args { duplicates, private, gzip, .. } = args;
    let options = ExportOptions { format, filter: &filter, duplicates, private, gzip };
    let exported = summary::with_progress(global, |observe| {
        export::export(&collection, &config, &options, &target, observe)
    });
    let card = match exported {
        Err(error) if target == ExportTarget::Standard && is_broken_pipe(&error) => {
            return Ok(Exit::Done);
        }
        exported => exported?,
    };
    if card.private > 0 {
        let count = show::count(card.private);
        let what = format!("{count} private documents are left out; --private exports them, too");
        output::note(global.quiet, &what);
    }
    let told = format!("{} documents, {}", show::count(card.documents), show::size(card.bytes));
    match target {
        ExportTarget::Standard => output::note(global.quiet, &told),
        _ if global.json => output::say_json(&card)?,
        ExportTarget::File(path) | ExportTarget::Folder(path) => {
            output::say(&format!("{}: {told}", output::tame(&path.display().to_string())));
        }
    }
    Ok(complete(card.missing))
}

/// An export that lacks documents is no success.
fn complete(missing: u64) -> Exit {
    if missing == 0 {
        return Exit::Done;
    }
    let missing = show::count(missing);
    // Said whatever was asked for: the file is not what it should be.
    output::note(
        false,
        &format!(
            "{missing} documents are not in it: their captures are missing or damaged; \
                                  fyke check says what to do"
        ),
    );
    Exit::Failed
}

/// Whether who reads standard output has had enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Writes the list of feeds.
fn export_feeds(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if !args.filter.is_empty() || args.duplicates || args.gzip {
        let what = "opml is a list of feeds: --where, --duplicates and --gzip are about documents";
        return Err(Failure::usage(what.to_owned()).into());
    }
    let Viewed { config, collection, .. } = opened::show(global)?;
    let list = export::opml(&collection, &config.collection.name, args.private)?;
    if list.private > 0 {
        let count = show::count(list.private as u64);
        let what = format!("{count} private feeds are left out; --private exports them, too");
        output::note(global.quiet, &what);
    }
    let told = format!("{} feeds", show::count(list.feeds as u64));
    let path = match args.out.as_deref() {
        Some(out) if out == Path::new("-") => {
            output::say(list.text.trim_end());
            output::note(global.quiet, &told);
            return Ok(Exit::Done);
        }
        Some(out) => out.to_owned(),
        None => collection.root().join("exports").join("feeds.opml"),
    };
    let write = || {
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(&path, &list.text)
    };
    write().with_context(|| format!("cannot write {}", path.display()))?;
    let name = path.display().to_string();
    match global.json {
        true => output::say_json(&json!({ "feeds": list.feeds, "file": name }))?,
        false => output::say(&format!("{}: {told}", output::tame(&name))),
    }
    Ok(Exit::Done)
}

fn names() -> PossibleValuesParser {
    let formats = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.what));
    let feeds = PossibleValue::new(OPML).help("the feeds that were read, not the documents");
    formats.chain([feeds]).collect::<Vec<_>>().into()
}

/// What has an extension is a file, unless it is a folder.
fn target(out: Option<&Path>, root: &Path, format: &ExportFormat) -> ExportTarget {
    let Some(out) = out else {
        return ExportTarget::Folder(root.join("exports").join(format.name));
    };
    let is_folder = out.is_dir() || out.extension().is_none() || ends_with_slash(out);
    match out {
        out if out == Path::new("-") => ExportTarget::Standard,
        out if is_folder => ExportTarget::Folder(out.to_owned()),
        out => ExportTarget::File(out.to_owned()),
    }
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_an_extension_is_a_file() {
        let check = |out: &str, expected: ExportTarget| {
            assert_eq!(target(Some(Path::new(out)), Path::new("c"), &FORMATS[0]), expected);
        };
        check("-", ExportTarget::Standard);
        check("x.jsonl", ExportTarget::File("x.jsonl".into()));
        check("corpus", ExportTarget::Folder("corpus".into()));
        check("corpus.d/", ExportTarget::Folder("corpus.d/".into()));
        let usual = target(None, Path::new("c"), &FORMATS[0]);
        assert_eq!(usual, ExportTarget::Folder("c/exports/jsonl".into()));
    }
}
