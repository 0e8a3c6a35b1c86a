//! The references of a paper: found at its end, and split where each begins, by numbers, brackets, or the names and
//! years that they open with.

use crate::lexicon;
use crate::paper::PaperLine;

/// The words that a list of references stands under.
const HEADINGS: &[&str] = &[
    "references",
    "bibliography",
    "literature cited",
    "works cited",
    "references cited",
    "literatur",
    "literaturverzeichnis",
    "bibliographie",
    "références",
    "referencias",
    "bibliografía",
    "references and notes",
];
/// Sections that may follow.
const BEHIND: &[&str] =
    &["appendix", "appendices", "acknowledgements", "acknowledgments", "about the author"];
/// Bytes of a line that may be a heading.
const LONGEST_HEADING: usize = 60;
/// Words of all references at most; what follows is left out.
const MOST_WORDS: usize = 300_000;
/// Bytes of a block that may be one reference.
const LONGEST_BLOCK: usize = 1_200;
/// References at most; what follows is left out.
pub const MOST_REFERENCES: usize = 20_000;
/// Bytes of a reference at most; the rest of it is left out.
const LONGEST_REFERENCE: usize = 4_000;
/// Bytes of a mark in brackets at most.
const LONGEST_MARK: usize = 40;
/// Entries of a list without a heading at least, and lines of each at most.
const FEWEST_NUMBERED: u32 = 8;
const MOST_LINES: usize = 12;
/// Shorter ones are rubbish, such as numbers of pages.
const SHORTEST_REFERENCE: usize = 15;

/// What stands before family names and belongs to them.
const PARTICLES: &[&str] = &["van", "von", "de", "der", "den", "del", "di", "la", "le"];

/// Where the list of references stands among the lines of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceLines {
    /// The line that says so.
    pub heading: usize,
    /// The line behind the last of the list.
    pub end: usize,
}

/// Finds the list of references: what stands below the last heading that says so, to the next section.
#[must_use]
pub fn find<'a>(lines: impl IntoIterator<Item = &'a str>) -> Option<ReferenceLines> {
    let mut found: Option<ReferenceLines> = None;
    let mut is_over = false;
    let mut count = 0;
    for (at, line) in lines.into_iter().enumerate() {
        count = at + 1;
        let Some(plain) = heading(line) else { continue };
        if is_list(&plain) {
            (found, is_over) = (Some(ReferenceLines { heading: at, end: at + 1 }), false);
        } else if let Some(list) = found.as_mut().filter(|_| !is_over)
            && BEHIND.iter().any(|behind| plain.starts_with(behind))
        {
            (list.end, is_over) = (at, true);
        }
    }
    let end = if is_over { None } else { Some(count) };
    found.map(|list| ReferenceLines { end: end.unwrap_or(list.end), ..list })
}

/// The list of references of a paper's lines: below its heading, else one that has none, as in letters to journals.
pub(crate) fn find_list(lines: &[PaperLine]) -> Option<ReferenceLines> {
    find(lines.iter().map(|line| line.text.as_str())).or_else(|| without_heading(lines))
}

/// The last list that is numbered from 1 in order, most of whose entries have years.
fn without_heading(lines: &[PaperLine]) -> Option<ReferenceLines> {
    let mut found = None;
    let mut at = 1;
    while at < lines.len() {
        at = match numbered_from(lines, at) {
            Some(end) => {
                found = Some(ReferenceLines { heading: at - 1, end });
                end
            }
            None => at + 1,
        };
    }
    found
}

/// The end of a list of references that begins with this line, if one does.
fn numbered_from(lines: &[PaperLine], start: usize) -> Option<usize> {
    let is_entry = |line: &PaperLine, next: u32| {
        let text = line.text.trim();
        let behind = text.trim_start_matches(|c: char| !c.is_alphabetic());
        number(text) == Some(next) && behind.starts_with(char::is_uppercase)
    };
    if !is_entry(&lines[start], 1) {
        return None;
    }
    let (mut count, mut dated, mut last, mut has_date) = (1, 0, start, false);
    for (at, line) in lines.iter().enumerate().skip(start) {
        if at > start && count == 1 && is_entry(line, 1) {
            return None;
        }
        if at > start && is_entry(line, count + 1) {
            dated += u32::from(has_date);
            (count, last, has_date) = (count + 1, at, false);
        } else if at - last >= MOST_LINES {
            break;
        }
        has_date |= has_year(&line.text);
    }
    let rest = &lines[last..lines.len().min(last + MOST_LINES)];
    let whole = rest.iter().position(|line| is_whole(&line.text)).unwrap_or(0);
    dated += u32::from(rest[..=whole].iter().any(|line| has_year(&line.text)));
    (count >= FEWEST_NUMBERED && dated * 10 >= count * 8).then_some(last + whole + 1)
}

