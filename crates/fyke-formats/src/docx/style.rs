//! Styles and numberings of a Word document: which paragraphs are headings, which are items.

use super::super::xml::{Events, XmlEvent, attribute};
use fyke_web::html::name;
use std::collections::{BTreeMap, HashSet};

/// Most styles that are kept.
const MOST_STYLES: usize = 10_000;
/// Longest name that a style may refer to.
const LONGEST: usize = 1_024;
/// Styles based on each other that are followed.
const MOST_BASES: usize = 16;

/// What a style makes of a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct DocxStyle {
    /// Level of the heading, from 0.
    pub(super) heading: Option<usize>,
    /// The numbering of an item.
    pub(super) list: Option<String>,
    based_on: String,
}

/// All styles by their names, and the numberings that count.
#[derive(Debug, Default)]
pub(super) struct DocxStyles {
    styles: BTreeMap<String, DocxStyle>,
    ordered: HashSet<String>,
}

impl DocxStyles {
    pub(super) fn read(styles: &str, numberings: &str) -> DocxStyles {
        let mut found = DocxStyles { styles: read_styles(styles), ordered: ordered(numberings) };
        found.inherit();
        found
    }

    pub(super) fn look_up(&self, name: &str) -> Option<&DocxStyle> {
        self.styles.get(name)
    }

    pub(super) fn is_ordered(&self, numbering: &str) -> bool {
        self.ordered.contains(numbering)
    }

    /// Gives every style what the one it is based on says.
    fn inherit(&mut self) {
        let names: Vec<String> = self.styles.keys().cloned().collect();
        for name in names {
            let mut style = self.styles.get(&name).cloned().unwrap_or_default();
            let mut base = style.based_on.clone();
            for _ in 0..MOST_BASES {
                let Some(next) = self.styles.get(&base) else { break };
                style.heading = style.heading.or(next.heading);
                style.list = style.list.or_else(|| next.list.clone());
                base.clone_from(&next.based_on);
            }
            self.styles.insert(name, style);
        }
    }
}

fn read_styles(text: &str) -> BTreeMap<String, DocxStyle> {
    let mut styles = BTreeMap::new();
    let mut id = String::new();
    let mut style = DocxStyle::default();
    for event in Events::new(text) {
        match event {
            XmlEvent::Start(tag) => {
                let value = || attribute(&tag, "val").unwrap_or_default();
                match tag.name {
                    n if n == name("style") => {
                        id = attribute(&tag, "styleId").unwrap_or_default().into_owned();
                        style = DocxStyle::default();
                    }
                    n if n == name("name") => style.heading = heading(&value()).or(style.heading),
                    n if n == name("outlineLvl") => {
                        let level = value().parse().ok().filter(|level: &usize| *level < 9);
                        style.heading = style.heading.or(level);
                    }
                    n if n == name("numId") => style.list = Some(value().into_owned()),
                    n if n == name("basedOn") => style.based_on = value().into_owned(),
                    _ => {}
                }
            }
            XmlEvent::End(n)
                if n == name("style")
                    && styles.len() < MOST_STYLES
                    && style.based_on.len() <= LONGEST
                    && style.list.as_ref().is_none_or(|list| list.len() <= LONGEST) =>
            {
                styles.insert(std::mem::take(&mut id), std::mem::take(&mut style));
            }
            XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }
    styles
}

/// The level, from 0, of "heading 1" and of the title.
fn heading(name: &str) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    if name == "title" {
        return Some(0);
    }
    let level: usize = name.strip_prefix("heading ")?.parse().ok()?;
    level.checked_sub(1)
}

/// The numberings whose first level counts.
fn ordered(text: &str) -> HashSet<String> {
    let mut counting: HashSet<String> = HashSet::new();
    let mut found = HashSet::new();
    let (mut definition, mut numbering, mut is_first) = (String::new(), String::new(), false);
    for event in Events::new(text) {
        let XmlEvent::Start(tag) = event else { continue };
        let value = |name| attribute(&tag, name).unwrap_or_default();
        match tag.name {
            n if n == name("abstractNum") => definition = value("abstractNumId").into_owned(),
            n if n == name("lvl") => is_first = value("ilvl") == "0",
            n if n == name("numFmt")
                && is_first
                && !matches!(&*value("val"), "bullet" | "none")
                && counting.len() < MOST_STYLES =>
            {
                counting.insert(definition.clone());
            }
            n if n == name("num") => numbering = value("numId").into_owned(),
            n if n == name("abstractNumId") && counting.contains(&*value("val")) => {
                found.insert(numbering.clone());
            }
            _ => {}
        }
    }
    found
}
