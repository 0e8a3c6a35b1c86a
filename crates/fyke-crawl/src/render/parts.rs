//! What a page's scripts ask for: what of it is refused at once, what is known already, and what goes to the crawl.

use super::devtools::EventSaid;
use super::{RenderOptions, is_part_host};
use crate::control::lock;
use crate::credentials::Credentials;
use fyke_web::{Capture, Url};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// Bytes of scripts that are kept, as every page of a host asks for the same.
const CACHED: usize = 32 << 20;

/// One request of a page's scripts, for the crawl to ask.
#[derive(Debug)]
pub(crate) struct PartAsked {
    pub(crate) url: Url,
    /// Who waits for the answer; without one the part is refused.
    pub(crate) reply: oneshot::Sender<PartAnswer>,
}

/// What came of it.
pub(crate) type PartAnswer = Result<Box<Capture>, String>;

/// What is done about a request of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PartVerdict {
    /// It is the page itself.
    Page,
    /// It never reaches the network: data in the page.
    Inside,
    /// Nothing is asked, and nothing comes: a style sheet.
    Empty,
    /// The page goes elsewhere: it stays, and where it leads is noted.
    Leads(Url),
    Refused,
    Ask(Url),
}

/// A request as the browser tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BrowserRequest<'a> {
    pub(super) url: &'a str,
    pub(super) method: &'a str,
    /// As the browser names them: "Document", "Script", "XHR".
    pub(super) kind: &'a str,
    /// Of the page's own frame.
    pub(super) is_main: bool,
    /// In advance, for what may be wanted later.
    pub(super) is_early: bool,
}

impl<'a> BrowserRequest<'a> {
    /// What an event says of a request; `frame` is the page's own.
    pub(super) fn of(said: &'a EventSaid, frame: &str) -> BrowserRequest<'a> {
        BrowserRequest {
            url: &said.request.url,
            method: &said.request.method,
            kind: &said.resource_type,
            is_main: said.frame_id == frame,
            is_early: said.request.headers.are_early(),
        }
    }
}

/// By what the requests of a page are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartRules<'a> {
    pub(super) options: &'a RenderOptions,
    pub(super) credentials: &'a Credentials,
    pub(super) page: &'a Url,
}

/// What to do about a request of a page. `is_given`: the page itself was asked for before.
pub(super) fn judge_part(
    rules: PartRules<'_>,
    asked: BrowserRequest<'_>,
    is_given: bool,
) -> PartVerdict {
    let PartRules { options, credentials, page } = rules;
    let BrowserRequest { url, method, kind, is_main, is_early } = asked;
    if url.starts_with("data:") || url.starts_with("blob:") {
        return PartVerdict::Inside;
    }
    if method != "GET" || !is_main || is_early {
        return PartVerdict::Refused;
    }
    if kind == "Document" && !is_given {
        return PartVerdict::Page;
    }
    let Ok(url) = Url::parse(url) else { return PartVerdict::Refused };
    if kind == "Document" {
        return PartVerdict::Leads(url);
    }
    // What a host gives to an account is private, and the page of another host is not.
    let is_private = credentials.are_for(&url) && url.authority() != page.authority();
    if is_private || !is_part_host(options, page, &url) {
        return PartVerdict::Refused;
    }
    match kind {
        "Stylesheet" => PartVerdict::Empty,
        "Script" | "XHR" | "Fetch" => PartVerdict::Ask(url),
        _ => PartVerdict::Refused,
    }
}

/// Scripts that were asked for in this run.
#[derive(Debug, Default)]
pub(crate) struct PartCache {
    kept: Mutex<KeptParts>,
}

#[derive(Debug, Default)]
struct KeptParts {
    parts: HashMap<String, Arc<Capture>>,
    bytes: usize,
}

impl PartCache {
    pub(super) fn get(&self, url: &Url) -> Option<Arc<Capture>> {
        lock(&self.kept).parts.get(url.as_str()).cloned()
    }

