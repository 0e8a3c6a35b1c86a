//! Columns between tabs, as ir_datasets and BEIR keep them: qrels and runs with the names of the
//! columns in the first line (`query_id`, `doc_id`, `relevance` or `score`), topics with or without
//! (`query_id`, `text`).

use super::topics::{self, Topic};
use super::trec::score;
use super::{EvalFormat, ParseError, ReadProblem, error, lines, number};
use crate::trec::{Qrels, QrelsLine, Run};
use std::fmt::Write as _;

pub(super) const FORMAT: EvalFormat = EvalFormat {
    name: "tsv",
    what: "columns between tabs under their names: query_id, doc_id, relevance or score, text",
    is,
    qrels,
    run,
    topics: read_topics,
    write_qrels,
    write_run,
    write_topics,
};

const QUERY: &[&str] = &["query_id", "query-id", "qid", "query"];
const DOCUMENT: &[&str] = &["doc_id", "corpus-id", "docid", "docno", "document"];
const GRADE: &[&str] = &["relevance", "rel", "grade", "score"];
const SCORE: &[&str] = &["score"];
const TEXT: &[&str] = &["text", "title", "query"];

/// A first line with names, or one of topics: a name, a tab and words.
fn is(first: &str) -> bool {
    let names: Vec<&str> = cells(first).collect();
    is_head(&names) || (names.len() == 2 && names[1].contains(' '))
}

fn is_head(names: &[&str]) -> bool {
    names.len() > 1 && names.iter().any(|name| QUERY[..3].contains(name))
}

fn qrels(text: &str, told: ReadProblem<'_, i32>) -> Result<(), ParseError> {
    each(text, [QUERY, DOCUMENT, GRADE], |line, [query, document, grade]| {
        told(line, query, document, number(line, grade, "relevance")?)
    })
}

fn run(text: &str, told: ReadProblem<'_, f32>) -> Result<String, ParseError> {
    each(text, [QUERY, DOCUMENT, SCORE], |line, [query, document, told_score]| {
        told(line, query, document, score(line, told_score)?)
    })?;
    Ok(String::new())
}

/// Gives the wanted columns of each line.
fn each<const N: usize>(
    text: &str,
    wanted: [&[&str]; N],
    mut told: impl FnMut(usize, [&str; N]) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    let mut lines = lines(text);
    let (head_line, head) = lines.next().unwrap_or_default();
    let names: Vec<&str> = cells(head).collect();
    let mut places = [0; N];
    for (place, known) in places.iter_mut().zip(wanted) {
        let missing = || error(head_line, format!("no column `{}`", known[0]));
        *place = names.iter().position(|name| known.contains(name)).ok_or_else(missing)?;
    }
    for (line, text) in lines {
        let cells: Vec<&str> = cells(text).collect();
        let mut found = [""; N];
        for ((cell, place), known) in found.iter_mut().zip(places).zip(wanted) {
            let missing = || error(line, format!("nothing in column `{}`", known[0]));
            let found = cells.get(place).copied().filter(|cell| !cell.is_empty());
            *cell = found.ok_or_else(missing)?;
        }
        told(line, found)?;
    }
    Ok(())
}

fn read_topics(text: &str) -> Result<Vec<Topic>, ParseError> {
    let first = lines(text).next().map_or("", |(_, line)| line);
    if !is_head(&cells(first).collect::<Vec<_>>()) {
        let headless = lines(text).map(|(line, text)| {
            let parts = text.split_once('\t');
            let (id, title) =
                parts.ok_or_else(|| error(line, "no tab, expected: query_id text"))?;
            Ok((line, Topic::new(id.trim(), title.trim())))
        });
        return topics::each_once(headless);
    }
    let mut all = Vec::new();
    each(text, [QUERY, TEXT], |line, [id, title]| {
        all.push(Ok((line, Topic::new(id, title))));
        Ok(())
    })?;
    topics::each_once(all)
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split('\t').map(str::trim)
}

fn write_qrels(qrels: &Qrels) -> String {
    let mut text = "query_id\tdoc_id\trelevance\n".to_owned();
    for QrelsLine { query, document, grade } in qrels.iter() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{query}\t{document}\t{grade}");
    }
    text
}

fn write_run(run: &Run) -> String {
    let mut text = "query_id\tdoc_id\tscore\n".to_owned();
    for query in run.queries() {
        for (document, score) in run.answers(query) {
            let _ = writeln!(text, "{query}\t{document}\t{score}");
        }
    }
    text
}

fn write_topics(topics: &[Topic]) -> String {
    let blank = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    let line = |topic: &Topic| format!("{}\t{}\n", topic.id, blank(&topic.title));
    "query_id\ttext\n".chars().chain(topics.iter().map(line).collect::<String>().chars()).collect()
}
