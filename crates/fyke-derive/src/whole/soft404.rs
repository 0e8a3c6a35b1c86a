//! Soft 404: pages that say what their host says of pages it does not have, and yet came with a status of success
//! (000 "Malicious pages", "dead links"). A host is asked for two made-up paths (`fyke_crawl`); pages are compared with
//! what came of that.
//!
//! A page is one when its main text is the same, or when its title is the same and at least half of its text is: error
//! pages name the address that was asked for. Where the two answers are unlike each other nothing can be said, and the
//! home page and seeds are never taken for one: a host may answer with them to everything.

use super::WholeRun;
use crate::page::missing::{MISSING, MissingPage};
use crate::page::print::{PRINTS, Print};
use crate::table::{Derivation, Tier};
use fyke_store::{Column, StoreError};
use fyke_text::sketch::resemblance;
use fyke_web::{Url, UrlId};
use std::collections::{BTreeMap, HashMap};

pub const ROW: Derivation = Derivation {
    name: "soft404",
    what: "pages that say what their host says of pages it does not have",
    code: 13,
    version: 1,
    reads: &["print", "missing"],
    late: &[],
    writes: &[SOFT404.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Whole { all: run_all, some: Some(run_some), is_exact: true },
};

/// Of a page that is an error page, the made-up URL that gave the same.
pub const SOFT404: Column<UrlId> = Column::new("soft404", 1);

/// Answers to made-up paths of a host that must agree.
const LEAST_ANSWERS: usize = 2;
/// Of pages with the same title the part of their texts that must be the same.
const LEAST_ALIKE: f64 = 0.5;

/// What hosts say of pages that they do not have, by host; only of those that say the same twice.
type MissingPages = HashMap<UrlId, Vec<(UrlId, MissingPage)>>;

fn run_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let missing = missing_pages(run)?;
    let found = error_pages(run, &missing, |_| true)?;
    run.batch.replace(&SOFT404, found.into_iter().map(Ok))
}

/// Looks at the pages that have changed, and at all of a host whose answers to made-up paths have.
fn run_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let missing = missing_pages(run)?;
    let mut hosts = Vec::new();
    for &id in run.pages {
        hosts.extend(run.cells.get(&MISSING, id)?.map(|page| page.host));
    }
    let (mut looked_at, mut found) = (Vec::new(), BTreeMap::new());
    if hosts.is_empty() {
        for &id in run.pages {
            looked_at.push(id);
            if let Some(print) = run.cells.get(&PRINTS, id)?
                && let Some(like) = like(run, &missing, id, &print)?
            {
                found.insert(id, like);
            }
        }
    } else {
        let is_meant = |print: &Print| hosts.contains(&print.host);
        found = error_pages(run, &missing, is_meant)?;
        for print in run.cells.all(&PRINTS) {
            let (id, print) = print?;
            looked_at.extend(is_meant(&print).then_some(id));
        }
        looked_at.extend_from_slice(run.pages);
    }
    for id in looked_at {
        let like = found.get(&id).copied();
        if like == run.cells.get(&SOFT404, id)? {
            continue;
        }
        match like {
            Some(like) => run.batch.put(&SOFT404, id, &like),
            None => run.batch.delete(&SOFT404, id),
        }
        run.touched.insert(id);
    }
    Ok(())
}

fn missing_pages(run: &WholeRun<'_>) -> Result<MissingPages, StoreError> {
    let mut missing = MissingPages::new();
    for page in run.cells.all(&MISSING) {
        let (id, page) = page?;
        missing.entry(page.host).or_default().push((id, page));
    }
    missing.retain(|_, pages| {
        let agree = |(_, page): &(UrlId, MissingPage)| are_alike(&pages[0].1, page);
        pages.len() >= LEAST_ANSWERS && pages.iter().all(agree)
    });
    Ok(missing)
}

