//! What requests are answered from. A request sees one edition of the collection, whole: a state of the
//! folder and the index that goes with it. While another process writes, a thread looks for newer states
//! and puts them in the place of the one before; requests under way keep theirs.

use super::answer::RequestTrouble;
use super::beside::{self, CrawlOrder};
use super::told::CrawlReport;
use super::{Live, PrivateShown, announce, lab, orders, private, push, turns};
use anyhow::Result;
use axum::extract::FromRef;
use fyke_index::{Index, IndexError, Results, SearchOptions};
use fyke_lab::searches::Searches;
use fyke_stages::config::Config;
use fyke_stages::corpus::Corpus;
use fyke_stages::reasons::ReasonMoves;
use fyke_stages::search;
use fyke_store::{Collection, Reader, View};
use fyke_web::UrlId;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Pages that may listen at once.
const LISTENERS: usize = 16;
/// How often a newer state is looked for.
const EVERY: Duration = Duration::from_millis(500);

/// One state of the collection with its index.
#[derive(Debug)]
pub struct Edition {
    view: Arc<View>,
    index: Index,
    /// What analysis found out of it, once somebody asked.
    pub found_out: OnceLock<ReasonMoves>,
}

impl Edition {
    fn new(view: Arc<View>, index: Index) -> Arc<Edition> {
        Arc::new(Edition { view, index, found_out: OnceLock::new() })
    }
}

/// What all requests share, whatever edition they see.
#[derive(Debug)]
pub struct Common {
    /// The collection's name, the title of every page.
    pub name: String,
    root: PathBuf,
    /// How searches are made, unless they say otherwise.
    pub options: SearchOptions,
    pub per_host_pages: u64,
    /// For the requests that are worked on.
    pub places: Arc<Semaphore>,
    /// For those of them that search.
    pub searching: Arc<Semaphore>,
    /// The settings of the collection, as they were when the site was opened.
    pub config: Config,
    /// The figures of the corpus that were made last, and for what.
    pub measured: Mutex<Option<(String, Corpus)>>,
    /// Held by who learns topics.
    pub learning: Mutex<()>,
    /// The crawl that this process runs, and the collection it writes.
    pub live: Option<Arc<Live>>,
    writer: Option<Arc<Collection>>,
    /// The log of searches, if one is kept.
    pub searches: Option<Searches>,
    pub lab: lab::Lab,
    /// What hubs may bring at once.
    pub(crate) hubs: push::HubLimits,
    /// Our own feeds that are read.
    pub(crate) feeds: announce::WatchedFeeds,
    /// A place for each page that listens to the crawl.
    pub listeners: Arc<Semaphore>,
    /// To whom private documents are shown, and whether those who ask are others.
    pub(crate) private: PrivateShown,
    pub(crate) is_for_others: bool,
    /// Whether it is reached from other machines: then it is shown as visitors see it.
    pub(crate) is_for_visitors: bool,
}

/// The site as one request sees it.
#[derive(Debug)]
pub struct Site {
    service: Service,
    pub edition: Arc<Edition>,
}

impl Deref for Site {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.service.common
    }
}

impl Site {
    /// Has what was just written be seen by the requests that come now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn renew(&self) -> Result<()> {
        let Service { followed, newest, .. } = &self.service;
        followed.as_ref().map_or(Ok(()), |followed| renew(followed, newest))
    }

    pub fn view(&self) -> &View {
        &self.edition.view
    }

    pub fn index(&self) -> &Index {
        &self.edition.index
    }

    /// Searches in the state that this request sees.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(&self, words: &str, options: &SearchOptions) -> Result<Results, IndexError> {
        let query = self.index().query(words);
        if !self.hides_private() {
            return self.index().search(&query, options);
        }
        let mut results = self.index().search(&search::public(query), options)?;
        // The index may be older than the documents. What cannot be read is not shown.
        let found = results.hits.len();
        results.hits.retain(|hit| !private::is_private(self, UrlId(hit.id)).unwrap_or(true));
        results.total = results.total.saturating_sub(found - results.hits.len());
        Ok(results)
    }

    /// Whether there may be private documents, and they are kept from who asks.
    pub(crate) fn hides_private(&self) -> bool {
        self.is_for_others && self.view().may_have_private()
    }

    /// What a crawl tells of itself, in this process or in another; none when none runs.
    pub fn told(&self) -> Option<CrawlReport> {
        match &self.live {
            Some(live) => Some(CrawlReport::of(live, live.hosts())),
            None => beside::told(&self.root),
        }
    }

    /// What orders to a crawl must carry; none where none are taken.
    pub(crate) fn order_token(&self) -> Option<&str> {
        self.lab.own_token()
    }

    /// Gives an order to the crawl.
    ///
    /// # Errors
    /// When the order makes no sense, or the folder cannot be written.
    pub fn order(&self, order: &CrawlOrder) -> Result<(), RequestTrouble> {
        match &self.live {
            Some(live) => orders::obeyed(&live.control, order),
            None => Ok(beside::send(&self.root, order)?),
        }
    }

    /// Whether somebody listens to the crawl.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.listeners.available_permits() < LISTENERS
    }

    /// The collection to be written: that of this process, or opened for as long as it is held.
    ///
    /// # Errors
    /// When another process writes it.
    pub fn writer(&self) -> Result<Arc<Collection>, fyke_store::StoreError> {
        match &self.writer {
            Some(collection) => Ok(Arc::clone(collection)),
            None => Collection::open(&self.root).map(Arc::new),
        }
    }
}

