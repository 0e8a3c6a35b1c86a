//! `fyke import`: other people's archives, files and mail into the collection.

use super::progress::Progress;
use super::{Exit, Failure, Global, OpenedCollection, crawl, opened, output, stop, summary};
use fyke_crawl::Control;
use fyke_stages::Made;
use fyke_stages::files::walk;
use fyke_stages::import::{ImportOptions, ImportTrouble, Imported, import};
use fyke_stages::show;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Import web archives, files, mail and JSON lines into the collection and index them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke import crawl-2014.warc.gz              captures of another crawl
  fyke import old/*.arc.gz --no-index         index later with fyke rebuild
  fyke import WTX001/B01.gz FT911_1           TREC web and text collections
  fyke import papers/ Mail/ archive.mbox      folders of files and mail, mailboxes
  fyke import pages.jsonl                     lines {\"url\", \"html\" or \"text\", \"title\"}
  fyke -C tides import --json x.warc.gz | jq '.files[0].skipped'

The format is detected by content: WARC 0.17 to 1.1, ARC 1 and 2, TREC; plain, gzip or zstd. A
TREC document without a URL becomes http://trec.invalid/NUMBER. Any other file becomes one document
with a file: URL (see fyke text for the formats); a mailbox becomes one document per message, JSON
lines one per line. Folders are read recursively; hidden files, pipes, sockets and devices are
skipped. Scope and budget do not apply, and links are not followed. Importing a file twice adds
nothing: a capture that is known, or older than the stored one, is skipped. Damaged records are
skipped and reported. Exit code 2 if a named file does not exist (nothing is imported then), 1 if a
file cannot be read, or if not one record of all files can.")]
pub(super) struct Args {
    /// Files or folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Store the captures, but do not index them
    #[arg(long)]
    no_index: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    args.files.iter().try_for_each(|file| check(file))?;
    let mut opened = opened::open(global)?;
    opened.collection.captures.set_operator(&opened.config.collection.contact);
    let runtime = tokio::runtime::Runtime::new()?;
    let stop = Control::new();
    let asked = stop.clone();
    runtime.block_on(async { drop(stop::on_interrupt(asked)) });
    let mut files = Vec::new();
    for file in args.files.iter().flat_map(|file| walk(file)) {
        if stop.is_stopped() {
            break;
        }
        files.push(match file {
            Ok(file) => import_file(global, &mut opened, &file, &stop)?,
            Err(error) => Imported { error: Some(error), ..Imported::default() },
        });
    }
    let was_stopped = stop.is_stopped();
    // The stages may be cut anywhere: a signal there ends the process.
    stop.stop();
    let made = match args.no_index {
        true => opened.collection.settle().map(|()| None)?,
        false => {
            let OpenedCollection { config, collection } = &mut opened;
            Some(crawl::finish(global, config, collection, &mut |_| ())?)
        }
    };
    report(global, &files, made.as_ref())?;
    let is_unread = files.iter().all(|file| file.read == 0 && file.records > 0);
    if is_unread && !was_stopped {
        output::note(global.quiet, "no record of these files could be read as a page or document");
    }
    let is_bad = is_unread || files.iter().any(|file| file.error.is_some());
    Ok(match (was_stopped, is_bad) {
        (true, _) => {
            output::note(global.quiet, "stopped; run the same command again to continue");
            Exit::Stopped
        }
        (false, true) => Exit::Failed,
        (false, false) => Exit::Done,
    })
}

/// Refuses what is neither file nor folder before anything is done.
fn check(file: &Path) -> anyhow::Result<()> {
    let refuse = |what: &str| Err(Failure::usage(format!("{}: {what}", file.display())).into());
    match std::fs::metadata(file) {
        Err(error) => refuse(&error.to_string()),
        Ok(found) if !found.is_file() && !found.is_dir() => {
            refuse("is no regular file; save what it gives as one")
        }
        Ok(_) => Ok(()),
    }
}

fn import_file(
    global: &Global,
    opened: &mut OpenedCollection,
    file: &Path,
    stop: &Control,
) -> anyhow::Result<Imported> {
    let size = std::fs::metadata(file).map_or(0, |file| file.len());
    let mut progress = Progress::start(global.quiet, "import", Some(size));
    let name = output::tame(&file.display().to_string());
    let mut options = ImportOptions {
        most_bytes: usize::try_from(opened.config.fetch.max_bytes).unwrap_or(usize::MAX),
        stop,
        observe: &mut |bytes| progress.at(bytes.min(size), &name),
    };
    let imported = import(&mut opened.collection, file, &mut options);
    progress.finish();
    imported
}

fn report(global: &Global, files: &[Imported], made: Option<&Made>) -> anyhow::Result<()> {
    let added: u64 = files.iter().map(|file| file.added).sum();
    if global.json {
        return output::say_json(&json!({ "added": added, "files": files, "made": made }));
    }
    for file in files {
        output::say(&tell(file));
    }
    let made = made.map_or_else(|| "not indexed; `fyke rebuild` does it".to_owned(), summary::made);
    output::say(&format!("{} captures added; {made}", show::count(added)));
    Ok(())
}

/// What became of a file: a line, the counts of what was passed over, the first troubles.
fn tell(file: &Imported) -> String {
    let name = output::tame(&file.file.display().to_string());
    if let Some(error) = &file.error {
        return format!("{name}: {error}");
    }
    let mut text = format!(
        "{name}: {}, {} records, {} added",
        file.format,
        show::count(file.records),
        show::count(file.added)
    );
    let skipped: Vec<String> = file
        .skipped
        .iter()
        .map(|(name, count)| format!("{} {name}", show::count(*count)))
        .collect();
    if !skipped.is_empty() {
        text += &format!("; skipped: {}", skipped.join(", "));
    }
    for ImportTrouble { spot, reason, what } in &file.troubles {
        let inside = if spot.inside > 0 { format!(" + {}", spot.inside) } else { String::new() };
        let what = output::tame(what);
        text += &format!("\n  byte {}{inside}: {reason}: {what}", spot.offset);
    }
    text
}
