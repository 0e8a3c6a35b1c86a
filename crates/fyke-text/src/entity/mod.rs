//! Named entities (003 §4.6): persons, places, organisations, works, products, dates, amounts of money and addresses
//! in a text. Dates, money and addresses are found by patterns, names by a conditional random field and by rules
//! with lexicons where it says nothing; the three ways to find names are rows of one table.

mod gathered;
mod hmm;
mod lexicon;
mod model;
mod patterns;
mod rules;
mod seen;
mod spans;

pub use gathered::{TextNames, names_of_text};
pub use hmm::EntityHmm;
pub use model::{ENTITY_LABELS, EntityModel, EntityTrainer};
pub use spans::{LabelledSentence, LabelledSpan, labelled_sentences, labelled_spans};

use crate::tag::sentences;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntityKind {
    Person,
    Place,
    Corporation,
    /// A team, a band, an institution.
    Group,
    /// A book, a film, a song.
    Work,
    Product,
    Date,
    Money,
    Address,
}

impl EntityKind {
    /// Its name in JSON and in files of training.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EntityKind::Person => "person",
            EntityKind::Place => "location",
            EntityKind::Corporation => "corporation",
            EntityKind::Group => "group",
            EntityKind::Work => "creative-work",
            EntityKind::Product => "product",
            EntityKind::Date => "date",
            EntityKind::Money => "money",
            EntityKind::Address => "address",
        }
    }

    /// Its element in annotated XML, as in figure 4.13.
    #[must_use]
    pub fn element(self) -> &'static str {
        match self {
            EntityKind::Person => "PersonName",
            EntityKind::Place => "Location",
            EntityKind::Corporation | EntityKind::Group => "Organization",
            EntityKind::Work => "Work",
            EntityKind::Product => "Product",
            EntityKind::Date => "Date",
            EntityKind::Money => "Money",
            EntityKind::Address => "address",
        }
    }

    /// The kind of names with this label.
    fn of_label(label: &str) -> Option<EntityKind> {
        let kinds = [
            EntityKind::Person,
            EntityKind::Place,
            EntityKind::Corporation,
            EntityKind::Group,
            EntityKind::Work,
            EntityKind::Product,
        ];
        kinds.into_iter().find(|kind| kind.name() == label)
    }
}

/// A part of a name or of an address: `GivenName`, `Sn`, `Street`, `Unit`, `City`, `State`, `PostalCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityPart {
    pub element: &'static str,
    pub from: usize,
    pub to: usize,
}

/// An entity, by its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    pub kind: EntityKind,
    pub from: usize,
    pub to: usize,
    pub parts: Vec<EntityPart>,
}

/// The entities of an English text, in order; no two overlap.
#[must_use]
pub fn entities(text: &str) -> Vec<Entity> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let words = Words { text, words: &sentence };
        found.extend(spans(&words).into_iter().map(|span| words.entity(span)));
    }
    found
}

/// What the patterns find, then what the model does, then what the rules do where nothing was found yet.
fn spans(words: &Words<'_, '_>) -> Vec<EntitySpan> {
    let mut spans = patterns::find(words);
    for names in [EntityModel::shipped().names(words.words), rules::names(words)] {
        for name in names {
            if spans.iter().all(|span| !span.meets(&name)) {
                spans.push(name);
            }
        }
    }
    spans.sort_by_key(|span| span.from);
    spans
}

/// A way to find the names of a sentence.
#[derive(Debug)]
pub struct EntityMethod {
    pub name: &'static str,
    pub what: &'static str,
    find: fn(&Words<'_, '_>) -> Vec<EntitySpan>,
}

/// The ways that need nothing but the program. A hidden Markov model ([`EntityHmm`]) must be learnt first.
pub const ENTITY_METHODS: [EntityMethod; 3] = [
    EntityMethod { name: "rules", what: "rules with lexicons", find: rules::names },
    EntityMethod {
        name: "crf",
        what: "the random field that is shipped",
        find: |words| EntityModel::shipped().names(words.words),
    },
    EntityMethod {
        name: "all",
        what: "what texts are annotated with: both, and patterns",
        find: spans,
    },
];

impl EntityMethod {
    /// The names of a sentence, by its words.
    #[must_use]
    pub fn names(&self, words: &[&str]) -> Vec<LabelledSpan<'static>> {
        let found = (self.find)(&Words { text: "", words }).into_iter();
        let names = found.filter(|span| EntityKind::of_label(span.kind.name()).is_some());
        names
            .map(|span| LabelledSpan { label: span.kind.name(), from: span.from, to: span.to })
            .collect()
    }
}

/// Words of a sentence that are an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EntitySpan {
    kind: EntityKind,
    from: usize,
    to: usize,
    parts: Vec<WordPart>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordPart {
    element: &'static str,
    from: usize,
    to: usize,
}

impl EntitySpan {
    fn new(kind: EntityKind, from: usize, to: usize) -> EntitySpan {
        EntitySpan { kind, from, to, parts: Vec::new() }
    }

