//! The measures of trec_eval in the order in which it prints them, with the numbers it takes where
//! none are given, and the names it has for several at once.

use super::{JudgementFormat, TrecEvalTrouble};
use crate::measures::{Mean, MeasureName, RecallPoint, find};

/// What a command line asks for: the columns to print, in trec_eval's order.
#[derive(Clone, Debug)]
pub struct Columns(pub(super) Vec<FigureColumn>);

/// One figure.
#[derive(Clone, Debug)]
pub(super) struct FigureColumn {
    pub(super) name: String,
    pub(super) source: FigureSource,
    pub(super) mean: Mean,
    pub(super) shown: FigureShown,
}

/// Where a figure comes from.
#[derive(Clone, Debug)]
pub(super) enum FigureSource {
    /// The name of the run.
    Tag,
    /// One a query.
    Queries,
    /// A measure of rankings.
    Ranking(MeasureName),
    /// Grades of the first so many documents, as letters.
    Relevances(usize),
    /// A measure of rankings, averaged over judges.
    Judges(MeasureName),
    /// A measure of preferences, by its name.
    Preferences(&'static str),
}

/// Where a figure is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FigureShown {
    Both,
    Query,
    All,
}

impl FigureSource {
    pub(super) fn goes_with(&self, format: JudgementFormat) -> bool {
        let preferences = matches!(format, JudgementFormat::Prefs | JudgementFormat::QrelsPrefs);
        match self {
            FigureSource::Tag | FigureSource::Queries => true,
            FigureSource::Ranking(_) | FigureSource::Relevances(_) => {
                format == JudgementFormat::Qrels
            }
            FigureSource::Judges(_) => format == JudgementFormat::QrelsJg,
            FigureSource::Preferences(_) => preferences,
        }
    }
}

