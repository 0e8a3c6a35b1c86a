//! Every key of `fyke.toml` with its type and default.

use super::{CredentialKeys, address, units};
use fyke_crawl::RevisitOptions;
use fyke_learn::revisit::{POLICIES, policy_named};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// All settings of one collection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub collection: CollectionKeys,
    pub seeds: SeedKeys,
    pub scope: ScopeKeys,
    pub focus: FocusKeys,
    pub budget: BudgetKeys,
    pub revisit: RevisitKeys,
    pub politeness: PolitenessKeys,
    pub fetch: FetchKeys,
    pub extract: BTreeMap<String, ExtractKeys>,
    pub corpus: CorpusKeys,
    pub search: SearchKeys,
    pub serve: ServeKeys,
    pub experiment: ExperimentKeys,
    pub credentials: BTreeMap<String, CredentialKeys>,
    pub forms: FormKeys,
}

/// `[collection]`: who collects, and what for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollectionKeys {
    pub name: String,
    /// Goes into the User-Agent; asked for before the first fetch outside loopback. "mailto:…",
    /// "https://…" or a mail address alone.
    pub contact: String,
    /// Decides which opt-outs bind.
    pub purpose: Vec<Purpose>,
}

/// A use of the pages: each is a right of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    Search,
    Corpus,
    Training,
}

/// `[seeds]`: where the crawl begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SeedKeys {
    pub urls: Vec<String>,
    pub sitemaps: Sitemaps,
    pub feeds: Feeds,
}

/// `sitemaps = "auto"`, `"named"`, `"off"` or a list of URLs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected \"auto\", \"named\", \"off\" or a list of URLs")]
pub enum Sitemaps {
    Switch(SitemapSwitch),
    List(Vec<String>),
}

impl Default for Sitemaps {
    fn default() -> Sitemaps {
        Sitemaps::Switch(SitemapSwitch::Auto)
    }
}

/// Which sitemaps are read, where no list says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SitemapSwitch {
    Auto,
    Named,
    Off,
}

/// `feeds = "auto"`, `"off"` or a list of URLs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected \"auto\", \"off\" or a list of URLs")]
pub enum Feeds {
    Switch(FeedSwitch),
    List(Vec<String>),
}

impl Default for Feeds {
    fn default() -> Feeds {
        Feeds::Switch(FeedSwitch::Auto)
    }
}

/// Whether feeds are read, where no list says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeedSwitch {
    Auto,
    Off,
}

impl SeedKeys {
    /// The seeds as they are written, feeds that are named behind the others.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        let feeds = match &self.feeds {
            Feeds::List(urls) => urls.as_slice(),
            Feeds::Switch(_) => &[],
        };
        self.urls.iter().chain(feeds)
    }
}

/// `[scope]`: which URLs belong to the collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScopeKeys {
    pub mode: ScopeMode,
    /// Globs, or `re:` and a regular expression.
    pub allow: Vec<String>,
    pub deny: Vec<String>,
    /// Links from a seed.
    pub depth: u16,
}

/// How far from the seeds the crawl may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeMode {
    /// The hosts of the seeds.
    Site,
    /// The registrable domains of the seeds.
    Domain,
    /// The hosts of the seeds, under their paths.
    Path,
    /// What `allow` admits.
    List,
    /// Wherever the subject leads.
    Focused,
}

/// `[focus]`: the subject, for `mode = "focused"`, and what a crawl looks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FocusKeys {
    /// Words of the subject; several words are found where they stand side by side.
    pub keywords: Vec<String>,
    /// Pages about the subject: files, or URLs, which are fetched first.
    pub examples: Vec<String>,
    /// Who says which link is worth following first: the name of one of [`fyke_crawl::GUIDES`].
    pub guide: String,
    /// The relevance, 0 to 1, from which on a page is about the subject and kept.
    pub threshold: f32,
    /// Pages off the subject that may lie between two on it.
    pub tunnel: u8,
    /// Folders of collections crawled before, from which the guide learns before its first fetch.
    pub learn_from: Vec<PathBuf>,
    /// File with what a guide learned before, by `fyke sim --save` or in a focused crawl; empty: none.
    pub model: PathBuf,
    /// The pages that the guide looks for, in any mode; none: pages about the subject.
    pub targets: TargetKeys,
}

/// `targets = "papers"` or a list of patterns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected \"papers\" or a list of patterns such as \"*.pdf\"")]
pub enum TargetKeys {
    Kind(TargetKind),
    Patterns(Vec<String>),
}

