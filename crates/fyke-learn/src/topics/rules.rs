//! Keywords as a rule list: the first labels (002 §3: "searching a document for each keyword and placing it in
//! the class of the first keyword found"). The list is gone through in its order, so the first of *its* keywords
//! that stands anywhere in the document decides, not the one that stands first there. Beyond it: keywords weighed
//! by how well the other words of their documents agree with them.

use super::labels::{Labels, normalise};

/// A keyword that was found in a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundKeyword {
    /// Its place in the list of keywords.
    pub keyword: u32,
    /// How often it stands there.
    pub times: f32,
}

/// What the weight of a keyword is reckoned from is at least this sure: whoever chose it had a reason.
const LEAST_SURE: f64 = 0.5;

/// Each document is of the class of the first keyword of the list that it holds. `of` is the class of each.
#[must_use]
pub fn first_found(documents: &[Vec<FoundKeyword>], of: &[usize], classes: usize) -> Labels {
    let first = |found: &Vec<FoundKeyword>| {
        let first = found.iter().min_by_key(|found| found.keyword)?;
        Some(of[first.keyword as usize])
    };
    Labels::sure(classes, documents.iter().map(first))
}

/// For each keyword, the share of its documents that belong to its class by these labels, which must not
/// have been made from keywords alone. A keyword found nowhere is as likely right as wrong.
#[must_use]
pub fn agreement(documents: &[Vec<FoundKeyword>], of: &[usize], labels: &Labels) -> Vec<f64> {
    let mut counts = vec![(0.5, 1.); of.len()];
    for (found, row) in documents.iter().zip(labels.rows()) {
        for found in found {
            let (right, all) = &mut counts[found.keyword as usize];
            *right += f64::from(row[of[found.keyword as usize]]);
            *all += 1.;
        }
    }
    counts.into_iter().map(|(right, all)| right / all).collect()
}

/// Labels by all keywords of a document together: each speaks for its class by the logarithm of the
/// odds that it is right.
#[must_use]
pub fn weighed(
    documents: &[Vec<FoundKeyword>],
    of: &[usize],
    agreement: &[f64],
    classes: usize,
) -> Labels {
    let weights: Vec<f32> = agreement.iter().map(|sure| weight(*sure, classes)).collect();
    let mut labels = Labels::none(documents.len(), classes);
    for (found, row) in documents.iter().zip(labels.rows_mut()) {
        for found in found {
            let keyword = found.keyword as usize;
            row[of[keyword]] += (1. + found.times.max(1.).ln()) * weights[keyword];
        }
        if !found.is_empty() {
            normalise(row);
        }
    }
    labels
}

/// The logarithm of the odds of being right, against a choice at random.
fn weight(sure: f64, classes: usize) -> f32 {
    let sure = sure.clamp(LEAST_SURE, 0.999);
    let odds = sure / (1. - sure) * (classes.max(2) - 1) as f64;
    odds.ln() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(keyword: u32, times: f32) -> FoundKeyword {
        FoundKeyword { keyword, times }
    }

    #[test]
    fn the_first_keyword_of_the_list_decides_wherever_it_stands() {
        // What a document holds is told in the order in which it stands there.
        let documents =
            [vec![found(2, 1.), found(0, 5.)], vec![], vec![found(2, 9.), found(1, 1.)]];
        let labels = first_found(&documents, &[0, 1, 1], 2);
        assert_eq!(labels.best().collect::<Vec<_>>(), [Some(0), None, Some(1)]);
        let labels = first_found(&documents, &[1, 0, 1], 2);
        assert_eq!(labels.best().collect::<Vec<_>>(), [Some(1), None, Some(0)]);
    }

    #[test]
    fn a_keyword_agrees_as_far_as_its_documents_belong_to_its_class() {
        let documents = [vec![found(0, 1.)], vec![found(0, 9.)], vec![found(1, 1.)]];
        let labels = Labels::sure(2, [Some(0), Some(1), Some(1)]);
        // (½ + 1) of (1 + 2), (½ + 1) of (1 + 1), and nothing known.
        assert_eq!(agreement(&documents, &[0, 1, 1], &labels), [0.5, 0.75, 0.5]);
    }

    #[test]
    fn keywords_that_agree_outweigh_others() {
        let documents = [vec![found(0, 1.), found(1, 1.)], vec![]];
        let labels = weighed(&documents, &[0, 1], &[0.5, 0.9], 2);
        let rows: Vec<_> = labels.rows().collect();
        // Odds of 1 to 9.
        assert!((rows[0][1] - 0.9).abs() < 1e-6, "{rows:?}");
        assert_eq!(rows[1], [0., 0.]);
    }
}
