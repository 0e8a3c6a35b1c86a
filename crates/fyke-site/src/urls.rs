//! The known URLs by reason and host, a page at a time, as `fyke urls` prints them.

use super::Site;
use super::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::Response;
use fyke_stages::urls::UrlFilter;
use fyke_store::Reason;
use std::sync::Arc;

/// URLs on a page.
const PAGE: usize = 50;
/// URLs that are listed of one reason: who wants more wants a file.
const LAST: usize = 5_000;
/// In a ledger of more URLs than this none are looked for while a reader waits.
const MOST_KNOWN: u64 = 1_000_000;

#[derive(Template)]
#[template(path = "urls.html")]
struct UrlsPage {
    site: PageFrame,
    /// As they were asked for.
    reason: String,
    host: String,
    /// What the reason means.
    meaning: String,
    trouble: String,
    reasons: Vec<&'static str>,
    urls: Vec<ListedUrl>,
    /// The numbers of the first URL shown and of the last, from 1.
    first: usize,
    last: usize,
    before: Option<usize>,
    after: Option<usize>,
    /// There are more than are listed here.
    is_cut: bool,
}

/// One URL of the list.
struct ListedUrl {
    url: String,
    reason: &'static str,
    detail: String,
    depth: u16,
}

pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    answer::page(site, move |site| page_of(site, &asked)).await
}

fn page_of(site: &Site, asked: &SearchRequest) -> Result<UrlsPage, RequestTrouble> {
    let [name, host] = ["reason", "host"].map(|key| asked.text(key).trim().to_owned());
    let reason = Reason::parse(&name);
    let start = asked.number("start").unwrap_or(0).min(LAST - PAGE) / PAGE * PAGE;
    let mut page = UrlsPage {
        site: PageFrame::of(site, ""),
        meaning: reason.map(|reason| reason.explain().to_owned()).unwrap_or_default(),
        reasons: Reason::ALL.iter().map(|reason| reason.name()).collect(),
        trouble: String::new(),
        urls: Vec::new(),
        first: start + 1,
        last: start,
        before: start.checked_sub(PAGE),
        after: None,
        is_cut: false,
        reason: name,
        host,
    };
    if reason.is_none() && !page.reason.is_empty() {
        page.trouble = format!("There is no reason called {:?}.", page.reason);
    } else if site.view().ledger.len() > MOST_KNOWN {
        page.trouble = "The ledger is too long to be looked through here.".to_owned();
        page.is_cut = true;
    } else {
        let host = Some(page.host.clone()).filter(|host| !host.is_empty());
        page.list(site, &UrlFilter { reason, host }, start)?;
    }
    Ok(page)
}

impl UrlsPage {
    fn list(
        &mut self,
        site: &Site,
        filter: &UrlFilter,
        start: usize,
    ) -> Result<(), RequestTrouble> {
        for row in filter.rows(site.view()).skip(start).take(PAGE + 1) {
            let (row, reason) = row?;
            let (url, reason, detail) = (row.url, reason.name(), row.detail);
            self.urls.push(ListedUrl { url, reason, detail, depth: row.depth });
        }
        if self.urls.len() > PAGE {
            self.urls.truncate(PAGE);
            let next = start + PAGE;
            (self.after, self.is_cut) = (Some(next).filter(|next| *next < LAST), next >= LAST);
        }
        self.last = start + self.urls.len();
        Ok(())
    }
}
