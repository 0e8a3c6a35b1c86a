//! `fyke lab queries`: queries from the log of searches, as topics to judge.

use crate::cli::{Exit, Global, opened, output};
use clap::ValueEnum;
use fyke_eval::kinds::NeedKind;
use fyke_lab::searches::{self, Mined, mine};

/// List the logged queries with their clicks and kinds
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The site logs searches only with log_searches = true in [serve]. The log has the words, the results
shown and opened, and the minute; it has nothing about the person. Words can still identify
somebody: --at-least 3 leaves out queries that only one or two people may have asked.

The kind is a guess. A query is navigational if it names a site of its results, or if at least 80 %
of three or more clicks went to one result; transactional if it has a word such as download or buy
(English only); otherwise informational.

Examples:
  fyke lab queries                                  all queries, the most frequent first
  fyke lab queries --at-least 3 --format jsonl > topics.jsonl      topics to judge
  fyke lab queries --kind navigational --format plain
  fyke lab queries --json | jq '.[] | select(.without_results == 1) | .query'
  fyke lab queries --forget                         delete the log")]
pub(super) struct Args {
    /// Only queries that were asked at least N times
    #[arg(long, value_name = "N", default_value_t = 1)]
    at_least: u64,
    /// Only queries of this kind: informational, navigational or transactional
    #[arg(long, value_name = "KIND")]
    kind: Option<NeedKind>,
    /// Maximum number of queries
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = QueryFormat::Table)]
    format: QueryFormat,
    /// Delete the log of searches
    #[arg(long, conflicts_with_all = ["at_least", "kind", "limit", "format"])]
    forget: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QueryFormat {
    /// A table for people
    Table,
    /// One query per line
    Plain,
    /// Id, query, an empty column and kind, separated by tabs
    Tsv,
    /// One JSON object per line
    Jsonl,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    // The log can be read and deleted while another process serves: no lock is taken.
    let root = opened::find(global)?;
    let config = opened::settings(global, Some(&root))?.config;
    if args.forget {
        let days = searches::forget(&root)?;
        output::note(global.quiet, &forgotten(days, config.serve.log_searches));
        return Ok(Exit::Done);
    }
    let logged = searches::read(&root)?;
    if logged.unreadable > 0 {
        let lines = logged.unreadable;
        output::note(global.quiet, &format!("{lines} lines of the log could not be read"));
    }
    if logged.searches.is_empty() {
        output::note(global.quiet, nothing(config.serve.log_searches));
    }
    let mut mined = mine(&logged.searches, args.at_least);
    mined.retain(|row| args.kind.is_none_or(|kind| row.kind == kind));
    mined.truncate(args.limit.unwrap_or(usize::MAX));
    match global.json {
        true => output::say_json(&mined)?,
        false => print(&mined, args.format)?,
    }
    Ok(Exit::Done)
}

/// What to say when the log is empty.
pub(super) fn nothing(is_logging: bool) -> &'static str {
    match is_logging {
        true => "the log of searches is empty; searches on the site of fyke serve fill it",
        false => "there is no log of searches; to keep one, set log_searches = true in [serve]",
    }
}

fn forgotten(days: usize, is_logging: bool) -> String {
    let more = match is_logging {
        true => "; logging continues until you set log_searches = false and restart fyke serve",
        false => "",
    };
    let days = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
    format!("the searches of {days} are deleted{more}")
}

fn print(mined: &[Mined], format: QueryFormat) -> anyhow::Result<()> {
    if let QueryFormat::Table = format {
        let head = ["query", "searches", "clicks", "no results", "no clicks", "kind", ""];
        let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(mined.iter().map(row));
        output::say(&output::table_with_head(&rows.collect::<Vec<_>>()));
        return Ok(());
    }
    for topic in mined {
        // A tab or a line's end within a query would be one of the file.
        let query = output::tame(&topic.query);
        output::say(&match format {
            QueryFormat::Jsonl => serde_json::to_string(topic)?,
            QueryFormat::Tsv => format!("{}\t{query}\t\t{}", topic.id, topic.kind),
            QueryFormat::Plain | QueryFormat::Table => query,
        });
    }
    Ok(())
}

fn row(mined: &Mined) -> Vec<String> {
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    vec![
        output::tame(&mined.query),
        mined.searches.to_string(),
        mined.clicks.to_string(),
        percent(mined.without_results),
        percent(mined.without_clicks),
        mined.kind.to_string(),
        output::tame(&mined.why),
    ]
}