/// Whether a line heads a list of references.
pub(crate) fn is_heading(line: &str) -> bool {
    heading(line).is_some_and(|plain| is_list(&plain))
}

/// Whether a heading in small letters says that references follow; wide letters may have spaces between them.
fn is_list(plain: &str) -> bool {
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let squeezed = squeeze(plain);
    HEADINGS.iter().any(|heading| squeeze(heading) == squeezed)
}

/// The references of lines, one each, and whether there are more than are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitReferences {
    pub texts: Vec<String>,
    pub is_cut: bool,
}

/// Splits the lines of a list of references: each block is one where blocks look like it, else as [`split`] does.
#[must_use]
pub fn split_lines(lines: &[PaperLine]) -> SplitReferences {
    let texts: Vec<&str> = lines.iter().map(|line| without_bullet(&line.text)).collect();
    let is_named = opening(&texts) == Opening::Name;
    let by_lines = split(&texts.join("\n"));
    // Where blocks are columns or pages, lines tell more.
    let by_blocks = if is_named { blocks(lines) } else { None };
    let by_blocks = by_blocks.filter(|blocks| blocks.len() * 3 / 2 >= by_lines.len());
    let mut texts = by_blocks.unwrap_or(by_lines);
    let mut words = 0;
    let fits = |text: &&String| {
        words += text.split(' ').count();
        words <= MOST_WORDS
    };
    let kept = texts.iter().take(MOST_REFERENCES - 1).take_while(fits).count();
    let is_cut = kept < texts.len();
    texts.truncate(kept);
    SplitReferences { texts, is_cut }
}

/// The blocks of a list; none where most of them are no whole reference. Where most begin with a name, all do: a
/// block without one goes on, and one may hold several.
fn blocks(lines: &[PaperLine]) -> Option<Vec<String>> {
    let texts = || lines.iter().map(|line| (without_bullet(&line.text), line.begins_block));
    let begin: Vec<&str> = texts().filter(|(_, begins)| *begins).map(|(text, _)| text).collect();
    let form = NameForm::of(begin.first().copied().unwrap_or_default());
    let named = begin.iter().filter(|text| form.begins(text)).count();
    let are_named = named * 10 >= begin.len() * 6;
    let mut found: Vec<String> = Vec::new();
    for (text, begins_block) in texts() {
        // One that a page's end has cut goes on.
        let goes_on = text.starts_with(char::is_lowercase)
            || found.last().is_some_and(|last| !has_year(last) && !is_whole(last));
        let is_named = are_named && form.begins(text);
        let begins = begins_block && !goes_on && (is_named || !are_named);
        let is_next = is_named && found.last().is_some_and(|last| is_whole(last));
        if found.is_empty() || begins || is_next {
            found.push(String::new());
        }
        if let Some(last) = found.last_mut() {
            join(last, text);
        }
    }
    found.retain(|reference| reference.len() >= SHORTEST_REFERENCE);
    let whole = found.iter().filter(|reference| has_year(reference)).count();
    let longest = found.iter().map(String::len).max().unwrap_or_default();
    (found.len() >= 2 && whole * 10 >= found.len() * 8 && longest <= LONGEST_BLOCK).then_some(found)
}

/// A short line in small letters without its number; none for long ones.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST_HEADING {
        return None;
    }
    let bare = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let bare = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
    Some(bare.to_lowercase())
}

/// How references begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// `[12]`, `[Fisher 99]`
    Bracket,
    /// `12.` or `(12)`
    Number,
    /// Each line is one, or each begins with a name.
    Name,
}

