//! Judgements: who said when how relevant a document is to a topic. Every line is kept; the latest of
//! a judge on a document holds. Documents go by their URL, so judgements outlive the index.

use super::journal::Account;
use fyke_eval::Qrels;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The judge that several make up together: what they settled on holds against their own grades.
pub const SETTLED: &str = "settled";
/// The highest grade that the pages give: 0 not, 1 marginally, 2 fairly, 3 highly relevant.
pub(crate) const HIGHEST: i32 = 3;
/// Characters of the longest name and of the longest note.
const LONGEST_NAME: usize = 64;
const LONGEST_NOTE: usize = 1_000;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JudgeVerdict {
    /// How relevant it is; imported ones may go beyond the pages' 0 to 3.
    Grade(i32),
    Ungraded(UngradedVerdict),
}

/// A line without a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UngradedVerdict {
    /// The judge saw it and cannot tell.
    #[serde(rename = "cannot judge")]
    CannotJudge,
    /// What the judge said before is taken back.
    #[serde(rename = "taken back")]
    TakenBack,
}

impl JudgeVerdict {
    pub(crate) const CANNOT_JUDGE: JudgeVerdict =
        JudgeVerdict::Ungraded(UngradedVerdict::CannotJudge);
    pub const TAKEN_BACK: JudgeVerdict = JudgeVerdict::Ungraded(UngradedVerdict::TakenBack);

    #[must_use]
    pub fn grade(self) -> Option<i32> {
        match self {
            JudgeVerdict::Grade(grade) => Some(grade),
            JudgeVerdict::Ungraded(_) => None,
        }
    }

    /// A grade of the pages, or "cannot judge".
    #[must_use]
    pub fn typed(text: &str) -> Option<JudgeVerdict> {
        if text == "cannot judge" {
            return Some(JudgeVerdict::CANNOT_JUDGE);
        }
        text.parse().ok().filter(|grade| (0..=HIGHEST).contains(grade)).map(JudgeVerdict::Grade)
    }
}

impl std::fmt::Display for JudgeVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JudgeVerdict::Grade(grade) => write!(f, "{grade}"),
            JudgeVerdict::Ungraded(UngradedVerdict::CannotJudge) => f.write_str("can't judge"),
            JudgeVerdict::Ungraded(UngradedVerdict::TakenBack) => f.write_str("taken back"),
        }
    }
}

/// One line of `judgements.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Milliseconds since 1970.
    pub time: i64,
    pub judge: String,
    pub query: String,
    pub document: String,
    #[serde(rename = "grade")]
    pub verdict: JudgeVerdict,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A judge's name as typed.
///
/// # Errors
/// Says why it is none.
pub fn name(typed: &str) -> Result<String, String> {
    let name = typed.trim();
    if name.is_empty() || name.chars().nth(LONGEST_NAME).is_some() {
        return Err(format!("a judge's name has 1 to {LONGEST_NAME} characters"));
    }
    if name.chars().any(char::is_control) || name == SETTLED {
        return Err(format!("{name:?} cannot be the name of a judge"));
    }
    Ok(name.to_owned())
}

/// A note as typed, in one line of bounded length.
#[must_use]
pub fn note(typed: &str) -> String {
    let words = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|c| !c.is_control()).take(LONGEST_NOTE).collect()
}

/// For each query and document, which line of each judge is the latest.
type Latest = BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>;

/// All lines, and which of them hold.
#[derive(Debug, Default)]
pub struct Judgements {
    lines: Vec<Judgement>,
    latest: Latest,
}

impl Account for Judgements {
    type Row = Judgement;

    fn take(&mut self, line: Judgement) {
        let documents = self.latest.entry(line.query.clone()).or_default();
        let judges = documents.entry(line.document.clone()).or_default();
        judges.insert(line.judge.clone(), self.lines.len());
        self.lines.push(line);
    }
}

impl Judgements {
    /// Every line there ever was, the oldest first.
    #[must_use]
    pub fn history(&self) -> &[Judgement] {
        &self.lines
    }

    /// Those that hold, by query, document and judge.
    pub fn holding(&self) -> impl Iterator<Item = &Judgement> {
        let documents = self.latest.values().flat_map(BTreeMap::values);
        documents.flat_map(BTreeMap::values).filter_map(|&line| self.line(line))
    }

    /// Those that hold on one document, by judge.
    pub fn on(&self, query: &str, document: &str) -> impl Iterator<Item = &Judgement> {
        let judges = self.latest.get(query).and_then(|documents| documents.get(document));
        judges.into_iter().flat_map(BTreeMap::values).filter_map(|&line| self.line(line))
    }

