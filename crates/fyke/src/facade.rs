//! A collection for programs: open, crawl, search, document, why, export.

use crate::{Card, Config, Document, Life, Results, Summary};
use anyhow::Context as _;
use fyke_crawl::{Control, crawl_web};
use fyke_derive::asked::similar;
use fyke_index::{Index, SearchOptions};
use fyke_stages::config::{load, seed_url};
use fyke_stages::export::{self, ExportFilter, ExportOptions, ExportTarget, FORMATS};
use fyke_stages::life::{self, LifeOutlook};
use fyke_stages::{search, show};
use fyke_store::{Collection, Reader, View};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// A collection's folder with its settings. It holds no lock: other processes may crawl and serve the same
/// folder, and what they commit is seen by the next call.
#[derive(Debug)]
pub struct OpenCollection {
    root: PathBuf,
    config: Config,
    reader: Reader,
    index: Index,
    options: SearchOptions,
}

/// Opens the collection in a folder with a `fyke.toml`. Settings come from that file and from variables as
/// `FYKE_BUDGET_PAGES`, as for the command line.
///
/// # Errors
/// When there is no collection, something is wrong with its settings, or it cannot be read.
pub fn open(folder: impl AsRef<Path>) -> anyhow::Result<OpenCollection> {
    let root = folder.as_ref().to_owned();
    let reader = Collection::reader(&root)?;
    let text = |s: std::ffi::OsString| s.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    let config = load(Some(&root), variables, &[])?.config;
    let (index, options) = (search::index(&root, &config)?, search::options(&config)?);
    Ok(OpenCollection { root, config, reader, index, options })
}

impl OpenCollection {
    /// The settings in force.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Crawls until the budget is used up or nothing is left, and brings documents, derivations and index up to
    /// date. A later call goes on where this one stopped.
    ///
    /// # Errors
    /// When another process writes the collection, when there is no seed or no contact for hosts outside this
    /// machine, and trouble with the disk.
    pub fn crawl(&self) -> anyhow::Result<Summary> {
        let options = fyke_stages::crawl_options(&self.config)?;
        let collection = fyke_stages::open(&self.root, &self.config)?;
        collection.captures.set_operator(&self.config.collection.contact);
        let runtime = Runtime::new()?;
        let mut unwatched = |_: &_| ();
        let crawl = crawl_web(&collection, &options, &mut unwatched, Control::new());
        let done = runtime.block_on(crawl);
        // Whatever ended the crawl, what came before is worth having.
        fyke_stages::run(&collection, &self.config, &mut |_| ())?;
        collection.settle()?;
        Ok(done?)
    }

    /// The ten best documents for a query in the language of `fyke search`. No query is an error.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(&self, query: &str) -> anyhow::Result<Results> {
        Ok(search::search(&self.index, query, &self.options)?)
    }

    /// The document made of a URL, which may be written as people type it; none when there is none.
    ///
    /// # Errors
    /// When the text is no URL, or the collection cannot be read.
    pub fn document(&self, url: &str) -> anyhow::Result<Option<Document>> {
        Ok(similar::document(&*self.view()?, &seed_url(url)?, url)?)
    }

    /// The whole life of a URL: where it was found, why it is in or out, where it is stored; none when it was
    /// never seen.
    ///
    /// # Errors
    /// When the text is no URL, or the collection cannot be read.
    pub fn why(&self, url: &str) -> anyhow::Result<Option<Life>> {
        let per_host_pages = self.config.budget.per_host_pages;
        let outlook = LifeOutlook { now: show::now(), per_host_pages };
        Ok(life::typed(&*self.view()?, &seed_url(url)?, url, outlook)?)
    }

    /// Writes the kept documents to a file, with a card that describes them beside it. Formats are those of
    /// `fyke export`: jsonl, parquet, text, trec, warc.
    ///
    /// # Errors
    /// When there is no such format, and trouble with the disk.
    pub fn export(&self, format: &str, file: impl AsRef<Path>) -> anyhow::Result<Card> {
        let format = FORMATS.iter().find(|row| row.name == format);
        let format = format.context("no such format; see FORMATS of fyke_stages::export")?;
        let filter = ExportFilter::parse("", &search::word_rules(&self.root, &self.config)?)
            .map_err(anyhow::Error::msg)?;
        let filter = &filter;
        let options =
            ExportOptions { format, filter, duplicates: false, private: false, gzip: false };
        let target = ExportTarget::File(file.as_ref().to_owned());
        export::export(&*self.view()?, &self.config, &options, &target, &mut |_| ())
    }

    /// The collection as it stands now.
    fn view(&self) -> anyhow::Result<Arc<View>> {
        self.reader.refresh()?;
        Ok(self.reader.view())
    }
}
