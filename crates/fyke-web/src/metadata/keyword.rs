//! The keywords that a page names (meta-keywords, tags of an article): each once, in their order.

use crate::html::folded;

/// Most keywords, and the longest, in bytes: longer lists are there to mislead.
const MOST: usize = 64;
const LONGEST: usize = 100;

/// Meta elements that hold keywords between commas …
const LISTS: &[&str] = &["keywords", "news_keywords", "parsely-tags", "sailthru.tags"];
/// … and those that hold one each.
const SINGLE: &[&str] = &["article:tag", "book:tag", "video:tag", "dc.subject", "dcterms.subject"];

#[derive(Debug, Default)]
pub(super) struct MetaKeywords(Vec<String>);

impl MetaKeywords {
    /// Takes up a meta element by its name in lower case.
    pub(super) fn read(&mut self, name: &str, content: &str) {
        if LISTS.contains(&name) {
            content.split([',', ';', '\n', '，', '、']).for_each(|keyword| self.add(keyword));
        } else if SINGLE.contains(&name) {
            self.add(content);
        }
    }

    fn add(&mut self, keyword: &str) {
        let is_short = keyword.len() <= LONGEST;
        let keyword = if is_short { folded(keyword, LONGEST) } else { String::new() };
        let is_known = || self.0.iter().any(|known| known.eq_ignore_ascii_case(&keyword));
        if !keyword.is_empty() && self.0.len() < MOST && !is_known() {
            self.0.push(keyword);
        }
    }

    /// One a line.
    pub(super) fn finish(self) -> String {
        self.0.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_taken_once_and_in_their_order() {
        let check = |name: &str, content: &str, expected: &str| {
            let mut keywords = MetaKeywords::default();
            keywords.read(name, content);
            assert_eq!(keywords.finish(), expected, "{name} {content}");
        };
        check("keywords", "eel, river  fish;Eel,, nets", "eel\nriver fish\nnets");
        check("article:tag", "eels, and nets", "eels, and nets");
        check("description", "eel, river", "");
        check("keywords", &"x".repeat(LONGEST + 1), "");
        let many: Vec<String> = (0..900).map(|n| format!("k{n}")).collect();
        check("keywords", &many.join(","), &many[..MOST].join("\n"));
    }
}
