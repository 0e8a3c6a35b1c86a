//! `fyke sim`: guides of the spider replayed over what was recorded (002 §2.1).

mod revisit;

use super::progress::Progress;
use super::{Exit, Failure, Global, opened, output};
use anyhow::Context as _;
use fyke_lab::plot::{Axis, Mark, Plot};
use fyke_lab::sim::{self, Contender, GuideTrial, Recorded, SimTargets};
use fyke_learn::spider::SpiderModel;
use fyke_stages::config::{nearest, parse_duration};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Replay guides of a focused crawl, or policies of visits, on recorded pages
#[derive(Debug, clap::Args)]
#[command(after_help = help())]
pub(super) struct Args {
    /// Collections to replay [default: the collection of -C or of the current folder]
    collections: Vec<PathBuf>,
    /// Folder with the WebKB data: repeat the published experiment instead
    #[arg(long, value_name = "DIR", conflicts_with = "collections")]
    data: Option<PathBuf>,
    /// Targets are URLs that match, for example *.pdf (repeatable)
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["data", "keywords"])]
    targets: Vec<String>,
    /// Targets are documents with one of these words or phrases
    #[arg(long, value_name = "WORD,WORD", value_delimiter = ',', conflicts_with = "data")]
    keywords: Vec<String>,
    /// Replay only this guide (repeatable)
    #[arg(long = "guide", value_name = "NAME")]
    guides: Vec<String>,
    /// Write a model learned from all recordings to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Also replay the model in this file: one written by --save, or a collection's guide.model
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Draw the curves into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Try the policies of [revisit] on made pages instead, in simulated time
    #[arg(long, conflicts_with_all = ["collections", "data", "targets", "keywords", "guides", "save", "model", "svg"])]
    revisit: bool,
    /// With --revisit: number of pages
    #[arg(long, value_name = "N", requires = "revisit", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pages: u32,
    /// With --revisit: mean time between two visits to a page
    #[arg(long, value_name = "TIME", requires = "revisit", default_value = "1d", value_parser = parse_duration)]
    every: Duration,
    /// With --revisit: seed of the pages
    #[arg(long, value_name = "N", requires = "revisit", default_value_t = 1)]
    seed: u64,
}

/// The shares of the targets for which links are counted.
const SHARES: [f64; 4] = [0.05, 0.25, 0.5, 0.75];
/// Points of a curve that is drawn.
const POINTS: u32 = 200;

