//! Files of judgements, runs and topics (000 "TREC"), a file and a row a format. Which one a text is
//! in is seen from its first line. A line that cannot be read is named; empty lines are skipped.

mod jsonl;
mod scan;
mod topics;
mod trec;
mod tsv;

pub(crate) use scan::TextScan;
pub use topics::Topic;

use crate::trec::{Filling, Qrels, Run, TwiceNamed};
use std::collections::HashMap;
use std::fmt;

/// A row of the table. What is read is given line by line: number of the line, query, document and
/// grade or score.
#[derive(Clone, Copy, Debug)]
pub struct EvalFormat {
    /// Name on the command line.
    pub name: &'static str,
    /// What it looks like, in one line.
    pub what: &'static str,
    is: fn(&str) -> bool,
    qrels: fn(&str, ReadProblem<'_, i32>) -> Result<(), ParseError>,
    run: fn(&str, ReadProblem<'_, f32>) -> Result<String, ParseError>,
    topics: fn(&str) -> Result<Vec<Topic>, ParseError>,
    /// Judgements as a text.
    pub write_qrels: fn(&Qrels) -> String,
    /// A run as a text.
    pub write_run: fn(&Run) -> String,
    /// Topics as a text.
    pub write_topics: fn(&[Topic]) -> String,
}

/// Every format; to add one, write its file and name it above and here. The last takes what no
/// other knows.
pub const FORMATS: [EvalFormat; 3] = [jsonl::FORMAT, tsv::FORMAT, trec::FORMAT];

type ReadProblem<'a, V> = &'a mut dyn FnMut(usize, &str, &str, V) -> Result<(), ParseError>;

/// Why a text is no qrels, run or topics.
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

/// The format that a text is in.
#[must_use]
pub fn detect(text: &str) -> &'static EvalFormat {
    let first = lines(text).next().map_or("", |(_, line)| line);
    let known = FORMATS.iter().find(|format| (format.is)(first));
    known.unwrap_or(&FORMATS[FORMATS.len() - 1])
}

/// Information needs in any format.
///
/// # Errors
/// When a line cannot be read.
pub fn topics(text: &str) -> Result<Vec<Topic>, ParseError> {
    (detect(text).topics)(text)
}

/// A run of TREC that is read piece by piece: a large file need not be in memory.
#[derive(Debug, Default)]
pub struct RunPieces {
    filling: Filling<f32>,
    tag: String,
    lines: usize,
}

impl RunPieces {
    /// Reads the next lines; each piece ends where a line does.
    ///
    /// # Errors
    /// When a line cannot be read.
    pub fn push(&mut self, lines: &str) -> Result<(), ParseError> {
        let (filling, before) = (&mut self.filling, self.lines);
        let told = (trec::FORMAT.run)(lines, &mut |line, query, document, score| {
            filling.push(query, document, score + 0.0).map_err(|_| too_long(line))
        });
        let tag = told.map_err(|error| ParseError { line: before + error.line, ..error })?;
        self.lines += memchr::memchr_iter(b'\n', lines.as_bytes()).count();
        if !tag.is_empty() {
            self.tag = tag;
        }
        Ok(())
    }

    /// The run; None if a query has a document twice, which reading it as a whole says more of.
    #[must_use]
    pub fn finish(self) -> Option<Run> {
        Run::from_lines(self.tag, self.filling).ok()
    }
}

/// Groups of near-copies: lines of a document and the name of its group. Groups are numbered from 1.
///
/// # Errors
/// When a line cannot be read, or a document is in two groups.
pub fn groups(text: &str) -> Result<HashMap<String, u32>, ParseError> {
    let (mut numbers, mut groups) = (HashMap::new(), HashMap::new());
    let mut scan = TextScan::new(text);
    while scan.next_line() {
        let [document, group] = scan.columns("document group")?;
        let next = numbers.len() as u32 + 1;
        let number = *numbers.entry(group).or_insert(next);
        if groups.insert(document.to_owned(), number).is_some_and(|known| known != number) {
            return Err(error(scan.line, format!("document {document} in a second group")));
        }
    }
    Ok(groups)
}

pub(crate) fn qrels(text: &str) -> Result<Qrels, ParseError> {
    let (format, mut filling) = (detect(text), Filling::default());
    (format.qrels)(text, &mut |line, query, document, grade| {
        filling.push(query, document, grade).map_err(|_| too_long(line))
    })?;
    Qrels::from_lines(filling).map_err(|twice| {
        second(&twice, |told| (format.qrels)(text, &mut |line, q, d, _| told(line, q, d)))
    })
}

pub(crate) fn run(text: &str) -> Result<Run, ParseError> {
    let (format, mut filling) = (detect(text), Filling::default());
    let tag = (format.run)(text, &mut |line, query, document, score| {
        // -0 is 0
        filling.push(query, document, score + 0.0).map_err(|_| too_long(line))
    })?;
    Run::from_lines(tag, filling).map_err(|twice| {
        let lines = |told: ReadLine<'_>| {
            (format.run)(text, &mut |line, q, d, _| told(line, q, d)).map(drop)
        };
        second(&twice, lines)
    })
}

