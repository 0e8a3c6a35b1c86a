//! The cached copy: what the page was when it was captured, with the query's words marked. The copy
//! is harmless by itself (see `fyke_web::copy`) and stands in a sandboxed frame on top of that.

use super::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use super::{Site, private};
use askama::Template;
use axum::extract::{Path, Query as Behind, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use fyke_derive::{ReadLimits, read_within};
use fyke_index::Query;
use fyke_stages::show::moment;
use fyke_store::Reason;
use fyke_web::escape::push_escaped;
use fyke_web::{Capture, UrlId};
use std::sync::Arc;

/// The copy may do nothing: no scripts, no pictures, no forms; one inline sheet of ours.
const POLICY: &str = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const SHEET: &str = "<!doctype html><meta charset=utf-8><meta name=viewport \
    content='width=device-width'><style>:root{color-scheme:light dark}\
    body{font:1rem/1.5 system-ui,sans-serif;margin:1rem;max-width:52rem;overflow-wrap:anywhere}\
    mark{background:#ffe9a8;color:#1d2326}@media(prefers-color-scheme:dark)\
    {body{background:#14191b;color:#e4e6e3}a{color:#7cc7e0}mark{background:#5d4d12;color:#fff3cf}}\
    table{border-collapse:collapse}td,th{padding:.2rem .6rem;border:1px solid #8884}\
    pre{white-space:pre-wrap}</style>";

#[derive(Template)]
#[template(path = "cached.html")]
struct CachedPage {
    site: PageFrame,
    key: String,
    url: String,
    captured: String,
    words: Vec<String>,
}

pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(key): Path<String>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    answer::page(site, move |site| {
        let capture = find(site, answer::id(&key)?)?;
        let asked = asked.text("q");
        let words = site.index().query(&asked).words().into_iter().map(str::to_owned).collect();
        let (url, captured) = (capture.url.as_str().to_owned(), moment(capture.time));
        Ok(CachedPage { site: PageFrame::of(site, &asked), key, url, captured, words })
    })
    .await
}

/// What stands in the frame.
pub(crate) async fn copy(
    State(site): State<Arc<Site>>,
    Path(key): Path<String>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    let work = move |site: &Site| {
        let query = site.index().query(&asked.text("q"));
        Ok(copy_of(&find(site, answer::id(&key)?)?, &query))
    };
    match answer::read(&site, work).await {
        Ok(text) => ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(text)).into_response(),
        Err(trouble) => trouble.page(&site),
    }
}

pub(crate) fn find(site: &Site, id: UrlId) -> Result<Capture, RequestTrouble> {
    private::check(site, id)?;
    let collection = site.view();
    let row = collection.ledger.get(id)?.filter(|row| row.reason != Reason::Unfinished);
    let place = row.and_then(|row| row.capture);
    let missing = || RequestTrouble::Missing("there is no captured copy of this page".to_owned());
    Ok(collection.captures.read(place.ok_or_else(missing)?)?)
}

fn copy_of(capture: &Capture, query: &Query) -> String {
    let mut mark = |text: &str, out: &mut String| {
        for fragment in fyke_index::mark(text, query) {
            if fragment.marked {
                out.push_str("<mark>");
            }
            push_escaped(&fragment.text, out);
            if fragment.marked {
                out.push_str("</mark>");
            }
        }
    };
    let page = read_within(capture, &ReadLimits::default(), fyke_formats::parse);
    let body = page.map(|page| fyke_web::copy(&page, &capture.url, &mut mark));
    format!("{SHEET}{}", body.unwrap_or_else(|why| format!("<p>{}</p>", why.judge().detail)))
}

#[cfg(test)]
mod tests {
    use super::copy_of;
    use fyke_web::{Capture, Url};

    fn check(html: &str, query: &str, there: &[&str], absent: &[&str]) {
        let capture = Capture {
            url: Url::parse("http://a.test/dir/").unwrap(),
            time: 0,
            status: 200,
            headers: vec![("Content-Type".into(), "text/html; charset=utf-8".into())],
            payload: html.as_bytes().to_vec(),
            truncated: None,
        };
        let copy = copy_of(&capture, &fyke_index::Query::parse(query));
        for text in there {
            assert!(copy.contains(text), "{text:?} not in {copy}");
        }
        for text in absent {
            assert!(!copy.contains(text), "{text:?} in {copy}");
        }
    }

    #[test]
    fn a_copy_marks_words_and_keeps_links() {
        let html =
            "<p>The <b>tide</b> turns &lt;twice&gt; <a href='../x?a=1&amp;b=2'>daily tides</a>";
        let link = "href=\"http://a.test/x?a=1&amp;b=2\"";
        check(html, "tide", &["<mark>tide</mark>", "&lt;twice&gt;", link], &["<twice"]);
    }

    #[test]
    fn a_copy_has_nothing_that_acts() {
        let html = "<script>alert(1)</script><img src=x onerror=alert(2)><p onclick=alert(3)>calm\
                    <form action=/steal><input name=q></form><iframe src=//evil.example></iframe>\
                    <a href='javascript:alert(4)'>press</a><style>p{}</style><base href=//evil.example>\
                    <svg onload=alert(5)><math><mi>x</mi></math>";
        let acts =
            ["alert", "onerror", "onclick", "<form", "<input", "<iframe", "<img", "evil", "<svg"];
        check(html, "", &["calm", "press"], &acts);
    }
}
