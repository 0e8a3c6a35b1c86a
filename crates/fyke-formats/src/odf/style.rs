//! Styles of an OpenDocument: which are bold or italic, which lists count.

use super::super::xml::{Events, XmlEvent, attribute};
use fyke_web::html::name;
use std::collections::{HashMap, HashSet};

/// Most styles that are kept.
const MOST_STYLES: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct OdfStyles {
    /// Bold and italic by the name of the style.
    texts: HashMap<String, (bool, bool)>,
    ordered: HashSet<String>,
}

impl OdfStyles {
    /// The styles that stand in the content itself.
    pub(super) fn read(content: &str) -> OdfStyles {
        let mut styles = OdfStyles::default();
        let (mut style, mut list) = (String::new(), String::new());
        for event in Events::new(content) {
            match event {
                XmlEvent::Start(tag) => {
                    let value = |name| attribute(&tag, name).unwrap_or_default();
                    match tag.name {
                        n if n == name("style") => style = value("name").into_owned(),
                        n if n == name("list-style") => list = value("name").into_owned(),
                        n if n == name("text-properties") && styles.texts.len() < MOST_STYLES => {
                            let is_bold = value("font-weight") == "bold";
                            let is_italic = value("font-style") == "italic";
                            styles.texts.insert(style.clone(), (is_bold, is_italic));
                        }
                        // Longer names are all 0 to the scanner; of the levels of a list only
                        // those that count have a format.
                        0 if value("level") == "1"
                            && !value("num-format").is_empty()
                            && styles.ordered.len() < MOST_STYLES =>
                        {
                            styles.ordered.insert(list.clone());
                        }
                        _ => {}
                    }
                }
                XmlEvent::End(n) if n == name("automatic-styles") => break,
                XmlEvent::End(_) | XmlEvent::Text(_) => {}
            }
        }
        styles
    }

    /// Whether text of this style is bold, and whether it is italic.
    pub(super) fn of_text(&self, style: &str) -> (bool, bool) {
        self.texts.get(style).copied().unwrap_or_default()
    }

    pub(super) fn is_ordered(&self, style: &str) -> bool {
        self.ordered.contains(style)
    }
}
