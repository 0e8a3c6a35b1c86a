//! Pages by random queries (001 "Random URLs from random queries"): pairs of words of the lexicon, 100 results,
//! one of them drawn. Its weight is the inverse of its chance to be drawn, found out with one or two queries
//! more: of the pairs of words that the page has, some are sent until one answers whole and with the page;
//! so many tries over the number of pairs is 1 over the number of queries that find the page.

use super::lexicon::{pairs, two};
use super::{SizeWorld, SizedPage, StrongQuery, presence};
use fyke_learn::size::{DrawnPage, DrawnQuery, EngineSide};
use fyke_learn::terms::Dice;
use std::sync::Arc;

/// Words of the lexicon that a page must have: with fewer it would weigh as much as all others.
pub(super) const FEWEST_WORDS: usize = 5;
/// Pairs of a page that are tried.
const MOST_TRIES: u32 = 30;
/// Queries for each page that is wanted, at most.
const MOST_QUERIES: usize = 30;

/// How pages are drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'l> {
    pub strong: StrongQuery<'l>,
    /// Pages from whole answers.
    pub pages: usize,
    /// Results of a query.
    pub results: usize,
    pub seed: u64,
}

/// What queries came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DrawTally {
    pub queries: u64,
    pub empty: u64,
    pub cut: u64,
    /// Pages that could not be had, that did not hold the words, and that have too few of the lexicon.
    pub gone: u64,
    pub wrong: u64,
    pub poor: u64,
}

/// Draws pages from an engine and looks for them in both; tells of each how many there are.
///
/// # Errors
/// When an engine gives no answer; what was drawn before stands in `drawn`.
pub fn draw(
    world: &mut dyn SizeWorld,
    side: EngineSide,
    options: DrawOptions<'_>,
    drawn: &mut Vec<DrawnQuery>,
    observe: &mut dyn FnMut(usize) -> bool,
) -> anyhow::Result<DrawTally> {
    let mut dice = Dice::new(options.seed ^ (u64::from(side == EngineSide::Second) << 32));
    let mut tally = DrawTally::default();
    let mut pages = 0;
    while pages < options.pages && drawn.len() < options.pages.saturating_mul(MOST_QUERIES) {
        if !observe(pages) {
            break;
        }
        let query = one(world, side, options, (&mut dice, &mut tally))?;
        pages += usize::from(query.page.is_some() && !query.is_cut);
        drawn.push(query);
    }
    Ok(tally)
}

/// One query, with the page that was drawn by it.
fn one(
    world: &mut dyn SizeWorld,
    side: EngineSide,
    options: DrawOptions<'_>,
    (dice, tally): (&mut Dice, &mut DrawTally),
) -> anyhow::Result<DrawnQuery> {
    let pair = options.strong.lexicon.pair(dice);
    let hits = world.ask(side, &pair, options.results)?;
    let is_cut = hits.len() >= options.results;
    tally.queries += 1;
    tally.cut += u64::from(is_cut);
    let nothing = DrawnQuery { is_cut, page: None };
    if hits.is_empty() {
        tally.empty += 1;
        return Ok(nothing);
    }
    let url = &hits[dice.below(hits.len())];
    let Some(page) = world.page(url)? else {
        tally.gone += 1;
        return Ok(nothing);
    };
    if !page.has(&pair) {
        tally.wrong += 1;
        return Ok(nothing);
    }
    let words = options.strong.lexicon.of_band(&page.words);
    if words.len() < FEWEST_WORDS {
        tally.poor += 1;
        return Ok(nothing);
    }
    let weight = match is_cut {
        true => 1.0,
        false => {
            let tries = tries(world, side, (url, &words), (options.results, dice))?;
            hits.len() as f64 * f64::from(tries) / pairs(words.len())
        }
    };
    let page = drawn_page(world, side, (url, &page), options.strong, weight)?;
    Ok(DrawnQuery { is_cut, page: Some(page) })
}

fn drawn_page(
    world: &mut dyn SizeWorld,
    side: EngineSide,
    (url, page): (&str, &Arc<SizedPage>),
    strong: StrongQuery<'_>,
    weight: f64,
) -> anyhow::Result<DrawnPage> {
    Ok(DrawnPage {
        weight,
        home: presence(world, side, (url, page), strong)?,
        other: presence(world, side.other(), (url, page), strong)?,
        length: page.words.len() as u32,
        depth: page.depth(),
        site: page.site(),
    })
}

/// How many pairs of a page's words are sent until one finds it in a whole answer.
fn tries(
    world: &mut dyn SizeWorld,
    side: EngineSide,
    (url, words): (&str, &[&str]),
    (results, dice): (usize, &mut Dice),
) -> anyhow::Result<u32> {
    for tries in 1..=MOST_TRIES {
        let hits = world.ask(side, &two(words, dice), results)?;
        if hits.len() < results && hits.iter().any(|hit| hit == url) {
            return Ok(tries);
        }
    }
    Ok(MOST_TRIES)
}

#[cfg(test)]
mod tests {
    use super::super::QueryLexicon;
    use super::super::present::tests::SmallWeb;
    use super::*;
    use fyke_learn::size::{SizeEvidence, method};

    /// Words of letters, so that they may be asked for.
    fn word(number: usize) -> String {
        ["ka", "lo", "mi", "nu", "pe", "ra", "so", "ti"]
            .iter()
            .cycle()
            .skip(number % 8)
            .step_by(1 + number / 8 % 7)
            .take(2 + number / 56)
            .copied()
            .collect()
    }

    #[test]
    fn pages_that_are_drawn_tell_how_many_there_are() {
        let mut web = SmallWeb::default();
        let mut dice = Dice::new(3);
        let mut texts = Vec::new();
        for at in 0..300 {
            let text: Vec<String> = (0..20 + at % 30).map(|_| word(dice.below(110))).collect();
            let (url, text) = (format!("http://h{}.test/{at}", at % 9), text.join(" "));
            web.add(&url, &text, &[]);
            web.held[0].push(url.clone());
            if at % 3 == 0 {
                web.held[1].push(url);
            }
            texts.push(text);
        }
        let lexicon = QueryLexicon::of(&texts);
        let strong = StrongQuery { lexicon: &lexicon, words: 8 };
        let mut evidence = SizeEvidence { pool: lexicon.pairs(), seed: 1, ..Default::default() };
        for side in EngineSide::BOTH {
            let options = DrawOptions { strong, pages: 150, results: 100, seed: 4 };
            let mut drawn = Vec::new();
            let tally = draw(&mut web, side, options, &mut drawn, &mut |_| true).unwrap();
            assert_eq!(tally.queries, drawn.len() as u64);
            match side {
                EngineSide::First => evidence.from_first = drawn,
                EngineSide::Second => evidence.from_second = drawn,
            }
        }
        for (name, truth) in [("overlap", 3.0), ("pool", 3.0), ("pool-a", 300.0), ("pool-b", 100.0)]
        {
            let figure = (method(name).unwrap().estimate)(&evidence).unwrap();
            assert!((figure.value / truth - 1.0).abs() < 0.3, "{name}: {figure:?}");
        }
    }
}
