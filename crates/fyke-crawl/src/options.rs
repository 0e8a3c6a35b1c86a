//! Options and results of a crawl: plain structs that the command line fills and shows.

use crate::budget::BudgetOptions;
use crate::credentials::Credentials;
use crate::dns::Private;
use crate::feed::SeedFeed;
use crate::forms::FormOptions;
use crate::frontier::PRIORITIES;
use crate::guide::{FocusOptions, Harvest};
use crate::http::{Http, HttpOptions, Proxy, Roots};
use crate::render::RenderOptions;
use crate::revisit::RevisitOptions;
use crate::scope::{ScopeError, ScopeOptions, SeedRedirect, UnmatchedPattern};
use fyke_derive::ReadLimits;
use fyke_store::{Reason, StoreError};
use fyke_web::Url;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

/// The product token robots.txt files call us by.
pub const AGENT: &str = "fyke";

/// Which sitemaps are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SitemapChoice {
    /// Those that robots.txt files name, and the usual one of hosts of seeds where none is named.
    #[default]
    Auto,
    /// Those that robots.txt files name.
    Named,
    Off,
    /// These.
    List(Vec<Url>),
}

/// Which feeds are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedChoice {
    /// Those that pages name, and whatever turns out to be one.
    #[default]
    Auto,
    /// What is a seed or linked and turns out to be one.
    Met,
    Off,
}

/// By what URLs are put in order that wait. A guide has an order of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    /// By what they seem to be worth.
    #[default]
    Worth,
    /// By their distance from a seed alone: breadth-first.
    Depth,
}

/// Everything a crawl is told.
#[derive(Clone, Debug)]
pub struct CrawlOptions {
    pub seeds: Vec<Url>,
    /// More seeds, while the crawl runs.
    pub feed: Option<SeedFeed>,
    /// Those of the seeds that were given without a scheme, as https: where that gives no answer, http is tried.
    pub bare_seeds: Vec<Url>,
    pub sitemaps: SitemapChoice,
    pub feeds: FeedChoice,
    pub scope: ScopeOptions,
    pub budget: BudgetOptions,
    /// Smallest gap between two requests to one host.
    pub floor: Duration,
    /// Gap ≥ factor × time of the last fetch.
    pub factor: f64,
    /// Requests in flight per server address; 0 switches the rules for addresses off (for many hosts
    /// on one loopback port).
    pub per_address: usize,
    /// Requests in flight in all.
    pub connections: usize,
    pub timeout: Duration,
    /// Until the head of the answer is there.
    pub first_byte: Duration,
    pub max_bytes: usize,
    /// Name (or "*.suffix") → where to connect to instead.
    pub hosts: Vec<(String, SocketAddr)>,
    /// Goes into the User-Agent; without one only this machine is asked.
    pub contact: String,
    /// Which addresses of private networks may be reached.
    pub private: Private,
    pub proxy: Proxy,
    /// Certificates trusted besides the web's own.
    pub roots: Roots,
    pub credentials: Credentials,
    pub forms: FormOptions,
    /// How pages are rendered whose text is made by scripts, if they are.
    pub render: Option<RenderOptions>,
    /// First wait of the exponential back-off.
    pub retry_base: Duration,
    /// A host that asks for a longer wait is left for the next run.
    pub patience: Duration,
    /// A host that gives no answer so often in a row is given up for this run.
    pub host_failures: u32,
    /// Threads, each with its own hosts.
    pub threads: usize,
    /// A host that has given some pages is asked for two made-up paths, so that its error page is known.
    pub asks_for_missing: bool,
    pub order: QueueOrder,
    /// What is asked for again.
    pub revisit: RevisitOptions,
    /// The subject, where the crawl has one.
    pub focus: Option<FocusOptions>,
    /// Keep what pages say; without it links are followed and only the ledger is written.
    pub keeps: bool,
    /// What reading one page may take.
    pub reading: ReadLimits,
}

