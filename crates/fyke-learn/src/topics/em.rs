//! Expectation-Maximization (002 §3.1): labels for all documents by formula 1, a model from all documents
//! by those labels, and again.

use super::frequencies::Frequencies;
use super::labels::Labels;
use crate::bayes::Occurrence;

/// Labels of all documents by a model.
#[must_use]
pub fn expect(documents: &[Vec<Occurrence>], model: &Frequencies) -> Labels {
    let mut labels = Labels::none(documents.len(), model.classes());
    for (document, row) in documents.iter().zip(labels.rows_mut()) {
        row.copy_from_slice(&model.posterior(document));
    }
    labels
}

/// So many rounds from a first model; `maximise` makes the next model from labels, which it may change.
pub fn em(
    documents: &[Vec<Occurrence>],
    first: Frequencies,
    rounds: usize,
    mut maximise: impl FnMut(&mut Labels) -> Frequencies,
) -> (Frequencies, Labels) {
    let mut model = first;
    for _ in 0..rounds {
        model = maximise(&mut expect(documents, &model));
    }
    let labels = expect(documents, &model);
    (model, labels)
}

#[cfg(test)]
mod tests {
    use super::super::frequencies::{CollectionWords, count};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn documents_without_a_label_teach_words_that_no_labelled_one_has() {
        let documents =
            [vec![(0, 9.)], vec![(1, 9.)], vec![(0, 3.), (2, 3.)], vec![(1, 3.), (3, 3.)]];
        let collection = CollectionWords::count(&documents, 4);
        let labels = Labels::sure(2, [Some(0), Some(1), None, None]);
        let first = Frequencies::laplace(&count(&documents, &labels), &collection);
        assert_eq!(first.posterior(&[(2, 1.)]), [0.5, 0.5]);
        let maximise =
            |labels: &mut Labels| Frequencies::laplace(&count(&documents, labels), &collection);
        let (model, labels) = em(&documents, first, 5, maximise);
        assert!(model.posterior(&[(2, 1.)])[0] > 0.7);
        assert_eq!(labels.best().collect::<Vec<_>>(), [Some(0), Some(1), Some(0), Some(1)]);
    }

    /// The logarithm of the likelihood of the documents under a model, against words drawn as the
    /// collection has them.
    fn likelihood(documents: &[Vec<Occurrence>], model: &Frequencies) -> f64 {
        let of = |document: &Vec<Occurrence>| {
            let scores = model.scores(document);
            let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f64 = scores.iter().map(|score| f64::from(score - greatest).exp()).sum();
            f64::from(greatest) + sum.ln()
        };
        documents.iter().map(of).sum()
    }

    /// What EM with formula 2 climbs: the likelihood with one occurrence of each word in each class, and one
    /// document in each class, believed beforehand.
    fn climbed(documents: &[Vec<Occurrence>], model: &Frequencies, words: u32) -> f64 {
        let believed: f64 =
            (0..words).flat_map(|word| model.ratios(word)).map(|ratio| f64::from(*ratio)).sum();
        let priors: f64 = model.scores(&[]).iter().map(|prior| f64::from(*prior)).sum();
        likelihood(documents, model) + believed + priors
    }

    proptest! {
        #[test]
        fn the_likelihood_never_falls(
            documents in prop::collection::vec(prop::collection::vec((0u32..9, 0.5f32..3.), 1..8), 3..12)
        ) {
            let collection = CollectionWords::count(&documents, 9);
            let labels = Labels::sure(3, (0..documents.len()).map(|d| (d < 6).then_some(d % 3)));
            let estimate = |labels: &mut Labels| Frequencies::laplace(&count(&documents, labels), &collection);
            let mut model = estimate(&mut labels.clone());
            let mut before = climbed(&documents, &model, 9);
            for _ in 0..8 {
                model = em(&documents, model, 1, estimate).0;
                let now = climbed(&documents, &model, 9);
                prop_assert!(now >= before - 1e-3, "{} after {}", now, before);
                before = now;
            }
        }
    }
}
