//! The search site: pages rendered here, working without scripts, and the same answers as JSON.
//! Loopback by default, nothing from outside on a page, everything escaped by askama. Read-only but
//! for orders to a crawl that runs in this process, judgements, keywords of topics, and the log of
//! searches where one is kept.
#![warn(unreachable_pub)]

mod answer;
mod api;
mod bars;
mod beside;
mod cached;
mod changes;
mod collect;
mod corpus;
mod crawl;
mod document;
mod events;
mod facets;
mod filters;
mod go;
mod guard;
mod guests;
mod intake;
mod lab;
mod listing;
mod live;
mod orders;
mod paging;
mod papers;
mod private;
mod rates;
mod rss;
mod saved;
mod search;
mod similar;
mod site;
mod stalling;
mod suggest;
mod told;
mod topics;
mod turns;
mod typed;
mod urls;
mod why;

pub use answer::sheet;
pub use beside::Announced;
pub use live::Live;
pub use private::PrivateShown;
pub use site::Service;

pub(crate) use site::Site;

use anyhow::{Context, Result};
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use axum::{Extension, Router};
use intake::ConnectionLimits;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// Bytes of the longest order.
const LONGEST_ORDER: usize = 4_096;

/// A route: where it is and what it answers, so that the list of routes can be read in one place.
fn routes(service: &Service) -> Router {
    let news = events::tell(service);
    let api = api::ROUTES.iter().fold(Router::new(), |all, (path, at)| all.route(path, at()));
    Router::new()
        .route("/", get(search::home))
        .route("/search", get(search::results))
        .route("/search.rss", get(rss::feed))
        .route("/suggest", get(suggest::suggest))
        .route("/go/{search}/{rank}", get(go::follow))
        .route("/document/{key}", get(document::page))
        .route("/cached/{key}", get(cached::page))
        .route("/cached/{key}/copy", get(cached::copy))
        .route("/similar/{key}", get(similar::page))
        .route("/similar/{key}/{other}", get(similar::compared))
        .route("/why", get(why::page))
        .route("/urls", get(urls::page))
        .route("/corpus", get(corpus::page))
        .route("/corpus/{plot}", get(corpus::plot))
        .route("/crawl", get(crawl::page))
        .route("/collect", get(collect::page))
        .route("/crawl/{order}", post(orders::take))
        .merge(papers::routes())
        .merge(topics::routes())
        .merge(lab::routes())
        .merge(api)
        .route("/api/openapi.json", get(api::openapi::description))
        .route("/style.css", get(answer::style))
        .route("/site.js", get(answer::site_script))
        .route("/crawl.js", get(answer::crawl_script))
        .route("/lab.js", get(answer::lab_script))
        .route("/icon.svg", get(answer::icon))
        .route("/opensearch.xml", get(answer::opensearch))
        .route("/robots.txt", get(|| async { "User-agent: *\nDisallow: /\n" }))
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(answer::missing)
        .method_not_allowed_fallback(answer::refused)
        .layer(DefaultBodyLimit::max(LONGEST_ORDER))
        .layer(Extension(news))
        .with_state(service.clone())
}

/// Takes the address; fails before anything is promised to the user.
///
/// # Errors
/// When the address is taken or not ours.
pub async fn listen(bind: SocketAddr) -> Result<TcpListener> {
    let listener = TcpListener::bind(bind).await;
    listener.with_context(|| {
        format!("could not listen on {bind}; choose another one, as 127.0.0.1:8000")
    })
}

/// Serves until `stop` is done.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    service: Service,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let loopback = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
    let service = service.with(|common| {
        common.is_for_others = common.private.hides(loopback);
        common.lab.admit(loopback)
    })?;
    service.follow();
    let guard = middleware::from_fn_with_state(loopback, guard::guard);
    let private = middleware::from_fn_with_state(service.clone(), private::keep);
    let router = routes(&service).layer(private).layer(guard);
    intake::serve(listener, router, ConnectionLimits::of_process(), stop).await;
    Ok(())
}
