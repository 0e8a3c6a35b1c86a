//! `fyke papers merge`, `split`, `correct` and `refuse`: what people say of papers, which every run respects from then on.

use crate::cli::{Exit, Failure, Global, Viewed, opened, output, summary};
use fyke_stages::config::ToldPapers;
use fyke_stages::papers::{self, WrittenPaper};

/// Say that papers are one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers merge 4b1d6c0e8f7a2953 p0c1f6a7e9b3d2844
  fyke papers list --json wings | jq -r '.papers[].key' | xargs fyke papers merge

The keys are those that fyke papers list and show tell. It is written to papers.toml beside
fyke.toml, and all citations are grouped again at once.")]
pub(in crate::cli) struct MergeArgs {
    /// Keys of the papers
    #[arg(value_name = "KEY", required = true, num_args = 2..)]
    keys: Vec<String>,
}

/// Say that some references to a paper name another one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers split p0c1f6a7e9b3d2844                      how references to it are written
  fyke papers split p0c1f6a7e9b3d2844 w71ac4e0d95b8f3c2    these name a paper of their own

Written to papers.toml beside fyke.toml, and all citations are grouped again at once.")]
pub(in crate::cli) struct SplitArgs {
    /// Key of the paper
    #[arg(value_name = "KEY")]
    key: String,
    /// Keys of ways to write references [default: list them]
    #[arg(value_name = "FORM")]
    forms: Vec<String>,
}

/// Correct fields of a paper
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers correct 4b1d6c0e8f7a2953 --title 'Fishing by Night' --year 1994
  fyke papers correct p0c1f6a7e9b3d2844 --authors 'Ann Fisher and Bob Hook' --venue 'Tides'

Written to papers.toml beside fyke.toml, and shown at once. Fields that are not given stay as they
are found.")]
pub(in crate::cli) struct CorrectArgs {
    /// Key of the paper
    #[arg(value_name = "KEY")]
    key: String,
    /// Title
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Authors, with "and" between them
    #[arg(long, value_name = "TEXT")]
    authors: Option<String>,
    /// Journal or conference
    #[arg(long, value_name = "TEXT")]
    venue: Option<String>,
    /// Year of publication
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1500..=2100))]
    year: Option<u16>,
}

/// Say that documents are no papers
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers refuse https://tides.example/reading-list.html
  fyke papers refuse https://tides.example/a.pdf https://tides.example/b.pdf

Written to papers.toml beside fyke.toml. The documents stay in the collection and are searched.")]
pub(in crate::cli) struct RefuseArgs {
    /// URLs of the documents
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,
}

pub(super) fn merge(global: &Global, args: &MergeArgs) -> anyhow::Result<Exit> {
    tell(global, |told| told.same.push(args.keys.clone()))
}

pub(super) fn split(global: &Global, args: &SplitArgs) -> anyhow::Result<Exit> {
    let Viewed { collection, .. } = opened::show(global)?;
    let Some(forms) = papers::forms(&collection, &args.key)? else {
        let message = format!("there is no paper {}; fyke papers list shows the keys", args.key);
        return Err(Failure { exit: Exit::Failed, message }.into());
    };
    if args.forms.is_empty() {
        match global.json {
            true => output::say_json(&forms)?,
            false => {
                for WrittenPaper { key, references, text } in &forms {
                    output::say(&format!("{key}\t{references}\t{}", output::tame(text)));
                }
            }
        }
        return Ok(Exit::Done);
    }
    let is_known = |key: &&String| forms.iter().any(|form| form.key == **key);
    if let Some(unknown) = args.forms.iter().find(|key| !is_known(key)) {
        let what = format!("no reference to {} is written as {unknown}", args.key);
        return Err(Failure::usage(what).into());
    }
    drop(collection);
    tell(global, |told| told.apart.push(args.forms.clone()))
}

pub(super) fn correct(global: &Global, args: &CorrectArgs) -> anyhow::Result<Exit> {
    let CorrectArgs { key, title, authors, venue, year } = args;
    if title.is_none() && authors.is_none() && venue.is_none() && year.is_none() {
        let what = "nothing to correct: give --title, --authors, --venue or --year";
        return Err(Failure::usage(what).into());
    }
    tell(global, |told| {
        let fields = told.fields.entry(key.clone()).or_default();
        for (field, text) in
            [(&mut fields.title, title), (&mut fields.authors, authors), (&mut fields.venue, venue)]
        {
            if let Some(text) = text {
                field.clone_from(text);
            }
        }
        fields.year = year.or(fields.year);
    })
}

pub(super) fn refuse(global: &Global, args: &RefuseArgs) -> anyhow::Result<Exit> {
    let urls = args.urls.iter().map(|url| opened::url(url));
    let urls = urls.collect::<anyhow::Result<Vec<_>>>()?;
    tell(global, |told| told.refused.extend(urls.iter().map(ToString::to_string)))
}

/// Notes what was said and brings everything up to date.
fn tell(global: &Global, say: impl FnOnce(&mut ToldPapers)) -> anyhow::Result<Exit> {
    let opened = opened::open(global)?;
    let root = opened.collection.root();
    let mut told = ToldPapers::load(root)?;
    say(&mut told);
    told.write(root).map_err(|error| Failure::usage(error.to_string()))?;
    let made = summary::with_progress(global, |observe| {
        fyke_stages::run(&opened.collection, &opened.config, observe)
    })?;
    match global.json {
        true => output::say_json(&made)?,
        false => output::say(&summary::made(&made)),
    }
    Ok(Exit::Done)
}