/// The references, one each, white space folded.
#[must_use]
pub fn split(references: &str) -> Vec<String> {
    let lines: Vec<&str> =
        references.lines().map(without_bullet).filter(|line| !line.is_empty()).collect();
    let opening = opening(&lines);
    let form = NameForm::of(lines.first().copied().unwrap_or_default());
    let mut found: Vec<String> = Vec::new();
    let mut next = 1;
    for line in lines {
        let begins = match opening {
            Opening::Bracket => is_bracketed(line),
            Opening::Number => {
                number(line).is_some_and(|number| number == next || number == next + 1)
            }
            Opening::Name => form.begins(line) && found.last().is_none_or(|last| is_whole(last)),
        };
        if begins || found.is_empty() {
            next = number(line).unwrap_or(next) + 1;
            if found.len() == MOST_REFERENCES {
                break;
            }
            found.push(String::new());
        }
        if let Some(last) = found.last_mut() {
            join(last, line);
        }
    }
    found.retain(|reference| reference.len() >= SHORTEST_REFERENCE);
    found
}

/// A line without the bullet of a list's item.
fn without_bullet(line: &str) -> &str {
    let line = line.trim();
    let bare = line.strip_prefix(['-', '*', '\u{2022}']).filter(|rest| rest.starts_with(' '));
    bare.map_or(line, str::trim_start)
}

/// What most lines that open in any way open with.
fn opening(lines: &[&str]) -> Opening {
    let brackets = lines.iter().filter(|line| is_bracketed(line)).count();
    let numbers = lines.iter().filter_map(|line| number(line));
    // Numbers go up by one; years and pages do not.
    let mut next = 1;
    let mut in_order = 0;
    for number in numbers {
        if number == next {
            (next, in_order) = (next + 1, in_order + 1);
        }
    }
    match (brackets, in_order) {
        _ if brackets >= 2 && brackets >= in_order => Opening::Bracket,
        (0, 1) if lines.len() == 1 => Opening::Number,
        _ if in_order >= 2 && in_order * 12 >= lines.len() => Opening::Number,
        _ if brackets == 1 && in_order == 0 && lines.len() <= 4 => Opening::Bracket,
        _ => Opening::Name,
    }
}

/// Whether a line opens with a mark in brackets.
fn is_bracketed(line: &str) -> bool {
    line.starts_with('[') && line.find(']').is_some_and(|end| end < LONGEST_MARK)
}

/// The number that a line opens with, as `12.` or `(12)` or `12)`.
fn number(line: &str) -> Option<u32> {
    let line = line.strip_prefix('(').unwrap_or(line);
    let digits = line.bytes().take(5).take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let closes = rest.starts_with(['.', ')']) && rest[1..].starts_with(char::is_whitespace);
    if closes && digits <= 4 { line[..digits].parse().ok() } else { None }
}

/// How the names go that references begin with: all of a list as its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameForm {
    /// `Fisher, A.`
    Listed,
    /// `A. Fisher` or `A. B. Fisher` or `Ann Fisher and`
    Spoken,
}

impl NameForm {
    fn of(line: &str) -> NameForm {
        if is_listed(line) { NameForm::Listed } else { NameForm::Spoken }
    }

    /// Whether a line begins so.
    fn begins(self, line: &str) -> bool {
        match self {
            NameForm::Listed => is_listed(line),
            NameForm::Spoken => begins_with_initial(line) || begins_with_full_name(line),
        }
    }
}

/// Whether a reference begins with a name, in whichever form.
#[must_use]
pub(crate) fn begins_with_name(line: &str) -> bool {
    NameForm::of(line).begins(line)
}

fn is_initial(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    let is_short = word.contains('.') && word.chars().count() <= 6;
    is_short && letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_uppercase)
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1
}

/// `A. Fisher`, `A. B. Fisher`, `A. van Houten`
fn begins_with_initial(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    is_initial(first) && (is_name(second) || PARTICLES.contains(&second))
}

/// `Fisher, A.`, `Van Houten, A.`, `Fisher, Ann`
fn is_listed(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    let family = words.iter().position(|word| word.ends_with(','));
    let Some(family) = family.filter(|at| *at <= 2) else { return false };
    let are_names = words[..family].iter().all(|word| is_name(word) || PARTICLES.contains(word));
    let given = words.get(family + 1);
    are_names
        && is_name(words[family])
        && given.is_some_and(|given| is_initial(given) || family == 0 && is_name(given))
}

