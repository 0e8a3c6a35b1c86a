//! Gradient boosting of symmetric trees: every level of a tree asks one question of all blocks, so
//! a tree is a short list of questions and a table of answers. Each tree sees a part of the features, which is
//! quicker and keeps the trees from agreeing too soon.

use fyke_web::FEATURES;
use std::fmt;

/// Steps into which the values of a feature are cut.
const BINS: usize = 32;

/// A block.
pub struct Sample {
    pub features: [f32; FEATURES],
    pub content: bool,
    pub weight: f32,
}

pub struct Settings {
    pub trees: usize,
    pub depth: usize,
    /// How much of each step is taken.
    pub rate: f32,
    /// Weight with which an answer is pulled to 0.
    pub pull: f32,
    /// Share of the features that a tree may ask about.
    pub share: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { trees: 140, depth: 6, rate: 0.13, pull: 1.0, share: 0.4 }
    }
}

/// Questions (feature, least value for yes) and the answers by their bits.
struct Tree {
    questions: Vec<(usize, f32)>,
    answers: Vec<f32>,
}

pub struct Forest {
    trees: Vec<Tree>,
}

impl Forest {
    /// The logarithm of the odds that a block is content.
    pub fn odds(&self, features: &[f32; FEATURES]) -> f64 {
        self.trees.iter().map(|tree| f64::from(tree.answers[tree.leaf(features)])).sum()
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

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// First and second derivative of the loss.
type Slope = (f32, f32);

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
    let mut dice = Dice(7);
    for _ in 0..settings.trees {
        let slopes: Vec<Slope> = samples.iter().zip(&sums).map(slope).collect();
        let asked: Vec<usize> = (0..FEATURES).filter(|_| dice.next() < settings.share).collect();
        let (tree, leaves) = grow(&slopes, &asked, (&bins, &cuts), settings);
        for (sum, leaf) in sums.iter_mut().zip(leaves) {
            *sum += tree.answers[usize::from(leaf)];
        }
        trees.push(tree);
    }
    Forest { trees }
}

/// The derivatives at the present sum.
fn slope((sample, sum): (&Sample, &f32)) -> Slope {
    let chance = 1.0 / (1.0 + (-sum).exp());
    let wanted = f32::from(u8::from(sample.content));
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

/// A tree over the features asked, and the leaf of every block.
fn grow(
    slopes: &[Slope],
    asked: &[usize],
    (bins, cuts): (&[Vec<u8>], &[Vec<f32>]),
    settings: &Settings,
) -> (Tree, Vec<u8>) {
    let mut leaves = vec![0_u8; slopes.len()];
    let mut questions = Vec::new();
    for depth in 0..settings.depth {
        let gain = |&feature: &usize| {
            let table =
                CutTable { leaves: 1 << depth, cuts: cuts[feature].len(), pull: settings.pull };
            best_cut(slopes, &leaves, &bins[feature], &table)
                .map(|(gain, cut)| (gain, feature, cut))
        };
        let best = asked.iter().filter_map(gain).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, feature, cut)) = best else { break };
        questions.push((feature, cuts[feature][cut]));
        for (leaf, bin) in leaves.iter_mut().zip(&bins[feature]) {
            *leaf = 2 * *leaf + u8::from(usize::from(*bin) > cut);
        }
    }
    let mut totals = vec![(0.0_f32, 0.0_f32); 1 << questions.len()];
    for (leaf, slope) in leaves.iter().zip(slopes) {
        totals[usize::from(*leaf)].0 += slope.0;
        totals[usize::from(*leaf)].1 += slope.1;
    }
    let answer = |&(first, second): &Slope| settings.rate * first / (second + settings.pull);
    (Tree { questions, answers: totals.iter().map(answer).collect() }, leaves)
}

/// How large the table of gains is, and how hard answers are pulled to zero.
struct CutTable {
    leaves: usize,
    cuts: usize,
    pull: f32,
}

/// The cut of a feature that gains most when every leaf is split by it.
fn best_cut(
    slopes: &[Slope],
    leaves: &[u8],
    bins: &[u8],
    &CutTable { leaves: leaf_count, cuts: cut_count, pull }: &CutTable,
) -> Option<(f32, usize)> {
    let mut table = vec![[(0.0_f32, 0.0_f32); BINS + 1]; leaf_count];
    for ((leaf, bin), slope) in leaves.iter().zip(bins).zip(slopes) {
        let cell = &mut table[usize::from(*leaf)][usize::from(*bin)];
        cell.0 += slope.0;
        cell.1 += slope.1;
    }
    let score = |(first, second): Slope| first * first / (second + pull);
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
    let best = (0..cut_count).max_by(|&a, &b| f32::total_cmp(&gains[a], &gains[b]))?;
    Some((gains[best], best))
}
