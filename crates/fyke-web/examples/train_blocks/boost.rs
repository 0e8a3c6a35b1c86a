//! Gradient boosting of symmetric trees: every level of a tree asks one question of all blocks, so
//! a tree is a short list of questions and a table of answers.

use fyke_web::FEATURES;
use std::fmt;

/// Steps into which the values of a feature are cut.
const BINS: usize = 32;

/// A block.
pub struct Sample {
    pub features: [f32; FEATURES],
    pub content: bool,
    pub weight: f64,
}

pub struct Settings {
    pub trees: usize,
    pub depth: usize,
    /// How much of each step is taken.
    pub rate: f64,
    /// Weight with which an answer is pulled to 0.
    pub pull: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { trees: 60, depth: 5, rate: 0.2, pull: 0.5 }
    }
}

/// Questions (feature, least value for yes) and the answers by their bits.
struct Tree {
    questions: Vec<(usize, f32)>,
    answers: Vec<f64>,
}

pub struct Forest {
    trees: Vec<Tree>,
}

impl Forest {
    /// The logarithm of the odds that a block is content.
    pub fn odds(&self, features: &[f32; FEATURES]) -> f64 {
        self.trees.iter().map(|tree| tree.answers[tree.leaf(features)]).sum()
    }
}

impl Tree {
    fn leaf(&self, features: &[f32; FEATURES]) -> usize {
        let ask = |leaf, &(feature, least): &(usize, f32)| {
            2 * leaf + usize::from(features[feature] >= least)
        };
        self.questions.iter().fold(0, ask)
    }
}

/// Answers in thousandths.
impl fmt::Display for Forest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for tree in &self.trees {
            for (feature, least) in &tree.questions {
                write!(f, "{feature} {least} ")?;
            }
            write!(f, "|")?;
            for answer in &tree.answers {
                write!(f, " {}", (answer * 1000.0).round())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

pub fn train(samples: &[Sample], settings: &Settings) -> Forest {
    let cuts: Vec<Vec<f32>> = (0..FEATURES).map(|feature| cuts(samples, feature)).collect();
    let bins: Vec<Vec<u8>> = (0..FEATURES)
        .map(|feature| {
            let cuts = &cuts[feature];
            let bin = |s: &Sample| cuts.partition_point(|c| *c <= s.features[feature]) as u8;
            samples.iter().map(bin).collect()
        })
        .collect();
    let mut sums = vec![0.0; samples.len()];
    let mut trees = Vec::new();
    for _ in 0..settings.trees {
        let steps: Vec<(f64, f64)> = samples.iter().zip(&sums).map(step).collect();
        let tree = grow(&steps, &bins, &cuts, settings);
        for (sum, sample) in sums.iter_mut().zip(samples) {
            *sum += tree.answers[tree.leaf(&sample.features)];
        }
        trees.push(tree);
    }
    Forest { trees }
}

/// First and second derivative of the loss at the present sum.
fn step((sample, sum): (&Sample, &f64)) -> (f64, f64) {
    let chance = 1.0 / (1.0 + (-sum).exp());
    let wanted = f64::from(u8::from(sample.content));
    (sample.weight * (wanted - chance), sample.weight * chance * (1.0 - chance))
}

/// Values at which a feature is cut: as many blocks on each step as can be.
fn cuts(samples: &[Sample], feature: usize) -> Vec<f32> {
    let mut values: Vec<f32> = samples.iter().map(|sample| sample.features[feature]).collect();
    values.sort_unstable_by(f32::total_cmp);
    let mut cuts: Vec<f32> =
        (1..BINS).filter_map(|n| values.get(n * values.len() / BINS).copied()).collect();
    cuts.dedup();
    let least = values.first().copied().unwrap_or(0.0);
    // Rare flags fall between the steps.
    let most = values.last().copied().unwrap_or(0.0);
    if cuts.last() != Some(&most) {
        cuts.push(most);
    }
    cuts.retain(|cut| *cut > least);
    cuts
}

fn grow(steps: &[(f64, f64)], bins: &[Vec<u8>], cuts: &[Vec<f32>], settings: &Settings) -> Tree {
    let mut leaves = vec![0_usize; steps.len()];
    let mut questions = Vec::new();
    for depth in 0..settings.depth {
        let gain = |feature: usize| {
            best_cut(
                steps,
                &leaves,
                &bins[feature],
                (1 << depth, cuts[feature].len(), settings.pull),
            )
        };
        let best = (0..FEATURES)
            .filter_map(|feature| gain(feature).map(|(gain, cut)| (gain, feature, cut)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, feature, cut)) = best else { break };
        questions.push((feature, cuts[feature][cut]));
        for (leaf, bin) in leaves.iter_mut().zip(&bins[feature]) {
            *leaf = 2 * *leaf + usize::from(usize::from(*bin) > cut);
        }
    }
    let mut totals = vec![(0.0, 0.0); 1 << questions.len()];
    for (leaf, step) in leaves.iter().zip(steps) {
        totals[*leaf].0 += step.0;
        totals[*leaf].1 += step.1;
    }
    let answer = |&(first, second): &(f64, f64)| settings.rate * first / (second + settings.pull);
    Tree { questions, answers: totals.iter().map(answer).collect() }
}

/// The cut of a feature that gains most when every leaf is split by it.
fn best_cut(
    steps: &[(f64, f64)],
    leaves: &[usize],
    bins: &[u8],
    (leaf_count, cut_count, pull): (usize, usize, f64),
) -> Option<(f64, usize)> {
    let mut table = vec![[(0.0, 0.0); BINS + 1]; leaf_count];
    for ((leaf, bin), step) in leaves.iter().zip(bins).zip(steps) {
        let cell = &mut table[*leaf][usize::from(*bin)];
        cell.0 += step.0;
        cell.1 += step.1;
    }
    let score = |(first, second): (f64, f64)| first * first / (second + pull);
    let mut gains = vec![0.0; cut_count];
    for row in &table {
        let all = row.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
        let mut left = (0.0, 0.0);
        for (gain, cell) in gains.iter_mut().zip(row) {
            left = (left.0 + cell.0, left.1 + cell.1);
            let right = (all.0 - left.0, all.1 - left.1);
            *gain += score(left) + score(right) - score(all);
        }
    }
    let best = (0..cut_count).max_by(|&a, &b| f64::total_cmp(&gains[a], &gains[b]))?;
    Some((gains[best], best))
}
