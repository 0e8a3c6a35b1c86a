//! The engines of the lab, and the web whose pages they hold: of a collection a page is read as it was captured,
//! any other is asked for politely, with robots.txt, gaps and limits as a crawl has them, and kept on disk, so
//! that a study which is begun again asks for nothing twice.

use super::kept::KeptPages;
use super::{AddressAnswer, SizeWorld, SizedPage, normal};
use crate::engine::{Engine, EngineAddress, KnownEngine, PageAsker};
use fyke_derive::{Derived, derive};
use fyke_learn::size::EngineSide;
use fyke_stages::config::Config;
use fyke_stages::show;
use fyke_store::{Collection, Reason, StoreError, View};
use fyke_web::html::{HtmlToken, Scanner, name};
use fyke_web::{Capture, Url};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Redirects that are followed.
const MOST_HOPS: usize = 10;
/// Words and links of a page that are looked at.
const MOST_WORDS: usize = 20_000;
const MOST_LINKS: usize = 300;
/// Pages that are held.
const MOST_HELD: usize = 20_000;

/// One of two engines.
#[derive(Debug)]
pub struct SizeEngines {
    pub known: KnownEngine,
    /// Where it is asked; none for a collection.
    pub url: Option<Url>,
    /// Its folder, if it is a collection.
    view: Option<Arc<View>>,
    pub asked: u64,
}

impl SizeEngines {
    /// An engine that was opened, with its answers kept in a folder.
    ///
    /// # Errors
    /// When a collection or the answers cannot be read.
    pub fn new(address: &EngineAddress, known: KnownEngine) -> anyhow::Result<SizeEngines> {
        let url = address.url()?;
        let view = match url {
            None => Some(Collection::reader(Path::new(&address.from))?.view()),
            Some(_) => None,
        };
        Ok(SizeEngines { known, url, view, asked: 0 })
    }

    /// Pages that it holds, where they can be counted.
    ///
    /// # Errors
    /// When the collection cannot be read.
    pub fn pages(&self) -> Result<Option<u64>, StoreError> {
        let count = |view: &Arc<View>| {
            let counts = fyke_stages::reasons::counts(view)?;
            Ok(counts.get(&Reason::Kept).copied().unwrap_or(0))
        };
        self.view.as_ref().map(count).transpose()
    }

    /// The texts of a collection's documents.
    pub fn texts(&self) -> impl Iterator<Item = Result<String, StoreError>> + '_ {
        let documents = self.view.iter().flat_map(|view| view.documents.all());
        documents.map(|document| document.map(|document| document.text))
    }
}

/// Engines and web.
#[derive(Debug)]
pub struct WebOfSize {
    pub engines: [SizeEngines; 2],
    config: Config,
    runtime: Runtime,
    pages: HashMap<String, Option<Arc<SizedPage>>>,
    kept: KeptPages,
    askers: HashMap<String, PageAsker>,
    /// Pages that were asked for.
    pub fetched: u64,
}

impl WebOfSize {
    /// Two engines, with the pages that were fetched before in a folder.
    ///
    /// # Errors
    /// When these cannot be read.
    pub fn new(
        engines: [SizeEngines; 2],
        folder: &Path,
        config: Config,
        runtime: Runtime,
    ) -> anyhow::Result<WebOfSize> {
        let (pages, askers) = (HashMap::new(), HashMap::new());
        let kept = KeptPages::open(&folder.join("pages.jsonl"))?;
        Ok(WebOfSize { engines, config, runtime, pages, kept, askers, fetched: 0 })
    }

    /// Loopback addresses with the names of hosts that the settings put there.
    fn names(&self, at: Ipv4Addr) -> Vec<(String, SocketAddr)> {
        let hosts = self.config.fetch.hosts.iter();
        let here = hosts.filter(|(_, socket)| socket.ip() == at);
        here.map(|(name, socket)| (name.clone(), *socket)).collect()
    }

    /// A page of a collection, as it was captured.
    fn stored(&self, url: &Url) -> anyhow::Result<Option<SizedPage>> {
        for view in self.engines.iter().filter_map(|engine| engine.view.as_ref()) {
            let mut id = url.id();
            for _ in 0..MOST_HOPS {
                let Some(row) = view.ledger.get(id)? else { break };
                match (row.reason, row.redirect.as_deref().map(Url::parse), row.capture) {
                    (Reason::Redirect, Some(Ok(next)), _) if next.id() != id => id = next.id(),
                    (Reason::Redirect, ..) | (_, _, None) => break,
                    (_, _, Some(place)) => {
                        let capture = view.captures.read(place)?;
                        if let Some(page) = sized(&capture) {
                            return Ok(Some(page));
                        }
                        break;
                    }
                }
            }
        }
        Ok(None)
    }

