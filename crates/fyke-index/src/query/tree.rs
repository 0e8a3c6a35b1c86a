//! How the clauses of a query belong together (Boolean retrieval). A sequence is what
//! stands side by side: wishes, demands and prohibitions. `OR` and brackets make one part of a
//! sequence out of several. Whatever was typed is brought into one normal form, in which only
//! signs, brackets and `OR` are left, so that a description is short and parses back.

use super::{Clause, Form, LeftOut, MAX_BOUND, MAX_CLAUSES, Occur};
use crate::languages::QueryLanguages;
use std::collections::HashMap;

/// Brackets in brackets; what lies deeper is taken as words.
const MAX_DEPTH: usize = 16;

/// No name is longer, in words.
const MAX_NAME: usize = 16;

/// What stands side by side.
pub(super) type PartSequence = Vec<SignedPart>;

/// A part of a sequence with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SignedPart {
    pub occur: Occur,
    pub part: TreePart,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TreePart {
    /// The place of a clause.
    Clause(usize),
    /// One of several sequences; its item must hold or must not.
    Either(Vec<PartSequence>),
}

impl SignedPart {
    pub fn clause(occur: Occur, place: usize) -> SignedPart {
        SignedPart { occur, part: TreePart::Clause(place) }
    }

    pub fn either(occur: Occur, choices: Vec<PartSequence>) -> SignedPart {
        SignedPart { occur, part: TreePart::Either(choices) }
    }

    /// The item with the opposite meaning.
    fn negated(mut self, clauses: &[Clause]) -> SignedPart {
        self.occur = match (self.occur, &self.part) {
            (Occur::MustNot, TreePart::Clause(place)) => natural(&clauses[*place]),
            (Occur::MustNot, TreePart::Either(_)) => Occur::Must,
            _ => Occur::MustNot,
        };
        self
    }

    fn demanded(mut self) -> SignedPart {
        if self.occur == Occur::Should {
            self.occur = Occur::Must;
        }
        self
    }

    /// Whether it asks for words that add to the score.
    pub fn asks_words(&self, clauses: &[Clause]) -> bool {
        match &self.part {
            _ if self.occur == Occur::MustNot => false,
            TreePart::Clause(place) => !clauses[*place].scope.is_condition(),
            TreePart::Either(choices) => {
                choices.iter().flatten().any(|item| item.asks_words(clauses))
            }
        }
    }
}

/// How a clause stands without a sign.
pub(super) fn natural(clause: &Clause) -> Occur {
    if clause.is_must_by_itself() { Occur::Must } else { Occur::Should }
}

/// The normal form of a sequence: no empty part, none twice, no brackets around a single thing.
fn tidy(sequence: PartSequence, clauses: &[Clause], languages: &QueryLanguages) -> PartSequence {
    let mut kept: PartSequence = Vec::new();
    for item in sequence {
        let item = match item.part {
            TreePart::Clause(_) => Some(item),
            TreePart::Either(choices) => tidy_either(item.occur, choices, clauses, languages),
        };
        let is_again = |item: &SignedPart| item.occur == Occur::Should || !kept.contains(item);
        kept.extend(item.filter(is_again));
    }
    drop_stop_words(&mut kept, clauses, languages);
    match &mut kept[..] {
        [SignedPart { occur: Occur::Must, part: TreePart::Either(choices) }]
            if choices.len() == 1 =>
        {
            choices.remove(0)
        }
        _ => kept,
    }
}

fn tidy_either(
    occur: Occur,
    choices: Vec<PartSequence>,
    clauses: &[Clause],
    languages: &QueryLanguages,
) -> Option<SignedPart> {
    let mut kept: Vec<PartSequence> = Vec::new();
    for choice in choices {
        for choice in unwrapped(tidy(choice, clauses, languages), clauses) {
            if !kept.contains(&choice) {
                kept.push(choice);
            }
        }
    }
    let single = kept.len() == 1 && kept[0].len() == 1;
    match kept.first_mut().filter(|_| single).and_then(Vec::pop) {
        Some(item) if occur == Occur::MustNot => Some(item.negated(clauses)),
        Some(item) => Some(item.demanded()),
        None => (!kept.is_empty()).then(|| SignedPart::either(occur, kept)),
    }
}

