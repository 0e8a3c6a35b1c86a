//! Random walks over links, back and forth (001 "Random walks", after Bar-Yossef et al. 2000). What leads to a
//! page cannot be asked of the web, so the ways of a page are settled when the walk first comes to it: its links
//! to pages not visited yet, and the visited pages that have it among theirs. So every way can be gone in both
//! directions, a walk stands on pages in proportion to their ways, and no trap holds it: beside its ways each
//! page has one more, a jump back to any page visited.

use super::draw::FEWEST_WORDS;
use super::{SizeWorld, SizedPage, StrongQuery, normal, presence};
use fyke_learn::size::{EngineSide, WalkedPage};
use fyke_learn::terms::Dice;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Ways out of a page that are kept.
const MOST_WAYS: usize = 300;

/// How walks go.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions<'l> {
    pub strong: StrongQuery<'l>,
    pub walks: usize,
    /// Steps of a walk, and how many of them are gone before pages count.
    pub steps: usize,
    pub burn_in: usize,
    /// Every so many steps a page is looked for in the engines.
    pub every: usize,
    pub seed: u64,
}

/// Pages that a walk has come to.
#[derive(Default)]
struct Visited {
    ways: BTreeMap<String, BTreeSet<String>>,
    order: Vec<String>,
    pages: BTreeMap<String, Arc<SizedPage>>,
    /// Addresses that lead to others, and those that lead nowhere.
    ends: BTreeMap<String, Option<String>>,
}

/// Walks from each start in turn and looks for pages in both engines.
///
/// # Errors
/// When an engine gives no answer; what was walked before stands in `walked`.
pub fn walk(
    world: &mut dyn SizeWorld,
    starts: &[String],
    options: WalkOptions<'_>,
    walked: &mut Vec<WalkedPage>,
    observe: &mut dyn FnMut(usize) -> bool,
) -> anyhow::Result<()> {
    let mut dice = Dice::new(options.seed ^ 0x3A1C);
    for number in 0..options.walks {
        let start = &starts[dice.below(starts.len())];
        let mut visited = Visited::default();
        let Some(mut here) = visited.arrive(world, start)? else { continue };
        let mut stood: Vec<String> = Vec::new();
        for step in 0..options.steps {
            if !observe(number * options.steps + step) {
                return Ok(());
            }
            here = visited.step(world, &here, &mut dice)?;
            if step >= options.burn_in && (step - options.burn_in).is_multiple_of(options.every) {
                stood.push(here.clone());
            }
        }
        let mut known: BTreeMap<&str, [fyke_learn::size::Presence; 2]> = BTreeMap::new();
        for url in &stood {
            let page = visited.pages[url].clone();
            // Pages that no strong query can tell from others say nothing of either engine.
            if options.strong.lexicon.of_band(&page.words).len() < FEWEST_WORDS {
                continue;
            }
            let [first, second] = match known.get(url.as_str()) {
                Some(found) => *found,
                None => {
                    let mut look = |side| presence(world, side, (url, &page), options.strong);
                    [look(EngineSide::First)?, look(EngineSide::Second)?]
                }
            };
            known.insert(url, [first, second]);
            let degree = visited.degree(url);
            walked.push(WalkedPage { walk: number as u32, degree, first, second });
        }
    }
    Ok(())
}

impl Visited {
    /// The page at an address, visited; none where there is none.
    fn arrive(&mut self, world: &mut dyn SizeWorld, url: &str) -> anyhow::Result<Option<String>> {
        let url = normal(url);
        if let Some(end) = self.ends.get(&url) {
            return Ok(end.clone());
        }
        let Some(page) = world.page(&url)? else {
            self.ends.insert(url, None);
            return Ok(None);
        };
        let end = normal(&page.url);
        self.ends.insert(url, Some(end.clone()));
        self.ends.insert(end.clone(), Some(end.clone()));
        if !self.pages.contains_key(&end) {
            self.settle(&end, &page);
            self.pages.insert(end.clone(), page);
            self.order.push(end.clone());
        }
        Ok(Some(end))
    }

