//! What learns which queries are worth sending (004 §5): a row for each in [`LEARNERS`].
//!
//! 004's learners have four independent distributions: the way of inclusion and of exclusion, and the
//! two lengths from 0 to 10. A document of another language and a query without anything new are both
//! failures. Our own values whole queries by what they bring.

mod bandit;
mod fixed;
mod four;
mod lengths;
mod memory;

pub use bandit::Bandit;
pub use fixed::Fixed;
pub use four::{FourMultinomials, LengthModel};
pub use memory::{MemoryKind, Scores};

use super::{Dice, TermSelector};

/// A way to choose terms with the number of them.
#[derive(Clone, Copy, Debug)]
pub struct TermsChoice {
    pub selector: &'static TermSelector,
    pub length: usize,
}

/// The four parameters of a query.
#[derive(Clone, Copy, Debug)]
pub struct QueryChoice {
    pub include: TermsChoice,
    pub exclude: TermsChoice,
}

/// What a step brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryResult {
    /// A new relevant document.
    Found,
    /// A document that is not relevant, or cannot be had.
    Wrong,
    /// No document that was not seen.
    Nothing,
}

/// What a learner is told of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLesson {
    pub result: QueryResult,
    /// The query was sent for this step.
    pub is_new: bool,
}

/// The probability that a learner gives to a value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct LearntShare {
    pub parameter: &'static str,
    pub value: String,
    pub share: f64,
}

/// One that chooses queries and learns from what they bring.
pub trait Learner: std::fmt::Debug + Send {
    fn choose(&mut self, dice: &mut Dice) -> QueryChoice;
    fn learn(&mut self, choice: &QueryChoice, lesson: QueryLesson);
    /// What it has learnt, to be shown.
    fn shares(&self) -> Vec<LearntShare>;
    /// Whether inclusion terms that were sent may be sent again with other exclusions, as 004 does.
    fn repeats_inclusions(&self) -> bool {
        true
    }
}

/// A learner that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct LearnerRow {
    pub name: &'static str,
    pub what: &'static str,
    pub make: fn() -> Box<dyn Learner>,
}

/// The learners; our own is the first.
pub const LEARNERS: &[LearnerRow] = &[
    LearnerRow {
        name: "bandit",
        what: "values whole queries by new documents per query and per document",
        make: || Box::new(Bandit::default()),
    },
    LearnerRow {
        name: "MLII",
        what: "memory-less: the same again after success, another after failure",
        make: || four(MemoryKind::Less, LengthModel::Multinomial),
    },
    LearnerRow {
        name: "LTAII",
        what: "long-term memory, successes over all uses",
        make: || four(MemoryKind::LongAdditive, LengthModel::Multinomial),
    },
    LearnerRow {
        name: "LTMII",
        what: "long-term memory, doubled on success and halved on failure",
        make: || four(MemoryKind::LongMultiplicative, LengthModel::Multinomial),
    },
    LearnerRow {
        name: "FMII",
        what: "fading memory",
        make: || four(MemoryKind::Fading, LengthModel::Multinomial),
    },
    LearnerRow {
        name: "LTAID",
        what: "as LTAII, lengths from a Gamma distribution",
        make: || four(MemoryKind::LongAdditive, LengthModel::Gamma),
    },
    LearnerRow {
        name: "LTMID",
        what: "as LTMII, lengths from a Gamma distribution",
        make: || four(MemoryKind::LongMultiplicative, LengthModel::Gamma),
    },
    LearnerRow {
        name: "FMID",
        what: "as FMII, lengths from a Gamma distribution",
        make: || four(MemoryKind::Fading, LengthModel::Gamma),
    },
];

fn four(memory: MemoryKind, lengths: LengthModel) -> Box<dyn Learner> {
    Box::new(FourMultinomials::new(memory, lengths))
}

/// The memories by the names that 004 gives them.
const MEMORIES: [(&str, MemoryKind); 4] = [
    ("ML", MemoryKind::Less),
    ("LTA", MemoryKind::LongAdditive),
    ("LTM", MemoryKind::LongMultiplicative),
    ("FM", MemoryKind::Fading),
];

/// A learner by its name, a memory with lengths that stay the same (`FMIF-3`), or a fixed way (`OR-3`).
#[must_use]
pub fn learner(name: &str) -> Option<Box<dyn Learner>> {
    if let Some(row) = LEARNERS.iter().find(|row| row.name == name) {
        return Some((row.make)());
    }
    if let Some((memory, length)) = name.split_once("IF-") {
        let (_, kind) = *MEMORIES.iter().find(|row| row.0 == memory)?;
        let length =
            length.parse().ok().filter(|length| (1..=lengths::LONGEST).contains(length))?;
        return Some(four(kind, LengthModel::Fixed(length)));
    }
    Some(Box::new(Fixed::named(name)?))
}

#[cfg(test)]
mod tests;
