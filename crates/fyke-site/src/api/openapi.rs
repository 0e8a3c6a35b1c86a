//! The description of the API (OpenAPI 3.1), written by hand and held to the routes by a test.

use axum::http::header;
use axum::response::IntoResponse;

const DESCRIPTION: &str = include_str!("../../templates/openapi.json");

pub(crate) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION)
}

#[cfg(test)]
mod tests {
    use super::super::ROUTES;
    use super::DESCRIPTION;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn description() -> Value {
        serde_json::from_str(DESCRIPTION).unwrap()
    }

    #[test]
    fn every_route_is_described_and_nothing_else_is() {
        let description = description();
        let described: BTreeSet<&str> =
            description["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(described, ROUTES.iter().map(|(path, _)| *path).collect());
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn check(whole: &Value, part: &Value) {
            if let Some(Value::String(path)) = part.get("$ref") {
                let found = path.strip_prefix('#').and_then(|path| whole.pointer(path));
                assert!(found.is_some(), "{path} leads nowhere");
            }
            let inner = part.as_object().into_iter().flat_map(|object| object.values());
            let items = part.as_array().into_iter().flatten();
            inner.chain(items).for_each(|part| check(whole, part));
        }
        let description = description();
        check(&description, &description);
    }

    #[test]
    fn every_operation_has_a_name_and_its_parameters() {
        let description = description();
        let mut names = BTreeSet::new();
        for (path, item) in description["paths"].as_object().unwrap() {
            let get = &item["get"];
            assert!(names.insert(get["operationId"].as_str().unwrap().to_owned()), "{path}");
            assert!(get["responses"]["200"].is_object() && get["summary"].is_string(), "{path}");
            let parameters = get["parameters"].as_array().into_iter().flatten();
            let in_path = parameters.filter(|parameter| parameter["in"] == "path");
            let in_path: Vec<_> = in_path.map(|parameter| parameter["name"].as_str()).collect();
            let braced = path.split('{').skip(1).map(|rest| rest.split('}').next());
            assert_eq!(in_path, braced.collect::<Vec<_>>(), "{path}");
        }
    }
}
