//! What is written in one piece and is more than one word (003 §4.3.2): `CMAKE_BUILD_TYPE`,
//! `std::vector`, `a.b.c()`, `foo/bar`, `e-bay`, `1.4.22`, `--amend`. The fields with words have its
//! parts; a field of its own has the whole as one key, so that `rx-7` and `rx7` find each other and
//! the whole counts more than its parts. Names (titles, headings, texts of links) are kept as keys,
//! too: who types a whole name wants what bears it.
//!
//! A key is letters and digits alone, folded as words are; that of an option (`--amend`, `-x`) begins
//! with one hyphen. No key has white space.

use std::collections::HashSet;
use std::ops::Range;

use fyke_text::sixteen::Sixteen;

use crate::writer::without_scheme;

/// A whole has no more parts: what has more is a path or an address.
pub(crate) const MOST_PARTS: usize = 6;

/// No key is longer, in bytes.
const MOST_BYTES: usize = 64;

/// No option has a longer name, in bytes.
const MOST_OPTION: usize = 40;

/// What a line says of options stands in so many bytes.
const MOST_TERMS: usize = 120;

/// No name has more words.
const MOST_WORDS: usize = 12;

/// What parts a title into names: "target_link_libraries — CMake documentation".
const NAME_ENDS: [&str; 11] =
    [" - ", " – ", " — ", " | ", " · ", " » ", " « ", " :: ", ": ", "(", " / "];

/// What a numbered name begins with.
const NUMBERED: [&str; 5] = ["chapter", "section", "part", "appendix", "annex"];

/// What a whole is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WholeKind {
    /// Words joined by signs.
    Joined,
    /// The first two numbers of a version that has more; the version itself is a word.
    Version,
    /// An option of a command.
    Flag,
}

/// Shows every whole of a text: where it stands, what it is, and its key.
pub(crate) fn each_whole(text: &str, mut see: impl FnMut(Range<usize>, WholeKind, &str)) {
    let (mut key, mut parts) = (String::new(), Vec::new());
    each_chunk(text, |chunk| {
        let written = &text[chunk.clone()];
        if !may_have_key(written) {
            return;
        }
        let name = written.trim_start_matches('-');
        let hyphens = written.len() - name.len();
        if matches!(hyphens, 1 | 2) && flag(name, &mut key) {
            see(chunk.start..chunk.start + hyphens + key.len() - 1, WholeKind::Flag, &key);
        }
        each_joined(written, (&mut parts, &mut key), |range, kind, key| {
            see(chunk.start + range.start..chunk.start + range.end, kind, key);
        });
    });
}

/// The key of the option that `name` begins with.
fn flag(name: &str, key: &mut String) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let end = name.find(|c| !inside(c)).unwrap_or(name.len());
    let name = name[..end].trim_end_matches(['-', '_']);
    let is_flag = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= MOST_OPTION;
    if is_flag {
        key.clear();
        key.push('-');
        key.extend(name.chars().map(|c| c.to_ascii_lowercase()));
    }
    is_flag
}

/// Shows the runs of letters, digits and signs that may join them, where there is a sign among them.
fn each_chunk(text: &str, mut see: impl FnMut(Range<usize>)) {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(sign) = next_sign(bytes, at) {
        let is_gap = |byte: &u8| !IS_INSIDE[usize::from(*byte)];
        let start = bytes[at..sign].iter().rposition(is_gap).map_or(at, |gap| at + gap + 1);
        at = bytes[sign..].iter().position(is_gap).map_or(bytes.len(), |gap| sign + gap);
        see(start..at);
    }
}

/// Where the next sign stands. Texts have few: many bytes are looked at together.
fn next_sign(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(sixteen) = Sixteen::at(bytes, at) {
        let signs = SIGNS.iter().fold(0, |signs, sign| signs | sixteen.equal(*sign));
        if signs != 0 {
            return Some(at + signs.trailing_zeros() as usize);
        }
        at += 16;
    }
    bytes[at..].iter().position(|byte| is_sign(*byte)).map(|sign| at + sign)
}

/// What may join words.
const SIGNS: [u8; 6] = *b"_-.:/\\";

