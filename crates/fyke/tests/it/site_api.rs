//! The API as it describes itself: every route answers what `/api/openapi.json` says it does.

use crate::browser::start;
use crate::client::{ask, get};
use crate::pond::small_collection;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// What a value must be, of the part of JSON Schema that the description uses.
pub struct Schema<'a> {
    pub whole: &'a Value,
}

impl Schema<'_> {
    pub fn check(&self, schema: &Value, value: &Value, place: &str) {
        if let Some(path) = schema["$ref"].as_str() {
            let named = self.whole.pointer(&path[1..]).unwrap_or_else(|| panic!("no {path}"));
            return self.check(named, value, place);
        }
        self.check_type(&schema["type"], value, place);
        let choices = schema["enum"].as_array();
        assert!(choices.is_none_or(|choices| choices.contains(value)), "{place}: {value}");
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(value.get(name.as_str().unwrap()).is_some(), "{place} has no {name}: {value}");
        }
        let properties = schema["properties"].as_object().filter(|_| value.is_object());
        for (name, schema) in properties.into_iter().flatten() {
            if let Some(value) = value.get(name) {
                self.check(schema, value, &format!("{place}.{name}"));
            }
        }
        for (place_in, value) in value.as_array().into_iter().flatten().enumerate() {
            let fixed = schema["prefixItems"].get(place_in);
            if let Some(schema) = fixed.or_else(|| schema.get("items")) {
                self.check(schema, value, &format!("{place}[{place_in}]"));
            }
        }
    }

    fn check_type(&self, types: &Value, value: &Value, place: &str) {
        let is = |name: &Value| match name.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "null" => value.is_null(),
            other => panic!("{place}: the checker does not know {other}"),
        };
        let fits = match types {
            Value::Null => true,
            Value::Array(types) => types.iter().any(is),
            one => is(one),
        };
        assert!(fits, "{place} is no {types}: {value}");
    }
}

/// A site of a collection, with its port.
pub fn site(collection: &Path) -> (crate::browser::Running, u16) {
    let mut fyke = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    fyke.arg("-C").arg(collection).args(["serve", "--bind", "127.0.0.1:0"]);
    start(&mut fyke, "stderr", "http://127.0.0.1:")
}

pub fn get_json(port: u16, path: &str) -> Value {
    serde_json::from_str(&get(port, path)).unwrap()
}

#[test]
fn every_answer_is_as_described() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let description = get_json(port, "/api/openapi.json");
    let schema = Schema { whole: &description };
    let found = get_json(port, "/api/v1/search?q=tidal+turbine");
    let (key, url) = (&found["hits"][0]["key"], &found["hits"][0]["url"]);
    let (key, url) = (key.as_str().unwrap(), url.as_str().unwrap());
    let asked = [
        ("/api/v1/search", "/api/v1/search?q=tidal+turbine&limit=3&explain=1&facets=1".to_owned()),
        ("/api/v1/search", format!("/api/v1/search?q={url}&diversity=0.5")),
        ("/api/v1/search", "/api/v1/search".to_owned()),
        ("/api/v1/suggest", "/api/v1/suggest?q=tid".to_owned()),
        ("/api/v1/similar", format!("/api/v1/similar?key={key}")),
        ("/api/v1/doc/{key}", format!("/api/v1/doc/{key}")),
        ("/api/v1/why", format!("/api/v1/why?url={url}")),
        ("/api/v1/corpus", "/api/v1/corpus".to_owned()),
        ("/api/v1/corpus/{part}", "/api/v1/corpus/laws".to_owned()),
        ("/api/v1/papers", "/api/v1/papers?q=tide&sort=newest".to_owned()),
        ("/api/v1/topics", "/api/v1/topics".to_owned()),
        ("/api/v1/crawl", "/api/v1/crawl".to_owned()),
        ("/api/v1/lab", "/api/v1/lab".to_owned()),
        ("/api/v1/lab/{part}", "/api/v1/lab/topics".to_owned()),
    ];
    for (path, request) in &asked {
        let answers = &description["paths"][path]["get"]["responses"]["200"]["content"];
        schema.check(&answers["application/json"]["schema"], &get_json(port, request), request);
    }
    // What streams is asked for by the tests of the dashboard, a paper by those of papers.
    let described = description["paths"].as_object().unwrap().keys();
    let unasked: Vec<_> =
        described.filter(|path| asked.iter().all(|(asked, _)| asked != path)).collect();
    assert_eq!(unasked, ["/api/v1/events", "/api/v1/papers/{key}"]);
}

#[test]
fn trouble_is_problem_json_as_described() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let description = get_json(port, "/api/openapi.json");
    let schema = Schema { whole: &description };
    let cases = [
        ("GET /api/v1/doc/none", 404),
        ("GET /api/v1/doc/0000000000000000", 404),
        ("GET /api/v1/why?url=mailto:x", 400),
        ("GET /api/v1/why?url=http://never.test/", 404),
        ("GET /api/v1/similar", 404),
        ("GET /api/v1/corpus/none", 404),
        ("GET /api/v1/papers/none", 404),
        ("GET /api/v1/papers/p0000000000000000", 404),
        ("GET /api/v1/lab/none", 404),
        ("GET /api/v1/events", 404),
        ("GET /api/v1/none", 404),
        ("DELETE /api/v1/search", 405),
    ];
    for (request, expected) in cases {
        let (status, body) = ask(port, &format!("{request} HTTP/1.1\r\nHost: localhost"), "");
        assert_eq!(status, expected, "{request}: {body}");
        let problem: Value = serde_json::from_str(&body).unwrap();
        schema.check(&json!({"$ref": "#/components/schemas/Problem"}), &problem, request);
        assert_eq!(problem["status"], expected, "{request}");
    }
}

#[test]
#[should_panic(expected = "hits[0].score is no")]
fn the_checker_notices_an_answer_that_is_otherwise() {
    let whole = json!({"S": {"type": "object", "required": ["hits"], "properties": {"hits":
        {"type": "array", "items": {"properties": {"score": {"type": ["number", "null"]}}}}}}});
    let schema = Schema { whole: &whole };
    let reference = json!({"$ref": "#/S"});
    schema.check(&reference, &json!({"hits": [{"score": null}, {"score": 1}, {}]}), "");
    schema.check(&reference, &json!({"hits": [{"score": "high"}]}), "");
}
