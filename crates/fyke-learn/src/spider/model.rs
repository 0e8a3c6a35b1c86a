//! What a spider has learned, to be kept: the weights of words and what they were learned from, as bytes.

use super::LinkRegression;

/// How a model begins; another form gets another number.
const HEAD: &[u8] = b"fyke spider 4\n";
/// Longest text about what it was trained on.
const MOST_TEXT: usize = 4_096;

/// A value function with where it comes from.
#[derive(Clone, Debug)]
pub struct SpiderModel {
    /// What it was trained on, for people.
    pub trained_on: String,
    pub regression: LinkRegression,
}

impl SpiderModel {
    /// The model as bytes: head, text, and what the regression writes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = &self.trained_on[..self.trained_on.floor_char_boundary(MOST_TEXT)];
        let mut bytes = HEAD.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        self.regression.write(&mut bytes);
        bytes
    }

    /// Reads what [`SpiderModel::to_bytes`] wrote; none when it is something else or damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<SpiderModel> {
        let rest = bytes.strip_prefix(HEAD)?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (text, rest) = rest.split_at_checked(length).filter(|_| length <= MOST_TEXT)?;
        let trained_on = std::str::from_utf8(text).ok()?.to_owned();
        Some(SpiderModel { trained_on, regression: LinkRegression::read(rest)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trained(rewards: &[f64]) -> SpiderModel {
        let mut regression = LinkRegression::new(&[0., 0.5, 1.]);
        for (word, reward) in (0..).zip(rewards) {
            regression.learn([(word, 1.), (7, 1.)], *reward);
        }
        SpiderModel { trained_on: "eels and tench".to_owned(), regression }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_model_comes_back_as_it_was(rewards in prop::collection::vec(0f64..1., 0..20)) {
            let model = trained(&rewards);
            let mut read = SpiderModel::from_bytes(&model.to_bytes()).unwrap();
            prop_assert_eq!(&read.trained_on, &model.trained_on);
            let mut kept = model.regression;
            for word in 0..25 {
                prop_assert_eq!(read.regression.q([(word, 1.)]), kept.q([(word, 1.)]));
            }
            // It goes on learning as it would have done.
            read.regression.learn([(3, 1.)], 1.);
            kept.learn([(3, 1.)], 1.);
            prop_assert_eq!(read.regression.q([(3, 1.)]), kept.q([(3, 1.)]));
        }

        #[test]
        fn damaged_bytes_are_no_model_or_a_harmless_one(
            cut in 0usize..400, at in 0usize..400, byte: u8,
        ) {
            let mut bytes = trained(&[0.2, 0.9, 0.5]).to_bytes();
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes.truncate(bytes.len().saturating_sub(cut % 40));
            if let Some(model) = SpiderModel::from_bytes(&bytes) {
                let q = model.regression.q([(0, 1.), (7, 1.)]);
                prop_assert!((0. ..=1.).contains(&q), "{}", q);
            }
        }
    }

    #[test]
    fn what_is_no_model_is_refused() {
        assert!(SpiderModel::from_bytes(b"").is_none());
        assert!(SpiderModel::from_bytes(b"fyke spider 3\n").is_none());
        let bytes = trained(&[1.]).to_bytes();
        assert!(SpiderModel::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    }
}
