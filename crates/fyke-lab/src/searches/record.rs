//! The lines of the log: a search as it was shown, or a click, as one JSON object each.

use fyke_eval::interleave::{InterleavedDocument, Team};
use serde::{Deserialize, Serialize};

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SearchRecord {
    Search(LoggedSearch),
    Click(Click),
}

/// A page of results as it was shown; further pages of one search bear the same id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedSearch {
    #[serde(with = "hexadecimal")]
    pub id: u64,
    /// To the minute, UTC.
    pub time: String,
    pub query: String,
    /// Results on the pages before.
    pub start: usize,
    /// Documents that match.
    pub total: usize,
    /// The results of this page.
    pub shown: Vec<ShownResult>,
    /// The experiment it took part in.
    #[serde(rename = "experiment", default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Setup>,
}

/// A result that was shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownResult {
    #[serde(with = "hexadecimal")]
    pub document: u64,
    pub url: String,
    /// In an experiment: whose pick it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
    /// In an experiment: its rank with A and with B.
    #[serde(default, skip_serializing_if = "is_unranked")]
    pub ranks: [Option<usize>; 2],
}

/// What an experiment compares, and how.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setup {
    pub method: String,
    pub a: String,
    pub b: String,
}

/// A result that was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Click {
    /// The search it was a result of.
    #[serde(with = "hexadecimal")]
    pub id: u64,
    pub time: String,
    /// From 1.
    pub rank: usize,
}

impl ShownResult {
    /// As interleaving sees it.
    #[must_use]
    pub fn placed(&self) -> InterleavedDocument {
        InterleavedDocument { document: self.document, team: self.team, ranks: self.ranks }
    }
}

fn is_unranked(ranks: &[Option<usize>; 2]) -> bool {
    ranks.iter().all(Option::is_none)
}

/// Milliseconds since 1970 as "2026-11-16T06:03Z".
pub(crate) fn minute(millis: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(millis).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%MZ").to_string()
}

/// The id that sixteen hexadecimal digits stand for.
pub(crate) fn id(text: &str) -> Option<u64> {
    let plain = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| plain)
}

mod hexadecimal {
    use serde::de::{Deserializer, Error};
    use serde::{Deserialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(id: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&format!("{id:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        let text = String::deserialize(d)?;
        super::id(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no id")))
    }
}
