//! Our own learner: a bandit over whole queries. An arm is a way with its lengths; what it is worth is
//! the new relevant documents that a query of it brings, times the share of relevant ones among what it
//! brings. The first is drawn from what is believed of it (Thompson 1933), a Gamma distribution; what is
//! past fades, since a way that is used up was good once. Inclusion terms are sent once only.
//!
//! The arms were chosen on Slovak, Galician and Hungarian, of which no published figure is.

use super::{Learner, LearntShare, QueryChoice, QueryLesson, QueryResult, TermsChoice};
use crate::terms::{Dice, selector};

/// The arms: way and number of inclusion terms, way and number of exclusion terms.
const ARMS: &[(&str, usize, &str, usize)] = &[("OR", 1, "OR", 3), ("PAIR", 2, "OR", 3)];
/// What is left of what is known of an arm after another query of it.
const KEPT: f64 = 0.98;

#[derive(Clone, Debug)]
struct QueryArm {
    choice: QueryChoice,
    queries: f64,
    found: f64,
    wrong: f64,
}

impl QueryArm {
    /// Shape and scale of what is believed of the documents found by one query.
    fn belief(&self) -> (f64, f64) {
        (self.found + 1.0, 1.0 / (self.queries + 0.5))
    }

    /// Relevant documents among those it brought.
    fn share(&self) -> f64 {
        (self.found + 1.0) / (self.found + self.wrong + 1.5)
    }

    fn name(&self) -> String {
        let QueryChoice { include, exclude } = &self.choice;
        format!("{}-{}-{}", include.selector.name, include.length, exclude.length)
    }
}

/// The arms with what is known of them.
#[derive(Clone, Debug)]
pub struct Bandit {
    arms: Vec<QueryArm>,
    /// The arm chosen last.
    current: usize,
}

impl Default for Bandit {
    fn default() -> Bandit {
        let side = |name, length| TermsChoice {
            selector: selector(name).expect("the arms are rows of the table"),
            length,
        };
        let arms = ARMS.iter().map(|&(include, most, exclude, without)| QueryArm {
            choice: QueryChoice { include: side(include, most), exclude: side(exclude, without) },
            queries: 0.0,
            found: 0.0,
            wrong: 0.0,
        });
        Bandit { arms: arms.collect(), current: 0 }
    }
}

impl Learner for Bandit {
    fn choose(&mut self, dice: &mut Dice) -> QueryChoice {
        let mut best = f64::MIN;
        for (place, arm) in self.arms.iter().enumerate() {
            let (shape, scale) = arm.belief();
            let worth = dice.gamma(shape, scale) * arm.share();
            if worth > best {
                (best, self.current) = (worth, place);
            }
        }
        self.arms[self.current].choice
    }

    fn learn(&mut self, _: &QueryChoice, lesson: QueryLesson) {
        let Some(arm) = self.arms.get_mut(self.current) else { return };
        if lesson.is_new {
            arm.queries = arm.queries * KEPT + 1.0;
            arm.found *= KEPT;
            arm.wrong *= KEPT;
        }
        match lesson.result {
            QueryResult::Found => arm.found += 1.0,
            QueryResult::Wrong => arm.wrong += 1.0,
            // A kind that gives no query at all is let alone for a while.
            QueryResult::Nothing if !lesson.is_new => arm.queries += 1.0,
            QueryResult::Nothing => {}
        }
    }

    fn shares(&self) -> Vec<LearntShare> {
        let worth = |arm: &QueryArm| arm.belief().0 * arm.belief().1 * arm.share();
        let all: f64 = self.arms.iter().map(worth).sum();
        let show = |arm: &QueryArm| {
            let share = worth(arm) / all;
            LearntShare { parameter: "query", value: arm.name(), share }
        };
        self.arms.iter().map(show).collect()
    }

    fn repeats_inclusions(&self) -> bool {
        false
    }
}
