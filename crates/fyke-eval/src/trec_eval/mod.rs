//! What trec_eval prints, line for line: which measures in which order, with which numbers, for each
//! query and for all. Other judgements than qrels too: preferences (`-R prefs`, `-R qrels_prefs`),
//! and several judges whose figures are averaged (`-R qrels_jg`).

mod columns;
mod groups;
mod preferences;
mod sheet;
mod zscores;

pub use columns::{Columns, NICKNAMES};
pub use sheet::SheetOptions;
pub use zscores::ZScores;

use crate::evaluate::{EvalOptions, figures, judge_each};
use crate::formats::ParseError;
use crate::measures::{Judged, POOLED};
use crate::trec::{Qrels, Run};
use columns::{FigureColumn, FigureSource};
use sheet::{FigureSheet, SheetCell};
use std::fmt;

/// Why there is no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrecEvalTrouble {
    /// The judgements cannot be read.
    Parse(ParseError),
    /// A measure is unknown, or its numbers are.
    Measure(String),
    /// A measure needs judgements of another format.
    Format {
        /// The measure.
        measure: String,
        /// The format that was given.
        given: JudgementFormat,
    },
    /// Preferences that contradict each other, or too many.
    Preferences(String),
}

/// Formats of judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgementFormat {
    /// A grade for each document.
    Qrels,
    /// Which document is preferred to which: query, group, subgroup, document, level.
    Prefs,
    /// Qrels read as preferences: a document with a higher grade is preferred.
    QrelsPrefs,
    /// Qrels of several judges, named in the second column.
    QrelsJg,
}

impl JudgementFormat {
    /// Every format with its name in trec_eval.
    pub const ALL: [(&str, JudgementFormat); 4] = [
        ("qrels", JudgementFormat::Qrels),
        ("prefs", JudgementFormat::Prefs),
        ("qrels_prefs", JudgementFormat::QrelsPrefs),
        ("qrels_jg", JudgementFormat::QrelsJg),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for TrecEvalTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrecEvalTrouble::Parse(error) => write!(f, "{error}"),
            TrecEvalTrouble::Measure(name) => write!(
                f,
                "unknown measure `{name}`; trec_eval has map, P.5,10, ndcg_cut.10, all_trec …"
            ),
            TrecEvalTrouble::Format { measure, given } => write!(
                f,
                "measure {measure} cannot be computed from judgements of format {}; see -R",
                given.name()
            ),
            TrecEvalTrouble::Preferences(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for TrecEvalTrouble {}

/// Judgements as they stand in a file.
#[derive(Clone, Copy, Debug)]
pub struct JudgementText<'a> {
    pub text: &'a str,
    pub format: JudgementFormat,
}

/// What trec_eval prints for judgements, a run and the measures asked for.
///
/// # Errors
/// When the judgements cannot be read, or a measure does not go with them.
pub fn report(
    judgements: JudgementText<'_>,
    run: &Run,
    columns: &Columns,
    options: &EvalOptions,
    show: &SheetOptions,
) -> Result<String, TrecEvalTrouble> {
    let JudgementText { text, format } = judgements;
    if let Some(column) = columns.0.iter().find(|column| !column.source.goes_with(format)) {
        return Err(TrecEvalTrouble::Format { measure: column.name.clone(), given: format });
    }
    let rows = match format {
        JudgementFormat::Qrels => {
            of_qrels(&Qrels::parse(text).map_err(TrecEvalTrouble::Parse)?, run, columns, options)
        }
        JudgementFormat::QrelsJg => {
            groups::rows(text, run, columns, options).map_err(TrecEvalTrouble::Parse)?
        }
        JudgementFormat::Prefs | JudgementFormat::QrelsPrefs => {
            preferences::rows(text, format, run, columns, options)?
        }
    };
    Ok(FigureSheet { tag: &run.tag, columns: &columns.0, rows }.print(show))
}

/// Figures of each query.
type QueryFigures = Vec<(String, Vec<SheetCell>)>;

fn of_qrels(qrels: &Qrels, run: &Run, columns: &Columns, options: &EvalOptions) -> QueryFigures {
    let mut rows = Vec::new();
    judge_each(qrels, run, options, |query, judged| {
        let cell = |column: &FigureColumn| match &column.source {
            FigureSource::Ranking(asked) => {
                SheetCell::Figure(figures(std::slice::from_ref(asked), judged, options.level)[0])
            }
            FigureSource::Relevances(length) => SheetCell::Text(relevances(judged, *length)),
            _ => SheetCell::Figure(1.0),
        };
        rows.push((query.to_owned(), columns.0.iter().map(cell).collect()));
    });
    rows
}

/// The grades of the first documents, a letter each.
fn relevances(judged: &Judged, length: usize) -> String {
    let letter = |&grade: &i32| match grade {
        10.. => '>',
        0..10 => char::from_digit(grade.unsigned_abs(), 10).unwrap_or('>'),
        POOLED => '.',
        _ => '-',
    };
    judged.grades().iter().take(length).map(letter).collect()
}
