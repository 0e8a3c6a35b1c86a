//! One form asked again and again: first its options, then the words of the site, of results and of what they lead to, by the
//! number of pages that have them (the loop of CorpusBuilder's kind: what is asked next depends on what came). It ends when
//! the budget is used up, or when queries bring nothing new any more.

use super::{FormInput, SendableForm, SiteTerms};
use fyke_web::{Url, UrlId};
use std::collections::HashSet;

/// Queries in a row without anything new, after which a form is left alone.
const MOST_DRY: u32 = 20;
/// The share of pages whose words are asked for at the start; a word that gives nothing although more pages have it is too
/// common for the form, and others like it are not asked for.
const COMMON: f64 = 2.0;
/// No smaller share is too common.
const LEAST_COMMON: f64 = 0.15;

/// How the asking stands.
#[derive(Debug)]
pub(crate) struct FormProbing {
    form: SendableForm,
    /// Options that still have to be tried, the next one last.
    options: Vec<FormInput>,
    asked: HashSet<String>,
    queries: u32,
    dry: u32,
    common: f64,
    waits: Option<WaitingQuery>,
}

/// A query whose answer has not come.
#[derive(Debug)]
struct WaitingQuery {
    id: UrlId,
    input: FormInput,
    news: u32,
}

impl FormProbing {
    pub(crate) fn new(form: SendableForm) -> FormProbing {
        let of_select = |(field, select): (usize, &super::SelectField)| {
            let others = (0..select.options.len()).filter(|at| select.options[*at] != select.usual);
            let input = |at| FormInput { word: String::new(), option: Some([field, at]) };
            others.map(input).collect::<Vec<_>>()
        };
        let mut options: Vec<FormInput> =
            form.selects.iter().enumerate().flat_map(of_select).collect();
        options.reverse();
        if form.text.is_none() {
            options.push(FormInput::default());
        }
        let (asked, common) = (HashSet::new(), COMMON);
        FormProbing { form, options, asked, queries: 0, dry: 0, common, waits: None }
    }

    /// Whether nothing is under way.
    pub(crate) fn is_free(&self) -> bool {
        self.waits.is_none()
    }

    /// The next URL to ask for, up to so many; none when it is enough, or for now.
    pub(crate) fn next(&mut self, terms: &SiteTerms, most: u32) -> Option<Url> {
        if self.waits.is_some() || self.queries >= most || self.dry >= MOST_DRY {
            return None;
        }
        let input = self.options.pop().or_else(|| {
            self.form.text.as_ref()?;
            // What seems too common is better than nothing.
            let word = terms.best(&self.asked, self.common);
            let word = word.or_else(|| terms.best(&self.asked, f64::INFINITY))?;
            self.asked.insert(word.clone());
            Some(FormInput { word, option: None })
        })?;
        let url = self.form.url(&input)?;
        self.queries += 1;
        self.waits = Some(WaitingQuery { id: url.id(), input, news: 0 });
        Some(url)
    }

    /// The URL was known, or may not be asked for: it does not count.
    pub(crate) fn pass_over(&mut self) {
        self.waits = None;
        self.queries = self.queries.saturating_sub(1);
    }

    /// So many new pages came by an answer.
    pub(crate) fn count_news(&mut self, id: UrlId, news: u32) {
        if let Some(waits) = self.waits.as_mut().filter(|waits| waits.id == id) {
            waits.news += news;
        }
    }

    /// An answer was taken in, to this form or to another.
    pub(crate) fn end(&mut self, id: UrlId, terms: &SiteTerms) {
        let Some(WaitingQuery { input, news, .. }) = self.waits.take_if(|waits| waits.id == id)
        else {
            return;
        };
        if news > 0 {
            self.dry = 0;
            return;
        }
        match input.option {
            // An option alone brings nothing: neither do the others of its field.
            Some([field, _]) => {
                self.options.retain(|other| other.option.is_some_and(|[of, _]| of != field));
            }
            None => {
                self.dry += 1;
                if let Some(share) = terms.share(&input.word).filter(|share| *share > LEAST_COMMON)
                {
                    self.common = self.common.min(share);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PageTerms, SelectField};
    use super::*;

    fn form(text: bool) -> SendableForm {
        let options = ["", "maps", "letters"].map(str::to_owned).to_vec();
        SendableForm {
            action: "http://a.test/search".to_owned(),
            text: text.then(|| "q".to_owned()),
            selects: vec![SelectField { name: "shelf".to_owned(), usual: String::new(), options }],
            fixed: vec![("lang".to_owned(), "a b".to_owned())],
        }
    }

    /// What is asked in turn, where each of these brings something new.
    fn check(form: SendableForm, fruitful: &[&str], most: u32) -> Vec<String> {
        let mut terms = SiteTerms::default();
        terms.take(PageTerms::of("<p>tide mill tide weir"));
        terms.take(PageTerms::of("<p>tide weir"));
        let (mut probing, mut asked) = (FormProbing::new(form), Vec::new());
        while let Some(url) = probing.next(&terms, most) {
            let text = url.as_str().strip_prefix("http://a.test/search?").expect("its action");
            asked.push(text.to_owned());
            if fruitful.iter().any(|part| text.contains(part)) {
                probing.count_news(url.id(), 1);
            }
            assert!(!probing.is_free() && probing.next(&terms, most).is_none(), "one at a time");
            probing.end(url.id(), &terms);
            assert!(probing.is_free());
        }
        asked
    }

    #[test]
    fn options_come_first_and_then_words_by_how_many_pages_have_them() {
        let asked = check(form(true), &["shelf=m", "shelf=l"], 9);
        let expected =
            ["q=&shelf=maps&lang=a+b", "q=&shelf=letters&lang=a+b", "q=tide&shelf=&lang=a+b"];
        assert_eq!(asked[..3], expected);
        assert_eq!(asked.len(), 5, "{asked:?}");
        // An option that brings nothing ends its field.
        assert_eq!(check(form(true), &[], 9)[1], "q=tide&shelf=&lang=a+b");
        assert_eq!(check(form(true), &["q="], 2).len(), 2, "the budget");
        let asked = check(form(false), &["shelf"], 9);
        assert_eq!(asked, ["shelf=&lang=a+b", "shelf=maps&lang=a+b", "shelf=letters&lang=a+b"]);
    }

    #[test]
    fn a_form_that_brings_nothing_is_left_alone() {
        let mut terms = SiteTerms::default();
        let words: Vec<String> = (0..50).map(|n| format!("word{n:02}")).collect();
        terms.take(PageTerms::of(&words.join(" ")));
        let mut probing = FormProbing::new(SendableForm { selects: Vec::new(), ..form(true) });
        let mut asked = 0;
        while let Some(url) = probing.next(&terms, 100) {
            probing.end(url.id(), &terms);
            asked += 1;
        }
        assert_eq!(asked, MOST_DRY);
    }
}
