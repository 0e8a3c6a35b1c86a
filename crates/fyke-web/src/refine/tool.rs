//! Links that are tools of a page and no part of its text: "¶" behind a heading, "[source]", "skip to content". The
//! words stand in a data file.

use std::sync::LazyLock;

/// Longest of them, in bytes.
const LONGEST: usize = 40;

/// What a link is made of that leads to its own place or to the source, wherever it stands.
const SIGNS: &[&str] =
    &["¶", "#", "§", "🔗", "", "⚓", "[source]", "[src]", "[link]", "[edit]", "[−]"];

static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = include_str!("../../data/tools.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    words.sort_unstable();
    words
});

/// Whether the text of a link is a sign that stands beside the text.
pub(super) fn is_sign(text: &str) -> bool {
    text.len() <= LONGEST && SIGNS.contains(&text.trim())
}

/// Whether a text that is a link as a whole names a tool of the page.
pub(super) fn is_word(text: &str) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    WORDS.binary_search(&text.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::check_texts as check;
    use super::*;

    #[test]
    fn tools_of_a_page_are_no_text() {
        check("<h2>Eels<a href='#eels'>¶</a></h2>", &["Eels"]);
        check(
            "<dl><dt>catch(eel)<a href=/s><span>[source]</span></a><a href='#c'>¶</a><dd>x</dl>",
            &["catch(eel)", "x"],
        );
        check("<a href='#m'>Skip to main content</a><p>x</p>", &["x"]);
        check("<section><a class=src href=/s>source</a><h4>fn f()</h4></section>", &["fn f()"]);
        check(
            "<h2>History <span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>",
            &["History"],
        );
        // What is part of a sentence, or no link, stays.
        check(
            "<p>Read the <a href=/s>source</a> first.</p><h2>Source</h2>",
            &["Read the source first.", "Source"],
        );
        check("<h3>Issue <a href=/1>#1</a></h3>", &["Issue #1"]);
    }

    #[test]
    fn every_word_of_the_file_is_found() {
        for word in WORDS.iter() {
            assert!(
                word.len() <= LONGEST && is_word(word) && is_word(&word.to_uppercase()),
                "{word}"
            );
        }
    }
}
