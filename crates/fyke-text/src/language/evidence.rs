//! More about rivals, from how frequent n-grams are in each of their languages elsewhere: shares of n-grams become weights
//! beside those that were learnt from samples. For languages of which there are lists but hardly texts.

use super::model::{self, LanguageModel, ModelParts};
use super::ngrams::{WHOLE, inner_key};
use super::rivals::{MARGIN, UNIT};
use super::table::NgramRows;
use std::collections::{BTreeMap, HashMap};

/// Letters of the n-grams that are taken: shorter ones are known from the samples.
const LENGTH: usize = 5;
/// The share below which an n-gram is as good as unseen.
const FLOOR: f64 = 1e-6;
/// What a list says counts so much. Chosen with the length by what every other news excerpt held out costs in bits.
const WEIGHT: f64 = 3.0;
/// N-grams kept of a group of rivals: those that tell most.
const KEPT: usize = 30_000;

/// How frequent n-grams are in a language.
#[derive(Clone, Debug, Default)]
pub struct NgramShares {
    pub code: String,
    /// By n-gram its share of those that are as long.
    pub shares: BTreeMap<String, f64>,
    /// What the language has before anything is read, above its rivals: a logarithm of odds for a text of one feature,
    /// less by the root of their number.
    pub before: f64,
}

impl LanguageModel {
    /// The file of this model with what the lists say of those groups of rivals all of whose languages have one.
    #[must_use]
    pub fn with_shares(&self, lists: &[NgramShares]) -> Vec<u8> {
        let mut parts = ModelParts {
            codes: self.codes.clone(),
            means: self.means.clone(),
            grams: self.grams.rows(),
            rivals: self.rivals.clone(),
            contrasts: self.contrasts.rows(),
            profiles: self.profiles.clone(),
        };
        let mut first = 0;
        for group in &self.rivals {
            let of_lane = |lane: &u8| {
                let code = &self.codes[usize::from(*lane)];
                lists.iter().find(|list| list.code == *code)
            };
            if let Some(lists) = group.iter().map(of_lane).collect::<Option<Vec<_>>>() {
                add(&mut parts.contrasts, first, &lists);
            }
            first += group.len();
        }
        model::write(&parts)
    }
}

/// What an n-gram tells, and how much.
struct Telling {
    worth: f64,
    key: u32,
    /// For each rival a weight, above that of the last.
    weights: Vec<f64>,
}

/// Adds to the weights of a group whose first lane this is.
fn add(rows: &mut NgramRows, first: usize, lists: &[&NgramShares]) {
    let grams = lists.iter().flat_map(|list| list.shares.keys());
    let mut telling: HashMap<u32, Telling> = HashMap::new();
    for gram in grams.filter(|gram| gram.chars().count() == LENGTH) {
        let key = inner_key(gram);
        telling.entry(key).or_insert_with(|| tell(key, gram, lists));
    }
    let mut telling: Vec<Telling> = telling.into_values().collect();
    telling.sort_unstable_by(|a, b| b.worth.total_cmp(&a.worth).then(a.key.cmp(&b.key)));
    telling.truncate(KEPT);
    let before: Vec<f64> = lists.iter().map(|list| list.before).collect();
    telling.push(Telling { worth: 0.0, key: WHOLE, weights: before });
    for Telling { key, weights, .. } in telling {
        let entries = rows.entry(key).or_default();
        for (class, weight) in weights.into_iter().enumerate() {
            add_weight(entries, (first + class) as u8, weight);
        }
        if entries.is_empty() {
            rows.remove(&key);
        }
    }
}

/// Adds to the weight of a lane, which is a number of eight bits with a sign.
fn add_weight(entries: &mut Vec<(u8, u8)>, lane: u8, weight: f64) {
    let place = entries.partition_point(|entry| entry.0 < lane);
    let own = entries.get_mut(place).filter(|entry| entry.0 == lane);
    let known = own.as_ref().map_or(0, |entry| entry.1 as i8);
    // A conversion of a float keeps to the range of the integer.
    let sum = (f64::from(known) + weight * f64::from(UNIT / MARGIN)).round() as i8;
    match own {
        Some(own) => own.1 = sum as u8,
        None if sum != 0 => entries.insert(place, (lane, sum as u8)),
        None => {}
    }
}

fn tell(key: u32, gram: &str, lists: &[&NgramShares]) -> Telling {
    let share = |list: &&NgramShares| list.shares.get(gram).copied().unwrap_or(0.0);
    let shares: Vec<f64> = lists.iter().map(share).collect();
    let logarithms: Vec<f64> = shares.iter().map(|share| (share + FLOOR).ln()).collect();
    let last = logarithms.last().copied().unwrap_or_default();
    let weights: Vec<f64> = logarithms.iter().map(|log| (log - last) * WEIGHT).collect();
    let (low, high) = weights.iter().fold((f64::MAX, f64::MIN), |(l, h), w| (l.min(*w), h.max(*w)));
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    Telling { worth: (high - low) * mean.sqrt(), key, weights }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{LanguageTrainer, Languages};

    #[test]
    fn what_no_sample_had_tells_rivals_by_a_list() {
        let group = ["x-a", "x-b"].map(str::to_owned).to_vec();
        let mut trainer = LanguageTrainer::new(vec![group]);
        for turn in 0..20 {
            let same = format!("mare vale {} domi rolo tane", "lote ".repeat(turn % 3));
            assert!(trainer.add("x-a", &format!("{same} tjedan blim")));
            assert!(trainer.add("x-b", &format!("{same} sedmica blam")));
        }
        let before = LanguageModel::read(trainer.finish()).unwrap();
        let list = |code: &str, grams: [&str; 2]| NgramShares {
            code: code.to_owned(),
            shares: grams.map(|gram| (gram.to_owned(), 0.01)).into(),
            before: 0.0,
        };
        let lists = [list("x-a", ["vlako", "domin"]), list("x-b", ["vozar", "domin"])];
        let after = LanguageModel::read(before.with_shares(&lists)).unwrap();
        let told = |text: &str| {
            let by = |model: &LanguageModel| {
                Languages::only(model.clone()).identify(text).code.to_owned()
            };
            [by(&before), by(&after)]
        };
        assert_eq!(told("mare vale vlako domi tane")[1], "x-a");
        assert_eq!(told("mare vale vozar domi tane")[1], "x-b");
        assert_eq!(told("mare vale domi tane sedmica blam"), ["x-b", "x-b"]);
        // What a language has before anything is read decides where nothing else does.
        for (more, expected) in [("x-a", "x-a"), ("x-b", "x-b")] {
            let mut lists = lists.clone();
            let own = lists.iter_mut().find(|list| list.code == more).unwrap();
            own.before = 40.0;
            let after = LanguageModel::read(before.with_shares(&lists)).unwrap();
            let languages = Languages::only(after);
            assert_eq!(languages.identify("mare vale domi rolo tane").code, expected);
        }
        // A list of one language alone says nothing of the group.
        assert_eq!(LanguageModel::read(before.with_shares(&lists[..1])), Ok(before));
    }
}
