//! Phrases that stand on other domains too: pages put together from scraped ones share long phrases with many, and
//! gibberish of a Markov chain joins words two by two as others do, and three by three as nobody does. Memory is
//! fixed: a place for the hash of each phrase, which several may share in a large collection.

use super::neighbours::EvidenceTable;
use crate::whole::WholeRun;
use crate::whole::graph::LinkGraph;
use fyke_store::StoreError;
use fyke_text::each_form;
use xxhash_rust::xxh3::xxh3_64;

/// Places for phrases: two bytes each.
const PLACES: usize = 1 << 22;
/// Words of a document that are looked at.
const MOST: usize = 3_000;
/// Documents of fewer words say nothing.
const FEW: usize = 60;
/// Lengths of phrases, in words: how words are joined, what is said, and what is copied.
const LENGTHS: [usize; 3] = [2, 3, 8];

/// Who said a phrase first: 0 nobody, or a tag of the domain.
struct FirstSaid {
    places: Vec<u16>,
    /// Whether a second domain says it, a bit each.
    again: Vec<u64>,
}

impl FirstSaid {
    fn new() -> FirstSaid {
        FirstSaid { places: vec![0; PLACES], again: vec![0; PLACES / 64] }
    }

    fn add(&mut self, phrase: u64, domain: u16) {
        let at = phrase as usize % PLACES;
        match self.places[at] {
            0 => self.places[at] = domain,
            first if first != domain => self.again[at / 64] |= 1 << (at % 64),
            _ => {}
        }
    }

    /// Whether another domain says it …
    fn is_shared(&self, phrase: u64) -> bool {
        let at = phrase as usize % PLACES;
        self.again[at / 64] >> (at % 64) & 1 == 1
    }

    /// … and said it first.
    fn is_of_another(&self, phrase: u64, domain: u16) -> bool {
        let at = phrase as usize % PLACES;
        self.places[at] != 0 && self.places[at] != domain
    }
}

fn tag(domain: u32) -> u16 {
    (domain % 65_521) as u16 + 1
}

/// Phrases of a text of so many words, each as a hash.
fn phrases(words: &[u64], length: usize) -> impl Iterator<Item = u64> + '_ {
    words.windows(length).map(move |phrase| {
        let sum = phrase.iter().fold(length as u64, |sum, word| {
            (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        sum ^ sum >> 29
    })
}

fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    each_form(text, |word| {
        if words.len() < MOST {
            words.push(xxh3_64(word.as_bytes()));
        }
    });
    words
}

pub(super) fn find(
    run: &mut WholeRun<'_>,
    links: &LinkGraph,
    table: &mut EvidenceTable,
) -> Result<(), StoreError> {
    let order = order(links);
    let mut said = [FirstSaid::new(), FirstSaid::new(), FirstSaid::new()];
    for &page in &order {
        let Some(document) = run.view.documents.get(links.ids[page])? else { continue };
        let (words, domain) = (words(&document.text), tag(links.domains[page]));
        for (said, length) in said.iter_mut().zip(LENGTHS) {
            phrases(&words, length).for_each(|phrase| said.add(phrase, domain));
        }
        (run.observe)(page as u64, Some(2 * links.ids.len() as u64));
    }
    for &page in &order {
        let Some(document) = run.view.documents.get(links.ids[page])? else { continue };
        let (words, domain) = (words(&document.text), tag(links.domains[page]));
        if words.len() < FEW {
            continue;
        }
        let share = |length: usize, is: &dyn Fn(u64) -> bool| {
            let found = phrases(&words, length).filter(|phrase| is(*phrase)).count();
            found as f32 / (words.len() + 1 - length) as f32
        };
        let joined = share(2, &|phrase| said[0].is_shared(phrase));
        let told = share(3, &|phrase| said[1].is_shared(phrase));
        let copied = share(8, &|phrase| said[2].is_of_another(phrase, domain));
        table.set(page, "copied", ((copied - 0.3) / 0.4).max(0.0));
        table.set(page, "stitched", ((joined - told - 0.35) / 0.3).max(0.0));
    }
    Ok(())
}

/// Documents whose domain more domains link to come first: what is copied stood there.
fn order(links: &LinkGraph) -> Vec<usize> {
    let mut voices: Vec<std::collections::BTreeSet<u32>> =
        vec![Default::default(); links.sites as usize];
    for (page, domain) in links.domains.iter().enumerate() {
        for &to in links.graph.links(page) {
            let other = links.domains[to as usize];
            if other != *domain {
                voices[other as usize].insert(*domain);
            }
        }
    }
    let mut order: Vec<usize> = (0..links.ids.len()).collect();
    order.sort_by_key(|&page| std::cmp::Reverse(voices[links.domains[page] as usize].len()));
    order
}
