//! One page in the browser: it is given its source, its requests are answered, and when it has come to rest, what it shows
//! is taken.

use super::RenderOptions;
use super::devtools::{BrowserWord, DevTools, EventSaid, RenderTrouble, TextSaid};
use super::parts::{
    BrowserRequest, PartAnswer, PartAsked, PartCache, PartRules, PartVerdict, judge_part,
};
use crate::credentials::Credentials;
use data_encoding::BASE64;
use fyke_store::{RenderEnd, Rendering};
use fyke_web::{Capture, Url};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Run before any script of a page.
const CLOSED: &str = include_str!("closed.js");
/// Run when a page has come to rest.
const SNAPSHOT: &str = include_str!("snapshot.js");
/// Begins what that script gives, where it is not the whole page.
const CUT: &str = "cut:";
/// A proxy that does not exist: what is not intercepted ends there. Port 9 discards.
const NO_PROXY: &str = "http://127.0.0.1:9";
/// What a page may do beside showing itself: run scripts, and ask as its own host.
const POLICY: &str = "sandbox allow-scripts allow-same-origin; worker-src 'none'; frame-src 'none'; \
                      object-src 'none'; form-action 'none'; img-src data: blob:; media-src 'none'; \
                      font-src data:; connect-src http: https: data: blob:; webrtc 'block'";
/// Time that passes in the page while nothing is under way: what its timers bring within it is waited for.
const PAGE_TIME: u64 = 5_000;
/// For the last words to the browser, beyond the time of the page.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// Whatever the settings say.
const LONGEST: Duration = Duration::from_secs(3600);
/// Requests of one page at once.
const AT_ONCE: usize = 6;
/// Requests beyond those that are asked for, which are refused one by one, before the page is given up.
const MOST_REFUSED: u16 = 5_000;
/// Headers of an answer that are not passed on: of its encoding, which is off, and those by which a browser would speak to others.
const LEFT_OUT: [&str; 14] = [
    "clear-site-data",
    "content-disposition",
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "connection",
    "set-cookie",
    "nel",
    "report-to",
    "reporting-endpoints",
    "content-security-policy-report-only",
    "alt-svc",
    "refresh",
    "link",
];

/// One visit of the browser to a page.
pub(super) struct PageVisit<'a> {
    options: &'a RenderOptions,
    credentials: &'a Credentials,
    capture: &'a Capture,
    parts: UnboundedSender<PartAsked>,
    cache: &'a PartCache,
}

/// What a page shows.
#[derive(Debug, PartialEq, Eq)]
struct SeenPage {
    markup: String,
    /// There is more of it.
    is_cut: bool,
}

/// What is under way for a page.
#[derive(Default)]
struct PageRequests {
    /// Those asked for, with what the browser calls them.
    under_way: JoinSet<(String, PartAnswer)>,
    /// Those that wait for one of these to end.
    waiting: Vec<(String, Url)>,
    is_given: bool,
    /// Where its scripts wanted to go first.
    leads_to: Option<Url>,
    bytes: usize,
    asked: u16,
    refused: u16,
}

