//! From typed text to a tree of clauses. The grammar, in which words side by side are wishes and
//! whatever is bound by an operator is a demand:
//!
//! ```text
//! sequence  either*
//! either    all (OR all)*
//! all       near (AND near)*
//! near      factor (NEAR/5 factor)*
//! factor    NOT* [+|-] ( '(' sequence ')' | [scope:] ("phrase"[~5] | word[*]) ) | --option
//! scope     title url inanchor author | site lang type date | the names of facts
//! ```
//!
//! Operators are written in capitals: `and`, `or`, `not` are words. An operator with nothing to bind
//! is a word too; a bracket or a quote without a partner ends with the text. Standing side by side
//! binds least, so that `wind OR sea site:a.test` asks for either word on that site.
//!
//! `--amend` is a word: an option of a command. So is `-x` or `-Fc`, and any other that documents have as an
//! option, in a query that has no other operator; in one that has, a hyphen forbids (`flags.rs`).

use super::pieces::{TypedPiece, format_name, is_quote, take_number, take_piece, take_sign};
use super::tree::{self, PartSequence, SignedPart, TreePart};
use super::{Clause, ClauseScope, Form, Occur, dates, flags};
use crate::analysis;
use crate::fact::{self, Fact};
use crate::languages::QueryLanguages;
use crate::rank::postings::is_lone;
use crate::wholes::{MOST_PARTS, WholeKind, each_whole};
use crate::writer::{url_words, without_scheme};
use std::collections::HashMap;
use std::ops::Range;

/// No query is longer, in characters; the rest is left out.
const MAX_CHARS: usize = 8_000;

/// No phrase is longer, in words.
const MAX_PHRASE: usize = 32;

/// Brackets in brackets; more are signs without meaning.
const MAX_BRACKETS: usize = 32;

/// Words that may stand among those that are to be near each other.
const MAX_AMONG: u32 = 100;

/// Beginnings of words; each costs a walk through the dictionaries. More are taken as words.
const MAX_BEGINNINGS: usize = 4;

/// The clauses of a text and how they belong together.
pub(super) fn understand(
    text: &str,
    languages: &QueryLanguages,
    facts: &[Fact],
    is_flag: &dyn Fn(&str) -> bool,
) -> (Vec<Clause>, PartSequence) {
    let text = read_part(text);
    let is_plain = flags::is_plain(text, facts);
    let is_flag: &dyn Fn(&str) -> bool = if is_plain { is_flag } else { &|_| false };
    let mut parser = Parser {
        rest: text,
        facts,
        is_plain,
        is_flag,
        clauses: Vec::new(),
        known: HashMap::new(),
        beginnings: 0,
        brackets: 0,
    };
    let sequence = parser.sequence();
    tree::settle(sequence, &parser.clauses, languages)
}

/// As much of a text as is read.
fn read_part(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

struct Parser<'a> {
    rest: &'a str,
    /// Those that can be asked for by name.
    facts: &'a [Fact],
    /// Whether there is no operator but hyphens.
    is_plain: bool,
    /// Whether documents have an option with this key.
    is_flag: &'a dyn Fn(&str) -> bool,
    /// Every clause once; by its place the tree knows it.
    clauses: Vec<Clause>,
    known: HashMap<Clause, usize>,
    /// How many of them are beginnings of words.
    beginnings: usize,
    brackets: usize,
}