    fn meets(&self, other: &EntitySpan) -> bool {
        self.from < other.to && other.from < self.to
    }
}

/// The words of a sentence, which are pieces of the text.
#[derive(Clone, Copy, Debug)]
struct Words<'a, 'w> {
    text: &'a str,
    words: &'w [&'a str],
}

impl<'a> Words<'a, '_> {
    /// A word, nothing behind the last.
    fn word(&self, at: usize) -> &'a str {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn lower(&self, at: usize) -> String {
        self.word(at).to_lowercase()
    }

    /// Where a word stands in the text.
    fn place(&self, at: usize) -> usize {
        self.word(at).as_ptr().addr() - self.text.as_ptr().addr()
    }

    fn bytes(&self, from: usize, to: usize) -> [usize; 2] {
        [self.place(from), self.place(to - 1) + self.word(to - 1).len()]
    }

    fn entity(&self, span: EntitySpan) -> Entity {
        let part = |part: WordPart| {
            let [from, to] = self.bytes(part.from, part.to);
            EntityPart { element: part.element, from, to }
        };
        let [from, to] = self.bytes(span.from, span.to);
        let parts = match span.kind {
            EntityKind::Person => self.of_person(&span),
            _ => span.parts,
        };
        Entity { kind: span.kind, from, to, parts: parts.into_iter().map(part).collect() }
    }

    /// Given names and the family name of a person with several words.
    fn of_person(&self, span: &EntitySpan) -> Vec<WordPart> {
        let from = span.from + usize::from(rules::is_title(self, span.from));
        let last = span.to - 1;
        if from >= last || !self.words[from..span.to].iter().all(|word| rules::is_great(word)) {
            return Vec::new();
        }
        let given = WordPart { element: "GivenName", from, to: last };
        vec![given, WordPart { element: "Sn", from: last, to: span.to }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text with its entities and their parts in brackets.
    fn marked(text: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        for entity in entities(text) {
            out += &text[at..entity.from];
            out += &format!("[{}:", entity.kind.name());
            at = entity.from;
            for part in entity.parts {
                out += &format!(
                    "{}[{}:{}]",
                    &text[at..part.from],
                    part.element,
                    &text[part.from..part.to]
                );
                at = part.to;
            }
            out += &format!("{}]", &text[at..entity.to]);
            at = entity.to;
        }
        out + &text[at..]
    }

    fn check(expected: &str) {
        let text: String = expected
            .replace(']', "")
            .split('[')
            .map(|piece| {
                piece
                    .split_once(':')
                    .filter(|(name, _)| !name.contains(' ') && !name.is_empty())
                    .map_or(piece, |(_, rest)| rest)
            })
            .collect();
        assert_eq!(marked(&text), expected);
    }

    #[test]
    fn figure_4_13() {
        check(
            "[person:[GivenName:Fred] [Sn:Smith]], who lives at [address:[Street:10 Water Street], [City:Springfield], \
             [State:MA]], is a longtime collector of tropical fish.",
        );
    }

    #[test]
    fn dates_and_addresses_are_written_in_many_ways() {
        check(
            "From [date:Sept. 4, 1923] on, at [date:5pm] or [date:10:30 p.m.], on [date:12/06/17].",
        );
        check("It costs [money:US$1,200] or [money:45 cents].");
        check(
            "At [address:[Street:12 St. Mary's Road], [City:London] [PostalCode:NW1 6XE]] and \
             [address:[Street:7 West 23rd Street], [Unit:Suite 4], [City:New London], [State:CT] [PostalCode:06320]].",
        );
        check("Section 3.4.5 tells of 12 nets and 7 maps.");
    }

    #[test]
    fn dates_money_and_addresses_are_found_by_their_patterns() {
        check(
            "It cost [money:$1,200] on [date:May 3, 2019] and [money:3 million euros] in [date:June 2020].",
        );
        check(
            "From [date:2017-05-12] to [date:12/06/2017], [date:Monday], the [date:4th of July].",
        );
        check(
            "Write to [address:[Street:221B Baker Street], [City:London]] or [address:[Street:5 Old Mill Rd.]]",
        );
        check("He may march 10 miles for 12 nets.");
    }

    proptest! {
        #[test]
        fn entities_stand_in_order_and_inside_of_the_text(text in "(Fred |Smith |Mr\\. |10 |Water |Street|, |MA |\\$|May |3 |2019 |é|\\PC|\n){0,30}") {
            let mut last = 0;
            for entity in entities(&text) {
                prop_assert!(last <= entity.from && entity.from < entity.to && entity.to <= text.len());
                prop_assert!(text.get(entity.from..entity.to).is_some());
                let mut part_end = entity.from;
                for part in &entity.parts {
                    prop_assert!(part_end <= part.from && part.from < part.to && part.to <= entity.to);
                    part_end = part.to;
                }
                last = entity.to;
            }
        }
    }
}
