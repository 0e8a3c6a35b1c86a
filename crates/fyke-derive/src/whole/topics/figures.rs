//! What is shown of topics: of each its documents, keywords with how well they agree, typical words,
//! samples, and what it is confused with.

use super::{Outline, TopicModel};
use fyke_web::Document;
use serde::{Deserialize, Serialize};

/// Typical words, words to suggest, sample documents, and topics that a topic is confused with.
const TYPICAL: usize = 12;
const SUGGESTED: usize = 8;
const SAMPLES: usize = 5;
const CONFUSED: usize = 3;

/// A word is suggested as keyword when so much of its documents lies in the topic, and so many have it.
const SUGGESTED_SHARE: f32 = 0.7;
const SUGGESTED_DOCUMENTS: u32 = 5;

/// Another topic's share that is worth telling.
const CONFUSED_SHARE: f32 = 0.01;

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopicTreeFigures {
    pub version: String,
    /// When it was learnt, in milliseconds since 1970, and from how many documents.
    pub trained: i64,
    pub trained_on: u64,
    pub documents: u64,
    /// Documents that lie in no topic, samples of them, and what is typical of them.
    pub without: u64,
    pub samples_without: Vec<TopicSample>,
    pub typical_without: Vec<String>,
    pub topics: Vec<TopicFigures>,
}

/// One topic.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopicFigures {
    pub name: String,
    /// Documents that lie here, and here or below.
    pub own: u64,
    pub documents: u64,
    /// Documents that lie elsewhere, but here as well.
    pub also: u64,
    pub keywords: Vec<KeywordFigures>,
    /// Words by odds ratio.
    pub typical: Vec<String>,
    /// Words that would do as keywords.
    pub suggested: Vec<String>,
    pub samples: Vec<TopicSample>,
    /// Other topics by the share they have in the documents of this one.
    pub confused: Vec<(String, f32)>,
}

/// A keyword of a topic.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeywordFigures {
    pub word: String,
    /// Documents with it, of those learnt from.
    pub documents: u64,
    /// How well the other words of its documents agree with it, from 0 to 1.
    pub agreement: f64,
}

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopicSample {
    pub id: u64,
    pub url: String,
    pub title: String,
    pub share: f64,
}

impl TopicSample {
    pub(super) fn of(document: &Document) -> TopicSample {
        let (url, title) = (document.url.clone(), document.title.clone());
        TopicSample { id: document.id.0, url, title, share: 0. }
    }
}

impl TopicTreeFigures {
    /// What is known before documents are placed.
    pub(super) fn of(trained: &TopicModel) -> TopicTreeFigures {
        let names = trained.outline.names.iter();
        let mut topics: Vec<TopicFigures> = names
            .enumerate()
            .map(|(node, name)| {
                let (typical, suggested) = words(trained, node);
                let confused = confused(trained, node);
                TopicFigures {
                    name: name.clone(),
                    typical,
                    suggested,
                    confused,
                    ..Default::default()
                }
            })
            .collect();
        let keywords = trained.outline.all_keywords().zip(&trained.found);
        for (((node, word), documents), agreement) in keywords.zip(&trained.model.agreement) {
            let (word, documents, agreement) = (word.to_owned(), *documents, *agreement);
            topics[node].keywords.push(KeywordFigures { word, documents, agreement });
        }
        TopicTreeFigures {
            version: trained.version.clone(),
            trained: trained.time,
            trained_on: trained.documents,
            typical_without: words(trained, trained.outline.names.len()).0,
            topics,
            ..TopicTreeFigures::default()
        }
    }

    /// Counts a document in its topics.
    pub(super) fn add(&mut self, document: TopicSample, nodes: &[(usize, f64)]) {
        self.documents += 1;
        let Some(((main, share), others)) = nodes.split_first() else {
            self.without += 1;
            if self.samples_without.len() < SAMPLES {
                self.samples_without.push(document);
            }
            return;
        };
        let topic = &mut self.topics[*main];
        topic.own += 1;
        let place = topic.samples.partition_point(|sample| sample.share >= *share);
        if place < SAMPLES {
            topic.samples.truncate(SAMPLES - 1);
            topic.samples.insert(place, TopicSample { share: *share, ..document });
        }
        others.iter().for_each(|(node, _)| self.topics[*node].also += 1);
    }

    /// Sums up the tree.
    pub(super) fn finish(&mut self, outline: &Outline) {
        let own: Vec<f64> = self.topics.iter().map(|topic| topic.own as f64).collect();
        let sums = outline.tree().sums(&own);
        self.topics.iter_mut().zip(sums).for_each(|(topic, sum)| topic.documents = sum as u64);
    }
}

/// Typical words of a node, and those of them that would do as keywords.
fn words(trained: &TopicModel, node: usize) -> (Vec<String>, Vec<String>) {
    let Some(typical) = trained.model.typical.get(node) else { return Default::default() };
    let word = |number: u32| trained.words[number as usize].clone();
    let is_keyword = |word: &String| trained.outline.all_keywords().any(|(_, known)| known == word);
    let would_do = typical
        .iter()
        .filter(|typical| {
            typical.share >= SUGGESTED_SHARE && typical.documents >= SUGGESTED_DOCUMENTS
        })
        .map(|typical| word(typical.word))
        .filter(|word| !is_keyword(word));
    let words = typical.iter().take(TYPICAL).map(|typical| word(typical.word)).collect();
    (words, would_do.take(SUGGESTED).collect())
}

/// The topics that a topic is confused with, the most first.
fn confused(trained: &TopicModel, node: usize) -> Vec<(String, f32)> {
    let classes = trained.model.classes();
    let Some(class) = classes.iter().position(|class| *class == node) else { return Vec::new() };
    let row = trained.model.confusion.get(class).into_iter().flatten();
    let others =
        row.zip(classes).filter(|(share, other)| **other != node && **share >= CONFUSED_SHARE);
    let mut others: Vec<(String, f32)> =
        others.map(|(share, other)| (trained.outline.names[*other].clone(), *share)).collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    others.truncate(CONFUSED);
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_counted_where_they_lie_and_above() {
        let names = ["a", "a/b", "a/c"].map(String::from).to_vec();
        let outline = Outline { names, ..Outline::default() };
        let topics = outline
            .names
            .iter()
            .map(|name| TopicFigures { name: name.clone(), ..Default::default() });
        let mut figures =
            TopicTreeFigures { topics: topics.collect(), ..TopicTreeFigures::default() };
        for (n, nodes) in
            [vec![(1, 0.9)], vec![(0, 0.6), (2, 0.3)], vec![], vec![(1, 0.95)]].iter().enumerate()
        {
            let url = format!("http://a.test/{n}");
            figures.add(TopicSample { url, ..TopicSample::default() }, nodes);
        }
        figures.finish(&outline);
        let counts: Vec<_> = figures.topics.iter().map(|t| (t.own, t.documents, t.also)).collect();
        assert_eq!(counts, [(1, 3, 0), (2, 2, 0), (0, 0, 1)]);
        assert_eq!((figures.documents, figures.without), (4, 1));
        let shares: Vec<_> = figures.topics[1].samples.iter().map(|s| s.share).collect();
        assert_eq!(shares, [0.95, 0.9]);
    }
}
