//! The number of all pages by capture–recapture: the pages of one engine, whose number is known, are the first
//! sample; pages drawn from the other are the second, and those of them that the first has were seen before.
//! That holds only where the one engine says nothing of the other. So pages of the second sample are put into
//! classes, long and short, high and deep, of large and of small sites: where the first engine has plainly more of one class, and the second
//! too, both prefer the same pages, and there is no figure but a reason.

use super::{
    DrawnPage, EngineSide, NoSize, SizeBias, SizeEvidence, SizeFigure, SizeMethod, SizeQuantity,
};
use crate::capture::Samples;
use std::collections::BTreeMap;

/// A larger share of an engine's pages in the other is no sample of all pages.
const NESTED: f64 = 0.9;
/// Classes differ where chance would give such a difference in one of a hundred cases.
const DIFFERENT: f64 = 2.576;

pub(super) const CHAPMAN: SizeMethod = SizeMethod {
    name: "chapman",
    what: "all pages by capture-recapture: pages of a known engine found again among those of the other",
    quantity: SizeQuantity::Web,
    is_raw: false,
    biases: &[SizeBias::Dependence, SizeBias::Poor, SizeBias::Operation],
    estimate,
};

fn estimate(evidence: &SizeEvidence) -> Result<SizeFigure, NoSize> {
    let [first, second] = EngineSide::BOTH.map(|side| pages(evidence, side));
    if first.is_empty() || second.is_empty() {
        return Err(NoSize::NotAsked);
    }
    let (known, drawn) = match evidence.known {
        [Some(known), _] => (known, &second),
        [None, Some(known)] => (known, &first),
        [None, None] => return Err(NoSize::SizeUnknown),
    };
    // Where one holds nearly all of the other, nothing tells of pages that neither has.
    if [&first, &second].iter().any(|pages| is_nested(pages)) {
        return Err(NoSize::Dependent);
    }
    // How many pages of its site were drawn tells how large a site is.
    let mut sites: BTreeMap<u64, u32> = BTreeMap::new();
    first.iter().chain(&second).for_each(|page| *sites.entry(page.site).or_default() += 1);
    let classes: [&dyn Fn(&DrawnPage) -> u32; 3] =
        [&|page| page.length, &|page| page.depth, &|page| sites[&page.site]];
    if classes.iter().any(|class| prefer_alike(&first, &second, class)) {
        return Err(NoSize::Dependent);
    }
    // Weighted, as many pages as the weights are worth.
    let WeightSums { all: sum, squares, found } = WeightSums::of(drawn);
    let worth = sum * sum / squares;
    let samples = Samples {
        first: known,
        second: worth.round() as u64,
        both: (worth * found / sum).round() as u64,
    };
    let estimate = samples.estimate().map_err(NoSize::Capture)?;
    Ok(SizeFigure {
        value: estimate.number,
        interval: estimate.interval,
        bootstrap: None,
        number: drawn.len(),
    })
}

fn pages(evidence: &SizeEvidence, side: EngineSide) -> Vec<DrawnPage> {
    let whole = evidence.from(side).iter().filter(|query| !query.is_cut);
    whole.filter_map(|query| query.page).collect()
}

/// The sums of weights, of their squares, and of the weights of pages that the other engine has.
#[derive(Default)]
struct WeightSums {
    all: f64,
    squares: f64,
    found: f64,
}

impl WeightSums {
    fn of(pages: &[DrawnPage]) -> WeightSums {
        let mut sums = WeightSums::default();
        for page in pages {
            sums.all += page.weight;
            sums.squares += page.weight * page.weight;
            sums.found += if page.other.counts(&[]) { page.weight } else { 0.0 };
        }
        sums
    }
}

fn is_nested(pages: &[DrawnPage]) -> bool {
    let sums = WeightSums::of(pages);
    sums.found > NESTED * sums.all
}

/// Whether each engine has plainly more of the other's pages on one side of a class, and on the same.
fn prefer_alike(
    first: &[DrawnPage],
    second: &[DrawnPage],
    class: &dyn Fn(&DrawnPage) -> u32,
) -> bool {
    let mut all: Vec<u32> = first.iter().chain(second).map(class).collect();
    all.sort_unstable();
    let middle = all[all.len() / 2];
    let leaning = |pages: &[DrawnPage]| leaning(pages, |page| class(page) < middle);
    let (one, two) = (leaning(first), leaning(second));
    one * two > 0.0 && one.abs().max(two.abs()) > DIFFERENT
}

/// How many standard errors the share of pages that the other engine has differs between two classes.
fn leaning(pages: &[DrawnPage], is_low: impl Fn(&DrawnPage) -> bool) -> f64 {
    let (low, high): (Vec<DrawnPage>, Vec<DrawnPage>) = pages.iter().partition(|page| is_low(page));
    let share = |pages: &[DrawnPage]| {
        let WeightSums { all: sum, squares, found } = WeightSums::of(pages);
        let (share, worth) = (found / sum, sum * sum / squares);
        (share, share * (1.0 - share) / worth)
    };
    if low.len() < 5 || high.len() < 5 {
        return 0.0;
    }
    let ((low, low_variance), (high, high_variance)) = (share(&low), share(&high));
    let error = (low_variance + high_variance).sqrt();
    if error > 0.0 { (low - high) / error } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::{DrawnQuery, Presence};
    use super::*;
    use crate::terms::Dice;

    /// 100 pages of an engine; the other has those of some length with some chance.
    fn drawn(dice: &mut Dice, chance: fn(u32) -> f64) -> Vec<DrawnQuery> {
        (0..200_u32)
            .map(|at| {
                let length = 50 + at;
                let is_there = dice.share() < chance(length);
                let other = if is_there { Presence::Url } else { Presence::Missing };
                let home = Presence::Url;
                let page = DrawnPage { weight: 1.0, home, other, length, depth: at % 4, site: 0 };
                DrawnQuery { is_cut: false, page: Some(page) }
            })
            .collect()
    }

    #[test]
    fn independent_engines_give_the_number_of_all_pages_and_dependent_ones_a_reason() {
        let mut dice = Dice::new(11);
        let mut evidence = |chance| SizeEvidence {
            from_first: drawn(&mut dice, chance),
            from_second: drawn(&mut dice, chance),
            known: [Some(500), None],
            ..SizeEvidence::default()
        };
        // Half of everything is in A: there are 1,000.
        let figure = estimate(&evidence(|_| 0.5)).expect("a figure");
        assert!(figure.interval.0 < 1_000.0 && 1_000.0 < figure.interval.1, "{figure:?}");
        let prefers_long = |length| if length > 150 { 0.8 } else { 0.2 };
        assert_eq!(estimate(&evidence(prefers_long)).err(), Some(NoSize::Dependent));
        assert_eq!(estimate(&evidence(|_| 0.97)).err(), Some(NoSize::Dependent));
        let unknown = SizeEvidence { known: [None, None], ..evidence(|_| 0.5) };
        assert_eq!(estimate(&unknown).err(), Some(NoSize::SizeUnknown));
    }
}
