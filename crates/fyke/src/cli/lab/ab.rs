//! `fyke lab ab`: what the log of searches says of two rankers (000 "A/B testing").

use super::queries;
use crate::cli::{Exit, Global, opened, output};
use fyke_eval::clicks::Clickthrough;
use fyke_eval::split::SplitArm;
use fyke_lab::searches::{
    self, ExperimentResult, POSITION_BIAS, SearchFindings, SplitResult, Traffic,
};
use fyke_stages::show::count;

/// Show the results of experiments on the site, and the clickthrough rate by rank
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An experiment interleaves the results of two rankers for a share of the searches and counts whose
results are opened. In fyke.toml:

  [serve]
  log_searches = true
  [experiment]
  share = 0.1               # share of the searches; the others use the standard ranker
  method = \"team-draft\"     # or \"balanced\"; \"split\": each search sees one ranker
  a = \"standard\"            # the old ranker
  b = \"no-nearness title=5\" # the new one: a name, weights, or both

Named rankers: standard, no-nearness, no-anchors, flat, typed-forms. Weights: title, headings,
anchors, body, url (weight of a word in that field), k1, variant, coordination, nearness.

The ranker with more opened results wins a search. Ties and searches without a click are shown, but
do not count in the test (a two-sided sign test). A split compares the clickthrough on the first
result of either half (Fisher's exact test). The searches needed are those that give the test
a power of 80 % at the 5 % level for the share of wins seen so far. Choose the number of searches
before you start: if you look every day and stop at the first p below 0.05, you are wrong much more
often than 5 % of the time.

Examples:
  fyke lab ab
  fyke lab ab --json | jq '.experiments[0].winner'")]
pub(super) struct Args {}

pub(super) fn run(global: &Global, _: &Args) -> anyhow::Result<Exit> {
    let root = opened::find(global)?;
    let config = opened::settings(global, Some(&root))?.config;
    let logged = searches::read(&root)?;
    let found = SearchFindings::of(&logged.searches);
    if global.json {
        output::say_json(&found)?;
        return Ok(Exit::Done);
    }
    if logged.searches.is_empty() {
        output::note(global.quiet, queries::nothing(config.serve.log_searches));
        return Ok(Exit::Done);
    }
    if found.experiments.is_empty() && found.splits.is_empty() {
        output::note(
            global.quiet,
            "no experiment in the log; fyke lab ab --help says how to begin",
        );
    }
    let mut parts: Vec<String> = found.experiments.iter().map(show).collect();
    parts.extend(found.splits.iter().map(show_split));
    parts.extend([show_traffic(&found.traffic), POSITION_BIAS.to_owned()]);
    output::say(&parts.join("\n\n"));
    Ok(Exit::Done)
}

fn show(result: &ExperimentResult) -> String {
    let (setup, outcome) = (&result.setup, &result.outcome);
    let title = format!("A: {}   B: {}   ({})", setup.a, setup.b, setup.method);
    let share = outcome.share_b.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
    let [low, high] = outcome.interval.map(|share| share * 100.0);
    let rows = [
        ("searches", count(outcome.impressions)),
        ("from, to", format!("{}, {}", result.first, result.latest)),
        ("both rankers alike", count(result.alike)),
        ("won by A", count(outcome.wins_a)),
        ("won by B", count(outcome.wins_b)),
        ("tied", count(outcome.ties)),
        ("nothing opened", count(outcome.unclicked)),
        ("B's share of the wins", format!("{share} (95 %: {low:.1} to {high:.1})")),
        ("p, sign test without ties", format!("{:.4}", outcome.p)),
        ("verdict", result.verdict()),
    ];
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
    format!(
        "{}\n{}\n\n{}",
        output::bold(&title),
        output::table(&rows),
        by_rank(&result.clickthrough)
    )
}

fn show_split(result: &SplitResult) -> String {
    let (setup, outcome) = (&result.setup, &result.outcome);
    let title = format!("A: {}   B: {}   ({})", setup.a, setup.b, setup.method);
    let arm = |arm: &SplitArm| {
        let [low, high] = arm.interval.map(|share| share * 100.0);
        format!(
            "{:.1} % of {} searches (95 %: {low:.1} to {high:.1})",
            arm.share * 100.0,
            count(arm.searches)
        )
    };
    let rows = [
        ("from, to", format!("{}, {}", result.first, result.latest)),
        ("first result opened, A", arm(&outcome.a)),
        ("first result opened, B", arm(&outcome.b)),
        ("p, Fisher's exact test", format!("{:.4}", outcome.p)),
        ("verdict", result.verdict()),
    ];
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
    format!("{}\n{}", output::bold(&title), output::table(&rows))
}

fn show_traffic(traffic: &Traffic) -> String {
    let rows = [
        ("searches", traffic.searches),
        ("without results", traffic.without_results),
        ("with something opened", traffic.clicked),
    ];
    let rows = rows.map(|(name, number)| vec![name.to_owned(), count(number)]);
    let title = output::bold("all searches");
    format!("{title}\n{}\n\n{}", output::table(&rows), by_rank(&traffic.clickthrough))
}

fn by_rank(rows: &[Clickthrough]) -> String {
    let head = ["rank", "shown", "opened", "share", "95 %"].map(str::to_owned).to_vec();
    let row = |row: &Clickthrough| {
        let [low, high] = row.interval.map(|share| format!("{:.1}", share * 100.0));
        vec![
            row.rank.to_string(),
            count(row.shown),
            count(row.clicked),
            format!("{:.1} %", row.share * 100.0),
            format!("{low} – {high}"),
        ]
    };
    let rows: Vec<_> = std::iter::once(head).chain(rows.iter().map(row)).collect();
    output::table_with_head(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    #[test]
    fn the_help_names_every_ranker() {
        let command = Args::augment_args(clap::Command::new("ab"));
        let help = command.get_after_help().unwrap().to_string();
        for row in fyke_index::RANKERS {
            assert!(help.contains(row.name), "{}", row.name);
        }
    }
}
