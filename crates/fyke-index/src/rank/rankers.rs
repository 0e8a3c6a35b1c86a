//! Rankers by name: each is a set of weights, told by what it changes of the standard one. Two of
//! them can be compared (000 "A/B testing": test a single innovation).

use super::signals::SIGNALS;
use super::weights::{WEIGHTS, Weights};
use crate::fact::{Fact, MOST_FACTS};
use crate::schema::BODY;

/// A set of weights with the text that names it.
#[derive(Clone, Debug)]
pub struct Ranker {
    /// As it was asked for: a row of [`RANKERS`], single weights, or both.
    pub name: String,
    pub weights: Weights,
}

/// A row of the table of rankers.
#[derive(Clone, Copy, Debug)]
pub struct RankerRow {
    pub name: &'static str,
    /// What it leaves out or adds, in one line.
    pub what: &'static str,
    /// What it changes, as somebody would write it.
    changes: &'static str,
}

/// Every ranker with a name; the first changes nothing.
pub const RANKERS: [RankerRow; 5] = [
    RankerRow { name: "standard", what: "the weights of every search", changes: "" },
    RankerRow {
        name: "no-nearness",
        what: "words need not stand near each other",
        changes: "nearness=0",
    },
    RankerRow {
        name: "no-anchors",
        what: "what links say hardly counts",
        changes: "anchors=0.001 own-anchors=0.001",
    },
    RankerRow {
        name: "flat",
        what: "a word counts the same in every field",
        changes: "title=1 headings=1 anchors=1 own-anchors=1 url=1",
    },
    RankerRow { name: "typed-forms", what: "other forms hardly count", changes: "variant=0.001" },
];

/// A weight that can be changed: its name, its limits, and where it stands.
pub(crate) struct Dial {
    pub name: &'static str,
    /// What it weighs, in one line.
    pub what: &'static str,
    pub limits: [f32; 2],
    at: WeightPlace,
}

/// Where a weight stands.
enum WeightPlace {
    Field(usize),
    Signal(usize),
    /// The place in the table of facts, and what is declared there.
    Fact(usize, f32),
    Own(fn(&mut Weights) -> &mut f32),
}

impl Dial {
    /// The weight that it turns.
    pub fn of<'a>(&self, weights: &'a mut Weights) -> &'a mut f32 {
        match self.at {
            WeightPlace::Field(at) => &mut weights.fields[at].weight,
            WeightPlace::Signal(at) => &mut weights.signals[at],
            WeightPlace::Fact(at, declared) => weights.facts[at].get_or_insert(declared),
            WeightPlace::Own(at) => at(weights),
        }
    }
}

/// What a field may count. More than 0: what matches at all has to show in the sum.
const FIELD: [f32; 2] = [0.001, 1_000.0];

/// What a signal may count.
const SIGNAL: [f32; 2] = [0.0, 100.0];

const OWN: [Dial; 7] = [
    Dial {
        name: "whole",
        what: "a whole that was typed in one piece, as e-bay",
        limits: [0.001, 100.0],
        at: WeightPlace::Own(|weights| &mut weights.whole),
    },
    Dial {
        name: "part",
        what: "a part of such a whole",
        limits: [0.001, 100.0],
        at: WeightPlace::Own(|weights| &mut weights.part),
    },
    Dial {
        name: "k1",
        what: "how soon more of the same word stops counting",
        limits: [0.001, 100.0],
        at: WeightPlace::Own(|weights| &mut weights.k1),
    },
    Dial {
        name: "length",
        what: "how much the length of the body is held against a document",
        limits: [0.0, 1.0],
        at: WeightPlace::Own(|weights| &mut weights.fields[BODY].b),
    },
    Dial {
        name: "variant",
        what: "another form of a word beside the one that was typed",
        limits: [0.001, 10.0],
        at: WeightPlace::Own(|weights| &mut weights.variant),
    },
    Dial {
        name: "coordination",
        what: "how much it matters that all words are there",
        limits: [0.0, 10.0],
        at: WeightPlace::Own(|weights| &mut weights.coordination),
    },
    Dial {
        name: "feedback",
        what: "words of the best documents beside those that were typed",
        limits: [0.0, 10.0],
        at: WeightPlace::Own(|weights| &mut weights.feedback),
    },
];

/// Whether a weight has this name whatever the facts are.
pub(crate) fn is_dial(name: &str) -> bool {
    dials(&[]).any(|dial| dial.name == name)
}