/// `Ann Fisher. Nets`, `Ann B. Fisher and`, `Ann Fisher, Bob`: words in capitals that name no place and no venue, up to
/// a sign or another name.
fn begins_with_full_name(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_particle = |word: &str| PARTICLES.contains(&word);
    let is_initial = |word: &str| word.ends_with('.') && word.chars().count() == 2;
    let lists = |word: &str| lexicon::lists(&word.trim_end_matches(['.', ',']).to_lowercase());
    let is_given = words.first().is_some_and(|first| lists(first) & 1 == 1);
    for (at, word) in words.iter().enumerate() {
        // Families are called as places are.
        let others = if at == 0 { 0b1110 } else { 0b1100 };
        let is_other = lists(word) & others != 0 && lists(word) & 1 == 0 && !is_given;
        let is_word = is_capital(word) && !word.contains(|c: char| c.is_ascii_digit());
        if !is_word && !is_particle(word) || is_other {
            return false;
        }
        let next = words.get(at + 1).copied();
        if at > 0 && next == Some("and") {
            return true;
        }
        if !is_initial(word) && word.ends_with(['.', ',']) {
            return at > 0
                && next.map_or(is_given, |next| is_capital(next) || ["and", "et"].contains(&next));
        }
    }
    false
}

/// Whether a reference may be over: it ends with a full stop and has a year.
pub(crate) fn is_whole(reference: &str) -> bool {
    let ends =
        reference.ends_with(['.', ')', ']']) || reference.ends_with(|c: char| c.is_ascii_digit());
    ends && has_year(reference)
}

pub(crate) fn has_year(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|four| {
        (four.starts_with(b"19") || four.starts_with(b"20") || four.starts_with(b"18"))
            && four.iter().all(u8::is_ascii_digit)
    })
}

/// Adds a line; a word that the line's end has cut becomes one again.
fn join(reference: &mut String, line: &str) {
    if reference.len() + line.len() > LONGEST_REFERENCE {
        return;
    }
    let is_cut = reference.ends_with('-') && line.starts_with(char::is_lowercase);
    if is_cut {
        reference.pop();
    } else if !reference.is_empty() {
        reference.push(' ');
    }
    for (at, word) in line.split_whitespace().enumerate() {
        if at > 0 {
            reference.push(' ');
        }
        reference.push_str(word);
    }
}

