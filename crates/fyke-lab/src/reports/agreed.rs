//! The agreement of judges as tables, and as a part of a page.

use super::Table;
use super::figures::{figure, interval, maybe};
use askama::Template;
use fyke_eval::Agreement;
use fyke_eval::agreement::{AgreementEstimate, Disagreement, JudgeEffect};

/// Orders with this tau or more are nearly the same.
const SAME_ORDER: f64 = 0.9;
/// Disagreements that a page shows.
const SHOWN: usize = 20;

/// Every coefficient, a row each.
#[must_use]
pub fn table(agreement: &Agreement) -> Table {
    let mut table = Table::new(&[
        "judges",
        "coefficient",
        "documents",
        "P(A)",
        "P(E)",
        "value",
        "95 %",
        "reading",
    ]);
    for pair in &agreement.pairs {
        let judges = format!("{}, {}", pair.first, pair.second);
        table.rows.extend([
            row(&judges, "Cohen's kappa", &pair.kappa),
            row(&judges, "kappa, pooled chance", &pair.pooled),
            row(&judges, "kappa, linear weights", &pair.linear),
            row(&judges, "kappa, quadratic weights", &pair.quadratic),
        ]);
    }
    let several = [
        ("Fleiss' kappa", agreement.fleiss),
        ("Krippendorff's alpha, nominal", agreement.alpha_nominal),
        ("Krippendorff's alpha, ordinal", agreement.alpha_ordinal),
        ("Krippendorff's alpha, interval", agreement.alpha_interval),
    ];
    let all = several.iter().filter_map(|(name, of)| Some(row("all", name, of.as_ref()?)));
    table.rows.extend(all);
    table
}

fn row(judges: &str, name: &str, of: &AgreementEstimate) -> Vec<String> {
    vec![
        judges.to_owned(),
        name.to_owned(),
        of.documents.to_string(),
        format!("{:.3}", of.coefficient.agreed),
        format!("{:.3}", of.coefficient.expected),
        format!("{:.3}", of.coefficient.value),
        interval(of.interval),
        of.reading.name().to_owned(),
    ]
}

/// What to settle together, up to a number of rows.
#[must_use]
pub fn disagreements(agreement: &Agreement, shown: usize) -> Table {
    let mut table = Table::new(&["query", "document", "gap"]);
    table.head.extend(agreement.judges.iter().cloned());
    let grade =
        |grade: &Option<i32>| grade.map_or_else(|| "–".to_owned(), |grade| grade.to_string());
    let row = |of: &Disagreement| {
        let first = [of.query.clone(), of.document.clone(), of.gap.to_string()];
        first.into_iter().chain(of.grades.iter().map(grade)).collect()
    };
    table.rows = agreement.disagreements.iter().take(shown).map(row).collect();
    table
}

/// The mean of each run by each judge.
#[must_use]
pub fn means(effect: &JudgeEffect) -> Table {
    let mut table = Table::new(&["run"]);
    table.head.extend(effect.judges.iter().cloned());
    let by_each = |(place, name): (usize, &String)| {
        let means = effect.means.iter().map(|judge| judge.get(place).copied());
        let cells = means.map(|mean| mean.map_or_else(String::new, figure));
        std::iter::once(name.clone()).chain(cells).collect()
    };
    table.rows = effect.systems.iter().enumerate().map(by_each).collect();
    table
}

/// How far the orders of the runs agree.
#[must_use]
pub fn orders(effect: &JudgeEffect) -> Table {
    let mut table = Table::new(&["judges", "tau", "tau-b", "tau-AP"]);
    let row = |of: &fyke_eval::agreement::RankAgreement| {
        let judges = format!("{}, {}", of.first, of.second);
        vec![judges, maybe(of.tau), maybe(of.tau_b), maybe(of.tau_ap)]
    };
    table.rows = effect.orders.iter().map(row).collect();
    table
}

/// What the judges' effect means.
#[must_use]
pub fn conclusion(effect: &JudgeEffect) -> String {
    let taus = effect.orders.iter().filter_map(|order| order.tau_b);
    let least = taus.fold(f64::INFINITY, f64::min);
    let order = match least {
        _ if !least.is_finite() => "there is no order to compare".to_owned(),
        _ if least >= SAME_ORDER => format!("their order hardly does (least tau-b {least:.3})"),
        _ => format!("their order depends on the judge (least tau-b {least:.3})"),
    };
    let (largest, queries) = (figure(effect.largest_difference), effect.queries);
    format!(
        "Over {queries} queries that all judged, a run's mean differs by up to {largest}; {order}."
    )
}

/// The agreement as a part of a page.
#[derive(Debug, Template)]
#[template(path = "lab/agreement.html")]
pub struct AgreementPart {
    judges: usize,
    documents: [usize; 3],
    mean_kappa: Option<String>,
    table: Table,
    apart: usize,
    disagreements: Table,
    effect: Option<EffectPart>,
}

#[derive(Debug)]
struct EffectPart {
    measure: String,
    conclusion: String,
    means: Table,
    orders: Table,
}

impl AgreementPart {
    /// What a page shows of the judges' agreement, and of what it does to runs.
    #[must_use]
    pub fn new(agreement: &Agreement, effect: Option<&JudgeEffect>) -> AgreementPart {
        let mean_kappa = agreement.mean_kappa.filter(|_| agreement.pairs.len() > 1);
        AgreementPart {
            judges: agreement.judges.len(),
            documents: agreement.documents,
            mean_kappa: mean_kappa.map(|kappa| format!("{kappa:.3}")),
            table: table(agreement),
            apart: agreement.disagreements.len(),
            disagreements: disagreements(agreement, SHOWN),
            effect: effect.map(|effect| EffectPart {
                measure: effect.measure.clone(),
                conclusion: conclusion(effect),
                means: means(effect),
                orders: orders(effect),
            }),
        }
    }
}