type ReadLine<'a> = &'a mut dyn FnMut(usize, &str, &str) -> Result<(), ParseError>;

/// The line where a document comes for the second time: reads once more, since only this needs it.
fn second(
    TwiceNamed { query, document }: &TwiceNamed,
    read: impl Fn(ReadLine<'_>) -> Result<(), ParseError>,
) -> ParseError {
    let why = format!("document {document} a second time for query {query}");
    let mut times = 0;
    let told = read(&mut |line, q, d| {
        times += u32::from(q == query && d == document);
        if times == 2 { Err(error(line, why.clone())) } else { Ok(()) }
    });
    told.err().unwrap_or_else(|| error(0, why.clone()))
}

/// The lines that hold something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let all = std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest.as_bytes());
        let line = end.map_or(rest, |end| &rest[..end]);
        rest = end.map_or("", |end| &rest[end + 1..]);
        (end.is_some() || !line.is_empty()).then_some(line)
    });
    (1..).zip(all).filter(|(_, line)| !line.trim_ascii_start().is_empty())
}

pub(crate) fn number<T: std::str::FromStr>(
    line: usize,
    field: &str,
    name: &str,
) -> Result<T, ParseError> {
    field.parse().map_err(|_| not_a_number(line, field, name))
}

fn not_a_number(line: usize, field: &str, name: &str) -> ParseError {
    error(line, format!("{name} `{field}` is not a number"))
}

pub(crate) fn error(line: usize, why: impl Into<String>) -> ParseError {
    ParseError { line, why: why.into() }
}