    /// A page that is asked for, at the end of its redirects.
    fn fetch(&mut self, url: &Url) -> anyhow::Result<Option<SizedPage>> {
        let mut url = url.clone();
        for _ in 0..MOST_HOPS {
            let Some(capture) = self.ask_page(&url)? else { return Ok(None) };
            match capture.redirect() {
                Some(Ok(next)) if next.id() != url.id() => url = next,
                Some(_) => return Ok(None),
                None => return Ok(sized(&capture)),
            }
            // What a collection has of the target is as good.
            if let Some(page) = self.stored(&url)? {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    /// Whether the host of a page allows it.
    fn allows(&mut self, url: &Url) -> anyhow::Result<bool> {
        let (runtime, askers) = (&self.runtime, &mut self.askers);
        let asker = match askers.entry(url.authority().to_owned()) {
            Entry::Occupied(asker) => asker.into_mut(),
            Entry::Vacant(place) => place.insert(PageAsker::new(&self.config, url)?),
        };
        Ok(runtime.block_on(asker.allows(url)))
    }

    /// One request, if robots.txt allows it; the host of an engine gets its gap from both.
    fn ask_page(&mut self, url: &Url) -> anyhow::Result<Option<Capture>> {
        if !self.allows(url)? {
            return Ok(None);
        }
        let authority = url.authority().to_owned();
        let Some(asker) = self.askers.get_mut(&authority) else { return Ok(None) };
        let answer = self.runtime.block_on(asker.get(url));
        self.fetched += u64::from(answer.is_some());
        for engine in &mut self.engines {
            if engine.url.as_ref().is_some_and(|url| url.authority() == authority) {
                engine.known.engine.hold();
            }
        }
        Ok(answer)
    }
}

impl SizeWorld for WebOfSize {
    fn ask(
        &mut self,
        side: EngineSide,
        words: &[&str],
        depth: usize,
    ) -> anyhow::Result<Vec<String>> {
        let engine = &mut self.engines[usize::from(side == EngineSide::Second)];
        let is_own = engine.known.engine.is_own();
        // Words in quotes are asked for as they stand.
        let shown = |word: &&str| if is_own { format!("\"{word}\"") } else { (*word).to_owned() };
        let query = words.iter().map(shown).collect::<Vec<_>>().join(" ");
        if is_own {
            engine.asked += 1;
            return self.runtime.block_on(engine.known.engine.ask(&query, depth));
        }
        let asked = engine.known.ask(&query, depth, show::now());
        let (hits, was_known) = self.runtime.block_on(asked)?;
        engine.asked += u64::from(!was_known);
        let host = engine.url.as_ref().map(|url| url.authority().to_owned());
        if let Some(asker) = host.and_then(|host| self.askers.get_mut(&host)) {
            asker.hold();
        }
        Ok(hits)
    }

    fn page(&mut self, url: &str) -> anyhow::Result<Option<Arc<SizedPage>>> {
        let Ok(parsed) = Url::parse(url) else { return Ok(None) };
        let key = normal(url);
        if let Some(page) = self.pages.get(&key) {
            return Ok(page.clone());
        }
        let page = match self.stored(&parsed)? {
            Some(page) => Some(page),
            None => match self.kept.get(&key) {
                Some(page) => page,
                None => {
                    let page = self.fetch(&parsed)?;
                    self.kept.keep(&key, page.as_ref())?;
                    page
                }
            },
        };
        let page = page.map(Arc::new);
        if self.pages.len() >= MOST_HELD {
            self.pages.clear();
        }
        self.pages.insert(key, page.clone());
        Ok(page)
    }

    fn address(&mut self, at: u64) -> anyhow::Result<AddressAnswer> {
        let at = Ipv4Addr::new(127, 0, 0, u8::try_from(at + 1).unwrap_or(u8::MAX));
        let mut roots = Vec::new();
        let mut other = AddressAnswer::Empty;
        for (name, _) in self.names(at) {
            let root = Url::parse(&format!("http://{name}/"))?;
            if !self.allows(&root)? {
                other = AddressAnswer::Excluded;
                continue;
            }
            match self.ask_page(&root)? {
                None => {}
                Some(answer) if matches!(answer.status, 401 | 403) => other = AddressAnswer::Closed,
                Some(answer) if answer.status < 500 => roots.push(root.as_str().to_owned()),
                Some(_) => {}
            }
        }
        Ok(if roots.is_empty() { other } else { AddressAnswer::Servers(roots) })
    }
}

/// A capture as the methods see it; none of an error page, or what has no text.
fn sized(capture: &Capture) -> Option<SizedPage> {
    let Derived { page, document, .. } = derive(capture);
    let (page, document) = (page?, document?);
    let mut words = Vec::new();
    for text in [&document.title, &document.text] {
        fyke_text::each_form(text, |word| {
            if words.len() < MOST_WORDS {
                words.push(word.to_owned());
            }
        });
    }
    let follows = !page.nofollow;
    let links = page.links.iter().filter(|link| follows && !link.nofollow);
    let (has_meta, has_dublin_core) = meta(&page.content);
    Some(SizedPage {
        url: capture.url.as_str().to_owned(),
        sketch: fyke_text::sketch(&words.join(" ")),
        words,
        links: links.map(|link| link.url.as_str().to_owned()).take(MOST_LINKS).collect(),
        has_meta,
        has_dublin_core,
    })
}

/// Whether a page names keywords or a description, and Dublin Core.
fn meta(content: &str) -> (bool, bool) {
    let (mut has_meta, mut has_dublin_core) = (false, false);
    for token in Scanner::new(content) {
        let HtmlToken::Start(tag) = token else { continue };
        if tag.name != name("meta") {
            continue;
        }
        let Some(of) = tag.attribute("name").map(|name| name.trim().to_ascii_lowercase()) else {
            continue;
        };
        has_meta |= matches!(of.as_str(), "keywords" | "description");
        has_dublin_core |= of.starts_with("dc.") || of.starts_with("dcterms.");
    }
    (has_meta, has_dublin_core)
}

impl Engine {
    /// Keeps its gap from now on: its host was just asked for a page.
    fn hold(&mut self) {
        if let Engine::Remote(remote) = self {
            remote.hold();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_tags_are_told_apart() {
        let check = |content: &str, expected| assert_eq!(meta(content), expected, "{content}");
        check("<meta name=Keywords content=x>", (true, false));
        check("<meta name='DC.title' content=x><p>keywords", (false, true));
        check("<meta name=viewport>", (false, false));
    }
}
