//! The chance that a block is content: symmetric trees, boosted. Every level of a tree asks one
//! question of the block's features, and the row of answers is an index into the tree's table; the
//! sum over all trees, by the logistic function, is the chance. Trained by
//! `examples/train_blocks` on pages whose main text is known; the trees stand in a data file, one a
//! line: questions (feature, least value for yes), a bar, answers in thousandths.

use super::feature::FEATURES;
use std::sync::LazyLock;

struct Tree {
    questions: Vec<(usize, f32)>,
    answers: Vec<f32>,
}

static FOREST: LazyLock<Vec<Tree>> =
    LazyLock::new(|| include_str!("../../data/blocks.txt").lines().filter_map(tree).collect());

fn tree(line: &str) -> Option<Tree> {
    let (questions, answers) = line.split_once('|')?;
    let mut words = questions.split_whitespace();
    let mut questions = Vec::new();
    while let (Some(feature), Some(least)) = (words.next(), words.next()) {
        let feature = feature.parse().ok().filter(|feature| *feature < FEATURES)?;
        questions.push((feature, least.parse().ok()?));
    }
    let answers: Vec<f32> = answers
        .split_whitespace()
        .filter_map(|word| Some(word.parse::<f32>().ok()? / 1000.0))
        .collect();
    (answers.len() == 1 << questions.len()).then_some(Tree { questions, answers })
}

/// How much speaks for content: the logarithm of the odds.
pub(super) fn odds(features: &[f32; FEATURES]) -> f64 {
    let ask = |leaf: usize, &(feature, least): &(usize, f32)| {
        2 * leaf + usize::from(features[feature] >= least)
    };
    let answer = |tree: &Tree| tree.answers[tree.questions.iter().fold(0, ask)];
    f64::from(FOREST.iter().map(answer).sum::<f32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_tree() {
        let lines = include_str!("../../data/blocks.txt").lines().count();
        assert!(lines >= 20);
        assert_eq!(FOREST.len(), lines);
    }

    #[test]
    fn a_line_that_is_no_tree_is_refused() {
        let check = |line: &str, is_tree: bool| assert_eq!(tree(line).is_some(), is_tree, "{line}");
        check("0 1.5 | 100 -20", true);
        check("0 1.5 3 0.25 | 1 2 3 4", true);
        check("0 1.5 | 100", false);
        check("9999 1.5 | 100 -20", false);
        check("", false);
    }
}
