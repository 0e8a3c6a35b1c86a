//! `fyke new`: a collection is a folder with a fyke.toml.

use super::{Exit, Failure, Global, output};
use anyhow::Context;
use fyke_stages::config::{
    NewSettings, TOPICS_FILE, check_contact, is_bare, names_loopback, seed_url, template,
};
use fyke_web::{Url, charset, opml};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A tree of the topics of computer science, to begin with.
const COMPUTER_SCIENCE: &str = include_str!("../../data/computer-science.toml");

/// Create a collection: a folder with a fyke.toml
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke new tides --site https://tides.example/ --contact mailto:me@example.org
  fyke new docs --site docs.example.org --site wiki.example.org
  fyke new tides --site tides.example --subject 'tidal turbine,marine current'
  fyke new blogs --feeds subscriptions.opml --contact mailto:me@example.org
  fyke new library --papers https://www.cs.example.edu/ https://www.inf.example.ac.uk/

With --subject the crawl is focused: it may leave the seeds' hosts, and follows the links that are
most likely to lead to the subject first. With --papers links that are most likely to lead to
research papers come first, and a tree of topics of computer science is written to topics.toml.
With --feeds the feeds of an OPML file, as feed readers export it, are written to [seeds] feeds.")]
pub(super) struct Args {
    /// The folder to create
    dir: PathBuf,
    /// A seed URL; for a bare host name https is tried, then http (repeatable)
    #[arg(long, value_name = "URL")]
    site: Vec<String>,
    /// Keywords of the subject, separated by commas
    #[arg(long, alias = "topic", value_name = "WORDS", value_delimiter = ',')]
    subject: Vec<String>,
    /// Look for research papers, from these seeds on: home pages of departments
    #[arg(long, value_name = "SEED", num_args = 0..)]
    papers: Option<Vec<String>>,
    /// A list of feeds to read, as OPML
    #[arg(long, value_name = "FILE")]
    feeds: Option<PathBuf>,
    /// Where site owners can reach you: mailto:…, https://… or a mail address
    #[arg(long, default_value = "")]
    contact: String,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let sites: Vec<String> =
        args.site.iter().chain(args.papers.iter().flatten()).cloned().collect();
    let seed = |site: &String| seed_url(site).map_err(|e| Failure::usage(format!("seed {e}")));
    let urls = sites.iter().map(seed).collect::<Result<Vec<Url>, Failure>>()?;
    check_contact(&args.contact).map_err(|what| Failure::usage(format!("--contact {what}")))?;
    let feeds = args.feeds.as_deref().map_or(Ok(Vec::new()), feeds_of)?;
    let fed = feeds.iter().filter_map(|feed| seed_url(feed).ok());
    let asked: Vec<Url> = urls.iter().cloned().chain(fed).collect();
    let is_local = !asked.is_empty() && asked.iter().all(names_loopback);
    // One without a scheme stays so: a crawl finds out which it is.
    let seed = |(site, url): (&String, &Url)| match is_bare(site) {
        true => site.trim().to_string(),
        false => url.as_str().to_string(),
    };
    let seeds: Vec<String> = sites.iter().zip(&urls).map(seed).collect();
    let topic = args.subject.iter().map(|word| word.trim().to_string());
    let topic: Vec<String> = topic.filter(|word| !word.is_empty()).collect();
    let name = make(&args.dir).with_context(|| format!("cannot make {}", args.dir.display()))?;
    let new = NewSettings {
        name,
        contact: contact(&args.contact),
        seeds: seeds.clone(),
        feeds: feeds.clone(),
        keywords: topic.clone(),
        papers: args.papers.is_some(),
    };
    let path = write(&args.dir, "fyke.toml", &template(&new))?;
    if new.papers {
        write(&args.dir, TOPICS_FILE, COMPUTER_SCIENCE)?;
    }
    if global.json {
        output::say_json(
            &json!({ "collection": args.dir, "file": path, "seeds": seeds, "feeds": feeds }),
        )?;
        return Ok(Exit::Done);
    }
    output::say(&format!("made {}", path.display()));
    if !feeds.is_empty() {
        output::say(&format!("{} feeds", feeds.len()));
    }
    if new.papers {
        output::say(&format!("made {}", args.dir.join(TOPICS_FILE).display()));
    }
    let mut next = Vec::new();
    if seeds.is_empty() && feeds.is_empty() {
        next.push("write your seed URLs into [seeds] urls".to_string());
    }
    // A crawl of this machine alone needs none; a subject may lead to others.
    if args.contact.is_empty() && !(is_local && topic.is_empty()) {
        next.push("write your address into [collection] contact".to_string());
    }
    next.push(format!("run: fyke -C {} crawl", args.dir.display()));
    output::note(global.quiet, &format!("next: {}", next.join("; then ")));
    Ok(Exit::Done)
}

/// The feeds of an OPML file that can be asked for.
fn feeds_of(file: &Path) -> anyhow::Result<Vec<String>> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|e| Failure::usage(format!("--feeds {name}: {e}")))?;
    let found = opml::read(&charset::decode(&bytes, None));
    let urls: Vec<String> = found.into_iter().map(|feed| feed.url).collect();
    let (good, bad): (Vec<String>, Vec<String>) =
        urls.into_iter().partition(|url| seed_url(url).is_ok());
    for url in bad {
        output::note(false, &format!("left out, it is no address: {}", output::tame(&url)));
    }
    match good.is_empty() {
        true => Err(Failure::usage(format!("--feeds {name}: there are no feeds in it")).into()),
        false => Ok(good),
    }
}

/// Makes a collection without seeds, of a subject or none, for commands that find their pages themselves.
///
/// # Errors
/// When the folder cannot be made, or the contact is none.
pub(super) fn make_bare(dir: &Path, given: &str, topic: &[String]) -> anyhow::Result<()> {
    check_contact(given).map_err(|what| Failure::usage(format!("--contact {what}")))?;
    let name = make(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let keywords = topic.iter().map(|word| word.trim().to_owned()).collect();
    let (contact, seeds) = (contact(given), Vec::new());
    let new = NewSettings { name, contact, seeds, keywords, ..NewSettings::default() };
    write(dir, "fyke.toml", &template(&new)).map(drop)
}

/// A mail address alone as the URL that it stands for.
fn contact(given: &str) -> String {
    let is_bare = given.contains('@') && !given.contains([':', ' ']);
    if is_bare { format!("mailto:{given}") } else { given.to_owned() }
}

/// Makes the folder and says its name, that of `.` too.
fn make(dir: &Path) -> std::io::Result<String> {
    std::fs::create_dir_all(dir)?;
    let whole = dir.canonicalize()?;
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(name.unwrap_or_else(|| "collection".to_string()))
}

/// Writes a file, never over one that is there.
fn write(dir: &Path, name: &str, text: &str) -> anyhow::Result<PathBuf> {
    let path = dir.join(name);
    let open = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = match open {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let message =
                format!("{} exists already; edit it, or name another folder", path.display());
            return Err(Failure::usage(message).into());
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot write {}", path.display()));
        }
    };
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topics_of_computer_science_are_seventy_leaves() {
        let outline = fyke_stages::config::parse_outline(COMPUTER_SCIENCE).expect("topics");
        let leaves = outline.keywords.iter().filter(|keywords| !keywords.is_empty()).count();
        assert_eq!(leaves, 70);
    }
}
