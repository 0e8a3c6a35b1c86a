//! When to look at a page again (003 §3.2.3 "Freshness"; 000 "Freshness: crawl some pages more often than others"):
//! how often it changes, how old its copy is by now, and which pages to visit with the requests there are. Times are
//! in any unit, the same one throughout; a rate is changes for each unit.

mod age;
mod fill;
mod policy;
mod rate;
mod replay;
mod trial;

pub use age::{age, mean_age, mean_freshness};
pub use fill::{RevisitBounds, RevisitOutlook, RevisitTally};
pub use policy::{POLICIES, RevisitPolicy, policy_named};
pub use rate::{PRIOR_CHANGES, RatePrior, VisitGap, estimate_rate, regular_rate};
pub use replay::{ChangingPage, RevisitReplay, RevisitScore, made_pages, replay};
pub use trial::{RatesKnown, RevisitContender, RevisitTrial};
