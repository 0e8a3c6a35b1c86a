//! Filters as part of the query's text: those in it, each with the text without it, and texts that
//! are narrowed by one more. A search and its filters are one query, so they have one link.

use fyke_derive::FACTS;

/// What begins a filter, beside the names of facts.
const SCOPES: &[&str] = &["site", "lang", "type", "filetype", "date", "url", "inanchor"];

/// A filter that is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chip {
    /// As it stands in the text.
    pub filter: String,
    /// The text without it.
    pub without: String,
}

/// The filters of a text.
pub(crate) fn chips(text: &str) -> Vec<Chip> {
    let parts = parts(text);
    let is_filter = |part: &str| {
        let name = part.trim_start_matches(['+', '-']).split_once(':');
        name.is_some_and(|(name, value)| is_scope(&name.to_lowercase()) && !value.is_empty())
    };
    let filters = parts.iter().enumerate().filter(|(_, part)| is_filter(part));
    let chip = |(place, part): (usize, &&str)| {
        let others = parts.iter().enumerate().filter(|(other, _)| *other != place);
        let without = others.map(|(_, part)| *part).collect::<Vec<_>>().join(" ");
        Chip { filter: (*part).to_owned(), without }
    };
    filters.map(chip).collect()
}

fn is_scope(name: &str) -> bool {
    SCOPES.contains(&name) || FACTS.iter().any(|fact| fact.filter && fact.name == name)
}

/// The text with one more filter.
pub(crate) fn narrowed(text: &str, scope: &str, value: &str) -> String {
    let quote = if value.contains([' ', '\'', '&']) { "\"" } else { "" };
    let filter = format!("{scope}:{quote}{value}{quote}");
    if parts(text).contains(&&*filter) {
        return text.to_owned();
    }
    format!("{} {filter}", whole(text))
}

/// What is searched for within the results of a text: each of the words is a must.
pub(crate) fn within(text: &str, more: &str) -> String {
    let must = parts(more).into_iter().map(|part| match part.starts_with(['+', '-', '(']) {
        true => part.to_owned(),
        false if part.contains([':', '"']) => part.to_owned(),
        false => format!("+{part}"),
    });
    [whole(text)].into_iter().chain(must).collect::<Vec<_>>().join(" ")
}

/// A text to which something can be added: alternatives are put in parentheses.
fn whole(text: &str) -> String {
    let text = text.trim();
    let is_choice = parts(text).contains(&"OR");
    if is_choice { format!("({text})") } else { text.to_owned() }
}

/// The words of a text; what stands in quotes or parentheses is one.
fn parts(text: &str) -> Vec<&str> {
    let (mut is_quoted, mut depth) = (false, 0_usize);
    let cut = |c: char| {
        match c {
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        c.is_whitespace() && !is_quoted && depth == 0
    };
    text.split(cut).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn filters_are_known_and_can_be_taken_away() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let chips = chips(text);
            let found: Vec<_> = chips.iter().map(|c| (&*c.filter, &*c.without)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("tidal turbine", &[]);
        check("tidal site:a.test  turbine", &[("site:a.test", "tidal turbine")]);
        check("x lang:de -type:pdf", &[("lang:de", "x -type:pdf"), ("-type:pdf", "x lang:de")]);
        check("\"site:a b\" (site:a OR lang:b) site:", &[]);
        check("SITE:a", &[("SITE:a", "")]);
        check("x topic:a/b", &[("topic:a/b", "x")]);
        check("x person:\"ann lee\" y", &[("person:\"ann lee\"", "x y")]);
    }

    #[test]
    fn one_more_filter_is_added_once() {
        let check = |text: &str, expected: &str| {
            assert_eq!(narrowed(text, "site", "a.test"), expected, "{text}");
        };
        check("tidal ", "tidal site:a.test");
        check("tidal site:a.test", "tidal site:a.test");
        check("tidal OR wind", "(tidal OR wind) site:a.test");
        check("\"tidal OR wind\"", "\"tidal OR wind\" site:a.test");
        let name = narrowed("tidal", "person", "ann lee");
        assert_eq!(name, "tidal person:\"ann lee\"");
        assert_eq!(narrowed(&name, "person", "ann lee"), name);
    }

    #[test]
    fn words_within_results_are_musts() {
        let check =
            |more: &str, expected: &str| assert_eq!(within("tide", more), expected, "{more}");
        check("wind power", "tide +wind +power");
        check("-jobs \"off shore\" site:a.test +x", "tide -jobs \"off shore\" site:a.test +x");
        check("  ", "tide");
    }

    proptest! {
        #[test]
        fn what_was_narrowed_has_the_chip_and_loses_it_again(words in "[a-z]{1,5}( [a-z]{1,5}){0,3}") {
            let narrowed = narrowed(&words, "lang", "sl");
            let chips = chips(&narrowed);
            prop_assert_eq!(chips.len(), 1);
            prop_assert_eq!(&chips[0].filter, "lang:sl");
            prop_assert_eq!(&chips[0].without, &words);
        }

        #[test]
        fn any_text_can_be_asked(text in ".{0,60}", more in ".{0,30}") {
            for chip in chips(&within(&text, &more)) {
                prop_assert!(chip.without.len() <= text.len() + more.len() * 3 + 8);
            }
        }
    }
}
