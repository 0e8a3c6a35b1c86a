//! A trained model and the file it is kept in.
//!
//! The file: a line that names the format, a line of labels, then coded: how many features there are, the
//! weights of labels behind labels, and for each feature the distance of its hash from the one before
//! and its weight for each label. Weights are whole numbers of eighths. In the second format a line stands between
//! with the number of kinds of joints, and one that says what the model was learnt from.

use super::SeenSequence;
use super::coder::{BitProbability, Decoder, Encoder};
use fyke_learn::crf::Chain;

/// First line of a file: of one that has a single kind of joint and no source, and of any other.
const FORMAT: &str = "fyke tags 1";
const WITH_JOINTS: &str = "fyke labels 1";
/// A weight of one in the file.
const ONE: f32 = 8.0;
/// Most labels, kinds of joints and features that a file may have.
const MOST_LABELS: usize = 64;
const MOST_JOINTS: usize = 8;
const MOST_FEATURES: usize = 1 << 21;

/// What is known of features and labels.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceModel {
    /// The names of the labels.
    pub(super) labels: Vec<String>,
    /// Which label follows which.
    pub(super) chain: Chain,
    /// Hashes of features, ascending, and where those that begin with the same bits begin.
    pub(super) features: Vec<u32>,
    begins: FeatureBegins,
    /// For each feature the weight of each label.
    pub(super) weights: Vec<i8>,
    /// What it was learnt from, in a line; may be empty.
    source: String,
}

/// What a file of bytes that is no model gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSequenceModel;

impl std::fmt::Display for NoSequenceModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a model of labels, or a damaged one; `fyke papers train` writes them")
    }
}

impl std::error::Error for NoSequenceModel {}

impl SequenceModel {
    /// The labels of a sequence's places.
    #[must_use]
    pub fn label(&self, seen: &SeenSequence) -> Vec<&str> {
        let mut sums = vec![0.0; seen.features.len() * self.labels.len()];
        for (features, sums) in seen.features.iter().zip(sums.chunks_exact_mut(self.labels.len())) {
            features.iter().for_each(|feature| self.add(*feature, sums));
        }
        let path = self.chain.viterbi(&sums, &seen.joints);
        path.into_iter().map(|state| self.labels[state].as_str()).collect()
    }

    /// The model with a label less likely wherever a feature is seen, by so much as a logarithm of odds.
    #[must_use]
    pub(crate) fn with_less_of(mut self, label: &str, feature: u32, by: f32) -> SequenceModel {
        let place = self.place(feature);
        let label = self.labels.iter().position(|known| known == label);
        if let (Some(place), Some(label)) = (place, label) {
            let weight = &mut self.weights[place * self.labels.len() + label];
            *weight = weight.saturating_sub((by * ONE).round() as i8);
        }
        self
    }

    /// The names of its labels.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// What it was learnt from, as its maker says.
    #[must_use]
    pub fn learnt_from(&self) -> &str {
        &self.source
    }

    /// The model with what it was learnt from, in a line.
    #[must_use]
    pub(super) fn with_source(mut self, source: &str) -> SequenceModel {
        self.source = source.split_whitespace().collect::<Vec<_>>().join(" ");
        self
    }

    /// Where a feature stands, if the model knows it.
    fn place(&self, feature: u32) -> Option<usize> {
        let alike = self.begins.of(feature);
        let from = alike.start;
        self.features[alike].iter().position(|known| *known == feature).map(|at| from + at)
    }