impl Parser<'_> {
    fn sequence(&mut self) -> PartSequence {
        let mut items = Vec::new();
        while !self.is_over() {
            items.extend(self.either());
        }
        items
    }

    /// Whether the text or the brackets end here.
    fn is_over(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty() || (self.brackets > 0 && self.rest.starts_with(')'))
    }

    fn either(&mut self) -> PartSequence {
        let mut choices = vec![self.all(false)];
        while self.take_operator("OR") {
            choices.push(self.all(true));
        }
        if choices.len() > 1 {
            return vec![SignedPart::either(Occur::Must, choices)];
        }
        choices.remove(0)
    }

    fn all(&mut self, is_bound: bool) -> PartSequence {
        let first = self.near(is_bound);
        let mut parts = vec![first];
        while self.take_operator("AND") {
            parts.push(self.near(true));
        }
        if parts.len() > 1 {
            let demand = |part| SignedPart::either(Occur::Must, vec![part]);
            return parts.into_iter().map(demand).collect();
        }
        parts.remove(0)
    }

    fn near(&mut self, is_bound: bool) -> PartSequence {
        let mut left = self.factor(is_bound);
        while let Some(among) = self.take_near() {
            let right = self.factor(true);
            left = self.joined(left, right, among);
        }
        left
    }

    /// Two words as one clause that wants them near each other; both as they are if that cannot be.
    fn joined(&mut self, left: PartSequence, right: PartSequence, among: u32) -> PartSequence {
        let word = |sequence: &PartSequence| match sequence[..] {
            [SignedPart { occur, part: TreePart::Clause(place) }] if occur != Occur::MustNot => {
                Some(&self.clauses[place])
            }
            _ => None,
        };
        let both = word(&left).zip(word(&right));
        let Some((a, b)) = both.filter(|(a, b)| a.scope == b.scope && !a.scope.is_condition())
        else {
            return left.into_iter().chain(right).collect();
        };
        let words = a.words.iter().chain(&b.words).take(MAX_PHRASE).cloned().collect();
        let (scope, form) = (a.scope, Form::Near(among.min(MAX_AMONG)));
        vec![self.item(None, scope, words, form)]
    }

    fn factor(&mut self, is_bound: bool) -> PartSequence {
        let mut is_negated = false;
        while self.take_operator("NOT") {
            is_negated = !is_negated;
        }
        self.rest = self.rest.trim_start();
        let sign = if self.is_before_flag() { None } else { take_sign(&mut self.rest) };
        let items = if self.rest.starts_with('(') && self.brackets < MAX_BRACKETS {
            self.bracketed(sign)
        } else {
            let piece = take_piece(&mut self.rest, sign, self.brackets > 0, self.facts);
            let is_whole = is_bound || is_negated || self.is_before_operator();
            self.items(&piece, is_whole)
        };
        if is_negated { vec![SignedPart::either(Occur::MustNot, vec![items])] } else { items }
    }

    /// Whether an option of a command comes next, and not a sign.
    fn is_before_flag(&self) -> bool {
        flags::is_always(self.rest)
            || self.is_plain
                && flags::key(self.rest)
                    .is_some_and(|key| flags::looks_like_one(self.rest) || (self.is_flag)(&key))
    }

    fn bracketed(&mut self, sign: Option<Occur>) -> PartSequence {
        self.rest = &self.rest[1..];
        self.brackets += 1;
        let items = self.sequence();
        self.brackets -= 1;
        self.rest = self.rest.strip_prefix(')').unwrap_or(self.rest);
        match sign {
            Some(occur) => vec![SignedPart::either(occur, vec![items])],
            None => items,
        }
    }

    /// Takes an operator from the front, if there is something after it to be bound, and with it
    /// others that have nothing to bind.
    fn take_operator(&mut self, name: &str) -> bool {
        let Some(after) = after_operator(self.rest, name) else { return false };
        self.rest = after;
        let next = |text| ["AND", "OR"].into_iter().find_map(|name| after_operator(text, name));
        while let Some(after) = next(self.rest) {
            self.rest = after;
        }
        true
    }

    fn take_near(&mut self) -> Option<u32> {
        let (among, after) = near_operator(self.rest)?;
        self.rest = after;
        Some(among)
    }

    fn is_before_operator(&self) -> bool {
        let is_next = |name| after_operator(self.rest, name).is_some();
        ["AND", "OR"].into_iter().any(is_next) || near_operator(self.rest).is_some()
    }

    /// The clauses of a piece. What is `whole` is one thing, as is an address and what has a sign, a
    /// scope or quotes: `-well-known` must not forbid every `well`, but `well-known` may find both.
    fn items(&mut self, piece: &TypedPiece, is_whole: bool) -> PartSequence {
        if piece.scope.is_condition() {
            return self.condition(piece, is_whole);
        }
        let is_one = piece.quoted || is_address(piece.text);
        let is_whole =
            is_whole || is_one || piece.sign.is_some() || piece.scope != ClauseScope::Anywhere;
        let words = words(piece);
        let is_open = piece.open && words.last().is_some_and(|word| is_beginning(word));
        if words.is_empty() {
            return Vec::new();
        }
        if is_whole {
            let form = match (piece.among, words.len()) {
                (Some(among), 2..) => Form::Near(among.min(MAX_AMONG)),
                _ if piece.quoted || words.len() > 1 => Form::Typed,
                _ if is_open => Form::Prefix,
                _ => Form::Stem,
            };
            return vec![self.item(piece.sign, piece.scope, words, form)];
        }
        if !is_open && piece.scope == ClauseScope::Anywhere {
            return self.wholes(piece.text);
        }
        let last = words.len() - 1;
        let forms = |place| if is_open && place == last { Form::Prefix } else { Form::Stem };
        let words = words.into_iter().enumerate();
        words.map(|(place, w)| self.item(None, piece.scope, vec![w], forms(place))).collect()
    }

    /// The words of a text, those that are written in one piece as wholes.
    fn wholes(&mut self, text: &str) -> PartSequence {
        let mut items = PartSequence::new();
        let mut at = 0;
        for (range, words) in wholes(text) {
            self.words_of(&text[at..range.start], &mut items);
            items.push(self.item(None, ClauseScope::Anywhere, words, Form::Whole));
            at = range.end;
        }
        self.words_of(&text[at..], &mut items);
        items
    }

    fn words_of(&mut self, text: &str, items: &mut PartSequence) {
        for word in analysis::words(text).take(MAX_PHRASE) {
            let words = with_release(word.form.into_owned());
            let form = if words.len() == 1 { Form::Stem } else { Form::Whole };
            items.push(self.item(None, ClauseScope::Anywhere, words, form));
        }
    }

    /// The clause of a condition; one that makes no sense is taken as words.
    fn condition(&mut self, piece: &TypedPiece, is_whole: bool) -> PartSequence {
        let name = match piece.scope {
            ClauseScope::Site => host(piece.text),
            ClauseScope::Format => format_name(piece.text.trim()),
            _ => piece.text.trim(),
        };
        let name = name.to_lowercase();
        let fits = match piece.scope {
            ClauseScope::Date => dates::days(&name).is_some(),
            ClauseScope::Number(_) => fact::span(&name).is_some(),
            ClauseScope::Label(_) => fact::is_label(&name),
            _ => name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)),
        };
        match fits {
            _ if name.is_empty() => Vec::new(),
            true => vec![self.item(piece.sign, piece.scope, vec![name], Form::Stem)],
            false => {
                let text = piece.whole;
                let plain =
                    TypedPiece { scope: ClauseScope::Anywhere, quoted: false, text, ..*piece };
                self.items(&plain, is_whole)
            }
        }
    }

    fn item(
        &mut self,
        sign: Option<Occur>,
        scope: ClauseScope,
        words: Vec<String>,
        form: Form,
    ) -> SignedPart {
        let mut clause = Clause { occur: Occur::Should, scope, words, form };
        let is_new = clause.form == Form::Prefix && !self.known.contains_key(&clause);
        if is_new && self.beginnings == MAX_BEGINNINGS {
            clause.form = Form::Stem;
        }
        let occur = sign.unwrap_or_else(|| tree::natural(&clause));
        let new = self.clauses.len();
        let place = *self.known.entry(clause.clone()).or_insert(new);
        if place == new {
            self.beginnings += usize::from(clause.form == Form::Prefix);
            self.clauses.push(clause);
        }
        SignedPart::clause(occur, place)
    }
}

