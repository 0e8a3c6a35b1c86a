//! Typed text in pieces: signs, scopes, quotes, words and what stands between them.

use super::{ClauseScope, Occur};
use crate::fact::{Fact, FactKind};

/// What can stand before a word or a condition. The first of a scope's names is its own, the
/// others are read as well.
pub(super) const SCOPES: [(&str, ClauseScope); 16] = [
    ("site:", ClauseScope::Site),
    ("lang:", ClauseScope::Language),
    ("type:", ClauseScope::Format),
    ("date:", ClauseScope::Date),
    ("title:", ClauseScope::Title),
    ("url:", ClauseScope::Url),
    ("inanchor:", ClauseScope::Anchor),
    ("author:", ClauseScope::Author),
    ("keyword:", ClauseScope::Keyword),
    ("intitle:", ClauseScope::Title),
    ("filetype:", ClauseScope::Format),
    ("inurl:", ClauseScope::Url),
    ("anchor:", ClauseScope::Anchor),
    ("language:", ClauseScope::Language),
    ("inauthor:", ClauseScope::Author),
    ("keywords:", ClauseScope::Keyword),
];

/// What formats are called by their extensions, and their names.
const FORMATS: [(&str, &str); 9] = [
    ("htm", "html"),
    ("xhtml", "html"),
    ("txt", "text"),
    ("plain", "text"),
    ("md", "markdown"),
    ("ps", "postscript"),
    ("doc", "docx"),
    ("ppt", "pptx"),
    ("xls", "xlsx"),
];

/// The name of a format, given by its name, its extension or its media type.
pub(super) fn format_name(text: &str) -> &str {
    let text = text.rsplit('/').next().unwrap_or_default();
    let row = FORMATS.iter().find(|(extension, _)| extension.eq_ignore_ascii_case(text));
    row.map_or(text, |(_, name)| name)
}

/// One thing typed, before its words are looked at.
pub(super) struct TypedPiece<'a> {
    pub sign: Option<Occur>,
    pub scope: ClauseScope,
    pub quoted: bool,
    /// Words that may stand among those in quotes: `"near by"~5`.
    pub among: Option<u32>,
    /// Whether only the beginning of the last word is given: `begin*`.
    pub open: bool,
    pub text: &'a str,
    /// The text together with its scope.
    pub whole: &'a str,
}

/// The sign at the front: the first of several counts.
pub(super) fn take_sign(rest: &mut &str) -> Option<Occur> {
    let sign = match rest.as_bytes().first() {
        Some(b'+') => Some(Occur::Must),
        Some(b'-') => Some(Occur::MustNot),
        _ => None,
    };
    *rest = rest.trim_start_matches(['+', '-']);
    sign
}

/// Takes what stands at the front: a quoted text or a word, with its scope. A bracket that closes
/// ends it where `in_brackets`.
pub(super) fn take_piece<'a>(
    rest: &mut &'a str,
    sign: Option<Occur>,
    in_brackets: bool,
    facts: &[Fact],
) -> TypedPiece<'a> {
    let all = *rest;
    let scope = take_scope(rest, facts);
    let quoted = rest.starts_with(is_quote);
    let mut text = if quoted { take_quoted(rest) } else { take_chunk(rest, in_brackets) };
    let whole = &all[..all.len() - rest.len()];
    let among = if quoted { take_among(rest) } else { None };
    let open = !quoted && text.ends_with('*');
    if open {
        text = text.trim_end_matches('*');
    }
    TypedPiece { sign, scope, quoted, among, open, text, whole }
}

/// Takes `site:` and the like from the front, if something follows it directly.
fn take_scope(rest: &mut &str, facts: &[Fact]) -> ClauseScope {
    let Some((name, after)) = rest.split_once(':') else { return ClauseScope::Anywhere };
    let named = |own: &str| own.eq_ignore_ascii_case(name);
    let ours = SCOPES.iter().find(|(own, _)| own.strip_suffix(':').is_some_and(named));
    let fact = || facts.iter().find(|fact| fact.filter && named(fact.name)).map(scope_of);
    let scope = ours.map(|(_, scope)| *scope).or_else(fact);
    match scope.filter(|_| after.starts_with(|c: char| !c.is_whitespace())) {
        Some(scope) => {
            *rest = after;
            scope
        }
        None => ClauseScope::Anywhere,
    }
}

/// Where a condition on a fact looks.
fn scope_of(fact: &Fact) -> ClauseScope {
    match fact.kind {
        FactKind::Number => ClauseScope::Number(fact.name),
        FactKind::Label => ClauseScope::Label(fact.name),
    }
}

/// Takes what stands between two quotes, or from a quote to the end.
fn take_quoted<'a>(rest: &mut &'a str) -> &'a str {
    let inside = rest.split_at(rest.chars().next().map_or(0, char::len_utf8)).1;
    let (text, after) = inside.split_once(is_quote).unwrap_or((inside, ""));
    *rest = after;
    text
}

/// Takes what stands before the next white space or quote, or before a bracket that was opened
/// elsewhere.
fn take_chunk<'a>(rest: &mut &'a str, in_brackets: bool) -> &'a str {
    let mut open = 0_usize;
    let ends = |c: char| {
        open += usize::from(c == '(');
        let closes = c == ')' && in_brackets && open == 0;
        open -= usize::from(c == ')' && open > 0);
        closes || c.is_whitespace() || is_quote(c)
    };
    let end = rest.find(ends).unwrap_or(rest.len());
    let (text, after) = rest.split_at(end);
    *rest = after;
    text
}

/// Takes `~5` from the front.
fn take_among(rest: &mut &str) -> Option<u32> {
    let after = rest.strip_prefix('~')?;
    let (number, after) = take_number(after)?;
    *rest = after;
    Some(number)
}

/// A number of at most three digits at the front, and what follows it.
pub(super) fn take_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, after) = text.split_at(end);
    let number = digits.parse().ok().filter(|_| end <= 3)?;
    Some((number, after))
}

pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '＂')
}
