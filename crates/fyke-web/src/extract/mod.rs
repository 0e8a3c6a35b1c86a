//! What people say of pages whose main text is not found as they want it: rules by host or path, with CSS selectors of
//! what to keep, what to drop, and where title and date stand. A rule cuts the markup before its blocks are made; what
//! `keep` chose is all main text, and without `keep` the usual way goes on with what is left.

mod glob;
mod selector;

pub use selector::SelectorError;

use crate::Url;
use crate::html::{HtmlToken, Scanner, Tag, TagName, fold_into, folded, name};
use glob::UrlGlob;
use selector::{SelectorProgram, TakenSteps};

/// Deepest nesting that is followed; what is deeper belongs to what is around it.
const MOST_DEPTH: usize = 512;
/// Longest title or date, in bytes.
const MOST_NAME: usize = 1_000;

/// Elements without content.
const VOID: &[TagName] = &[
    name("area"),
    name("base"),
    name("br"),
    name("col"),
    name("embed"),
    name("hr"),
    name("img"),
    name("input"),
    name("link"),
    name("meta"),
    name("param"),
    name("source"),
    name("track"),
    name("wbr"),
];
/// Elements whose end tags are often left out, and which of them end where another begins.
const ENDED: &[(TagName, &[TagName])] = &[
    (name("li"), &[name("li")]),
    (name("dt"), &[name("dt"), name("dd")]),
    (name("dd"), &[name("dt"), name("dd")]),
    (name("tr"), &[name("tr"), name("td"), name("th")]),
    (name("td"), &[name("td"), name("th")]),
    (name("th"), &[name("td"), name("th")]),
    (name("option"), &[name("option")]),
];
/// What begins a paragraph ends the one before.
const BLOCKS: &[TagName] = &[
    name("p"),
    name("div"),
    name("ul"),
    name("ol"),
    name("dl"),
    name("table"),
    name("pre"),
    name("section"),
    name("article"),
    name("h1"),
    name("h2"),
    name("h3"),
    name("h4"),
    name("h5"),
    name("h6"),
    name("blockquote"),
    name("form"),
    name("main"),
    name("nav"),
    name("aside"),
    name("header"),
    name("footer"),
    name("figure"),
    name("hr"),
];
/// Around these an end that was left out is not looked for.
const WALLS: &[TagName] =
    &[name("ul"), name("ol"), name("dl"), name("table"), name("select"), name("div"), name("body")];

/// What an element is chosen for.
const KEEP: u8 = 1;
const DROP: u8 = 2;
const TITLE: u8 = 4;
const DATE: u8 = 8;

/// Selectors as they are written; empty: none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtractSelectors<'a> {
    pub keep: &'a str,
    pub drop: &'a str,
    pub title: &'a str,
    pub date: &'a str,
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtractError {
    Pattern(&'static str),
    /// The key, and what is wrong with its selectors.
    Selector(&'static str, SelectorError),
}

/// A rule for some pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractRule {
    /// The pattern, as it was written.
    pub pattern: String,
    glob: UrlGlob,
    program: SelectorProgram,
    has_keep: bool,
}

/// All rules of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtractRules(Vec<ExtractRule>);

/// What a rule makes of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// What is left of the markup.
    pub markup: String,
    /// How many elements were kept and dropped.
    pub kept: usize,
    pub dropped: usize,
    /// Title and date as they stand on the page; empty where nothing was chosen.
    pub title: String,
    pub date: String,
}

impl ExtractRule {
    /// Reads a rule.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(
        pattern: &str,
        selectors: &ExtractSelectors<'_>,
    ) -> Result<ExtractRule, ExtractError> {
        let glob = UrlGlob::new(pattern).map_err(ExtractError::Pattern)?;
        let mut program = SelectorProgram::default();
        let ExtractSelectors { keep, drop, title, date } = *selectors;
        for (key, text, chosen) in [
            ("keep", keep, KEEP),
            ("drop", drop, DROP),
            ("title", title, TITLE),
            ("date", date, DATE),
        ] {
            if !text.is_empty() {
                program.add(text, chosen).map_err(|error| ExtractError::Selector(key, error))?;
            }
        }
        let has_keep = !keep.is_empty();
        Ok(ExtractRule { pattern: pattern.to_owned(), glob, program, has_keep })
    }

    /// What is left of a page. Where `keep` chooses nothing, all but what is dropped stays.
    #[must_use]
    pub fn apply(&self, html: &str) -> Extracted {
        let found = ElementWalk::new(self, self.has_keep).read(html);
        match self.has_keep && found.kept == 0 {
            true => ElementWalk::new(self, false).read(html),
            false => found,
        }
    }
}

