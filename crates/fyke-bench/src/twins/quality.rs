//! Precision and recall of every method against pairs whose exact Jaccard coefficient is 0.8 or more.

use super::texts::TwinSet;
use super::{BenchReport, NEAR, figure};
use fyke_text::sketch::{
    HashedText, SKETCHES, SketchMethod, SketchPair, doubt, jaccard, pairs, shingle_set, sketch,
};
use std::collections::HashSet;

type TwinPairs = HashSet<(usize, usize)>;

/// Adds the figures of a set: all pairs by every method, and as fyke finds them.
pub(crate) fn measure(report: &mut BenchReport, set: &TwinSet) {
    let [truth, methods @ ..] = SKETCHES else { return };
    let exact = by_method(truth, &set.texts);
    report.figures.push(figure(&[set.name, "texts"], set.texts.len() as f64));
    report.figures.push(figure(&[set.name, "near_pairs"], exact.len() as f64));
    for method in methods {
        rate(report, &[set.name, method.name], &exact, &by_method(method, &set.texts));
    }
    rate(report, &[set.name, "fyke"], &exact, &by_bands(&set.texts));
}

fn rate(report: &mut BenchReport, name: &[&str], exact: &TwinPairs, found: &TwinPairs) {
    let right = exact.intersection(found).count() as f64;
    let share = |of: usize| if of == 0 { 1.0 } else { right / of as f64 };
    report.figures.push(figure(&[name, &["precision"]].concat(), share(found.len())));
    report.figures.push(figure(&[name, &["recall"]].concat(), share(exact.len())));
}

/// The pairs that a method calls near, all compared with all.
fn by_method(method: &SketchMethod, texts: &[String]) -> TwinPairs {
    let kept: Vec<Vec<u64>> =
        texts.iter().map(|text| (method.make)(&HashedText::read(text))).collect();
    let least = (method.least)(NEAR);
    let near = |a: usize, b: usize| (method.compare)(&kept[a], &kept[b]) >= least;
    let later = |a: usize| (a + 1..kept.len()).map(move |b| (a, b));
    (0..kept.len()).flat_map(later).filter(|&(a, b)| near(a, b)).collect()
}

/// The pairs that fyke finds: bands of sketches, and the exact coefficient where they leave a doubt.
fn by_bands(texts: &[String]) -> TwinPairs {
    let sketches: Vec<_> = texts.iter().map(|text| sketch(text)).collect();
    let places: Vec<&[u8]> = sketches.iter().map(|sketch| &sketch.0[..]).collect();
    let set = |at: usize| shingle_set(&HashedText::read(&texts[at]).words);
    let is_near = |pair: &SketchPair| {
        pair.resemblance >= NEAR + doubt(NEAR)
            || jaccard(&set(pair.first), &set(pair.second)) >= NEAR
    };
    let near = pairs(&places, NEAR).into_iter().filter(is_near);
    near.map(|pair| (pair.first, pair.second)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twins::mutate::mutations;

    #[test]
    fn near_copies_made_on_purpose_keep_above_the_gates() {
        let gates = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gates.toml");
        let gates: toml::Table = std::fs::read_to_string(gates).unwrap().parse().unwrap();
        let article = |n: usize| (0..300).map(|w| format!("w{} ", n * 1_000 + w)).collect();
        let texts = mutations(&(0..120).map(article).collect::<Vec<String>>(), 120);
        let mut report = BenchReport::default();
        measure(&mut report, &TwinSet { name: "mutations", texts });
        let value = |name: &str| {
            report.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value)
        };
        let least = gates["twins"]["least"].as_table().unwrap();
        assert!(least.len() >= 5, "the gates are gone");
        for (name, floor) in least {
            let floor = floor.as_float().or(floor.as_integer().map(|n| n as f64)).unwrap();
            let reached = value(&format!("mutations_{name}")).expect("a figure of that name");
            assert!(reached >= floor, "{name} {reached} fell below {floor}: {:?}", report.figures);
        }
    }
}