    /// Keeps a script that may be kept. When there is no more room, all are let go.
    pub(super) fn keep(&self, capture: &Capture) {
        let says_no = |value: &str| value.to_ascii_lowercase().contains("no-store");
        let is_whole = capture.status == 200 && capture.truncated.is_none();
        let size = capture.payload.len() + 1024;
        if !is_whole || size > CACHED / 8 || capture.header_values("cache-control").any(says_no) {
            return;
        }
        let mut kept = lock(&self.kept);
        if kept.bytes + size > CACHED {
            *kept = KeptParts::default();
        }
        let url = capture.url.as_str().to_owned();
        if kept.parts.insert(url, Arc::new(capture.clone())).is_none() {
            kept.bytes += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credentials::HostAccount;

    fn check(asked: (&str, &str, &str), expected: &str) {
        let (method, kind, url) = asked;
        let options =
            RenderOptions { part_hosts: vec!["cdn.test".to_owned()], ..RenderOptions::default() };
        let mut credentials = Credentials::default();
        for host in ["a.test", "private.a.test"] {
            credentials.add(host, HostAccount::Cookies(Vec::new()));
        }
        let page = Url::parse("http://a.test/").unwrap();
        let rules = PartRules { options: &options, credentials: &credentials, page: &page };
        let asked = BrowserRequest { url, method, kind, is_main: true, is_early: false };
        let verdict = judge_part(rules, asked, true);
        let words = format!("{verdict:?}");
        assert!(words.starts_with(expected), "{asked:?}: {words}");
        for asked in [
            BrowserRequest { is_main: false, ..asked },
            BrowserRequest { is_early: true, ..asked },
            BrowserRequest { method: "HEAD", ..asked },
        ] {
            let verdict = judge_part(rules, asked, true);
            assert!(matches!(verdict, PartVerdict::Refused | PartVerdict::Inside), "{asked:?}");
        }
    }

    #[test]
    fn only_scripts_and_data_of_the_page_and_of_named_hosts_are_asked_for() {
        check(("GET", "Script", "http://a.test/app.js"), "Ask");
        check(("GET", "XHR", "http://api.a.test/items"), "Ask");
        check(("GET", "Fetch", "http://cdn.test/items"), "Ask");
        check(("GET", "Fetch", "http://b.test/items"), "Refused");
        check(("GET", "Script", "http://private.a.test/app.js"), "Refused");
        check(("POST", "Fetch", "http://a.test/items"), "Refused");
        check(("OPTIONS", "Preflight", "http://a.test/items"), "Refused");
        check(("GET", "Document", "http://a.test/other"), "Leads");
        check(("GET", "Stylesheet", "http://a.test/a.css"), "Empty");
        for kind in ["Image", "Media", "Font", "WebSocket", "EventSource", "Ping", "Manifest"] {
            check(("GET", kind, "http://a.test/x"), "Refused");
        }
        check(("GET", "Script", "data:text/javascript,1"), "Inside");
        check(("GET", "Script", "file:///etc/passwd"), "Refused");
        check(("GET", "Script", "chrome://version"), "Refused");
    }

    #[test]
    fn scripts_are_kept_within_bounds() {
        let cache = PartCache::default();
        let script = |path: &str, bytes: usize, control: &str| Capture {
            url: Url::parse(&format!("http://a.test/{path}")).unwrap(),
            time: 0,
            status: 200,
            headers: vec![("Cache-Control".into(), control.into())],
            payload: vec![b' '; bytes],
            truncated: None,
        };
        let has = |path: &str| cache.get(&script(path, 0, "").url).is_some();
        cache.keep(&script("large", CACHED / 8, ""));
        cache.keep(&script("private", 5, "private, no-store"));
        assert!(!has("large") && !has("private"));
        for n in 0..20 {
            cache.keep(&script(&n.to_string(), CACHED / 9, "max-age=60"));
            assert!(lock(&cache.kept).bytes <= CACHED);
        }
        assert!(has("19") && !has("0"));
    }
}
