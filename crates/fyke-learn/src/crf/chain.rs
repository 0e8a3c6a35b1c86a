//! The states' chain: which state follows which, and the likeliest sequence (Viterbi).

/// How well states follow each other. Weights are logarithms up to a constant, and add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    states: usize,
    /// For each kind of joint a row of `states` from each state; at last one row from the start.
    pub(super) weights: Vec<f32>,
}

impl Chain {
    /// A chain in which nothing is preferred, with so many kinds of joints between places.
    #[must_use]
    pub fn new(states: usize, joints: usize) -> Chain {
        Chain { states, weights: vec![0.0; (states * joints + 1) * states] }
    }

    /// A chain with these weights: for each kind of joint `states` for each state it comes from, and at last for the
    /// start; none where their number cannot be.
    #[must_use]
    pub fn with_weights(states: usize, weights: Vec<f32>) -> Option<Chain> {
        let rows = weights.len().checked_div(states)?;
        let is_whole =
            rows * states == weights.len() && rows > states && rows % states == 1 % states;
        is_whole.then_some(Chain { states, weights })
    }

    /// How many kinds of joints there are.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.weights.len() / self.states / self.states
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// The weights, row by row.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Which kind of joint stands before a place: that named, the first where none is or there is none such.
    pub(super) fn joint(&self, joints: &[u8], place: usize) -> usize {
        let named = joints.get(place).map_or(0, |joint| usize::from(*joint));
        if named < self.joints() { named } else { 0 }
    }

    /// What each state weighs behind state `from` over a joint.
    pub(super) fn behind(&self, joint: usize, from: usize) -> &[f32] {
        &self.weights[(joint * self.states + from) * self.states..][..self.states]
    }

    /// What each state weighs at the start.
    pub(super) fn start(&self) -> &[f32] {
        &self.weights[self.weights.len() - self.states..]
    }

    /// The sequence of states with the greatest sum, where `seen` has what each state weighs at each
    /// place, place by place, and `joints` the kind of joint before each; where it is shorter, the first kind.
    #[must_use]
    pub fn viterbi(&self, seen: &[f32], joints: &[u8]) -> Vec<usize> {
        let states = self.states;
        let mut places = seen.chunks_exact(states.max(1));
        let Some(first) = places.next() else { return Vec::new() };
        let mut best: Vec<f32> = first.iter().zip(self.start()).map(|(a, b)| a + b).collect();
        let mut from: Vec<Vec<usize>> = Vec::new();
        for (place, seen) in places.enumerate() {
            let joint = self.joint(joints, place + 1);
            let reached = (0..states).map(|state| self.best_before(&best, joint, state));
            let (sums, origins): (Vec<f32>, Vec<usize>) = reached.unzip();
            best = sums.iter().zip(seen).map(|(sum, seen)| sum + seen).collect();
            from.push(origins);
        }
        let mut path = vec![greatest(best.into_iter()).1];
        for origins in from.iter().rev() {
            path.push(origins[path[path.len() - 1]]);
        }
        path.reverse();
        path
    }

    /// The greatest sum with which `state` is reached, and from which state.
    fn best_before(&self, best: &[f32], joint: usize, state: usize) -> (f32, usize) {
        let sums = best.iter().enumerate().map(|(from, sum)| sum + self.behind(joint, from)[state]);
        greatest(sums)
    }
}

/// The greatest value and its place, the first of equals.
fn greatest(values: impl Iterator<Item = f32>) -> (f32, usize) {
    let better = |best: (f32, usize), (at, value)| if value > best.0 { (value, at) } else { best };
    values.enumerate().fold((f32::NEG_INFINITY, 0), better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(chain: &Chain, seen: &[f32], joints: &[u8], path: &[usize]) -> f32 {
        let mut sum = chain.start()[path[0]];
        for pair in 1..path.len() {
            sum += chain.behind(usize::from(joints[pair]), path[pair - 1])[path[pair]];
        }
        sum + path
            .iter()
            .enumerate()
            .map(|(at, state)| seen[at * chain.states + state])
            .sum::<f32>()
    }

    #[test]
    fn nothing_seen_is_no_state() {
        assert_eq!(Chain::new(3, 2).viterbi(&[], &[]), [0_usize; 0]);
        assert_eq!(Chain::with_weights(2, vec![0.0; 5]), None);
        assert_eq!(Chain::with_weights(2, vec![0.0; 8]), None);
        assert_eq!(Chain::with_weights(0, Vec::new()), None);
        assert_eq!(Chain::with_weights(2, vec![0.0; 10]).map(|chain| chain.joints()), Some(2));
    }

    proptest! {
        #[test]
        fn no_sequence_is_better_than_that_of_viterbi(
            weights in prop::collection::vec(-4_f32..4.0, 21),
            seen in prop::collection::vec(-4_f32..4.0, 15),
            joints in prop::collection::vec(0_u8..2, 5),
        ) {
            let chain = Chain::with_weights(3, weights).unwrap();
            let found = sum(&chain, &seen, &joints, &chain.viterbi(&seen, &joints));
            for number in 0..3_usize.pow(5) {
                let path: Vec<usize> = (0..5).map(|place| number / 3_usize.pow(place) % 3).collect();
                prop_assert!(sum(&chain, &seen, &joints, &path) <= found + 1e-4);
            }
        }
    }
}
