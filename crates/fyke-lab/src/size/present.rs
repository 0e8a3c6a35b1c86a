//! Whether an engine has a page, by a strong query: eight rare words of it, all of which must stand in a hit
//! (001 "Query Based Checking"). The page counts as present under its address, under another form of it, at the
//! end of a redirect, and when a near-copy stands in its place; where the whole page's words find nothing,
//! words of its beginning are tried.

use super::{QueryLexicon, SizeWorld, SizedPage, StrongWords, normal, strong_words};
use fyke_learn::size::{EngineSide, Presence};

/// Hits that are looked at.
const DEPTH: usize = 10;
/// Hits that are read to see whether they are near-copies.
const READ: usize = 3;
/// From this resemblance on two texts are near-copies (001).
const NEAR: f64 = 0.8;

/// How pages are looked for.
#[derive(Clone, Copy, Debug)]
pub struct StrongQuery<'l> {
    pub lexicon: &'l QueryLexicon,
    /// Words of a query.
    pub words: usize,
}

/// How an engine has a page that stands at this address.
///
/// # Errors
/// When the engine gives no answer.
pub fn presence(
    world: &mut dyn SizeWorld,
    side: EngineSide,
    (url, page): (&str, &SizedPage),
    strong: StrongQuery<'_>,
) -> anyhow::Result<Presence> {
    let whole = strong_words(page, strong.lexicon, StrongWords::Whole, strong.words);
    let found = by_words(world, side, (url, page), &whole)?;
    if found != Presence::Missing {
        return Ok(found);
    }
    let beginning = strong_words(page, strong.lexicon, StrongWords::Beginning, strong.words);
    if beginning == whole {
        return Ok(Presence::Missing);
    }
    match by_words(world, side, (url, page), &beginning)? {
        Presence::Missing => Ok(Presence::Missing),
        _ => Ok(Presence::Part),
    }
}

fn by_words(
    world: &mut dyn SizeWorld,
    side: EngineSide,
    (url, page): (&str, &SizedPage),
    words: &[&str],
) -> anyhow::Result<Presence> {
    if words.is_empty() {
        return Ok(Presence::Missing);
    }
    let hits = world.ask(side, words, DEPTH)?;
    if hits.iter().any(|hit| hit == url) {
        return Ok(Presence::Url);
    }
    let forms = [normal(url), normal(&page.url)];
    if hits.iter().any(|hit| forms.contains(&normal(hit))) {
        return Ok(Presence::Form);
    }
    for hit in hits.iter().take(READ) {
        let Some(other) = world.page(hit)? else { continue };
        if forms.contains(&normal(&other.url)) {
            return Ok(Presence::Form);
        }
        if other.sketch.resemblance(&page.sketch) >= NEAR {
            return Ok(Presence::Copy);
        }
    }
    Ok(Presence::Missing)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::AddressAnswer;
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// A web of pages, of which both engines hold some; one holds only so many words of each.
    #[derive(Default)]
    pub(in super::super) struct SmallWeb {
        pub pages: BTreeMap<String, Arc<SizedPage>>,
        pub held: [Vec<String>; 2],
        pub first_words: [usize; 2],
        pub asked: usize,
    }

    impl SmallWeb {
        pub(in super::super) fn add(&mut self, url: &str, text: &str, links: &[&str]) {
            let mut words = Vec::new();
            fyke_text::each_form(text, |word| words.push(word.to_owned()));
            let page = SizedPage {
                url: url.to_owned(),
                words,
                sketch: fyke_text::sketch(text),
                links: links.iter().map(|link| (*link).to_owned()).collect(),
                ..SizedPage::default()
            };
            self.pages.insert(url.to_owned(), Arc::new(page));
        }
    }

    impl SizeWorld for SmallWeb {
        fn ask(
            &mut self,
            side: EngineSide,
            words: &[&str],
            depth: usize,
        ) -> anyhow::Result<Vec<String>> {
            self.asked += 1;
            let at = usize::from(side == EngineSide::Second);
            let most = match self.first_words[at] {
                0 => usize::MAX,
                most => most,
            };
            let has = |url: &&String| {
                let page = &self.pages[url.as_str()];
                let held = &page.words[..most.min(page.words.len())];
                words.iter().all(|word| held.iter().any(|own| own == word))
            };
            Ok(self.held[at].iter().filter(has).take(depth).cloned().collect())
        }

        fn page(&mut self, url: &str) -> anyhow::Result<Option<Arc<SizedPage>>> {
            Ok(self.pages.get(url).cloned())
        }

        fn address(&mut self, _: u64) -> anyhow::Result<AddressAnswer> {
            Ok(AddressAnswer::Empty)
        }
    }

    #[test]
    fn a_page_is_present_under_its_address_another_form_a_copy_or_by_its_beginning() {
        let text: String = (0..300).map(|at| format!("word{} ", letters(at))).collect();
        let mut web = SmallWeb::default();
        for url in ["http://a.test/x", "http://A.test:80/x", "http://b.test/copy"] {
            web.add(url, &text, &[]);
        }
        web.add("http://a.test/other", &text[..text.len() / 2], &[]);
        let page = web.pages["http://a.test/x"].clone();
        let lexicon = QueryLexicon::of([&text]);
        let strong = StrongQuery { lexicon: &lexicon, words: 8 };
        let mut check = |held: &str, first_words, expected| {
            web.held = [vec![held.to_owned()], Vec::new()];
            web.first_words = [first_words, 0];
            let at = ("http://a.test/x", &*page);
            let found = presence(&mut web, EngineSide::First, at, strong).unwrap();
            assert_eq!(found, expected, "{held}");
        };
        check("http://a.test/x", 0, Presence::Url);
        check("http://A.test:80/x", 0, Presence::Form);
        check("http://b.test/copy", 0, Presence::Copy);
        check("http://a.test/x", 120, Presence::Part);
        check("http://a.test/x", 5, Presence::Missing);
        check("http://a.test/other", 0, Presence::Missing);
    }

    /// A number in letters, the later ones first in the alphabet, so that a page's rarest words stand at its end.
    fn letters(number: usize) -> String {
        format!("{:04}", 9_999 - number)
            .bytes()
            .map(|digit| char::from(b'a' + (digit - b'0')))
            .collect()
    }
}
