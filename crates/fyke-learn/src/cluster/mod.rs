//! Clustering: which of very many things are the same, without comparing all with all (what 002 §1 does with
//! citations to the same paper). Cheap keys bring together what may belong together (`canopies`), a learned score
//! says how probably two of them do (`odds`), and average link makes clusters of the scores (`average`).
//! Numbers only: what a key or a feature means is known to who calls.

mod average;
mod canopies;
mod odds;

pub use average::{AverageLink, Clusters, Scored};
pub use canopies::{Canopies, CanopyLimits};
pub use odds::{LearntOdds, OddsLearner};
