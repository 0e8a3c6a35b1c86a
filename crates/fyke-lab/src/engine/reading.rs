//! Results of other people's engines: JSON by pointers (RFC 6901), Atom and RSS as feeds are read, links
//! of an HTML page by CSS selectors.

use fyke_web::extract::{ExtractError, ExtractSelectors};
use fyke_web::html::{HtmlToken, Scanner, name};
use fyke_web::{Capture, ExtractRule, Url, charset, sitemap};
use serde_json::Value;

/// Bytes of the longest answer, unpacked.
const LONGEST: usize = 16 << 20;

/// How an answer is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerReading {
    /// Pointers to the list of results, and in each to the name of the document.
    Json { items: String, id: String },
    /// Entries of Atom or items of RSS, by their links.
    Feed,
    /// Links in what the selectors of this rule keep of a page.
    Html(Box<ExtractRule>),
    /// As the answer is: a feed, or JSON with its results under a usual name.
    AsItComes,
}

/// Where engines list their results in JSON, and what a result calls its URL.
const LISTS: &[&str] = &["/results", "/hits", "/items", "/response/docs", "/web/results", ""];
const NAMES: &[&str] = &["/url", "/link", "/href", "/id"];

impl AnswerReading {
    /// Pointers may be typed without the first slash.
    #[must_use]
    pub fn json(items: &str, id: &str) -> AnswerReading {
        let pointer = |text: &str| match text {
            "" => String::new(),
            text if text.starts_with('/') => text.to_owned(),
            text => format!("/{text}"),
        };
        AnswerReading::Json { items: pointer(items), id: pointer(id) }
    }

    /// By selectors of links, or of what holds them.
    ///
    /// # Errors
    /// When that is no list of selectors.
    pub fn html(selectors: &str) -> Result<AnswerReading, String> {
        let chosen = ExtractSelectors { keep: selectors, ..ExtractSelectors::default() };
        let rule = ExtractRule::new("**", &chosen).map_err(|error| match error {
            ExtractError::Selector(_, error) => format!("at {}: {}", error.at, error.what),
            ExtractError::Pattern(what) => what.to_owned(),
        })?;
        Ok(AnswerReading::Html(Box::new(rule)))
    }

    /// The documents of an answer, at most so many.
    ///
    /// # Errors
    /// Says what of the answer is not as it should be.
    pub fn read(&self, capture: &Capture, most: usize) -> Result<Vec<String>, String> {
        let (body, cut) = capture.body(LONGEST);
        if cut || capture.truncated.is_some() {
            return Err("the answer is too long or did not come whole".to_owned());
        }
        match self {
            AnswerReading::Feed => read_feed(&body, &capture.url, most),
            AnswerReading::Json { items, id } => read_json(&body, items, id, most),
            AnswerReading::Html(rule) => {
                let page = charset::decode(&body, capture.header("content-type"));
                Ok(read_html(rule, &page, &capture.url, most))
            }
            AnswerReading::AsItComes => match body.trim_ascii_start().first() {
                Some(b'{' | b'[') => guess_json(&body, most),
                _ => read_feed(&body, &capture.url, most),
            },
        }
    }
}

/// An error page that comes with status 200 is no feed.
fn read_feed(body: &[u8], url: &Url, most: usize) -> Result<Vec<String>, String> {
    let start = body[..body.len().min(1_024)].to_ascii_lowercase();
    let has = |mark: &[u8]| start.windows(mark.len()).any(|part| part == mark);
    if has(b"<html") || has(b"<!doctype html") {
        return Err("a page in HTML; name its results by --select".to_owned());
    }
    if !has(b"<feed") && !has(b"<rss") && !has(b"<rdf") {
        return Err("neither Atom nor RSS".to_owned());
    }
    let entries = sitemap::parse(body, url, most).urls;
    Ok(entries.into_iter().map(|entry| entry.url.as_str().to_owned()).collect())
}

/// The links of what is chosen; those to the engine's own host are its own business.
fn read_html(rule: &ExtractRule, page: &str, url: &Url, most: usize) -> Vec<String> {
    let chosen = rule.apply(page);
    if chosen.kept == 0 {
        return Vec::new();
    }
    let links = Scanner::new(&chosen.markup).filter_map(|token| match token {
        HtmlToken::Start(tag) if tag.name == name("a") => {
            url.join(tag.attribute("href")?.trim()).ok()
        }
        _ => None,
    });
    links.take(most).map(|link| link.as_str().to_owned()).collect()
}

fn guess_json(body: &[u8], most: usize) -> Result<Vec<String>, String> {
    let value: Value = serde_json::from_slice(body).map_err(|error| format!("no JSON: {error}"))?;
    let list = LISTS.iter().find(|items| value.pointer(items).is_some_and(Value::is_array));
    let items = list.ok_or("JSON without a list of results; name it by --items and --id")?;
    let results = value.pointer(items).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let Some(first) = results.first() else { return Ok(Vec::new()) };
    let id = NAMES.iter().find(|id| first.pointer(id).is_some_and(Value::is_string));
    let id = id.ok_or("results without a URL; say where it stands by --items and --id")?;
    read_json(body, items, id, most)
}

