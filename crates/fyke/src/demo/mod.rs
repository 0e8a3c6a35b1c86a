//! The tour: a pond in this process, a crawl of it, and a scorecard against its truth.

mod judges;
mod library;
mod papers;
mod scorecard;
mod truth;

pub use judges::write_judgements;
pub use library::{PaperFindings, PapersScorecard, compare_papers, show_papers};
pub use papers::{CitationScores, PaperScores, RightOf};
pub use scorecard::{Scorecard, show};
pub use truth::{Findings, compare};

use fyke_crawl::CrawlOptions;
use fyke_pond::Pond;
use fyke_pond::server::Running;
use std::time::Duration;

/// The gap the judge wants, in milliseconds.
pub const JUDGED_GAP_MS: u64 = 20;

/// The settings of a collection of this pond. The gap is a little longer than the judged one: the
/// crawler counts in whole milliseconds.
#[must_use]
pub fn settings(pond: &Pond, running: &Running, budget: u64) -> String {
    let quoted = |text: &String| format!("{text:?}");
    let seeds: Vec<String> = pond.seeds().iter().map(quoted).collect();
    let address = |(host, at): &(String, std::net::SocketAddr)| format!("{host:?} = \"{at}\"\n");
    let hosts: String = running.addresses.iter().map(address).collect();
    format!(
        "[collection]\nname = \"pond\"\n\n\
         [seeds]\nurls = [{}]\n\n\
         [scope]\nallow = [\"*.test/**\"]\n\n\
         {}[budget]\npages = {budget}\n\n\
         [politeness]\nfloor = \"25ms\"\nfactor = 0.0  # every host is on loopback\n\n\
         [fetch]\ntimeout = \"4s\"\n\n\
         [fetch.hosts]\n{hosts}",
        seeds.join(", "),
        if pond.departments.is_some() { "[focus]\ntargets = \"papers\"\n\n" } else { "" }
    )
}

/// A tour waits less for hosts in trouble than a crawl of the web does.
#[must_use]
pub fn hurried(options: CrawlOptions) -> CrawlOptions {
    CrawlOptions {
        retry_base: Duration::from_millis(100),
        patience: Duration::from_secs(10),
        host_failures: 3,
        ..options
    }
}
