//! What answers queries: a collection's own index, or anybody's engine over HTTP, by a template of its
//! address, by its OpenSearch description or as SearXNG. The lab's runs and corpora of small languages
//! (004) ask here; answers are kept on disk where a query may come again.

mod address;
mod answers;
mod asker;
mod manners;
mod page_asker;
mod reading;
mod remote;
mod template;
mod trouble;

pub use address::EngineAddress;
pub use answers::{AnswerStore, KnownEngine};
pub use manners::{EngineManners, ProbeWords};
pub use page_asker::PageAsker;
pub use reading::{AnswerReading, document};
pub use remote::Remote;
pub use template::AddressTemplate;
pub use trouble::EngineTrouble;

use crate::judging::LabTopic;
use fyke_eval::Run;
use fyke_index::{Index, SearchOptions};
use fyke_stages::config::{self, Config};
use fyke_stages::search;
use fyke_store::index_dir;
use std::path::Path;

/// Hits that the index gives at a time.
const PAGE: usize = 100;

/// What answers queries.
#[derive(Debug)]
pub enum Engine {
    Own {
        index: Box<Index>,
        /// How the collection is searched.
        options: Box<SearchOptions>,
        /// Words put behind every query, as `site:host`.
        more: String,
    },
    Remote(Box<Remote>),
}

impl Engine {
    /// The index of a collection.
    ///
    /// # Errors
    /// When nothing is indexed there, or the index or the settings cannot be read.
    pub fn own(folder: &Path, config: &Config, more: String) -> anyhow::Result<Engine> {
        let dir = index_dir(folder);
        anyhow::ensure!(dir.is_dir(), "nothing is indexed in {}", folder.display());
        let (index, options) = (search::index(folder, config)?, search::options(config)?);
        Ok(Engine::Own { index: Box::new(index), options: Box::new(options), more })
    }

    /// The index of another collection than the one that is worked on, with its own settings.
    ///
    /// # Errors
    /// As [`Engine::own`].
    pub fn neighbour(folder: &Path) -> anyhow::Result<Engine> {
        let loaded = config::load(Some(folder), std::iter::empty(), &[])?;
        Engine::own(folder, &loaded.config, String::new())
    }

    /// Whether it is ours: words in quotes are asked for as they stand.
    #[must_use]
    pub fn is_own(&self) -> bool {
        matches!(self, Engine::Own { .. })
    }

    /// The documents for a query, the best first.
    ///
    /// # Errors
    /// When the engine gives no answer.
    pub async fn ask(&mut self, query: &str, depth: usize) -> anyhow::Result<Vec<String>> {
        match self {
            Engine::Remote(remote) => remote.ask(query, depth).await,
            Engine::Own { index, options, more } => {
                own((index, options), &format!("{query} {more}"), depth)
            }
        }
    }
}

/// The URLs that an index answers with, the best first.
///
/// # Errors
/// When the index cannot be read.
pub fn own(
    (index, options): (&Index, &SearchOptions),
    query: &str,
    depth: usize,
) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    while found.len() < depth {
        let limit = PAGE.min(depth - found.len());
        let options = SearchOptions { offset: found.len(), limit, ..*options };
        let hits = search::search(index, query, &options)?.hits;
        let is_last = hits.len() < limit;
        found.extend(hits.into_iter().map(|hit| hit.url));
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// Puts the answer to a topic into a run. The places become scores: equal ones would be put in
/// another order by those who measure.
pub fn record(run: &mut Run, topic: &LabTopic, documents: &[String]) {
    for (rank, document) in documents.iter().enumerate() {
        let score = (documents.len() - rank) as f32;
        run.insert(&topic.id, document, score);
    }
}