fn error_pages(
    run: &WholeRun<'_>,
    missing: &MissingPages,
    is_meant: impl Fn(&Print) -> bool,
) -> Result<BTreeMap<UrlId, UrlId>, StoreError> {
    let mut found = BTreeMap::new();
    for print in run.cells.all(&PRINTS) {
        let (id, print) = print?;
        if is_meant(&print)
            && let Some(like) = like(run, missing, id, &print)?
        {
            found.insert(id, like);
        }
    }
    Ok(found)
}

/// The made-up URL of its host that gave what this page is.
fn like(
    run: &WholeRun<'_>,
    missing: &MissingPages,
    id: UrlId,
    print: &Print,
) -> Result<Option<UrlId>, StoreError> {
    let pages = missing.get(&print.host).map_or(&[][..], |pages| pages);
    let is_near = |page: &MissingPage| {
        print.checksum == page.checksum || resemblance(&print.sketch, &page.sketch) >= LEAST_ALIKE
    };
    if print.words == 0 || is_home(&print.url) || !pages.iter().any(|(_, page)| is_near(page)) {
        return Ok(None);
    }
    // A seed is what somebody wanted.
    if run.view.ledger.get(id)?.is_none_or(|row| row.parent.is_none()) {
        return Ok(None);
    }
    let Some(document) = run.view.documents.get(id)? else { return Ok(None) };
    let this = MissingPage::of(&document);
    let found = pages.iter().find(|(_, page)| are_alike(&this, page));
    Ok(found.map(|(id, _)| *id))
}

fn is_home(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.path_and_query() == "/")
}

/// Whether two pages of a host say the same, whatever address was asked for.
fn are_alike(a: &MissingPage, b: &MissingPage) -> bool {
    if a.words == 0 || b.words == 0 {
        return false;
    }
    let same_title = || !a.title.trim().is_empty() && title(a) == title(b);
    a.checksum == b.checksum || same_title() && resemblance(&a.sketch, &b.sketch) >= LEAST_ALIKE
}

/// The title without what was asked for, should it stand there.
fn title(page: &MissingPage) -> String {
    let Ok(url) = Url::parse(&page.url) else { return page.title.clone() };
    let last = url.path().rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default();
    [page.url.as_str(), url.path(), last, stem]
        .into_iter()
        .filter(|part| part.len() > 1)
        .fold(page.title.clone(), |title, part| title.replace(part, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_text::sketch::digest;

    fn page(path: &str, title: &str, text: &str) -> MissingPage {
        let digest = digest(text);
        MissingPage {
            url: format!("http://a.test{path}"),
            host: UrlId(1),
            title: title.to_owned(),
            words: digest.words,
            checksum: digest.checksum,
            sketch: digest.sketch.0,
        }
    }

    #[test]
    fn error_pages_are_told_from_short_pages_that_say_something() {
        let sorry = |path: &str| {
            format!(
                "Sorry, the page {path} could not be found. It may have been removed or renamed. Please check the address and try again."
            )
        };
        let check = |path: &str, name: &str, text: &str, expected: bool| {
            let missing = page("/x7", "Page not found", &sorry("/x7"));
            assert_eq!(are_alike(&page(path, name, text), &missing), expected, "{path} {name}");
        };
        check("/old/shoes", "Page not found", &sorry("/old/shoes"), true);
        check("/old/shoes", "Other title", &sorry("/x7"), true);
        // Good pages: other words, or another title.
        check(
            "/opening",
            "Opening hours",
            "We are open from ten to four, but not on Sundays.",
            false,
        );
        check("/lost", "Lost property", &sorry("/lost"), false);
        check(
            "/about",
            "Page not found",
            "A page about what people say when a page is lost.",
            false,
        );
        check("/empty", "Page not found", "", false);
        let shoes = page("/shoes.html", "shoes.html - not here", &sorry("shoes"));
        let made_up = page("/x7", "x7 - not here", &sorry("x7"));
        assert!(are_alike(&shoes, &made_up));
    }
}
