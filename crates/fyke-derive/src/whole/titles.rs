//! Titles by host: what the titles of a host's pages share is cut off, and a title that many of them have gives way to
//! another name of the page (`HostTitles` in fyke-web): a longer one, a heading, the last breadcrumb, or what the site's own links call it.
//! Only titles that are not those by the page alone have a cell.

use super::WholeRun;
use super::reasons::REASONS;
use crate::page::anchors::anchors;
use crate::page::named::{NAMED, Named};
use crate::page::print::PRINTS;
use crate::table::{Derivation, Tier};
use fyke_store::{Cells, Column, Reason, StoreError, View};
use fyke_web::{
    CountedTitle, Document, HostSample, HostTitles, OtherName, TitleCounts, Url, UrlId, is_spelled,
};
use std::collections::{BTreeMap, HashMap, HashSet};

pub const ROW: Derivation = Derivation {
    name: "titles",
    what: "titles of pages by what the titles of their host share",
    code: 21,
    version: 1,
    reads: &[],
    late: &["named", "anchors", "reasons"],
    writes: &[TITLES.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

/// Of pages whose host says more of their title than they do alone.
pub const TITLES: Column<String> = Column::new("host-title", 1);

/// Longest title.
const MOST_TITLE: usize = 1_000;

fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let mut hosts = HostNames::read(run.cells)?;
    hosts.count(run.cells)?;
    let titles = run.cells.all(&NAMED).filter_map(|page| {
        let found = page.and_then(|(id, named)| {
            let title = hosts.choice(run.cells, (id, &named))?;
            let title = title[..title.floor_char_boundary(MOST_TITLE)].to_owned();
            Ok((!title.is_empty() && title != named.title).then_some((id, title)))
        });
        found.transpose()
    });
    run.batch.replace(&TITLES, titles)
}

/// What the titles of all hosts share, and how many pages have which title.
struct HostNames {
    hosts: HashMap<UrlId, HostTitles>,
    counts: TitleCounts,
    /// Copies, error pages: their titles do not count.
    apart: HashSet<UrlId>,
}

impl HostNames {
    fn read(cells: &Cells) -> Result<HostNames, StoreError> {
        let mut apart = HashSet::new();
        for reason in cells.all(&REASONS) {
            let (id, reason) = reason?;
            apart.extend((reason != Reason::Thin).then_some(id));
        }
        let mut samples: BTreeMap<UrlId, HostSample> = BTreeMap::new();
        for page in cells.all(&NAMED) {
            let (id, named) = page?;
            let sample = samples.entry(named.host).or_default();
            if !sample.is_full() && !apart.contains(&id) {
                sample.add(&named.names);
            }
        }
        let hosts = samples.into_iter().map(|(host, sample)| (host, sample.finish())).collect();
        Ok(HostNames { hosts, counts: TitleCounts::default(), apart })
    }

    /// Counts the titles, then what the pages may be called whose title others have, too.
    fn count(&mut self, cells: &Cells) -> Result<(), StoreError> {
        let mut counted = Vec::new();
        for page in cells.all(&NAMED) {
            let (id, named) = page?;
            let is_counted = !self.apart.contains(&id);
            counted.push(is_counted.then(|| self.counts.add(named.host, &self.title(&named))));
        }
        let is_shared =
            |title: &Option<CountedTitle>| title.is_some_and(|t| self.counts.has_others(t));
        let shared: Vec<bool> = counted.iter().map(is_shared).collect();
        if !shared.contains(&true) {
            return Ok(());
        }
        for (page, is_shared) in cells.all(&NAMED).zip(shared) {
            let (id, named) = page?;
            if is_shared {
                let title = self.title(&named);
                let others = self.others(cells, (id, &named), &title)?;
                self.counts.add_others(named.host, &others);
            }
        }
        Ok(())
    }

    fn title(&self, named: &Named) -> String {
        let host = self.hosts.get(&named.host);
        let found = host.map(|host| host.title(&named.names, &named.site, &named.host_name));
        found.filter(|title| !title.is_empty()).unwrap_or_else(|| named.title.clone())
    }

    /// What a page may be called instead: what it says itself, then what links to it say.
    fn others(
        &self,
        cells: &Cells,
        (id, named): (UrlId, &Named),
        title: &str,
    ) -> Result<Vec<OtherName>, StoreError> {
        let host = self.hosts.get(&named.host);
        let mut others = host.map_or_else(Vec::new, |host| host.others(&named.names, title));
        if self.counts.is_of_many(named.host, title) {
            let linked = linked(cells, id)?.into_iter();
            // A letter of an index says something beside the title alone.
            let names = linked.flat_map(|text| match text.chars().count() > 2 {
                true => vec![text.clone(), format!("{title} – {text}")],
                false => vec![format!("{title} – {text}")],
            });
            others.extend(names.map(|name| OtherName { name, is_close: false }));
        }
        Ok(others)
    }

    /// The title by all that is known.
    fn choice(&self, cells: &Cells, (id, named): (UrlId, &Named)) -> Result<String, StoreError> {
        let title = self.title(named);
        if !self.counts.is_shared(named.host, &title) || is_its_own(cells, id, &title)? {
            return Ok(title);
        }
        let others = self.others(cells, (id, named), &title)?;
        Ok(self.counts.choose(named.host, &title, others).unwrap_or(title))
    }
}

/// Whether the page's own URL spells its title.
fn is_its_own(cells: &Cells, id: UrlId, title: &str) -> Result<bool, StoreError> {
    let url = cells.get(&PRINTS, id)?.and_then(|print| Url::parse(&print.url).ok());
    Ok(url.is_some_and(|url| is_spelled(title, url.path())))
}

/// What most links to a page call it.
fn linked(cells: &Cells, id: UrlId) -> Result<Option<String>, StoreError> {
    let mut texts: BTreeMap<String, u32> = BTreeMap::new();
    for (_, anchor) in anchors(cells, id)? {
        *texts.entry(anchor.text).or_default() += 1;
    }
    let best =
        texts.into_iter().max_by_key(|(text, links)| (*links, std::cmp::Reverse(text.len())));
    Ok(best.map(|(text, _)| text))
}

/// Gives a document the title that it has by its host, if that says more.
///
/// # Errors
/// When the column cannot be read.
pub(crate) fn retitle(cells: &Cells, document: &mut Document) -> Result<(), StoreError> {
    if let Some(title) = cells.get(&TITLES, document.id)? {
        document.title = title;
    }
    Ok(())
}

/// The document of a URL, with its title as it is known from its host.
///
/// # Errors
/// When it cannot be read.
pub fn document(view: &View, id: UrlId) -> Result<Option<Document>, StoreError> {
    let Some(mut document) = view.documents.get(id)? else { return Ok(None) };
    retitle(&view.cells(), &mut document)?;
    Ok(Some(document))
}
