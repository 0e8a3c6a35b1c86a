//! Topics: what was asked, the information need behind it, and its kind (000 "Evaluation": relevance
//! is to the need, not to the words; "Users' needs": informational, navigational, transactional).

pub use fyke_eval::kinds::NeedKind;

use super::journal::Account;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Characters of the longest query and of the longest need.
const LONGEST: usize = 2_000;
/// Characters of the longest id.
const LONGEST_ID: usize = 64;

/// One topic, a line of `topics.jsonl`. The other spellings are those of other people's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabTopic {
    #[serde(default, alias = "query_id", alias = "qid", alias = "_id")]
    pub id: String,
    #[serde(alias = "text", alias = "title")]
    pub query: String,
    /// The information need in a sentence or two.
    #[serde(default, alias = "description", alias = "desc", alias = "narrative")]
    pub need: String,
    #[serde(default)]
    pub kind: NeedKind,
}

impl LabTopic {
    /// Says what is wrong with it.
    ///
    /// # Errors
    /// When it has no id or query of a reasonable length.
    pub fn check(&self) -> Result<(), String> {
        let is_long = |text: &str, most| text.chars().nth(most).is_some();
        if self.id.is_empty() || is_long(&self.id, LONGEST_ID) || has_gap(&self.id) {
            return Err(format!(
                "topic id {:?}: wanted is a short word without blanks, as run files have",
                self.id
            ));
        }
        if self.query.trim().is_empty() {
            return Err(format!("topic {} has no query", self.id));
        }
        if is_long(&self.query, LONGEST) || is_long(&self.need, LONGEST) {
            return Err(format!("topic {} is longer than {LONGEST} characters", self.id));
        }
        Ok(())
    }
}

/// A topic's text without what would be an operator: its words are words.
#[must_use]
pub fn plain(text: &str) -> String {
    let words = fyke_text::tokens(text).map(|token| token.text.to_lowercase());
    words.collect::<Vec<_>>().join(" ")
}

fn has_gap(id: &str) -> bool {
    id.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// All topics in the order they came; a later line of the same id stands in for the former.
#[derive(Debug, Default)]
pub struct Topics {
    list: Vec<LabTopic>,
    places: HashMap<String, usize>,
}

impl Account for Topics {
    type Row = LabTopic;

    fn take(&mut self, topic: LabTopic) {
        if topic.check().is_err() {
            tracing::warn!(id = topic.id, "an unusable topic was skipped");
            return;
        }
        match self.places.get(&topic.id) {
            Some(&place) => self.list[place] = topic,
            None => {
                self.places.insert(topic.id.clone(), self.list.len());
                self.list.push(topic);
            }
        }
    }
}

impl Topics {
    #[must_use]
    pub fn list(&self) -> &[LabTopic] {
        &self.list
    }

    #[must_use]
    pub fn get(&self, id: &str) -> Option<&LabTopic> {
        self.places.get(id).map(|&place| &self.list[place])
    }

    /// The topics with ids for those that have none: the next numbers.
    #[must_use]
    pub fn numbered(&self, topics: Vec<LabTopic>) -> Vec<LabTopic> {
        let known = self.list.iter().chain(&topics).filter_map(|topic| topic.id.parse().ok());
        let mut last: u64 = known.max().unwrap_or(0);
        let number = |topic: LabTopic| {
            if !topic.id.is_empty() {
                return topic;
            }
            last = last.saturating_add(1);
            LabTopic { id: last.to_string(), ..topic }
        };
        topics.into_iter().map(number).collect()
    }
}

/// Reads topics of any of the known forms, told apart by how they begin.
///
/// # Errors
/// Says which line cannot be read.
pub fn parse(text: &str) -> Result<Vec<LabTopic>, String> {
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        Some('<') => marked_up(text),
        Some('{') => json_lines(text),
        _ if text.contains('\t') => separated(text),
        _ => Ok(lines(text).map(|(_, query)| with_query(query)).collect()),
    }
}

