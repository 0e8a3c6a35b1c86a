//! `fyke spam`: the documents that are likely spam with what speaks for it, and what people say of pages and hosts.

use super::{Exit, Global, opened, output, summary};
use clap::Subcommand;
use fyke_stages::config::ToldSpam;
use fyke_stages::spam::{LikelySpam, likely};

/// List what is likely spam and why, and mark or allow pages and hosts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke spam                                  the 20 likeliest documents
  fyke spam list --least 0.3 --limit 100 --json
  fyke spam mark casino.example https://shop.example/win   a host and a page are spam
  fyke spam allow glossary.example           nothing of this host is spam
  fyke spam unmark casino.example            forget what was said

Each output line has the probability from 0 to 1, spam or kept, the URL, and what speaks for it,
separated by tabs. What you mark is no part of the corpus (reason: spam); it is written to spam.toml
beside fyke.toml, always decides, and survives fyke rebuild. With threshold = 0.9 in spam.toml,
whatever is as likely is left out as well.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<SpamCommand>,
}

#[derive(Debug, Subcommand)]
enum SpamCommand {
    /// List documents that are likely spam, the likeliest first
    #[command(after_help = "\
Examples:
  fyke spam list
  fyke spam list --least 0.3 --limit 100")]
    List {
        /// Least probability, 0 to 1
        #[arg(long, value_name = "P", default_value_t = 0.5)]
        least: f32,
        /// Number of documents to list
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Mark pages and hosts as spam
    #[command(after_help = "\
Examples:
  fyke spam mark casino.example
  fyke spam mark https://shop.example/win https://shop.example/win2")]
    Mark(SpamNames),
    /// Say of pages and hosts that they are not spam
    #[command(after_help = "\
Examples:
  fyke spam allow glossary.example
  fyke spam allow https://poems.example/refrain")]
    Allow(SpamNames),
    /// Forget what was said of pages and hosts
    #[command(after_help = "\
Examples:
  fyke spam unmark casino.example
  fyke spam unmark https://shop.example/win")]
    Unmark(SpamNames),
}

#[derive(Debug, clap::Args)]
struct SpamNames {
    /// URLs of pages, or names of whole hosts
    #[arg(required = true, value_name = "URL|HOST")]
    names: Vec<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        None => list(global, (0.5, 20)),
        Some(SpamCommand::List { least, limit }) => list(global, (*least, *limit)),
        Some(SpamCommand::Mark(told)) => tell(global, &told.names, Some(true)),
        Some(SpamCommand::Allow(told)) => tell(global, &told.names, Some(false)),
        Some(SpamCommand::Unmark(told)) => tell(global, &told.names, None),
    }
}

fn list(global: &Global, asked: (f32, usize)) -> anyhow::Result<Exit> {
    let opened = opened::show(global)?;
    let pages = likely(&opened.collection, asked)?;
    if global.json {
        output::say_json(&pages)?;
    } else {
        pages.iter().for_each(|page| output::say(&line(page)));
    }
    Ok(Exit::Done)
}

fn line(page: &LikelySpam) -> String {
    let kind = if page.is_spam { "spam" } else { "kept" };
    let told = if page.is_told { "as spam.toml says; " } else { "" };
    let evidence = page.evidence.join("; ");
    format!("{:.2}\t{kind}\t{}\t{told}{evidence}", page.probability, output::tame(&page.url))
}

/// Notes what was said and judges all documents again.
fn tell(global: &Global, names: &[String], is_spam: Option<bool>) -> anyhow::Result<Exit> {
    let opened = opened::open(global)?;
    let root = opened.collection.root();
    let mut told = ToldSpam::load(root)?;
    for name in names {
        told.tell(name, is_spam)?;
    }
    told.write(root)?;
    let made = summary::with_progress(global, |observe| {
        fyke_stages::run(&opened.collection, &opened.config, observe)
    })?;
    match global.json {
        true => output::say_json(&made)?,
        false => output::say(&summary::made(&made)),
    }
    Ok(Exit::Done)
}
