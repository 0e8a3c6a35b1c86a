//! Judgements and runs, and the text files of TREC that hold them (000 "TREC"): `query 0 document
//! grade` for qrels, `query Q0 document rank score tag` for runs. Lines that are empty or begin
//! with `#` are passed over, as trec_eval does.

use std::collections::BTreeMap;
use std::fmt;

/// Judgements: for each query the grade of each judged document; above 0 is relevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Qrels(pub BTreeMap<String, BTreeMap<String, i32>>);

/// What an engine answered: for each query the score of each document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Name of the run, the last column of its file.
    pub tag: String,
    /// Scores; the rank column of the file is not kept, since trec_eval does not look at it.
    pub queries: BTreeMap<String, BTreeMap<String, f32>>,
}

/// Why a file is no qrels or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line of the trouble, from 1.
    pub line: usize,
    /// What was wrong there.
    pub why: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for ParseError {}

impl Qrels {
    /// Reads a qrels file.
    pub fn parse(text: &str) -> Result<Qrels, ParseError> {
        let mut qrels = Qrels::default();
        for (line, fields) in rows(text) {
            let [query, _, document, grade] = columns(line, &fields, "query 0 document grade")?;
            let grade = number(line, grade, "grade")?;
            if qrels.insert(query, document, grade).is_some() {
                return Err(twice(line, query, document));
            }
        }
        Ok(qrels)
    }

    /// Sets the grade of a document for a query; gives the grade it had.
    pub fn insert(&mut self, query: &str, document: &str, grade: i32) -> Option<i32> {
        self.0.entry(query.to_owned()).or_default().insert(document.to_owned(), grade)
    }

    /// The names of the queries, in order.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Every judgement: query, document and grade.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, i32)> {
        self.0.iter().flat_map(|(query, grades)| {
            grades.iter().map(move |(document, &grade)| (query.as_str(), document.as_str(), grade))
        })
    }
}

impl<Q: AsRef<str>, D: AsRef<str>> FromIterator<(Q, D, i32)> for Qrels {
    fn from_iter<T: IntoIterator<Item = (Q, D, i32)>>(judgements: T) -> Qrels {
        let mut qrels = Qrels::default();
        for (query, document, grade) in judgements {
            qrels.insert(query.as_ref(), document.as_ref(), grade);
        }
        qrels
    }
}

impl Run {
    /// Reads a run file.
    pub fn parse(text: &str) -> Result<Run, ParseError> {
        let mut run = Run::default();
        for (line, fields) in rows(text) {
            let [query, _, document, _, score, tag] =
                columns(line, &fields, "query Q0 document rank score tag")?;
            let score = number(line, score, "score")?;
            if run.insert(query, document, score).is_some() {
                return Err(twice(line, query, document));
            }
            if run.tag.is_empty() {
                tag.clone_into(&mut run.tag);
            }
        }
        Ok(run)
    }

    /// Sets the score of a document for a query; gives the score it had.
    pub fn insert(&mut self, query: &str, document: &str, score: f32) -> Option<f32> {
        self.queries.entry(query.to_owned()).or_default().insert(document.to_owned(), score)
    }

    /// The documents for a query in the order of trec_eval: by score, best first, and at equal
    /// scores by name, last first.
    #[must_use]
    pub fn ranking(&self, query: &str) -> Vec<(&str, f32)> {
        let scores = self.queries.get(query).into_iter().flatten();
        let mut ranking: Vec<_> = scores.map(|(doc, &score)| (doc.as_str(), score)).collect();
        ranking.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(a.0)));
        ranking
    }
}

impl fmt::Display for Qrels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (query, grades) in &self.0 {
            for (document, grade) in grades {
                writeln!(f, "{query} 0 {document} {grade}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tag = if self.tag.is_empty() { "run" } else { &self.tag };
        for query in self.queries.keys() {
            for (rank, (document, score)) in (1..).zip(self.ranking(query)) {
                writeln!(f, "{query} Q0 {document} {rank} {score} {tag}")?;
            }
        }
        Ok(())
    }
}

/// The lines that hold something, with their numbers and fields.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let rows = (1..).zip(text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()));
    rows.filter(|(_, fields)| fields.first().is_some_and(|field| !field.starts_with('#')))
}

fn columns<'a, const N: usize>(
    line: usize,
    fields: &[&'a str],
    expected: &str,
) -> Result<[&'a str; N], ParseError> {
    let missing = |_| error(line, format!("{} fields, expected: {expected}", fields.len()));
    fields.get(..N).unwrap_or(fields).try_into().map_err(missing)
}

fn number<T: std::str::FromStr>(line: usize, field: &str, name: &str) -> Result<T, ParseError> {
    field.parse().map_err(|_| error(line, format!("{name} `{field}` is not a number")))
}

fn twice(line: usize, query: &str, document: &str) -> ParseError {
    error(line, format!("document {document} a second time for query {query}"))
}

fn error(line: usize, why: String) -> ParseError {
    ParseError { line, why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    #[test]
    fn ties_are_broken_by_name_last_first() {
        let run = Run::parse("1 Q0 a 1 2.0 t\n1 Q0 b 2 2.0 t\n\n# note\n1 Q0 c 3 7 t").unwrap();
        assert_eq!(run.ranking("1"), [("c", 7.0), ("b", 2.0), ("a", 2.0)]);
        assert_eq!(run.ranking("2"), []);
        assert_eq!(run.tag, "t");
    }

    #[test]
    fn a_bad_line_is_named() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Qrels::parse(text).unwrap_err().to_string(), expected);
        };
        check("1 0 a 1\n1 0 b", "line 2: 3 fields, expected: query 0 document grade");
        check("1 0 a yes", "line 1: grade `yes` is not a number");
        check("1 0 x 1\n#\n1 0 x 0", "line 3: document x a second time for query 1");
    }

    proptest! {
        #[test]
        fn qrels_come_back_from_their_file(
            table in btree_map("[!$-~é]{1,5}", btree_map("[!$-~é]{1,9}", -2..4, 1..5), 0..5),
        ) {
            let qrels = Qrels(table);
            prop_assert_eq!(Qrels::parse(&qrels.to_string()), Ok(qrels));
        }

        #[test]
        fn runs_come_back_from_their_file(
            queries in btree_map("[!$-~]{1,5}", btree_map("[!$-~]{1,9}", -1e9f32..1e9, 1..5), 1..4),
        ) {
            let run = Run { tag: "t1".into(), queries };
            prop_assert_eq!(Run::parse(&run.to_string()), Ok(run));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,200}") {
            let _ = (Qrels::parse(&text), Run::parse(&text));
        }
    }
}
