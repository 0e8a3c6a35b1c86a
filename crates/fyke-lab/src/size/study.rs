//! A study of two engines: every method that was asked for in turn, until it is done, somebody stops it, or an
//! engine gives no more answers. What was found until then is reported.

use super::addressing::{AddressSpace, visit_addresses};
use super::report::{PresentShare, SizeReport};
use super::{
    DrawOptions, DrawTally, QueryLexicon, SearchOptionsOfSize, SizeWorld, StrongQuery, StrongWords,
    WalkOptions, draw, search_both, strong_words, walk,
};
use fyke_learn::size::{DrawnQuery, EngineSide, SizeEvidence};
use std::collections::BTreeSet;

/// Addresses of the loopback space that are drawn from: 127.0.0.1 to 127.0.0.254.
const ADDRESSES: u64 = 254;
/// Pages of a server that are read.
const SERVER_PAGES: usize = 100;
/// Pages of each engine that walks start from, when nothing else is said.
const STARTS: usize = 8;
/// Words of strong queries that are tried: does eight suffice?
const STRENGTHS: [usize; 5] = [4, 6, 8, 10, 12];

/// What is to be done.
#[derive(Clone, Debug)]
pub struct SizeOptions {
    /// Pages to draw from each engine.
    pub pages: usize,
    /// Results of a query.
    pub results: usize,
    /// Words of a strong query.
    pub words: usize,
    /// Pages of each engine that are looked for with 4 to 12 words.
    pub strengths: usize,
    /// Searches of a log or topics, as words.
    pub searches: Vec<Vec<String>>,
    /// Hits of a search in both engines, at most.
    pub hits: usize,
    /// Where walks start; none: pages of both engines.
    pub starts: Vec<String>,
    pub walks: usize,
    pub steps: usize,
    /// Addresses to draw; 0: none.
    pub addresses: u64,
    pub seed: u64,
}

/// A study under way.
pub struct SizeStudy<'s> {
    pub world: &'s mut dyn SizeWorld,
    pub lexicon: &'s QueryLexicon,
    pub options: &'s SizeOptions,
    /// Is told what is done and how far; says whether to go on.
    pub observe: &'s mut dyn FnMut(&str, usize, usize) -> bool,
}

impl std::fmt::Debug for SizeStudy<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SizeStudy").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What was drawn by now.
#[derive(Debug, Default)]
struct SizeFindings {
    evidence: SizeEvidence,
    tallies: [DrawTally; 2],
    strengths: Vec<PresentShare>,
}

