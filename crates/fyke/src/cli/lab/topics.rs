//! `fyke lab needs`: what is to be asked, and what people want who ask it.

use super::read;
use crate::cli::{Exit, Failure, Global, opened, output};
use clap::Subcommand;
use fyke_eval::kinds::NeedKind;
use fyke_lab::judging::topic;
use fyke_lab::judging::{Judging, LabTopic};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of the longest list from standard input.
const LONGEST: u64 = 64 << 20;

/// Add, import or list information needs: queries with what is wanted by who asks them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab needs add tide mill --need 'Where tide mills stood and how they worked.'
  fyke lab needs add fyke manual --kind navigational
  fyke lab needs import needs.tsv              id, query, need, kind, separated by tabs
  fyke lab needs import topics.trec            TREC topics, JSON lines and plain lines as well
  fyke lab needs list --json

People judge relevance by the need, not by the words. One with a known id replaces the old one.")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: LabTopicsCommand,
}

#[derive(Debug, Subcommand)]
enum LabTopicsCommand {
    /// Add one information need
    #[command(after_help = "\
Examples:
  fyke lab needs add tide mill --need 'Where tide mills stood and how they worked.'
  fyke lab needs add fyke manual --kind navigational")]
    Add {
        /// The words people type
        #[arg(required = true)]
        query: Vec<String>,
        /// The information need in a sentence or two
        #[arg(long, default_value = "")]
        need: String,
        /// Kind of query: informational, navigational or transactional
        #[arg(long, default_value_t)]
        kind: NeedKind,
        /// Its id; the next number if it is empty
        #[arg(long, default_value = "")]
        id: String,
    },
    /// Add those of files (- is standard input)
    #[command(after_help = "\
Examples:
  fyke lab needs import needs.tsv              id, query, need, kind, separated by tabs
  fyke lab queries --format tsv | fyke lab needs import -")]
    Import {
        /// Files of information needs
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Show all topics
    #[command(after_help = "\
Examples:
  fyke lab needs list
  fyke lab needs list --json | jq '.[].query'")]
    List,
}

pub(crate) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let mut judging = Judging::open(&opened::find(global)?)?;
    match &args.what {
        LabTopicsCommand::List => return list(global, judging.topics.account().list()),
        LabTopicsCommand::Add { query, need, kind, id } => {
            let query = query.join(" ");
            let topic = LabTopic { id: id.clone(), query, need: need.clone(), kind: *kind };
            add(global, &mut judging, vec![topic])?;
        }
        LabTopicsCommand::Import { files } => {
            let mut topics = Vec::new();
            for file in files {
                topics.extend(from_file(file)?);
            }
            add(global, &mut judging, topics)?;
        }
    }
    Ok(Exit::Done)
}

/// The topics in a file, or in standard input.
pub fn from_file(path: &Path) -> anyhow::Result<Vec<LabTopic>> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().take(LONGEST).read_to_string(&mut text)?;
        text
    } else {
        read::whole(path)?
    };
    Ok(topic::parse(&text).map_err(|error| read::named(path, &error))?)
}

fn add(global: &Global, judging: &mut Judging, topics: Vec<LabTopic>) -> anyhow::Result<()> {
    let topics = judging.topics.account().numbered(topics);
    for topic in &topics {
        topic.check().map_err(Failure::usage)?;
    }
    judging.topics.append(&topics)?;
    if global.json {
        return output::say_json(&topics);
    }
    let all = judging.topics.account().list().len();
    output::say(&format!("{} added, {all} in all", topics.len()));
    Ok(())
}

fn list(global: &Global, topics: &[LabTopic]) -> anyhow::Result<Exit> {
    if global.json {
        output::say_json(&topics)?;
        return Ok(Exit::Done);
    }
    let head = ["id", "query", "kind", "need"].map(str::to_owned).to_vec();
    let row = |topic: &LabTopic| {
        [&topic.id, &topic.query, topic.kind.name(), &topic.need].map(output::tame).to_vec()
    };
    let rows: Vec<_> = std::iter::once(head).chain(topics.iter().map(row)).collect();
    output::say(&output::table_with_head(&rows));
    Ok(Exit::Done)
}
