//! `fyke robots`: whether a robots.txt lets an agent fetch URLs, and by which line (RFC 9309; 000
//! "robots.txt").

use super::lines::{self, InputLine, Sources};
use super::{Exit, Failure, Global, output};
use fyke_web::robots::RobotsVerdict;
use fyke_web::{Robots, Url, UrlError};
use serde_json::{Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What is read of the file at most; the rules are bounded by less.
const MOST_BYTES: u64 = 1 << 20;

/// Test whether a robots.txt allows URLs, and show the line that decides
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke robots robots.txt --agent fyke https://tides.example/tmp/x /calendar/2031/
  fyke robots robots.txt < urls.txt | grep ^disallowed
  curl -s https://tides.example/robots.txt | fyke robots - --agent Googlebot /search --json

Each output line has, separated by tabs: allowed, disallowed or refused (not a URL); the URL as
given; the line number in robots.txt; the rule. The last two are empty if no rule matches. Only the
path of a URL counts, because a robots.txt applies to its own host. Exit code 1 if a URL is
disallowed or refused.")]
pub(super) struct Args {
    /// The robots.txt file; - is standard input
    file: PathBuf,
    /// URLs or paths [default: one per line from standard input]
    urls: Vec<String>,
    /// Product token of the crawler
    #[arg(long, value_name = "NAME", default_value = "fyke")]
    agent: String,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.urls.is_empty() && args.file == Path::new("-") {
        let message = "robots.txt and URLs cannot both come from standard input; name one of them";
        return Err(Failure::usage(message).into());
    }
    let robots = Robots::parse(&read(&args.file)?, &args.agent);
    let mut exit = Exit::Done;
    lines::each(Sources { given: &args.urls, files: &[] }, |line| {
        let verdict = path(line).map(|path| robots.check(&path));
        if !verdict.as_ref().is_ok_and(|verdict| verdict.allowed) {
            exit = Exit::Failed;
        }
        let input = line.text();
        Ok(match global.json {
            true => as_json(&input, verdict, &robots).to_string(),
            false => output_line(&input, verdict),
        })
    })?;
    Ok(exit)
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    lines::open(path)?
        .take(MOST_BYTES)
        .read_to_end(&mut text)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Ok(text)
}

/// Path and query of a line that holds a URL, or a path alone.
fn path(line: &InputLine) -> Result<String, String> {
    if !line.whole {
        return Err(UrlError::TooLong.to_string());
    }
    let text = line.text();
    let text = text.trim();
    match text.chars().next() {
        Some('/') => return Ok(text.to_owned()),
        // As RFC 9110 reads it: no path is the root.
        None => return Ok("/".to_owned()),
        _ => {}
    }
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    Ok(url.path_and_query().to_owned())
}

fn output_line(input: &str, verdict: Result<RobotsVerdict, String>) -> String {
    let (word, line, rule) = match verdict {
        Err(why) => ("refused", String::new(), why),
        Ok(RobotsVerdict { allowed, rule, line }) => {
            let word = if allowed { "allowed" } else { "disallowed" };
            let line = line.map(|line| line.to_string());
            (word, line.unwrap_or_default(), rule.unwrap_or_default())
        }
    };
    format!("{word}\t{}\t{line}\t{}", output::tame(input), output::tame(&rule))
}

fn as_json(input: &str, verdict: Result<RobotsVerdict, String>, robots: &Robots) -> Value {
    match verdict {
        Err(error) => json!({ "input": input, "error": error }),
        Ok(RobotsVerdict { allowed, rule, line }) => json!({
            "input": input,
            "allowed": allowed,
            "line": line,
            "rule": rule,
            "crawl_delay": robots.crawl_delay.map(|delay| delay.as_secs_f64()),
        }),
    }
}
