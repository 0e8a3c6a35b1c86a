//! The sentences of a paper that cite its references: by marks in brackets (`[3]`, `[1, 4-6]`, `[Fis99]`), or by name
//! and year (`Fisher (1999)`, `(Fisher and Hook, 1999)`), or where a paper has none of these, by raised numbers
//! (`eels12,13.`).

use crate::reference::PaperReference;
use crate::sections::PaperSection;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Citations of one paper at most.
const MOST_CONTEXTS: usize = 50_000;
/// Bytes of all their sentences at most.
const MOST_BYTES: usize = 16 << 20;
/// Bytes of a sentence at most.
const LONGEST_SENTENCE: usize = 2_000;
/// References that a range such as `[1-40]` cites at most.
const LONGEST_RANGE: usize = 60;
/// Words before a year among which the name of its author stands.
const NEAR: usize = 8;

/// A sentence that cites a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitationContext {
    /// The place of the reference among the paper's, counted from 0.
    pub reference: usize,
    pub sentence: String,
    /// The heading of its section.
    pub section: String,
}

/// References by what cites them.
struct CitedBy {
    marks: HashMap<String, usize>,
    /// By family name of the first author and year, as 1999 or 1999a; none where two share them.
    names: HashMap<(String, String), Option<usize>>,
}

/// The citations in the text of sections, in its order.
pub(crate) fn contexts(
    sections: &[PaperSection],
    references: &[PaperReference],
) -> Vec<CitationContext> {
    let cited = cited_by(references);
    let found = contexts_by(sections, |sentence| citations(sentence, &cited));
    match found.is_empty() {
        true => contexts_by(sections, |sentence| raised(sentence, &cited)),
        false => found,
    }
}

fn contexts_by(
    sections: &[PaperSection],
    citations: impl Fn(&str) -> Vec<usize>,
) -> Vec<CitationContext> {
    let mut found = Vec::new();
    let mut bytes = 0;
    for section in sections {
        let heading = format!("{} {}", section.number, section.title).trim().to_owned();
        for sentence in sentences(&section.text) {
            for reference in citations(sentence) {
                bytes += sentence.len() + heading.len();
                if found.len() == MOST_CONTEXTS || bytes > MOST_BYTES {
                    return found;
                }
                let (sentence, section) = (sentence.to_owned(), heading.clone());
                found.push(CitationContext { reference, sentence, section });
            }
        }
    }
    found
}

/// The citations of footnotes, which are counted in the order of the text: `as Fisher did.7 Nets`.
pub(crate) fn of_footnotes(
    sections: &[PaperSection],
    references: &[PaperReference],
) -> Vec<CitationContext> {
    let mut found = Vec::new();
    let mut next = 0;
    for section in sections {
        let heading = format!("{} {}", section.number, section.title).trim().to_owned();
        let mut from = 0;
        while let Some(reference) = references.get(next)
            && let Some(at) = raised_at(&section.text, from, &reference.mark)
        {
            let mark = &reference.mark;
            let before = sentences(section.text[from..at].trim_end());
            let sentence = before.last().copied().unwrap_or_default();
            let (sentence, section) = (sentence.to_owned(), heading.clone());
            found.push(CitationContext { reference: next, sentence, section });
            from = at + mark.len();
            next += 1;
        }
    }
    found
}

/// Where a number of a footnote stands behind a word or a sign, and nothing but a space behind it.
fn raised_at(text: &str, from: usize, mark: &str) -> Option<usize> {
    let mut places = text[from..].match_indices(mark).map(|(at, _)| at + from);
    places.find(|at| {
        let (before, behind) = (text[..*at].trim_end_matches(' '), &text[at + mark.len()..]);
        let is_close = before.len() + 1 >= *at && before.ends_with(['.', '?', '!', ',', ')', '"']);
        let is_raised = is_close || before.len() == *at && before.ends_with(char::is_alphabetic);
        is_raised && behind.chars().next().is_none_or(char::is_whitespace)
    })
}

fn cited_by(references: &[PaperReference]) -> CitedBy {
    let mut cited = CitedBy { marks: HashMap::new(), names: HashMap::new() };
    let has_marks = references.iter().any(|reference| !reference.mark.is_empty());
    for (at, reference) in references.iter().enumerate() {
        if !has_marks {
            // A list that its format numbers.
            cited.marks.insert((at + 1).to_string(), at);
        } else if !reference.mark.is_empty() {
            cited.marks.entry(plain_mark(&reference.mark)).or_insert(at);
        }
        if let (Some(author), Some(year)) = (reference.authors.first(), reference.year) {
            let year = year.to_string();
            let lettered = lettered(&reference.text, &year);
            for year in std::iter::once(year).chain(lettered) {
                let names = cited.names.entry((author.family.to_lowercase(), year));
                names.and_modify(|known| *known = None).or_insert(Some(at));
            }
        }
    }
    cited
}