/// A reference without the mark that it opens with, and the mark.
#[must_use]
pub fn mark(reference: &str) -> (&str, &str) {
    if reference.starts_with('[')
        && let Some(end) = reference.find(']').filter(|end| *end < LONGEST_MARK)
    {
        return (&reference[1..end], reference[end + 1..].trim_start());
    }
    if number(reference).is_some()
        && let Some((mark, rest)) = reference.split_once(char::is_whitespace)
    {
        return (mark.trim_matches(|c: char| !c.is_ascii_digit()), rest.trim_start());
    }
    ("", reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tests::lines;
    use proptest::prelude::*;

    fn check(list: &str, expected: &[&str]) {
        assert_eq!(split(list), expected);
    }

    #[test]
    fn references_stand_below_the_last_heading_that_says_so() {
        let check = |text: &str, expected: Option<(usize, usize)>| {
            let found = find(text.lines());
            assert_eq!(found.map(|list| (list.heading, list.end)), expected, "{text}");
        };
        check(
            "See References\nReferences\nno\n5. REFERENCES:\n[1] A.\nAppendix A\nMore",
            Some((3, 5)),
        );
        check("R EFERENCES\n[1] A.", Some((0, 2)));
        check("no list", None);
        check("", None);
    }

    #[test]
    fn a_list_without_a_heading_is_found_by_its_numbers_and_years() {
        let entry = |n: u32| {
            format!("{n}. Fisher, A. Nets of kind {n}.\nJ. Tides {n}, 1 ({}).\n", 1980 + n)
        };
        let list: String = (1..=9).map(entry).collect();
        let check = |text: &str, expected: Option<(usize, usize)>| {
            let found = find_list(&lines(text));
            assert_eq!(found.map(|list| (list.heading, list.end)), expected, "{text}");
        };
        check(&format!("Nets\n1. We fish.\n{list}METHODS\nWe fished."), Some((1, 20)));
        check(&format!("Nets\nReferences\n[1] A. 1999.\n{list}"), Some((1, 21)));
        let steps: String = (1..=9).map(|n| format!("{n}. Take net {n}.\n")).collect();
        check(&format!("Nets\n{steps}"), None);
        check("1. Fisher, A. Nets 1999.", None);
    }

    #[test]
    fn blocks_are_references_where_they_look_like_it() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(split_lines(&lines(text)).texts, expected, "{text}");
        };
        check(
            "Ann Fisher, Nets\nof Dover 1999\n\nBob Hook, Hooks in rivers, 1998\n\nof the north",
            &["Ann Fisher, Nets of Dover 1999", "Bob Hook, Hooks in rivers, 1998 of the north"],
        );
        check(
            "[1] Ann Fisher, 1999.\n\n[2] Bob Hook, 1998.",
            &["[1] Ann Fisher, 1999.", "[2] Bob Hook, 1998."],
        );
    }

    #[test]
    fn no_more_references_are_read_than_the_limit() {
        let line = |n: u32| format!("[{n}] A. Fisher. {} 1999.\n", "nets ".repeat(100));
        let found = split_lines(&lines(&(0..4_000).map(line).collect::<String>()));
        assert!(found.is_cut && found.texts.len() < 3_000, "{}", found.texts.len());
    }

    #[test]
    fn brackets_and_numbers_begin_references() {
        check(
            "[1] A. Fisher. Nets by\nnight. 1999.\n[2] B. Hook. Hooks. In Proc.\n12. Tides, 1998.",
            &[
                "[1] A. Fisher. Nets by night. 1999.",
                "[2] B. Hook. Hooks. In Proc. 12. Tides, 1998.",
            ],
        );
        check(
            "1. A. Fisher. Nets and hy-\nphens. Page\n12. 1999.\n2. B. Hook. Hooks, 1998.",
            &["1. A. Fisher. Nets and hyphens. Page 12. 1999.", "2. B. Hook. Hooks, 1998."],
        );
        check(
            "[Fis99] A. Fisher. Nets, 1999.\n[Hoo98] B. Hook. Hooks, 1998.",
            &["[Fis99] A. Fisher. Nets, 1999.", "[Hoo98] B. Hook. Hooks, 1998."],
        );
    }

    #[test]
    fn names_begin_references_once_the_one_before_is_whole() {
        check(
            "Fisher, A. (1999). Nets at\nDover, England.\nHook, B. and Netter, C. (1987). Hooks.\nIn Tides, 3, 1987.",
            &[
                "Fisher, A. (1999). Nets at Dover, England.",
                "Hook, B. and Netter, C. (1987). Hooks. In Tides, 3, 1987.",
            ],
        );
        check(
            "A. Fisher and\nB. Hook. Nets. 1999.\nC. Netter. Ports. 1998.",
            &["A. Fisher and B. Hook. Nets. 1999.", "C. Netter. Ports. 1998."],
        );
    }

    #[test]
    fn bullets_of_lists_are_no_part_of_references() {
        check(
            "[Fisher, 1999] A. Fisher. Nets, 1999.\n\n- [Hook et al., 1998] B. Hook. Hooks - and\n- lines, 1998.",
            &[
                "[Fisher, 1999] A. Fisher. Nets, 1999.",
                "[Hook et al., 1998] B. Hook. Hooks - and lines, 1998.",
            ],
        );
    }

    #[test]
    fn marks_are_told_from_references() {
        assert_eq!(mark("[Fis99] A. Fisher."), ("Fis99", "A. Fisher."));
        assert_eq!(mark("(12) A. Fisher."), ("12", "A. Fisher."));
        assert_eq!(mark("A. Fisher."), ("", "A. Fisher."));
    }

    proptest! {
        #[test]
        fn any_text_is_split(text in "[\\PC\n\\[\\]0-9.]{0,200}") {
            let found = find(text.lines());
            prop_assert!(found.is_none_or(|list| list.heading < list.end && list.end <= text.lines().count()));
            let _ = split_lines(&lines(&text));
            for reference in split(&text) {
                prop_assert!(reference.len() <= LONGEST_REFERENCE + 1);
                let (mark, rest) = mark(&reference);
                prop_assert!(mark.len() + rest.len() <= reference.len());
            }
        }
    }
}
