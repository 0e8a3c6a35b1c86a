//! Sentences and their words as a tagger takes them: signs are words of their own, `don't` is
//! `do n't` and `Anna's` is `Anna 's`, as in treebanks. Only for tagging; what is indexed are tokens.

/// A sentence goes no further than this many words.
const MOST_WORDS: usize = 200;
/// Endings that are words of their own.
const CLITICS: [&str; 14] =
    ["n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "n’t", "’s", "’re", "’ve", "’ll", "’d", "’m"];

/// The sentences of a text, each as its words.
#[must_use]
pub fn sentences(text: &str) -> Vec<Vec<&str>> {
    let mut sentences = Vec::new();
    let mut sentence: Vec<&str> = Vec::new();
    for line in text.lines() {
        for chunk in line.split_whitespace() {
            split(chunk, &mut sentence);
            let ends = sentence.last().is_some_and(|word| matches!(*word, "." | "!" | "?"));
            if ends || sentence.len() >= MOST_WORDS {
                sentences.push(std::mem::take(&mut sentence));
            }
        }
        if !sentence.is_empty() {
            sentences.push(std::mem::take(&mut sentence));
        }
    }
    sentences
}

/// Adds the words of a run without white space.
fn split<'a>(chunk: &'a str, words: &mut Vec<&'a str>) {
    let mut rest = chunk;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c: char| !is_inside(c)).unwrap_or(rest.len());
        if length == 0 {
            words.push(&rest[..first.len_utf8()]);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let mut end = length;
        // A sign inside a number or a name belongs to it: 3.5, 1,000, U.S., a.test, O'Neil.
        while let Some(more) = joined(&rest[end..]) {
            end += more;
        }
        let is_dotted = rest[end..]
            .strip_prefix('.')
            .is_some_and(|behind| behind.is_empty() || behind.starts_with([',', ';', ':', ')']));
        if is_dotted && is_abbreviation(&rest[..end]) {
            end += 1;
        }
        push(&rest[..end], words);
        rest = &rest[end..];
    }
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of a joint and of the run behind it, where the text begins with both.
fn joined(text: &str) -> Option<usize> {
    let after = text.strip_prefix(['.', ',', '\'', '’', ':', '@', '&'])?;
    let run = after.find(|c: char| !is_inside(c)).unwrap_or(after.len());
    (run > 0).then(|| text.len() - after.len() + run)
}

/// Titles, months and streets, and what else is hardly ever the end of a sentence.
const ABBREVIATIONS: [&str; 23] = [
    "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "vs", "etc", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul",
    "Aug", "Sep", "Sept", "Oct", "Nov", "Dec", "Ave", "Blvd", "Rd",
];

/// Single letters with dots, and what is hardly ever the end of a sentence.
fn is_abbreviation(word: &str) -> bool {
    word.chars().count() == 1 && word.starts_with(char::is_uppercase)
        || word.contains('.') && word.split('.').all(|part| part.chars().count() == 1)
        || ABBREVIATIONS.contains(&word)
}

/// Adds a word, parted from what hangs on it.
fn push<'a>(word: &'a str, words: &mut Vec<&'a str>) {
    let cut = CLITICS.iter().find_map(|clitic| {
        let at = word.len().checked_sub(clitic.len()).filter(|at| *at > 0)?;
        word.get(at..).filter(|end| end.eq_ignore_ascii_case(clitic)).map(|_| at)
    });
    match cut {
        Some(at) => words.extend([&word[..at], &word[at..]]),
        None => words.push(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_parted_as_in_a_treebank() {
        let check = |text: &str, expected: &str| {
            let found: Vec<String> = sentences(text).iter().map(|words| words.join(" ")).collect();
            assert_eq!(found.join(" | "), expected, "{text}");
        };
        check("It's Anna's; don't go! Why?", "It 's Anna 's ; do n't go ! | Why ?");
        check("A 15-year term, 3.5 % of 1,000.", "A 15 - year term , 3.5 % of 1,000 .");
        check("Mr. J. Smith of the U.S. met O'Neil.", "Mr. J. Smith of the U.S. met O'Neil .");
        check("Title\nText (here)", "Title | Text ( here )");
        check("", "");
    }

    proptest! {
        #[test]
        fn no_letter_is_lost(text in "\\PC{0,100}") {
            let together: String = sentences(&text).concat().concat();
            let expected: String = text.split_whitespace().collect();
            prop_assert_eq!(together, expected);
        }
    }
}
