//! The command line: a file per command, and this table of them.

mod check;
mod collect;
mod completions;
mod config;
mod crawl;
mod cuts;
mod dashboard;
mod demo;
mod diff;
mod exit;
mod export;
mod folder;
mod groups;
mod import;
mod inputs;
pub mod lab;
mod language;
mod lines;
mod man;
mod new;
mod opened;
pub mod output;
mod papers;
mod parallel;
mod plain;
mod pond;
mod probe;
mod progress;
mod rebuild;
mod robots;
mod row;
mod search;
mod serve;
mod served;
mod sim;
mod similar;
mod sitemap;
mod spam;
mod stats;
mod stem;
mod stop;
mod subject;
mod summary;
mod text;
mod tokens;
mod topics;
mod url;
mod urls;
mod watch;
mod why;

pub use exit::{Exit, Failure, report};
pub(crate) use opened::{OpenedCollection, Viewed};

use clap::{Args, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Crawl a part of the web politely, search it, and export it as a clean corpus.
#[derive(Debug, Parser)]
#[command(name = "fyke", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  fyke demo                                   a tour on a generated web, without a network
  fyke new tides --site https://tides.example/ --contact mailto:me@example.org
  fyke -C tides crawl --pages 500             fetch at most 500 pages; run it again to continue
  fyke -C tides search '\"tidal turbine\" -jobs'
  fyke -C tides serve                         the search site on 127.0.0.1:7700

Exit codes: 0 done · 1 failed · 2 usage or settings · 3 stopped early, can be continued ·
            4 nothing could be fetched · 5 a quality gate failed · 6 collection in use";

/// Heading of the options of every command, below those of the command itself.
const GLOBAL: &str = "Options of every command";

/// The options of every command.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Global {
    /// Folder of the collection [default: the nearest folder upwards with a fyke.toml]
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = GLOBAL)]
    pub dir: Option<PathBuf>,
    /// Print the result as one JSON value
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub json: bool,
    /// Override a setting, for example budget.pages=100 (repeatable)
    #[arg(long, value_name = "SECTION.KEY=VALUE", global = true, help_heading = GLOBAL)]
    pub set: Vec<String>,
    /// Write more to standard error (-vv for everything)
    #[arg(short, long, action = clap::ArgAction::Count, global = true, help_heading = GLOBAL)]
    pub verbose: u8,
    /// Do not show progress
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Args),
    New(new::Args),
    Probe(probe::Args),
    Crawl(crawl::Args),
    Collect(Box<collect::Args>),
    Serve(serve::Args),
    Search(Box<search::Args>),
    Similar(similar::Args),
    Why(why::Args),
    Diff(diff::Args),
    Row(row::Args),
    Urls(urls::Args),
    Stats(stats::Args),
    Sim(sim::Args),
    Topics(topics::Args),
    Spam(spam::Args),
    Subject(subject::Args),
    Rebuild(rebuild::Args),
    Check(check::Args),
    Config(config::Args),
    Pond(pond::Args),
    Import(import::Args),
    Export(export::Args),
    Text(text::Args),
    Papers(papers::Args),
    Language(language::Args),
    Stem(stem::Args),
    Tokens(tokens::Args),
    Url(url::Args),
    Robots(robots::Args),
    Sitemap(sitemap::Args),
    Lab(lab::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The whole program: reads the command line, whose first word is the program's name, runs one command,
/// turns trouble into an exit code.
#[must_use]
pub fn start(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    crate::memory::share_arenas();
    let cli = Cli::from_arg_matches(&groups::command::<Cli>().get_matches_from(words));
    let cli = cli.unwrap_or_else(|error| error.exit());
    log(&cli.global);
    fyke_stages::descriptors::raise();
    let exit = run(cli).unwrap_or_else(|error| report(&error));
    exit.code().into()
}

/// Runs the command that was asked for.
///
/// # Errors
/// Whatever stopped it; [`report`] turns it into a message and an exit code.
fn run(cli: Cli) -> anyhow::Result<Exit> {
    let exit = run_command(cli)?;
    output::all_said()?;
    Ok(exit)
}

fn run_command(cli: Cli) -> anyhow::Result<Exit> {
    let global = &cli.global;
    match cli.command {
        Command::Demo(args) => demo::run(global, &args),
        Command::New(args) => new::run(global, &args),
        Command::Probe(args) => probe::run(global, &args),
        Command::Crawl(args) => crawl::run(global, &args),
        Command::Collect(args) => collect::run(global, &args),
        Command::Serve(args) => serve::run(global, &args),
        Command::Search(args) => search::run(global, &args),
        Command::Similar(args) => similar::run(global, &args),
        Command::Why(args) => why::run(global, &args),
        Command::Diff(args) => diff::run(global, &args),
        Command::Row(args) => row::run(global, &args),
        Command::Urls(args) => urls::run(global, &args),
        Command::Stats(args) => stats::run(global, &args),
        Command::Sim(args) => sim::run(global, &args),
        Command::Topics(args) => topics::run(global, &args),
        Command::Spam(args) => spam::run(global, &args),
        Command::Subject(args) => subject::run(global, &args),
        Command::Rebuild(args) => rebuild::run(global, &args),
        Command::Check(args) => check::run(global, &args),
        Command::Config(args) => config::run(global, &args),
        Command::Pond(args) => pond::run(global, &args),
        Command::Import(args) => import::run(global, &args),
        Command::Export(args) => export::run(global, &args),
        Command::Text(args) => text::run(global, &args),
        Command::Papers(args) => papers::run(global, &args),
        Command::Language(args) => language::run(global, &args),
        Command::Stem(args) => stem::run(global, &args),
        Command::Tokens(args) => tokens::run(global, &args),
        Command::Url(args) => url::run(global, &args),
        Command::Robots(args) => robots::run(global, &args),
        Command::Sitemap(args) => sitemap::run(global, &args),
        Command::Lab(args) => lab::run(global, &args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(global, &args),
    }
}

/// Starts the log on standard error, as loud as `-v` asks.
fn log(global: &Global) {
    let level = match (global.quiet, global.verbose) {
        (true, _) => "error",
        (false, 0) => "fyke=warn,fyke_crawl=warn,fyke_store=warn,error",
        (false, 1) => "fyke=info,fyke_crawl=info,fyke_store=info,warn",
        (false, _) => "fyke=trace,fyke_crawl=trace,fyke_store=trace,info",
    };
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(level))
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_explains_itself_with_a_worked_example() {
        let mut cli = Cli::command();
        cli.build();
        check_widths(&cli);
        for command in cli.get_subcommands().filter(|c| c.get_name() != "help") {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} has no description");
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("fyke {name}")), "{name} shows no example");
        }
    }

    /// `cargo xtask docs` puts the help itself there. Benchmarks have docs/benchmarks.md.
    #[test]
    fn every_command_has_a_page_that_shows_its_help() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands");
        let cli = Cli::command();
        let commands = cli.get_subcommands().map(clap::Command::get_name);
        for name in commands.filter(|name| *name != "bench") {
            let page = std::fs::read_to_string(format!("{folder}/{name}.md"));
            let page = page.unwrap_or_else(|error| panic!("docs/commands/{name}.md: {error}"));
            assert!(page.contains(&format!("\n<!-- help: fyke {name} -->\n")), "{name}: no help");
        }
    }

    /// Longer lines would be broken by a terminal of a hundred columns, one word alone on a line.
    fn check_widths(command: &clap::Command) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check_widths);
    }
}