fn help() -> String {
    let row = |guide: Contender| format!("  {:<17}{}", guide.name(), guide.what());
    let is_guide = |guide: &Contender| matches!(guide, Contender::Guide(_));
    let (guides, others): (Vec<_>, Vec<_>) = Contender::all().partition(is_guide);
    let rows = |guides: Vec<_>| guides.into_iter().map(row).collect::<Vec<_>>().join("\n");
    format!(
        "Examples:\n  \
         fyke sim --data webkb --svg curves.svg     the WebKB departments and their papers\n  \
         fyke sim a b c --targets '*.pdf'           three collections; train on two, replay the third\n  \
         fyke sim --keywords 'tidal turbine,tides'  this collection; guides learn while they crawl\n  \
         fyke sim a b --guide future --guide breadth-first --json\n  \
         fyke sim a b --targets '*.pdf' --save papers.model\n  \
         fyke sim c --targets '*.pdf' --model papers.model\n  \
         fyke sim --revisit --pages 5000            policies of [revisit] on made pages\n\n\
         Guides, as in a focused crawl:\n{}\n\n\
         Only for comparison:\n{}\n\n\
         Each collection is a recording. A guide learns from all recordings but one and then crawls that\n\
         one from its seeds. With one recording it learns only while it crawls. A figure is the share of\n\
         all links (each page counts once) that was followed until a share of the targets was found; it\n\
         is the mean of all recordings.\n\
         Without --targets and --keywords, the targets are pages about the subject of [focus], or all\n\
         documents.",
        rows(guides),
        rows(others)
    )
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.revisit {
        return revisit::run(global, args.pages as usize, args.every, args.seed);
    }
    let guides = guides(&args.guides)?;
    let model = args.model.as_deref().map(model).transpose()?;
    let recordings = recordings(global, args)?;
    if let Some(empty) = recordings.iter().find(|recorded| recorded.targets() == 0) {
        let message = format!("{} has no targets; try --targets or --keywords", empty.name);
        return Err(Failure::usage(message).into());
    }
    let walks = guides.len() * recordings.len();
    let mut progress = Progress::start(global.quiet, "walks", Some(walks as u64));
    let mut tried = sim::run(&recordings, &guides, |made| progress.at(made as u64, ""));
    progress.finish();
    tried.extend(model.map(|model| sim::run_model(&recordings, &model)));
    if let Some(path) = &args.save {
        std::fs::write(path, sim::train(&recordings).to_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &args.svg {
        std::fs::write(path, plot(&tried).svg())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if global.json {
        output::say_json(&as_json(&recordings, &tried))?;
    } else {
        output::say(&as_text(&recordings, &tried));
    }
    Ok(Exit::Done)
}

fn guides(names: &[String]) -> anyhow::Result<Vec<Contender>> {
    if names.is_empty() {
        return Ok(Contender::all().collect());
    }
    let named = |name: &String| {
        let all = || Contender::all().map(Contender::name);
        Contender::all().find(|guide| guide.name() == name).ok_or_else(|| {
            let advice = match nearest(name, all()) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("it is one of {}", all().collect::<Vec<_>>().join(", ")),
            };
            Failure::usage(format!("--guide {name:?}: {advice}")).into()
        })
    };
    names.iter().map(named).collect()
}

fn model(path: &Path) -> anyhow::Result<SpiderModel> {
    let said = |why: &str| Failure::usage(format!("--model {}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| said(&error.to_string()))?;
    Ok(SpiderModel::from_bytes(&bytes)
        .ok_or_else(|| said("not a model that this version of fyke wrote"))?)
}

fn recordings(global: &Global, args: &Args) -> anyhow::Result<Vec<Recorded>> {
    if let Some(dir) = &args.data {
        return sim::sites(dir);
    }
    let targets = match (args.targets.as_slice(), args.keywords.as_slice()) {
        ([], []) => SimTargets::Kept,
        ([], keywords) => SimTargets::keywords(keywords),
        (patterns, _) => {
            SimTargets::matching(patterns).map_err(|error| Failure::usage(error.to_string()))?
        }
    };
    match args.collections.as_slice() {
        [] => Ok(vec![recorded(global, &targets)?]),
        dirs => {
            let at = |dir: &PathBuf| Global { dir: Some(dir.clone()), ..global.clone() };
            dirs.iter().map(|dir| recorded(&at(dir), &targets)).collect()
        }
    }
}

fn recorded(global: &Global, targets: &SimTargets) -> anyhow::Result<Recorded> {
    let opened = opened::show(global)?;
    let seeds: Vec<_> =
        opened.config.seeds.urls.iter().filter_map(|seed| opened::url(seed).ok()).collect();
    let subject = SimTargets::keywords(&opened.config.focus.keywords);
    let targets = match targets {
        SimTargets::Kept if !opened.config.focus.keywords.is_empty() => &subject,
        targets => targets,
    };
    let mut progress = Progress::start(global.quiet, "captures", None);
    let recorded =
        sim::collection(&opened.collection, &seeds, targets, |read| progress.at(read, ""));
    progress.finish();
    recorded
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.))
}

fn as_text(recordings: &[Recorded], tried: &[GuideTrial]) -> String {
    let head = ["recording", "pages", "links", "wanted"].map(str::to_owned).to_vec();
    let row = |recorded: &Recorded| {
        let numbers = [recorded.web.pages(), recorded.web.len(), recorded.targets()];
        let numbers = numbers.map(|number| fyke_stages::show::count(number as u64));
        std::iter::once(recorded.name.clone()).chain(numbers).collect()
    };
    let rows: Vec<_> = std::iter::once(head).chain(recordings.iter().map(row)).collect();
    let shares = SHARES.map(|share| format!("for {:.0} %", share * 100.));
    let head: Vec<String> =
        std::iter::once("guide".to_owned()).chain(shares).chain(["area".to_owned()]).collect();
    let row = |tried: &GuideTrial| {
        let needed = SHARES.map(|share| percent(tried.needed(share)));
        let name = std::iter::once(tried.guide.to_owned());
        name.chain(needed).chain([format!("{:.3}", tried.area())]).collect()
    };
    let guides: Vec<_> = std::iter::once(head).chain(tried.iter().map(row)).collect();
    let (rows, guides) = (output::table_with_head(&rows), output::table_with_head(&guides));
    format!("{rows}\n\nlinks followed, of all\n{guides}")
}

fn as_json(recordings: &[Recorded], tried: &[GuideTrial]) -> serde_json::Value {
    let recorded = |recorded: &Recorded| {
        json!({
            "name": recorded.name, "pages": recorded.web.pages(), "links": recorded.web.len(),
            "targets": recorded.targets(),
        })
    };
    let needed = |needed: &dyn Fn(f64) -> Option<f64>| {
        let shares =
            SHARES.iter().map(|share| (format!("{:.0}", share * 100.), json!(needed(*share))));
        shares.collect::<serde_json::Map<_, _>>()
    };
    let guide = |tried: &GuideTrial| {
        let each = tried.curves.iter().zip(recordings).map(|(curve, recorded)| {
            json!({
                "name": recorded.name, "followed": curve.followed, "found": curve.found.len(),
                "needed": needed(&|share| curve.needed(share)), "area": curve.area(),
            })
        });
        json!({
            "guide": tried.guide, "what": tried.what,
            "needed": needed(&|share| tried.needed(share)), "area": tried.area(),
            "recordings": each.collect::<Vec<_>>(),
        })
    };
    json!({
        "recordings": recordings.iter().map(recorded).collect::<Vec<_>>(),
        "guides": tried.iter().map(guide).collect::<Vec<_>>(),
    })
}

fn plot(tried: &[GuideTrial]) -> Plot {
    let line = |tried: &GuideTrial| {
        let share = |at: u32| f64::from(at) / f64::from(POINTS);
        let points = (0..=POINTS).map(|at| (share(at) * 100., tried.found_after(share(at)) * 100.));
        Mark::Line { label: tried.guide.to_owned(), points: points.collect() }
    };
    Plot {
        title: "What was wanted, by links followed".to_owned(),
        x: Axis::linear("links followed, %").within(0., 100.),
        y: Axis::linear("found, %").within(0., 100.),
        marks: tried.iter().map(line).collect(),
    }
}
