//! `fyke sim --revisit`: the policies of `[revisit]` on made pages, each with the same number of requests (003 §3.2.3).

use crate::cli::progress::Progress;
use crate::cli::{Exit, Global, output};
use fyke_learn::revisit::{RevisitContender, RevisitScore, RevisitTrial};
use serde_json::json;
use std::time::Duration;

pub(super) fn run(
    global: &Global,
    pages: usize,
    every: Duration,
    seed: u64,
) -> anyhow::Result<Exit> {
    let every = (every.as_secs_f64() / 86_400.0).max(1e-3);
    let trial = RevisitTrial { pages, every, ..RevisitTrial::default() };
    let contenders: Vec<RevisitContender> = RevisitContender::all().collect();
    let mut progress = Progress::start(global.quiet, "policies", Some(contenders.len() as u64));
    let mut scores = Vec::new();
    for (done, contender) in contenders.iter().enumerate() {
        scores.push((contender.name(), trial.run(contender, seed)));
        progress.at(done as u64 + 1, "");
    }
    progress.finish();
    if global.json {
        let row = |(name, score): &(String, RevisitScore)| {
            let RevisitScore { mean_age, freshness, requests, error } = score;
            json!({ "policy": name, "mean_age_days": mean_age, "freshness": freshness,
                    "requests": requests, "rate_error_log2": error })
        };
        output::say_json(&json!({
            "pages": trial.pages, "seed": seed, "slowest_changes_a_day": trial.slowest,
            "decades": trial.decades, "mean_days_between_visits": trial.every,
            "visits_before": trial.before, "visits_measured": trial.measured,
            "policies": scores.iter().map(row).collect::<Vec<_>>(),
        }))?;
        return Ok(Exit::Done);
    }
    let RevisitTrial { slowest, decades, every, before, measured, .. } = trial;
    let fastest = slowest * 10f64.powf(decades);
    output::say(&format!(
        "{pages} pages that change {slowest} to {fastest} times a day, visited every {every} d in the mean;\n\
         measured over {measured} visits a page after the first {before}\n"
    ));
    let head = ["policy", "mean age", "fresh", "requests"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(scores.into_iter().map(|(name, score)| {
        let (age, fresh) = (24.0 * score.mean_age, 100.0 * score.freshness);
        vec![name, format!("{age:.2} h"), format!("{fresh:.1} %"), score.requests.to_string()]
    }));
    output::say(&output::table_with_head(&rows));
    Ok(Exit::Done)
}
