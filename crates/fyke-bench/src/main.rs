//! `cargo bench-fyke`: every figure that is published, as a command; a file per benchmark and this table.
//! It runs the code of the program, and where a benchmark needs the program itself in another process (the
//! web that is crawled, a whole crawl), this binary is that too.
#![warn(unreachable_pub)]

mod attack;
mod citations;
mod collect;
mod commands;
mod crawl;
mod documents;
mod encodings;
mod entities;
mod extract;
mod feeds;
mod focus;
mod forms;
mod fresh;
mod hostile;
mod hosts;
mod increment;
mod kinds;
mod known;
mod language;
mod links;
mod machine;
mod measures;
mod notices;
mod order;
mod pagerank;
mod papers;
mod pond_papers;
mod report;
mod retrieval;
mod row;
mod script;
mod search;
mod seen;
mod segments;
mod sim;
mod size;
mod slow;
mod spam;
mod stems;
mod tags;
mod targets;
mod texts;
mod topics;
mod trial;
mod twins;
mod web;
mod whole;
mod wire;
mod words;
mod writer;

use anyhow::Context as _;
use clap::Parser;
use fyke::cli::{self, Failure, output};
use fyke_stages::config::{nearest, parse_duration};
use report::BenchReport;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// As first word it asks for the program itself, with the words that follow.
const PROGRAM: &str = "fyke";

/// A benchmark.
struct Benchmark {
    name: &'static str,
    what: &'static str,
    /// The options that mean something to it.
    options: &'static [&'static str],
    run: fn(&Args) -> anyhow::Result<BenchReport>,
}

const BENCHMARKS: &[Benchmark] = &[
    whole::ROW,
    crawl::ROW,
    links::ROW,
    wire::ROW,
    hostile::ROW,
    attack::ROW,
    hosts::ROW,
    forms::ROW,
    seen::ROW,
    slow::ROW,
    focus::ROW,
    targets::ROW,
    collect::ROW,
    fresh::ROW,
    feeds::ROW,
    kinds::ROW,
    order::ROW,
    twins::ROW,
    language::ROW,
    stems::ROW,
    tags::ROW,
    papers::ROW,
    pond_papers::ROW,
    segments::ROW,
    encodings::ROW,
    entities::ROW,
    documents::ROW,
    extract::ROW,
    measures::ROW,
    retrieval::ROW,
    known::ROW,
    spam::ROW,
    search::ROW,
    writer::ROW,
    pagerank::ROW,
    topics::ROW,
    citations::ROW,
    sim::ROW,
    size::ROW,
    increment::ROW,
    row::ROW,
];

/// Measure fyke on this machine; the report states the machine and the command
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "cargo bench-fyke", bin_name = "cargo bench-fyke", version, after_help = help())]
struct Args {
    /// Which benchmark; without it they are listed
    what: Option<String>,
    /// Pages to fetch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=100_000_000))]
    pages: Option<u64>,
    /// Hosts of the generated web
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100_000))]
    hosts: Option<u64>,
    /// URLs to know
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..))]
    urls: Option<u64>,
    /// Links of the made web
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    links: Option<u64>,
    /// Gap between two requests to one host, as 0s, 100ms or 60s
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    gap: Option<Duration>,
    /// How long to crawl at most
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Crawl the site at this loopback URL instead of a generated web
    #[arg(long)]
    url: Option<String>,
    /// The folder of the data that is measured on; else FYKE_DATA
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Generated documents
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(10..=100_000_000))]
    documents: Option<u64>,
    /// Bytes of each page
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    size: Option<u64>,
    /// Seed of the generated pond
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Only this part of a benchmark of several
    #[arg(long, value_name = "NAME")]
    part: Option<String>,
    /// Runs of each setting
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: Option<u64>,
    /// Measure peers in the same run
    #[arg(long)]
    peers: bool,
    /// Write the pages and their known texts to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// CPU time of a page at the start and at the end, and all that lies between
    #[arg(long)]
    growth: bool,
    /// Crawl on this core alone, with the server on another
    #[arg(long, value_name = "CORE")]
    pin: Option<usize>,
    /// Print the report as one JSON value
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    let rows = BENCHMARKS.iter().map(|row| vec![format!("  {}", row.name), row.what.to_string()]);
    format!(
        "Benchmarks:\n{}\n\nExamples:\n  \
         cargo bench-fyke whole --pages 20000\n  \
         cargo bench-fyke whole --data DIR\n  \
         cargo bench-fyke crawl --pages 20000 --pin 0\n  \
         cargo bench-fyke hosts --hosts 100000 --gap 100s --time 5m --json\n  \
         cargo bench-fyke attack --pages 340\n  \
         cargo bench-fyke focus --seed 11\n  \
         cargo bench-fyke targets --seeds 2\n  \
         cargo bench-fyke order --hosts 100 --pages 10000\n  \
         cargo bench-fyke collect --data DIR --part learners --seeds 10\n  \
         cargo bench-fyke fresh --seeds 10\n  \
         cargo bench-fyke feeds --time 11m\n  \
         cargo bench-fyke twins --data DIR --peers --documents 1000000\n  \
         cargo bench-fyke documents --data DIR\n  \
         cargo bench-fyke language --data DIR --peers\n  \
         cargo bench-fyke stems --data DIR\n  \
         cargo bench-fyke papers --data DIR\n  \
         cargo bench-fyke pond-papers --seed 1 --seeds 2\n  \
         cargo bench-fyke spam --seeds 1\n  \
         cargo bench-fyke segments --data DIR --peers\n  \
         cargo bench-fyke extract --data DIR --peers\n  \
         cargo bench-fyke measures --data DIR --peers\n  \
         cargo bench-fyke retrieval --data DIR --peers\n  \
         cargo bench-fyke known --data DIR\n  \
         cargo bench-fyke search --documents 1000000 --peers\n  \
         cargo bench-fyke writer --data DIR\n  \
         cargo bench-fyke pagerank --data DIR --peers\n  \
         cargo bench-fyke topics --data DIR\n  \
         cargo bench-fyke citations --data DIR\n  \
         cargo bench-fyke sim --links 1000000\n  \
         cargo bench-fyke size --seeds 100\n  \
         cargo bench-fyke increment --documents 100000\n\n\
         The server runs in a process of its own; CPU time and memory are those of the crawl alone.",
        output::table(&rows.collect::<Vec<_>>())
    )
}

