//! `fyke topics`: a topic tree from a few keywords (002 §3): learnt, applied, shown, and keywords
//! suggested for it.

use super::{Exit, Failure, Global, OpenedCollection, Viewed, opened, output, summary};
use clap::Subcommand;
use fyke_derive::Orders;
use fyke_stages::Eagerness;
use fyke_stages::config::TOPICS_FILE;
use fyke_stages::files;
use fyke_stages::moments;
use fyke_stages::show::{count, moment};
use fyke_stages::topics::{self, TopicFigures, TopicPlacer, TopicSample, TopicTreeFigures};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Classify documents into a tree of topics that is learned from a few keywords
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke topics train                   learn the topics of topics.toml and classify all documents
  fyke topics show                    the tree with its documents, keywords and typical words
  fyke topics show science/space      one topic, with sample documents and confused topics
  fyke topics suggest                 words that would make good keywords, by topic
  fyke topics apply                   classify all documents again with the learned model
  fyke topics apply page.html --json  the topics of a file

topics.toml is beside fyke.toml and has one line per topic:
  [topics]
  \"science/space\" = [\"orbit\", \"shuttle\"]
  \"science/medicine\" = [\"vitamin\", \"patient\"]
  [training]
  sizes = \"found\"      # \"even\" if topics are about equally frequent
  rest = true          # false if every document has one of the topics
Search with topic:science or topic:science/space.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: TopicsCommand,
}

#[derive(Debug, Subcommand)]
enum TopicsCommand {
    /// Learn the topics of topics.toml and classify all documents
    #[command(after_help = "\
Examples:
  fyke topics train
  fyke -C tides topics train --json | jq .documents")]
    Train,
    /// Classify all documents again, or classify files
    #[command(after_help = "\
Examples:
  fyke topics apply                   classify all documents again with the learned model
  fyke topics apply page.html --json  the topics of a file")]
    Apply {
        /// Files to classify instead of the documents
        files: Vec<PathBuf>,
    },
    /// Show the tree or one topic
    #[command(after_help = "\
Examples:
  fyke topics show                    the tree with its documents, keywords and typical words
  fyke topics show science/space      one topic, with sample documents and confused topics")]
    Show {
        /// Path of a topic, for example science/space
        topic: Option<String>,
    },
    /// Suggest keywords for topics
    #[command(after_help = "\
Examples:
  fyke topics suggest                 words that would make good keywords, by topic
  fyke topics suggest science/space   the same for one topic")]
    Suggest {
        /// Path of a topic, for example science/space
        topic: Option<String>,
    },
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        TopicsCommand::Train => train(global, &opened::open(global)?),
        TopicsCommand::Apply { files } if files.is_empty() => apply(global, &opened::open(global)?),
        TopicsCommand::Apply { files } => place(global, &opened::show(global)?, files),
        TopicsCommand::Show { topic } => show(global, &opened::show(global)?, topic.as_deref()),
        TopicsCommand::Suggest { topic } => {
            suggest(global, &opened::show(global)?, topic.as_deref())
        }
    }
}

fn train(global: &Global, opened: &OpenedCollection) -> anyhow::Result<Exit> {
    let OpenedCollection { collection, config } = opened;
    if fyke_stages::settings(collection.root(), config)?.outline.is_none() {
        let message = format!("there is no {TOPICS_FILE}; fyke topics --help shows one");
        return Err(Failure::usage(message).into());
    }
    summary::with_progress(global, |observe| {
        fyke_stages::rebuild_only(collection, config, &topics::MODEL_ROW, observe)
    })?;
    tell(global, &topics::figures(collection)?.ok_or_else(untrained)?)
}

fn apply(global: &Global, opened: &OpenedCollection) -> anyhow::Result<Exit> {
    let OpenedCollection { collection, config } = opened;
    topics::last(collection)?.ok_or_else(untrained)?;
    let settings = fyke_stages::settings(collection.root(), config)?;
    summary::with_progress(global, |observe| {
        let (pace, only) = (Eagerness::Usual, Some(topics::ROW.name));
        let mut orders = Orders { settings: &settings, pace, only, observe };
        fyke_derive::run_row(collection, &topics::ROW, &mut orders)?;
        let mut orders = Orders { only: None, ..orders };
        Ok(fyke_derive::run_row(collection, &fyke_derive::index::ROW, &mut orders)?)
    })?;
    tell(global, &topics::figures(collection)?.ok_or_else(untrained)?)
}

fn untrained() -> Failure {
    Failure::usage("no topics were learnt yet; run: fyke topics train")
}

/// What came of all documents.
fn tell(global: &Global, figures: &TopicTreeFigures) -> anyhow::Result<Exit> {
    if global.json {
        let value = moments::written(serde_json::to_value(figures)?, "trained");
        output::say_json(&value)?;
        return Ok(Exit::Done);
    }
    output::say(&tree(figures));
    Ok(Exit::Done)
}

/// The topics of files.
fn place(global: &Global, opened: &Viewed, paths: &[PathBuf]) -> anyhow::Result<Exit> {
    let trained = topics::last(&opened.collection)?.ok_or_else(untrained)?;
    let placed = TopicPlacer::by(&trained);
    let mut exit = Exit::Done;
    for input in paths.iter().flat_map(|path| files::walk(path)) {
        match input.and_then(|path| topics_of(global, &placed, &path)) {
            Ok(line) => output::say(&line),
            Err(what) => {
                output::note(global.quiet, &what);
                exit = Exit::Failed;
            }
        }
    }
    Ok(exit)
}

