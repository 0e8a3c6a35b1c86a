//! Names of measures as they are asked for: `P(rel=2)@10` in the spelling of ir_measures, `P_10` in
//! that of trec_eval.

use super::{Cutoff, MEASURES, Measure, Parameters, RecallPoint};

/// A measure as it was asked for.
#[derive(Clone, Debug)]
pub struct MeasureName {
    /// Its row.
    pub row: &'static Measure,
    /// The grade from which a document is relevant, if it was named.
    pub level: Option<i32>,
    /// What else was named, or is usual.
    pub parameters: Parameters,
}

impl MeasureName {
    /// The measure without a cut and with its usual numbers.
    #[must_use]
    pub fn usual(row: &'static Measure) -> MeasureName {
        let numbers = row.keys.iter().map(|(_, usual)| *usual).collect();
        let parameters = Parameters {
            cut: usize::MAX,
            numbers,
            gains: Vec::new(),
            recall: RecallPoint::Reached,
        };
        MeasureName { row, level: None, parameters }
    }

    fn with(mut self, number: &str) -> Option<MeasureName> {
        match self.row.at {
            Cutoff::Nothing => return None,
            Cutoff::Number => self.parameters.numbers = vec![finite(number)?],
            Cutoff::Rank | Cutoff::MaybeRank => {
                self.parameters.cut = number.parse().ok().filter(|&cut| cut > 0)?;
            }
        }
        Some(self)
    }

    /// Takes `rel=2,p=0.8`.
    fn with_keys(mut self, keys: &str) -> Option<MeasureName> {
        for pair in keys.split(',') {
            let (key, value) = pair.split_once('=')?;
            let (key, value) = (key.trim(), value.trim());
            if key == "rel" {
                self.level = Some(value.parse().ok()?);
            } else {
                let place = self.row.keys.iter().position(|(known, _)| *known == key)?;
                self.parameters.numbers[place] = finite(value)?;
            }
        }
        Some(self)
    }
}

fn finite(number: &str) -> Option<f64> {
    number.parse().ok().filter(|number: &f64| number.is_finite())
}

/// What a name in either spelling means.
#[must_use]
pub fn find(name: &str) -> Option<MeasureName> {
    MEASURES.iter().find_map(|row| ours(row, name).or_else(|| trecs(row, name)))
}

fn ours(row: &'static Measure, name: &str) -> Option<MeasureName> {
    let mut rest = name.strip_prefix(row.name)?;
    let mut asked = MeasureName::usual(row);
    if let Some(inside) = rest.strip_prefix('(') {
        let (keys, behind) = inside.split_once(')')?;
        asked = asked.with_keys(keys)?;
        rest = behind;
    }
    match rest.strip_prefix('@') {
        Some(number) => asked.with(number),
        None => (rest.is_empty() && is_whole(row)).then_some(asked),
    }
}

fn trecs(row: &'static Measure, name: &str) -> Option<MeasureName> {
    let [whole, before] = row.trec;
    if !whole.is_empty() && name == whole {
        return Some(MeasureName::usual(row));
    }
    let number = name.strip_prefix(before).filter(|_| !before.is_empty())?.strip_prefix('_')?;
    MeasureName::usual(row).with(number)
}

fn is_whole(row: &Measure) -> bool {
    matches!(row.at, Cutoff::Nothing | Cutoff::MaybeRank)
}
