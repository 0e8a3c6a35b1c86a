//! A trained model: what is known of some languages, and the file it is kept in.
//!
//! The file: a line that names the format, a line of codes (a language written in two scripts has
//! two lanes, so its code comes twice), a line of what an n-gram of each weighs in the mean, the table of n-gram weights, a line of groups of rivals,
//! the table of their weights, and for each lane its profile of ranked n-grams.

use super::table::{LANES, NgramRows, NgramTable};
use std::borrow::Cow;

/// First line of a file.
const FORMAT: &[u8] = b"fyke languages 1";
/// Most n-grams of a profile.
const MOST_RANKS: usize = 65_535;

/// What is known of some languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageModel {
    /// Code of each lane.
    pub(super) codes: Vec<String>,
    /// What the n-grams of a lane's own texts weigh in the mean.
    pub(super) means: Vec<u8>,
    /// Weights of n-grams in each lane.
    pub(super) grams: NgramTable,
    /// Lanes that are hard to tell apart, a list each.
    pub(super) rivals: Vec<Vec<u8>>,
    /// Weights of the features that tell rivals apart; its lanes are those of all groups in turn.
    pub(super) contrasts: NgramTable,
    /// Keys of the most frequent n-grams of each lane, the most frequent first.
    pub(super) profiles: Vec<Vec<u32>>,
}

/// The parts of a model, as the trainer has them.
#[derive(Debug, Default)]
pub(super) struct ModelParts {
    pub codes: Vec<String>,
    pub means: Vec<u8>,
    pub grams: NgramRows,
    pub rivals: Vec<Vec<u8>>,
    pub contrasts: NgramRows,
    pub profiles: Vec<Vec<u32>>,
}

/// What a file of bytes that is no model gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoModel;

impl std::fmt::Display for NoModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a language model, or a damaged one; `fyke language train` writes them")
    }
}

impl std::error::Error for NoModel {}

impl LanguageModel {
    /// Reads a file that [`LanguageModel::write`] wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<LanguageModel, NoModel> {
        parse(bytes.into()).ok_or(NoModel)
    }

    /// Codes of the languages, sorted, each once.
    #[must_use]
    pub fn codes(&self) -> Vec<&str> {
        let mut codes: Vec<&str> = self.codes.iter().map(String::as_str).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// In how many scripts the language of a lane is written; each has its part of the texts.
    pub(super) fn lanes_of(&self, lane: u8) -> usize {
        let code = self.codes.get(usize::from(lane));
        self.codes.iter().filter(|other| Some(*other) == code).count().max(1)
    }

    /// The group of rivals that a lane is in, and the place of its first one in `contrasts`.
    pub(super) fn rivals_of(&self, lane: u8) -> Option<(&[u8], usize)> {
        let mut first = 0;
        for group in &self.rivals {
            if group.contains(&lane) {
                return Some((group, first));
            }
            first += group.len();
        }
        None
    }
}

/// The file of a model.
pub(super) fn write(parts: &ModelParts) -> Vec<u8> {
    let mut bytes = FORMAT.to_vec();
    bytes.push(b'\n');
    bytes.extend(parts.codes.join(" ").bytes());
    bytes.push(b'\n');
    let numbers = |list: &Vec<u8>| list.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    bytes.extend(numbers(&parts.means).bytes());
    bytes.push(b'\n');
    bytes.extend(NgramTable::write(&parts.grams, parts.codes.len()));
    bytes.extend(parts.rivals.iter().map(numbers).collect::<Vec<_>>().join("|").bytes());
    bytes.push(b'\n');
    bytes.extend(NgramTable::write(&parts.contrasts, parts.rivals.iter().map(Vec::len).sum()));
    for profile in &parts.profiles {
        let profile = &profile[..profile.len().min(MOST_RANKS)];
        bytes.extend((profile.len() as u16).to_le_bytes());
        bytes.extend(profile.iter().flat_map(|key| key.to_le_bytes()));
    }
    bytes
}

fn parse(bytes: Cow<'static, [u8]>) -> Option<LanguageModel> {
    let (format, rest) = line(bytes)?;
    let (codes, rest) = line(rest)?;
    let codes: Vec<String> = codes.split(' ').map(str::to_owned).collect();
    if format.as_bytes() != FORMAT || codes.len() > LANES || codes.iter().any(String::is_empty) {
        return None;
    }
    let (means, rest) = line(rest)?;
    let means = numbers(&means).filter(|means| means.len() == codes.len())?;
    let (grams, rest) = NgramTable::read(rest, codes.len())?;
    let (groups, rest) = line(rest)?;
    let rivals = groups.split('|').filter(|group| !group.is_empty()).map(|group| {
        numbers(group).filter(|group| group.iter().all(|&lane| usize::from(lane) < codes.len()))
    });
    let rivals: Vec<Vec<u8>> = rivals.collect::<Option<_>>()?;
    let (contrasts, rest) = NgramTable::read(rest, rivals.iter().map(Vec::len).sum())?;
    let mut rest = rest.as_ref();
    let profiles: Option<Vec<_>> = codes.iter().map(|_| profile(&mut rest)).collect();
    rest.is_empty().then_some(())?;
    Some(LanguageModel { codes, means, grams, rivals, contrasts, profiles: profiles? })
}

fn numbers(line: &str) -> Option<Vec<u8>> {
    line.split(' ').map(|number| number.parse().ok()).collect()
}

/// The line that `bytes` begin with, and what follows it.
fn line(bytes: Cow<'static, [u8]>) -> Option<(String, Cow<'static, [u8]>)> {
    let end = bytes.iter().position(|&b| b == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?.to_owned();
    let rest = match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[end + 1..]),
        Cow::Owned(mut bytes) => Cow::Owned(bytes.split_off(end + 1)),
    };
    Some((line, rest))
}

fn profile(bytes: &mut &[u8]) -> Option<Vec<u32>> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = 4 * usize::from(u16::from_le_bytes(*length));
    let (keys, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    let keys = keys.as_chunks::<4>().0;
    Some(keys.iter().map(|key| u32::from_le_bytes(*key)).collect())
}
