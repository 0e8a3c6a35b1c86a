//! A trained tagger and the file it is kept in.
//!
//! The file: a line that names the format, a line of tags, then coded: how many features there are, the
//! weights of tags behind tags, and for each feature the distance of its hash from the one before
//! and its weight for each tag. Weights are whole numbers of eighths.

use super::coder::{BitProbability, Decoder, Encoder};
use fyke_learn::hmm::Chain;

/// First line of a file.
const FORMAT: &str = "fyke tags 1";
/// A weight of one in the file.
const ONE: f32 = 8.0;
/// Most tags and features that a file may have.
const MOST_TAGS: usize = 64;
const MOST_FEATURES: usize = 1 << 21;

/// What is known of words and tags.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The names of the tags.
    pub(super) tags: Vec<String>,
    /// Which tag follows which.
    pub(super) chain: Chain,
    /// Hashes of features, ascending.
    pub(super) features: Vec<u32>,
    /// For each feature the weight of each tag.
    pub(super) weights: Vec<i8>,
}

/// What a file of bytes that is no model gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTagModel;

impl std::fmt::Display for NoTagModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a model of tags, or a damaged one; the example train_tags writes them")
    }
}

impl std::error::Error for NoTagModel {}

impl Model {
    /// Adds to `sums` what a feature says for each tag.
    pub(super) fn add(&self, feature: u32, sums: &mut [f32]) {
        if let Ok(at) = self.features.binary_search(&feature) {
            let weights = &self.weights[at * self.tags.len()..];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += f32::from(*weight) / ONE);
        }
    }

    /// The model of weights as they were learnt; features ascend.
    pub(super) fn new(
        tags: Vec<String>,
        chain: &Chain,
        features: Vec<u32>,
        weights: &[f32],
    ) -> Model {
        let round = |weight: &f32| (weight * ONE).round().clamp(-127.0, 127.0) as i8;
        let follow = chain.weights().iter().map(|weight| f32::from(round(weight)) / ONE);
        let chain = Chain::with_weights(tags.len(), follow.collect()).expect("as many as before");
        Model { tags, chain, features, weights: weights.iter().map(round).collect() }
    }

    /// The file of this model.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let (mut coder, mut chances) = (Encoder::default(), Chances::new(self.tags.len()));
        chances.write_number(&mut coder, self.features.len() as u32);
        for (at, weight) in self.chain.weights().iter().enumerate() {
            chances.write_weight(&mut coder, at % self.tags.len(), (weight * ONE) as i8);
        }
        let mut before = 0;
        for (feature, row) in self.features.iter().zip(self.weights.chunks(self.tags.len())) {
            chances.write_number(&mut coder, feature - before);
            row.iter().enumerate().for_each(|(tag, w)| chances.write_weight(&mut coder, tag, *w));
            before = *feature;
        }
        let mut file = format!("{FORMAT}\n{}\n", self.tags.join(" ")).into_bytes();
        file.extend(coder.finish());
        file
    }

    /// Reads a file that [`Model::write`] wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(bytes: &[u8]) -> Result<Model, NoTagModel> {
        let mut parts = bytes.splitn(3, |byte| *byte == b'\n');
        let mut part = || parts.next().ok_or(NoTagModel);
        let (format, tags, rest) = (part()?, part()?, part()?);
        let tags = str::from_utf8(tags).map_err(|_| NoTagModel)?.split(' ').map(str::to_owned);
        let tags: Vec<String> = tags.take(MOST_TAGS + 1).collect();
        if format != FORMAT.as_bytes() || tags.len() > MOST_TAGS {
            return Err(NoTagModel);
        }
        let (mut coder, mut chances) = (Decoder::new(rest), Chances::new(tags.len()));
        let count = chances.read_number(&mut coder) as usize;
        // A feature takes more than a byte.
        if count > MOST_FEATURES.min(rest.len()) {
            return Err(NoTagModel);
        }
        let weight = |at: usize, coder: &mut Decoder<'_>, chances: &mut Chances| {
            chances.read_weight(coder, at % tags.len())
        };
        let follow = (0..(tags.len() + 1) * tags.len())
            .map(|at| f32::from(weight(at, &mut coder, &mut chances)) / ONE)
            .collect();
        let (mut features, mut weights) = (Vec::with_capacity(count), Vec::new());
        for _ in 0..count {
            let before: u32 = features.last().copied().unwrap_or(0);
            features.push(before.checked_add(chances.read_number(&mut coder)).ok_or(NoTagModel)?);
            weights.extend((0..tags.len()).map(|at| weight(at, &mut coder, &mut chances)));
        }
        let chain = Chain::with_weights(tags.len(), follow).ok_or(NoTagModel)?;
        Ok(Model { tags, chain, features, weights })
    }
}

