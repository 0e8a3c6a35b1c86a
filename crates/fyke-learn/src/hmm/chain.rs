//! The states' chain: which state follows which, and the likeliest sequence (Viterbi).

/// How well states follow each other. Weights are logarithms up to a constant, and add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    states: usize,
    /// `states + 1` rows of `states`: from each state, and at last from the start.
    pub(super) weights: Vec<f32>,
}

impl Chain {
    /// A chain in which nothing is preferred.
    #[must_use]
    pub fn new(states: usize) -> Chain {
        Chain { states, weights: vec![0.0; (states + 1) * states] }
    }

    /// A chain with these weights, `states` for each state it comes from and at last for the start; none
    /// where their number is another.
    #[must_use]
    pub fn with_weights(states: usize, weights: Vec<f32>) -> Option<Chain> {
        (weights.len() == (states + 1) * states).then_some(Chain { states, weights })
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

    /// What each state weighs behind state `from`.
    pub(super) fn behind(&self, from: usize) -> &[f32] {
        &self.weights[from * self.states..][..self.states]
    }

    /// What each state weighs at the start.
    pub(super) fn start(&self) -> &[f32] {
        self.behind(self.states)
    }

    /// The sequence of states with the greatest sum, where `seen` has what each state weighs at each
    /// place, place by place.
    #[must_use]
    pub fn viterbi(&self, seen: &[f32]) -> Vec<usize> {
        let states = self.states;
        let mut places = seen.chunks_exact(states.max(1));
        let Some(first) = places.next() else { return Vec::new() };
        let mut best: Vec<f32> = first.iter().zip(self.start()).map(|(a, b)| a + b).collect();
        let mut from: Vec<Vec<usize>> = Vec::new();
        for place in places {
            let reached = (0..states).map(|state| self.best_before(&best, state));
            let (sums, origins): (Vec<f32>, Vec<usize>) = reached.unzip();
            best = sums.iter().zip(place).map(|(sum, seen)| sum + seen).collect();
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
    fn best_before(&self, best: &[f32], state: usize) -> (f32, usize) {
        let sums = best.iter().enumerate().map(|(from, sum)| sum + self.behind(from)[state]);
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

    fn sum(chain: &Chain, seen: &[f32], path: &[usize]) -> f32 {
        let mut before = chain.states;
        let mut sum = 0.0;
        for (place, &state) in path.iter().enumerate() {
            sum += chain.behind(before)[state] + seen[place * chain.states + state];
            before = state;
        }
        sum
    }

    #[test]
    fn nothing_seen_is_no_state() {
        assert_eq!(Chain::new(3).viterbi(&[]), [0_usize; 0]);
        assert_eq!(Chain::with_weights(2, vec![0.0; 5]), None);
    }

    proptest! {
        #[test]
        fn no_sequence_is_better_than_that_of_viterbi(
            weights in prop::collection::vec(-4_f32..4.0, 12),
            seen in prop::collection::vec(-4_f32..4.0, 15),
        ) {
            let chain = Chain::with_weights(3, weights).unwrap();
            let found = sum(&chain, &seen, &chain.viterbi(&seen));
            for number in 0..3_usize.pow(5) {
                let path: Vec<usize> = (0..5).map(|place| number / 3_usize.pow(place) % 3).collect();
                prop_assert!(sum(&chain, &seen, &path) <= found + 1e-4);
            }
        }
    }
}