impl TargetKeys {
    /// Whether nothing is looked for but the subject.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, TargetKeys::Patterns(patterns) if patterns.is_empty())
    }
}

/// A kind of pages that can be told by what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    Papers,
}

/// `[budget]`: hard limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetKeys {
    pub pages: u64,
    #[serde(with = "units::duration")]
    pub time: Duration,
    #[serde(with = "units::bytes")]
    pub bytes: u64,
    pub per_host_pages: u64,
    /// Pages of one registrable domain that no other domain links to …
    pub per_domain_pages: u64,
    /// … and so many more for each domain that does.
    pub per_inlink_pages: u64,
}

/// `[revisit]`: how often a page is looked at again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RevisitKeys {
    /// `"off"`, or the name of one of [`fyke_learn::revisit::POLICIES`].
    pub policy: String,
    /// The mean time between two visits to a page: pages by this time are the requests there are.
    #[serde(with = "units::duration")]
    pub every: Duration,
    /// No more requests a day; 0: no limit.
    pub per_day: u64,
    /// Bounds of the time between two visits to a page.
    #[serde(with = "units::duration")]
    pub soonest: Duration,
    #[serde(with = "units::duration")]
    pub latest: Duration,
}

/// `[politeness]`: how gently each server is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolitenessKeys {
    /// Smallest gap between two requests to one host.
    #[serde(with = "units::duration")]
    pub floor: Duration,
    /// The gap is at least this many times the last fetch's time.
    pub factor: f64,
    /// Requests in flight per server address; 0, on loopback alone: as many as there are.
    pub per_address: u32,
}

/// `[fetch]`: limits of one request, and of all at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FetchKeys {
    pub connections: u32,
    /// Threads that fetch; 0: one per core.
    pub threads: u32,
    #[serde(with = "units::duration")]
    pub timeout: Duration,
    /// Until the head of the answer is there.
    #[serde(with = "units::duration")]
    pub first_byte: Duration,
    #[serde(with = "units::bytes")]
    pub max_bytes: u64,
    /// Hosts are asked for two made-up paths, so that their error pages are known.
    pub made_up_paths: bool,
    /// Addresses of private networks may be reached: for intranets.
    pub private: bool,
    /// A PEM file of certificates to trust besides the web's own: for intranets.
    pub roots: String,
    /// `"off"`, or where a Chromium listens that runs the scripts of pages: "http://127.0.0.1:9222".
    pub render: String,
    /// Hosts whose pages are rendered whatever their source says.
    pub render_hosts: Vec<String>,
    /// Hosts besides the domain of a page that its scripts may ask.
    pub render_parts: Vec<String>,
    /// For one page, its scripts' requests included.
    #[serde(with = "units::duration")]
    pub render_time: Duration,
    /// Requests of the scripts of one page.
    pub render_requests: u32,
    /// Pages in the browser at once.
    pub render_at_once: u32,
    /// Name → socket address, as `curl --resolve`. Last, because TOML writes tables after values.
    #[serde(deserialize_with = "address::many")]
    pub hosts: BTreeMap<String, SocketAddr>,
}

/// `[extract."docs.example.org/**"]`: CSS selectors for the pages of a host or below a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExtractKeys {
    /// The main text; empty: it is found as everywhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub keep: String,
    /// No part of the main text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub drop: String,
    /// Where the title stands, and the date.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
}

impl ExtractKeys {
    pub const NAMES: [&'static str; 4] = ["keep", "drop", "title", "date"];
}

/// `[corpus]`: which documents make up the corpus. Copies and other languages are not searched
/// either; thin pages are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CorpusKeys {
    /// ISO 639 codes; empty: all.
    pub languages: Vec<String>,
    /// A page with fewer is thin: no part of the corpus, but still found by search.
    pub min_words: u32,
    /// Resemblance from which two documents are near-copies.
    pub near_duplicate: f64,
    /// Whether persons, places and organisations are found in texts.
    pub names: bool,
}

/// `[search]`: how hits are ranked, and what finding them may cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchKeys {
    /// What is changed of the standard weights, as "title=5 nearness=0"; `fyke lab tune` learns it.
    pub ranker: String,
    /// Entries of posting lists that a search may read; one that asks for more is answered from a part of the
    /// documents, and says so.
    pub steps: u64,
}

/// `[serve]`: the search site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServeKeys {
    #[serde(deserialize_with = "address::one")]
    pub bind: SocketAddr,
    /// Whether searches and clicks are kept; never who made them.
    pub log_searches: bool,
    /// Days they are kept, today being one.
    pub log_days: u32,
    /// Bytes of all of them.
    #[serde(with = "units::bytes")]
    pub log_bytes: u64,
}