impl SizeStudy<'_> {
    /// Does what is asked for. With the report comes the trouble that ended it, if there was some.
    pub fn run(mut self, known: [Option<u64>; 2]) -> (SizeReport, Option<anyhow::Error>) {
        let mut found = SizeFindings {
            evidence: SizeEvidence {
                known,
                pool: self.lexicon.pairs(),
                seed: self.options.seed,
                space: ADDRESSES as f64,
                ..SizeEvidence::default()
            },
            ..SizeFindings::default()
        };
        let trouble = self.all(&mut found).err();
        let SizeFindings { evidence, tallies, strengths } = found;
        (SizeReport::of(&evidence, tallies, strengths), trouble)
    }

    fn all(&mut self, found: &mut SizeFindings) -> anyhow::Result<()> {
        let strong = StrongQuery { lexicon: self.lexicon, words: self.options.words };
        for side in EngineSide::BOTH {
            self.draw_from(side, strong, found)?;
        }
        for side in EngineSide::BOTH {
            self.strengths_of(side, found)?;
        }
        self.search(found)?;
        self.walk(strong, found)?;
        self.visit(strong, found)
    }

    fn draw_from(
        &mut self,
        side: EngineSide,
        strong: StrongQuery<'_>,
        found: &mut SizeFindings,
    ) -> anyhow::Result<()> {
        let SizeOptions { pages, results, seed, .. } = *self.options;
        let options = DrawOptions { strong, pages, results, seed };
        let what = format!("pages of {}", side.letter());
        let observe = &mut *self.observe;
        let mut drawn: Vec<DrawnQuery> = Vec::new();
        let tally =
            draw(self.world, side, options, &mut drawn, &mut |done| observe(&what, done, pages));
        match side {
            EngineSide::First => found.evidence.from_first = drawn,
            EngineSide::Second => found.evidence.from_second = drawn,
        }
        found.tallies[usize::from(side == EngineSide::Second)] = tally?;
        Ok(())
    }

    /// Looks for pages of an engine in that engine, with fewer words and with more.
    fn strengths_of(&mut self, side: EngineSide, found: &mut SizeFindings) -> anyhow::Result<()> {
        let urls = self.some_pages(side, self.options.strengths)?;
        let what = format!("words for {}", side.letter());
        for words in STRENGTHS {
            let (mut there, mut hits, mut of) = (0, 0, 0);
            for url in &urls {
                if !(self.observe)(&what, of as usize, urls.len()) {
                    return Ok(());
                }
                let Some(page) = self.world.page(url)? else { continue };
                let query = strong_words(&page, self.lexicon, StrongWords::Whole, words);
                let answer = self.world.ask(side, &query, self.options.results)?;
                of += 1;
                hits += answer.len() as u64;
                there += u64::from(answer.iter().any(|hit| hit == url));
            }
            if of > 0 {
                let engine = side.letter().to_owned();
                found.strengths.push(PresentShare { engine, words, of, there, hits });
            }
        }
        Ok(())
    }

    /// A few pages of an engine, by random queries.
    fn some_pages(&mut self, side: EngineSide, number: usize) -> anyhow::Result<BTreeSet<String>> {
        let mut dice = fyke_learn::terms::Dice::new(self.options.seed ^ 0x57E6);
        let mut urls = BTreeSet::new();
        for _ in 0..number.saturating_mul(20) {
            if urls.len() >= number {
                break;
            }
            let pair = self.lexicon.pair(&mut dice);
            let hits = self.world.ask(side, &pair, self.options.results)?;
            if !hits.is_empty() {
                urls.insert(hits[dice.below(hits.len())].clone());
            }
        }
        Ok(urls)
    }

    fn search(&mut self, found: &mut SizeFindings) -> anyhow::Result<()> {
        let SizeOptions { searches, hits, results, .. } = self.options;
        let options = SearchOptionsOfSize { hits: *hits, results: *results };
        let observe = &mut *self.observe;
        let mut told = |done| observe("searches", done, searches.len());
        search_both(self.world, searches, options, &mut found.evidence.searches, &mut told)
    }

    fn walk(&mut self, strong: StrongQuery<'_>, found: &mut SizeFindings) -> anyhow::Result<()> {
        let SizeOptions { walks, steps, seed, .. } = *self.options;
        if walks == 0 {
            return Ok(());
        }
        let mut starts = self.options.starts.clone();
        if starts.is_empty() {
            for side in EngineSide::BOTH {
                starts.extend(self.some_pages(side, STARTS)?);
            }
        }
        if starts.is_empty() {
            return Ok(());
        }
        let options = WalkOptions { strong, walks, steps, burn_in: steps / 4, every: 5, seed };
        let observe = &mut *self.observe;
        let mut told = |done| observe("steps", done, walks * steps);
        walk(self.world, &starts, options, &mut found.evidence.walked, &mut told)
    }

    fn visit(&mut self, strong: StrongQuery<'_>, found: &mut SizeFindings) -> anyhow::Result<()> {
        let SizeOptions { addresses: drawn, seed, .. } = *self.options;
        let space = AddressSpace { strong, addresses: ADDRESSES, drawn, pages: SERVER_PAGES, seed };
        let observe = &mut *self.observe;
        let mut told = |done| observe("addresses", done, drawn as usize);
        match drawn {
            0 => Ok(()),
            _ => visit_addresses(self.world, space, &mut found.evidence.addresses, &mut told),
        }
    }
}
