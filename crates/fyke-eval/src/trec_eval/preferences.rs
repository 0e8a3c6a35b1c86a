//! Preferences: which documents judges prefer to which, and how many of these preferences a ranking
//! keeps. A judgement group is what one judge says of a query; documents of higher level are preferred
//! within a group, or, where it has subgroups, within each subgroup and by what follows from several.
//! Judged documents are numbered in the order of the ranking, those not retrieved behind the others, so
//! that a preference for `a` over `b` is kept if `a < b` and `a` was retrieved.

use super::columns::FigureSource;
use super::sheet::SheetCell;
use super::{Columns, JudgementFormat, QueryFigures, TrecEvalTrouble};
use crate::evaluate::EvalOptions;
use crate::formats::{ParseError, TextScan, number};
use crate::trec::Run;
use std::collections::{BTreeMap, HashMap};

mod counts;
mod group;

use counts::PreferenceCounts;
use group::{PreferenceGroup, PreferenceLevel};

/// Judged documents of a query at most: pairs of them are counted.
const MOST_DOCUMENTS: usize = 5_000;

/// A line of the file.
#[derive(Clone, Copy, Debug)]
struct Preference<'a> {
    group: &'a str,
    subgroup: &'a str,
    document: &'a str,
    level: f64,
}

pub(super) fn rows(
    text: &str,
    format: JudgementFormat,
    run: &Run,
    columns: &Columns,
    options: &EvalOptions,
) -> Result<QueryFigures, TrecEvalTrouble> {
    let mut rows = Vec::new();
    for (query, lines) in by_query(text, format).map_err(TrecEvalTrouble::Parse)? {
        if !options.complete && run.answers(query).len() == 0 {
            continue;
        }
        let named = |why| TrecEvalTrouble::Preferences(format!("query {query}: {why}"));
        let numbered = numbered(&lines, run, query, options).map_err(named)?;
        let counts = PreferenceCounts::new(&numbered);
        let cell = |source: &FigureSource| match source {
            FigureSource::Preferences(name) => counts.figure(name),
            _ => 1.0,
        };
        let cells =
            columns.0.iter().map(|column| SheetCell::Figure(cell(&column.source))).collect();
        rows.push((query.to_owned(), cells));
    }
    Ok(rows)
}

type ByQuery<'a> = BTreeMap<&'a str, Vec<Preference<'a>>>;

fn by_query(text: &str, format: JudgementFormat) -> Result<ByQuery<'_>, ParseError> {
    let mut queries = ByQuery::new();
    let mut scan = TextScan::new(text);
    while scan.next_line() {
        let (query, group, subgroup, document, level) = if format == JudgementFormat::Prefs {
            let [query, group, subgroup, document, level] =
                scan.columns("query group subgroup document level")?;
            (query, group, subgroup, document, level)
        } else {
            let [query, group, document, level] = scan.columns("query group document grade")?;
            (query, group, "0", document, level)
        };
        let level = number(scan.line, level, "level")?;
        queries.entry(query).or_default().push(Preference { group, subgroup, document, level });
    }
    Ok(queries)
}

/// The groups of a query with numbers in place of documents.
#[derive(Debug)]
struct NumberedGroups {
    groups: Vec<PreferenceGroup>,
    documents: usize,
    /// Numbers below this were retrieved.
    retrieved: usize,
}

fn numbered(
    lines: &[Preference<'_>],
    run: &Run,
    query: &str,
    options: &EvalOptions,
) -> Result<NumberedGroups, String> {
    let mut names: Vec<&str> = lines.iter().map(|line| line.document).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > MOST_DOCUMENTS {
        return Err(format!("preferences among more than {MOST_DOCUMENTS} documents"));
    }
    let mut ranking = run.ranking(query);
    // Among preferences trec_eval breaks ties by name first first.
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (name, _) in ranking.into_iter().take(options.depth) {
        if names.binary_search(&name).is_ok() {
            numbers.insert(name, numbers.len());
        }
    }
    let retrieved = numbers.len();
    for &name in &names {
        let next = numbers.len();
        numbers.entry(name).or_insert(next);
    }
    let mut by_group: BTreeMap<&str, Vec<PreferenceLevel<'_>>> = BTreeMap::new();
    for line in lines {
        let (subgroup, document, level) = (line.subgroup, numbers[line.document], line.level);
        let row = PreferenceLevel { subgroup, document, level };
        by_group.entry(line.group).or_default().push(row);
    }
    let groups = by_group.into_values().map(|rows| PreferenceGroup::new(rows, names.len()));
    Ok(NumberedGroups {
        groups: groups.collect::<Result<_, _>>()?,
        documents: names.len(),
        retrieved,
    })
}
