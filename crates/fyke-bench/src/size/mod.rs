//! `cargo bench-fyke size`: figures of the methods of `fyke lab size` held against the truth, over many ponds. The
//! engines are a model (real crawls of two hundred collections are too dear); pages, words and links are the
//! pond's. Of each corrected method: in how many ponds its 95 % interval holds the truth. Of each error of 001: in
//! how many ponds the figure with the error errs in the direction that 001 predicts.

mod model;
mod scenes;

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_lab::size::{
    AddressSpace, DrawOptions, QueryLexicon, SearchOptionsOfSize, StrongQuery, WalkOptions, draw,
    search_both, visit_addresses, walk,
};
use fyke_learn::size::{EngineSide, NoSize, SizeEvidence, SizeFigure, method};
use fyke_learn::terms::Dice;
use model::{HeldPage, ModelEngine, ModelWeb, ModelWorld};
use scenes::{Predicted, SCENES, Scene, TrueFigure, crawls, independent, truth};
use std::collections::BTreeMap;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "size",
    what: "sizes of engines from outside: intervals that hold the truth, and errors that lead where they should",
    options: &["seed", "seeds"],
    run,
};

/// Ponds, and the first of them. (The methods were made with ponds from 1,001 on.)
const SEEDS: u64 = 100;
const SEED: u64 = 1;
/// Pages drawn from each engine, searches, walks with their steps.
const PAGES: usize = 200;
const SEARCHES: usize = 150;
const WALKS: (usize, usize) = (12, 3_000);
/// Addresses of the model's space, and those that are drawn.
const ADDRESSES: (u64, u64) = (40, 30);
/// Words of the lexicon that a page must have to be drawn at all.
const FEWEST_WORDS: usize = 5;

/// In how many ponds.
#[derive(Clone, Copy, Debug, Default)]
struct TruthsHeld {
    of: u32,
    delta: u32,
    bootstrap: u32,
    refused: u32,
    /// The sum of ln(figure / truth).
    error: f64,
    /// The figure lay below the truth, and above.
    below: u32,
    above: u32,
}

impl TruthsHeld {
    fn take(&mut self, figure: Result<SizeFigure, NoSize>, truth: f64) {
        let Ok(figure) = figure else {
            self.refused += 1;
            return;
        };
        let holds = |(low, high): (f64, f64)| low <= truth && truth <= high;
        self.of += 1;
        self.delta += u32::from(holds(figure.interval));
        self.bootstrap += u32::from(figure.bootstrap.is_some_and(holds));
        self.error += (figure.value / truth).ln();
        self.below += u32::from(figure.value < truth);
        self.above += u32::from(figure.value > truth);
    }

