//! A site for others beside private documents (fetched with credentials): searches, documents and copies are there without
//! them, and nothing else is, since figures, suggestions and lists are made from all documents.

use super::answer::RequestTrouble;
use super::{Service, Site};
use axum::extract::{FromRef, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fyke_derive::kept;
use fyke_store::StoreError;
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
const OPEN_BELOW: &[&str] =
    &["/go/", "/document/", "/cached/", "/api/v1/doc/", fyke_crawl::push::CALLBACKS];

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
    match is_kept_back(site, id)? {
        true => Err(RequestTrouble::Missing("there is no such document".to_owned())),
        false => Ok(()),
    }
}

/// Whether a document is private, and kept from who asks.
pub(crate) fn is_kept_back(site: &Site, id: UrlId) -> Result<bool, StoreError> {
    Ok(site.hides_private() && is_private(site, id)?)
}

/// Whether a document is private.
pub(crate) fn is_private(site: &Site, id: UrlId) -> Result<bool, StoreError> {
    let row = site.view().ledger.get(id)?;
    kept::is_private(row.is_some_and(|row| row.private), &site.view().cells(), id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_derive::page::private::PRIVATE;
    use fyke_stages::config::Config;
    use fyke_store::{Collection, Reader};

    #[test]
    fn a_document_is_kept_back_by_its_cell_where_its_row_says_nothing() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::write(root.path().join("fyke.toml"), "").expect("settings");
        let collection = Collection::open(root.path()).expect("a collection");
        collection.expect_private().expect("a mark");
        let mut batch = collection.cells.batch(0);
        batch.put(&PRIVATE, UrlId(7), &true);
        collection.cells.publish(batch).expect("a cell");
        let index = fyke_derive::index::open_index(&collection).expect("an index");
        index.writer().expect("a writer").commit("").expect("a commit");
        drop((index, collection));
        let checked = |is_for_others: bool, id: u64, expected: bool| {
            let reader = Reader::open(root.path()).expect("a reader");
            let service = Service::of_reader(&Config::default(), reader).expect("a site");
            let service = service.with(|common| {
                common.is_for_others = is_for_others;
                Ok(())
            });
            let site = Arc::<Site>::from_ref(&service.expect("a site"));
            assert_eq!(is_kept_back(&site, UrlId(id)).expect("cells"), expected, "{id}");
            assert_eq!(check(&site, UrlId(id)).is_err(), expected, "{id}");
        };
        checked(true, 7, true);
        checked(true, 8, false);
        checked(false, 7, false);
    }

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
