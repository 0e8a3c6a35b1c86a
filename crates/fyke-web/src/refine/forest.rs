//! The chance that a block is content: symmetric trees, boosted. Every level of a tree asks one
//! question of the block's features, and the row of answers is an index into the tree's table; the
//! sum over all trees, by the logistic function, is the chance. Trained by
//! `examples/train_blocks` on pages whose main text is known; the trees stand in a data file, one a
//! line: questions (feature, least value for yes), a bar, answers in thousandths.

use super::feature::FEATURES;
use std::sync::LazyLock;

struct DecisionTree {
    questions: Vec<(usize, f32)>,
    answers: Vec<f32>,
}

static FOREST: LazyLock<Vec<DecisionTree>> =
    LazyLock::new(|| include_str!("../../data/blocks.txt").lines().filter_map(tree).collect());

fn tree(line: &str) -> Option<DecisionTree> {
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
    (answers.len() == 1 << questions.len()).then_some(DecisionTree { questions, answers })
}

/// Blocks that are asked together.
const TOGETHER: usize = 16;

/// How much speaks for each block's being content: the logarithm of the odds.
pub(super) fn odds(blocks: &[[f32; FEATURES]]) -> Vec<f64> {
    let mut all = Vec::with_capacity(blocks.len());
    // A row a feature: a question looks at all blocks of a row at once.
    let mut rows = [[0.0; TOGETHER]; FEATURES];
    for some in blocks.chunks(TOGETHER) {
        for (place, block) in some.iter().enumerate() {
            rows.iter_mut().zip(block).for_each(|(row, value)| row[place] = *value);
        }
        let sums = sums(&rows);
        all.extend(sums[..some.len()].iter().map(|sum| f64::from(*sum)));
    }
    all
}

fn sums(rows: &[[f32; TOGETHER]; FEATURES]) -> [f32; TOGETHER] {
    let mut sums = [0.0; TOGETHER];
    for tree in FOREST.iter() {
        let mut leaves = [0_u32; TOGETHER];
        for &(feature, least) in &tree.questions {
            let answers = leaves.iter_mut().zip(&rows[feature]);
            answers.for_each(|(leaf, value)| *leaf = 2 * *leaf + u32::from(*value >= least));
        }
        let found = sums.iter_mut().zip(leaves);
        found.for_each(|(sum, leaf)| *sum += tree.answers[leaf as usize]);
    }
    sums
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
    fn blocks_asked_together_get_the_answers_of_each_alone() {
        let value = |block: usize, feature: usize| ((block * 31 + feature * 7) % 23) as f32 / 5.0;
        let block = |block: usize| std::array::from_fn(|feature| value(block, feature));
        let blocks: Vec<[f32; FEATURES]> = (0..2 * TOGETHER + 3).map(block).collect();
        let alone = |features: &[f32; FEATURES]| {
            let ask = |leaf: usize, &(feature, least): &(usize, f32)| {
                2 * leaf + usize::from(features[feature] >= least)
            };
            let answer = |tree: &DecisionTree| tree.answers[tree.questions.iter().fold(0, ask)];
            f64::from(FOREST.iter().map(answer).sum::<f32>())
        };
        assert_eq!(odds(&blocks), blocks.iter().map(alone).collect::<Vec<_>>());
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
