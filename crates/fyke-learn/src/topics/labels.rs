//! How sure it is of each document that it belongs to each class: P(c | d), a row a document. A row of
//! noughts is a document without a label.

/// The labels of all documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    classes: usize,
    cells: Vec<f32>,
}

impl Labels {
    /// No document has a label.
    #[must_use]
    pub fn none(documents: usize, classes: usize) -> Labels {
        Labels { classes, cells: vec![0.; documents * classes] }
    }

    /// Each document has one class, or none.
    pub fn sure(classes: usize, of: impl IntoIterator<Item = Option<usize>>) -> Labels {
        let mut labels = Labels { classes, cells: Vec::new() };
        for class in of {
            labels.cells.resize(labels.cells.len() + classes, 0.);
            let row = labels.cells.len() - classes;
            if let Some(class) = class {
                labels.cells[row + class] = 1.;
            }
        }
        labels
    }

    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// A row for each document.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.cells.chunks_exact(self.classes.max(1))
    }

    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.cells.chunks_exact_mut(self.classes.max(1))
    }

    /// The sum of each class over all documents.
    #[must_use]
    pub fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.; self.classes];
        for row in self.rows() {
            sums.iter_mut().zip(row).for_each(|(sum, share)| *sum += f64::from(*share));
        }
        sums
    }

    /// The best class of each document that has a label.
    pub fn best(&self) -> impl Iterator<Item = Option<usize>> {
        self.rows().map(best)
    }

    /// Scales the first so many classes until each has the same sum over all documents: what is known
    /// beforehand where topics are of like size.
    pub fn even(&mut self, classes: usize) {
        for _ in 0..EVENING {
            let sums = &self.sums()[..classes];
            let mean = sums.iter().sum::<f64>() / classes.max(1) as f64;
            let factors: Vec<f32> = sums.iter().map(|sum| (mean / sum.max(1e-6)) as f32).collect();
            for row in self.rows_mut() {
                let whole: f32 = row.iter().sum();
                row.iter_mut().zip(&factors).for_each(|(share, factor)| *share *= factor);
                let scaled: f32 = row.iter().sum();
                if scaled > 0. {
                    row.iter_mut().for_each(|share| *share *= whole / scaled);
                }
            }
        }
    }
}

/// Classes are scaled so often: by then sums differ by little.
const EVENING: usize = 10;

/// The greatest of a row, the first of several; none where all are nought.
#[must_use]
pub fn best(row: &[f32]) -> Option<usize> {
    let greatest = row.iter().copied().fold(0., f32::max);
    row.iter().position(|share| *share == greatest && greatest > 0.)
}

/// Logarithms of amounts in proportion → shares that sum to one.
pub(crate) fn normalise(row: &mut [f32]) {
    let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|value| *value = (*value - greatest).exp());
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_class_is_the_greatest_and_none_has_none() {
        let labels = Labels::sure(3, [Some(2), None, Some(0)]);
        assert_eq!(labels.best().collect::<Vec<_>>(), [Some(2), None, Some(0)]);
        assert_eq!(labels.sums(), [1., 0., 1.]);
        assert_eq!(best(&[0.2, 0.4, 0.4]), Some(1));
    }

    #[test]
    fn even_classes_have_equal_sums_and_rows_keep_theirs() {
        let mut labels = Labels::none(3, 2);
        let rows = [[0.9, 0.1], [0.8, 0.2], [0.0, 0.0]];
        labels.rows_mut().zip(rows).for_each(|(row, shares)| row.copy_from_slice(&shares));
        labels.even(2);
        let sums = labels.sums();
        assert!((sums[0] - 1.).abs() < 1e-3 && (sums[1] - 1.).abs() < 1e-3, "{sums:?}");
        let whole: Vec<f32> = labels.rows().map(|row| row.iter().sum()).collect();
        assert!((whole[0] - 1.).abs() < 1e-5 && whole[2] == 0.);
    }
}
