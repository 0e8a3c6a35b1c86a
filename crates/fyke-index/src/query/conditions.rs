//! Which bits of a document's mask decide whether it is a hit: the query's tree, made ready for a
//! million questions.

use super::{Clause, ClauseScope, MAX_BOUND, Occur, PartSequence, Query, TreePart, tree};

/// The conditions of a query, over a mask with a bit for each of its clauses. Where there are more clauses than
/// bits, those that are only wished for share one.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// The bit of each clause, by its place.
    pub bits: Vec<u64>,
    /// The clauses that add to the score.
    scored: u64,
    all: ConditionGroup,
    /// The answer for every mask, where there are few clauses.
    answers: Vec<bool>,
}

/// So many clauses are few.
const FEW: usize = 8;

/// The conditions of what stands side by side.
#[derive(Debug, Default)]
struct ConditionGroup {
    must: u64,
    must_not: u64,
    /// One of several sites, languages, formats or labels of a name is enough.
    any: Vec<(ClauseScope, u64)>,
    /// One of the words that are only wished for, where nothing else asks for words.
    wishes: u64,
    /// Of each the groups of which one must hold, or none.
    either: Vec<(bool, Vec<ConditionGroup>)>,
}

impl Conditions {
    pub fn of(query: &Query) -> Conditions {
        let bits = bits(query);
        let scored = query.clauses.iter().zip(&bits).filter(|(clause, _)| clause.is_scored());
        let scored = scored.fold(0, |mask, (_, bit)| mask | bit);
        let all = group(&query.tree, &query.clauses, &bits);
        let masks = if query.clauses.len() <= FEW { 1 << query.clauses.len() } else { 0 };
        let answers = (0..masks).map(|mask| all.holds(mask)).collect();
        Conditions { bits, scored, all, answers }
    }

    /// How many clauses add to the score, where each has a bit of its own.
    pub fn scored(&self) -> Option<u32> {
        (self.bits.len() <= u64::BITS as usize).then_some(self.scored.count_ones())
    }

    /// How many of them a document with this mask has.
    pub fn found(&self, mask: u64) -> u32 {
        (mask & self.scored).count_ones()
    }

    /// Whether a document with this mask is a hit.
    pub fn hold(&self, mask: u64) -> bool {
        match self.answers.get(mask as usize) {
            Some(answer) => *answer,
            None => self.all.holds(mask),
        }
    }
}

/// The bit of each clause.
fn bits(query: &Query) -> Vec<u64> {
    let clauses = query.clauses.len();
    if clauses <= u64::BITS as usize {
        return (0..clauses).map(|place| 1 << place).collect();
    }
    let mut next = 0;
    let bits = tree::bound(&query.tree, clauses).into_iter().map(|is_bound| match is_bound {
        true => {
            next += 1;
            1 << (next - 1)
        }
        false => 1 << MAX_BOUND,
    });
    bits.collect()
}

impl ConditionGroup {
    /// The bits of which one is enough.
    fn choice(&mut self, scope: ClauseScope) -> &mut u64 {
        let known = self.any.iter().position(|(known, _)| *known == scope);
        let at = known.unwrap_or_else(|| {
            self.any.push((scope, 0));
            self.any.len() - 1
        });
        &mut self.any[at].1
    }

    fn holds(&self, mask: u64) -> bool {
        let one_of = |group: u64| group == 0 || mask & group != 0;
        let either = |(wanted, groups): &(bool, Vec<ConditionGroup>)| {
            groups.iter().any(|group| group.holds(mask)) == *wanted
        };
        mask & self.must == self.must
            && mask & self.must_not == 0
            && self.any.iter().all(|(_, group)| one_of(*group))
            && one_of(self.wishes)
            && self.either.iter().all(either)
    }
}

fn group(sequence: &PartSequence, clauses: &[Clause], bits: &[u64]) -> ConditionGroup {
    let mut group_of = ConditionGroup::default();
    let mut demands_words = false;
    for item in sequence {
        let occur = item.occur;
        match &item.part {
            TreePart::Clause(place) => {
                let (bit, scope) = (bits[*place], clauses[*place].scope);
                let bits = match (occur, scope) {
                    (Occur::MustNot, _) => &mut group_of.must_not,
                    (_, scope) if scope.is_choice() => group_of.choice(scope),
                    (Occur::Must, _) => &mut group_of.must,
                    (Occur::Should, _) => &mut group_of.wishes,
                };
                *bits |= bit;
                demands_words |= occur == Occur::Must && !scope.is_condition();
            }
            TreePart::Either(choices) => {
                let groups = choices.iter().map(|choice| group(choice, clauses, bits)).collect();
                let wanted = occur != Occur::MustNot;
                group_of.either.push((wanted, groups));
                demands_words |= wanted && item.asks_words(clauses);
            }
        }
    }
    if demands_words {
        group_of.wishes = 0;
    }
    group_of
}
