//! The links between documents as a graph: documents are its pages, copies and redirects give what comes
//! to them to what stands for them. Links that say nofollow or stand in comments do not count, nor those of a page
//! to itself.

use super::Observe;
use crate::whole::sites::Sites;
use crate::whole::twins::TWINS;
use fyke_learn::Graph;
use fyke_store::{StoreError, StoredLink, View};
use fyke_web::UrlId;
use std::collections::HashMap;

/// Steps from a link to the document that it leads to: redirects and copies.
const MOST_STEPS: u32 = 16;

/// The documents that are no copies, with their links.
pub struct LinkGraph {
    /// By id; their places are the graph's pages.
    pub ids: Vec<UrlId>,
    /// Numbers of their registrable domains, and how many there are.
    pub domains: Vec<u32>,
    pub sites: u32,
    pub graph: Graph,
    /// Links to what is no document.
    pub dangling: u64,
    /// Links that say nofollow.
    pub nofollow: u64,
    /// Other links that stand in comments.
    pub comments: u64,
}

impl LinkGraph {
    pub fn read(collection: &View, observe: Observe<'_>) -> Result<LinkGraph, StoreError> {
        let stand_in = Stands::read(collection)?;
        let mut ids = Vec::new();
        for id in collection.documents.ids() {
            let id = id?;
            if !stand_in.copies.contains_key(&id) {
                ids.push(id);
            }
        }
        let (domains, sites) = number(ids.iter().map(|id| stand_in.sites.domain(*id)));
        let (graph, dangling, nofollow, comments) = (Graph::default(), 0, 0, 0);
        let mut links = LinkGraph { ids, domains, sites, graph, dangling, nofollow, comments };
        for page in collection.documents.all_links() {
            let (id, targets) = page?;
            let Some(place) = links.place(id) else { continue };
            links.nofollow += targets.iter().filter(|link| link.nofollow).count() as u64;
            let is_comment = |link: &&StoredLink| !link.nofollow && !link.vouches();
            links.comments += targets.iter().filter(is_comment).count() as u64;
            let mut inside = Vec::with_capacity(targets.len());
            for link in targets.iter().filter(|link| link.vouches()) {
                match stand_in.steps(link.target).find_map(|id| links.place(id)) {
                    Some(target) if target == place => {}
                    Some(target) => inside.push(target),
                    None => links.dangling += 1,
                }
            }
            links.graph.push(inside);
            if links.graph.pages().is_multiple_of(256) {
                observe(links.graph.pages() as u64, Some(links.ids.len() as u64));
            }
        }
        Ok(links)
    }

    /// The page of the graph that this document is.
    pub fn place(&self, id: UrlId) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(|place| place as u32)
    }

    /// The sites of the pages, where there are several: links between them say more.
    pub fn hosts(&self) -> &[u32] {
        if self.sites > 1 { &self.domains } else { &[] }
    }
}

/// What stands for what.
struct Stands {
    sites: Sites,
    copies: HashMap<UrlId, UrlId>,
}

impl Stands {
    fn read(collection: &View) -> Result<Stands, StoreError> {
        let twins = collection.cells().all(&TWINS);
        let copies = twins.map(|twin| twin.map(|(id, twin)| (id, twin.of)));
        let copies = copies.collect::<Result<_, _>>()?;
        Ok(Stands { sites: Sites::read(collection)?, copies })
    }

    /// A URL and what stands for it, one after the other.
    fn steps(&self, id: UrlId) -> impl Iterator<Item = UrlId> {
        let next =
            |id: &UrlId| self.copies.get(id).or_else(|| self.sites.redirects.get(id)).copied();
        std::iter::successors(Some(id), next).take(MOST_STEPS as usize)
    }
}

/// Numbers for what is equal, in the order in which they come; and how many.
fn number(values: impl Iterator<Item = u64>) -> (Vec<u32>, u32) {
    let mut known: HashMap<u64, u32> = HashMap::new();
    let mut number = |value| {
        let next = known.len() as u32;
        *known.entry(value).or_insert(next)
    };
    let numbers = values.map(&mut number).collect();
    (numbers, known.len() as u32)
}
