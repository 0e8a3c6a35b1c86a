//! A model of two engines over the documents of a pond: the pond is crawled in memory, link by link, each engine
//! holds some of its pages, ranks by links, and may hold only the first words, another form of an address, or a
//! near-copy. What each holds is known, and queries cost nothing, so that a hundred ponds can be asked.

use fyke_lab::size::{AddressAnswer, SizeWorld, SizedPage};
use fyke_learn::size::EngineSide;
use fyke_pond::{Hazards, Pond, Size};
use fyke_web::Url;
use fyke_web::html::{HtmlToken, Scanner, name};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

/// Pages of a pond that are crawled.
const MOST_PAGES: usize = 4_000;

/// A page of the pond.
#[derive(Clone, Debug)]
pub(super) struct ModelPage {
    pub page: Arc<SizedPage>,
    pub host: String,
    /// Links from the seeds to it.
    pub depth: usize,
    /// Pages that link to it.
    pub in_links: usize,
}

/// The web: all pages that links lead to, in the order of a crawl, breadth first.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelWeb {
    pub pages: Vec<ModelPage>,
    by_url: HashMap<String, Arc<SizedPage>>,
    hosts: Vec<String>,
}

impl ModelWeb {
    /// Crawls the pond of a seed.
    pub(super) fn crawl(seed: u64) -> ModelWeb {
        let pond = Pond::new(seed, Size::default(), Hazards::none());
        let mut web = ModelWeb::default();
        let mut depths: HashMap<String, usize> = HashMap::new();
        let mut coming: VecDeque<String> = pond.seeds().into();
        depths.extend(coming.iter().map(|url| (url.clone(), 0)));
        let mut in_links: HashMap<String, usize> = HashMap::new();
        while let Some(url) = coming.pop_front() {
            if web.pages.len() >= MOST_PAGES {
                break;
            }
            let Ok(parsed) = Url::parse(&url) else { continue };
            let Some(page) = pond.page(parsed.host(), parsed.path_and_query()) else { continue };
            let text = page.main_text();
            let depth = depths[&url];
            let html = String::from_utf8_lossy(&page.html).into_owned();
            let links = links(&html, &parsed);
            for link in &links {
                *in_links.entry(link.clone()).or_default() += 1;
                if !depths.contains_key(link) {
                    depths.insert(link.clone(), depth + 1);
                    coming.push_back(link.clone());
                }
            }
            let page = Arc::new(sized(&url, &format!("{} {text}", page.title), links));
            web.by_url.insert(url, page.clone());
            web.pages.push(ModelPage { page, host: parsed.host().to_owned(), depth, in_links: 0 });
        }
        for page in &mut web.pages {
            page.in_links = in_links.get(&page.page.url).copied().unwrap_or(0);
        }
        let hosts: std::collections::BTreeSet<&String> =
            web.pages.iter().map(|page| &page.host).collect();
        web.hosts = hosts.into_iter().cloned().collect();
        web
    }

    /// A near-copy of a page on a mirror, as a page of the web.
    pub(super) fn mirror(&mut self, of: &SizedPage) -> Arc<SizedPage> {
        let url = of.url.replacen("http://", "http://mirror.", 1);
        let text = format!("{} copied", of.words.join(" "));
        let page = Arc::new(sized(&url, &text, Vec::new()));
        self.by_url.insert(url, page.clone());
        page
    }

    /// The same page under another form of its address.
    pub(super) fn other_form(&mut self, of: &Arc<SizedPage>) -> String {
        let url = of.url.replacen(".test/", ".test:80/", 1);
        self.by_url.insert(url.clone(), of.clone());
        url
    }

    pub(super) fn hosts(&self) -> &[String] {
        &self.hosts
    }
}

fn sized(url: &str, text: &str, links: Vec<String>) -> SizedPage {
    let mut words = Vec::new();
    fyke_text::each_form(text, |word| words.push(word.to_owned()));
    let sketch = fyke_text::sketch(&words.join(" "));
    SizedPage { url: url.to_owned(), words, sketch, links, ..SizedPage::default() }
}

/// Links of a page to pages of the pond, each once.
fn links(html: &str, url: &Url) -> Vec<String> {
    let mut found: BTreeMap<String, ()> = BTreeMap::new();
    for token in Scanner::new(html) {
        let HtmlToken::Start(tag) = token else { continue };
        if tag.name != name("a") {
            continue;
        }
        let target = tag.attribute("href").and_then(|href| url.join(href.trim()).ok());
        if let Some(target) = target.filter(|target| target.host().ends_with(".test")) {
            found.insert(target.as_str().to_owned(), ());
        }
    }
    found.into_keys().collect()
}

/// What an engine holds of a page.
#[derive(Clone, Debug)]
pub(super) struct HeldPage {
    /// Under which address.
    pub url: String,
    pub page: Arc<SizedPage>,
    pub rank: usize,
}

/// An engine: for each word the pages that have it, the best first.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelEngine {
    pub held: Vec<HeldPage>,
    postings: HashMap<String, Vec<u32>>,
}

impl ModelEngine {
    /// Holds so many words of each of these pages.
    pub(super) fn new(mut held: Vec<HeldPage>, first_words: usize) -> ModelEngine {
        held.sort_by(|a, b| b.rank.cmp(&a.rank).then_with(|| a.url.cmp(&b.url)));
        let mut postings: HashMap<String, Vec<u32>> = HashMap::new();
        for (at, page) in held.iter().enumerate() {
            for word in page.page.words.iter().take(first_words) {
                let list = postings.entry(word.clone()).or_default();
                if list.last() != Some(&(at as u32)) {
                    list.push(at as u32);
                }
            }
        }
        ModelEngine { held, postings }
    }

    fn ask(&self, words: &[&str], depth: usize) -> Vec<String> {
        let mut lists: Vec<&[u32]> = Vec::new();
        for word in words {
            match self.postings.get(*word) {
                Some(list) => lists.push(list),
                None => return Vec::new(),
            }
        }
        lists.sort_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else { return Vec::new() };
        let in_all = |at: &&u32| others.iter().all(|list| list.binary_search(at).is_ok());
        let found = shortest.iter().filter(in_all).take(depth);
        found.map(|at| self.held[*at as usize].url.clone()).collect()
    }
}

/// Two engines and the web.
pub(super) struct ModelWorld<'w> {
    pub web: &'w ModelWeb,
    pub engines: [ModelEngine; 2],
}

impl SizeWorld for ModelWorld<'_> {
    fn ask(
        &mut self,
        side: EngineSide,
        words: &[&str],
        depth: usize,
    ) -> anyhow::Result<Vec<String>> {
        Ok(self.engines[usize::from(side == EngineSide::Second)].ask(words, depth))
    }

    fn page(&mut self, url: &str) -> anyhow::Result<Option<Arc<SizedPage>>> {
        Ok(self.web.by_url.get(url).cloned())
    }

    fn address(&mut self, at: u64) -> anyhow::Result<AddressAnswer> {
        let host = usize::try_from(at).ok().and_then(|at| self.web.hosts.get(at));
        Ok(host.map_or(AddressAnswer::Empty, |host| {
            AddressAnswer::Servers(vec![format!("http://{host}/")])
        }))
    }
}
