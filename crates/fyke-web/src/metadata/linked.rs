//! Linked data (JSON-LD with the words of schema.org): articles, goods and threads tell their title,
//! author, date and publisher. Objects are looked for in lists and graphs, to a small depth.

use super::MOST;
use crate::html::folded;
use crate::refine::Genre;
use serde_json::Value;

/// Deepest list or graph that is looked into.
const DEEPEST: u32 = 4;
/// Most objects of a list that are looked at.
const WIDEST: usize = 200;

/// What linked data says; empty where it does not.
#[derive(Debug, Default)]
pub(super) struct Linked {
    pub(super) headline: String,
    pub(super) name: String,
    pub(super) author: String,
    pub(super) date: String,
    pub(super) site: String,
    pub(super) genre: Option<Genre>,
}

impl Linked {
    /// Reads a script; one that is broken says nothing.
    pub(super) fn read(&mut self, script: &str) {
        let script = script.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        if let Ok(value) = serde_json::from_str::<Value>(script) {
            self.visit(&value, 0);
        }
    }

    fn visit(&mut self, value: &Value, depth: u32) {
        match value {
            Value::Array(list) if depth < DEEPEST => {
                for one in list.iter().take(WIDEST) {
                    self.visit(one, depth + 1);
                }
            }
            Value::Object(members) => {
                if let Some(genre) = genre_of(&value["@type"]) {
                    self.take(value, genre);
                } else if kind_is(&value["@type"], |kind| kind == "WebSite") {
                    fill(&mut self.site, &value["name"]);
                }
                for inner in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let Some(inner) = members.get(inner).filter(|_| depth < DEEPEST) {
                        self.visit(inner, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes what an object says. An article counts more than the goods that it is about.
    fn take(&mut self, value: &Value, genre: Genre) {
        if self.genre == Some(Genre::Article) {
            return;
        }
        if genre == Genre::Article {
            self.name.clear();
        }
        self.genre = Some(genre);
        fill(&mut self.headline, &value["headline"]);
        fill(&mut self.name, &value["name"]);
        fill(&mut self.date, &value["datePublished"]);
        fill(&mut self.site, &value["publisher"]["name"]);
        if self.author.is_empty() {
            self.author = names(&value["author"]);
        }
    }
}

fn fill(into: &mut String, value: &Value) {
    if let Some(text) = value.as_str().filter(|_| into.is_empty()) {
        *into = folded(text, MOST);
    }
}

/// The name of a person, or of several with commas between.
fn names(value: &Value) -> String {
    match value {
        Value::String(name) => folded(name, MOST),
        Value::Object(_) => value["name"].as_str().map(|n| folded(n, MOST)).unwrap_or_default(),
        Value::Array(list) => {
            let all = list.iter().take(5).filter(|one| !one.is_array()).map(names);
            all.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

fn genre_of(kind: &Value) -> Option<Genre> {
    if kind_is(kind, |kind| kind.ends_with("Article") || kind.ends_with("BlogPosting")) {
        return Some(Genre::Article);
    }
    if kind_is(kind, |kind| matches!(kind, "DiscussionForumPosting" | "QAPage" | "Question")) {
        return Some(Genre::Forum);
    }
    if kind_is(kind, |kind| matches!(kind, "Product" | "ProductGroup")) {
        return Some(Genre::Product);
    }
    None
}

/// Whether the type, or one of several, is such.
fn kind_is(kind: &Value, wanted: impl Fn(&str) -> bool) -> bool {
    match kind {
        Value::String(kind) => wanted(kind),
        Value::Array(list) => list.iter().filter_map(Value::as_str).any(wanted),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_goods_and_threads_tell_of_themselves() {
        let check = |script: &str, expected: (&str, &str, &str, &str), genre| {
            let mut linked = Linked::default();
            linked.read(script);
            let title = [&*linked.headline, &*linked.name].concat();
            let found = (&*title, &*linked.author, &*linked.date, &*linked.site);
            assert_eq!((found, linked.genre), (expected, genre), "{script}");
        };
        check(
            r#"{"@graph":[{"@type":"WebSite","name":"Rivers"},{"@type":["NewsArticle"],
            "headline":"Eels &amp; reeds","author":[{"name":"Ana"},"Bor"],"datePublished":"2020-01-02"}]}"#,
            ("Eels & reeds", "Ana, Bor", "2020-01-02", "Rivers"),
            Some(Genre::Article),
        );
        check(
            r#"[{"@type":"Product","name":"Net"},{"@type":"Article","headline":"On nets"}]"#,
            ("On nets", "", "", ""),
            Some(Genre::Article),
        );
        check(
            r#"{"@type":"QAPage","mainEntity":{"@type":"Question","name":"Why?"}}"#,
            ("Why?", "", "", ""),
            Some(Genre::Forum),
        );
        check("{\"@type\":", ("", "", "", ""), None);
        check("[[[[[[[[1]]]]]]]]", ("", "", "", ""), None);
    }
}