impl Args {
    /// The options that were given, by name.
    fn given(&self) -> Vec<&'static str> {
        let given = [
            ("pages", self.pages.is_some()),
            ("hosts", self.hosts.is_some()),
            ("urls", self.urls.is_some()),
            ("links", self.links.is_some()),
            ("gap", self.gap.is_some()),
            ("time", self.time.is_some()),
            ("url", self.url.is_some()),
            ("data", self.data.is_some()),
            ("documents", self.documents.is_some()),
            ("size", self.size.is_some()),
            ("seed", self.seed.is_some()),
            ("part", self.part.is_some()),
            ("seeds", self.seeds.is_some()),
            ("peers", self.peers),
            ("cases", self.cases.is_some()),
            ("growth", self.growth),
            ("pin", self.pin.is_some()),
        ];
        given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(PROGRAM) {
        return cli::start(std::env::args_os().skip(1));
    }
    let done = run(&Args::parse()).and_then(|()| output::all_said());
    done.map_or_else(|error| cli::report(&error).code().into(), |()| ExitCode::SUCCESS)
}

/// The program itself in a process of its own; the words of its command are still to be added.
fn program() -> anyhow::Result<Command> {
    let this = std::env::current_exe().context("cannot find the program itself")?;
    let mut command = Command::new(this);
    command.arg(PROGRAM);
    Ok(command)
}

fn run(args: &Args) -> anyhow::Result<()> {
    let Some(name) = &args.what else {
        output::say(&help());
        return Ok(());
    };
    let row = find(name, args)?;
    let pinned = args.pin.map(machine::pin).transpose()?;
    let report = (row.run)(args)?;
    report::say(args.json, (row.name, row.what), pinned, &report)
}

/// The folder of the data sets.
fn data(args: &Args) -> anyhow::Result<PathBuf> {
    let named = args.data.clone().or_else(|| std::env::var_os("FYKE_DATA").map(PathBuf::from));
    named.filter(|folder| folder.is_dir()).ok_or_else(|| {
        let message = "this benchmark needs data: name its folder by --data DIR or FYKE_DATA";
        Failure::usage(message).into()
    })
}

fn find(name: &str, args: &Args) -> anyhow::Result<&'static Benchmark> {
    let names = || BENCHMARKS.iter().map(|row| row.name);
    let Some(row) = BENCHMARKS.iter().find(|row| row.name == name) else {
        let advice = match nearest(name, names()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("known: {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(Failure::usage(format!("unknown benchmark {name:?}; {advice}")).into());
    };
    match args.given().into_iter().find(|option| !row.options.contains(option)) {
        None => Ok(row),
        Some(option) => {
            let known = row.options.join(", --");
            let message = format!("--{option} means nothing to {name}; it takes --{known}");
            Err(Failure::usage(message).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_says_what_it_is_and_takes_known_options() {
        let all = Args {
            what: None,
            pages: Some(1),
            hosts: Some(1),
            urls: Some(1),
            links: Some(1),
            gap: Some(Duration::ZERO),
            time: Some(Duration::ZERO),
            url: Some(String::new()),
            data: Some(PathBuf::new()),
            documents: Some(1),
            size: Some(1),
            seed: Some(1),
            part: Some(String::new()),
            seeds: Some(1),
            peers: true,
            cases: Some(PathBuf::new()),
            growth: true,
            pin: Some(0),
            json: true,
        };
        for (nth, row) in BENCHMARKS.iter().enumerate() {
            assert!(BENCHMARKS[..nth].iter().all(|other| other.name != row.name), "{}", row.name);
            assert!(row.what.len() > 20, "{}", row.name);
            assert!(row.options.iter().all(|option| all.given().contains(option)), "{}", row.name);
            assert!(help().contains(row.what), "{}", row.name);
        }
    }

    #[test]
    fn an_option_that_means_nothing_is_refused_by_name() {
        let check = |name: &str, args: Args, expected: Option<&str>| {
            let error = find(name, &args).err().map(|error| error.to_string());
            let said = error.as_deref().unwrap_or_default();
            assert_eq!(error.is_some(), expected.is_some(), "{said}");
            assert!(said.contains(expected.unwrap_or_default()), "{said}");
        };
        check("crawl", Args { growth: true, ..Args::default() }, None);
        check("slow", Args { growth: true, ..Args::default() }, Some("--growth means nothing"));
        check("crowl", Args::default(), Some("did you mean \"crawl\"?"));
    }
}
