//! How much a page says by itself, and whether scripts are to say the rest (003 §3.2.6).

use crate::html::{HtmlToken, Scanner, TagName, name, text_of};

/// Words that are counted at most: a page with more says enough.
pub const MANY_WORDS: u32 = 1_000;

/// Elements whose words are not shown to who runs scripts, or not as text.
const UNSHOWN: [TagName; 5] =
    [name("noscript"), name("title"), name("template"), name("svg"), name("select")];
/// Types of a script element that holds something to run.
const RUN: [&str; 5] =
    ["", "module", "text/javascript", "application/javascript", "text/ecmascript"];

/// What a page of HTML says before any script has run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptedPage {
    /// Words that are shown, up to [`MANY_WORDS`].
    pub words: u32,
    /// Script elements that hold or name something to run.
    pub scripts: u32,
}

/// Counts the words and scripts of a page. It is read once, and no further than both are known.
#[must_use]
pub fn scripted(html: &str) -> ScriptedPage {
    let mut found = ScriptedPage::default();
    let mut unshown: Option<(TagName, u32)> = None;
    for token in Scanner::new(html) {
        match token {
            HtmlToken::Start(tag) => {
                if tag.name == name("script") {
                    found.scripts += u32::from(is_run(tag.attribute("type").as_deref()));
                }
                match &mut unshown {
                    Some((open, depth)) if *open == tag.name => *depth += 1,
                    None if UNSHOWN.contains(&tag.name) && !tag.closes_itself() => {
                        unshown = Some((tag.name, 1));
                    }
                    _ => {}
                }
            }
            HtmlToken::End(closed) => match &mut unshown {
                Some((open, 1)) if *open == closed => unshown = None,
                Some((open, depth)) if *open == closed => *depth -= 1,
                _ => {}
            },
            HtmlToken::Text(text) if unshown.is_none() => {
                let text = text_of(text);
                let words = text.split_whitespace().take(MANY_WORDS as usize).count() as u32;
                found.words = (found.words + words).min(MANY_WORDS);
            }
            _ => {}
        }
        if found.words == MANY_WORDS && found.scripts > 0 {
            break;
        }
    }
    found
}

fn is_run(kind: Option<&str>) -> bool {
    let kind = kind.unwrap_or_default().trim().to_ascii_lowercase();
    RUN.contains(&kind.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, words: u32, scripts: u32) {
        assert_eq!(scripted(html), ScriptedPage { words, scripts }, "{html}");
    }

    #[test]
    fn words_that_are_shown_and_scripts_that_run_are_counted() {
        check("", 0, 0);
        check("<p>one two</p><script>let a = 'three four'</script>", 2, 1);
        check("<script src=/app.js type=module></script><div id=root></div>", 0, 1);
        check("<script type='application/ld+json'>{\"a\": 1}</script>one", 1, 0);
        check("<noscript><p>You need to run scripts.</p></noscript><p>one", 1, 0);
        check("<title>My app</title><style>p { color: red }</style>", 0, 0);
        check("<template><template>a</template>b</template>c", 1, 0);
        check("<noscript>never closed, so all is left out", 0, 0);
        check("&nbsp; <b>a</b>&amp;", 2, 0);
    }

    #[test]
    fn a_long_page_is_counted_up_to_a_limit() {
        let long = "word ".repeat(5_000);
        check(&long, MANY_WORDS, 0);
        check(&format!("<script></script>{long}<script></script>"), MANY_WORDS, 1);
        check(&"<noscript>".repeat(100_000), 0, 0);
    }
}