/// `[experiment]`: two rankers shown as one to a share of the searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExperimentKeys {
    /// From 0 (off) to 1 (every search).
    pub share: f64,
    /// `"team-draft"` or `"balanced"`.
    pub method: String,
    /// The old ranker: a name, or weights as "title=5 nearness=0".
    pub a: String,
    /// The new one.
    pub b: String,
}

/// `[forms]`: whose search forms are sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FormKeys {
    /// Hosts by name, with a port if it is not the usual one; none: no form is ever sent.
    pub hosts: Vec<String>,
    /// Queries of one form in one run.
    pub queries: u32,
}

impl Default for FormKeys {
    fn default() -> Self {
        FormKeys { hosts: Vec::new(), queries: 300 }
    }
}

impl Default for CollectionKeys {
    fn default() -> Self {
        let (name, contact) = ("collection".to_string(), String::new());
        CollectionKeys { name, contact, purpose: vec![Purpose::Search] }
    }
}

impl Default for ScopeKeys {
    fn default() -> Self {
        ScopeKeys { mode: ScopeMode::Site, allow: Vec::new(), deny: Vec::new(), depth: 32 }
    }
}

impl Default for FocusKeys {
    fn default() -> Self {
        let (keywords, examples, learn_from) = (Vec::new(), Vec::new(), Vec::new());
        let (guide, model) = ("future".to_string(), PathBuf::new());
        let targets = TargetKeys::Patterns(Vec::new());
        FocusKeys {
            keywords,
            examples,
            guide,
            threshold: 0.5,
            tunnel: 3,
            learn_from,
            model,
            targets,
        }
    }
}

impl Default for BudgetKeys {
    fn default() -> Self {
        let time = Duration::from_secs(6 * 3600);
        BudgetKeys {
            pages: 20_000,
            time,
            bytes: 20 << 30,
            per_host_pages: 5_000,
            per_domain_pages: 20_000,
            per_inlink_pages: 1_000,
        }
    }
}

impl Default for RevisitKeys {
    fn default() -> Self {
        let RevisitOptions { every, soonest, latest, .. } = RevisitOptions::default();
        RevisitKeys { policy: POLICIES[0].name.to_string(), every, per_day: 0, soonest, latest }
    }
}

impl RevisitKeys {
    /// What a crawl is told of them.
    ///
    /// # Errors
    /// The names of the policies, when there is none of this name.
    pub fn options(&self) -> Result<RevisitOptions, String> {
        let policy = match self.policy.as_str() {
            "off" => None,
            name => Some(policy_named(name).map_err(|what| format!("{what}, or \"off\""))?),
        };
        let RevisitKeys { every, soonest, latest, per_day, .. } = *self;
        let per_day = Some(per_day).filter(|most| *most > 0);
        Ok(RevisitOptions { policy, every, per_day, soonest, latest })
    }
}

impl Default for PolitenessKeys {
    fn default() -> Self {
        PolitenessKeys { floor: Duration::from_secs(1), factor: 10.0, per_address: 1 }
    }
}

impl Default for FetchKeys {
    fn default() -> Self {
        FetchKeys {
            connections: 256,
            threads: 0,
            timeout: Duration::from_secs(30),
            first_byte: Duration::from_secs(20),
            max_bytes: 10 << 20,
            made_up_paths: true,
            private: false,
            roots: String::new(),
            render: "off".to_owned(),
            render_hosts: Vec::new(),
            render_parts: Vec::new(),
            render_time: Duration::from_secs(60),
            render_requests: 50,
            render_at_once: 2,
            hosts: BTreeMap::new(),
        }
    }
}

impl Default for CorpusKeys {
    fn default() -> Self {
        CorpusKeys { languages: Vec::new(), min_words: 40, near_duplicate: 0.9, names: false }
    }
}

impl Default for ServeKeys {
    fn default() -> Self {
        ServeKeys {
            bind: SocketAddr::from(([127, 0, 0, 1], 7700)),
            log_searches: false,
            log_days: 90,
            log_bytes: 64 << 20,
        }
    }
}

impl Default for SearchKeys {
    fn default() -> Self {
        SearchKeys { ranker: String::new(), steps: fyke_index::QueryBudget::default().steps }
    }
}

impl Default for ExperimentKeys {
    fn default() -> Self {
        let standard = || "standard".to_string();
        let method = "team-draft".to_string();
        ExperimentKeys { share: 0.0, method, a: standard(), b: standard() }
    }
}
