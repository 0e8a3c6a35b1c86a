//! Phrases that stand on other domains too: pages put together from scraped ones share long phrases with many, and
//! gibberish of a Markov chain joins words two by two as others do, and three by three as nobody does. Memory is
//! fixed: a place for the hash of each phrase. In a large collection several would share one: whoever comes first has
//! it, and nothing is known of the others.

use super::neighbours::EvidenceTable;
use crate::whole::WholeRun;
use crate::whole::graph::LinkGraph;
use fyke_store::StoreError;
use fyke_text::each_form;
use xxhash_rust::xxh3::xxh3_64;

/// Places for phrases: four bytes each.
const PLACES: usize = 1 << 22;
/// Words of a document that are looked at.
const MOST: usize = 3_000;
/// Documents of fewer words say nothing.
const FEW: usize = 60;
/// Lengths of phrases, in words: how words are joined, what is said, and what is copied.
const LENGTHS: [usize; 3] = [2, 3, 8];

/// Who said a phrase first.
struct FirstSaid {
    /// 0 for nobody, or a tag of the domain below a check of the phrase.
    places: Vec<u32>,
    /// Whether a second domain says it, a bit each.
    again: Vec<u64>,
}

impl FirstSaid {
    fn new() -> FirstSaid {
        FirstSaid { places: vec![0; PLACES], again: vec![0; PLACES / 64] }
    }

    fn add(&mut self, phrase: u64, domain: u16) {
        let at = phrase as usize % PLACES;
        if self.places[at] == 0 {
            self.places[at] = check(phrase) << 16 | u32::from(domain);
        } else if self.is_of_another(phrase, domain) {
            self.again[at / 64] |= 1 << (at % 64);
        }
    }

    /// The tag of the domain that said it first, where its place is not taken by another phrase.
    fn first(&self, phrase: u64) -> Option<u16> {
        let place = self.places[phrase as usize % PLACES];
        Some(place as u16).filter(|first| *first != 0 && place >> 16 == check(phrase))
    }

    /// Whether another domain says it …
    fn is_shared(&self, phrase: u64) -> bool {
        let at = phrase as usize % PLACES;
        self.first(phrase).is_some() && self.again[at / 64] >> (at % 64) & 1 == 1
    }

    /// … and said it first.
    fn is_of_another(&self, phrase: u64, domain: u16) -> bool {
        self.first(phrase).is_some_and(|first| first != domain)
    }
}

/// What tells a phrase from others of its place: the high end of its hash, whose low end is the place.
fn check(phrase: u64) -> u32 {
    (phrase >> 48) as u32
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_whose_place_is_taken_by_another_is_of_nobody_else() {
        let (taken, late) = (0x0001_0000_0000_0007, 0x0002_0000_0000_0007);
        let mut said = FirstSaid::new();
        said.add(taken, 1);
        said.add(late, 2);
        said.add(late, 3);
        assert!(!said.is_shared(taken) && !said.is_shared(late));
        assert!(!said.is_of_another(late, 2) && !said.is_of_another(late, 3));
        assert!(said.is_of_another(taken, 2) && !said.is_of_another(taken, 1));
        said.add(taken, 2);
        assert!(said.is_shared(taken) && !said.is_shared(late));
    }

    #[test]
    fn more_phrases_than_places_do_not_make_copies_of_one_another() {
        let mut said = FirstSaid::new();
        let text = |from: u64| (from..from + 1_000_000).map(|n| xxh3_64(&n.to_le_bytes()));
        (0..5).for_each(|part: u16| {
            text(u64::from(part) * 1_000_000).for_each(|phrase| said.add(phrase, part + 1));
        });
        let found = text(5_000_000).filter(|phrase| said.is_of_another(*phrase, 99)).count();
        assert!(found < 1_000, "{found}");
    }
}
