//! `fyke subject`: the pages of a focused collection that are nearest to its threshold, and what people say of them.

use super::{Exit, Failure, Global, opened, output, summary};
use clap::Subcommand;
use fyke_stages::config::{ApprovedPages, ScopeMode};
use fyke_stages::subject::{BorderlinePage, borderline};
use fyke_web::Url;

/// List the pages nearest to the threshold of a focused crawl; approve or refuse pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke subject                                   the 20 pages nearest to focus.threshold
  fyke subject --limit 100 --json
  fyke subject approve https://tides.example/mill    this page is about the subject
  fyke subject refuse https://tides.example/jobs https://tides.example/imprint

Each output line has the relevance from 0 to 1, kept or offtopic, the URL and the title, separated
by tabs. Approved and refused pages are written to subject.toml beside fyke.toml; pages like them
are judged accordingly. All documents are judged again at once. After a change of keywords or
threshold in [focus], fyke rebuild and fyke crawl judge them again.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<SubjectCommand>,
    /// Number of pages to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum SubjectCommand {
    /// Approve pages: they are about the subject
    #[command(after_help = "\
Examples:
  fyke subject approve https://tides.example/mill
  fyke subject approve https://tides.example/mill https://tides.example/barrage")]
    Approve {
        /// URLs of the pages
        #[arg(required = true)]
        urls: Vec<String>,
    },
    /// Refuse pages: they are not about the subject
    #[command(after_help = "\
Examples:
  fyke subject refuse https://tides.example/jobs
  fyke subject refuse https://tides.example/jobs https://tides.example/imprint")]
    Refuse {
        /// URLs of the pages
        #[arg(required = true)]
        urls: Vec<String>,
    },
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        None => list(global, args.limit),
        Some(SubjectCommand::Approve { urls }) => tell(global, urls, true),
        Some(SubjectCommand::Refuse { urls }) => tell(global, urls, false),
    }
}

fn list(global: &Global, limit: usize) -> anyhow::Result<Exit> {
    let opened = opened::show(global)?;
    check(opened.config.scope.mode)?;
    let view = &opened.collection;
    let pages = borderline(view, view.root(), (&opened.config, limit))?;
    if global.json {
        output::say_json(&pages)?;
    } else {
        pages.iter().for_each(|page| output::say(&line(page)));
    }
    Ok(Exit::Done)
}

fn line(page: &BorderlinePage) -> String {
    let kind = if page.is_on { "kept" } else { "offtopic" };
    let (url, title) = (output::tame(&page.url), output::tame(&page.title));
    format!("{:.2}\t{kind}\t{url}\t{title}", page.relevance)
}

fn check(mode: ScopeMode) -> anyhow::Result<()> {
    match mode {
        ScopeMode::Focused => Ok(()),
        _ => {
            Err(Failure::usage("this collection has no subject; its scope.mode is not \"focused\"")
                .into())
        }
    }
}

/// Notes what was said and judges all documents again.
fn tell(global: &Global, urls: &[String], is_on: bool) -> anyhow::Result<Exit> {
    let urls: Vec<Url> = urls.iter().map(|url| opened::url(url)).collect::<anyhow::Result<_>>()?;
    let opened = opened::open(global)?;
    check(opened.config.scope.mode)?;
    let root = opened.collection.root();
    let mut pages = ApprovedPages::load(root)?;
    urls.iter().for_each(|url| pages.tell(url, is_on));
    pages.write(root)?;
    let made = summary::with_progress(global, |observe| {
        fyke_stages::run(&opened.collection, &opened.config, observe)
    })?;
    match global.json {
        true => output::say_json(&made)?,
        false => output::say(&summary::made(&made)),
    }
    Ok(Exit::Done)
}