    fn figures(&self, predicted: Option<Predicted>) -> Vec<Figure> {
        let row = |name, value, unit| Figure { name, value, unit };
        let mut figures = vec![
            row("ponds", f64::from(self.of), ""),
            row("held", f64::from(self.delta), ""),
            row("held_bootstrap", f64::from(self.bootstrap), ""),
            row("refused", f64::from(self.refused), ""),
            row("mean_error", ((self.error / f64::from(self.of.max(1))).exp() - 1.0) * 100.0, "%"),
        ];
        if let Some(predicted) = predicted {
            let right = if predicted == Predicted::TooSmall { self.below } else { self.above };
            figures.push(row("as_predicted", f64::from(right), ""));
        }
        figures
    }
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let first = args.seed.unwrap_or(SEED);
    let seeds = args.seeds.unwrap_or(SEEDS);
    let (mut methods, mut errors): (BTreeMap<&str, TruthsHeld>, BTreeMap<usize, [TruthsHeld; 2]>) =
        Default::default();
    let (mut pages, mut poor) = (0, 0);
    for seed in first..first + seeds {
        let web = ModelWeb::crawl(seed);
        let lexicon = QueryLexicon::of(web.pages.iter().map(|page| page.page.words.join(" ")));
        pages += web.pages.len();
        poor += web.pages.iter().filter(|page| !is_drawn(&lexicon, &page.page.words)).count();
        of_crawls(&web, &lexicon, seed, &mut methods)?;
        for (at, scene) in SCENES.iter().enumerate() {
            let held = errors.entry(at).or_default();
            of_scene(&web, &lexicon, (seed, scene), held)?;
        }
    }
    let mut report = BenchReport::default();
    report.add("ponds", seeds as f64, "");
    report.add("pages_of_a_pond", pages as f64 / seeds as f64, "");
    report.add("of_them_with_too_few_words", poor as f64 / pages.max(1) as f64 * 100.0, "%");
    let mut least = f64::INFINITY;
    for (name, held) in &methods {
        report.labels.push((*name).to_owned());
        report.series.push(held.figures(None));
        if held.of > 0 && *name != "chapman of crawls" {
            least = least.min(f64::from(held.delta) / f64::from(held.of));
        }
    }
    for (at, [raw, corrected]) in &errors {
        let scene = &SCENES[*at];
        report.labels.push(format!("{}: left in", scene.name));
        report.series.push(raw.figures(Some(scene.predicted)));
        report.labels.push(format!("{}: corrected", scene.name));
        report.series.push(corrected.figures(None));
        least = least.min(f64::from(corrected.delta) / f64::from(corrected.of.max(1)));
    }
    report.add("least_share_held_by_a_corrected_method", least * 100.0, "%");
    Ok(report)
}

fn is_drawn(lexicon: &QueryLexicon, words: &[String]) -> bool {
    lexicon.of_band(words).len() >= FEWEST_WORDS
}

/// Every corrected method on two crawls, and capture-recapture on engines that are independent.
fn of_crawls(
    web: &ModelWeb,
    lexicon: &QueryLexicon,
    seed: u64,
    methods: &mut BTreeMap<&'static str, TruthsHeld>,
) -> anyhow::Result<()> {
    let mut world = ModelWorld { web, engines: crawls(web) };
    let mut evidence = drawn(&mut world, lexicon, (seed, 100))?;
    walked(&mut world, lexicon, seed, &mut evidence)?;
    visited(&mut world, lexicon, seed, &mut evidence)?;
    let drawable = |page: &HeldPage| is_drawn(lexicon, &page.page.words);
    let ratio = truth(TrueFigure::Ratio, &world.engines, drawable);
    let all = truth(TrueFigure::Ratio, &world.engines, |_| true);
    let [first, second] =
        world.engines.each_ref().map(|engine| engine.held.iter().filter(|p| drawable(p)).count());
    let truths = [
        ("overlap", ratio),
        ("pool", ratio),
        ("pool-a", first as f64),
        ("pool-b", second as f64),
        ("walk", ratio),
        ("addresses", all),
        ("addresses-web", web.pages.len() as f64),
    ];
    for (name, truth) in truths {
        methods.entry(name).or_default().take(estimate(name, &evidence), truth);
    }
    let drawn_of_web = web.pages.iter().filter(|page| is_drawn(lexicon, &page.page.words)).count();
    let chapman = |evidence: &mut SizeEvidence, engines: &[ModelEngine; 2]| {
        let known = engines[0].held.iter().filter(|page| drawable(page)).count();
        evidence.known = [Some(known as u64), None];
        estimate("chapman", evidence)
    };
    let figure = chapman(&mut evidence, &world.engines);
    methods.entry("chapman of crawls").or_default().take(figure, drawn_of_web as f64);
    let mut dice = Dice::new(seed);
    let mut world = ModelWorld { web, engines: independent(web, &mut dice) };
    let mut evidence = drawn(&mut world, lexicon, (seed, 100))?;
    let figure = chapman(&mut evidence, &world.engines);
    methods.entry("chapman").or_default().take(figure, drawn_of_web as f64);
    Ok(())
}

fn estimate(name: &str, evidence: &SizeEvidence) -> Result<SizeFigure, NoSize> {
    method(name).map_or(Err(NoSize::NotAsked), |row| (row.estimate)(evidence))
}

