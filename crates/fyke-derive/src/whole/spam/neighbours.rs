//! What links say of spam (001 "Link spamming": mutual admiration societies, domain flooding; "guilt by association"):
//! trust that flows from good seeds, distrust that flows back from known spam, links that are given for links, dense
//! parts of the graph of hosts, and links that readers set.

use super::KnownSpam;
use crate::page::print::PRINTS;
use crate::table::{Derivation, DeriveSettings, Tier};
use crate::whole::WholeRun;
use crate::whole::graph::LinkGraph;
use fyke_learn::{Graph, InLinks, PageRank};
use fyke_store::{Cells, Column, StoreError};
use fyke_web::{LinkKind, UrlId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub const ROW: Derivation = Derivation {
    name: "spam.links",
    what: "what links and copied phrases say of spam: trust, distrust, exchange, farms",
    code: 41,
    version: 2,
    reads: &[],
    late: &["print", "evidence", "twins"],
    writes: &[LINK_EVIDENCE.declaration()],
    facts: &[],
    settings: |settings: &DeriveSettings| format!("{:?}", settings.spam),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

/// The numbers of a document, in the order of [`LINK_NUMBERS`].
pub const LINK_EVIDENCE: Column<Vec<f32>> = Column::new("spam.links", 1);

/// Each number: its name, and what a page does of which it is large.
pub const LINK_NUMBERS: &[(&str, &str)] = &[
    ("exchange", "links to pages of other domains that link back"),
    ("farm", "is linked to by domains that all link to each other"),
    ("flood", "is one of many small domains with one target"),
    ("no-trust", "is linked to by nobody that is trusted"),
    ("distrust", "links to known spam"),
    ("comments", "is linked to by comments of strangers only"),
    ("copied", "is put together from pages of other domains"),
    ("stitched", "joins words as other pages do, and says nothing"),
    ("host", "stands on a host whose other pages do such things"),
];

/// Neighbours of a domain that are compared with one another.
const MOST_NEIGHBOURS: usize = 40;
/// A domain of so many pages is small.
const SMALL: u32 = 3;
/// Domains that must share a target before it is a flood.
const FLOOD: usize = 6;

fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let links = LinkGraph::read(run.view, run.observe)?;
    let mut table = EvidenceTable::new(links.ids.len());
    let domains = Domains::of(&links);
    exchange(&links, &mut table);
    dense_parts(&links, &domains, &mut table);
    floods(&links, &domains, &mut table);
    let told = told(&run.settings.spam, run.cells, &links)?;
    trust(&links, &seeds(run, &links, &told)?, &mut table);
    distrust(&links, &told, &mut table);
    comments(run, &links, &mut table)?;
    super::phrases::find(run, &links, &mut table)?;
    hosts(run, &links, &mut table)?;
    let cells = links.ids.iter().zip(table.rows).map(|(id, row)| Ok((*id, row)));
    run.batch.replace(&LINK_EVIDENCE, cells)
}

/// A row of numbers for each document.
pub(super) struct EvidenceTable {
    rows: Vec<Vec<f32>>,
}

impl EvidenceTable {
    fn new(documents: usize) -> EvidenceTable {
        EvidenceTable { rows: vec![vec![0.0; LINK_NUMBERS.len()]; documents] }
    }

    pub(super) fn set(&mut self, document: usize, name: &str, value: f32) {
        if let Some(at) = LINK_NUMBERS.iter().position(|row| row.0 == name) {
            self.rows[document][at] = value.clamp(0.0, 4.0);
        }
    }
}

/// The graph of domains.
struct Domains {
    /// Documents of each.
    pages: Vec<u32>,
    out: Graph,
    into: InLinks,
}

impl Domains {
    fn of(links: &LinkGraph) -> Domains {
        let count = links.sites as usize;
        let (mut pages, mut targets) = (vec![0; count], vec![BTreeSet::new(); count]);
        for (page, &domain) in links.domains.iter().enumerate() {
            pages[domain as usize] += 1;
            let others = links.graph.links(page).iter().map(|&to| links.domains[to as usize]);
            targets[domain as usize].extend(others.filter(|&other| other != domain));
        }
        let out: Graph = targets.into_iter().collect();
        let into = InLinks::of(&out);
        Domains { pages, out, into }
    }
}

/// The share of a page's links to other domains that are given back.
fn exchange(links: &LinkGraph, table: &mut EvidenceTable) {
    for (page, domain) in links.domains.iter().enumerate() {
        let foreign =
            links.graph.links(page).iter().filter(|&&to| links.domains[to as usize] != *domain);
        let (mut all, mut back) = (0, 0);
        for &to in foreign {
            all += 1;
            back += u32::from(links.graph.links(to as usize).binary_search(&(page as u32)).is_ok());
        }
        if back >= 2 {
            table.set(page, "exchange", back as f32 / all as f32);
        }
    }
}

/// How many of the domains that link to a domain link to each other.
fn dense_parts(links: &LinkGraph, domains: &Domains, table: &mut EvidenceTable) {
    let dense: Vec<f32> = (0..domains.pages.len()).map(|domain| density(domains, domain)).collect();
    for (page, &domain) in links.domains.iter().enumerate() {
        table.set(page, "farm", dense[domain as usize]);
    }
}

fn density(domains: &Domains, domain: usize) -> f32 {
    let around: Vec<u32> =
        domains.into.links(domain).iter().copied().take(MOST_NEIGHBOURS).collect();
    if around.len() < 4 {
        return 0.0;
    }
    let mut joined = 0;
    for &from in &around {
        let targets = domains.out.links(from as usize);
        joined +=
            around.iter().filter(|to| **to != from && targets.binary_search(to).is_ok()).count();
    }
    let density = joined as f32 / (around.len() * (around.len() - 1)) as f32;
    ((density - 0.25) / 0.5).clamp(0.0, 1.0)
}

/// Small domains that all lead to one domain, and that domain.
fn floods(links: &LinkGraph, domains: &Domains, table: &mut EvidenceTable) {
    let is_small = |domain: u32| domains.pages[domain as usize] <= SMALL;
    let only_target = |domain: u32| match domains.out.links(domain as usize) {
        [target] if is_small(domain) => Some(*target),
        _ => None,
    };
    let mut led: BTreeMap<u32, usize> = BTreeMap::new();
    for domain in 0..domains.pages.len() as u32 {
        if let Some(target) = only_target(domain) {
            *led.entry(target).or_default() += 1;
        }
    }
    led.retain(|_, count| *count >= FLOOD);
    for (page, &domain) in links.domains.iter().enumerate() {
        let leads = only_target(domain).is_some_and(|target| led.contains_key(&target));
        let is_led_to = led
            .get(&domain)
            .is_some_and(|count| 2 * count > domains.into.links(domain as usize).len());
        if leads || is_led_to {
            table.set(page, "flood", 1.0);
        }
    }
}

/// What people say of each page, or else of its host: whether it is spam.
fn told(
    known: &KnownSpam,
    cells: &Cells,
    links: &LinkGraph,
) -> Result<Vec<Option<bool>>, StoreError> {
    let are_hosts_known = !known.spam_hosts.is_empty() || !known.fair_hosts.is_empty();
    let mut told = Vec::with_capacity(links.ids.len());
    for id in &links.ids {
        let print = if are_hosts_known { cells.get(&PRINTS, *id)? } else { None };
        told.push(known.told(*id, print.map(|print| print.host)));
    }
    Ok(told)
}

/// The pages that trust begins with: those that the crawl began with, unless people call them spam, and those that
/// people call fair, or whose hosts they do.
fn seeds(
    run: &WholeRun<'_>,
    links: &LinkGraph,
    told: &[Option<bool>],
) -> Result<Vec<u32>, StoreError> {
    let mut seeds = Vec::new();
    for ((page, id), told) in (0..).zip(&links.ids).zip(told) {
        let is_seed = match told {
            Some(is_spam) => !is_spam,
            None => {
                let row = run.view.ledger.get(*id)?;
                row.is_some_and(|row| row.depth == 0 && row.parent.is_none())
            }
        };
        if is_seed {
            seeds.push(page);
        }
    }
    Ok(seeds)
}

/// TrustRank: a surfer who always comes back to good seeds is hardly found on pages that only spam leads to. Where
/// nearly all pages are seeds, or none is, nothing is known.
fn trust(links: &LinkGraph, seeds: &[u32], table: &mut EvidenceTable) {
    if seeds.is_empty() || seeds.len() * 4 > links.ids.len() {
        return;
    }
    let turned = InLinks::of(&links.graph);
    let trust = PageRank { topic: Some(seeds), tolerance: 1e-9, ..PageRank::default() }.of(&turned);
    for (page, trust) in trust.values.iter().enumerate() {
        // Whoever is linked to at all, but not from anywhere that is trusted.
        if !turned.links(page).is_empty() && *trust < 1e-12 {
            table.set(page, "no-trust", 1.0);
        }
    }
}

/// Anti-TrustRank: distrust flows from known spam back to the pages that lead there.
fn distrust(links: &LinkGraph, told: &[Option<bool>], table: &mut EvidenceTable) {
    let bad = (0..).zip(told).filter(|(_, told)| **told == Some(true));
    let bad: Vec<u32> = bad.map(|(page, _)| page).collect();
    if bad.is_empty() {
        return;
    }
    let back: Graph = {
        let turned = InLinks::of(&links.graph);
        (0..links.ids.len()).map(|page| turned.links(page).to_vec()).collect()
    };
    let topic = PageRank { topic: Some(&bad), tolerance: 1e-9, ..PageRank::default() };
    let ranks = topic.of(&InLinks::of(&back));
    let mean = 1.0 / links.ids.len() as f64;
    for (page, rank) in ranks.values.iter().enumerate() {
        table.set(page, "distrust", (rank / mean / 4.0).min(1.0) as f32);
    }
}

/// Pages that strangers' comments link to, and hardly anybody else of another domain.
fn comments(
    run: &WholeRun<'_>,
    links: &LinkGraph,
    table: &mut EvidenceTable,
) -> Result<(), StoreError> {
    let mut counts: HashMap<u32, (BTreeSet<u32>, u32)> = HashMap::new();
    for page in run.view.documents.all_links() {
        let (id, stored) = page?;
        let Some(from) = links.place(id) else { continue };
        let own = links.domains[from as usize];
        for link in stored {
            let Some(to) = links.place(link.target) else { continue };
            if links.domains[to as usize] == own {
                continue;
            }
            let count = counts.entry(to).or_default();
            match link.kind {
                LinkKind::Comment => _ = count.0.insert(from),
                LinkKind::Content => count.1 += 1,
            }
        }
    }
    for (page, (from, others)) in counts {
        let share = from.len() as f32 / (from.len() as f32 + others as f32);
        if from.len() >= 3 {
            table.set(page as usize, "comments", ((share - 0.4) / 0.5).max(0.0));
        }
    }
    Ok(())
}

/// How many other pages of a host have strong evidence of their own.
fn hosts(
    run: &WholeRun<'_>,
    links: &LinkGraph,
    table: &mut EvidenceTable,
) -> Result<(), StoreError> {
    let mut hosts: HashMap<UrlId, (f32, f32)> = HashMap::new();
    let mut own = Vec::with_capacity(links.ids.len());
    for id in &links.ids {
        let host = run.cells.get(&PRINTS, *id)?.map(|print| print.host);
        let values = run.cells.get(&crate::page::evidence::EVIDENCE, *id)?.unwrap_or_default();
        let strong = values.iter().any(|value| *value >= 0.5);
        let strong = f32::from(u8::from(strong));
        if let Some(host) = host {
            let sum = hosts.entry(host).or_default();
            *sum = (sum.0 + strong, sum.1 + 1.0);
        }
        own.push((host, strong));
    }
    for (page, (host, strong)) in own.into_iter().enumerate() {
        let Some((sum, all)) = host.and_then(|host| hosts.get(&host)) else { continue };
        if *all >= 3.0 {
            table.set(page, "host", (sum - strong) / (all - 1.0));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::print::{Print, host};
    use fyke_store::Collection;

    fn print(url: &str) -> Print {
        let (url, host) = (url.to_owned(), host(url));
        let (language, sketch) = (String::new(), Vec::new());
        Print { url, host, site: 0, language, words: 0, checksum: 0, sketch }
    }

    /// Pages by their ids, each of a domain of its own.
    fn graph(ids: std::ops::Range<u64>, links: Vec<Vec<u32>>) -> LinkGraph {
        let ids: Vec<UrlId> = ids.map(UrlId).collect();
        let (domains, sites) = ((0..ids.len() as u32).collect(), ids.len() as u32);
        let graph = links.into_iter().collect();
        LinkGraph { ids, domains, sites, graph, dangling: 0, nofollow: 0, comments: 0 }
    }

    #[test]
    fn what_people_say_of_hosts_is_said_of_their_pages() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::write(root.path().join("fyke.toml"), "").expect("settings");
        let collection = Collection::open(root.path()).expect("a collection");
        let urls =
            ["http://bad.test/x", "http://bad.test/y", "http://fair.test/", "http://c.test/"];
        let mut batch = collection.cells.batch(0);
        for (id, url) in (0..).zip(urls) {
            batch.put(&PRINTS, UrlId(id), &print(url));
        }
        collection.cells.publish(batch).expect("cells");
        let links = graph(0..5, vec![Vec::new(); 5]);
        let mut known = KnownSpam::default();
        let check = |known: &KnownSpam, expected: [Option<bool>; 5]| {
            let told = told(known, &collection.cells(), &links).expect("cells");
            assert_eq!(told, expected);
        };
        known.spam.insert(UrlId(4));
        check(&known, [None, None, None, None, Some(true)]);
        known.spam_hosts.insert(host("http://bad.test/"));
        known.fair_hosts.insert(host("http://fair.test/"));
        known.fair.insert(UrlId(1));
        check(&known, [Some(true), Some(false), Some(false), None, Some(true)]);
    }

    #[test]
    fn trust_and_distrust_begin_with_what_is_told() {
        // 0 leads to 1, which is bad; 2 is fair and leads to 3; 4 leads to 5.
        let targets = [vec![1], vec![], vec![3], vec![], vec![5], vec![]];
        let links = graph(0..6, targets.to_vec());
        let mut table = EvidenceTable::new(6);
        distrust(&links, &[None, Some(true), Some(false), None, None, None], &mut table);
        trust(&links, &[2], &mut table);
        let number = |page: usize, name: &str| {
            let at = LINK_NUMBERS.iter().position(|row| row.0 == name);
            at.map(|at| table.rows[page][at])
        };
        assert!(number(0, "distrust") > Some(0.1) && number(4, "distrust") < Some(0.1));
        assert_eq!(
            [1, 3, 5].map(|page| number(page, "no-trust")),
            [Some(1.0), Some(0.0), Some(1.0)]
        );
    }
}