    /// The ways of a page that is visited for the first time.
    fn settle(&mut self, here: &str, page: &SizedPage) {
        let links = page.links.iter().map(|link| normal(link));
        let new = |link: &String| link != here && !self.ends.contains_key(link);
        let mut ways: BTreeSet<String> = links.filter(new).take(MOST_WAYS).collect();
        let back = self.ways.iter().filter(|(_, ways)| ways.contains(here));
        ways.extend(back.map(|(from, _)| from.clone()));
        self.ways.insert(here.to_owned(), ways);
    }

    /// One step along a way, or a jump back.
    fn step(
        &mut self,
        world: &mut dyn SizeWorld,
        here: &str,
        dice: &mut Dice,
    ) -> anyhow::Result<String> {
        loop {
            let ways = &self.ways[here];
            let chosen = dice.below(ways.len() + 1);
            let Some(way) = ways.iter().nth(chosen).cloned() else {
                return Ok(self.order[dice.below(self.order.len())].clone());
            };
            match self.arrive(world, &way)? {
                Some(end) if end == way => return Ok(end),
                Some(end) if end != here && self.ways[&end].contains(here) => return Ok(end),
                // A redirect: the way leads on to its end, and back again.
                Some(end) if end != here && self.order.last() == Some(&end) => {
                    self.leave_out(here, &way);
                    self.join(here, &end);
                    return Ok(end);
                }
                _ => self.leave_out(here, &way),
            }
        }
    }

    fn leave_out(&mut self, here: &str, way: &str) {
        if let Some(ways) = self.ways.get_mut(here) {
            ways.remove(way);
        }
    }

    fn join(&mut self, one: &str, two: &str) {
        for (from, to) in [(one, two), (two, one)] {
            self.ways.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
    }

    /// The ways of a page, with the jump.
    fn degree(&self, url: &str) -> u32 {
        self.ways.get(url).map_or(0, BTreeSet::len) as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::QueryLexicon;
    use super::super::present::tests::SmallWeb;
    use super::*;

    /// A hub that all link to; the second engine holds it and every tenth of the others.
    #[test]
    fn walks_with_corrected_degrees_tell_the_ratio_where_a_hub_draws_them() {
        let mut web = SmallWeb::default();
        let url = |at: usize| format!("http://a.test/{at}");
        let text = |at: usize| -> String {
            let name = |n: usize| char::from(b'a' + (n % 26) as u8);
            let rare = (0..9).map(|n| format!("{}{}{}q ", name(at), name(at / 26), name(n)));
            // Six of twelve words that half of the pages have each.
            let common = (0..6).map(|n| format!("common{} ", name((at + 2 * n) % 12)));
            rare.chain(common).collect()
        };
        let mut texts = Vec::new();
        for at in 0..200 {
            let links: Vec<String> = match at {
                0 => (1..200).map(url).collect(),
                _ => [0, at % 199 + 1, (at * 7) % 199 + 1].map(url).to_vec(),
            };
            let links: Vec<&str> = links.iter().map(String::as_str).collect();
            web.add(&url(at), &text(at), &links);
            web.held[0].push(url(at));
            if at % 10 == 0 {
                web.held[1].push(url(at));
            }
            texts.push(text(at));
        }
        web.pages.remove(&url(77));
        web.held.iter_mut().for_each(|held| held.retain(|own| *own != url(77)));
        let lexicon = QueryLexicon::of(&texts);
        let strong = StrongQuery { lexicon: &lexicon, words: 8 };
        let options = WalkOptions { strong, walks: 8, steps: 400, burn_in: 50, every: 3, seed: 2 };
        let mut walked = Vec::new();
        walk(&mut web, &[url(5), url(90)], options, &mut walked, &mut |_| true).unwrap();
        let evidence = fyke_learn::size::SizeEvidence { walked, ..Default::default() };
        let value = |name| {
            let row = fyke_learn::size::method(name).unwrap();
            (row.estimate)(&evidence).unwrap().value
        };
        let (raw, corrected) = (value("walk-raw"), value("walk"));
        assert!(raw < 7.0 && (7.0..14.0).contains(&corrected), "{raw} {corrected}");
    }
}