#[inline]
const fn is_sign(byte: u8) -> bool {
    let mut at = 0;
    while at < SIGNS.len() {
        if SIGNS[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether a chunk may be an option, or its signs join anything: most often one of them ends a sentence.
fn may_have_key(chunk: &str) -> bool {
    let inside = chunk.as_bytes();
    let is_inside = |byte: &u8| !is_sign(*byte);
    let first = inside.iter().position(is_inside).unwrap_or(inside.len());
    let last = inside.iter().rposition(is_inside).unwrap_or(first);
    chunk.starts_with('-') || inside[first..last.max(first)].iter().any(|byte| is_sign(*byte))
}

/// Whether a byte belongs to a chunk.
const IS_INSIDE: [bool; 256] = {
    let mut inside = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_part =
            matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'\'' | 0x80..);
        inside[byte] = is_part || is_sign(byte as u8);
        byte += 1;
    }
    inside
};

/// Shows the wholes of one chunk. Parts are joined by one sign or by `::`; any other run of signs ends
/// a whole.
fn each_joined<'a>(
    chunk: &'a str,
    (parts, key): (&mut Vec<&'a str>, &mut String),
    mut see: impl FnMut(Range<usize>, WholeKind, &str),
) {
    let is_sign = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '\'';
    let (mut whole, mut at): (Range<usize>, usize) = (0..0, 0);
    parts.clear();
    while at < chunk.len() {
        let start = chunk[at..].find(|c| !is_sign(c)).map_or(chunk.len(), |signs| at + signs);
        let end = chunk[start..].find(is_sign).map_or(chunk.len(), |part| start + part);
        let is_joint = matches!(&chunk[at..start], "_" | "-" | "." | "/" | "\\" | "::");
        if !is_joint || parts.is_empty() {
            if let Some(kind) = joined_key(parts, &chunk[whole.clone()], key) {
                see(whole, kind, key);
            }
            parts.clear();
            whole = start..start;
        }
        if start < end {
            parts.push(&chunk[start..end]);
            whole.end = end;
        }
        at = end;
    }
    if let Some(kind) = joined_key(parts, &chunk[whole.clone()], key) {
        see(whole, kind, key);
    }
}

/// Writes the key of parts joined to `written`, if they are a whole.
fn joined_key(parts: &[&str], written: &str, key: &mut String) -> Option<WholeKind> {
    let is_number = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    key.clear();
    if parts.len() > 2 && parts.iter().all(is_number) && !written.contains(['-', '/', '_', ':']) {
        key.push_str(parts[0]);
        key.push('.');
        key.push_str(parts[1]);
        return (key.len() <= MOST_BYTES).then_some(WholeKind::Version);
    }
    if !(2..=MOST_PARTS).contains(&parts.len()) || parts.iter().all(is_number) {
        return None;
    }
    squeeze(written, key);
    let is_unspaced = key.chars().any(|c| c >= '\u{e00}');
    // "2020'-2024" is two numbers, as "2020-2024" is.
    let has_letters = !key.bytes().all(|b| b.is_ascii_digit());
    (has_letters && key.len() <= MOST_BYTES && !is_unspaced).then_some(WholeKind::Joined)
}

/// Appends the words of a text without anything between them.
fn squeeze(text: &str, key: &mut String) {
    fyke_text::each_form(text, |form| {
        key.extend(form.chars().filter(|c| c.is_alphanumeric()));
    });
}

/// The keys of all wholes of some texts, with a space between them.
pub(crate) fn keys_of_wholes(texts: &[&str]) -> String {
    let mut keys = String::new();
    for text in texts {
        each_whole(text, |_, _, key| push(&mut keys, key));
    }
    keys
}

fn push(keys: &mut String, key: &str) {
    if !keys.is_empty() {
        keys.push(' ');
    }
    keys.push_str(key);
}

/// The keys of names, one name to a line, each once: whole, without what numbers it, its parts where a
/// title has several, and each of these without stop words.
pub(crate) fn keys_of_names<'a>(names: impl Iterator<Item = &'a str>, language: &str) -> String {
    let mut keys = NameKeys::default();
    // Links are called alike, and headings are those of sections.
    let mut seen = HashSet::new();
    for name in names.filter(|name| seen.insert(*name)) {
        keys.add(name, language);
        parts_of_name(name).for_each(|part| keys.add(part, language));
    }
    keys.written
}

/// The keys of the options with which lines of a text begin, each once: a term or a heading `-p, --patch`, a line of
/// a program's help. There a manual says what they are; other texts only mention them.
pub(crate) fn keys_of_options(text: &str) -> String {
    let (mut keys, mut known) = (String::new(), HashSet::new());
    for sign in memchr::memchr_iter(b'-', text.as_bytes()) {
        let Some(terms) = terms_at(text, sign) else { continue };
        each_whole(terms, |_, kind, key| {
            if kind == WholeKind::Flag && !known.contains(key) {
                push(&mut keys, key);
                known.insert(key.to_owned());
            }
        });
    }
    keys
}

