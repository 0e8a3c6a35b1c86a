//! A site for others beside private documents (fetched with credentials): searches, documents and copies are there without
//! them, and nothing else is, since figures, suggestions and lists are made from all documents.

use super::answer::RequestTrouble;
use super::{Service, Site};
use axum::extract::{FromRef, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fyke_web::UrlId;
use std::sync::Arc;

/// To whom private documents are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrivateShown {
    /// To who runs the collection: on loopback.
    #[default]
    OnLoopback,
    Everywhere,
    Nowhere,
}

impl PrivateShown {
    /// Whether a site keeps them back.
    pub(crate) fn hides(self, loopback: bool) -> bool {
        match self {
            PrivateShown::OnLoopback => !loopback,
            PrivateShown::Everywhere => false,
            PrivateShown::Nowhere => true,
        }
    }
}

/// What is served all the same: paths, and what paths begin with.
const OPEN: &[&str] = &[
    "/",
    "/search",
    "/search.rss",
    "/api/v1/search",
    "/api/openapi.json",
    "/style.css",
    "/site.js",
    "/icon.svg",
    "/opensearch.xml",
    "/robots.txt",
    "/healthz",
];
const OPEN_BELOW: &[&str] = &["/go/", "/document/", "/cached/", "/api/v1/doc/"];

fn is_open(path: &str) -> bool {
    OPEN.contains(&path) || OPEN_BELOW.iter().any(|start| path.starts_with(start))
}

/// Refuses what is made from private documents, too, where there are some and they are kept back.
pub(crate) async fn keep(State(service): State<Service>, request: Request, next: Next) -> Response {
    let site = Arc::<Site>::from_ref(&service);
    if is_open(request.uri().path()) || !site.hides_private() {
        return next.run(request).await;
    }
    let what = "this collection has private documents, and this page is made from all of them; \
                who runs the site sees it on loopback";
    RequestTrouble::Forbidden(what.to_owned()).page(&site).into_response()
}

/// Refuses a document that is kept back, as if it were not there.
pub(crate) fn check(site: &Site, id: UrlId) -> Result<(), RequestTrouble> {
    let is_private = || site.view().ledger.get(id).map(|row| row.is_some_and(|row| row.private));
    match site.hides_private() && is_private()? {
        true => Err(RequestTrouble::Missing("there is no such document".to_owned())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_from_all_documents_is_not_open() {
        for path in ["/", "/search", "/document/0123", "/cached/0123/copy", "/api/v1/search"] {
            assert!(is_open(path), "{path}");
        }
        let closed = "/why /urls /corpus /crawl /suggest /similar/0 /papers /topics /lab \
            /api/v1/why /api/v1/suggest /api/v1/events /document /searches /api/v1/similar";
        for path in closed.split(' ') {
            assert!(!is_open(path), "{path}");
        }
        use PrivateShown::{Everywhere, Nowhere, OnLoopback};
        let hides =
            [OnLoopback, Everywhere, Nowhere].map(|shown| [shown.hides(true), shown.hides(false)]);
        assert_eq!(hides, [[false, true], [false, false], [true, true]]);
    }
}
