//! From typed text to clauses. Grammar: `[+|-] [site:|lang:|title:] ("phrase" | word)`, repeated;
//! whatever does not fit is left out rather than refused.

use super::{Clause, MAX_CLAUSES, Occur, Scope};
use crate::analysis;

/// No query is longer, in characters; the rest is left out.
const MAX_CHARS: usize = 2_000;

/// No phrase is longer, in words.
const MAX_PHRASE: usize = 32;

const SCOPES: [(&str, Scope); 3] =
    [("site:", Scope::Site), ("lang:", Scope::Language), ("title:", Scope::Title)];

/// One thing typed, before its words are looked at.
struct Piece<'a> {
    sign: Option<Occur>,
    scope: Scope,
    quoted: bool,
    text: &'a str,
}

pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
    let mut rest = &text[..end];
    let mut found = Vec::new();
    while let Some(piece) = next_piece(&mut rest) {
        for clause in piece_clauses(&piece) {
            if !found.contains(&clause) {
                found.push(clause);
            }
        }
    }
    drop_stop_words(&mut found);
    found.truncate(MAX_CLAUSES);
    found
}

fn next_piece<'a>(rest: &mut &'a str) -> Option<Piece<'a>> {
    *rest = rest.trim_start();
    if rest.is_empty() {
        return None;
    }
    let signs = rest.len() - rest.trim_start_matches(['+', '-']).len();
    let sign = match rest.as_bytes().first() {
        Some(b'+') => Some(Occur::Must),
        Some(b'-') => Some(Occur::MustNot),
        _ => None,
    };
    *rest = &rest[signs..];
    let scope = take_scope(rest);
    let quoted = rest.starts_with(is_quote);
    let text = if quoted { take_quoted(rest) } else { take_chunk(rest) };
    Some(Piece { sign, scope, quoted, text })
}

/// Takes `site:` and the like from the front, if something follows it directly.
fn take_scope(rest: &mut &str) -> Scope {
    for (name, scope) in SCOPES {
        let named = rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        if named && rest[name.len()..].starts_with(|c: char| !c.is_whitespace()) {
            *rest = &rest[name.len()..];
            return scope;
        }
    }
    Scope::Anywhere
}

/// Takes what stands between two quotes, or from a quote to the end.
fn take_quoted<'a>(rest: &mut &'a str) -> &'a str {
    let inside = rest.split_at(rest.chars().next().map_or(0, char::len_utf8)).1;
    let (text, after) = inside.split_once(is_quote).unwrap_or((inside, ""));
    *rest = after;
    text
}

/// Takes what stands before the next white space or quote.
fn take_chunk<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find(|c: char| c.is_whitespace() || is_quote(c)).unwrap_or(rest.len());
    let (text, after) = rest.split_at(end);
    *rest = after;
    text
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '＂')
}

fn piece_clauses(piece: &Piece) -> Vec<Clause> {
    let (scope, sign) = (piece.scope, piece.sign);
    if matches!(scope, Scope::Site | Scope::Language) {
        let name = if scope == Scope::Site { host(piece.text) } else { piece.text.trim() };
        let words = vec![name.to_lowercase()];
        let fits = !name.is_empty() && !name.contains(char::is_whitespace);
        let occur = sign.unwrap_or(Occur::Must);
        return Vec::from_iter(fits.then_some(Clause { occur, scope, words, exact: false }));
    }
    let words = analysis::words(piece.text).map(|word| word.form.into_owned());
    let mut words: Vec<String> = words.take(MAX_PHRASE).collect();
    if words.is_empty() {
        return Vec::new();
    }
    // What was written as one thing is one thing, unless it is only wished for: `-well-known` must
    // not forbid every `well`, but `well-known` may find both.
    let whole = piece.quoted || scope == Scope::Title || sign.is_some();
    if whole {
        let exact = piece.quoted || words.len() > 1;
        return vec![Clause { occur: sign.unwrap_or(Occur::Must), scope, words, exact }];
    }
    let occur = Occur::Should;
    words.drain(..).map(|word| Clause { occur, scope, words: vec![word], exact: false }).collect()
}

/// The host in what was typed after `site:`, which may be a whole URL.
fn host(text: &str) -> &str {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    rest.split(['/', '?', '#', ':']).next().unwrap_or_default().trim_matches(['.', '*'])
}