/// The beginning of a line with a hyphen as its first sign, without what follows in another column. A line of a
/// command that goes on has a backslash at its end.
fn terms_at(text: &str, sign: usize) -> Option<&str> {
    let before = text[..sign].trim_end_matches([' ', '\t']);
    if !before.is_empty() && !before.ends_with('\n') {
        return None;
    }
    let name = text[sign..].trim_start_matches('-');
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let rest = &text[sign..text.floor_char_boundary(sign + MOST_TERMS)];
    let line = rest.lines().next()?;
    let terms = line.split('\t').next()?.split("  ").next()?;
    (!line.ends_with('\\')).then_some(terms)
}

/// Keys as they come, each once.
#[derive(Default)]
struct NameKeys {
    written: String,
    known: HashSet<String>,
    /// The words of the last name, one after the other, and its key: their memory serves all.
    letters: String,
    key: String,
}

impl NameKeys {
    /// Adds the keys of one name, or of a part of one.
    fn add(&mut self, name: &str, language: &str) {
        let (mut ends, mut count) = ([0; MOST_WORDS + 1], 0);
        let mut letters = std::mem::take(&mut self.letters);
        letters.clear();
        fyke_text::each_form(name, |form| {
            if let Some(end) = ends.get_mut(count) {
                letters.push_str(form);
                (*end, count) = (letters.len(), count + 1);
            }
        });
        let (mut words, mut start) = ([""; MOST_WORDS + 1], 0);
        for (word, end) in words.iter_mut().zip(&ends[..count]) {
            *word = &letters[start..*end];
            start = *end;
        }
        self.add_words(&words[..count], language);
        self.letters = letters;
    }

    fn add_words(&mut self, words: &[&str], language: &str) {
        self.add_key(words);
        let rest = unnumbered(words);
        if rest.len() < words.len() {
            self.add_key(rest);
        }
        let (mut plain, mut count) = ([""; MOST_WORDS + 1], 0);
        for word in rest.iter().filter(|word| !fyke_text::is_stop(language, word)) {
            plain[count] = word;
            count += 1;
        }
        if (1..rest.len()).contains(&count) {
            self.add_key(&plain[..count]);
        }
    }

    fn add_key(&mut self, words: &[&str]) {
        if write_key(words, &mut self.key) && !self.known.contains(&self.key) {
            push(&mut self.written, &self.key);
            self.known.insert(self.key.clone());
        }
    }
}

/// The key of words one after the other; none of very many.
pub(crate) fn key_of_words(words: &[String]) -> Option<String> {
    let mut key = String::new();
    write_key(words, &mut key).then_some(key)
}

/// Writes the key of words; false where they have none.
fn write_key(words: &[impl AsRef<str>], key: &mut String) -> bool {
    key.clear();
    if words.len() > MOST_WORDS {
        return false;
    }
    for word in words.iter().map(AsRef::as_ref) {
        match word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            true => key.push_str(word),
            false => key.extend(word.chars().filter(|c| is_inside(*c))),
        }
    }
    (1..=MOST_BYTES).contains(&key.len())
}

/// The dots of numbers stay as in words, and the signs of `C++`.
fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '+' | '#')
}

/// Words but for stop words; all where nothing else is left. By the lists that ship, as the keys were made.
pub(crate) fn without_stops(words: &[String], languages: &[&str]) -> Vec<String> {
    let is_stop = |word: &str| languages.iter().any(|code| fyke_text::is_stop(code, word));
    let kept: Vec<String> = words.iter().filter(|word| !is_stop(word)).cloned().collect();
    if kept.is_empty() { words.to_vec() } else { kept }
}

/// A name without "3.2.", "Chapter 5".
fn unnumbered<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    match words {
        [first, rest @ ..] if is_number(first) && !rest.is_empty() => rest,
        [first, number, rest @ ..]
            if NUMBERED.contains(first)
                && (is_number(number) || number.chars().count() == 1)
                && !rest.is_empty() =>
        {
            rest
        }
        _ => words,
    }
}

/// The parts of a title, where it has several.
fn parts_of_name(name: &str) -> impl Iterator<Item = &str> {
    // All of them have one of these.
    let may_end = |byte| matches!(byte, b'-' | b'|' | b':' | b'(' | b'/' | 0xc2 | 0xe2);
    let mut parts = Vec::new();
    if name.bytes().any(may_end) {
        parts.push(name);
        for end in NAME_ENDS.iter().filter(|end| name.contains(**end)) {
            parts = parts.into_iter().flat_map(|part| part.split(end)).collect();
        }
    }
    parts.into_iter().filter(move |part| part.len() < name.len())
}