/// What is likely of numbers and weights, learnt while they are coded.
struct Chances {
    lengths: [BitProbability; 33],
    digits: [BitProbability; 32],
    /// For each tag: whether its weight is zero (behind one that was, or was not), its sign.
    zero: Vec<[BitProbability; 2]>,
    sign: Vec<BitProbability>,
    /// Whether a weight is still greater.
    greater: [BitProbability; 128],
    was_zero: bool,
}

impl Chances {
    fn new(tags: usize) -> Chances {
        Chances {
            lengths: [BitProbability::default(); 33],
            digits: [BitProbability::default(); 32],
            zero: vec![[BitProbability::default(); 2]; tags],
            sign: vec![BitProbability::default(); tags],
            greater: [BitProbability::default(); 128],
            was_zero: true,
        }
    }

    /// A number is its length in binary digits and those behind the first.
    fn write_number(&mut self, coder: &mut Encoder, number: u32) {
        let length = u32::BITS - number.leading_zeros();
        for at in 0..32 {
            coder.bit(&mut self.lengths[at as usize], at < length);
            if at >= length {
                break;
            }
        }
        for digit in (0..length.saturating_sub(1)).rev() {
            coder.bit(&mut self.digits[digit as usize], number >> digit & 1 == 1);
        }
    }

    fn read_number(&mut self, coder: &mut Decoder<'_>) -> u32 {
        let length = (0..32).take_while(|&at| coder.bit(&mut self.lengths[at])).count();
        let mut number = u32::from(length > 0);
        for digit in (0..length.saturating_sub(1)).rev() {
            number = number << 1 | u32::from(coder.bit(&mut self.digits[digit]));
        }
        number
    }

    fn write_weight(&mut self, coder: &mut Encoder, tag: usize, weight: i8) {
        coder.bit(&mut self.zero[tag][usize::from(self.was_zero)], weight == 0);
        self.was_zero = weight == 0;
        if weight == 0 {
            return;
        }
        coder.bit(&mut self.sign[tag], weight < 0);
        let size = weight.unsigned_abs().min(127);
        for at in 1..127 {
            coder.bit(&mut self.greater[usize::from(at)], at < size);
            if at >= size {
                break;
            }
        }
    }

    fn read_weight(&mut self, coder: &mut Decoder<'_>, tag: usize) -> i8 {
        self.was_zero = coder.bit(&mut self.zero[tag][usize::from(self.was_zero)]);
        if self.was_zero {
            return 0;
        }
        let is_negative = coder.bit(&mut self.sign[tag]);
        let more = (1..127).take_while(|&at| coder.bit(&mut self.greater[at])).count();
        let size = 1 + more as i8;
        if is_negative { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_model_comes_back_from_its_file(
            features in prop::collection::btree_set(any::<u32>(), 0..50),
            weights in prop::collection::vec(-20_f32..20.0, 200),
        ) {
            let features: Vec<u32> = features.into_iter().collect();
            let chain = Chain::with_weights(3, weights[..12].to_vec()).unwrap();
            let tags = ["NOUN", "VERB", "X"].map(str::to_owned).to_vec();
            let model = Model::new(tags, &chain, features.clone(), &weights[..features.len() * 3]);
            prop_assert_eq!(Model::read(&model.write()), Ok(model));
        }

        #[test]
        fn no_bytes_make_the_reader_fail(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Model::read(&bytes);
            let _ = Model::read(&[b"fyke tags 1\nA B\n", &bytes[..]].concat());
        }
    }
}
