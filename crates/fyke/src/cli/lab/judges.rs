//! Judges and what they judged: a qrels file each, or one log of judgements with the judges' names.

use super::{read, runs};
use crate::cli::Failure;
use fyke_eval::Qrels;
use fyke_lab::judging::judgement::SETTLED;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A line of a log; of a judge's lines on one document the last counts.
#[derive(Deserialize)]
struct JudgeLine {
    judge: String,
    query: String,
    document: String,
    /// A number; anything else means that the judge gave none, or took it back.
    grade: Value,
}

/// The judges in these files, with their names.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Qrels)>> {
    let mut judges = Vec::new();
    for (path, name) in paths.iter().zip(runs::names(paths)) {
        let text = read::whole(path)?;
        if is_log(&text) {
            judges.extend(log(path, &text)?);
        } else {
            judges.push((name, Qrels::parse(&text).map_err(|error| read::named(path, &error))?));
        }
    }
    if judges.len() < 2 {
        let found = judges.len();
        return Err(Failure::usage(format!("{found} judge: agreement takes two or more")).into());
    }
    Ok(judges)
}

/// Whether the first line is a judgement with its judge.
fn is_log(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    serde_json::from_str::<JudgeLine>(first).is_ok()
}

fn log(path: &Path, text: &str) -> anyhow::Result<Vec<(String, Qrels)>> {
    let mut latest: BTreeMap<String, BTreeMap<(String, String), i32>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let line: JudgeLine = serde_json::from_str(line)
            .map_err(|error| read::named(path, &format!("line {number}: {error}")))?;
        if line.judge == SETTLED {
            continue;
        }
        let judged = latest.entry(line.judge).or_default();
        let document = (line.query, line.document);
        match line.grade.as_i64().and_then(|grade| i32::try_from(grade).ok()) {
            Some(grade) => judged.insert(document, grade),
            None => judged.remove(&document),
        };
    }
    let qrels = |judged: BTreeMap<(String, String), i32>| {
        let mut qrels = Qrels::default();
        for ((query, document), grade) in judged {
            qrels.insert(&query, &document, grade);
        }
        qrels
    };
    Ok(latest.into_iter().map(|(judge, judged)| (judge, qrels(judged))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_judge_counts() {
        let line = |judge: &str, document: &str, grade: &str| {
            format!(
                r#"{{"judge":"{judge}","query":"1","document":"{document}","grade":{grade},"time":1}}"#
            )
        };
        let lines = [
            line("bob", "a", "0"),
            line("ann", "a", "3"),
            line("ann", "b", "1"),
            line("ann", "a", "2"),
            line("ann", "b", "\"taken back\""),
            line("settled", "a", "1"),
        ];
        let text = lines.join("\n");
        assert!(is_log(&text) && !is_log("1 0 a 1") && !is_log("{\"query\":1}"));
        let found = log(Path::new("log"), &text).unwrap();
        let told: Vec<_> =
            found.iter().map(|(name, qrels)| (name.as_str(), qrels.to_string())).collect();
        assert_eq!(told, [("ann", "1 0 a 2\n".to_owned()), ("bob", "1 0 a 0\n".to_owned())]);
        assert!(log(Path::new("log"), "{").is_err());
    }
}
