//! Papers: files read as such (002 §4), what `fyke papers parse` and its benchmark run on each; and the papers of a
//! collection, listed, searched and shown.

mod list;
mod whole;

pub use list::{PaperList, PaperOrder, WantedPapers, list};
pub use whole::{
    NameKind, NamedKey, NamedPaperList, PaperBesideLine, PaperDocument, PaperReferenceLine,
    PaperSummary, WholePaper, WrittenPaper, figures, forms, graph, named, one_paper_graph,
    paper_key, summary, whole,
};

use fyke_derive::page::papers::{paper_lines, paper_of};
use fyke_derive::{ReadLimits, read_within};
use fyke_formats::parse;
use fyke_papers::models::PaperModels;
use fyke_papers::paper::Paper;
use fyke_papers::split::MOST_REFERENCES;
use fyke_papers::verdict::{PaperVerdict, judge};
use fyke_web::Capture;
use fyke_web::page::Format;
use std::sync::Arc;

/// What an input is as a paper.
#[derive(Clone, Debug)]
pub struct ReadPaper {
    /// Whether it looks like one.
    pub verdict: PaperVerdict,
    pub paper: Paper,
    /// Name of the format that it came in.
    pub format: &'static str,
    /// Pages of a paged format; 1 of others.
    pub pages: u32,
    /// What could not be read of it, in words; empty when all is well.
    pub trouble: String,
}

/// Reads a capture as a paper, within the limits of time of any page.
///
/// # Errors
/// Why it has no text that could be one: in words.
pub fn read_paper(capture: &Capture, models: &Arc<PaperModels>) -> Result<ReadPaper, String> {
    let models = Arc::clone(models);
    let read = read_within(capture, &ReadLimits::default(), move |capture| {
        let page = parse(capture);
        let lines = paper_lines(&page);
        let is_known = page.format != Format::Other;
        let what = if is_known { "no text" } else { "not a format that text can be taken from" };
        if lines.is_empty() {
            let trouble = page.trouble;
            return Err(if trouble.is_empty() { what.to_owned() } else { trouble });
        }
        Ok(ReadPaper {
            verdict: judge(&lines),
            paper: paper_of(&page, &lines, &models, MOST_REFERENCES),
            format: page.format.name(),
            pages: lines.last().map_or(1, |line| line.page),
            trouble: page.trouble,
        })
    });
    read.unwrap_or_else(|why| Err(why.judge().detail))
}