fn topics_of(global: &Global, placed: &TopicPlacer, path: &Path) -> Result<String, String> {
    let name = path.display().to_string();
    let bytes = files::read(path).map_err(|error| format!("{name}: {error}"))?;
    let capture = files::capture(path, None, bytes);
    let document = fyke_derive::document_of(&capture);
    let document = document.map_err(|why| format!("{name}: {}", why.judge().detail))?;
    let topics = placed.topics(&document, "");
    if global.json {
        return Ok(json!({ "path": name, "topics": topics }).to_string());
    }
    let topics = topics.iter().map(|topic| format!("{} {:.0} %", topic.name, 100. * topic.share));
    Ok(format!("{}\t{}", output::tame(&name), topics.collect::<Vec<_>>().join(", ")))
}

fn show(global: &Global, opened: &Viewed, topic: Option<&str>) -> anyhow::Result<Exit> {
    let figures = topics::figures(&opened.collection)?.ok_or_else(untrained)?;
    let Some(name) = topic else { return tell(global, &figures) };
    let topic = find(&figures, name)?;
    if global.json {
        output::say_json(topic)?;
    } else {
        output::say(&details(topic));
    }
    Ok(Exit::Done)
}

fn find<'a>(figures: &'a TopicTreeFigures, name: &str) -> anyhow::Result<&'a TopicFigures> {
    let names = || figures.topics.iter().map(|topic| topic.name.as_str());
    figures.topics.iter().find(|topic| topic.name == name).ok_or_else(|| {
        let near = fyke_stages::config::nearest(name, names());
        let advice = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        Failure::usage(format!("there is no topic {name:?}{advice}")).into()
    })
}

fn tree(figures: &TopicTreeFigures) -> String {
    let mut rows = vec![["topic", "documents", "here", "typical words"].map(String::from).to_vec()];
    for topic in &figures.topics {
        let depth = topic.name.matches('/').count();
        let last = topic.name.rsplit('/').next().unwrap_or_default();
        rows.push(vec![
            format!("{}{last}", "  ".repeat(depth)),
            count(topic.documents),
            count(topic.own),
            topic.typical.iter().take(6).cloned().collect::<Vec<_>>().join(" "),
        ]);
    }
    let without = figures.typical_without.iter().take(6).cloned().collect::<Vec<_>>().join(" ");
    let left = count(figures.without);
    rows.push(vec!["(no topic)".to_owned(), left.clone(), left, without]);
    format!(
        "{}\n\nlearnt by fyke {} from {} documents, {}",
        output::tame_lines(&output::table_with_head(&rows)),
        figures.version,
        count(figures.trained_on),
        moment(figures.trained)
    )
}

fn details(topic: &TopicFigures) -> String {
    let percent = |share: f64| format!("{:.0} %", 100. * share);
    let keywords = topic.keywords.iter().map(|keyword| {
        let (word, agreement) = (keyword.word.clone(), percent(keyword.agreement));
        vec![format!("  {word}"), count(keyword.documents), agreement]
    });
    let head = ["keywords", "documents", "agree"].map(String::from).to_vec();
    let keywords: Vec<_> = std::iter::once(head).chain(keywords).collect();
    let confused = topic.confused.iter();
    let confused = confused.map(|(name, share)| format!("  {name} {}", percent(f64::from(*share))));
    let sample = |sample: &TopicSample| {
        format!("  {} {} — {}", percent(sample.share), sample.url, sample.title)
    };
    let (documents, own) = (count(topic.documents), count(topic.own));
    let mut text = vec![format!("{}: {documents} documents, {own} of them here", topic.name)];
    for (title, lines) in [
        ("typical words", vec![format!("  {}", topic.typical.join(" "))]),
        ("confused with", confused.collect()),
        ("samples", topic.samples.iter().map(sample).collect()),
    ] {
        if !lines.is_empty() {
            text.push(format!("{title}\n{}", lines.join("\n")));
        }
    }
    text.insert(1, output::table_with_head(&keywords));
    output::tame_lines(&text.join("\n"))
}

fn suggest(global: &Global, opened: &Viewed, topic: Option<&str>) -> anyhow::Result<Exit> {
    let figures = topics::figures(&opened.collection)?.ok_or_else(untrained)?;
    let topics: Vec<&TopicFigures> = match topic {
        Some(name) => vec![find(&figures, name)?],
        None => figures.topics.iter().filter(|topic| !topic.keywords.is_empty()).collect(),
    };
    if global.json {
        let suggested = topics.iter().map(|topic| {
            json!({ "topic": topic.name, "keywords": topic.suggested, "weak": weak(topic) })
        });
        let suggested: Vec<_> = suggested.collect();
        output::say_json(&json!({ "topics": suggested, "without": figures.typical_without }))?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![
        ["topic", "would do as keywords", "keywords that disagree"].map(String::from).to_vec(),
    ];
    rows.extend(
        topics.iter().map(|topic| {
            vec![topic.name.clone(), topic.suggested.join(", "), weak(topic).join(", ")]
        }),
    );
    let mut text = output::table_with_head(&rows);
    if topic.is_none() && figures.without > 0 {
        let (without, words) = (count(figures.without), figures.typical_without.join(", "));
        text.push_str(&format!("\n\n{without} documents have no topic; typical of them: {words}"));
    }
    output::say(&output::tame_lines(&text));
    Ok(Exit::Done)
}

/// Keywords of which less than half is confirmed by the other words of their documents.
fn weak(topic: &TopicFigures) -> Vec<String> {
    let weak = topic.keywords.iter().filter(|keyword| keyword.agreement < 0.5);
    weak.map(|keyword| format!("{} ({:.0} %)", keyword.word, 100. * keyword.agreement)).collect()
}
