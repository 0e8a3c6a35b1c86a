//! No learning: the same way and length all the time (004 §4), as OR-3.

use super::{Learner, LearntShare, QueryChoice, QueryLesson, TermsChoice};
use crate::terms::{Dice, selector};

/// One choice for ever.
#[derive(Clone, Debug)]
pub struct Fixed(QueryChoice);

impl Fixed {
    /// By its name, as `OR-3`: the way, and how many terms are included and excluded. `OR-1-0` excludes
    /// none.
    #[must_use]
    pub fn named(name: &str) -> Option<Fixed> {
        let mut parts = name.split('-');
        let selector = selector(parts.next()?)?;
        let length: usize = parts.next()?.parse().ok()?;
        let excluded: usize = parts.next().map_or(Some(length), |text| text.parse().ok())?;
        let is_right = (1..=10).contains(&length) && excluded <= 10 && parts.next().is_none();
        let of = |length| TermsChoice { selector, length };
        is_right.then(|| Fixed(QueryChoice { include: of(length), exclude: of(excluded) }))
    }
}

impl Learner for Fixed {
    fn choose(&mut self, _: &mut Dice) -> QueryChoice {
        self.0
    }

    fn learn(&mut self, _: &QueryChoice, _: QueryLesson) {}

    fn shares(&self) -> Vec<LearntShare> {
        Vec::new()
    }
}
