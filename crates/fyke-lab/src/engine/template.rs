//! Addresses with places to fill in: `http://a.test/search?q={query}&n={depth}`, and OpenSearch's own
//! names for the same (`{searchTerms}`, `{count?}`, `{startIndex?}`, `{startPage?}`).

use fyke_store::archive::escaped;
use fyke_web::Url;

/// What one request asks for.
#[derive(Clone, Copy, Debug)]
pub struct EngineRequest<'a> {
    pub query: &'a str,
    /// Results wanted in all.
    pub depth: usize,
    /// Results had already.
    pub had: usize,
    /// Pages had already.
    pub pages: usize,
}

/// An address to fill in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressTemplate {
    text: String,
    /// Numbers of the first result and of the first page.
    pub index_offset: u32,
    pub page_offset: u32,
}

type Fill = fn(&AddressTemplate, &EngineRequest<'_>) -> String;

const QUERY: Fill = |_, ask| escaped(ask.query.as_bytes());
const DEPTH: Fill = |_, ask| ask.depth.to_string();
const START: Fill = |of, ask| (ask.had + of.index_offset as usize).to_string();
const PAGE: Fill = |of, ask| (ask.pages + of.page_offset as usize).to_string();

/// The names of places, and what goes there.
const PLACES: &[(&str, Fill)] = &[
    ("query", QUERY),
    ("searchTerms", QUERY),
    ("depth", DEPTH),
    ("count", DEPTH),
    ("start", START),
    ("startIndex", START),
    ("page", PAGE),
    ("startPage", PAGE),
    ("inputEncoding", |_, _| "UTF-8".to_owned()),
    ("outputEncoding", |_, _| "UTF-8".to_owned()),
    ("language", |_, _| "*".to_owned()),
];

impl AddressTemplate {
    /// Reads an address; results and pages are counted from 0.
    ///
    /// # Errors
    /// When it has no place for the query, or one nobody knows.
    pub fn parse(text: &str) -> Result<AddressTemplate, String> {
        let template =
            AddressTemplate { text: text.trim().to_owned(), index_offset: 0, page_offset: 0 };
        let names = template.names();
        if !names.iter().any(|name| matches!(*name, "query" | "searchTerms")) {
            return Err("the address has no {query}".to_owned());
        }
        let is_known =
            |name: &&&str| name.ends_with('?') || PLACES.iter().any(|(known, _)| known == *name);
        match names.iter().find(|name| !is_known(name)) {
            Some(name) => Err(format!(
                "{{{name}}} is unknown; known are {{query}}, {{depth}}, {{start}} and {{page}}"
            )),
            None => Ok(template),
        }
    }

    /// Whether later pages of results can be asked for.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        let is_page = |name: &&str| {
            matches!(name.trim_end_matches('?'), "start" | "startIndex" | "page" | "startPage")
        };
        self.names().iter().any(is_page)
    }

    /// The address of a request for one word.
    ///
    /// # Errors
    /// As [`AddressTemplate::fill`].
    pub(super) fn example(&self) -> Result<Url, String> {
        self.fill(&EngineRequest { query: "x", depth: 1, had: 0, pages: 0 })
    }

    /// The address of one request.
    ///
    /// # Errors
    /// When what comes out is no URL.
    pub fn fill(&self, ask: &EngineRequest<'_>) -> Result<Url, String> {
        let mut filled = String::new();
        self.pieces(|before, name| {
            filled.push_str(before);
            let row = PLACES.iter().find(|(known, _)| *known == name.trim_end_matches('?'));
            filled.push_str(&row.map(|(_, fill)| fill(self, ask)).unwrap_or_default());
        });
        Url::parse(&filled).map_err(|error| format!("{filled}: {error}"))
    }

    fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.pieces(|_, name| names.push(name));
        names.retain(|name| !name.is_empty());
        names
    }

    /// Gives each piece of plain text with the name of the place behind it; the last has none.
    fn pieces<'a>(&'a self, mut take: impl FnMut(&'a str, &'a str)) {
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            take(before, name);
            rest = after;
        }
        take(rest, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ASK: EngineRequest<'static> =
        EngineRequest { query: "tide & mill?", depth: 20, had: 10, pages: 1 };

    #[track_caller]
    fn check(text: &str, offset: u32, expected: &str) {
        let template = AddressTemplate::parse(text).unwrap();
        let template = AddressTemplate { index_offset: offset, page_offset: offset, ..template };
        assert_eq!(template.fill(&ASK).unwrap().as_str(), expected);
    }

    #[test]
    fn places_are_filled_in() {
        let query = "tide%20%26%20mill%3F";
        check("http://a.test/?q={query}&n={depth}", 0, &format!("http://a.test/?q={query}&n=20"));
        check(
            "http://a.test/{searchTerms}?s={startIndex?}&p={startPage?}&x={custom:thing?}",
            1,
            &format!("http://a.test/{query}?s=11&p=2&x="),
        );
    }

    #[test]
    fn an_address_that_cannot_be_used_is_refused() {
        let check = |text: &str, expected: &str| {
            assert!(AddressTemplate::parse(text).unwrap_err().contains(expected), "{text}");
        };
        check("http://a.test/", "no {query}");
        check("http://a.test/?q={query}&k={key}", "{key} is unknown");
        assert!(AddressTemplate::parse("gopher:{query}").unwrap().fill(&ASK).is_err());
        assert!(AddressTemplate::parse("http://a.test/{query}{page}").unwrap().has_pages());
        assert!(!AddressTemplate::parse("http://a.test/{query}{depth}").unwrap().has_pages());
    }

    proptest! {
        #[test]
        fn whatever_is_asked_stays_in_its_place(query in "\\PC{0,40}") {
            let template = AddressTemplate::parse("http://a.test/s?q={query}&n=5").unwrap();
            let url = template.fill(&EngineRequest { query: &query, ..ASK }).unwrap();
            prop_assert_eq!(url.host(), "a.test");
            let text = url.as_str();
            let known = text.starts_with("http://a.test/s?q=") && text.ends_with("&n=5");
            prop_assert!(known && text.matches('&').count() == 1, "{}", text);
        }
    }
}