/// A choice without what brackets around it would say; several when it is a choice itself.
fn unwrapped(mut choice: PartSequence, clauses: &[Clause]) -> Vec<PartSequence> {
    match &mut choice[..] {
        [] => return Vec::new(),
        [SignedPart { occur: Occur::Must, part: TreePart::Either(inner) }] => {
            return std::mem::take(inner);
        }
        [SignedPart { occur: occur @ Occur::Must, part: TreePart::Clause(place) }] => {
            *occur = natural(&clauses[*place]);
        }
        _ => {}
    }
    vec![choice]
}

/// Leaves stop words out where other words remain to rank by (003 §4.3.3).
fn drop_stop_words(sequence: &mut PartSequence, clauses: &[Clause], languages: &QueryLanguages) {
    let is_droppable = |item: &SignedPart| match &item.part {
        TreePart::Clause(place) if item.occur == Occur::Should => {
            let clause = &clauses[*place];
            clause.form == Form::Stem && languages.has_stop(&clause.words[0])
        }
        _ => false,
    };
    if sequence.iter().any(|item| item.asks_words(clauses) && !is_droppable(item)) {
        sequence.retain(|item| !is_droppable(item));
    }
}

/// The places of the clauses, in order, each with whether it speaks for a document.
fn leaves(sequence: &PartSequence) -> Vec<(usize, bool)> {
    let mut found = Vec::new();
    for item in sequence {
        let is_for = item.occur != Occur::MustNot;
        match &item.part {
            TreePart::Clause(place) => found.push((*place, is_for)),
            TreePart::Either(choices) => {
                let inner = choices.iter().flat_map(leaves);
                found.extend(inner.map(|(place, inner)| (place, inner == is_for)));
            }
        }
    }
    found
}

/// Depth of the brackets in the description.
fn depth(sequence: &PartSequence) -> usize {
    let choice_depth = |choice: &PartSequence| depth(choice) + usize::from(choice.len() > 1);
    let item_depth = |item: &SignedPart| match &item.part {
        TreePart::Clause(_) => 0,
        TreePart::Either(choices) => {
            let bracket = usize::from(item.occur == Occur::MustNot);
            choices.iter().map(choice_depth).max().unwrap_or(0) + bracket
        }
    };
    sequence.iter().map(item_depth).max().unwrap_or(0)
}

/// The tree in its normal form without clauses that are too many, and the others, in its order. Each says
/// by its `occur` what it means for a document: a clause that speaks for it anywhere does so.
pub(super) fn settle(
    sequence: PartSequence,
    clauses: &[Clause],
    languages: &QueryLanguages,
) -> (Vec<Clause>, PartSequence) {
    let mut tree = tidy(sequence, clauses, languages);
    if depth(&tree) > MAX_DEPTH {
        let flat = |(place, is_for): (usize, bool)| {
            let occur = if is_for { natural(&clauses[place]) } else { Occur::MustNot };
            SignedPart::clause(occur, place)
        };
        tree = tidy(leaves(&tree).into_iter().map(flat).collect(), clauses, languages);
    }
    let places = kept_places(&tree, clauses.len());
    let mut kept: Vec<Clause> = places.iter().map(|place| clauses[*place].clone()).collect();
    let numbers = places.into_iter().enumerate().map(|(new, old)| (old, new)).collect();
    let tree = tidy(renumbered(tree, &numbers), &kept, languages);
    let meanings = meanings(&tree, kept.len());
    for (clause, occur) in kept.iter_mut().zip(meanings) {
        clause.occur = occur;
    }
    (kept, tree)
}

/// The places of the clauses that are kept, in order, each once.
fn kept_places(tree: &PartSequence, clauses: usize) -> Vec<usize> {
    let bound = bound(tree, clauses);
    let (mut is_known, mut bound_ones) = (vec![false; clauses], 0);
    let mut places = Vec::new();
    for (place, _) in leaves(tree) {
        let fits = places.len() < MAX_CLAUSES && (!bound[place] || bound_ones < MAX_BOUND);
        if fits && !std::mem::replace(&mut is_known[place], true) {
            places.push(place);
            bound_ones += usize::from(bound[place]);
        }
    }
    places
}

