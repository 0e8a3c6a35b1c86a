//! 004's learners: ways and lengths of inclusion and of exclusion learnt apart from each other.

use super::lengths::{GammaLengths, LONGEST};
use super::{
    Learner, LearntShare, MemoryKind, QueryChoice, QueryLesson, QueryResult, Scores, TermsChoice,
};
use crate::terms::{Dice, TermSelector, selector};

/// The ways that are learnt about (004 §5.1).
const WAYS: [&str; 4] = ["TF", "PTF", "OR", "POR"];

/// How lengths are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthModel {
    /// II: each length by itself.
    Multinomial,
    /// ID: near lengths alike.
    Gamma,
    /// IF: the same all the time, on either side (004 §5.3.1).
    Fixed(usize),
}

#[derive(Clone, Debug)]
enum Lengths {
    Multinomial(Scores),
    Gamma(GammaLengths),
    Fixed(usize),
}

/// What is learnt of one side of a query.
#[derive(Clone, Debug)]
struct SideLearnt {
    ways: Scores,
    lengths: Lengths,
}

/// Four independent distributions.
#[derive(Clone, Debug)]
pub struct FourMultinomials {
    include: SideLearnt,
    exclude: SideLearnt,
}

impl FourMultinomials {
    #[must_use]
    pub fn new(kind: MemoryKind, model: LengthModel) -> FourMultinomials {
        let lengths = match model {
            LengthModel::Multinomial => Lengths::Multinomial(Scores::new(kind, LONGEST + 1)),
            LengthModel::Gamma => Lengths::Gamma(GammaLengths::new(kind)),
            LengthModel::Fixed(length) => Lengths::Fixed(length),
        };
        let side = SideLearnt { ways: Scores::new(kind, WAYS.len()), lengths };
        FourMultinomials { include: side.clone(), exclude: side }
    }
}

/// The selector of a way.
fn way(place: usize) -> &'static TermSelector {
    selector(WAYS[place]).expect("004's ways are rows of the table")
}

impl SideLearnt {
    fn choose(&self, dice: &mut Dice) -> TermsChoice {
        let selector = way(self.ways.draw(dice));
        let length = match &self.lengths {
            Lengths::Multinomial(scores) => scores.draw(dice),
            Lengths::Gamma(gamma) => gamma.draw(dice),
            Lengths::Fixed(length) => *length,
        };
        TermsChoice { selector, length }
    }

    fn learn(&mut self, choice: TermsChoice, is_success: bool) {
        if let Some(place) = WAYS.iter().position(|name| *name == choice.selector.name) {
            self.ways.learn(place, is_success);
        }
        match &mut self.lengths {
            Lengths::Multinomial(scores) => scores.learn(choice.length, is_success),
            Lengths::Gamma(gamma) => gamma.learn(choice.length, is_success),
            Lengths::Fixed(_) => {}
        }
    }

    fn shares(&self, names: [&'static str; 2]) -> Vec<LearntShare> {
        let ways = self.ways.shares().into_iter().zip(WAYS).map(|(share, value)| LearntShare {
            parameter: names[0],
            value: value.to_owned(),
            share,
        });
        let lengths = match &self.lengths {
            Lengths::Multinomial(scores) => scores.shares(),
            Lengths::Gamma(_) | Lengths::Fixed(_) => Vec::new(),
        };
        let lengths = lengths.into_iter().enumerate().map(|(length, share)| LearntShare {
            parameter: names[1],
            value: length.to_string(),
            share,
        });
        ways.chain(lengths).collect()
    }
}

impl Learner for FourMultinomials {
    fn choose(&mut self, dice: &mut Dice) -> QueryChoice {
        QueryChoice { include: self.include.choose(dice), exclude: self.exclude.choose(dice) }
    }

    fn learn(&mut self, choice: &QueryChoice, lesson: QueryLesson) {
        let is_success = lesson.result == QueryResult::Found;
        self.include.learn(choice.include, is_success);
        self.exclude.learn(choice.exclude, is_success);
    }

    fn shares(&self) -> Vec<LearntShare> {
        let include = self.include.shares(["include method", "include length"]);
        let exclude = self.exclude.shares(["exclude method", "exclude length"]);
        include.into_iter().chain(exclude).collect()
    }
}
