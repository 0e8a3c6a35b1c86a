//! Training: the likelihood of the right sequences is climbed one sequence at a time, each weight with
//! steps that shrink as it has been moved (AdaGrad). How far the model is from the truth at each place
//! is found by the forward-backward algorithm.

use super::Chain;
use crate::shuffle::shuffle;

/// A sequence of which the states are known.
#[derive(Clone, Debug, Default)]
pub struct StateSequence {
    /// At each place the numbers of the features that are seen.
    pub features: Vec<Vec<u32>>,
    /// At each place the state.
    pub states: Vec<usize>,
    /// Before each place the kind of joint: which state follows which may depend on it. Shorter: the first kind.
    pub joints: Vec<u8>,
}

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct ChainOptions {
    /// How many states and features there are.
    pub states: usize,
    /// How many kinds of joints there are, one at least.
    pub joints: usize,
    /// Features have numbers below this one.
    pub features: usize,
    /// How often all sequences are gone through.
    pub rounds: usize,
    /// Length of the first steps.
    pub step: f32,
    /// How strongly weights are held near zero.
    pub shrink: f32,
    /// Decides in which order the sequences come.
    pub seed: u64,
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Trained {
    /// Which state follows which.
    pub chain: Chain,
    /// What each feature says for each state, feature by feature.
    pub weights: Vec<f32>,
    /// How far each weight has been moved, squared.
    moved: Vec<f32>,
    moved_chain: Vec<f32>,
}

/// Squares of movements begin here, so that the first step is no leap.
const STILL: f32 = 1e-4;
/// Differences from the truth that are not worth a step.
const NEGLIGIBLE: f32 = 1e-4;

/// Learns weights from sequences. Their features and states must be below the options' numbers.
#[must_use]
pub fn train(sequences: &[StateSequence], options: &ChainOptions) -> Trained {
    let chain = Chain::new(options.states, options.joints.max(1));
    let mut trained = Trained {
        moved_chain: vec![STILL; chain.weights.len()],
        chain,
        weights: vec![0.0; options.features * options.states],
        moved: vec![STILL; options.features * options.states],
    };
    trained.go_on(sequences, options);
    trained
}

impl Trained {
    /// Goes through sequences so many rounds more, as after some features were taken out of them.
    pub fn go_on(&mut self, sequences: &[StateSequence], options: &ChainOptions) {
        let mut order: Vec<usize> = (0..sequences.len()).collect();
        let mut random = options.seed;
        for _ in 0..options.rounds {
            shuffle(&mut order, &mut random);
            for &at in &order {
                self.learn(&sequences[at], options);
            }
        }
    }

    /// What each state weighs at each place of a sequence.
    #[must_use]
    pub fn seen(&self, features: &[Vec<u32>]) -> Vec<f32> {
        let states = self.chain.states();
        let mut seen = vec![0.0; features.len() * states];
        for (sums, features) in seen.chunks_exact_mut(states).zip(features) {
            for &feature in features {
                let weights = &self.weights[feature as usize * states..][..states];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        seen
    }

    /// One step towards the truth of one sequence.
    fn learn(&mut self, sequence: &StateSequence, options: &ChainOptions) {
        let states = options.states;
        if sequence.states.is_empty() {
            return;
        }
        let beliefs = Beliefs::of(&self.chain, &self.seen(&sequence.features), &sequence.joints);
        for (place, &truth) in sequence.states.iter().enumerate() {
            for state in 0..states {
                let wrong = f32::from(u8::from(state == truth)) - beliefs.at(place, state);
                if wrong.abs() < NEGLIGIBLE {
                    continue;
                }
                for &feature in &sequence.features[place] {
                    let at = feature as usize * states + state;
                    let pull = wrong - options.shrink * self.weights[at];
                    self.weights[at] += step(&mut self.moved[at], pull, options.step);
                }
            }
        }
        let pulls = beliefs.pulls(&self.chain, &sequence.states);
        for (at, pull) in pulls.into_iter().enumerate() {
            self.chain.weights[at] += step(&mut self.moved_chain[at], pull, options.step);
        }
    }
}

fn step(moved: &mut f32, pull: f32, length: f32) -> f32 {
    *moved += pull * pull;
    length * pull / moved.sqrt()
}

/// What a model believes of the states of one sequence.
#[derive(Default)]
struct Beliefs {
    states: usize,
    /// For each place where the weights of its joint begin.
    joints: Vec<usize>,
    /// Probabilities up to a factor: of what is seen at a place, of all up to it, of all behind it.
    here: Vec<f32>,
    up_to: Vec<f32>,
    behind: Vec<f32>,
    /// What the sums up to a place were divided by.
    scales: Vec<f32>,
    /// Exponentials of the chain's weights.
    follow: Vec<f32>,
}

impl Beliefs {
    /// The forward-backward algorithm, scaled at each place.
    fn of(chain: &Chain, seen: &[f32], joints: &[u8]) -> Beliefs {
        let states = chain.states();
        let follow: Vec<f32> = chain.weights.iter().map(|weight| weight.exp()).collect();
        let mut here = Vec::with_capacity(seen.len());
        for place in seen.chunks_exact(states) {
            let most = place.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            here.extend(place.iter().map(|weight| (weight - most).exp()));
        }
        let places = 0..seen.len() / states;
        let joints = places.map(|place| chain.joint(joints, place) * states * states).collect();
        let mut beliefs = Beliefs { states, joints, here, follow, ..Beliefs::default() };
        (beliefs.up_to, beliefs.scales) = beliefs.forward();
        beliefs.behind = beliefs.backward();
        beliefs
    }

    /// How likely a state is at a place.
    fn at(&self, place: usize, state: usize) -> f32 {
        let at = place * self.states + state;
        self.up_to[at] * self.behind[at]
    }

    /// How much oftener than believed each state follows each other in truth.
    fn pulls(&self, chain: &Chain, truth: &[usize]) -> Vec<f32> {
        let states = self.states;
        let mut pulls = vec![0.0; chain.weights.len()];
        let start = pulls.len() - states;
        for state in 0..states {
            pulls[start + state] -= self.at(0, state);
        }
        pulls[start + truth[0]] += 1.0;
        for (place, pair) in truth.windows(2).enumerate() {
            let next = (place + 1) * states;
            let joint = self.joints[place + 1];
            for from in 0..states {
                let before = self.up_to[place * states + from] / self.scales[place + 1];
                for to in 0..states {
                    let at = joint + from * states + to;
                    let both = before * self.follow[at];
                    pulls[at] -= both * self.here[next + to] * self.behind[next + to];
                }
            }
            pulls[joint + pair[0] * states + pair[1]] += 1.0;
        }
        pulls
    }

    /// Sums of all ways to each place, each place scaled to one.
    fn forward(&self) -> (Vec<f32>, Vec<f32>) {
        let (states, here) = (self.states, &self.here);
        let (mut up_to, mut scales) = (vec![0.0; here.len()], Vec::new());
        for (place, seen) in here.chunks_exact(states).enumerate() {
            let (before, now) = up_to.split_at_mut(place * states);
            let now = &mut now[..states];
            match before.len().checked_sub(states) {
                None => now.copy_from_slice(&self.follow[self.follow.len() - states..]),
                Some(last) => {
                    let follow = &self.follow[self.joints[place]..];
                    for (from, &weight) in before[last..].iter().enumerate() {
                        let row = &follow[from * states..][..states];
                        now.iter_mut().zip(row).for_each(|(sum, follows)| *sum += weight * follows);
                    }
                }
            }
            now.iter_mut().zip(seen).for_each(|(sum, seen)| *sum *= seen);
            let scale = now.iter().sum::<f32>().max(f32::MIN_POSITIVE);
            now.iter_mut().for_each(|sum| *sum /= scale);
            scales.push(scale);
        }
        (up_to, scales)
    }

    /// Sums of all ways from each place to the end.
    fn backward(&self) -> Vec<f32> {
        let (states, here) = (self.states, &self.here);
        let mut behind = vec![1.0; here.len()];
        for place in (0..self.scales.len() - 1).rev() {
            let (now, next) = behind[place * states..].split_at_mut(states);
            let seen = &here[(place + 1) * states..][..states];
            let follow = &self.follow[self.joints[place + 1]..];
            for (from, sum) in now.iter_mut().enumerate() {
                let row = &follow[from * states..][..states];
                let ways = row.iter().zip(seen).zip(&next[..states]).map(|((f, s), b)| f * s * b);
                *sum = ways.sum::<f32>() / self.scales[place + 1];
            }
        }
        behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn options() -> ChainOptions {
        ChainOptions {
            states: 2,
            joints: 1,
            features: 2,
            rounds: 3,
            step: 0.1,
            shrink: 0.0,
            seed: 7,
        }
    }

    #[test]
    fn what_only_the_neighbours_tell_is_learnt() {
        // Feature 0 is always state 0, feature 1 always 1; feature 2 is what stood before it.
        let kinds = [[0, 2, 2, 2], [1, 2, 2, 2], [0, 0, 2, 2], [1, 1, 1, 2]];
        let sequence = |kinds: &[u32; 4]| {
            let mut states = Vec::new();
            for kind in kinds {
                let state = if *kind == 2 { states[states.len() - 1] } else { *kind as usize };
                states.push(state);
            }
            let features = kinds.iter().map(|kind| vec![*kind]).collect();
            StateSequence { features, states, joints: Vec::new() }
        };
        let sequences: Vec<StateSequence> = kinds.iter().map(sequence).collect();
        let options = ChainOptions { features: 3, rounds: 50, step: 0.5, ..options() };
        let trained = train(&sequences, &options);
        for sequence in &sequences {
            let found = trained.chain.viterbi(&trained.seen(&sequence.features), &[]);
            assert_eq!(found, sequence.states);
        }
    }

    #[test]
    fn the_same_seed_learns_the_same() {
        let features = vec![vec![0], vec![1]];
        let sequence = StateSequence { features, states: vec![0, 1], joints: Vec::new() };
        let options = options();
        let learn = || train(&[sequence.clone(), StateSequence::default()], &options).weights;
        assert_eq!(learn(), learn());
    }

    proptest! {
        #[test]
        fn beliefs_are_what_all_paths_together_say(
            weights in prop::collection::vec(-2_f32..2.0, 10),
            seen in prop::collection::vec(-2_f32..2.0, 8),
            joints in prop::collection::vec(0_u8..2, 4),
        ) {
            let chain = Chain::with_weights(2, weights).unwrap();
            let beliefs = Beliefs::of(&chain, &seen, &joints);
            let mut expected = [0.0_f32; 8];
            for number in 0..16_usize {
                let path: Vec<usize> = (0..4).map(|place| number >> place & 1).collect();
                let mut sum = chain.start()[path[0]];
                let over = |at: usize| chain.behind(usize::from(joints[at]), path[at - 1])[path[at]];
                sum += (1..4).map(over).sum::<f32>();
                sum += (0..4).map(|place| seen[place * 2 + path[place]]).sum::<f32>();
                (0..4).for_each(|place| expected[place * 2 + path[place]] += sum.exp());
            }
            let all = expected[0] + expected[1];
            for (at, expected) in expected.iter().enumerate() {
                prop_assert!((beliefs.at(at / 2, at % 2) - expected / all).abs() < 1e-4);
            }
        }
    }
}
