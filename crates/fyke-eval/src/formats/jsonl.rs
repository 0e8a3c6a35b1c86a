//! A JSON object a line: `{"query_id": "1", "doc_id": "a", "relevance": 2}` for qrels, with `score`
//! for runs, `{"query_id": "1", "text": "…"}` for topics. The names are those of ir_datasets; those
//! of BEIR and of TREC are read, too.

use super::topics::{self, Topic};
use super::{EvalFormat, ParseError, ReadProblem, error, lines};
use crate::trec::{Qrels, QrelsLine, Run};
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) const FORMAT: EvalFormat = EvalFormat {
    name: "jsonl",
    what: r#"an object a line: {"query_id": "1", "doc_id": "a", "relevance": 2} or "score""#,
    is,
    qrels,
    run,
    topics: read_topics,
    write_qrels,
    write_run,
    write_topics,
};

fn is(first: &str) -> bool {
    let inside = first.trim_ascii_start().strip_prefix('{');
    inside.is_some_and(|inside| inside.trim_ascii_start().starts_with('"'))
}

/// A line of qrels or of a run.
#[derive(Deserialize)]
struct JsonLine {
    #[serde(alias = "query-id", alias = "query", alias = "qid")]
    query_id: Value,
    #[serde(alias = "corpus-id", alias = "document", alias = "docid", alias = "docno")]
    doc_id: Value,
    #[serde(alias = "rel", alias = "grade")]
    relevance: Option<i32>,
    score: Option<f64>,
    #[serde(default, alias = "run", alias = "run_id")]
    tag: String,
}

fn qrels(text: &str, told: ReadProblem<'_, i32>) -> Result<(), ParseError> {
    for (number, text) in lines(text) {
        let line: JsonLine = object(number, text)?;
        // BEIR calls the grade a score.
        let score = line.score.filter(|score| score.fract() == 0.0).map(|score| score as i32);
        let grade = line.relevance.or(score);
        let grade = grade.ok_or_else(|| error(number, "no whole number `relevance`"))?;
        told(number, &name(&line.query_id), &name(&line.doc_id), grade)?;
    }
    Ok(())
}

fn run(text: &str, told: ReadProblem<'_, f32>) -> Result<String, ParseError> {
    let mut tag = String::new();
    for (number, text) in lines(text) {
        let line: JsonLine = object(number, text)?;
        let score = line.score.ok_or_else(|| error(number, "no `score`"))?;
        told(number, &name(&line.query_id), &name(&line.doc_id), score as f32)?;
        tag = line.tag;
    }
    Ok(tag)
}

fn read_topics(text: &str) -> Result<Vec<Topic>, ParseError> {
    let read = |(number, text)| {
        let mut fields: serde_json::Map<String, Value> = object(number, text)?;
        let mut take = |names: &[&str]| names.iter().find_map(|&name| fields.remove(name));
        let id = take(&["query_id", "_id", "query-id", "qid", "id", "num"]);
        let title = take(&["text", "title", "query"]);
        let mut told = |names| take(names).map_or_else(String::new, |value| name(&value));
        let topic = Topic {
            description: told(&["description", "desc"]),
            narrative: told(&["narrative", "narr"]),
            id: id.map(|id| name(&id)).ok_or_else(|| error(number, "no `query_id`"))?,
            title: title.map(|title| name(&title)).ok_or_else(|| error(number, "no `text`"))?,
        };
        Ok((number, topic))
    };
    topics::each_once(lines(text).map(read))
}

fn object<T: for<'a> Deserialize<'a>>(line: usize, text: &str) -> Result<T, ParseError> {
    serde_json::from_str(text).map_err(|why| error(line, why.to_string()))
}

/// Names are often written as numbers.
fn name(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn write_qrels(qrels: &Qrels) -> String {
    joined(qrels.iter().map(|QrelsLine { query, document, grade }| {
        json!({ "query_id": query, "doc_id": document, "relevance": grade })
    }))
}

fn write_run(run: &Run) -> String {
    joined(run.queries().flat_map(|query| {
        run.answers(query).map(move |(document, score)| {
            json!({ "query_id": query, "doc_id": document, "score": score, "tag": run.tag })
        })
    }))
}

fn write_topics(topics: &[Topic]) -> String {
    joined(topics.iter().map(|topic| {
        let mut line = json!({ "query_id": topic.id, "text": topic.title });
        for (name, told) in [("description", &topic.description), ("narrative", &topic.narrative)] {
            if !told.is_empty() {
                line[name] = json!(told);
            }
        }
        line
    }))
}

fn joined(values: impl Iterator<Item = Value>) -> String {
    values.map(|value| value.to_string() + "\n").collect()
}