    /// Adds to `sums` what a feature says for each label.
    pub(super) fn add(&self, feature: u32, sums: &mut [f32]) {
        if let Some(at) = self.place(feature) {
            let weights = &self.weights[at * self.labels.len()..];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += f32::from(*weight) / ONE);
        }
    }

    /// The model of weights as they were learnt; features ascend.
    pub(super) fn new(
        labels: Vec<String>,
        chain: &Chain,
        features: Vec<u32>,
        weights: &[f32],
    ) -> SequenceModel {
        let round = |weight: &f32| (weight * ONE).round().clamp(-127.0, 127.0) as i8;
        let follow = chain.weights().iter().map(|weight| f32::from(round(weight)) / ONE);
        let chain = Chain::with_weights(labels.len(), follow.collect()).expect("as many as before");
        let weights = weights.iter().map(round).collect();
        let begins = FeatureBegins::new(&features);
        SequenceModel { labels, chain, features, begins, weights, source: String::new() }
    }

    /// The file of this model.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let (mut coder, mut chances) = (Encoder::default(), Chances::new(self.labels.len()));
        chances.write_number(&mut coder, self.features.len() as u32);
        for (at, weight) in self.chain.weights().iter().enumerate() {
            chances.write_weight(&mut coder, at % self.labels.len(), (weight * ONE) as i8);
        }
        let mut before = 0;
        for (feature, row) in self.features.iter().zip(self.weights.chunks(self.labels.len())) {
            chances.write_number(&mut coder, feature - before);
            row.iter()
                .enumerate()
                .for_each(|(label, w)| chances.write_weight(&mut coder, label, *w));
            before = *feature;
        }
        let labels = self.labels.join(" ");
        let (joints, source) = (self.chain.joints(), &self.source);
        let head = match joints == 1 && source.is_empty() {
            true => format!("{FORMAT}\n{labels}\n"),
            false => format!("{WITH_JOINTS}\n{labels}\n{joints} {source}\n"),
        };
        let mut file = head.into_bytes();
        file.extend(coder.finish());
        file
    }

    /// Reads a file that [`SequenceModel::write`] wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(bytes: &[u8]) -> Result<SequenceModel, NoSequenceModel> {
        let (format, rest) = line(bytes)?;
        let (labels, mut rest) = line(rest)?;
        let labels: Vec<String> =
            labels.split(' ').take(MOST_LABELS + 1).map(str::to_owned).collect();
        if labels.len() > MOST_LABELS {
            return Err(NoSequenceModel);
        }
        let (mut joints, mut source) = (1, "");
        if format == WITH_JOINTS {
            let about;
            (about, rest) = line(rest)?;
            let (number, from) = about.split_once(' ').ok_or(NoSequenceModel)?;
            joints = number.parse().map_err(|_| NoSequenceModel)?;
            source = from;
        } else if format != FORMAT {
            return Err(NoSequenceModel);
        }
        if !(1..=MOST_JOINTS).contains(&joints) {
            return Err(NoSequenceModel);
        }
        let (mut coder, mut chances) = (Decoder::new(rest), Chances::new(labels.len()));
        let count = chances.read_number(&mut coder) as usize;
        // A feature takes more than a byte.
        if count > MOST_FEATURES.min(rest.len()) {
            return Err(NoSequenceModel);
        }
        let weight = |at: usize, coder: &mut Decoder<'_>, chances: &mut Chances| {
            chances.read_weight(coder, at % labels.len())
        };
        let follow = (0..(labels.len() * joints + 1) * labels.len())
            .map(|at| f32::from(weight(at, &mut coder, &mut chances)) / ONE)
            .collect();
        let (mut features, mut weights) = (Vec::with_capacity(count), Vec::new());
        for _ in 0..count {
            let before: u32 = features.last().copied().unwrap_or(0);
            features
                .push(before.checked_add(chances.read_number(&mut coder)).ok_or(NoSequenceModel)?);
            weights.extend((0..labels.len()).map(|at| weight(at, &mut coder, &mut chances)));
        }
        let chain = Chain::with_weights(labels.len(), follow).ok_or(NoSequenceModel)?;
        let source = source.to_owned();
        let begins = FeatureBegins::new(&features);
        Ok(SequenceModel { labels, chain, features, begins, weights, source })
    }
}

