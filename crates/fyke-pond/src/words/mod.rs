//! The pond's words: topics with sub-topics, sentence templates, names and background words, all
//! written for it in `data/` and read once. A Zipf-like background and per-topic vocabularies
//! give the text the statistics a search engine lives on.

pub mod dice;
pub mod template;

pub use dice::{PondDice, hash, mix};
pub use template::{Template, Voice};

use std::sync::LazyLock;

/// Every topic is divided into so many sub-topics: queries ask for sub-topics.
pub(crate) const SUBS: usize = 5;

#[derive(Debug)]
pub struct PondTopic {
    pub name: &'static str,
    pub nouns: Vec<&'static str>,
    pub adjectives: Vec<&'static str>,
    pub verbs: Vec<&'static str>,
    pub phrases: Vec<&'static str>,
    pub sentences: Vec<Template>,
    pub subs: Vec<SubTopic>,
}

/// A sub-topic has several names: a page prefers one of them, so that a query's words miss some
/// of the pages that answer it.
#[derive(Debug)]
pub struct SubTopic {
    pub names: Vec<&'static str>,
    pub slug: String,
    pub terms: Vec<&'static str>,
    pub sentences: Vec<Template>,
}

const TOPIC_FILES: [&str; 12] = [
    include_str!("../../data/topics/tidal-energy.txt"),
    include_str!("../../data/topics/river-fish.txt"),
    include_str!("../../data/topics/bird-migration.txt"),
    include_str!("../../data/topics/glaciers.txt"),
    include_str!("../../data/topics/volcanoes.txt"),
    include_str!("../../data/topics/orchard-fruit.txt"),
    include_str!("../../data/topics/sourdough-bread.txt"),
    include_str!("../../data/topics/beekeeping.txt"),
    include_str!("../../data/topics/bookbinding.txt"),
    include_str!("../../data/topics/lace-making.txt"),
    include_str!("../../data/topics/clockmaking.txt"),
    include_str!("../../data/topics/railways.txt"),
];

static TOPICS: LazyLock<Vec<PondTopic>> =
    LazyLock::new(|| TOPIC_FILES.iter().map(|file| read_topic(file)).collect());

pub fn topics() -> &'static [PondTopic] {
    &TOPICS
}

/// `key: value` lines; empty lines and `#` notes are skipped.
pub fn lines(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim(), value.trim()))
}

fn list(value: &'static str, comma: char) -> Vec<&'static str> {
    value.split(comma).map(str::trim).filter(|word| !word.is_empty()).collect()
}

fn read_topic(file: &'static str) -> PondTopic {
    let mut topic = PondTopic {
        name: "",
        nouns: Vec::new(),
        adjectives: Vec::new(),
        verbs: Vec::new(),
        phrases: Vec::new(),
        sentences: Vec::new(),
        subs: Vec::new(),
    };
    for (key, value) in lines(file) {
        match (key, topic.subs.last_mut()) {
            ("topic", _) => topic.name = value,
            ("nouns", _) => topic.nouns.extend(list(value, ',')),
            ("adjectives", _) => topic.adjectives.extend(list(value, ',')),
            ("verbs", _) => topic.verbs.extend(list(value, ',')),
            ("phrases", _) => topic.phrases.extend(list(value, ',')),
            ("sub", _) => topic.subs.push(read_sub(value)),
            ("terms", Some(sub)) => sub.terms.extend(list(value, ',')),
            ("say", Some(sub)) => sub.sentences.push(Template::parse(value)),
            ("say", None) => topic.sentences.push(Template::parse(value)),
            _ => {}
        }
    }
    topic
}

fn read_sub(value: &'static str) -> SubTopic {
    let names = list(value, '|');
    let slug = names[0].replace([' ', '\''], "-");
    SubTopic { names, slug, terms: Vec::new(), sentences: Vec::new() }
}

/// What a template is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateGroup {
    Sub,
    PondTopic,
    Second,
    Plain,
    Stray,
    Comment,
    Quote,
    Bio,
    Syllabus,
    Aim,
    Method,
    Product,
    Question,
    Reply,
    Heading,
    Teaser,
    PersonTitle,
    CourseTitle,
    ProjectTitle,
    PaperTitle,
    NewsTitle,
    ProductTitle,
    WikiTitle,
    ThreadTitle,
}