/// Of each clause, whether it stands anywhere but as a wish beside all others.
pub(super) fn bound(tree: &PartSequence, clauses: usize) -> Vec<bool> {
    let mut bound = vec![false; clauses];
    for item in tree {
        match &item.part {
            TreePart::Clause(place) => bound[*place] |= item.occur != Occur::Should,
            TreePart::Either(choices) => {
                choices.iter().flat_map(leaves).for_each(|(place, _)| bound[place] = true);
            }
        }
    }
    bound
}

/// How often each clause speaks for a document.
pub(super) fn counts(tree: &PartSequence, clauses: usize) -> Vec<u32> {
    let mut counts = vec![0; clauses];
    for (place, _) in leaves(tree).into_iter().filter(|(_, is_for)| *is_for) {
        counts[place] += 1;
    }
    counts
}

/// The words of a query that is nothing but words, in their order.
pub(super) fn name(tree: &PartSequence, clauses: &[Clause]) -> Vec<String> {
    let words = tree.iter().map(|item| match &item.part {
        TreePart::Clause(place) if clauses[*place].is_plain() && item.occur == Occur::Should => {
            Some(clauses[*place].plain_words())
        }
        _ => None,
    });
    let words: Option<Vec<&[String]>> = words.collect();
    words.unwrap_or_default().into_iter().flatten().take(MAX_NAME).cloned().collect()
}

/// What stands beside all others and must not be there.
pub(super) fn left_out(tree: &PartSequence, clauses: &[Clause]) -> Vec<LeftOut> {
    let forbidden = tree.iter().enumerate().filter(|(_, item)| item.occur == Occur::MustNot);
    let left_out = forbidden.map(|(at, item)| {
        let mut rest = tree.clone();
        let wish = match &item.part {
            TreePart::Clause(place) => Some(*place).filter(|place| clauses[*place].is_wish()),
            TreePart::Either(_) => None,
        };
        match wish {
            Some(_) => rest[at].occur = Occur::Should,
            None => drop(rest.remove(at)),
        }
        let what = describe_item(&tree[at], clauses);
        let what = what.strip_prefix('-').or(what.strip_prefix("NOT ")).unwrap_or(&what).to_owned();
        LeftOut { what, undo: describe(&rest, clauses) }
    });
    left_out.collect()
}

/// The tree with clauses known by their place in `places`; without those that have none.
fn renumbered(sequence: PartSequence, places: &HashMap<usize, usize>) -> PartSequence {
    let renumber = |item: SignedPart| {
        let part = match item.part {
            TreePart::Clause(old) => TreePart::Clause(*places.get(&old)?),
            TreePart::Either(choices) => {
                TreePart::Either(choices.into_iter().map(|c| renumbered(c, places)).collect())
            }
        };
        Some(SignedPart { occur: item.occur, part })
    };
    sequence.into_iter().filter_map(renumber).collect()
}

/// What each clause means for a document, wherever it stands.
fn meanings(tree: &PartSequence, clauses: usize) -> Vec<Occur> {
    let mut meanings = vec![Occur::MustNot; clauses];
    for (place, _) in leaves(tree).into_iter().filter(|(_, is_for)| *is_for) {
        meanings[place] = Occur::Should;
    }
    for item in tree.iter().filter(|item| item.occur == Occur::Must) {
        if let TreePart::Clause(place) = item.part {
            meanings[place] = Occur::Must;
        }
    }
    meanings
}

/// The sequence as it could have been typed.
pub(super) fn describe(sequence: &PartSequence, clauses: &[Clause]) -> String {
    let item = |item: &SignedPart| describe_item(item, clauses);
    sequence.iter().map(item).collect::<Vec<_>>().join(" ")
}

fn describe_item(item: &SignedPart, clauses: &[Clause]) -> String {
    let choices = match &item.part {
        TreePart::Clause(place) => return clauses[*place].written(item.occur),
        TreePart::Either(choices) => choices,
    };
    if let [choice] = &choices[..] {
        let sign = if item.occur == Occur::MustNot { '-' } else { '+' };
        return format!("{sign}({})", describe(choice, clauses));
    }
    let choice = |choice: &PartSequence| match choice.len() {
        1 => describe(choice, clauses),
        _ => format!("({})", describe(choice, clauses)),
    };
    let all = choices.iter().map(choice).collect::<Vec<_>>().join(" OR ");
    if item.occur == Occur::MustNot { format!("-({all})") } else { all }
}