/// Where features begin by their first bits: hashes are spread evenly, so that few have the same, and one of them is
/// found without a search through all.
#[derive(Clone, Debug, PartialEq)]
struct FeatureBegins {
    /// Bits that are not among the first.
    rest: u32,
    /// For each value of the first bits, and one behind the last.
    begins: Vec<u32>,
}

/// First bits at most.
const MOST_BITS: u32 = 18;

impl FeatureBegins {
    /// Of features that ascend.
    fn new(features: &[u32]) -> FeatureBegins {
        let bits = features.len().max(2).ilog2().min(MOST_BITS);
        let rest = u32::BITS - bits;
        let mut begins = vec![0; (1 << bits) + 1];
        features.iter().for_each(|feature| begins[(feature >> rest) as usize + 1] += 1);
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        FeatureBegins { rest, begins }
    }

    /// Places of features with the same first bits.
    fn of(&self, feature: u32) -> std::ops::Range<usize> {
        let first = (feature >> self.rest) as usize;
        self.begins[first] as usize..self.begins[first + 1] as usize
    }
}

/// The first line of a file and what stands behind it.
fn line(bytes: &[u8]) -> Result<(&str, &[u8]), NoSequenceModel> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(NoSequenceModel)?;
    let line = str::from_utf8(&bytes[..end]).map_err(|_| NoSequenceModel)?;
    Ok((line, &bytes[end + 1..]))
}

/// What is likely of numbers and weights, learnt while they are coded.
struct Chances {
    lengths: [BitProbability; 33],
    digits: [BitProbability; 32],
    /// For each label: whether its weight is zero (behind one that was, or was not), its sign.
    zero: Vec<[BitProbability; 2]>,
    sign: Vec<BitProbability>,
    /// Whether a weight is still greater.
    greater: [BitProbability; 128],
    was_zero: bool,
}

impl Chances {
    fn new(labels: usize) -> Chances {
        Chances {
            lengths: [BitProbability::default(); 33],
            digits: [BitProbability::default(); 32],
            zero: vec![[BitProbability::default(); 2]; labels],
            sign: vec![BitProbability::default(); labels],
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

    fn write_weight(&mut self, coder: &mut Encoder, label: usize, weight: i8) {
        coder.bit(&mut self.zero[label][usize::from(self.was_zero)], weight == 0);
        self.was_zero = weight == 0;
        if weight == 0 {
            return;
        }
        coder.bit(&mut self.sign[label], weight < 0);
        let size = weight.unsigned_abs().min(127);
        for at in 1..127 {
            coder.bit(&mut self.greater[usize::from(at)], at < size);
            if at >= size {
                break;
            }
        }
    }

    fn read_weight(&mut self, coder: &mut Decoder<'_>, label: usize) -> i8 {
        self.was_zero = coder.bit(&mut self.zero[label][usize::from(self.was_zero)]);
        if self.was_zero {
            return 0;
        }
        let is_negative = coder.bit(&mut self.sign[label]);
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
            joints in 1_usize..4,
            source in "[a-z ]{0,9}",
        ) {
            let features: Vec<u32> = features.into_iter().collect();
            let chain = weights[..(3 * joints + 1) * 3].to_vec();
            let chain = Chain::with_weights(3, chain).unwrap();
            let labels = ["NOUN", "VERB", "X"].map(str::to_owned).to_vec();
            let weights = &weights[..features.len() * 3];
            let model = SequenceModel::new(labels, &chain, features, weights).with_source(&source);
            prop_assert_eq!(SequenceModel::read(&model.write()), Ok(model));
        }

        #[test]
        fn no_bytes_make_the_reader_fail(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = SequenceModel::read(&bytes);
            let _ = SequenceModel::read(&[b"fyke tags 1\nA B\n", &bytes[..]].concat());
            let _ = SequenceModel::read(&[b"fyke labels 1\nA B\n7 x\n", &bytes[..]].concat());
        }
    }
}