/// The wholes of a text but for versions: where each stands, its key and its parts.
fn wholes(text: &str) -> Vec<(Range<usize>, Vec<String>)> {
    let mut found: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    each_whole(text, |range, kind, key| {
        // An option is a whole with all that is in it.
        let is_inside = found.last().is_some_and(|(last, _)| range.start < last.end);
        if is_inside || kind == WholeKind::Version {
            return;
        }
        let words = analysis::words(&text[range.clone()]).map(|word| word.form.into_owned());
        let words: Vec<String> = std::iter::once(key.to_owned()).chain(words).collect();
        if words.len() > 2 && words.len() - 1 <= MOST_PARTS || kind == WholeKind::Flag {
            found.push((range, words));
        }
    });
    found
}

/// A word; after a version of three numbers or more its first two.
fn with_release(word: String) -> Vec<String> {
    let mut numbers = word.match_indices('.').map(|(at, _)| at).skip(1);
    match numbers.next() {
        Some(end) => {
            let release = word[..end].to_owned();
            vec![word, release]
        }
        None => vec![word],
    }
}

fn words(piece: &TypedPiece) -> Vec<String> {
    let in_url =
        if piece.scope == ClauseScope::Url { url_words(piece.text) } else { String::new() };
    let text = if in_url.is_empty() { piece.text } else { &in_url };
    analysis::words(text).map(|word| word.form.into_owned()).take(MAX_PHRASE).collect()
}

/// Whether it is the address of a mailbox, which is asked for as a whole.
fn is_address(text: &str) -> bool {
    let is_inside = char::is_alphanumeric;
    text.split_once('@')
        .is_some_and(|(name, host)| name.ends_with(is_inside) && host.starts_with(is_inside))
}

/// Whether so much of a word is enough to look for words that begin with it.
fn is_beginning(word: &str) -> bool {
    word.chars().nth(1).is_some() || is_lone(word)
}

/// What follows an operator at the front of a text, if there is something for it to bind.
fn after_operator<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let after = text.trim_start().strip_prefix(name)?;
    let is_apart = after.starts_with(|c: char| c.is_whitespace() || c == '(' || is_quote(c));
    let after = after.trim_start();
    (is_apart && !after.is_empty() && !after.starts_with(')')).then_some(after)
}

/// The number of `NEAR/5` at the front of a text, and what follows.
fn near_operator(text: &str) -> Option<(u32, &str)> {
    let (among, after) = take_number(text.trim_start().strip_prefix("NEAR/")?)?;
    let is_apart = after.starts_with(char::is_whitespace);
    let after = after.trim_start();
    (is_apart && !after.is_empty() && !after.starts_with(')')).then_some((among, after))
}

/// The host in what was typed after `site:`, which may be a whole URL.
fn host(text: &str) -> &str {
    without_scheme(text)
        .split(['/', '?', '#', ':'])
        .next()
        .unwrap_or_default()
        .trim_matches(['.', '*'])
}