impl<'a> PageVisit<'a> {
    pub(super) fn new(
        (options, credentials): (&'a RenderOptions, &'a Credentials),
        capture: &'a Capture,
        parts: UnboundedSender<PartAsked>,
        cache: &'a PartCache,
    ) -> PageVisit<'a> {
        PageVisit { options, credentials, capture, parts, cache }
    }

    /// Renders the page, and says in `rendering` how it went.
    pub(super) async fn run(&self, rendering: &mut Rendering) -> Result<Capture, RenderTrouble> {
        let time_up = Instant::now() + self.options.time.min(LONGEST);
        let until = time_up + self.options.time.min(LAST_WORDS);
        let mut browser =
            DevTools::open(&self.options.browser, until, self.options.max_bytes).await?;
        let context = json!({
            "disposeOnDetach": true, "proxyServer": NO_PROXY, "proxyBypassList": "<-loopback>",
        });
        let context = browser.ask("Target.createBrowserContext", context).await?.browser_context_id;
        let mut requests = PageRequests::default();
        let ended = self.visit(&mut browser, &context, &mut requests, time_up).await;
        (rendering.asked, rendering.refused) = (requests.asked, requests.refused);
        // The context would go with the connection, too.
        browser.session.clear();
        let dispose = json!({ "browserContextId": context });
        let _ = browser.say("Target.disposeBrowserContext", dispose).await;
        let (seen, end) = ended?;
        rendering.end = end;
        let cut = seen.is_cut.then(|| "length".to_owned());
        let cut = cut.or_else(|| (end == RenderEnd::TimeUp).then(|| "time".to_owned()));
        Ok(self.capture.rendered(seen.markup.into_bytes(), cut))
    }

    async fn visit(
        &self,
        browser: &mut DevTools,
        context: &str,
        requests: &mut PageRequests,
        time_up: Instant,
    ) -> Result<(SeenPage, RenderEnd), RenderTrouble> {
        let deny = json!({ "behavior": "deny", "browserContextId": context });
        browser.ask("Browser.setDownloadBehavior", deny).await?;
        let blank = json!({ "url": "about:blank", "browserContextId": context });
        let target = browser.ask("Target.createTarget", blank).await?.target_id;
        let attach = json!({ "targetId": target, "flatten": true });
        browser.session = browser.ask("Target.attachToTarget", attach).await?.session_id;
        browser.ask("Page.enable", json!({})).await?;
        let all = json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] });
        browser.ask("Fetch.enable", all).await?;
        // Whatever the page opens beside itself is held before it begins, for ever.
        let held = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        browser.ask("Target.setAutoAttach", held).await?;
        let closed = json!({ "source": CLOSED });
        browser.ask("Page.addScriptToEvaluateOnNewDocument", closed).await?;
        browser.say("Page.navigate", json!({ "url": self.capture.url.as_str() })).await?;
        let end = self.settle(browser, &target, requests, time_up).await?;
        let seen = self.look(browser, &target, requests.leads_to.as_ref()).await?;
        Ok((seen, end))
    }

    /// Answers the page's requests until it has come to rest, or its time is up.
    async fn settle(
        &self,
        browser: &mut DevTools,
        frame: &str,
        requests: &mut PageRequests,
        time_up: Instant,
    ) -> Result<RenderEnd, RenderTrouble> {
        let mut clock = PageClock::default();
        loop {
            tokio::select! {
                word = browser.next() => {
                    let word = word?;
                    if word.session_id != browser.session {
                        continue;
                    }
                    match word.method.as_str() {
                        "Fetch.requestPaused" => {
                            self.paused(browser, frame, requests, word.params).await?;
                            // From when the page is there, its own time passes only while nothing is under way.
                            if requests.is_given && clock.word.is_none() {
                                clock.wind(browser).await?;
                            }
                        }
                        "Emulation.virtualTimeBudgetExpired" if requests.are_done() => {
                            return Ok(RenderEnd::Settled);
                        }
                        // The page gave up a request that is still on its way.
                        "Emulation.virtualTimeBudgetExpired" => clock.has_stopped = true,
                        "Inspector.targetCrashed" => {
                            return Err(RenderTrouble::new(RenderEnd::Stuck, "the page crashed"));
                        }
                        _ => refusal(&word, clock.word)?,
                    }
                }
                Some(done) = requests.under_way.join_next() => {
                    if let Ok((id, answer)) = done {
                        self.answered(browser, requests, &id, answer).await?;
                    }
                    if clock.has_stopped && requests.are_done() {
                        clock.wind(browser).await?;
                    }
                }
                () = sleep_until(time_up) => {
                    return match requests.is_given {
                        true => Ok(RenderEnd::TimeUp),
                        false => Err(RenderTrouble::new(RenderEnd::Silent, "it asked for nothing")),
                    };
                }
            }
        }
    }

    /// By what its requests are judged.
    fn rules(&self) -> PartRules<'_> {
        let page = &self.capture.url;
        PartRules { options: self.options, credentials: self.credentials, page }
    }

    /// Decides on a request of the page.
    async fn paused(
        &self,
        browser: &mut DevTools,
        frame: &str,
        requests: &mut PageRequests,
        said: EventSaid,
    ) -> Result<(), RenderTrouble> {
        let asked = BrowserRequest::of(&said, frame);
        let verdict = judge_part(self.rules(), asked, requests.is_given);
        let id = said.request_id;
        match verdict {
            PartVerdict::Page => {
                requests.is_given = true;
                let policy = vec![("Content-Security-Policy".to_owned(), POLICY.to_owned())];
                fulfil(browser, &id, self.capture, policy).await
            }
            PartVerdict::Leads(url) => {
                requests.leads_to.get_or_insert(url);
                // "No content" leaves the page as it is.
                let stay = json!({ "requestId": id, "responseCode": 204 });
                browser.say("Fetch.fulfillRequest", stay).await.map(drop)
            }
            PartVerdict::Inside => {
                browser.say("Fetch.continueRequest", json!({ "requestId": id })).await.map(drop)
            }
            PartVerdict::Empty => {
                let headers = [json!({ "name": "Content-Type", "value": "text/css" })];
                let empty = json!({
                    "requestId": id, "responseCode": 200, "responseHeaders": headers, "body": "",
                });
                browser.say("Fetch.fulfillRequest", empty).await.map(drop)
            }
            PartVerdict::Ask(url) => {
                if let Some(known) = self.cache.get(&url) {
                    return fulfil(browser, &id, &known, Vec::new()).await;
                }
                let has_room = u32::from(requests.asked) < self.options.requests
                    && requests.bytes < self.options.max_bytes.saturating_mul(2);
                if !has_room {
                    return requests.refuse(browser, &id).await;
                }
                requests.asked = requests.asked.saturating_add(1);
                requests.waiting.push((id, url));
                requests.start(&self.parts);
                Ok(())
            }
            PartVerdict::Refused => requests.refuse(browser, &id).await,
        }
    }

    /// Hands on what came of a request.
    async fn answered(
        &self,
        browser: &mut DevTools,
        requests: &mut PageRequests,
        id: &str,
        answer: PartAnswer,
    ) -> Result<(), RenderTrouble> {
        requests.start(&self.parts);
        match answer {
            Ok(capture) => {
                requests.bytes += capture.payload.len();
                let kind = capture.header("content-type").unwrap_or_default();
                if kind.contains("javascript") {
                    self.cache.keep(&capture);
                }
                fulfil(browser, id, &capture, Vec::new()).await
            }
            Err(_) => requests.refuse(browser, id).await,
        }
    }

    /// Takes what the page shows, by a script that its own cannot reach.
    async fn look(
        &self,
        browser: &mut DevTools,
        frame: &str,
        leads_to: Option<&Url>,
    ) -> Result<SeenPage, RenderTrouble> {
        let stuck = |trouble: RenderTrouble| match trouble.end {
            RenderEnd::Silent => RenderTrouble { end: RenderEnd::Stuck, ..trouble },
            _ => trouble,
        };
        let world = json!({ "frameId": frame, "worldName": "fyke" });
        let world = browser.ask("Page.createIsolatedWorld", world).await.map_err(stuck)?;
        let most = self.options.max_bytes / 2;
        let leads_to = leads_to.map_or("", Url::as_str);
        let told = json!([most, self.capture.url.as_str(), leads_to]);
        let call = format!("({SNAPSHOT})(...{told})");
        let look = json!({
            "expression": call,
            "contextId": world.execution_context_id,
            "returnByValue": true,
            "timeout": 8_000,
        });
        let seen = browser.ask("Runtime.evaluate", look).await.map_err(stuck)?;
        match (seen.result.value, seen.exception_details) {
            (Some(TextSaid::Text(markup)), None) if !markup.is_empty() => {
                Ok(SeenPage::of(markup, self.options.max_bytes))
            }
            (Some(TextSaid::Text(_)), None) => {
                Err(RenderTrouble::new(RenderEnd::Refused, "the page is empty"))
            }
            _ => Err(RenderTrouble::new(RenderEnd::Stuck, "the page could not be looked at")),
        }
    }
}