/// One error switched on: the figure with it, and the corrected one.
fn of_scene(
    web: &ModelWeb,
    lexicon: &QueryLexicon,
    (seed, scene): (u64, &Scene),
    [raw, corrected]: &mut [TruthsHeld; 2],
) -> anyhow::Result<()> {
    let mut web = web.clone();
    let engines = (scene.engines)(&mut web, &mut Dice::new(seed ^ 0x5CE7E));
    let mut world = ModelWorld { web: &web, engines };
    let mut evidence = SizeEvidence { seed, space: ADDRESSES.0 as f64, ..SizeEvidence::default() };
    let is_whole = match scene.name.split(':').next() {
        Some("mean of ratios") => {
            searched(&mut world, lexicon, seed, &mut evidence)?;
            true
        }
        Some("degree") => {
            walked(&mut world, lexicon, seed, &mut evidence)?;
            false
        }
        Some("power law") => {
            visited(&mut world, lexicon, seed, &mut evidence)?;
            true
        }
        _ => {
            evidence = drawn(&mut world, lexicon, (seed, scene.results))?;
            false
        }
    };
    let drawable = |page: &HeldPage| is_whole || is_drawn(lexicon, &page.page.words);
    let truth = truth(scene.truth, &world.engines, drawable);
    raw.take((scene.raw)(&evidence), truth);
    corrected.take((scene.corrected)(&evidence), truth);
    Ok(())
}

fn drawn(
    world: &mut ModelWorld<'_>,
    lexicon: &QueryLexicon,
    (seed, results): (u64, usize),
) -> anyhow::Result<SizeEvidence> {
    let strong = StrongQuery { lexicon, words: 8 };
    let options = DrawOptions { strong, pages: PAGES, results, seed };
    let mut evidence = SizeEvidence {
        pool: lexicon.pairs(),
        seed,
        space: ADDRESSES.0 as f64,
        ..SizeEvidence::default()
    };
    draw(world, EngineSide::First, options, &mut evidence.from_first, &mut |_| true)?;
    draw(world, EngineSide::Second, options, &mut evidence.from_second, &mut |_| true)?;
    Ok(evidence)
}

fn searched(
    world: &mut ModelWorld<'_>,
    lexicon: &QueryLexicon,
    seed: u64,
    evidence: &mut SizeEvidence,
) -> anyhow::Result<()> {
    let mut dice = Dice::new(seed);
    let mut pair = || lexicon.pair(&mut dice).map(str::to_owned).to_vec();
    let searches: Vec<Vec<String>> = (0..SEARCHES).map(|_| pair()).collect();
    let options = SearchOptionsOfSize { hits: 600, results: 600 };
    search_both(world, &searches, options, &mut evidence.searches, &mut |_| true)
}

fn walked(
    world: &mut ModelWorld<'_>,
    lexicon: &QueryLexicon,
    seed: u64,
    evidence: &mut SizeEvidence,
) -> anyhow::Result<()> {
    let strong = StrongQuery { lexicon, words: 8 };
    let (walks, steps) = WALKS;
    let options = WalkOptions { strong, walks, steps, burn_in: steps / 4, every: 3, seed };
    let hosts = world.web.hosts();
    let starts: Vec<String> = hosts.iter().map(|host| format!("http://{host}/")).collect();
    walk(world, &starts, options, &mut evidence.walked, &mut |_| true)
}

fn visited(
    world: &mut ModelWorld<'_>,
    lexicon: &QueryLexicon,
    seed: u64,
    evidence: &mut SizeEvidence,
) -> anyhow::Result<()> {
    let strong = StrongQuery { lexicon, words: 8 };
    let (addresses, drawn) = ADDRESSES;
    let space = AddressSpace { strong, addresses, drawn, pages: 1_000, seed };
    visit_addresses(world, space, &mut evidence.addresses, &mut |_| true)
}
