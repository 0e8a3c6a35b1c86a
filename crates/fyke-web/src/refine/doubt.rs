//! How greedy to be with a page. If the chances of its blocks are right, its main text is found with the best F1 that
//! can be expected by taking every block whose chance is above half of that F1: what is certain where all is
//! certain, and more than what is likely where little is. So the odds of a doubtful page are raised.

use super::block::Block;

/// How far the odds are raised: twice as far as they would have to be if the chances were right. Chosen on sites that
/// the forest had not seen.
const GREED: f64 = 2.0;
/// Half of the F1 expected is taken to be within these bounds.
const LEAST: f64 = 0.05;
const MOST: f64 = 0.5;
/// Chances are gathered in so many steps.
const STEPS: usize = 64;

/// What is added to the odds (logarithms) of all blocks of a page.
pub(super) fn doubt(list: &[Block], odds: &[f64]) -> f64 {
    let least = (best_f1(list, odds) / 2.0).clamp(LEAST, MOST);
    GREED * ((1.0 - least) / least).ln()
}

/// The best F1 to be expected, over all lengths of the text taken: likely blocks first.
fn best_f1(list: &[Block], odds: &[f64]) -> f64 {
    // Words, and those of them that are content, as far as can be expected.
    let mut steps = [(0.0, 0.0); STEPS];
    for (block, odds) in list.iter().zip(odds) {
        let chance = 1.0 / (1.0 + (-odds).exp());
        let step = &mut steps[((chance * STEPS as f64) as usize).min(STEPS - 1)];
        let words = f64::from(block.words);
        *step = (step.0 + words, step.1 + words * chance);
    }
    let wanted: f64 = steps.iter().map(|step| step.1).sum();
    let (mut taken, mut right, mut best) = (0.0, 0.0, 0.0);
    for step in steps.iter().rev() {
        (taken, right) = (taken + step.0, right + step.1);
        best = f64::max(best, 2.0 * right / f64::max(taken + wanted, 1.0));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refine::blocks;

    /// What is added to the odds of a page whose blocks, ten words each, have these.
    fn raised(odds: &[f64]) -> f64 {
        let paragraph = format!("<p>{}</p>", "eel ".repeat(10));
        let page = blocks(&paragraph.repeat(odds.len()));
        assert_eq!(page.list.len(), odds.len());
        doubt(&page.list, odds)
    }

    #[test]
    fn a_page_told_apart_is_taken_as_it_is_and_a_doubtful_one_greedily() {
        assert!(raised(&[9.0, 9.0, -9.0, -9.0]) < 0.01);
        let (some, all) = (raised(&[1.0, 1.0, -1.0, -1.0]), raised(&[-2.0, -2.0, -2.0, -2.0]));
        assert!(0.5 < some && some < all, "{some} {all}");
    }

    #[test]
    fn the_chance_from_which_a_block_is_worth_taking_is_half_of_the_f1() {
        // All with a chance of 3/4: taken whole, precision 3/4 and recall 1 are expected, F1 6/7.
        let odds = 3.0_f64.ln();
        let least: f64 = 3.0 / 7.0;
        assert!((raised(&[odds; 4]) - GREED * ((1.0 - least) / least).ln()).abs() < 1e-9);
    }

    #[test]
    fn pages_without_text_and_odds_beyond_bounds_do_no_harm() {
        assert!(raised(&[]).is_finite());
        assert!(raised(&[f64::INFINITY, f64::NEG_INFINITY]).is_finite());
        assert!(raised(&[f64::NAN]).is_finite());
    }
}