impl SeenPage {
    /// What the script gave, up to so many bytes.
    fn of(given: String, most: usize) -> SeenPage {
        let (markup, is_sliced) = match given.strip_prefix(CUT) {
            Some(rest) => (rest.to_owned(), true),
            None => (given, false),
        };
        let is_cut = is_sliced || markup.len() > most;
        SeenPage { markup: cut(markup, most), is_cut }
    }
}

/// The page's own clock.
#[derive(Debug, Default)]
struct PageClock {
    /// The number of the word that wound it last.
    word: Option<u64>,
    has_stopped: bool,
}

impl PageClock {
    /// Lets so much time pass, but none while a request is on its way.
    async fn wind(&mut self, browser: &mut DevTools) -> Result<(), RenderTrouble> {
        let policy = json!({
            "policy": "pauseIfNetworkFetchesPending",
            "budget": PAGE_TIME,
            "maxVirtualTimeTaskStarvationCount": 100_000,
        });
        self.word = Some(browser.say("Emulation.setVirtualTimePolicy", policy).await?);
        self.has_stopped = false;
        Ok(())
    }
}

impl PageRequests {
    fn are_done(&self) -> bool {
        self.is_given && self.under_way.is_empty() && self.waiting.is_empty()
    }

    /// Hands requests to the crawl, a few at a time.
    fn start(&mut self, parts: &UnboundedSender<PartAsked>) {
        while self.under_way.len() < AT_ONCE && !self.waiting.is_empty() {
            let (id, url) = self.waiting.remove(0);
            let (reply, answer) = oneshot::channel();
            let is_sent = parts.send(PartAsked { url, reply }).is_ok();
            self.under_way.spawn(async move {
                let refused = || Err("it was not asked for".to_owned());
                let answer = if is_sent { answer.await.ok() } else { None };
                (id, answer.unwrap_or_else(refused))
            });
        }
    }

