//! The measures of a ranking, one file and one row each (000 "Evaluation", 003 ch. 8). Names as in
//! ir_measures (`nDCG@10`, `P(rel=2)@10`) and as in trec_eval (`ndcg_cut_10`); figures as trec_eval
//! computes them.

mod accuracy;
mod alpha_ndcg;
mod average_precision;
mod bin_g;
mod bpref;
mod counts;
mod dcg;
mod eleven_point;
mod err;
mod g;
mod gains;
mod geometric;
mod inferred;
mod interpolated;
mod judged;
mod judged_share;
mod names;
mod ndcg;
mod ndcg_at_levels;
mod ndcg_at_relevant;
mod precision;
mod r_precision;
mod r_precision_multiple;
mod rbp;
mod rbp_residual;
mod recall;
mod reciprocal_rank;
mod relative_precision;
mod set_average_precision;
mod set_f;
mod set_precision;
mod set_recall;
mod set_relative_precision;
mod success;
mod unjudged_share;
mod utility;

pub use geometric::LEAST;
pub use judged::{Copies, Judged, POOLED, UNJUDGED};
pub use names::{MeasureName, find};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Name in ir_measures, without what it takes; trec_eval's where ir_measures has none.
    pub name: &'static str,
    /// Names in trec_eval: alone, and before `_` and a number; empty where it has none.
    pub trec: [&'static str; 2],
    /// What it says, in one line.
    pub what: &'static str,
    /// What may follow `@`.
    pub at: Cutoff,
    /// Names and usual values of the numbers that it takes in brackets, as `RBP(p=0.8)`.
    pub keys: &'static [(&'static str, f64)],
    /// How the figure of all queries comes from those of each.
    pub mean: Mean,
    /// Which values it can have.
    pub scale: Scale,
    /// The figure of one ranking.
    pub compute: fn(&Judged, &Parameters) -> f64,
    /// A worked example, which a test holds it to.
    pub example: MeasureExample,
}

/// What may follow `@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutoff {
    /// `Rprec`
    Nothing,
    /// `nDCG` and `nDCG@10`
    MaybeRank,
    /// `P@10`
    Rank,
    /// `IPrec@0.1`
    Number,
}

/// How figures of queries become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mean {
    /// Every query counts equally.
    Arithmetic,
    /// The n-th root of the product: bad queries count more.
    Geometric,
    /// Counts are added up.
    Sum,
}

/// Which values a measure can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From 0 to 1, and no ranking betters the ideal one.
    Share,
    /// Any.
    Open,
}

/// What a measure was asked with.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Rank after which nothing counts; `usize::MAX` if there is none.
    pub cut: usize,
    /// The numbers of `keys`, in their order, or the one after `@`.
    pub numbers: Vec<f64>,
    /// Gains of grades that are not the grade itself.
    pub gains: Vec<(i32, f64)>,
    /// How many documents reach a share of the relevant ones.
    pub recall: RecallPoint,
}

/// How many documents reach a share of the relevant ones, where the share is no whole number of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecallPoint {
    /// As many as are needed to have that share (000 "Interpolated precision": the maximum to the right).
    #[default]
    Reached,
    /// The nearest whole number, as the newest trec_eval has it.
    Nearest,
}

impl Parameters {
    fn number(&self) -> f64 {
        self.numbers.first().copied().unwrap_or(0.0)
    }
}

/// A ranking and its figure: the measure as asked for; grades of the ranking, best rank first (-1 not
/// judged); grades of judged documents that it misses; groups of near-copies of all of these, 0 for
/// a document that has no copy; the figure.
#[derive(Clone, Copy, Debug)]
pub struct MeasureExample {
    /// Name as asked for.
    pub asked: &'static str,
    /// Grades, best rank first.
    pub ranking: &'static [i32],
    /// Grades of what is missing.
    pub missed: &'static [i32],
    /// Groups of near-copies, of `ranking` and then of `missed`; may be empty.
    pub groups: &'static [u32],
    /// The figure.
    pub figure: f64,
}

impl MeasureExample {
    const fn new(
        asked: &'static str,
        ranking: &'static [i32],
        missed: &'static [i32],
        figure: f64,
    ) -> MeasureExample {
        MeasureExample { asked, ranking, missed, groups: &[], figure }
    }
}

/// Every measure; to add one, write its file and name it above and here.
pub const MEASURES: [Measure; 39] = [
    set_precision::MEASURE,
    set_recall::MEASURE,
    set_f::MEASURE,
    accuracy::MEASURE,
    precision::MEASURE,
    recall::MEASURE,
    r_precision::MEASURE,
    r_precision_multiple::MEASURE,
    interpolated::MEASURE,
    eleven_point::MEASURE,
    average_precision::MEASURE,
    geometric::MAP,
    geometric::BPREF,
    ndcg::MEASURE,
    dcg::MEASURE,
    alpha_ndcg::MEASURE,
    reciprocal_rank::MEASURE,
    bpref::MEASURE,
    inferred::MEASURE,
    err::MEASURE,
    rbp::MEASURE,
    rbp::TREC,
    rbp_residual::MEASURE,
    success::MEASURE,
    judged_share::MEASURE,
    unjudged_share::MEASURE,
    relative_precision::MEASURE,
    set_relative_precision::MEASURE,
    set_average_precision::MEASURE,
    utility::MEASURE,
    bin_g::MEASURE,
    g::MEASURE,
    ndcg_at_relevant::MEASURE,
    ndcg_at_levels::MEASURE,
    counts::RETRIEVED,
    counts::RELEVANT,
    counts::RELEVANT_RETRIEVED,
    counts::NONRELEVANT_RETRIEVED,
    counts::QUERIES,
];

/// `part / whole`, and 0 of nothing.
fn ratio(part: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Adds up from 0.0; `sum` of nothing would be -0.0, and be printed so.
fn add(sum: f64, part: f64) -> f64 {
    sum + part
}

#[cfg(test)]
mod tests;
