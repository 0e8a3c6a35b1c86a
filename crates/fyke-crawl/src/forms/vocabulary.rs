//! The words of a site by the number of its pages that have them: what a search form is asked for. As pages come, results
//! and the records behind them among them, the counts grow.

use fyke_text::each_word;
use fyke_text::stop::is_stop;
use fyke_web::html::{HtmlToken, Scanner, text_of};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Letters of a word that is asked for.
const SHORTEST: usize = 4;
const LONGEST: usize = 24;
/// Words of one page, and of one site.
const MOST_OF_PAGE: usize = 2_000;
const MOST: usize = 50_000;
/// Pages from which on shares are told.
const ENOUGH_PAGES: u32 = 50;

/// The words of one page, each once.
#[derive(Debug, Default)]
pub(crate) struct PageTerms(BTreeSet<String>);

impl PageTerms {
    /// Of markup, or of plain text.
    pub(crate) fn of(content: &str) -> PageTerms {
        let mut words = BTreeSet::new();
        for token in Scanner::new(content) {
            let HtmlToken::Text(text) = token else { continue };
            each_word(&text_of(text), |_, word| {
                let word = word.to_lowercase();
                let letters = word.chars().count();
                let fits = (SHORTEST..=LONGEST).contains(&letters)
                    && word.chars().all(char::is_alphanumeric);
                if fits && words.len() < MOST_OF_PAGE && !is_stop("en", &word) {
                    words.insert(word);
                }
            });
        }
        PageTerms(words)
    }
}

/// The words of one site.
#[derive(Debug, Default)]
pub(crate) struct SiteTerms {
    pages: u32,
    /// By word: the pages that have it.
    counts: HashMap<String, u32>,
}

impl SiteTerms {
    /// Takes up a page that was not seen before.
    pub(crate) fn take(&mut self, page: PageTerms) {
        self.pages += 1;
        for word in page.0 {
            if let Some(count) = self.counts.get_mut(&word) {
                *count += 1;
            } else if self.counts.len() < MOST {
                self.counts.insert(word, 1);
            }
        }
    }

    /// The share of pages with a word, where there are enough pages to tell.
    pub(crate) fn share(&self, word: &str) -> Option<f64> {
        let count = self.counts.get(word).copied().unwrap_or(0);
        (self.pages >= ENOUGH_PAGES).then(|| f64::from(count) / f64::from(self.pages))
    }

    /// The word that most pages have among those that are not `asked`, up to this share of the pages; of several the
    /// first by the alphabet.
    pub(crate) fn best(&self, asked: &HashSet<String>, most: f64) -> Option<String> {
        let limit = most * f64::from(self.pages.max(1));
        let fits = |(word, count): &(&String, &u32)| {
            // Of a few pages nothing can be said of what is too common.
            (**count <= 2 || f64::from(**count) < limit) && !asked.contains(*word)
        };
        let found = self.counts.iter().filter(fits);
        let best = found.max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        best.map(|(word, _)| word.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_most_pages_have_comes_first_and_none_twice() {
        let mut site = SiteTerms::default();
        for page in [
            "<p>Eels and tides, tides</p><script>var tides</script>",
            "<p>Tides of the mill &amp; weir",
            "<p>The mill and its tides and weir",
        ] {
            site.take(PageTerms::of(page));
        }
        let mut asked = HashSet::new();
        let mut next = |most: f64| {
            let word = site.best(&asked, most)?;
            asked.insert(word.clone());
            Some(word)
        };
        let found: Vec<_> = std::iter::from_fn(|| next(2.0)).collect();
        assert_eq!(found, ["tides", "mill", "weir", "eels"]);
        assert_eq!(site.best(&HashSet::new(), 0.9).as_deref(), Some("mill"));
        assert_eq!(site.share("mill"), None, "of three pages");
        (3..ENOUGH_PAGES).for_each(|_| site.take(PageTerms::of("<p>mill")));
        assert!(site.share("mill").is_some_and(|share| share > 0.9));
    }
}