/// The year with the letter that stands behind it.
fn lettered(text: &str, year: &str) -> Option<String> {
    let mut behind = text.match_indices(year).map(|(at, _)| &text[at + year.len()..]);
    behind.find_map(|rest| {
        let letter = rest.chars().next().filter(char::is_ascii_lowercase)?;
        let is_alone = !rest[1..].starts_with(char::is_alphanumeric);
        is_alone.then(|| format!("{year}{letter}"))
    })
}

/// A mark without spaces and commas, in small letters.
fn plain_mark(mark: &str) -> String {
    mark.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The sentences of a text; a very long one is cut.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let rest = &text[end..];
        let ends = matches!(c, '.' | '?' | '!')
            && rest.chars().next().is_none_or(char::is_whitespace)
            && begins(rest)
            && !(c == '.' && is_short(&text[start..at]));
        if ends || end - start > LONGEST_SENTENCE {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Whether a sentence begins with a text: a capital, a number or a bracket comes first.
fn begins(text: &str) -> bool {
    let first = text.chars().find(|c| !c.is_whitespace());
    first.is_none_or(|c| !c.is_lowercase() && c != ',')
}

/// Whether a text ends with an initial or a word that a full stop shortens.
fn is_short(text: &str) -> bool {
    const SHORT: &[&str] = &[
        "al", "e.g", "i.e", "cf", "fig", "figs", "eq", "eqs", "sec", "vs", "etc", "resp", "no",
        "vol", "pp", "ref",
    ];
    let word = text.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let is_initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase);
    is_initial || SHORT.contains(&word.to_lowercase().as_str())
}

/// The references that a sentence cites, each once.
fn citations(sentence: &str, cited: &CitedBy) -> Vec<usize> {
    let mut found = Vec::new();
    let mut rest = sentence;
    while let Some(open) = rest.find('[') {
        let Some(close) = rest[open..].find(']').map(|at| at + open) else { break };
        in_brackets(&rest[open + 1..close], cited, &mut found);
        rest = &rest[close + 1..];
    }
    if found.is_empty() {
        by_name(sentence, cited, &mut found);
    }
    let mut seen = HashSet::new();
    found.retain(|reference| seen.insert(*reference));
    found
}

/// `3`, `1, 4-6`, `Fis99; Hoo87, page 3`
fn in_brackets(inside: &str, cited: &CitedBy, found: &mut Vec<usize>) {
    if let Some(whole) = cited.marks.get(&plain_mark(inside)) {
        found.push(*whole);
        return;
    }
    for part in inside.split([',', ';']) {
        if let Some(at) = cited.marks.get(&plain_mark(part)) {
            found.push(*at);
        } else if let Some((from, to)) = part.split_once(['-', '\u{2013}'])
            && let (Ok(from), Ok(to)) = (from.trim().parse::<usize>(), to.trim().parse::<usize>())
        {
            let numbers = (from..=to).take(LONGEST_RANGE);
            found
                .extend(numbers.filter_map(|number| cited.marks.get(&number.to_string()).copied()));
        }
    }
}

/// The references of numbers that stand raised behind a word, which in plain text they are part of.
fn raised(sentence: &str, cited: &CitedBy) -> Vec<usize> {
    let mut found = Vec::new();
    for word in sentence.split_whitespace() {
        let Some(numbers) = raised_numbers(word) else { continue };
        let mut own = Vec::new();
        in_brackets(numbers, cited, &mut own);
        found.extend(own);
    }
    let mut seen = HashSet::new();
    found.retain(|reference| seen.insert(*reference));
    found
}

/// The numbers at the end of a word, as `12,13` of `eels12,13.`
pub(crate) fn raised_numbers(word: &str) -> Option<&str> {
    let word = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit() || ",-\u{2013}".contains(c));
    let numbers = &word[letters.len()..];
    let stem = letters.trim_end_matches(['.', ',', ')', '\u{201D}', ';', ':']);
    let is_word = stem.chars().rev().take(3).filter(|c| c.is_lowercase()).count() == 3;
    let is_few = numbers.split([',', '-', '\u{2013}']).all(|part| (1..=3).contains(&part.len()));
    (is_word && is_few && numbers.starts_with(|c: char| c.is_ascii_digit())).then_some(numbers)
}