/// TREC's own: description and narrative together are the need.
fn marked_up(text: &str) -> Result<Vec<LabTopic>, String> {
    let topics = fyke_eval::formats::topics(text).map_err(|error| error.to_string())?;
    let topic = |of: fyke_eval::Topic| LabTopic {
        id: of.id,
        query: of.title,
        need: format!("{} {}", of.description, of.narrative).trim().to_owned(),
        kind: NeedKind::default(),
    };
    Ok(topics.into_iter().map(topic).collect())
}

fn with_query(query: &str) -> LabTopic {
    LabTopic { query: query.to_owned(), ..LabTopic::default() }
}

/// Lines that hold something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim_end));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

/// A JSON object a line.
fn json_lines(text: &str) -> Result<Vec<LabTopic>, String> {
    let read = |(number, line)| {
        serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))
    };
    lines(text).map(read).collect()
}

/// Id, query and, if there is more, need and kind, with tabs between.
fn separated(text: &str) -> Result<Vec<LabTopic>, String> {
    let read = |(number, line): (usize, &str)| {
        let mut fields = line.split('\t').map(|field| field.trim().to_owned());
        let (Some(id), Some(query)) = (fields.next(), fields.next()) else {
            return Err(format!("line {number}: wanted are an id and a query with a tab between"));
        };
        let need = fields.next().unwrap_or_default();
        let kind = match fields.next().as_deref() {
            None | Some("") => NeedKind::default(),
            Some(name) => name.parse().map_err(|error| format!("line {number}: {error}"))?,
        };
        Ok(LabTopic { id, query, need, kind })
    };
    lines(text).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, &str, NeedKind)]) {
        let topics = Topics::default().numbered(parse(text).unwrap());
        let found: Vec<_> = topics.iter().map(|t| (&*t.id, &*t.query, &*t.need, t.kind)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_of_a_topic_are_words() {
        assert_eq!(plain("NOT \"A (b)\" -c site:d.test C++"), "not a b c site d test c++");
    }

    #[test]
    fn topics_come_as_lines_tables_and_json() {
        use NeedKind::{Informational, Navigational, Transactional};
        check(
            "tide mill\n# note\n\nperry pear\n",
            &[("1", "tide mill", "", Informational), ("2", "perry pear", "", Informational)],
        );
        check(
            "q7\ttide mill\tWhere they stood.\tnavigational\n8\tbuy flour\t\tTransactional",
            &[
                ("q7", "tide mill", "Where they stood.", Navigational),
                ("8", "buy flour", "", Transactional),
            ],
        );
        check(
            "{\"query_id\":\"3\",\"text\":\"tide\"}\n{\"query\":\"mill\",\"need\":\"n\"}",
            &[("3", "tide", "", Informational), ("4", "mill", "n", Informational)],
        );
    }

    #[test]
    fn topics_come_as_trec_has_them() {
        check(
            "<top>\n<num> Number: 401\n<title> tide mill\n<desc> Description:\nHow they work.\n\
             <narr> Narrative:\nOnly mills count.\n</top>\n",
            &[("401", "tide mill", "How they work. Only mills count.", NeedKind::Informational)],
        );
    }

    #[test]
    fn a_line_that_is_no_topic_is_named() {
        let check = |text: &str, expected: &str| {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        };
        check("1\ta\nb", "line 2: wanted are an id and a query");
        check("1\ta\tb\tc", "line 1: \"c\" is no kind of query");
        check("{\"query\":\"a\"}\n{]", "line 2: ");
    }

    #[test]
    fn a_later_line_stands_in_for_the_former_of_its_id() {
        let mut topics = Topics::default();
        for (id, query) in [("1", "a"), ("2", "b"), ("1", "c"), ("", "d"), ("3", " ")] {
            topics.take(LabTopic { id: id.into(), ..with_query(query) });
        }
        let queries: Vec<_> = topics.list().iter().map(|topic| topic.query.as_str()).collect();
        assert_eq!(queries, ["c", "b"]);
        assert_eq!(topics.get("1").unwrap().query, "c");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(\\PC|[\\t\\n{}\"<>]){0,99}") {
            if let Ok(topics) = parse(&text) {
                let checked = Topics::default().numbered(topics);
                prop_assert!(checked.iter().all(|topic| !topic.id.is_empty()));
            }
        }
    }
}
