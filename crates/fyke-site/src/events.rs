//! Server-sent events: how the crawl stands, as one JSON object, a couple a second. It is made once
//! for all listeners, and only while there are some; a slow one misses events and nothing piles up.

use super::answer::{self, RequestTrouble};
use super::crawl::snapshot;
use super::{Live, Service, Site};
use axum::Extension;
use axum::extract::{FromRef, State};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

const EVERY: Duration = Duration::from_millis(500);

/// The latest event; ends with the crawl.
pub(crate) type LatestEvent = watch::Receiver<Arc<str>>;

/// Starts to tell of the crawl: that of this process until it ends, or one of another while pages listen.
pub(crate) fn tell(service: &Service) -> LatestEvent {
    let (told, news) = watch::channel(Arc::from(""));
    let (service, live) = (service.clone(), Arc::<Site>::from_ref(service).live.clone());
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_over = tokio::select! {
                _ = ticks.tick() => false,
                () = over(live.as_deref()) => true,
            };
            let site = Arc::<Site>::from_ref(&service);
            if site.is_listened_to()
                && let Ok(event) = answer::read(&site, event).await
            {
                told.send_replace(event);
            }
            if is_over || told.is_closed() {
                return;
            }
        }
    });
    news
}

/// Waits for the end of the crawl of this process; for ever where there is none.
async fn over(live: Option<&Live>) {
    match live {
        Some(live) => live.over().await,
        None => std::future::pending().await,
    }
}

fn event(site: &Site) -> Result<Arc<str>, RequestTrouble> {
    Ok(Arc::from(serde_json::to_string(&snapshot(site)?)?))
}

pub(crate) async fn listen(
    State(service): State<Service>,
    Extension(mut news): Extension<LatestEvent>,
) -> Response {
    let site = Arc::<Site>::from_ref(&service);
    if site.told().is_none() {
        return RequestTrouble::Missing("no crawl runs".to_owned()).answer();
    }
    let Ok(place) = Arc::clone(&site.listeners).try_acquire_owned() else {
        return RequestTrouble::Busy("too many pages listen already; close one".to_owned())
            .answer();
    };
    news.mark_unchanged();
    let events = stream::unfold((news, place, service), |(mut news, place, service)| async {
        news.changed().await.ok()?;
        // What the crawl tells is made from all documents, and there may be private ones since.
        if Arc::<Site>::from_ref(&service).hides_private() {
            return None;
        }
        let event = Event::default().data(&*news.borrow_and_update());
        Some((Ok::<_, Infallible>(event), (news, place, service)))
    });
    Sse::new(events).into_response()
}