fn by_name(sentence: &str, cited: &CitedBy, found: &mut Vec<usize>) {
    let words: Vec<String> = sentence
        .split(|c: char| c.is_whitespace() || ",;()".contains(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    for (at, word) in words.iter().enumerate() {
        let year = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let near = words[at.saturating_sub(NEAR)..at].iter().rev();
        let of = |year: &str, name: &String| {
            cited.names.get(&(name.clone(), year.to_owned())).copied().flatten()
        };
        let known = near.filter_map(|name| of(word, name).or_else(|| of(year, name))).next();
        found.extend(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::PersonName;
    use proptest::prelude::*;

    fn known() -> Vec<PaperReference> {
        let of = |(mark, family, year): (&str, &str, u16)| PaperReference {
            mark: mark.into(),
            authors: vec![PersonName { given: String::new(), family: family.into() }],
            year: Some(year),
            ..PaperReference::default()
        };
        [("1", "Fisher", 1999), ("2", "Hook", 1987), ("Net, 88", "Netter", 1988)].map(of).to_vec()
    }

    fn check(text: &str, expected: &[usize]) {
        let section = PaperSection { text: text.into(), ..PaperSection::default() };
        let found = contexts(&[section], &known());
        let found: Vec<usize> = found.iter().map(|context| context.reference).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn references_are_cited_by_marks_and_by_names() {
        check("See [1, 2]. Or [Net 88, page 3], [Net, 88] or [7].", &[0, 1, 2]);
        check("Nets [1-2] catch.", &[0, 1]);
        check("Fisher (1999) and (Hook and Netter 1987; Netter et al., 1988a) fished.", &[0, 1, 2]);
        check("In 1999 nobody fished.", &[]);
    }

    #[test]
    fn letters_tell_works_of_a_year_apart() {
        let of = |text: &str| PaperReference {
            text: text.into(),
            authors: vec![PersonName { given: String::new(), family: "Fisher".into() }],
            year: Some(1987),
            ..PaperReference::default()
        };
        let known = [of("Fisher (1987a). Nets."), of("Fisher (1987b). Hooks.")];
        let text = "Hooks (Fisher, 1987b) and nets (Fisher, 1987a). Neither (Fisher, 1987).".into();
        let found = contexts(&[PaperSection { text, ..PaperSection::default() }], &known);
        assert_eq!(found.iter().map(|one| one.reference).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn footnotes_are_cited_by_their_numbers_in_order() {
        let of = |mark: &str| PaperReference { mark: mark.into(), ..PaperReference::default() };
        let text = "Of 2 nets one is old.1 It is due to Hook et al. 2 The last".into();
        let section = PaperSection { text, ..PaperSection::default() };
        let found = of_footnotes(&[section], &[of("1"), of("2"), of("3")]);
        let found: Vec<(usize, &str)> =
            found.iter().map(|one| (one.reference, one.sentence.as_str())).collect();
        assert_eq!(found, [(0, "Of 2 nets one is old."), (1, "It is due to Hook et al.")]);
    }

    #[test]
    fn numbers_stand_raised_or_count_a_list_without_marks() {
        let plain = known().into_iter().map(|of| PaperReference { mark: String::new(), ..of });
        let plain: Vec<PaperReference> = plain.collect();
        let check = |text: &str, expected: &[usize]| {
            let section = PaperSection { text: text.into(), ..PaperSection::default() };
            let found = contexts(&[section], &plain);
            let found: Vec<usize> = found.iter().map(|context| context.reference).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("Nets [1, 3] catch. Hooks, too [2].", &[0, 2, 1]);
        check("Nets catch1,2. Eels swim.3 By night.", &[0, 1, 2]);
        check("In 1999 we had H2 and 3 nets, x1 and a7.", &[]);
        check("Nets [1]. The net2 is old.", &[0]);
        assert_eq!(raised_numbers("estimation23."), Some("23"));
        assert_eq!(raised_numbers("eels12\u{2013}14,"), Some("12\u{2013}14"));
        for word in ["23", "a1", "eels1999", "eels", "H2O", ""] {
            assert_eq!(raised_numbers(word), None, "{word}");
        }
    }

    #[test]
    fn sentences_end_where_the_next_begins() {
        assert_eq!(
            sentences("As Fisher et al. [1] say. Fig. 2 shows A. Hook. See [2]. No end"),
            ["As Fisher et al. [1] say.", "Fig. 2 shows A. Hook.", "See [2].", "No end"]
        );
        assert_eq!(
            sentences("Nets of\u{A0}A. Hook.\u{A0}Eels."),
            ["Nets of\u{A0}A. Hook.", "Eels."]
        );
    }

    proptest! {
        #[test]
        fn any_text_has_sentences(text in "[\\PC.\\[\\]0-9-]{0,120}") {
            let all: usize = sentences(&text).iter().map(|sentence| sentence.len()).sum();
            prop_assert!(all <= text.len());
            let section = PaperSection { text, ..PaperSection::default() };
            let _ = contexts(&[section], &known());
        }
    }
}
