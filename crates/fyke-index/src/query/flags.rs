//! Options of commands in a query: `git commit --amend`, `pg_dump -Fc`, `tar -x`. A hyphen before a word is
//! also the sign that forbids it. Two hyphens are always an option. One is an option where nothing else in the
//! query is an operator, and it looks like one or documents have it as one.

use super::pieces::{SCOPES, is_quote};
use crate::fact::Fact;
use crate::wholes::{WholeKind, each_whole};

/// Options of so many letters are known by their capitals.
const SHORT: usize = 3;

/// Whether a text begins with an option that has two hyphens.
pub(super) fn is_always(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The key of the option with one hyphen that a text begins with.
pub(super) fn key(text: &str) -> Option<String> {
    let is_one = text.starts_with('-') && !text.starts_with("--");
    let chunk = text.split_whitespace().next().filter(|_| is_one)?;
    let mut found = None;
    each_whole(chunk, |range, kind, key| {
        if range.start == 0 && kind == WholeKind::Flag {
            found = Some(key.to_owned());
        }
    });
    found
}

/// Whether what follows one hyphen is rather an option than a word that is forbidden: a single letter, a few of
/// both cases, or something with a value.
pub(super) fn looks_like_one(text: &str) -> bool {
    let chunk = text.split_whitespace().next().unwrap_or_default();
    let name = chunk.trim_start_matches('-');
    let is_mixed = || {
        let has = |is: fn(&char) -> bool| name.chars().any(|c| is(&c));
        name.len() <= SHORT && has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase)
    };
    name.chars().count() == 1 || is_mixed() || name.contains(['_', '='])
}

/// Whether a text has no operator but hyphens before words.
pub(super) fn is_plain(text: &str, facts: &[Fact]) -> bool {
    let is_operator = |chunk: &str| {
        let word = chunk.trim_start_matches(['+', '-']);
        let near = word.strip_prefix("NEAR/").is_some_and(|n| n.parse::<u32>().is_ok());
        chunk.starts_with(['+', '('])
            || chunk.starts_with("-(")
            || matches!(chunk, "AND" | "OR" | "NOT")
            || near
            || word.ends_with('*')
            || has_scope(word, facts)
    };
    !text.contains(is_quote) && !text.split_whitespace().any(is_operator)
}

fn has_scope(word: &str, facts: &[Fact]) -> bool {
    let Some((name, value)) = word.split_once(':') else { return false };
    let is_ours =
        SCOPES.iter().any(|(own, _)| own.trim_end_matches(':').eq_ignore_ascii_case(name));
    let is_fact = || facts.iter().any(|fact| fact.filter && fact.name.eq_ignore_ascii_case(name));
    !value.is_empty() && (is_ours || is_fact())
}
