//! The title of a page: what is written for machines, the title element and the headings weighed together. The
//! title element often names the site as well, in front or behind, between bars or dashes or in brackets; the
//! part that a heading of the text repeats is the page's own.

use serde::{Deserialize, Serialize};

/// What stands between a title and the name of a site.
const BARS: &[&str] =
    &[" | ", " - ", " – ", " — ", " » ", " « ", " :: ", " · ", " • ", " / ", " < ", ": "];

/// How a name ends that is a manual's and not a page's, when something else stands beside it.
const MANUALS: &[&str] = &["documentation", "docs", "manual", "dokumentation", "documentación"];

/// Longest name that is kept, in bytes.
const MOST_NAME: usize = 300;

/// What a page may be called: its title is found from these, and once more when the other pages of its host are
/// known (`super::host`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageNames {
    /// Written for machines.
    pub told: String,
    /// The title element.
    pub element: String,
    /// The first heading of the main text, and the large headings of the page, wherever they stand.
    pub heading: String,
    pub large: Vec<String>,
    /// What stands in elements named as a title, and the last of the breadcrumbs.
    pub marked: Vec<String>,
    pub crumb: String,
}

impl PageNames {
    /// Cut to what is worth keeping.
    pub(crate) fn cut(mut self) -> PageNames {
        let PageNames { told, element, heading, large, marked, crumb } = &mut self;
        let one = [told, element, heading, crumb].into_iter();
        for name in one.chain(large).chain(marked) {
            name.truncate(name.floor_char_boundary(MOST_NAME));
        }
        self
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == PageNames::default()
    }
}

/// The title by what was found, without the name of the site.
pub(crate) fn title(found: &PageNames, site: &SiteName<'_>) -> String {
    let heading = found.heading.as_str();
    let is_none = found.told.is_empty() || site.is_named_by(&found.told);
    let told = if is_none { "" } else { &found.told };
    let long = if told.is_empty() { found.element.as_str() } else { told };
    if long.is_empty() {
        return found.large.first().map_or(heading, |large| large).to_owned();
    }
    let cut = without_site(long, found, site);
    // A site that gives all its pages one title has their names in the headings.
    if site.is_named_by(cut) && !heading.is_empty() && !site.is_named_by(heading) {
        return heading.to_owned();
    }
    // The title element often cuts a long heading short.
    let stem = cut.trim_end_matches(['…', '.', ' ']);
    let is_cut = stem.len() < cut.len() && heading.len() > stem.len() && heading.starts_with(stem);
    if is_cut { heading.to_owned() } else { cut.to_owned() }
}

/// What a site is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteName<'a> {
    /// The name it gives itself; empty when it gives none.
    pub(crate) name: &'a str,
    pub(crate) host: &'a str,
}

impl SiteName<'_> {
    /// Whether a part of a title names the site.
    pub(super) fn is_named_by(&self, part: &str) -> bool {
        let part = letters(part);
        let name = letters(self.name);
        let named = |known: &str| {
            known.len() > 2 && (part == known || (part.len() > 3 && known.contains(&part)))
        };
        let host = letters(self.host.trim_start_matches("www."));
        !part.is_empty()
            && (named(&name) || named(&host) || (name.len() > 3 && part.starts_with(&name)))
    }
}

/// Letters and digits alone, in lower case.
pub(super) fn letters(text: &str) -> String {
    // Most titles are ASCII, where a letter is a byte.
    if text.is_ascii() {
        let mut letters = String::with_capacity(text.len());
        let bytes = text.bytes().filter(u8::is_ascii_alphanumeric);
        letters.extend(bytes.map(|byte| char::from(byte.to_ascii_lowercase())));
        return letters;
    }
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The bars that a title may have: all of them have one of these bytes, and most titles none.
pub(super) fn bars_of(title: &str) -> &'static [&'static str] {
    let is_of_bar = |byte| matches!(byte, b'|' | b'-' | b':' | b'/' | b'<' | 0xc2 | 0xe2);
    if title.bytes().any(is_of_bar) { BARS } else { &[] }
}

/// The two parts of a title at each place where it can be divided, the last bar first, then brackets at its end.
fn divisions(title: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for bar in bars_of(title) {
        let both = [title.rsplit_once(bar), title.split_once(bar)];
        found.extend(both.into_iter().flatten().map(|(front, back)| (front.trim(), back.trim())));
    }
    found.extend(brackets(title));
    found.retain(|(front, back)| !front.is_empty() && !back.is_empty());
    found
}

/// "eel (River Guide (second edition))" divided before the brackets at its end.
pub(super) fn brackets(title: &str) -> Option<(&str, &str)> {
    let inside = title.strip_suffix(')')?;
    let mut depth = 1_u32;
    for (at, c) in inside.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((title[..at].trim(), &inside[at + 1..]));
        }
    }
    None
}