/// The site with its newest edition.
#[derive(Clone, Debug)]
pub struct Service {
    common: Arc<Common>,
    newest: Arc<Mutex<Arc<Edition>>>,
    followed: Option<Arc<Followed>>,
}

/// The collection that another process may write, and its index.
#[derive(Debug)]
struct Followed {
    reader: Reader,
    index: Index,
}

impl FromRef<Service> for Arc<Site> {
    fn from_ref(service: &Service) -> Arc<Site> {
        let edition = Arc::clone(&locked(&service.newest));
        Arc::new(Site { service: service.clone(), edition })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Service {
    /// The site of a collection that this process writes, as it stands at each moment.
    ///
    /// # Errors
    /// When the settings or the lab's files are wrong.
    pub fn of_writer(
        config: &Config,
        collection: &Arc<Collection>,
        index: Index,
        live: Option<Arc<Live>>,
    ) -> Result<Service> {
        let index = index.searched_by(search::word_rules(collection.root(), config)?);
        let edition = Edition::new(collection.view(), index);
        let common = Common { live, ..Common::new(config, collection.root())? };
        let common = Common { writer: Some(Arc::clone(collection)), ..common };
        Ok(Service::new(common, edition, None))
    }

    /// The site of a collection that another process may write.
    ///
    /// # Errors
    /// When it cannot be read, or the settings or the lab's files are wrong.
    pub fn of_reader(config: &Config, reader: Reader) -> Result<Service> {
        let common = Common::new(config, reader.view().root())?;
        let index = search::index(reader.view().root(), config)?;
        let pinned = index.pinned()?;
        reader.refresh()?;
        let edition = Edition::new(reader.view(), pinned);
        Ok(Service::new(common, edition, Some(Arc::new(Followed { reader, index }))))
    }

    fn new(common: Common, edition: Arc<Edition>, followed: Option<Arc<Followed>>) -> Service {
        let newest = Arc::new(Mutex::new(edition));
        Service { common: Arc::new(common), newest, followed }
    }

    /// The same after a change of what all requests share; nobody may be served yet.
    pub(crate) fn with(
        mut self,
        change: impl FnOnce(&mut Common) -> Result<()>,
    ) -> Result<Service> {
        if let Some(common) = Arc::get_mut(&mut self.common) {
            change(common)?;
        }
        Ok(self)
    }

    /// The same, taking judgements from whoever can reach it.
    ///
    /// # Errors
    /// None that is known.
    pub fn judged_by_all(self) -> Result<Service> {
        self.with(|common| {
            common.lab.is_open = true;
            Ok(())
        })
    }

    /// The same, where private documents are shown to these.
    ///
    /// # Errors
    /// None that is known.
    pub fn private_shown(self, shown: PrivateShown) -> Result<Service> {
        self.with(|common| {
            common.private = shown;
            Ok(())
        })
    }

    /// Looks for newer states from now on, until the service is gone.
    pub fn follow(&self) {
        let Some(followed) = self.followed.clone() else { return };
        let newest = Arc::downgrade(&self.newest);
        std::thread::spawn(move || {
            while let Some(step) = follow_once(&followed, &newest) {
                if let Err(error) = step {
                    let error = format!("{error:#}");
                    tracing::warn!(
                        error,
                        "the newest state could not be read; the one before is shown"
                    );
                }
                std::thread::sleep(EVERY);
            }
        });
    }
}

/// Puts a newer state in place, if there is one; none when nobody wants it any more.
fn follow_once(followed: &Followed, newest: &Weak<Mutex<Arc<Edition>>>) -> Option<Result<()>> {
    let newest = newest.upgrade()?;
    Some(renew(followed, &newest))
}

/// The index first: all that it speaks of stands in the state that is read after it.
fn renew(followed: &Followed, newest: &Mutex<Arc<Edition>>) -> Result<()> {
    let index = followed.index.pinned()?;
    let is_other = !index.is_as(&locked(newest).index);
    if followed.reader.refresh()? || is_other {
        *locked(newest) = Edition::new(followed.reader.view(), index);
    }
    Ok(())
}

impl Common {
    fn new(config: &Config, root: &Path) -> Result<Common> {
        Ok(Common {
            searches: Searches::open(root, config),
            lab: lab::Lab::open(root)?,
            name: config.collection.name.clone(),
            root: root.to_owned(),
            options: search::options(config)?,
            per_host_pages: config.budget.per_host_pages,
            places: Arc::new(Semaphore::new(turns::places())),
            searching: Arc::new(Semaphore::new(turns::searches())),
            config: config.clone(),
            measured: Mutex::default(),
            learning: Mutex::default(),
            live: None,
            hubs: push::HubLimits::default(),
            feeds: announce::WatchedFeeds::default(),
            writer: None,
            listeners: Arc::new(Semaphore::new(LISTENERS)),
            private: PrivateShown::default(),
            is_for_others: false,
            is_for_visitors: false,
        })
    }
}