/// Leaves stop words out where other words remain to rank by (003 §4.3.3).
fn drop_stop_words(clauses: &mut Vec<Clause>) {
    let droppable =
        |clause: &Clause| clause.occur == Occur::Should && analysis::is_stop(&clause.words[0]);
    if clauses.iter().any(|clause| clause.is_scored() && !droppable(clause)) {
        clauses.retain(|clause| !droppable(clause));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Query;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let query = Query::parse(text);
        assert_eq!(query.describe(), expected, "{text:?}");
        assert_eq!(Query::parse(&query.describe()), query, "{text:?}");
    }

    #[test]
    fn words_phrases_and_signs_are_understood() {
        check("wind turbines", "wind turbines");
        check("  Wind\t TURBINES\n", "wind turbines");
        check("\"wind turbine\" blade", "\"wind turbine\" blade");
        check("+wind -solar blade", "+wind -solar blade");
        check("-\"solar power\" wind", "-\"solar power\" wind");
        check("+\"solar power\"", "\"solar power\"");
        check("\"turbine\"", "\"turbine\"");
        check("title:wind title:\"solar power\"", "title:wind title:\"solar power\"");
        check("TITLE:Wind -title:old", "title:wind -title:old");
        check("site:A.test -site:b.a.test wind", "site:a.test -site:b.a.test wind");
        check("site:https://www.a.test:8400/x?y wind", "site:www.a.test wind");
        check("lang:SL wind", "lang:sl wind");
    }

    #[test]
    fn odd_input_is_taken_leniently() {
        check("", "");
        check("   ", "");
        check("+ - \" ''", "");
        check("\"\"", "");
        check("\"\"\"\"\"", "");
        check("\"wind turbine", "\"wind turbine\"");
        check("wind\"solar power\"blade", "wind \"solar power\" blade");
        check("“wind turbine”", "\"wind turbine\"");
        check("„vetrna elektrarna“", "\"vetrna elektrarna\"");
        check("--wind ++solar +-x", "-wind +solar +x");
        check("- wind", "wind");
        check("wind -", "wind");
        check("site: b.test", "site b test");
        check("site:", "site");
        check("site:///", "");
        check("lang:\"\" wind", "wind");
        check("title:\"\" wind", "wind");
        check("title:... wind", "wind");
        check("nosuch:thing", "nosuch thing");
        check("wind wind WIND", "wind");
        check("-well-known fact", "-\"well known\" fact");
        check("well-known fact", "well known fact");
        check("title:well-known", "title:\"well known\"");
        check("wind & (solar) | *", "wind solar");
    }

    #[test]
    fn stop_words_go_only_where_others_remain() {
        check("the wind of the sea", "wind sea");
        check("to be or not to be", "to be or not");
        check("\"to be or not to be\"", "\"to be or not to be\"");
        check("+the wind", "+the wind");
        check("the -wind", "the -wind");
        check("the site:a.test", "the site:a.test");
        check("title:the of", "title:the");
    }

    #[test]
    fn length_is_bounded() {
        let many: String = (0..5_000).map(|n| format!("w{n} ")).collect();
        assert_eq!(Query::parse(&many).clauses().len(), super::MAX_CLAUSES);
        let phrase = Query::parse(&format!("\"{many}"));
        assert_eq!(phrase.clauses()[0].words.len(), super::MAX_PHRASE);
    }

    #[test]
    fn words_to_mark_leave_out_what_is_not_wanted() {
        let query = Query::parse("\"wind turbine\" wind +blade -solar site:a.test");
        assert_eq!(query.words(), ["wind", "turbine", "blade"]);
    }

    proptest! {
        #[test]
        fn any_text_is_a_query_and_its_description_the_same_query(text in "\\PC{0,60}") {
            let query = Query::parse(&text);
            prop_assert_eq!(Query::parse(&query.describe()), query);
        }

        #[test]
        fn any_mix_of_operators_is_a_query(
            text in "(site:|lang:|title:|[-+\" a-c.:#'東京]){0,40}",
        ) {
            let query = Query::parse(&text);
            prop_assert_eq!(Query::parse(&query.describe()), query);
        }
    }
}
