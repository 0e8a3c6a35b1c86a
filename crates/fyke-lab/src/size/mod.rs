//! How large two engines are beside each other (001 "Size of the web"): queries are drawn and sent, pages are
//! read and looked for, and what comes of it goes to the methods of `fyke_learn::size`. Engines and web stand
//! behind [`SizeWorld`]: the engines of the lab with the web's pages, or a model of both with known truth.

mod addressing;
mod draw;
mod kept;
mod lexicon;
mod present;
mod report;
mod searching;
mod study;
mod walking;
mod web;
mod words;

pub use addressing::{AddressAnswer, AddressSpace, visit_addresses};
pub use draw::{DrawOptions, DrawTally, draw};
pub use lexicon::QueryLexicon;
pub use present::{StrongQuery, presence};
pub use report::{PresentShare, SizeReport, SizeRow, shown_share, size_plots};
pub use searching::{SearchOptionsOfSize, search_both};
pub use study::{SizeOptions, SizeStudy};
pub use walking::{WalkOptions, walk};
pub use web::{SizeEngines, WebOfSize};
pub use words::{StrongWords, strong_words};

use fyke_learn::size::EngineSide;
use fyke_text::Sketch;
use fyke_web::Url;
use std::sync::Arc;

/// What is asked: two engines, and the web whose pages they hold.
pub trait SizeWorld {
    /// The addresses that an engine answers a query of these words with, all of which a page must hold.
    ///
    /// # Errors
    /// When the engine gives no answer.
    fn ask(
        &mut self,
        side: EngineSide,
        words: &[&str],
        depth: usize,
    ) -> anyhow::Result<Vec<String>>;

    /// A page of the web; none when it cannot be had, or may not be asked for.
    ///
    /// # Errors
    /// Trouble with the disk.
    fn page(&mut self, url: &str) -> anyhow::Result<Option<Arc<SizedPage>>>;

    /// What stands at an address of the space.
    ///
    /// # Errors
    /// Trouble with the disk.
    fn address(&mut self, at: u64) -> anyhow::Result<AddressAnswer>;
}

/// A page as the methods see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizedPage {
    /// Where it stands, at the end of redirects.
    pub url: String,
    /// Its words, folded, in order.
    pub words: Vec<String>,
    pub sketch: Sketch,
    /// Where it leads, each address once.
    pub links: Vec<String>,
    /// It names keywords or a description of itself; and Dublin Core.
    pub has_meta: bool,
    pub has_dublin_core: bool,
}

impl SizedPage {
    /// Whether it has all of these words.
    #[must_use]
    pub fn has(&self, words: &[&str]) -> bool {
        words.iter().all(|word| self.words.iter().any(|own| own == word))
    }

    /// A number for its host.
    #[must_use]
    pub fn site(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(fyke_web::host_of(&self.url).as_bytes())
    }

    /// How many steps its address goes down from the root.
    #[must_use]
    pub fn depth(&self) -> u32 {
        let url = Url::parse(&self.url).ok();
        let parts = url.as_ref().map(|url| url.path().split('/').filter(|part| !part.is_empty()));
        parts.map_or(0, |parts| parts.count() as u32)
    }
}

/// The form under which two addresses are the same.
fn normal(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.normal())
}
