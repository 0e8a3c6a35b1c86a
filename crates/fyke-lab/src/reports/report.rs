//! The report: one HTML file with everything inside, to keep, print or send. No scripts, nothing from
//! outside, every name escaped by the template.

use super::{agreed, compared};
use askama::Template;

/// What a report holds.
#[derive(Debug, Template)]
#[template(path = "lab/report.html")]
pub struct Report {
    pub title: String,
    /// When it was made.
    pub made: String,
    /// The judgements it goes by.
    pub qrels: String,
    pub comparison: compared::ComparisonPart,
    /// Where several judged.
    pub agreement: Option<agreed::AgreementPart>,
    /// The sheet of the site and that of plots: our own text, safe in a style element.
    pub style: String,
}