fn read_json(body: &[u8], items: &str, id: &str, most: usize) -> Result<Vec<String>, String> {
    let value: Value = serde_json::from_slice(body).map_err(|error| format!("no JSON: {error}"))?;
    let list = value.pointer(items).and_then(Value::as_array);
    let list = list.ok_or_else(|| format!("nothing is listed at {items:?}; name it by --items"))?;
    let name = |item: &Value| match item.pointer(id) {
        Some(Value::String(name)) => document(name),
        Some(Value::Number(name)) => document(&name.to_string()),
        _ => None,
    };
    let names: Vec<String> = list.iter().take(most).filter_map(name).collect();
    match names.is_empty() && !list.is_empty() {
        true => Err(format!("no result has a name at {id:?}; say where it stands by --id")),
        false => Ok(names),
    }
}

/// The name of a document as files have it: a URL as it is asked for, else one word.
#[must_use]
pub fn document(name: &str) -> Option<String> {
    let name = name.trim();
    if let Ok(url) = Url::parse(name) {
        return Some(url.as_str().to_owned());
    }
    let is_word = !name.is_empty() && name.len() <= 2_048 && !name.contains(char::is_whitespace);
    is_word.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn capture(body: &str) -> Capture {
        Capture {
            url: Url::parse("http://a.test/search").unwrap(),
            time: 0,
            status: 200,
            headers: Vec::new(),
            payload: body.as_bytes().to_vec(),
            truncated: None,
        }
    }

    #[test]
    fn results_are_read_from_json_and_feeds() {
        let check = |reading: AnswerReading, body: &str, expected: Result<&[&str], &str>| {
            let found = reading.read(&capture(body), 3);
            match (&found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
                _ => panic!("{found:?} for {body}"),
            }
        };
        let json = AnswerReading::json("results", "url");
        let body =
            r#"{"results":[{"url":"HTTP://A.test#x"},{"url":7},{"url":"two words"},{"x":1}]}"#;
        check(json.clone(), body, Ok(&["http://a.test/", "7"]));
        check(AnswerReading::json("", ""), r#"["a","b","c","d"]"#, Ok(&["a", "b", "c"]));
        check(AnswerReading::json("/a/0", "/b/c"), r#"{"a":[[{"b":{"c":"d"}}]]}"#, Ok(&["d"]));
        check(json.clone(), r#"{"results":[]}"#, Ok(&[]));
        check(json.clone(), r#"{"hits":[]}"#, Err("--items"));
        check(json.clone(), r#"{"results":[{"id":"x"}]}"#, Err("--id"));
        check(json, "<html>", Err("no JSON"));
        let atom =
            "<feed><link href='/self'/><entry><title>t</title><link href='/x'/></entry></feed>";
        check(AnswerReading::Feed, atom, Ok(&["http://a.test/x"]));
        check(AnswerReading::AsItComes, atom, Ok(&["http://a.test/x"]));
        check(
            AnswerReading::AsItComes,
            r#"{"hits":[{"link":"http://c.test/"}]}"#,
            Ok(&["http://c.test/"]),
        );
        check(AnswerReading::AsItComes, r#"{"hits":[]}"#, Ok(&[]));
        check(AnswerReading::AsItComes, r#"{"error":"x"}"#, Err("--items"));
        check(AnswerReading::AsItComes, "<!DOCTYPE html><html>Too many requests", Err("--select"));
        check(AnswerReading::Feed, "sorry", Err("neither"));
        let page = "<nav><a href=/about>x</a></nav><ol><li class=r><a href='http://d.test/1'>y</a>\
            <li class=r><h2><a href=/2>z</a></h2></ol>";
        let select = |text: &str| AnswerReading::html(text).unwrap();
        check(select("li.r"), page, Ok(&["http://d.test/1", "http://a.test/2"]));
        check(select(".r h2 a"), page, Ok(&["http://a.test/2"]));
        check(select(".q"), page, Ok(&[]));
        assert!(AnswerReading::html("a:hover").unwrap_err().contains("pseudo"));
        let rss = "<rss><channel><item><link>http://b.test/y</link></item></channel></rss>";
        check(AnswerReading::Feed, rss, Ok(&["http://b.test/y"]));
    }

    proptest! {
        #[test]
        fn any_answer_is_read_or_refused(body in "(\\PC|[\\[{}\\]\":,]){0,80}") {
            for reading in [
                AnswerReading::json("a", "b"),
                AnswerReading::json("", ""),
                AnswerReading::Feed,
                AnswerReading::AsItComes,
                AnswerReading::html("a").unwrap(),
            ] {
                let _ = reading.read(&capture(&body), 9);
            }
        }
    }
}