impl FromIterator<ExtractRule> for ExtractRules {
    fn from_iter<I: IntoIterator<Item = ExtractRule>>(rules: I) -> ExtractRules {
        ExtractRules(rules.into_iter().collect())
    }
}

impl ExtractRules {
    /// The rule for a URL: of several that fit the one with the longest pattern.
    #[must_use]
    pub fn of(&self, url: &Url) -> Option<&ExtractRule> {
        let fitting = self.0.iter().filter(|rule| rule.glob.fits(url));
        fitting.max_by_key(|rule| (rule.pattern.len(), &rule.pattern))
    }
}

/// An open element.
#[derive(Clone, Copy, Default)]
struct OpenElement {
    name: TagName,
    taken: TakenSteps,
    chosen: u8,
    /// What it or one around it is chosen for.
    within: u8,
}

/// Goes over the tags of a page with the elements that are open.
struct ElementWalk<'a> {
    rule: &'a ExtractRule,
    only_kept: bool,
    open: Vec<OpenElement>,
    /// How many of the open elements are chosen for what.
    keeping: usize,
    dropping: usize,
    /// Title and date are known: the first element that is chosen for them tells.
    told: u8,
    found: Extracted,
}

impl<'a> ElementWalk<'a> {
    fn new(rule: &'a ExtractRule, only_kept: bool) -> ElementWalk<'a> {
        let (open, found) = (vec![OpenElement::default()], Extracted::default());
        ElementWalk { rule, only_kept, open, keeping: 0, dropping: 0, told: 0, found }
    }

    fn read(mut self, html: &str) -> Extracted {
        let mut scanner = Scanner::new(html);
        let mut from = 0;
        while let Some(token) = scanner.next() {
            let to = scanner.place();
            let markup = html.get(from..to).unwrap_or_default();
            from = to;
            match token {
                HtmlToken::Start(tag) => self.start(&tag, markup),
                HtmlToken::End(name) => self.end(name, markup),
                HtmlToken::Text(text) | HtmlToken::Cdata(text) | HtmlToken::Raw(_, text) => {
                    self.text(text);
                    self.copy(markup);
                }
            }
        }
        for text in [&mut self.found.title, &mut self.found.date] {
            text.truncate(text.trim_end().len());
        }
        self.found
    }

    fn copy(&mut self, markup: &str) {
        if self.dropping == 0 && (self.keeping > 0 || !self.only_kept) {
            self.found.markup.push_str(markup);
        }
    }

    fn start(&mut self, tag: &Tag<'_>, markup: &str) {
        self.end_others(tag.name);
        let around = self.open.last().copied().unwrap_or_default();
        let (taken, chosen) = self.rule.program.take(tag, around.taken);
        self.name(tag, chosen);
        let is_kept = chosen & KEEP != 0;
        self.found.dropped += usize::from(chosen & DROP != 0 && self.dropping == 0);
        self.dropping += usize::from(chosen & DROP != 0);
        if is_kept && self.dropping == 0 {
            self.found.kept += 1;
            if self.keeping == 0 && self.only_kept {
                // Parts that stood apart are not read as one.
                self.found.markup.push_str("<hr>");
            }
        }
        self.keeping += usize::from(is_kept);
        self.copy(markup);
        let within = around.within | chosen;
        let element = OpenElement { name: tag.name, taken, chosen, within };
        match VOID.contains(&tag.name) || self.open.len() >= MOST_DEPTH {
            true => self.left(element),
            false => self.open.push(element),
        }
    }

    fn left(&mut self, element: OpenElement) {
        self.keeping -= usize::from(element.chosen & KEEP != 0);
        self.dropping -= usize::from(element.chosen & DROP != 0);
        self.told |= element.chosen & (TITLE | DATE);
    }

    fn leave(&mut self, kept: usize) {
        for element in self.open.split_off(kept.max(1)) {
            self.left(element);
        }
    }

    fn end(&mut self, name: TagName, markup: &str) {
        self.copy(markup);
        if let Some(at) = self.open.iter().rposition(|element| element.name == name) {
            self.leave(at);
        }
    }

    /// Ends elements whose end tags were left out.
    fn end_others(&mut self, new: TagName) {
        let ended = ENDED.iter().find(|row| row.0 == new).map_or(&[][..], |row| row.1);
        let mut kept = self.open.len();
        for (at, element) in self.open.iter().enumerate().rev() {
            let is_paragraph = element.name == name("p") && BLOCKS.contains(&new);
            match () {
                () if ended.contains(&element.name) || is_paragraph => kept = at,
                () if WALLS.contains(&element.name) => break,
                () => {}
            }
        }
        self.leave(kept);
    }

    /// Takes a title or a date from the attributes of an element that has it there.
    fn name(&mut self, tag: &Tag<'_>, chosen: u8) {
        let content = |attribute: &str| {
            let value = tag.attribute(attribute).map(|text| folded(&text, MOST_NAME));
            value.filter(|value| !value.is_empty())
        };
        let wanted = chosen & !self.told;
        if wanted & TITLE != 0
            && let Some(title) = content("content")
        {
            (self.found.title, self.told) = (title, self.told | TITLE);
        }
        if wanted & DATE != 0
            && let Some(date) = content("datetime").or_else(|| content("content"))
        {
            (self.found.date, self.told) = (date, self.told | DATE);
        }
    }

    /// Text of the first element that is chosen as title, or as date.
    fn text(&mut self, text: &str) {
        let wanted = self.open.last().map_or(0, |element| element.within) & !self.told;
        if wanted & TITLE != 0 {
            fold_into(&mut self.found.title, text, MOST_NAME);
        }
        if wanted & DATE != 0 {
            fold_into(&mut self.found.date, text, MOST_NAME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(selectors: &ExtractSelectors<'_>) -> ExtractRule {
        ExtractRule::new("a.test", selectors).unwrap()
    }

    const PAGE: &str = "<title>Eels | Rivers</title><div class=menu>menu</div><main><h1 id=t>The \
                        <b>eel</b></h1><p>one<p class=ad>buy<p>two<ul><li>x<li class=ad>y<li>z</ul></main><time datetime=2024-03-05>March</time>";

    #[test]
    fn what_is_kept_and_dropped_is_cut_out_of_the_markup() {
        let check = |keep: &str, drop: &str, expected: &str| {
            let selectors = ExtractSelectors { keep, drop, ..ExtractSelectors::default() };
            let found = rule(&selectors).apply(PAGE);
            assert_eq!(found.markup, expected, "{keep} {drop}");
        };
        check(
            "h1, ul",
            "",
            "<hr><h1 id=t>The <b>eel</b></h1><hr><ul><li>x<li class=ad>y<li>z</ul>",
        );
        check("ul", ".ad", "<hr><ul><li>x<li>z</ul>");
        check("p", ".ad", "<hr><p>one<hr><p>two");
        check("main li.ad", "", "<hr><li class=ad>y");
        check(".nothing", "", PAGE);
        check(".nothing", "main, title, time", "<div class=menu>menu</div>");
    }

    #[test]
    fn title_and_date_are_read_where_they_stand() {
        let selectors =
            ExtractSelectors { title: "#t", date: "time", ..ExtractSelectors::default() };
        let found = rule(&selectors).apply(PAGE);
        assert_eq!((&*found.title, &*found.date), ("The eel", "2024-03-05"));
        let meta = "<meta property='og:title' content='An  eel'><p>text";
        let selectors = ExtractSelectors { title: "meta[property='og:title']", ..selectors };
        assert_eq!(rule(&selectors).apply(meta).title, "An eel");
    }

    #[test]
    fn of_rules_that_fit_the_longest_pattern_decides() {
        let rule = |pattern: &str| ExtractRule::new(pattern, &ExtractSelectors::default()).unwrap();
        let rules: ExtractRules =
            ["a.test", "a.test/docs/**", "**"].map(rule).into_iter().collect();
        assert!(ExtractRules::default().of(&Url::parse("http://a.test/").unwrap()).is_none());
        let check = |url: &str, expected: Option<&str>| {
            let found = rules.of(&Url::parse(url).unwrap()).map(|rule| rule.pattern.as_str());
            assert_eq!(found, expected, "{url}");
        };
        check("http://a.test/docs/x", Some("a.test/docs/**"));
        check("http://a.test/x", Some("a.test"));
        check("http://b.test/x", Some("**"));
    }

    #[test]
    fn errors_name_the_key_and_the_place() {
        let selectors = ExtractSelectors { keep: "p", drop: "a..b", ..ExtractSelectors::default() };
        let error = ExtractRule::new("a.test", &selectors).unwrap_err();
        let expected = SelectorError { at: 2, what: "expected a name".to_owned() };
        assert_eq!(error, ExtractError::Selector("drop", expected));
        assert!(ExtractRule::new("https://a.test", &ExtractSelectors::default()).is_err());
    }
}
