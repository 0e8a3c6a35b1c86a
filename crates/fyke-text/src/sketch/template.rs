//! The template of a site: shingles that stand on very many of its pages (menus, notices and phrases
//! that noise removal missed). They are left out when pages are compared, so that pages of one site
//! are not alike for what all of them say, and a text is found again under another template.

use super::shingle::{common, sort_hashes};

/// A site is known by so many of its pages at the most.
pub const SAMPLE: usize = 64;
/// A shingle of the template stands on so many pages of the sample at least …
pub const LEAST_PAGES: usize = 8;
/// … and on one in so many.
const SHARE: usize = 4;
/// With fewer shingles of its own, or less than one in `LEAST_PART`, a page is nothing but template:
/// pages that differ in a date are copies.
const LEAST_OWN: usize = 24;
const LEAST_PART: usize = 20;
/// A page is compared without its template when no more than one shingle in so many is its own. What
/// two pages share of less than half of each gives them a coefficient below a third.
const MOST_PART: usize = 2;

/// The template of the pages with these shingle sets, sorted; empty when they are few. Exact copies
/// should be among them once.
#[must_use]
pub fn template(pages: &[Vec<u64>]) -> Vec<u64> {
    let least = LEAST_PAGES.max(pages.len().div_ceil(SHARE));
    if pages.len() < least {
        return Vec::new();
    }
    let mut all = pages.concat();
    sort_hashes(&mut all);
    let runs = all.chunk_by(|a, b| a == b).filter(|run| run.len() >= least);
    runs.map(|run| run[0]).collect()
}

/// A page's shingle set without its site's template, where that is most of it; whole where nearly
/// nothing would be left.
#[must_use]
pub fn own_shingles(set: Vec<u64>, template: &[u64]) -> Vec<u64> {
    own_part(&set, template).unwrap_or(set)
}

/// What of a page's shingle set is compared with others, where that is not the whole.
#[must_use]
pub fn own_part(set: &[u64], template: &[u64]) -> Option<Vec<u64>> {
    if template.is_empty() {
        return None;
    }
    let is_own = |shingle: &&u64| template.binary_search(shingle).is_err();
    let all = set.len();
    let own = match template.len() / 8 > all {
        true => set.iter().filter(is_own).count(),
        false => all - common(set, template),
    };
    let is_part = (LEAST_OWN.max(all / LEAST_PART)..=all / MOST_PART).contains(&own);
    is_part.then(|| set.iter().filter(is_own).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::tests::words;
    use crate::sketch::{HashedText, jaccard, shingle_set};

    fn set(text: &str) -> Vec<u64> {
        shingle_set(&HashedText::read(text).words)
    }

    /// `count` pages: `shared` words of all of them, then `own` words of each.
    fn site(count: usize, shared: usize, own: usize) -> Vec<Vec<u64>> {
        let page = |n: usize| set(&format!("{}{}", words(0, shared), words(10_000 * (n + 1), own)));
        (0..count).map(page).collect()
    }

    #[test]
    fn what_all_pages_say_does_not_make_them_alike() {
        let check = |count: usize, shared: usize, own: usize, alike: f64| {
            let pages = site(count, shared, own);
            let template = template(&pages);
            let [a, b] = [0, 1].map(|n| own_shingles(pages[n].clone(), &template));
            assert_eq!((jaccard(&a, &b) * 100.0).round() / 100.0, alike, "{count} {shared} {own}");
        };
        check(40, 700, 300, 0.0);
        check(40, 900, 100, 0.0);
        // Nothing but template, and a date.
        check(40, 900, 5, 0.99);
        // Too few pages to tell.
        check(7, 700, 300, 0.54);
        check(40, 0, 300, 0.0);
        // A small part, as of pages that noise removal did well on.
        check(40, 200, 800, 0.11);
    }

    #[test]
    fn the_same_text_is_found_under_another_template() {
        let page = |from: usize, n: usize| {
            let text = format!("{}{}", words(from, 700), words(n * 10_000 + 50_000, 300));
            set(&text)
        };
        let [here, there] =
            [0, 5_000].map(|from| (0..10).map(|n| page(from, n)).collect::<Vec<_>>());
        assert!(jaccard(&here[3], &there[3]) < 0.2);
        let [a, b] = [&here, &there].map(|site| own_shingles(site[3].clone(), &template(site)));
        assert!(jaccard(&a, &b) > 0.95);
    }
}
