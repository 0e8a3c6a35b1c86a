//! URLs to captures: the Mercator frontier, politeness, DNS, HTTP (000 "Crawling").
//!
//! [`crawl()`] is the whole; [`frontier`], [`politeness`], [`scope`], [`trap`] and [`budget`] are its
//! rules, free of I/O; [`Fetch`] is the seam to the network, with [`Http`] and [`WebInAString`] behind.

pub mod budget;
mod control;
mod crawl;
pub mod credentials;
pub mod dns;
mod feed;
mod feed_visits;
pub mod fetch;
mod forms;
pub mod frontier;
mod glance;
mod guide;
mod http;
pub mod options;
pub mod politeness;
pub mod probe;
mod render;
pub mod revisit;
mod robots;
pub mod scope;
pub mod trap;
mod unread;
mod verdict;
mod web_in_a_string;

pub use budget::BudgetOptions;
pub use control::{Control, HostNow};
pub use crawl::{crawl, crawl_web, follow_seeds};
pub use dns::Private;
pub use feed::SeedFeed;
pub use fetch::Fetch;
pub use forms::FormOptions;
pub use fyke_learn::spider::{GUIDES, LinkGuide, SpiderModel, guide_named};
pub use guide::{
    ENDLESS, FocusOptions, GuidePage, GuideReading, Harvest, LinkWords, Readers, Spider, Targets,
};
#[doc(hidden)]
pub use http::{BareWire, read_answer};
pub use http::{Http, HttpOptions, Proxy, ProxyError, Roots, RootsError};
pub use options::{
    CrawlError, CrawlOptions, CrawlProgress, FeedChoice, QueueOrder, SitemapChoice, Stopped,
    Summary,
};
pub use probe::{Probe, ProbeWay, probe};
#[doc(hidden)]
pub use render::{BrowserAsks, browser_asks};
pub use render::{RenderOptions, RenderedPage, render_cause};
pub use revisit::{RevisitOptions, next_visit};
pub use robots::RobotsAnswer;
pub use scope::{Mode, ScopeError, ScopeOptions, ScopeRule, SeedRedirect, UnmatchedPattern};
pub use web_in_a_string::WebInAString;
