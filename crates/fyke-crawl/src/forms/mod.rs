//! Search forms (003 §3.2.5 "form results"): which of a site's forms may be sent at all, what is filled in, and when that
//! is enough. Pure: the crawl asks for the URLs that come out, behind its gaps and budgets, and says what they brought.

mod judge;
mod probing;
mod vocabulary;

pub(crate) use judge::judge_form;
pub(crate) use probing::FormProbing;
pub(crate) use vocabulary::{PageTerms, SiteTerms};

use fyke_web::{HtmlForm, Url};

/// Whose forms are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormOptions {
    /// Authorities ("a.test", "a.test:8080"); none: no form is ever sent.
    pub hosts: Vec<String>,
    /// Queries of one form, over a run.
    pub queries: u32,
}

impl FormOptions {
    /// Whether the forms of a URL's host may be sent.
    #[must_use]
    pub fn are_for(&self, url: &Url) -> bool {
        self.hosts.iter().any(|host| host == url.authority())
    }
}

/// What a page of such a host says.
#[derive(Debug)]
pub(crate) struct FormPage {
    pub(crate) forms: Vec<HtmlForm>,
    pub(crate) terms: PageTerms,
}

impl FormPage {
    pub(crate) fn read(content: &str, url: &Url) -> FormPage {
        FormPage { forms: fyke_web::forms(content, url), terms: PageTerms::of(content) }
    }
}

/// A form that may be sent, as much of it as is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SendableForm {
    /// Where it is sent to, without a query.
    pub(crate) action: String,
    /// The field for words, if it has one.
    pub(crate) text: Option<String>,
    /// Fields with options to choose from, each with what is chosen where nothing is said.
    pub(crate) selects: Vec<SelectField>,
    /// What goes along as it is.
    pub(crate) fixed: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SelectField {
    pub(crate) name: String,
    pub(crate) usual: String,
    pub(crate) options: Vec<String>,
}

/// What a form is filled with: a word, and an option other than the usual one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct FormInput {
    pub(crate) word: String,
    /// The place of the field, and of its option.
    pub(crate) option: Option<[usize; 2]>,
}

impl SendableForm {
    /// By which it is known on other pages.
    pub(crate) fn key(&self) -> String {
        let names = self.text.iter().chain(self.selects.iter().map(|select| &select.name));
        let names: Vec<&str> = names.map(String::as_str).collect();
        format!("{}?{}", self.action, names.join("&"))
    }

    /// The URL that a form filled so asks for.
    pub(crate) fn url(&self, input: &FormInput) -> Option<Url> {
        let chosen = |place: usize, select: &SelectField| match input.option {
            Some([field, option]) if field == place => select.options.get(option).cloned(),
            _ => Some(select.usual.clone()),
        };
        let mut pairs = Vec::new();
        if let Some(text) = &self.text {
            pairs.push((text.clone(), input.word.clone()));
        }
        for (place, select) in self.selects.iter().enumerate() {
            pairs.push((select.name.clone(), chosen(place, select)?));
        }
        pairs.extend(self.fixed.iter().cloned());
        let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Url::parse(&format!("{}?{}", self.action, urlencoded(pairs))).ok()
    }
}

/// Fields as a form is sent.
pub(crate) fn urlencoded<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let escape = |text: &str| {
        let escaped = text.bytes().map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => {
                char::from(byte).to_string()
            }
            b' ' => "+".to_owned(),
            byte => format!("%{byte:02X}"),
        });
        escaped.collect::<String>()
    };
    let pairs = fields.map(|(name, value)| format!("{}={}", escape(name), escape(value)));
    pairs.collect::<Vec<_>>().join("&")
}
