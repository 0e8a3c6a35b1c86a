//! Callbacks of hubs (W3C WebSub): `/push/FEED/TOKEN`, a path for each subscription that only its hub was told. A hub asks
//! there whether a subscription was meant, and brings what is new; that is put into the inbox of the collection, from
//! which whoever crawls takes it. Whatever comes without the token is answered as if nothing were there, before its body
//! is read; what comes without the hub's signature is thanked for and left out, as the standard says.

use super::Site;
use super::answer::{self, RequestTrouble};
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Query as Behind, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fyke_crawl::push::{IntentAnswer, is_signed, is_token, judge_intent};
use fyke_stages::show;
use fyke_store::{PushFolder, PushMessage, PushNews, Subscription};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Bytes of the longest message, where `fetch.max_bytes` is not less, and the time for it to come.
const LONGEST: u64 = 8 << 20;
const TIME: Duration = Duration::from_secs(20);
/// Messages that may be on their way at once.
const AT_ONCE: usize = 4;
/// Messages of one feed in a minute.
const MOST_A_MINUTE: u32 = 60;
const MINUTE: i64 = 60_000;
/// Longest media type that is kept.
const MOST_MEDIA: usize = 200;
/// When a hub is to come again that was turned away, in seconds.
const LATER: &str = "60";

/// What keeps hubs from flooding the site.
#[derive(Debug)]
pub(crate) struct HubLimits {
    bodies: Arc<Semaphore>,
    /// By feed: a minute, and what came in it.
    counted: Mutex<HashMap<u64, (i64, u32)>>,
}

impl Default for HubLimits {
    fn default() -> HubLimits {
        HubLimits { bodies: Arc::new(Semaphore::new(AT_ONCE)), counted: Mutex::default() }
    }
}

impl HubLimits {
    /// Counts a message of a feed at a time; false when it is one too many. Feeds that are not subscribed to never come
    /// here, so that no more are counted than there are.
    fn admits(&self, feed: UrlId, now: i64) -> bool {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let (minute, count) = counted.entry(feed.0).or_default();
        if *minute != now / MINUTE {
            (*minute, *count) = (now / MINUTE, 0);
        }
        *count += 1;
        *count <= MOST_A_MINUTE
    }
}

/// A subscription that a callback is for.
struct CalledBack {
    id: UrlId,
    held: Subscription,
}

impl CalledBack {
    fn message(self, news: PushNews, body: Vec<u8>) -> Result<PushMessage, RequestTrouble> {
        let domain = Url::parse(&self.held.feed)?.domain_hash();
        let (feed, token, time) = (self.id.0, self.held.token, show::now());
        Ok(PushMessage { feed, domain, token, time, news, body })
    }
}

/// The subscription of a path, if there is one with that token.
fn called(site: &Site, key: &str, token: &str) -> Result<CalledBack, RequestTrouble> {
    let missing = || RequestTrouble::Missing("there is nothing here".to_owned());
    let id = answer::id(key).map_err(|_| missing())?;
    let held = PushFolder::of(site.view().root()).subscription(id)?;
    let held = held.filter(|held| is_token(held, token)).ok_or_else(missing)?;
    Ok(CalledBack { id, held })
}

/// Puts a message where it waits for the crawl.
fn put(site: &Site, message: &PushMessage) -> Result<(), RequestTrouble> {
    match PushFolder::of(site.view().root()).put(message)? {
        true => Ok(()),
        false => {
            Err(RequestTrouble::Busy("too much waits to be taken in; come again later".to_owned()))
        }
    }
}

/// A hub asks whether a subscription was meant, or says that it will not tell.
pub(crate) async fn confirm(
    State(site): State<Arc<Site>>,
    Path((key, token)): Path<(String, String)>,
    Behind(fields): Behind<Vec<(String, String)>>,
) -> Response {
    let told = answer::read(&site, move |site| {
        let called = called(site, &key, &token)?;
        if !site.hubs.admits(called.id, show::now()) {
            return Err(RequestTrouble::Busy("too many questions in a minute".to_owned()));
        }
        let (echo, news) = match judge_intent(&called.held, &fields, show::now()) {
            IntentAnswer::Echo(challenge, news) => (challenge, news),
            IntentAnswer::Heard(news) => (String::new(), news),
            IntentAnswer::Unmeant => {
                return Err(RequestTrouble::Missing("that was not asked for".to_owned()));
            }
        };
        put(site, &called.message(news, Vec::new())?)?;
        Ok(echo)
    });
    match told.await {
        Ok(echo) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], echo).into_response(),
        Err(trouble) => later(trouble),
    }
}

/// A hub brings what is new.
pub(crate) async fn take(
    State(site): State<Arc<Site>>,
    Path((key, token)): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let called = match answer::read(&site, move |site| called(site, &key, &token)).await {
        Ok(called) => called,
        Err(trouble) => return later(trouble),
    };
    if !site.hubs.admits(called.id, show::now()) {
        return later(RequestTrouble::Busy("too many messages in a minute".to_owned()));
    }
    let Ok(_place) = Arc::clone(&site.hubs.bodies).try_acquire_owned() else {
        return later(RequestTrouble::Busy("too many messages at once".to_owned()));
    };
    let longest = usize::try_from(site.config.fetch.max_bytes.min(LONGEST)).unwrap_or(usize::MAX);
    let body = match tokio::time::timeout(TIME, to_bytes(body, longest)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let signature = text("x-hub-signature").unwrap_or_default();
    if !is_signed(&called.held.secret, signature, &body) {
        tracing::warn!(feed = called.held.feed, "a message for a feed is not signed by its hub");
        return StatusCode::ACCEPTED.into_response();
    }
    let media = text("content-type").unwrap_or_default();
    let news = PushNews::content(&media[..media.floor_char_boundary(MOST_MEDIA)], &body);
    let taken = answer::read(&site, move |site| put(site, &called.message(news, body.to_vec())?));
    taken.await.map_or_else(later, |()| StatusCode::ACCEPTED.into_response())
}

/// A trouble; where a hub may come again, with the time.
fn later(trouble: RequestTrouble) -> Response {
    let mut answer = trouble.answer();
    if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(LATER));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_may_bring_so_many_messages_in_a_minute() {
        let limits = HubLimits::default();
        let most = MOST_A_MINUTE as usize;
        let admitted =
            |feed, now| (0..most + 9).filter(|_| limits.admits(UrlId(feed), now)).count();
        assert_eq!(admitted(1, MINUTE), most);
        assert_eq!(admitted(2, MINUTE), most, "another feed is not held back");
        assert_eq!(admitted(1, 2 * MINUTE), most);
    }
}