fn without_site<'a>(title: &'a str, found: &PageNames, site: &SiteName<'_>) -> &'a str {
    let title = title.trim();
    let divisions = divisions(title);
    if divisions.is_empty() {
        return title;
    }
    // Where a heading says all of it no kind stands before a name ("struct – how bytes are packed"), and what looks
    // like a manual behind it does not ("Link to other documentation").
    let whole = letters(title);
    let is_whole = |heading: &str| letters(heading) == whole;
    let is_own = is_whole(&found.heading) || found.large.iter().any(|large| is_whole(large));
    let is_heading = |part: &str, heading: &str| match is_own {
        true => !part.is_empty() && letters(part) == letters(heading),
        false => is_heading(part, heading),
    };
    let is_manual = |part: &str| !is_own && is_manual(part);
    // The heading of the text decides, then any large heading: the name of the site may be one, but behind.
    let own = |(front, back): &(&'a str, &'a str)| {
        let by = |heading: &str| match () {
            () if is_heading(front, heading) => Some(*front),
            () if is_manual(back) || site.is_named_by(back) => None,
            () if is_heading(back, heading) => Some(*back),
            () => None,
        };
        by(&found.heading).or_else(|| {
            let front_first = |heading: &&String| is_heading(front, heading);
            found.large.iter().find(front_first).map(|_| *front)
        })
    };
    if let Some(own) = divisions.iter().find_map(own) {
        return own;
    }
    for (front, back) in &divisions {
        if site.is_named_by(back) || is_manual(back) {
            return without_site(front, found, site);
        }
        if site.is_named_by(front) || is_manual(front) && !front.contains(' ') {
            return without_site(back, found, site);
        }
    }
    title
}

/// Whether a part of a title is the heading, or all of it but a number or a kind before it ("Class Eel", "22.2 Eels").
fn is_heading(part: &str, heading: &str) -> bool {
    if heading.is_empty() || part.is_empty() {
        return false;
    }
    let (part, heading) = (letters(part), letters(heading));
    if part == heading {
        return true;
    }
    let before = heading.strip_suffix(part.as_str()).unwrap_or(&heading);
    part.chars().count() > 1
        && before.len() < heading.len()
        && (before.bytes().all(|b| b.is_ascii_digit()) || KINDS.contains(&before))
}

/// What stands before a name in the heading of its page.
const KINDS: &[&str] = &[
    "class",
    "interface",
    "enum",
    "enumclass",
    "record",
    "package",
    "module",
    "struct",
    "trait",
    "chapter",
    "appendix",
    "annotationtype",
    "annotationinterface",
];

/// Whether a part of a title names a manual: "Eels 1.2 documentation".
fn is_manual(part: &str) -> bool {
    let last = part.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    MANUALS.contains(&last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(told: &str, element: &str, headings: &[&str], expected: &str) {
        let site = SiteName { name: "River News", host: "www.rivers.test" };
        let [told, element] = [told, element].map(str::to_owned);
        let large: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
        let heading = large.last().cloned().unwrap_or_default();
        let found = PageNames { told, element, heading, large, ..PageNames::default() };
        assert_eq!(title(&found, &site), expected, "{found:?}");
    }

    #[test]
    fn a_title_with_a_bar_is_one_that_may_have_some() {
        assert!(BARS.iter().all(|bar| !bars_of(bar).is_empty()));
        assert!(bars_of("Eels return").is_empty());
    }

    #[test]
    fn the_name_of_the_site_is_cut_off() {
        check("", "Eels return | River News", &[], "Eels return");
        check("", "River News: Eels return", &[], "Eels return");
        check("", "Eels - a story - rivers.test", &[], "Eels - a story");
        check("", "Eels return - Fish and more", &["Eels return"], "Eels return");
        check("", "Eels - a story", &[], "Eels - a story");
        check("Of eels", "Eels | River News", &["Eels"], "Of eels");
        check("", "Eels return to the…", &["Eels return to the river"], "Eels return to the river");
        check("", "", &["Eels"], "Eels");
    }

    #[test]
    fn a_site_with_one_title_for_all_its_pages_has_names_in_the_headings() {
        check("", "River News", &["Eels"], "Eels");
        check("River News", "Eels | River News", &["Of eels"], "Eels");
        check("", "River News", &[], "River News");
    }

    #[test]
    fn what_a_heading_says_whole_is_not_cut() {
        let whole = "struct — how bytes are packed";
        let others = ["Appendix: mending a net", "net.ext – Link to other documentation"];
        for title in [whole, others[0], others[1]] {
            check("", title, &[title], title);
        }
        check("", &format!("{whole} — Nets 3.2 documentation"), &[whole], whole);
    }

    #[test]
    fn the_heading_of_the_text_tells_which_part_is_the_page_s_own() {
        let manual = "Nets 3.2 documentation";
        check("", "Knots — Nets 3.2 documentation", &[manual, "Knots"], "Knots");
        check("", "Knots — Nets 3.2 documentation", &[manual], "Knots");
        check(
            "",
            "Knots | Nets v18.1 Documentation",
            &["Nets v18.1 documentation", "Knots#"],
            "Knots",
        );
        check("", "Knot (Nets SE 17 & NDK 17)", &["Class Knot"], "Knot");
        check("", "Knots (Net Guide (version 7.3.0))", &["22.2.1 Knots"], "Knots");
        check("", "net: the maker's tool", &["net: the maker's tool"], "net: the maker's tool");
        check("", "knots - tie, untie", &["Something else"], "knots - tie, untie");
    }
}
