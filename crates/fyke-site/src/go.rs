//! Links of results while searches are logged: `/go/{search}/{rank}` counts the click and leads to
//! the URL that was shown there, and nowhere else. Works without scripts; a link whose search is
//! not known any more says so.

use super::Site;
use super::answer::RequestTrouble;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Where a link of a result leads, under its search in the log; straight to the page where there is
/// no log, or where a browser would not follow us (`file:`).
pub(crate) fn link(url: &str, search: Option<u64>, rank: usize) -> String {
    match search {
        Some(search) if is_web(url) => format!("/go/{search:016x}/{rank}"),
        _ => url.to_owned(),
    }
}

fn is_web(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// Whether a request is a person's: not a browser's guess of what comes next, not a part of another
/// page, not a look at the headers alone.
pub(crate) fn is_visit(method: &Method, headers: &HeaderMap) -> bool {
    let says = |name: &str, what: &str| {
        headers.get(name).is_some_and(|value| value.to_str().is_ok_and(|text| text.contains(what)))
    };
    let is_part = headers.contains_key("sec-fetch-dest") && !says("sec-fetch-dest", "document");
    method == Method::GET
        && !says("sec-purpose", "prefetch")
        && !says("purpose", "prefetch")
        && !is_part
}

pub(crate) async fn follow(
    State(site): State<Arc<Site>>,
    Path((search, rank)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let counts = is_visit(&method, &headers);
    let searches = site.searches.as_ref();
    let url = searches.and_then(|searches| searches.follow(&search, &rank, counts));
    let location = url.filter(|url| is_web(url)).and_then(|url| HeaderValue::try_from(url).ok());
    let Some(location) = location else {
        let what = "the search that this link belongs to is not known any more; search again";
        return RequestTrouble::Missing(what.to_owned()).page(&site);
    };
    // Not to be remembered: every click is one.
    let fresh = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (StatusCode::FOUND, [fresh, (header::LOCATION, location)]).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    #[test]
    fn only_web_pages_of_a_logged_search_are_linked_through_us() {
        let check = |url: &str, search, expected: &str| assert_eq!(link(url, search, 3), expected);
        check("http://a.test/", None, "http://a.test/");
        check("http://a.test/", Some(0xab), "/go/00000000000000ab/3");
        check("file:///a", Some(0xab), "file:///a");
        check("javascript:alert(1)", Some(0xab), "javascript:alert(1)");
    }

    #[test]
    fn prefetches_parts_and_heads_are_no_visits() {
        let check = |method: Method, pairs: &[(&'static str, &'static str)], expected: bool| {
            let pair = |&(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            let headers: HeaderMap = pairs.iter().map(pair).collect();
            assert_eq!(is_visit(&method, &headers), expected, "{method} {pairs:?}");
        };
        check(Method::GET, &[], true);
        check(Method::GET, &[("sec-fetch-dest", "document")], true);
        check(Method::HEAD, &[], false);
        check(Method::GET, &[("sec-fetch-dest", "image")], false);
        check(Method::GET, &[("sec-purpose", "prefetch;prerender")], false);
        check(Method::GET, &[("purpose", "prefetch")], false);
    }
}