const GROUPS: [(&str, TemplateGroup); 24] = [
    ("sub", TemplateGroup::Sub),
    ("topic", TemplateGroup::PondTopic),
    ("second", TemplateGroup::Second),
    ("plain", TemplateGroup::Plain),
    ("stray", TemplateGroup::Stray),
    ("comment", TemplateGroup::Comment),
    ("quote", TemplateGroup::Quote),
    ("bio", TemplateGroup::Bio),
    ("syllabus", TemplateGroup::Syllabus),
    ("aim", TemplateGroup::Aim),
    ("method", TemplateGroup::Method),
    ("product", TemplateGroup::Product),
    ("question", TemplateGroup::Question),
    ("reply", TemplateGroup::Reply),
    ("heading", TemplateGroup::Heading),
    ("teaser", TemplateGroup::Teaser),
    ("person title", TemplateGroup::PersonTitle),
    ("course title", TemplateGroup::CourseTitle),
    ("project title", TemplateGroup::ProjectTitle),
    ("paper title", TemplateGroup::PaperTitle),
    ("news title", TemplateGroup::NewsTitle),
    ("product title", TemplateGroup::ProductTitle),
    ("wiki title", TemplateGroup::WikiTitle),
    ("thread title", TemplateGroup::ThreadTitle),
];

/// Words and templates that belong to no topic.
#[derive(Debug)]
pub struct Stock {
    groups: Vec<Vec<Template>>,
    pub first_names: Vec<&'static str>,
    pub last_names: Vec<&'static str>,
    pub places: Vec<&'static str>,
    pub months: Vec<&'static str>,
    pub things: Vec<&'static str>,
    pub qualities: Vec<&'static str>,
}

static STOCK: LazyLock<Stock> = LazyLock::new(read_stock);

pub(crate) fn stock() -> &'static Stock {
    &STOCK
}

impl Stock {
    pub fn group(&self, group: TemplateGroup) -> &[Template] {
        &self.groups[group as usize]
    }
}

fn read_stock() -> Stock {
    let words = include_str!("../../data/background.txt");
    let sentences = include_str!("../../data/sentences.txt");
    let all = |wanted: &str| -> Vec<&'static str> {
        let rows = lines(words).filter(|(key, _)| *key == wanted);
        rows.flat_map(|(_, value)| list(value, ',')).collect()
    };
    let group = |name: &str| -> Vec<Template> {
        let rows = lines(sentences).filter(|(key, _)| *key == name);
        rows.map(|(_, value)| Template::parse(value)).collect()
    };
    Stock {
        groups: GROUPS.iter().map(|(name, _)| group(name)).collect(),
        first_names: all("first names"),
        last_names: all("last names"),
        places: all("places"),
        months: all("months"),
        things: all("things"),
        qualities: all("qualities"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_is_whole() {
        for topic in topics() {
            let name = topic.name;
            assert_eq!(topic.subs.len(), SUBS, "{name}");
            assert!(topic.nouns.len() >= 25, "{name}: {} nouns", topic.nouns.len());
            assert!(topic.phrases.len() >= 12, "{name}: {} phrases", topic.phrases.len());
            assert!(topic.sentences.len() >= 5 && topic.verbs.len() >= 8, "{name}");
            for sub in &topic.subs {
                assert!(sub.names.len() == 3 && sub.terms.len() >= 6, "{name}: {:?}", sub.names);
                assert!(sub.sentences.len() >= 3, "{name}: {:?}", sub.names);
            }
        }
    }

    #[test]
    fn every_group_has_templates_and_stands_at_its_place() {
        for (at, (name, group)) in GROUPS.iter().enumerate() {
            assert_eq!(*group as usize, at, "{name}");
            assert!(stock().group(*group).len() >= 4, "{name}");
        }
    }
}
