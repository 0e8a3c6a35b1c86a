//! Sentences with holes. `The {adj} {noun} near {place}` is cut once into pieces and then filled
//! by appending static slices to the page, without allocation.

use super::{PondDice, PondTopic, SUBS, SubTopic, stock, topics};

#[derive(Debug)]
pub struct Template {
    pieces: Vec<TemplatePiece>,
}

#[derive(Debug)]
enum TemplatePiece {
    Text(&'static str),
    Hole(Hole),
}

#[derive(Clone, Copy, Debug)]
enum Hole {
    Noun,
    Adjective,
    Verb,
    Phrase,
    TopicName,
    Name,
    Term,
    OtherName,
    OtherTerm,
    StrayName,
    Person,
    Place,
    Month,
    Thing,
    Quality,
    Year,
    Number,
}

const HOLES: [(&str, Hole); 17] = [
    ("noun", Hole::Noun),
    ("adj", Hole::Adjective),
    ("verb", Hole::Verb),
    ("phrase", Hole::Phrase),
    ("topic", Hole::TopicName),
    ("name", Hole::Name),
    ("term", Hole::Term),
    ("other", Hole::OtherName),
    ("oterm", Hole::OtherTerm),
    ("stray", Hole::StrayName),
    ("person", Hole::Person),
    ("place", Hole::Place),
    ("month", Hole::Month),
    ("thing", Hole::Thing),
    ("quality", Hole::Quality),
    ("year", Hole::Year),
    ("num", Hole::Number),
];

/// What a page talks about and which of the names it prefers.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    pub topic: &'static PondTopic,
    pub sub: &'static SubTopic,
    pub other: &'static SubTopic,
    pub variant: usize,
}

impl Template {
    /// An unknown hole stays as text, where the tests see it.
    pub fn parse(text: &'static str) -> Template {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                pieces.push(TemplatePiece::Text(before));
            }
            let (name, tail) = after.split_once('}').unwrap_or((after, ""));
            match HOLES.iter().find(|(hole, _)| *hole == name) {
                Some((_, hole)) => pieces.push(TemplatePiece::Hole(*hole)),
                None => pieces.push(TemplatePiece::Text(name)),
            }
            rest = tail;
        }
        if !rest.is_empty() {
            pieces.push(TemplatePiece::Text(rest));
        }
        Template { pieces }
    }

    /// Appends the filled sentence, its first letter in upper case.
    pub fn fill(&self, voice: &Voice, dice: &mut PondDice, out: &mut Vec<u8>) {
        let start = out.len();
        for piece in &self.pieces {
            match piece {
                TemplatePiece::Text(text) => out.extend_from_slice(text.as_bytes()),
                TemplatePiece::Hole(hole) => fill_hole(*hole, voice, dice, out),
            }
        }
        if let Some(first) = out.get_mut(start) {
            first.make_ascii_uppercase();
        }
    }
}

fn fill_hole(hole: Hole, voice: &Voice, dice: &mut PondDice, out: &mut Vec<u8>) {
    let stock = stock();
    let word = match hole {
        Hole::Noun => dice.word(&voice.topic.nouns),
        Hole::Adjective => dice.word(&voice.topic.adjectives),
        Hole::Verb => dice.word(&voice.topic.verbs),
        Hole::Phrase => dice.word(&voice.topic.phrases),
        Hole::TopicName => voice.topic.name,
        Hole::Name => name(voice.sub, voice.variant, dice),
        Hole::Term => dice.word(&voice.sub.terms),
        Hole::OtherName => name(voice.other, voice.variant + 1, dice),
        Hole::OtherTerm => dice.word(&voice.other.terms),
        Hole::StrayName => name(&dice.pick(topics()).subs[dice.below(SUBS)], 0, dice),
        Hole::Place => dice.word(&stock.places),
        Hole::Month => dice.word(&stock.months),
        Hole::Thing => stock.things[dice.zipf(stock.things.len())],
        Hole::Quality => stock.qualities[dice.zipf(stock.qualities.len())],
        Hole::Person => {
            out.extend_from_slice(dice.word(&stock.first_names).as_bytes());
            out.push(b' ');
            dice.word(&stock.last_names)
        }
        Hole::Year => return number(1890 + dice.below(136), out),
        Hole::Number => return number(2 + dice.below(88), out),
    };
    article(word, out);
    out.extend_from_slice(word.as_bytes());
}

/// Turns the "a" before a vowel into "an".
fn article(word: &str, out: &mut Vec<u8>) {
    let alone = match out[..] {
        [.., before, b'a' | b'A', b' '] => !before.is_ascii_alphabetic(),
        [b'a' | b'A', b' '] => true,
        _ => false,
    };
    if alone && (word.starts_with(['a', 'e', 'i', 'o']) || word.starts_with("un")) {
        out.pop();
        out.extend_from_slice(b"n ");
    }
}

/// Mostly the preferred name, now and then another.
fn name(sub: &SubTopic, variant: usize, dice: &mut PondDice) -> &'static str {
    let stray = usize::from(dice.percent(15));
    sub.names[(variant + stray) % sub.names.len()]
}

/// Decimal digits without going through the formatter.
pub fn number(n: usize, out: &mut Vec<u8>) {
    if n >= 10 {
        number(n / 10, out);
    }
    out.push(b'0' + (n % 10) as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &'static str, starts: &str) {
        let topic = &topics()[0];
        let voice = Voice { topic, sub: &topic.subs[0], other: &topic.subs[1], variant: 0 };
        let mut out = Vec::new();
        Template::parse(text).fill(&voice, &mut PondDice::new(3), &mut out);
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with(starts), "{out}");
        assert!(!out.contains('{'), "{out}");
    }

    #[test]
    fn holes_are_filled_and_the_first_letter_is_raised() {
        check("the {noun} of {place}.", "The ");
        check("{topic}, {num} and {year}", "Tidal energy, ");
        check("no holes", "No holes");
    }

    #[test]
    fn no_template_in_the_data_has_an_unknown_hole() {
        let all = [include_str!("../../data/sentences.txt")];
        for name in all.iter().flat_map(|f| f.split('{').skip(1)) {
            let name = name.split('}').next().unwrap();
            assert!(HOLES.iter().any(|(hole, _)| *hole == name), "{name}");
        }
    }
}