/// Numbers that a measure takes.
#[derive(Clone, Copy, Debug)]
enum MeasureArgument {
    Nothing,
    /// A column for each rank.
    Ranks(&'static [usize]),
    /// A column for each number, printed with two digits.
    Points(&'static [f64]),
    /// One column with all numbers in its name.
    Numbers,
    /// One column with gains of grades in its name.
    Gains,
}

const RANKS: MeasureArgument = MeasureArgument::Ranks(&[5, 10, 15, 20, 30, 100, 200, 500, 1000]);
const RECALLS: MeasureArgument =
    MeasureArgument::Points(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
const MULTIPLES: MeasureArgument =
    MeasureArgument::Points(&[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]);

/// Names of trec_eval in its order.
const LISTING: &[(&str, MeasureArgument)] = &[
    ("runid", MeasureArgument::Nothing),
    ("num_q", MeasureArgument::Nothing),
    ("num_ret", MeasureArgument::Nothing),
    ("num_rel", MeasureArgument::Nothing),
    ("num_rel_ret", MeasureArgument::Nothing),
    ("map", MeasureArgument::Nothing),
    ("gm_map", MeasureArgument::Nothing),
    ("Rprec", MeasureArgument::Nothing),
    ("bpref", MeasureArgument::Nothing),
    ("recip_rank", MeasureArgument::Nothing),
    ("iprec_at_recall", RECALLS),
    ("P", RANKS),
    ("relstring", MeasureArgument::Numbers),
    ("recall", RANKS),
    ("infAP", MeasureArgument::Nothing),
    ("gm_bpref", MeasureArgument::Nothing),
    ("Rprec_mult", MULTIPLES),
    ("utility", MeasureArgument::Numbers),
    ("11pt_avg", MeasureArgument::Numbers),
    ("binG", MeasureArgument::Nothing),
    ("G", MeasureArgument::Gains),
    ("dcg", MeasureArgument::Gains),
    ("ndcg", MeasureArgument::Gains),
    ("ndcg_rel", MeasureArgument::Gains),
    ("Rndcg", MeasureArgument::Gains),
    ("ndcg_cut", RANKS),
    ("map_cut", RANKS),
    ("relative_P", RANKS),
    ("success", MeasureArgument::Ranks(&[1, 5, 10])),
    ("set_P", MeasureArgument::Nothing),
    ("set_relative_P", MeasureArgument::Nothing),
    ("set_recall", MeasureArgument::Nothing),
    ("set_map", MeasureArgument::Nothing),
    ("set_F", MeasureArgument::Numbers),
    ("num_nonrel_judged_ret", MeasureArgument::Nothing),
    ("prefs_num_prefs_poss", MeasureArgument::Nothing),
    ("prefs_num_prefs_ful", MeasureArgument::Nothing),
    ("prefs_num_prefs_ful_ret", MeasureArgument::Nothing),
    ("prefs_simp", MeasureArgument::Nothing),
    ("prefs_pair", MeasureArgument::Nothing),
    ("prefs_avgjg", MeasureArgument::Nothing),
    ("prefs_avgjg_Rnonrel", MeasureArgument::Nothing),
    ("prefs_simp_ret", MeasureArgument::Nothing),
    ("prefs_pair_ret", MeasureArgument::Nothing),
    ("prefs_avgjg_ret", MeasureArgument::Nothing),
    ("prefs_avgjg_Rnonrel_ret", MeasureArgument::Nothing),
    ("prefs_simp_imp", MeasureArgument::Nothing),
    ("prefs_pair_imp", MeasureArgument::Nothing),
    ("prefs_avgjg_imp", MeasureArgument::Nothing),
    ("map_avgjg", MeasureArgument::Nothing),
    ("P_avgjg", RANKS),
    ("Rprec_mult_avgjg", MULTIPLES),
    ("rbp", MeasureArgument::Gains),
    ("rbp_resid", MeasureArgument::Nothing),
    ("err", MeasureArgument::Nothing),
    ("err_cut", RANKS),
    ("unj", MeasureArgument::Ranks(&[5, 10, 20])),
    ("judged", MeasureArgument::Ranks(&[5, 10, 20])),
];

const OFFICIAL: &str = "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank \
                        iprec_at_recall P";
const REST: &str = "relstring recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G ndcg \
                    ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P \
                    set_recall set_map set_F num_nonrel_judged_ret rbp rbp_resid unj";
const SET: &str = "runid num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P \
                   set_map set_F";
const PREFS: &str = "runid num_q prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret \
                     prefs_simp prefs_pair prefs_avgjg";
const PREFS_REST: &str = "prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret prefs_avgjg_ret \
                          prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp prefs_avgjg_imp";

/// Names for several measures at once.
pub const NICKNAMES: [(&str, [&str; 2]); 6] = [
    ("official", [OFFICIAL, ""]),
    ("all_trec", [OFFICIAL, REST]),
    ("set", [SET, ""]),
    ("prefs", [PREFS, ""]),
    ("all_prefs", [PREFS, PREFS_REST]),
    ("qrels_jg", ["runid num_q map_avgjg P_avgjg Rprec_mult_avgjg", ""]),
];

impl Columns {
    /// The columns of measures named as on the command line of trec_eval: `map`, `P.5,10`, `all_trec`.
    ///
    /// # Errors
    /// Names the measure that is unknown.
    pub fn named(names: &[&str]) -> Result<Columns, TrecEvalTrouble> {
        let mut wanted: Vec<Option<&str>> = vec![None; LISTING.len()];
        for &name in names {
            let several = NICKNAMES.iter().find(|(nickname, _)| *nickname == name);
            for name in
                several.into_iter().flat_map(|(_, [a, b])| [a, b]).flat_map(|s| s.split(' '))
            {
                if let Some(at) = LISTING.iter().position(|(known, _)| *known == name) {
                    wanted[at] = wanted[at].or(Some(""));
                }
            }
            if several.is_none() {
                let (at, numbers) =
                    one(name).ok_or_else(|| TrecEvalTrouble::Measure(name.to_owned()))?;
                wanted[at] = Some(numbers);
            }
        }
        let mut columns = Vec::new();
        for ((name, takes), numbers) in LISTING.iter().zip(wanted) {
            if let Some(numbers) = numbers {
                let unknown = || TrecEvalTrouble::Measure(format!("{name}.{numbers}"));
                columns.extend(expand(name, *takes, numbers).ok_or_else(unknown)?);
            }
        }
        Ok(Columns(columns))
    }
}

/// The place in the listing of `P`, `P.5,10` or `P_5`, and the numbers.
fn one(name: &str) -> Option<(usize, &str)> {
    let place = |name: &str| LISTING.iter().position(|(known, _)| *known == name);
    if let Some(at) = place(name) {
        return Some((at, ""));
    }
    let dotted = name.split_once('.').and_then(|(name, numbers)| Some((place(name)?, numbers)));
    dotted.or_else(|| {
        let (name, numbers) = name.rsplit_once('_')?;
        Some((place(name)?, numbers))
    })
}

/// The columns of a measure; None if it does not take such numbers.
fn expand(name: &'static str, takes: MeasureArgument, numbers: &str) -> Option<Vec<FigureColumn>> {
    let is_usual = numbers.is_empty();
    let whole = if is_usual { name.to_owned() } else { format!("{name}_{numbers}") };
    match takes {
        MeasureArgument::Nothing => is_usual.then(|| Some(vec![column(name, whole, name)?]))?,
        MeasureArgument::Ranks(usual) => {
            let ranks = sorted(numbers)?.into_iter().map(|rank| rank as usize);
            let ranks = if is_usual { usual.to_vec() } else { ranks.collect() };
            let named = ranks.iter().map(|rank| format!("{name}_{rank}"));
            named.map(|named| column(name, named.clone(), &named)).collect()
        }
        MeasureArgument::Points(usual) => {
            let points = if is_usual { usual.to_vec() } else { sorted(numbers)? };
            let named = |point: &f64| (format!("{name}_{point:.2}"), format!("{name}_{point}"));
            points.iter().map(named).map(|(named, asked)| column(name, named, &asked)).collect()
        }
        MeasureArgument::Numbers => {
            Some(vec![with_numbers(column(name, whole, name)?, &all(numbers)?)?])
        }
        MeasureArgument::Gains => Some(vec![with_gains(column(name, whole, name)?, numbers)?]),
    }
}

fn all(numbers: &str) -> Option<Vec<f64>> {
    let split = numbers.split(',').filter(|number| !number.is_empty());
    split.map(|number| number.parse().ok().filter(|number: &f64| number.is_finite())).collect()
}

fn sorted(numbers: &str) -> Option<Vec<f64>> {
    let mut numbers = all(numbers)?;
    numbers.sort_unstable_by(f64::total_cmp);
    Some(numbers)
}

/// The column of a measure that is printed under one name and asked for under another.
fn column(name: &'static str, printed: String, asked: &str) -> Option<FigureColumn> {
    let (source, mean, shown) = match name {
        "runid" => (FigureSource::Tag, Mean::Sum, FigureShown::All),
        "num_q" => (FigureSource::Queries, Mean::Sum, FigureShown::All),
        "relstring" => (FigureSource::Relevances(10), Mean::Sum, FigureShown::Query),
        _ if name.starts_with("prefs_") => {
            let is_count = name.starts_with("prefs_num_");
            let mean = if is_count { Mean::Sum } else { Mean::Arithmetic };
            (FigureSource::Preferences(name), mean, FigureShown::Both)
        }
        _ => {
            let mut asked = find(&asked.replacen("_avgjg", "", 1))?;
            asked.parameters.recall = RecallPoint::Nearest;
            let (mean, is_judges) = (asked.row.mean, name.ends_with("_avgjg"));
            let shown = if mean == Mean::Geometric { FigureShown::All } else { FigureShown::Both };
            let source =
                if is_judges { FigureSource::Judges(asked) } else { FigureSource::Ranking(asked) };
            (source, mean, shown)
        }
    };
    Some(FigureColumn { name: printed, source, mean, shown })
}

fn with_numbers(mut column: FigureColumn, numbers: &[f64]) -> Option<FigureColumn> {
    match (&mut column.source, numbers) {
        (_, []) => {}
        (FigureSource::Relevances(length), [given]) => *length = *given as usize,
        // trec_eval gives the square of beta.
        (FigureSource::Ranking(asked), [square]) if asked.row.name == "SetF" => {
            asked.parameters.numbers = vec![square.max(0.0).sqrt()];
        }
        (FigureSource::Ranking(asked), _) if [0, numbers.len()].contains(&asked.row.keys.len()) => {
            asked.parameters.numbers = numbers.to_vec();
        }
        _ => return None,
    }
    Some(column)
}

/// Takes `1=3,2=9`, and `p=0.8` where a measure knows it.
fn with_gains(mut column: FigureColumn, gains: &str) -> Option<FigureColumn> {
    let FigureSource::Ranking(asked) = &mut column.source else { return None };
    for pair in gains.split(',').filter(|pair| !pair.is_empty()) {
        let (grade, gain) = pair.split_once('=')?;
        let gain = gain.parse().ok().filter(|gain: &f64| gain.is_finite())?;
        match asked.row.keys.iter().position(|(key, _)| *key == grade) {
            Some(at) => asked.parameters.numbers[at] = gain,
            None => asked.parameters.gains.push((grade.parse().ok()?, gain)),
        }
    }
    Some(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_listing_and_every_nickname_is_known() {
        for (name, _) in LISTING {
            assert!(Columns::named(&[name]).is_ok(), "{name}");
        }
        for (name, several) in NICKNAMES {
            assert!(!Columns::named(&[name]).unwrap().0.is_empty(), "{name}");
            let names = several.iter().flat_map(|names| names.split(' ')).filter(|n| !n.is_empty());
            names.for_each(|name| assert!(LISTING.iter().any(|row| row.0 == name), "{name}"));
        }
    }

    #[test]
    fn columns_are_in_the_order_of_the_listing_and_numbers_are_sorted() {
        let check = |names: &[&str], expected: &[&str]| {
            let columns = Columns::named(names).unwrap();
            let found: Vec<_> = columns.0.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(found, expected);
        };
        check(&["P.5,7,3", "map"], &["map", "P_3", "P_5", "P_7"]);
        check(&["iprec_at_recall..5,.25"], &["iprec_at_recall_0.25", "iprec_at_recall_0.50"]);
        check(&["utility.2,-1,0,0"], &["utility_2,-1,0,0"]);
        check(
            &["ndcg_cut.10,23.4", "ndcg.1=3,2=9"],
            &["ndcg_1=3,2=9", "ndcg_cut_10", "ndcg_cut_23"],
        );
        check(&["P_10"], &["P_10"]);
        for unknown in
            ["nDCG@10", "P.x", "P.0", "map.5", "utility.1", "ndcg.1", "relstring.1,2", ""]
        {
            assert!(Columns::named(&[unknown]).is_err(), "{unknown}");
        }
    }
}