    async fn refuse(&mut self, browser: &mut DevTools, id: &str) -> Result<(), RenderTrouble> {
        self.refused = self.refused.saturating_add(1);
        if self.refused > MOST_REFUSED {
            let what = format!("more than {MOST_REFUSED} requests that are refused");
            return Err(RenderTrouble::new(RenderEnd::Flood, what));
        }
        let why = json!({ "requestId": id, "errorReason": "BlockedByClient" });
        browser.say("Fetch.failRequest", why).await.map(drop)
    }
}

/// What an answer of the browser's means that nobody waits for.
fn refusal(word: &BrowserWord, clock: Option<u64>) -> Result<(), RenderTrouble> {
    if !word.result.error_text.is_empty() {
        let what = word.result.error_text.clone();
        return Err(RenderTrouble::new(RenderEnd::Refused, what));
    }
    match &word.error {
        // Without that clock nothing would tell when the page has come to rest.
        Some(error) if Some(word.id) == clock => {
            Err(RenderTrouble::new(RenderEnd::Refused, error.message.clone()))
        }
        _ => Ok(()),
    }
}

/// Gives the browser an answer.
async fn fulfil(
    browser: &mut DevTools,
    id: &str,
    capture: &Capture,
    more: Vec<(String, String)>,
) -> Result<(), RenderTrouble> {
    let is_kept = |(name, value): &&(String, String)| {
        let is_plain = value.bytes().all(|b| matches!(b, b'\t' | b' '..=b'~'));
        is_plain && !LEFT_OUT.iter().any(|left_out| name.eq_ignore_ascii_case(left_out))
    };
    let headers: Vec<Value> = capture
        .headers
        .iter()
        .filter(is_kept)
        .chain(&more)
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    let (body, _) = capture.body(capture.payload.len().max(16 << 20));
    let answer = json!({
        "requestId": id,
        "responseCode": capture.status,
        "responseHeaders": headers,
        "body": BASE64.encode(&body),
    });
    browser.say("Fetch.fulfillRequest", answer).await.map(drop)
}

/// The text up to so many bytes.
fn cut(mut text: String, most: usize) -> String {
    text.truncate(text.floor_char_boundary(most));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_not_whole_says_so() {
        let check = |given: &str, markup: &str, is_cut: bool| {
            let expected = SeenPage { markup: markup.to_owned(), is_cut };
            assert_eq!(SeenPage::of(given.to_owned(), 8), expected, "{given}");
        };
        check("<p>cut:", "<p>cut:", false);
        check("<p>12345", "<p>12345", false);
        check("cut:<p>", "<p>", true);
        check("<p>123456", "<p>12345", true);
        check("<p>1234\u{e9}", "<p>1234", true);
    }
}
