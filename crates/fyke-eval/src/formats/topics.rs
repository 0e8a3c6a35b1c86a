//! Topics: the information need behind a query, since relevance is judged by the need and not by the
//! query (000 "Evaluating an IR system"). In the files of TREC a topic stands between `<top>` and
//! `</top>`; its parts begin with a mark and are mostly not closed.

use super::{ParseError, error, lines};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt::Write as _;

/// An information need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// Name of the query, as in qrels and runs.
    pub id: String,
    /// The query.
    pub title: String,
    /// The need in a sentence; may be empty.
    #[serde(default)]
    pub description: String,
    /// What is relevant and what is not; may be empty.
    #[serde(default)]
    pub narrative: String,
}

impl Topic {
    /// A query of which nothing more is known.
    #[must_use]
    pub fn new(id: &str, title: &str) -> Topic {
        Topic { id: id.to_owned(), title: title.to_owned(), ..Topic::default() }
    }
}

/// Topics with names of their own.
pub(super) fn each_once(
    topics: impl IntoIterator<Item = Result<(usize, Topic), ParseError>>,
) -> Result<Vec<Topic>, ParseError> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for topic in topics {
        let (line, topic) = topic?;
        if topic.id.is_empty() || topic.title.is_empty() {
            return Err(error(line, "a topic needs a name, and a title or a description"));
        }
        if !seen.insert(topic.id.clone()) {
            return Err(error(line, format!("topic {} a second time", topic.id)));
        }
        all.push(topic);
    }
    Ok(all)
}

/// Marks of the parts, and the words that TREC puts behind them.
const PARTS: [(&str, &str); 4] = [
    ("<num>", "Number:"),
    ("<title>", "Topic:"),
    ("<desc>", "Description:"),
    ("<narr>", "Narrative:"),
];

/// Reads the marked-up topics of TREC. Where a topic has a description alone, as those of TREC 5 (000
/// "A TREC query"), it is the query.
pub(super) fn read(text: &str) -> Result<Vec<Topic>, ParseError> {
    let mut topics = Vec::new();
    // The line where the topic began, its parts, and which of them the lines belong to.
    let mut open: Option<(usize, [String; 4], usize)> = None;
    for (line, text) in lines(text) {
        let mut rest = text.trim();
        if let Some(begun) = rest.strip_prefix("<top>") {
            open = Some((line, Default::default(), PARTS.len()));
            rest = begun.trim_start();
        }
        let Some((_, parts, at)) = &mut open else {
            return Err(error(line, "expected <top>, or lines of a name, a tab and the query"));
        };
        if let Some(part) = PARTS.iter().position(|(mark, _)| rest.starts_with(mark)) {
            *at = part;
            rest = rest[PARTS[part].0.len()..].trim_start();
            rest = rest.strip_prefix(PARTS[part].1).unwrap_or(rest);
        }
        let is_over = rest.ends_with("</top>");
        if let Some(part) = parts.get_mut(*at) {
            part.push_str(rest.split("</").next().unwrap_or_default());
            part.push(' ');
        }
        if is_over && let Some((begun, parts, _)) = open.take() {
            let [id, mut title, description, narrative] = parts.map(|part| joined(&part));
            if title.is_empty() {
                title.clone_from(&description);
            }
            topics.push(Ok((begun, Topic { id, title, description, narrative })));
        }
    }
    match open {
        Some((begun, ..)) => Err(error(begun, "<top> without </top>")),
        None => each_once(topics),
    }
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn write(topics: &[Topic]) -> String {
    let mut text = String::new();
    for topic in topics {
        let parts = [&topic.id, &topic.title, &topic.description, &topic.narrative];
        text.push_str("<top>\n");
        for ((mark, word), part) in PARTS.iter().zip(parts).filter(|(_, part)| !part.is_empty()) {
            // The title goes without its word, as in most files of TREC.
            let word = if *mark == "<title>" { "" } else { word };
            let _ = writeln!(text, "{mark} {}", joined(&format!("{word} {part}")));
        }
        text.push_str("</top>\n\n");
    }
    text
}
