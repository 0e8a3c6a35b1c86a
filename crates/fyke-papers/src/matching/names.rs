//! The authors of a reference: their surnames with the initials of what stands beside them, in whatever order
//! (`D. W. Aha`, `Aha, D. W.`, `Aha DW`, `David W. Aha`).

use fyke_text::bare;

/// Authors that are looked at.
const MOST_AUTHORS: usize = 40;

/// An author.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorName {
    /// In small letters without diacritics.
    pub surname: String,
    /// The first letter of each other name.
    pub initials: Vec<char>,
    /// Both as they stand.
    pub written_surname: String,
    pub written_given: String,
}

/// Words that are no names.
const NO_NAMES: &[&str] =
    &["et", "al", "eds", "ed", "editor", "editors", "jr", "sr", "iii", "others"];

/// One comma's part: words of a name, and initials.
#[derive(Clone, Debug, Default)]
struct NamePart {
    /// Folded, and as they stand.
    words: Vec<(String, String)>,
    initials: Vec<char>,
    /// Whether its initials stand behind its words.
    is_turned: bool,
}

/// The authors, in order.
pub fn names(authors: &str) -> Vec<AuthorName> {
    let parts: Vec<NamePart> = authors
        .split([',', ';', '&'])
        .flat_map(split_and)
        .map(|part| name_part(&part))
        .filter(|part| !(part.words.is_empty() && part.initials.is_empty()))
        .take(2 * MOST_AUTHORS)
        .collect();
    let mut names: Vec<AuthorName> = Vec::new();
    let mut before_is_bare = false;
    for part in parts {
        // `Aha, D. W.`: the initials belong to the surname before them.
        if part.words.is_empty() {
            if let Some(last) = names.last_mut().filter(|_| before_is_bare) {
                last.written_given = dotted(&part.initials);
                last.initials = part.initials;
            }
            before_is_bare = false;
            continue;
        }
        before_is_bare = part.initials.is_empty();
        names.push(author(part));
        if names.len() == MOST_AUTHORS {
            break;
        }
    }
    names
}

/// The parts between the words `and`.
fn split_and(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in text.split_whitespace() {
        if matches!(word, "and" | "And" | "AND" | "und" | "et" | "y") {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(' ');
            part.push_str(word);
        }
    }
    parts
}

fn name_part(text: &str) -> NamePart {
    let mut part = NamePart::default();
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '.' | '(' | ')' | ':'));
    // `Michal-ski` was one name that a line's end parted.
    let words = words.map(|word| word.chars().filter(|c| c.is_alphabetic()).collect::<String>());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    for word in &words {
        let letters = word.chars().count();
        let is_capital = letters <= 3 && word.chars().all(char::is_uppercase);
        // Alone, `LEE` is a name.
        if letters == 1 || (is_capital && words.len() > 1) {
            part.is_turned = !part.words.is_empty();
            part.initials.extend(word.to_lowercase().chars());
            continue;
        }
        let folded = bare(&word.to_lowercase()).into_owned();
        if !NO_NAMES.contains(&folded.as_str()) {
            part.is_turned = false;
            part.words.push((folded, word.clone()));
        }
    }
    part
}

/// The last word is the surname, but where initials follow, the last of those before them.
fn author(mut part: NamePart) -> AuthorName {
    let (surname, written_surname) = part.words.pop().unwrap_or_default();
    let given = part.words.iter().filter_map(|(word, _)| word.chars().next());
    // Particles (`de Jong`, `van de Velde`) are no given names, but are written as such too often to tell.
    let initials: Vec<char> = match part.is_turned {
        true => part.initials.clone(),
        false => given.chain(part.initials.iter().copied()).collect(),
    };
    let words = part.words.iter().map(|(_, word)| word.clone());
    let dots = Some(dotted(&part.initials)).filter(|dots| !dots.is_empty());
    let written_given = words.chain(dots).collect::<Vec<_>>().join(" ");
    AuthorName { surname, initials, written_surname, written_given }
}

/// `D. W.`
fn dotted(initials: &[char]) -> String {
    let dotted = initials.iter().map(|letter| format!("{}.", letter.to_uppercase()));
    dotted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_are_known_in_every_order() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = names(text);
            let found: Vec<(String, String)> = found
                .into_iter()
                .map(|name| (name.surname, name.initials.into_iter().collect()))
                .collect();
            let found: Vec<_> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("D. W. Aha and M. K. Albert.", &[("aha", "dw"), ("albert", "mk")]);
        check(
            "Aha, D. W., Kibler, D., and Albert, M.",
            &[("aha", "dw"), ("kibler", "d"), ("albert", "m")],
        );
        check("Aha DW, Kibler D", &[("aha", "dw"), ("kibler", "d")]);
        check("David W. Aha & Dennis Kibler", &[("aha", "dw"), ("kibler", "d")]);
        check("Müller, J. et al.", &[("muller", "j")]);
        check("LEE", &[("lee", "")]);
        check("", &[]);
        check("12 . ,; and", &[]);
    }

    #[test]
    fn names_are_kept_as_they_stand() {
        let found = names("Scott E. Fahlén");
        assert_eq!(found[0].written_surname, "Fahlén");
        assert_eq!(found[0].written_given, "Scott E.");
    }
}
