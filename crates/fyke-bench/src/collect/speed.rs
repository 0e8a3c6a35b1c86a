//! CPU time of a step with all documents of the pool known, besides what the engine and the filter take.

use super::pool::LanguagePool;
use crate::machine::thread_cpu_time;
use crate::report::BenchReport;
use fyke_learn::terms::builder::{BuilderStep, CorpusBuilder, HitsTaken};
use fyke_learn::terms::learners::learner;
use fyke_learn::terms::{DocumentSide, TermCounts};
use std::time::Duration;

/// Documents known.
const KNOWN: usize = 100_000;
/// Steps measured.
const STEPS: usize = 500;

pub(crate) fn add(report: &mut BenchReport, pool: &LanguagePool) -> anyhow::Result<()> {
    let mut counts = TermCounts::default();
    let known = pool.documents.len().saturating_sub(STEPS).min(KNOWN);
    for document in &pool.documents[..known] {
        let is_relevant = document.lang == "sl";
        let side = if is_relevant { DocumentSide::Relevant } else { DocumentSide::Other };
        counts.add(side, &document.terms);
    }
    report.add("documents_known", known as f64, "");
    for (name, names) in [
        ("bandit", ["cpu_ms_of_a_step_bandit", "slowest_step_ms_bandit"]),
        ("OR-3", ["cpu_ms_of_a_step_or_3", "slowest_step_ms_or_3"]),
        ("LTMII", ["cpu_ms_of_a_step_ltm", "slowest_step_ms_ltm"]),
    ] {
        let learner = learner(name).ok_or_else(|| anyhow::anyhow!("no learner {name}"))?;
        let builder = CorpusBuilder::new(counts.clone(), learner, HitsTaken::One, 1);
        let times = steps(builder, pool, known)?;
        let all: Duration = times.iter().sum();
        report.add(names[0], all.as_secs_f64() * 1e3 / times.len().max(1) as f64, "ms");
        let slowest = times.iter().max().copied().unwrap_or_default();
        report.add(names[1], slowest.as_secs_f64() * 1e3, "ms");
    }
    Ok(())
}

/// The times of steps in which every query finds one more document of the pool.
fn steps(
    mut builder: CorpusBuilder,
    pool: &LanguagePool,
    known: usize,
) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    for (at, document) in pool.documents.iter().enumerate().skip(known).take(STEPS) {
        let start = thread_cpu_time()?;
        if let BuilderStep::Ask(_) = builder.next_step() {
            builder.answer(&[at as u64]);
        }
        builder.judge(at % 2 == 0, &document.terms);
        times.push(thread_cpu_time()?.saturating_sub(start));
    }
    Ok(times)
}