/// What a page is called by its URL: the last step of its path without what follows a dot; the step before
/// where the last one is but a manner of speaking.
pub(crate) fn name_in_url(url: &str) -> &str {
    let path = without_scheme(url).split(['?', '#']).next().unwrap_or_default();
    let (_, path) = path.split_once('/').unwrap_or_default();
    let mut steps = path.rsplit('/').filter(|step| !step.is_empty());
    let mut name = || {
        let step = steps.next().unwrap_or_default();
        step.rsplit_once('.').map_or(step, |(name, _)| name)
    };
    match name() {
        "index" | "default" | "home" => name(),
        last => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(text: &str) -> String {
        keys_of_wholes(&[text])
    }

    #[test]
    fn what_is_written_in_one_piece_has_a_key() {
        let check = |text: &str, expected: &str| assert_eq!(keys(text), expected, "{text}");
        check("set CMAKE_BUILD_TYPE, then", "cmakebuildtype");
        check("target_link_libraries(x)", "targetlinklibraries");
        check("std::vector<int> a.b.c() foo/bar", "stdvector abc foobar");
        check("e-bay rx-7 Winston-Salem", "ebay rx7 winstonsalem");
        check("ORA-00942 HTTP/1.1 v1.4.22 C:\\temp", "ora00942 http11 v1422");
        check("1.4.22 and 3.14, 2024-05-01, 1/2, 2020'-2024, 2020.'.2024", "1.4");
        check("plain words. And more: yes; a--b a...b a:b http://a", "");
        check("don't o'neil's-hat", "oneilshat");
        check("a/b/c/d/e/f/g is a path", "");
        check("東京-大阪", "");
    }

    #[test]
    fn options_of_commands_have_keys() {
        let check = |text: &str, expected: &str| assert_eq!(keys(text), expected, "{text}");
        check("git commit --amend", "-amend");
        check(
            "[--no-ff] (-Fc|-x) -DCMAKE_BUILD_TYPE=x",
            "-no-ff noff -fc -x -dcmake_build_type dcmakebuildtype",
        );
        check("--format=json, 'x -la'", "-format -la");
        check("- a -- b ---c -5 a-b- 3 -1", "ab");
    }

    #[test]
    fn a_name_is_known_whole_and_in_its_parts() {
        let check = |name: &str, expected: &str| {
            assert_eq!(keys_of_names([name].into_iter(), "en"), expected, "{name}");
        };
        check("QuerySet API reference", "querysetapireference");
        check("The Python Tutorial", "thepythontutorial pythontutorial");
        check(
            "5.2. Installing from source",
            "5.2installingfromsource installingfromsource installingsource",
        );
        check("Chapter 5: Functions", "chapter5functions functions chapter5");
        check(
            "git-commit(1) - Record changes",
            "gitcommit1recordchanges gitcommit 1 recordchanges",
        );
        check("", "");
        check(&"word ".repeat(20), "");
    }

    #[test]
    fn options_are_said_where_lines_begin_with_them() {
        let check =
            |text: &str, expected: &str| assert_eq!(keys_of_options(text), expected, "{text}");
        check("-p, --patch\nAs git add -i does.\n--patch\n-1 --single", "-p -patch -single");
        check(
            "usage: eel [--not-this]\n  -b, --batch  forced with --force\n\t-q\tquiet -v",
            "-b -batch -q",
        );
        check("haul \\\n  --wings \\\n  --bag", "-bag");
        check("- one\n-- two\n-5\n---three\n-", "");
        check("", "");
    }

    #[test]
    fn a_url_names_its_page() {
        let check = |url: &str, expected: &str| assert_eq!(name_in_url(url), expected, "{url}");
        check("http://a.test/docs/git-commit.html#x", "git-commit");
        check("http://a.test/ref/querysets/", "querysets");
        check("http://a.test/tutorial/index.html?x", "tutorial");
        check("http://a.test/", "");
        check("", "");
    }

    #[test]
    fn a_name_is_divided_at_every_end() {
        for end in NAME_ENDS {
            assert_eq!(parts_of_name(&format!("eel{end}net")).collect::<Vec<_>>(), ["eel", "net"]);
        }
        assert_eq!(parts_of_name("eel net").count(), 0);
    }

    proptest! {
        #[test]
        fn a_chunk_that_is_passed_over_has_no_key(chunk in "[-_.:/a-c1é']{0,12}") {
            let mut keys = 0;
            each_joined(&chunk, (&mut Vec::new(), &mut String::new()), |_, _, _| keys += 1);
            prop_assert!(may_have_key(&chunk) || keys == 0 && !chunk.starts_with('-'));
        }

        #[test]
        fn any_text_has_keys_without_gaps(text in "(--?|::|[-_./:a-cé東 ']|\\PC){0,60}") {
            each_whole(&text, |range, _, key| {
                assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                assert!(!key.is_empty() && !key.contains(char::is_whitespace), "{key:?}");
            });
            prop_assert!(!keys_of_options(&text).contains("  "));
            for key in keys_of_names(text.lines(), "en").split(' ') {
                assert!(key.len() <= MOST_BYTES);
            }
        }
    }
}
