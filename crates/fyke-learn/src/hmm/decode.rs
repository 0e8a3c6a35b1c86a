//! A model that says of each word the class of the state that emits it: the likeliest path (Viterbi).

use super::structure::{END, START};
use super::{Emissions, Structure};

/// A structure with its probabilities.
#[derive(Clone, Debug)]
pub struct Hmm {
    /// For each state its class.
    classes: Vec<Option<usize>>,
    /// For each state those before it, with the logarithm of the transition.
    before: Vec<Vec<(usize, f64)>>,
    emissions: Emissions,
}

/// A path that cannot be.
const NEVER: f64 = f64::NEG_INFINITY;

impl Hmm {
    /// The model of a structure: transitions as likely as they were counted.
    #[must_use]
    pub fn new(structure: &Structure, emissions: Emissions) -> Hmm {
        let mut totals = vec![0_u64; structure.states()];
        for ((from, _), count) in &structure.counts {
            totals[*from] += count;
        }
        let mut before = vec![Vec::new(); structure.states()];
        for (&(from, to), count) in &structure.counts {
            before[to].push((from, (*count as f64 / totals[from] as f64).ln()));
        }
        Hmm { classes: structure.classes.clone(), before, emissions }
    }

    /// The class of each word. Where no path comes to the end, the likeliest that does not; without any state but
    /// start and end there are none.
    #[must_use]
    pub fn classes(&self, words: &[u32]) -> Vec<usize> {
        let states = self.classes.len();
        let mut best = vec![NEVER; states];
        best[START] = 0.;
        let mut origins = Vec::with_capacity(words.len());
        let (mut emitted, mut before) = (Vec::new(), None);
        for &word in words {
            self.emit(word, before, &mut emitted);
            before = Some(word);
            let (mut reached, mut origin) = (vec![NEVER; states], vec![START; states]);
            for (state, class) in self.classes.iter().enumerate() {
                let Some(class) = class else { continue };
                (origin[state], reached[state]) = self.best_before(state, &best, emitted[*class]);
            }
            if reached.iter().any(|weight| *weight > NEVER) {
                best = reached;
            } else {
                // Nothing may follow: the path stays where it is.
                origin = (0..states).collect();
            }
            origins.push(origin);
        }
        let (mut state, weight) = self.best_before(END, &best, Emitted::default());
        if weight == NEVER {
            state = greatest(best.iter().copied().enumerate()).0;
        }
        let mut path = Vec::with_capacity(words.len());
        for origin in origins.iter().rev() {
            path.extend(self.classes[state]);
            state = origin[state];
        }
        path.reverse();
        path
    }

    /// What a word weighs in each class.
    fn emit(&self, word: u32, before: Option<u32>, emitted: &mut Vec<Emitted>) {
        let classes = self.classes.iter().flatten().max().map_or(0, |most| most + 1);
        let of = |class: usize, before: Option<u32>| self.emissions.of(class, word, before).ln();
        emitted.clear();
        emitted.extend(
            (0..classes).map(|class| Emitted { first: of(class, None), next: of(class, before) }),
        );
    }

    /// From which state one is best reached that emits so, and with what weight.
    fn best_before(&self, state: usize, best: &[f64], emitted: Emitted) -> (usize, f64) {
        let weigh = |(from, weight): &(usize, f64)| {
            let goes_on = self.classes[*from] == self.classes[state];
            let emits = if goes_on { emitted.next } else { emitted.first };
            (*from, best[*from] + weight + emits)
        };
        greatest(self.before[state].iter().map(weigh))
    }
}

/// What a word weighs in a class: as the first of a run, and behind another of the class.
#[derive(Clone, Copy, Debug, Default)]
struct Emitted {
    first: f64,
    next: f64,
}

/// The greatest weight and whose it is, the first of equals.
fn greatest(weights: impl Iterator<Item = (usize, f64)>) -> (usize, f64) {
    weights.fold(
        (START, NEVER),
        |best, (at, weight)| if weight > best.1 { (at, weight) } else { best },
    )
}

#[cfg(test)]
mod tests {
    use super::super::{LabelledWords, SMOOTHINGS};
    use super::*;

    #[test]
    fn unknown_words_are_told_by_what_stands_beside_them() {
        let sequence = LabelledWords { words: vec![1, 2, 3, 4], classes: vec![0, 0, 1, 1] };
        let sequences = vec![sequence; 3];
        for smoothing in SMOOTHINGS {
            let emissions = Emissions::new(&sequences, 2, smoothing);
            let hmm = Hmm::new(&Structure::baseline(&sequences), emissions);
            assert_eq!(hmm.classes(&[1, 9, 2, 3, 4]), [0, 0, 0, 1, 1]);
            assert_eq!(hmm.classes(&[]), [0_usize; 0]);
        }
    }

    #[test]
    fn a_path_that_cannot_end_is_still_a_path() {
        let sequences = [LabelledWords { words: vec![1, 2], classes: vec![0, 1] }];
        let emissions = Emissions::new(&sequences, 2, &SMOOTHINGS[0]);
        let hmm = Hmm::new(&Structure::neighbours(&sequences), emissions);
        assert_eq!(hmm.classes(&[1]), [0]);
        assert_eq!(hmm.classes(&[1, 2, 2]).len(), 3);
    }
}