    /// What a judge says of a document.
    #[must_use]
    pub fn by(&self, judge: &str, query: &str, document: &str) -> Option<&Judgement> {
        self.line(*self.latest.get(query)?.get(document)?.get(judge)?)
    }

    /// The judge's latest line that holds.
    #[must_use]
    pub fn last_by(&self, judge: &str) -> Option<&Judgement> {
        let own = self.lines.iter().rev().filter(|line| line.judge == judge);
        own.filter_map(|line| self.by(judge, &line.query, &line.document)).next()
    }

    /// Everybody who judged, but for what was settled together.
    #[must_use]
    pub fn judges(&self) -> BTreeSet<&str> {
        let judges = self.holding().map(|line| line.judge.as_str());
        judges.filter(|judge| *judge != SETTLED).collect()
    }

    /// The grades of one judge.
    #[must_use]
    pub fn qrels(&self, judge: &str) -> Qrels {
        let mut qrels = Qrels::default();
        for line in self.holding().filter(|line| line.judge == judge) {
            if let Some(grade) = line.verdict.grade() {
                qrels.insert(&line.query, &line.document, grade);
            }
        }
        qrels
    }

    fn line(&self, place: usize) -> Option<&Judgement> {
        self.lines.get(place).filter(|line| line.verdict != JudgeVerdict::TAKEN_BACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of judge, query, document and what is said.
    fn account(text: &str) -> Judgements {
        let mut account = Judgements::default();
        for (time, line) in (1..).zip(text.lines()) {
            let [judge, query, document, said] =
                line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
            let verdict = match said {
                "?" => JudgeVerdict::CANNOT_JUDGE,
                "-" => JudgeVerdict::TAKEN_BACK,
                grade => JudgeVerdict::Grade(grade.parse().unwrap()),
            };
            let [judge, query, document] = [judge, query, document].map(str::to_owned);
            account.take(Judgement { time, judge, query, document, verdict, note: String::new() });
        }
        account
    }

    fn check(lines: &str, judge: &str, expected: &str, last: Option<i64>) {
        let account = account(lines);
        assert_eq!(account.qrels(judge).to_string().replace('\n', ";"), expected);
        assert_eq!(account.last_by(judge).map(|line| line.time), last);
        assert_eq!(account.history().len(), lines.lines().count());
    }

    #[test]
    fn the_latest_line_of_a_judge_holds() {
        check("a 1 x 2\na 1 x 0\nb 1 x 3", "a", "1 0 x 0;", Some(2));
        check("a 1 x 2\na 2 x 1\na 2 x -", "a", "1 0 x 2;", Some(1));
        check("a 1 x 2\na 1 x -\na 1 x 3", "a", "1 0 x 3;", Some(3));
        check("a 1 x ?\na 1 y 1\nsettled 1 y 3", "a", "1 0 y 1;", Some(2));
        check("a 1 x 2\na 1 x -", "a", "", None);
    }

    #[test]
    fn judges_are_those_whose_lines_hold() {
        let account = account("b 1 x 2\na 1 x 2\nc 1 x 1\nc 1 x -\nsettled 1 x 2\nd 1 x ?");
        assert_eq!(account.judges().into_iter().collect::<Vec<_>>(), ["a", "b", "d"]);
    }

    #[test]
    fn a_line_reads_as_it_is_written() {
        let check = |said: &str, verdict: JudgeVerdict| {
            let line = format!(
                "{{\"time\":5,\"judge\":\"é b\",\"query\":\"1\",\"document\":\"http://a.test/\",\"grade\":{said}}}"
            );
            let read: Judgement = serde_json::from_str(&line).unwrap();
            assert_eq!(read.verdict, verdict);
            assert_eq!(serde_json::to_string(&read).unwrap(), line);
        };
        check("3", JudgeVerdict::Grade(3));
        check("\"cannot judge\"", JudgeVerdict::CANNOT_JUDGE);
        check("\"taken back\"", JudgeVerdict::TAKEN_BACK);
    }

    #[test]
    fn names_and_grades_are_checked_and_notes_made_one_line() {
        assert_eq!(name("  Ada L ").as_deref(), Ok("Ada L"));
        for bad in ["", " ", "settled", "a\u{7}b", &"x".repeat(65)] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
        assert_eq!(JudgeVerdict::typed("3"), Some(JudgeVerdict::Grade(3)));
        for bad in ["4", "-1", "", "taken back"] {
            assert_eq!(JudgeVerdict::typed(bad), None, "{bad:?}");
        }
        assert_eq!(note(" a\r\nb\u{0} c "), "a b c");
        assert_eq!(note(&"é".repeat(2_000)).chars().count(), 1_000);
    }
}