fn too_long(line: usize) -> ParseError {
    error(line, "the names of all documents are longer than 4 GiB together")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trec::QrelsLine;
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;

    #[test]
    fn ties_are_broken_by_name_last_first() {
        let run = Run::parse("1 Q0 a 1 2.0 t\n1 Q0 b 2 2.0 t\n\n# note\n1 Q0 c 3 7 t u").unwrap();
        assert_eq!(run.ranking("1"), [("c", 7.0), ("b", 2.0), ("a", 2.0)]);
        assert_eq!(run.ranking("2"), []);
        assert_eq!(run.tag, "t");
    }

    #[test]
    fn the_format_is_seen_from_the_first_line() {
        let check = |text: &str, format: &str| {
            assert_eq!(detect(text).name, format);
            let qrels = Qrels::parse(text).unwrap();
            let line = |document, grade| QrelsLine { query: "1", document, grade };
            assert_eq!(qrels.iter().collect::<Vec<_>>(), [line("a", 2), line("b", 0)]);
        };
        check("\n1 0 a 2\r\n1\t0\tb\t0 note", "trec");
        check("query_id\tdoc_id\trelevance\n1\ta\t2\n1\tb\t0\n", "tsv");
        check("query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n", "tsv");
        check("\u{feff}query_id\titeration\tdoc_id\trelevance\n1\t0\ta\t2\n1\t0\tb\t0", "tsv");
        check(
            "{\"query_id\": 1, \"doc_id\": \"a\", \"relevance\": 2}\n\n\
             {\"qid\": \"1\", \"docno\": \"b\", \"score\": 0}",
            "jsonl",
        );
    }

    #[test]
    fn a_bad_line_is_named() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Qrels::parse(text).unwrap_err().to_string(), expected);
        };
        check("1 0 a 1\n1 0 b", "line 2: 3 fields, expected: query 0 document grade");
        check("1 0 a yes", "line 1: grade `yes` is not a number");
        check("1 0 x 1\n#\n1 0 x 0", "line 3: document x a second time for query 1");
        check("query_id\tdoc_id\n1\ta", "line 1: no column `relevance`");
        check("query_id\tdoc_id\trel\n1\ta", "line 2: nothing in column `relevance`");
        check("query_id\tdoc_id\trel\n1\t \t2", "line 2: nothing in column `doc_id`");
        check("{\"query_id\": 1, \"doc_id\": 2}", "line 1: no whole number `relevance`");
        let run = "query_id\tdoc_id\tscore\n1\ta\t0.5\n\n1\ta\t0.4";
        let error = Run::parse(run).unwrap_err().to_string();
        assert_eq!(error, "line 4: document a a second time for query 1");
    }

    #[test]
    fn topics_are_read_as_trec_tsv_and_jsonl_have_them() {
        let whole = Topic {
            description: "What is it about?".into(),
            narrative: "Relevant is this. Not that.".into(),
            ..Topic::new("301", "red wine")
        };
        let check = |text: &str, expected: &[Topic]| {
            assert_eq!(topics(text).unwrap(), expected);
        };
        check(
            "<top>\n\n<num> Number: 301\n<title> red\nwine\n\n<desc> Description:\nWhat is it \
             about?\n\n<narr> Narrative:\nRelevant is this.\nNot that.\n\n</top>\n",
            std::slice::from_ref(&whole),
        );
        check("<top><num>7</num>\n<title>a b</title></top>", &[Topic::new("7", "a b")]);
        let fema = "What is the main function of the Federal Emergency Management Agency (FEMA)?";
        let text =
            format!("<top>\n\n<num> Number: 225\n\n<desc> Description:\n\n{fema}\n\n</top>\n");
        check(&text, &[Topic { description: fema.into(), ..Topic::new("225", fema) }]);
        check("7\ta b\n8\tc\n", &[Topic::new("7", "a b"), Topic::new("8", "c")]);
        check("query_id\ttext\n7\ta\n", &[Topic::new("7", "a")]);
        check("{\"_id\": \"7\", \"text\": \"a\"}", &[Topic::new("7", "a")]);
        for format in FORMATS {
            let known = [whole.clone(), Topic::new("7", "a b")];
            let told = topics(&(format.write_topics)(&known)).unwrap();
            assert_eq!((told.len(), &told[0].title, &told[1]), (2, &known[0].title, &known[1]));
        }
    }

    proptest! {
        #[test]
        fn qrels_come_back_from_their_file(
            table in btree_map("[!$-~é]{1,5}", btree_map("[!$-~é]{1,9}", -2..4, 1..5), 0..5),
        ) {
            let all = table.iter().flat_map(|(query, grades)| {
                grades.iter().map(move |(document, &grade)| QrelsLine { query, document, grade })
            });
            let qrels: Qrels = all.collect();
            for format in FORMATS {
                let read = Qrels::parse(&(format.write_qrels)(&qrels)).unwrap();
                prop_assert_eq!(&read, &qrels, "{}", format.name);
            }
        }

        #[test]
        fn runs_come_back_from_their_file(
            answers in vec(("[!$-z]{1,5}", "[!$-~]{1,9}", -1e9f32..1e9), 1..20),
        ) {
            let mut run = Run::new("t1");
            for (query, document, score) in &answers {
                run.insert(query, document, *score);
            }
            for format in FORMATS {
                let mut read = Run::parse(&(format.write_run)(&run)).unwrap();
                read.tag.clone_from(&run.tag);
                prop_assert_eq!(&read, &run, "{}", format.name);
            }
        }

        #[test]
        fn a_run_in_pieces_is_the_run(lines in vec("[12] Q0 [a-f]{1,3} 1 [0-9]{1,3} t\n|\n|# x\n", 0..9)) {
            let mut pieces = RunPieces::default();
            lines.iter().for_each(|line| pieces.push(line).unwrap());
            let whole = Run::parse(&format!("#\n{}", lines.concat()));
            prop_assert_eq!(pieces.finish(), whole.ok());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\t\n\r ]?\\PC{0,40}[\t\n {<]{0,3}\\PC{0,80}") {
            let _ = (Qrels::parse(&text), Run::parse(&text), topics(&text));
        }
    }
}