impl Default for CrawlOptions {
    fn default() -> CrawlOptions {
        CrawlOptions {
            seeds: Vec::new(),
            feed: None,
            bare_seeds: Vec::new(),
            sitemaps: SitemapChoice::Auto,
            feeds: FeedChoice::Auto,
            scope: ScopeOptions::default(),
            budget: BudgetOptions::default(),
            floor: Duration::from_secs(1),
            factor: 10.0,
            per_address: 1,
            connections: 256,
            timeout: Duration::from_secs(30),
            first_byte: Duration::from_secs(20),
            max_bytes: 10 << 20,
            hosts: Vec::new(),
            contact: String::new(),
            private: Private::Refused,
            proxy: Proxy::default(),
            roots: Roots::default(),
            credentials: Credentials::default(),
            forms: FormOptions::default(),
            render: None,
            retry_base: Duration::from_secs(1),
            patience: Duration::from_secs(600),
            host_failures: 5,
            threads: 1,
            asks_for_missing: true,
            order: QueueOrder::default(),
            revisit: RevisitOptions::default(),
            focus: None,
            keeps: true,
            reading: ReadLimits::default(),
        }
    }
}

impl CrawlOptions {
    /// "fyke/0.1 (+mailto:someone@example.org)".
    #[must_use]
    pub fn user_agent(&self) -> String {
        match self.contact.as_str() {
            "" => format!("{AGENT}/0.1"),
            contact => format!("{AGENT}/0.1 (+{contact})"),
        }
    }

    /// The network as these options want it.
    #[must_use]
    pub fn http(&self) -> Http {
        Http::new(HttpOptions {
            user_agent: self.user_agent(),
            hosts: self.hosts.clone(),
            is_anonymous: self.contact.is_empty(),
            private: self.private,
            idle: self.connections,
            first_byte: self.first_byte,
            proxy: self.proxy.clone(),
            roots: self.roots.clone(),
            keeps_cookies: true,
            credentials: self.credentials.clone(),
            ..HttpOptions::default()
        })
    }
}

/// How a crawl is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrawlProgress {
    /// Pages stored by this run, redirects not counted.
    pub fetched: u64,
    /// URLs waiting.
    pub queued: u64,
    /// URLs waiting by priority, the best first.
    pub priorities: [u64; PRIORITIES],
    /// URLs in the ledger.
    pub known: u64,
    /// Visits of this run to URLs that were fetched before.
    pub again: u64,
    /// Payload bytes received by this run.
    pub bytes: u64,
    pub in_flight: u64,
    /// Hosts with URLs that wait for their gap.
    pub hosts_waiting: u64,
    /// Requests of this run that gave no usable answer.
    pub errors: u64,
    /// Pages of this run whose text was fetched before under another URL.
    pub copies: u64,
    /// URLs of hosts that this run gave up.
    pub given_up: u64,
    /// Of a focused crawl.
    pub harvest: Option<Harvest>,
    pub elapsed: Duration,
    /// Pages per second since the start.
    pub rate: f64,
}

/// Why a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing was left to do in this run.
    Finished,
    /// Pages or bytes were used up.
    Budget,
    /// The time was up.
    Time,
    /// Somebody said stop.
    Stopped,
}

/// What a crawl did. Only what is safe on disk is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub stopped: Stopped,
    /// Pages stored by this run, redirects not counted.
    pub pages_fetched: u64,
    /// Page URLs that count against the budget, over the collection's life.
    pub budget_pages_used: u64,
    /// Visits of this run to URLs that were fetched before, those of them that found another text, and those that
    /// found the page gone for good.
    pub again: u64,
    pub changed: u64,
    pub gone: u64,
    /// When something will be due to be asked for again, in milliseconds since 1970, as far as is known.
    pub next_due: Option<u64>,
    pub bytes: u64,
    pub errors: u64,
    /// URLs left in the queue, those of hosts that asked for a long wait among them.
    pub queued: u64,
    /// URLs of hosts that this run gave up: the next one takes them up.
    pub given_up: u64,
    /// URLs that hosts in trouble answered with errors, or whose robots.txt they did: the next one takes them up, too.
    pub rest: u64,
    /// When the first of the hosts may be asked again that asked for a long wait, in milliseconds since 1970.
    pub goes_on: Option<u64>,
    pub known: u64,
    /// How many URLs stand under each reason in the ledger.
    pub reasons: BTreeMap<Reason, u64>,
    /// Redirects of seeds that took the scope to other hosts, in this run or before.
    pub seed_redirects: Vec<SeedRedirect>,
    /// Patterns of the scope that matched no URL in this run.
    pub unmatched: Vec<UnmatchedPattern>,
    pub elapsed: Duration,
}

/// Why a crawl could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Scope(#[from] ScopeError),
}