/// Every weight: of a field, of a signal, of a fact, and the others.
pub(crate) fn dials(facts: &[Fact]) -> impl Iterator<Item = Dial> {
    let fields = WEIGHTS.fields.iter().enumerate();
    let fields = fields.map(|(at, row)| Dial {
        name: row.name,
        what: "a word in this field; in the body it counts 1",
        limits: FIELD,
        at: WeightPlace::Field(at),
    });
    let signals = SIGNALS.iter().enumerate();
    let signals = signals.map(|(at, row)| Dial {
        name: row.name,
        what: row.what,
        limits: SIGNAL,
        at: WeightPlace::Signal(at),
    });
    let facts = facts.iter().take(MOST_FACTS).enumerate();
    let facts = facts.filter_map(|(at, fact)| {
        let at = WeightPlace::Fact(at, fact.signal?.weight);
        Some(Dial { name: fact.name, what: fact.what, limits: SIGNAL, at })
    });
    fields.chain(OWN).chain(signals).chain(facts)
}

/// A weight that can be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandardWeight {
    pub name: &'static str,
    /// What it weighs.
    pub what: &'static str,
    pub standard: f32,
}

/// Every weight that can be changed.
pub fn weights(facts: &[Fact]) -> impl Iterator<Item = StandardWeight> {
    dials(facts).map(|dial| {
        let standard = *dial.of(&mut WEIGHTS.clone());
        StandardWeight { name: dial.name, what: dial.what, standard }
    })
}

impl Ranker {
    /// Reads `no-nearness`, `title=5 k1=0.9`, or both one after the other.
    ///
    /// # Errors
    /// What it does not know, in words.
    pub fn parse(text: &str) -> Result<Ranker, String> {
        Ranker::parse_with(text, &[])
    }

    /// The same, where the signals among these facts can be dialled, too.
    ///
    /// # Errors
    /// What it does not know, in words.
    pub fn parse_with(text: &str, facts: &[Fact]) -> Result<Ranker, String> {
        let mut weights = WEIGHTS;
        for part in text.split_whitespace() {
            let row = RANKERS.iter().find(|row| row.name == part);
            let changes = row.map_or(part, |row| row.changes);
            for change in changes.split_whitespace() {
                turn(&mut weights, change, facts)?;
            }
        }
        let name: Vec<&str> = text.split_whitespace().collect();
        Ok(Ranker { name: name.join(" "), weights })
    }
}

/// Sets one weight, told as `name=number`.
fn turn(weights: &mut Weights, change: &str, facts: &[Fact]) -> Result<(), String> {
    let parts = change.split_once('=');
    let dial = parts.and_then(|(name, _)| dials(facts).find(|dial| dial.name == name));
    let (Some((_, number)), Some(dial)) = (parts, dial) else {
        let rankers = RANKERS.map(|row| row.name).join(", ");
        let dials = dials(facts).map(|dial| dial.name).collect::<Vec<_>>().join(", ");
        return Err(format!(
            "{change:?} is no ranker ({rankers}) and no weight with its number, as title=5 ({dials})"
        ));
    };
    let [least, most] = dial.limits;
    let number = number.parse().ok().filter(|number| (least..=most).contains(number));
    let wrong = || format!("{change:?}: expected a number from {least} to {most}");
    *dial.of(weights) = number.ok_or_else(wrong)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_can_be_asked_for_and_all_but_the_first_change_something() {
        let names: HashSet<_> = RANKERS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), RANKERS.len());
        let standard = format!("{WEIGHTS:?}");
        for (place, row) in RANKERS.iter().enumerate() {
            let ranker = Ranker::parse(row.name).unwrap();
            assert!(!row.what.is_empty() && ranker.name == row.name);
            assert_eq!(format!("{:?}", ranker.weights) == standard, place == 0, "{}", row.name);
        }
    }

    #[test]
    fn every_dial_has_a_name_of_its_own_and_turns() {
        let names: HashSet<_> = dials(&[]).map(|dial| dial.name).collect();
        assert_eq!(names.len(), dials(&[]).count());
        for dial in dials(&[]) {
            let mut ranker = Ranker::parse(&format!("{}=0.75", dial.name)).unwrap();
            assert_eq!(*dial.of(&mut ranker.weights), 0.75, "{}", dial.name);
            assert_ne!(format!("{:?}", ranker.weights), format!("{WEIGHTS:?}"), "{}", dial.name);
        }
    }

    #[test]
    fn changes_come_one_after_the_other() {
        let ranker = Ranker::parse("  flat   title=5 nearness=0 ").unwrap();
        assert_eq!(ranker.name, "flat title=5 nearness=0");
        assert_eq!(
            ranker.weights.fields.map(|field| field.weight),
            [5.0, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.3, 1.0, 1.0, 0.5]
        );
        assert_eq!(ranker.weights.signals[0], 0.0);
        for bad in
            ["none", "title", "title=", "title=x", "title=0", "k1=nan", "head=5", "title=1e9"]
        {
            assert!(Ranker::parse(bad).unwrap_err().contains(bad), "{bad}");
        }
        assert!(Ranker::parse("nearnes=1").unwrap_err().contains("no-nearness, "));
    }
}
