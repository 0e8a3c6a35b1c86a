//! Runs side by side: the table of a measure, what may be concluded, and the queries that gained and
//! lost most; and all of it as a part of a page.

use super::figures::{chance, figure, interval, maybe, signed, told_chance};
use super::{Table, plots};
use askama::Template;
use fyke_eval::Comparison;
use fyke_eval::compare::{Compared, Difference, Gain, System};
use fyke_eval::spread::Variances;

/// At or below this a corrected p is no luck.
pub const ALPHA: f64 = 0.05;
/// Queries with the largest gains and losses that are shown.
const SHOWN: usize = 5;
/// The test that conclusions go by: it takes nothing for granted.
const TEST: &str = "randomisation";

/// Means and differences by a measure.
#[must_use]
pub fn means(compared: &Compared) -> Table {
    let mut table =
        Table::new(&["run", "mean", "95 %", "difference", "95 %", "better", "worse", "equal"]);
    let row = |system: &System| {
        let mut row = vec![system.name.clone(), figure(system.mean), interval(system.interval)];
        match &system.difference {
            None => row.resize(8, String::new()),
            Some(difference) => {
                row.extend([signed(difference.mean), interval(difference.interval)]);
                let counts = [difference.better, difference.worse, difference.equal];
                row.extend(counts.map(|count| count.to_string()));
            }
        }
        row
    };
    table.rows = compared.systems.iter().map(row).collect();
    table
}

/// Whether the differences are luck, and how large they are.
#[must_use]
pub fn tests(compared: &Compared) -> Table {
    let mut table =
        Table::new(&["run", "randomisation", "Holm", "BH", "t", "Wilcoxon", "d", "rank biserial"]);
    let row = |system: &System| {
        let difference = system.difference.as_ref()?;
        let tested = difference.tested(TEST);
        let p = |test: &str| chance(difference.tested(test).map(|tested| tested.p));
        Some(vec![
            system.name.clone(),
            p(TEST),
            chance(tested.map(|tested| tested.holm)),
            chance(tested.map(|tested| tested.benjamini_hochberg)),
            p("t"),
            p("wilcoxon"),
            maybe(difference.effect.d),
            format!("{:.3}", difference.effect.rank_biserial),
        ])
    };
    table.rows = compared.systems.iter().filter_map(row).collect();
    table
}

/// What may be concluded of each run, a sentence each, and how much queries vary beside systems.
#[must_use]
pub fn conclusions(compared: &Compared) -> Vec<String> {
    let Some(baseline) = compared.systems.get(compared.baseline) else { return Vec::new() };
    let differing =
        compared.systems.iter().filter_map(|system| Some((system, system.difference.as_ref()?)));
    differing
        .map(|(system, difference)| conclusion(&system.name, &baseline.name, difference))
        .chain(compared.variances.map(varied))
        .collect()
}

fn varied(variances: Variances) -> String {
    let Variances { queries, systems } = variances;
    let times = match systems > 0.0 {
        true => format!(", {:.1} times as much", queries / systems),
        false => String::new(),
    };
    format!("variance over queries {queries:.4}, over systems {systems:.4}{times}")
}

fn conclusion(name: &str, baseline: &str, difference: &Difference) -> String {
    let by = signed(difference.mean);
    match difference.tested(TEST) {
        None => format!("{name} and {baseline} differ by {by}: too few queries to test"),
        Some(tested) if tested.holm > ALPHA => {
            let p = told_chance(tested.holm);
            format!("{name} and {baseline} are not told apart: {by}, {p} (Holm)")
        }
        Some(tested) => {
            let side = if difference.mean > 0.0 { "better" } else { "worse" };
            format!("{name} is {side} than {baseline}: {by}, {} (Holm)", told_chance(tested.holm))
        }
    }
}

/// The queries that gained most and those that lost most.
#[must_use]
pub fn gains(difference: &Difference, shown: usize) -> Table {
    let mut table = Table::new(&["query", "before", "after", "gain"]);
    let row = |gain: &Gain| {
        vec![gain.query.clone(), figure(gain.before), figure(gain.after), signed(gain.gain)]
    };
    let up = difference.gains.iter().take(difference.better.min(shown));
    let mut down: Vec<&Gain> = difference.losses().take(shown).collect();
    down.reverse();
    table.rows = up.chain(down).map(row).collect();
    table
}

/// The comparison as a part of a page.
#[derive(Debug, Template)]
#[template(path = "lab/comparison.html")]
pub struct ComparisonPart {
    warnings: Vec<String>,
    queries: usize,
    /// Our own SVG.
    curves: String,
    averages: Table,
    measures: Vec<MeasurePart>,
}

#[derive(Debug)]
struct MeasurePart {
    name: String,
    conclusions: Vec<String>,
    means: Table,
    tests: Table,
    spread: String,
    gains: Vec<GainsPart>,
}

#[derive(Debug)]
struct GainsPart {
    name: String,
    svg: String,
    table: Table,
}

impl ComparisonPart {
    /// What a page shows of a comparison.
    #[must_use]
    pub fn new(comparison: &Comparison) -> ComparisonPart {
        let mut averages = Table::new(&["run", "11-point average"]);
        let average = |curve: &fyke_eval::Curve| vec![curve.name.clone(), figure(curve.average)];
        averages.rows = comparison.curves.iter().map(average).collect();
        ComparisonPart {
            warnings: comparison.warnings.iter().map(ToString::to_string).collect(),
            queries: comparison.queries,
            curves: plots::curves(&comparison.curves).inline(),
            averages,
            measures: comparison.measures.iter().map(measure_part).collect(),
        }
    }
}

fn measure_part(compared: &Compared) -> MeasurePart {
    let baseline = compared.systems.get(compared.baseline).map_or("", |system| &system.name);
    let gains_of = |system: &System| {
        let difference = system.difference.as_ref()?;
        let svg = plots::gains(&compared.measure, baseline, (&system.name, difference)).inline();
        Some(GainsPart { name: system.name.clone(), svg, table: gains(difference, SHOWN) })
    };
    MeasurePart {
        name: compared.measure.clone(),
        conclusions: conclusions(compared),
        means: means(compared),
        tests: tests(compared),
        spread: plots::spread(compared).inline(),
        gains: compared.systems.iter().filter_map(gains_of).collect(),
    }
}
