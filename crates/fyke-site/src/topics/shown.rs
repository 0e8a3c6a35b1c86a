//! Figures of topics as the page shows them.

use crate::answer;
use fyke_stages::show::{count, moment};
use fyke_stages::topics::{TopicFigures, TopicSample, TopicTreeFigures};
use fyke_store::archive::escaped;

/// Typical words in a row of the tree.
const WORDS: usize = 6;

/// A topic in the tree.
#[derive(Debug, Default)]
pub(crate) struct TopicTreeRow {
    /// The last step of its path, and a step for each one before.
    pub name: String,
    pub steps: Vec<()>,
    /// Its path in a link.
    pub path: String,
    pub documents: String,
    /// Of all documents, in per cent.
    pub share: u64,
    pub words: String,
}

impl TopicTreeRow {
    pub(crate) fn of(topic: &TopicFigures, all: u64) -> TopicTreeRow {
        TopicTreeRow {
            name: topic.name.rsplit('/').next().unwrap_or_default().to_owned(),
            steps: vec![(); topic.name.matches('/').count()],
            path: escaped(topic.name.as_bytes()),
            documents: count(topic.documents),
            share: 100 * topic.documents / all.max(1),
            words: few(&topic.typical),
        }
    }

    /// The documents that lie in no topic.
    pub(crate) fn without(figures: &TopicTreeFigures) -> TopicTreeRow {
        TopicTreeRow {
            documents: count(figures.without),
            share: 100 * figures.without / figures.documents.max(1),
            words: few(&figures.typical_without),
            ..TopicTreeRow::default()
        }
    }
}

fn few(words: &[String]) -> String {
    words.iter().take(WORDS).cloned().collect::<Vec<_>>().join(" ")
}

/// The topic that was chosen.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub name: String,
    pub path: String,
    pub documents: String,
    pub own: String,
    pub also: String,
    /// Keywords as they are edited.
    pub list: String,
    pub keywords: Vec<ShownKeyword>,
    pub typical: String,
    pub suggested: Vec<String>,
    pub confused: Vec<Confused>,
    pub samples: Vec<ShownTopics>,
}

/// A keyword with its documents, and how well it agrees with the topic.
#[derive(Debug)]
pub(crate) struct ShownKeyword {
    pub word: String,
    pub documents: String,
    pub agreement: String,
}

#[derive(Debug)]
pub(crate) struct Confused {
    pub name: String,
    pub path: String,
    pub share: String,
}

#[derive(Debug)]
pub(crate) struct ShownTopics {
    pub key: String,
    pub url: String,
    pub title: String,
    pub share: String,
}

impl Chosen {
    pub(crate) fn of(topic: &TopicFigures) -> Chosen {
        let words: Vec<&str> = topic.keywords.iter().map(|k| k.word.as_str()).collect();
        let keyword = |k: &fyke_stages::topics::KeywordFigures| {
            let (documents, agreement) = (count(k.documents), percent(k.agreement));
            ShownKeyword { word: k.word.clone(), documents, agreement }
        };
        let confused = |(name, share): &(String, f32)| Confused {
            name: name.clone(),
            path: escaped(name.as_bytes()),
            share: percent(f64::from(*share)),
        };
        Chosen {
            name: topic.name.clone(),
            path: escaped(topic.name.as_bytes()),
            documents: count(topic.documents),
            own: count(topic.own),
            also: count(topic.also),
            list: words.join(", "),
            keywords: topic.keywords.iter().map(keyword).collect(),
            typical: topic.typical.join(" "),
            suggested: topic.suggested.clone(),
            confused: topic.confused.iter().map(confused).collect(),
            samples: topic.samples.iter().map(ShownTopics::of).collect(),
        }
    }
}

impl ShownTopics {
    fn of(sample: &TopicSample) -> ShownTopics {
        let title = Some(&sample.title).filter(|title| !title.trim().is_empty());
        ShownTopics {
            key: answer::key(sample.id),
            url: sample.url.clone(),
            title: title.unwrap_or(&sample.url).clone(),
            share: percent(sample.share),
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100. * share)
}

/// How it was learnt, in a sentence.
pub(crate) fn learnt(figures: &TopicTreeFigures) -> String {
    let (from, when) = (count(figures.trained_on), moment(figures.trained));
    format!("learnt by fyke {} from {from} documents, {when}", figures.version)
}
