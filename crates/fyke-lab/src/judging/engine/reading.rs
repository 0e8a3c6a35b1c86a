//! Results of other people's engines: JSON by pointers (RFC 6901), Atom and RSS as feeds are read.

use fyke_web::{Capture, Url, sitemap};
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
}

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
            AnswerReading::Feed => {
                let entries = sitemap::parse(&body, &capture.url, most).urls;
                Ok(entries.into_iter().map(|entry| entry.url.as_str().to_owned()).collect())
            }
            AnswerReading::Json { items, id } => read_json(&body, items, id, most),
        }
    }
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
        let rss = "<rss><channel><item><link>http://b.test/y</link></item></channel></rss>";
        check(AnswerReading::Feed, rss, Ok(&["http://b.test/y"]));
    }

    proptest! {
        #[test]
        fn any_answer_is_read_or_refused(body in "(\\PC|[\\[{}\\]\":,]){0,80}") {
            for reading in [AnswerReading::json("a", "b"), AnswerReading::json("", ""), AnswerReading::Feed] {
                let _ = reading.read(&capture(&body), 9);
            }
        }
    }
}
