//! How well the filter tells languages that are near: as it is, and after people have judged a random sample of 100
//! documents that it takes to be Croatian. The sample is of one half of the pool, the figures are of the other.

use super::pool::{LanguagePool, PoolDocument};
use crate::report::BenchReport;
use fyke_lab::collect::{JudgedText, LanguageFilter};
use fyke_learn::terms::Dice;

/// The language whose rivals are nearest, and how many documents are judged.
const NEAR: &str = "hr";
const JUDGED: usize = 100;
/// Samples that are drawn.
const SAMPLES: u64 = 10;

/// How well the filter tells the languages, as it is and when people have judged a sample.
pub(crate) fn add(report: &mut BenchReport, pool: &LanguagePool) {
    let rows: [(&str, [&'static str; 2]); 4] = [
        ("sl", ["filter_precision_sl", "filter_recall_sl"]),
        ("hr", ["filter_precision_hr", "filter_recall_hr"]),
        ("cs", ["filter_precision_cs", "filter_recall_cs"]),
        ("tl", ["filter_precision_tl", "filter_recall_tl"]),
    ];
    for (lang, names) in rows {
        let count = |fits: fn(bool, bool) -> bool| {
            let is_one = |one: &&PoolDocument| fits(one.lang == lang, one.said == lang);
            pool.documents.iter().filter(is_one).count() as f64
        };
        let right = count(|is_so, is_said| is_so && is_said);
        report.add(names[0], right / count(|_, is_said| is_said).max(1.0), "");
        report.add(names[1], right / count(|is_so, _| is_so).max(1.0), "");
    }
    taught(report, pool);
}

/// Mean and worst precision and recall on the second half, taught by samples of the first.
fn taught(report: &mut BenchReport, pool: &LanguagePool) {
    let half = |at: usize| at.wrapping_mul(2_654_435_761) >> 7 & 1;
    let of_half = |wanted| {
        let all = pool.documents.iter().enumerate();
        all.filter(move |(at, _)| half(*at) == wanted).map(|one| one.1)
    };
    let called = |one: &&PoolDocument| one.said == NEAR;
    let learnt: Vec<&PoolDocument> = of_half(0).filter(called).collect();
    let tried: Vec<&PoolDocument> = of_half(1).filter(called).collect();
    let all = of_half(1).filter(|one| one.lang == NEAR).count() as f64;
    let (mut precision, mut recall) = (Vec::new(), Vec::new());
    for seed in 1..=SAMPLES {
        let mut dice = Dice::new(seed);
        let judged = (0..JUDGED).filter_map(|_| learnt.get(dice.below(learnt.len())));
        let judged: Vec<JudgedText> = judged
            .map(|one| JudgedText { text: one.text.clone(), is_right: one.lang == NEAR })
            .collect();
        let filter = LanguageFilter::new(NEAR, &[]).taught(&judged);
        let kept: Vec<&&PoolDocument> =
            tried.iter().filter(|one| filter.judge(&one.text).is_wanted).collect();
        let right = kept.iter().filter(|one| one.lang == NEAR).count() as f64;
        precision.push(right / kept.len().max(1) as f64);
        recall.push(right / all.max(1.0));
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let worst = |values: &[f64]| values.iter().copied().fold(1.0, f64::min);
    report.add("taught_precision_hr", mean(&precision), "");
    report.add("taught_precision_hr_worst", worst(&precision), "");
    report.add("taught_recall_hr", mean(&recall), "");
    report.add("taught_recall_hr_worst", worst(&recall), "");
}
