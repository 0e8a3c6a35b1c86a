//! Whose turn it is: so many requests are worked on at once, and of these so many search. The others wait,
//! but not for long: who would wait longer is told to come again.

use super::Site;
use super::answer::{self, RequestTrouble};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The longest wait for a turn.
const LONGEST_WAIT: Duration = Duration::from_millis(700);
/// When to come again, in seconds.
const LATER: HeaderValue = HeaderValue::from_static("2");

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many requests are worked on at once: more would only wait for each other, each with a thread and
/// its memory.
pub(crate) fn places() -> usize {
    const LEAST: usize = 16;
    const EACH: usize = 4;
    LEAST.max(EACH * cores())
}

/// How many of them search: a search keeps a core busy, and takes memory with the number of documents.
pub(crate) fn searches() -> usize {
    const LEAST: usize = 2;
    LEAST.max(cores())
}

/// Waits for a turn.
///
/// # Errors
/// `Busy` when others were before for too long.
pub(crate) async fn wait(turns: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, RequestTrouble> {
    let turn = Arc::clone(turns).acquire_owned();
    match tokio::time::timeout(LONGEST_WAIT, turn).await {
        Ok(turn) => Ok(turn?),
        Err(_) => {
            Err(RequestTrouble::Busy("too many ask at once; try again in a moment".to_owned()))
        }
    }
}

/// The same as [`answer::read`], for work that searches.
pub(crate) async fn search<T: Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T, RequestTrouble> + Send + 'static,
) -> Result<T, RequestTrouble> {
    let turn = wait(&site.searching).await?;
    answer::read(site, move |site| {
        // Held to the end, also when nobody waits for the answer any more.
        let _turn = turn;
        work(site)
    })
    .await
}

/// Says in an answer that cannot be given now when to come again.
pub(crate) fn later(mut response: Response) -> Response {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, LATER);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Service;
    use axum::extract::FromRef;
    use fyke_stages::config::Config;
    use fyke_store::{Collection, Reader};

    /// The site of an empty collection.
    fn site(root: &std::path::Path) -> Arc<Site> {
        std::fs::write(root.join("fyke.toml"), "").expect("settings");
        let collection = Collection::open(root).expect("a collection");
        let index = fyke_derive::index::open_index(&collection).expect("an index");
        index.writer().expect("a writer").commit("").expect("a commit");
        drop((index, collection));
        let reader = Reader::open(root).expect("a reader");
        let service = Service::of_reader(&Config::default(), reader).expect("a site");
        FromRef::from_ref(&service)
    }

    #[test]
    fn who_would_wait_long_for_a_search_is_told_when_to_come_again() {
        let root = tempfile::tempdir().expect("a folder");
        let site = site(root.path());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        let find = || runtime.block_on(search(&site, |_| Ok(())));
        let all = u32::try_from(searches()).expect("few");
        let busy = Arc::clone(&site.searching).try_acquire_many_owned(all).expect("all free");
        let told = find().expect_err("all turns are taken").answer();
        assert_eq!(told.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(told.headers().get(header::RETRY_AFTER), Some(&LATER));
        // What does not search is answered all the same.
        assert!(runtime.block_on(answer::read(&site, |_| Ok(()))).is_ok());
        drop(busy);
        assert!(find().is_ok());
        assert_eq!(site.searching.available_permits(), searches(), "the turn is given back");
    }
}
