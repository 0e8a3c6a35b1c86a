//! Whether the pool's index in memory gives the hits of fyke's own index: the same documents for the
//! same words in quotes.

use super::pool::{LanguagePool, PoolIndex};
use fyke_index::{Entry, Index, SearchOptions};
use fyke_learn::terms::{Dice, TermQuery};
use std::collections::BTreeSet;

/// Queries that both are asked.
const QUERIES: usize = 200;
/// Hits at a time.
const PAGE: usize = 100;

/// Shares of queries with the same documents, and of the first ten hits that both have.
pub(crate) struct HitsAgreement {
    pub same: f64,
    pub first_ten: f64,
}

/// Asks both, of every so many-th document.
pub(crate) fn measure(pool: &LanguagePool, step: usize) -> anyhow::Result<HitsAgreement> {
    let folder = tempfile::tempdir()?;
    let index = Index::open_with(folder.path(), &[])?;
    let mut writer = index.writer()?;
    let chosen: Vec<usize> = (0..pool.documents.len()).step_by(step).collect();
    for &at in &chosen {
        let url = format!("http://pool.test/{at}");
        let body = fyke_text::bare(&pool.documents[at].text.to_lowercase()).into_owned();
        let entry = Entry {
            id: at as u64 + 1,
            url: &url,
            host: "pool.test",
            body: &body,
            ..Entry::default()
        };
        writer.put(&entry)?;
    }
    writer.commit("pool")?;
    index.refresh()?;
    let ours = PoolIndex::of(pool, |at| at % step == 0);
    let mut dice = Dice::new(41);
    let (mut same, mut first_ten, mut asked) = (0.0, 0.0, 0.0);
    for _ in 0..QUERIES {
        let mut any = || chosen[dice.below(chosen.len())];
        let (one, other) = (any(), any());
        let mut word = |at: usize| {
            let terms = &pool.documents[at].terms;
            terms.get(dice.below(terms.len())).map(|term| term.term)
        };
        let include: Vec<u32> = [word(one), word(one)].into_iter().flatten().collect();
        let query = TermQuery::new(include, word(other).into_iter().collect());
        let ours = ours.hits(&query, usize::MAX);
        let theirs = hits(&index, pool, &query)?;
        let set = |hits: &[u64]| hits.iter().copied().collect::<BTreeSet<u64>>();
        same += f64::from(u8::from(set(&ours) == set(&theirs)));
        let both = set(&ours[..ours.len().min(10)]);
        let both = set(&theirs[..theirs.len().min(10)]).intersection(&both).count();
        first_ten += both as f64 / ours.len().clamp(1, 10) as f64;
        asked += 1.0;
    }
    Ok(HitsAgreement { same: same / asked, first_ten: first_ten / asked })
}

/// All hits of fyke's own index.
fn hits(index: &Index, pool: &LanguagePool, query: &TermQuery) -> anyhow::Result<Vec<u64>> {
    let sign = |terms: &[u32], sign: char| -> String {
        terms.iter().map(|term| format!("{sign}\"{}\" ", pool.words[*term as usize])).collect()
    };
    let words = sign(query.include(), '+') + &sign(query.exclude(), '-');
    let mut found = Vec::new();
    loop {
        let options =
            SearchOptions { offset: found.len(), limit: PAGE, ..SearchOptions::default() };
        let hits = index.search(&index.query(&words), &options)?.hits;
        let is_last = hits.len() < PAGE;
        let number = |url: &str| url.rsplit('/').next().and_then(|text| text.parse::<u64>().ok());
        found.extend(hits.iter().filter_map(|hit| number(&hit.url)));
        if is_last {
            return Ok(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::pool::PoolRow;

    #[test]
    fn the_index_in_memory_has_the_documents_that_fykes_own_has() {
        let mut pool = LanguagePool::default();
        let words = ["reka", "mreža", "ribič", "voda", "most", "jezero"];
        for number in 0..60_usize {
            let chosen = words.iter().enumerate().filter(|(at, _)| number >> at & 1 == 1);
            let text: Vec<&str> = chosen.map(|(_, word)| *word).collect();
            let text = format!("tukaj {}", text.join(" "));
            pool.add(PoolRow { lang: "sl".to_owned(), source: String::new(), text });
        }
        let agreement = measure(&pool, 1).unwrap();
        assert!((agreement.same - 1.0).abs() < 1e-9, "{}", agreement.same);
        assert!((0.0..=1.0).contains(&agreement.first_ten));
    }
}
