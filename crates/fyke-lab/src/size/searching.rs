//! Random searches (001): searches of a log or topics go to both engines; those whose answers are whole and
//! small are counted, after each hit was seen to hold the words.

use super::{SizeWorld, normal};
use fyke_learn::size::{EngineSide, SearchCounts};
use std::collections::BTreeSet;

/// Which searches count.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptionsOfSize {
    /// Hits of both engines together, at most (001: fewer than 600).
    pub hits: usize,
    /// Results of a search that an engine gives.
    pub results: usize,
}

/// Counts the hits of searches in both engines.
///
/// # Errors
/// When an engine gives no answer; what was counted before stands in `counted`.
pub fn search_both(
    world: &mut dyn SizeWorld,
    searches: &[Vec<String>],
    options: SearchOptionsOfSize,
    counted: &mut Vec<SearchCounts>,
    observe: &mut dyn FnMut(usize) -> bool,
) -> anyhow::Result<()> {
    for (done, words) in searches.iter().enumerate() {
        if !observe(done) {
            break;
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        for side in EngineSide::BOTH {
            found.push(world.ask(side, &words, options.results)?);
        }
        let all: usize = found.iter().map(Vec::len).sum();
        let is_cut = found.iter().any(|hits| hits.len() >= options.results);
        if all == 0 || all >= options.hits || is_cut {
            continue;
        }
        let mut verified = Vec::new();
        for hits in &found {
            let mut kept = BTreeSet::new();
            for hit in hits {
                if let Some(page) = world.page(hit)?
                    && page.has(&words)
                {
                    kept.insert(normal(&page.url));
                }
            }
            verified.push(kept);
        }
        let counts = SearchCounts {
            first: verified[0].len() as u32,
            second: verified[1].len() as u32,
            both: verified[0].intersection(&verified[1]).count() as u32,
        };
        if counts.first + counts.second > 0 {
            counted.push(counts);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::present::tests::SmallWeb;
    use super::*;

    #[test]
    fn hits_are_counted_once_when_they_hold_the_words_and_answers_are_small() {
        let mut web = SmallWeb::default();
        for at in 0..30 {
            let url = format!("http://a.test/{at}");
            let rare = if at < 3 { "hamiltonian structures" } else { "" };
            web.add(&url, &format!("common {rare}"), &[]);
            web.held[0].push(url.clone());
            if at == 0 {
                web.held[1].push(url);
            }
        }
        let searches = ["hamiltonian structures", "common", "nothing here"];
        let searches = searches.map(|text| text.split(' ').map(str::to_owned).collect());
        let options = SearchOptionsOfSize { hits: 20, results: 100 };
        let mut counted = Vec::new();
        search_both(&mut web, &searches, options, &mut counted, &mut |_| true).unwrap();
        assert_eq!(counted, [SearchCounts { first: 3, second: 1, both: 1 }]);
    }
}
