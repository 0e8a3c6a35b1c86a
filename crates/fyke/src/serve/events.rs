//! Server-sent events: how the crawl stands, as one JSON object, a couple a second. It is made once
//! for all listeners, and only while there are some; a slow one misses events and nothing piles up.

use super::answer::{self, Trouble};
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
pub type News = watch::Receiver<Arc<str>>;

/// Starts to tell of the site's crawl.
pub fn tell(service: &Service, live: &Arc<Live>) -> News {
    let (told, news) = watch::channel(Arc::from(""));
    let (site, live) = (Arc::<Site>::from_ref(service), Arc::clone(live));
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_over = tokio::select! {
                _ = ticks.tick() => false,
                () = live.over() => true,
            };
            if live.is_listened_to()
                && let Ok(event) = answer::read(&site, event).await
            {
                told.send_replace(event);
            }
            if is_over {
                return;
            }
        }
    });
    news
}

fn event(site: &Site) -> Result<Arc<str>, Trouble> {
    Ok(Arc::from(serde_json::to_string(&snapshot(site)?)?))
}

pub async fn listen(
    State(site): State<Arc<Site>>,
    Extension(news): Extension<Option<News>>,
) -> Response {
    let (Some(live), Some(mut news)) = (&site.live, news) else {
        return Trouble::Missing("no crawl runs in this process".to_owned()).answer();
    };
    let Ok(place) = Arc::clone(&live.listeners).try_acquire_owned() else {
        return Trouble::Busy("too many pages listen already; close one".to_owned()).answer();
    };
    news.mark_unchanged();
    let events = stream::unfold((news, place), |(mut news, place)| async {
        news.changed().await.ok()?;
        let event = Event::default().data(&*news.borrow_and_update());
        Some((Ok::<_, Infallible>(event), (news, place)))
    });
    Sse::new(events).into_response()
}
