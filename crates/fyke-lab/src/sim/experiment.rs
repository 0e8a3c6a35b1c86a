//! The experiment: each guide learns from all recordings but one and is sent over that one (002 §2.1,
//! "test/train splits").

use super::Recorded;
use fyke_learn::spider::{
    FUTURE, GUIDES, HarvestCurve, LinkGuide, LinkValues, Policy, RecordedWeb, SpiderModel,
    YARDSTICKS, Yardstick, replay,
};
use rayon::prelude::*;

/// What is sent over recordings: a guide that leads crawls too, or what they are measured against.
#[derive(Clone, Copy, Debug)]
pub enum Contender {
    Guide(&'static LinkGuide),
    Yardstick(&'static Yardstick),
}

impl Contender {
    /// All there are, from knowing nothing to knowing most; guides last but the first.
    pub fn all() -> impl Iterator<Item = Contender> {
        let (first, rest) = GUIDES.split_at(1);
        let yardsticks = YARDSTICKS.iter().map(Contender::Yardstick);
        first
            .iter()
            .map(Contender::Guide)
            .chain(yardsticks)
            .chain(rest.iter().map(Contender::Guide))
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Contender::Guide(guide) => guide.name,
            Contender::Yardstick(row) => row.name,
        }
    }

    /// In a sentence.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Contender::Guide(guide) => guide.what,
            Contender::Yardstick(row) => row.what,
        }
    }

    /// One that has learned from these webs.
    #[must_use]
    pub fn train(self, webs: &[&RecordedWeb]) -> Box<dyn Policy> {
        match self {
            Contender::Guide(guide) => Box::new(guide.train(webs)),
            Contender::Yardstick(row) => (row.train)(webs),
        }
    }
}

/// How a guide fared, on each recording.
#[derive(Debug)]
pub struct GuideTrial {
    pub guide: &'static str,
    pub what: String,
    pub curves: Vec<HarvestCurve>,
}

impl GuideTrial {
    /// The mean share of the links that was needed for a share of the targets; nothing where a recording
    /// has no target that can be reached.
    #[must_use]
    pub fn needed(&self, share: f64) -> Option<f64> {
        let needed: Option<Vec<f64>> =
            self.curves.iter().map(|curve| curve.needed(share)).collect();
        needed.filter(|needed| !needed.is_empty()).map(|needed| mean(&needed))
    }

    /// The mean area under the curve.
    #[must_use]
    pub fn area(&self) -> f64 {
        mean(&self.curves.iter().map(HarvestCurve::area).collect::<Vec<_>>())
    }

    /// The mean share of the targets that was found after a share of the links.
    #[must_use]
    pub fn found_after(&self, share: f64) -> f64 {
        mean(&self.curves.iter().map(|curve| curve.found_after(share)).collect::<Vec<_>>())
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Tries the guides; `observe` gets how many walks were made. Recordings are walked side by side.
pub fn run(
    recordings: &[Recorded],
    guides: &[Contender],
    mut observe: impl FnMut(usize),
) -> Vec<GuideTrial> {
    let mut tried = Vec::new();
    for guide in guides {
        observe(tried.len() * recordings.len());
        let all = (0..recordings.len()).into_par_iter();
        let curves = all.map(|at| walk(recordings, at, *guide)).collect();
        tried.push(GuideTrial { guide: guide.name(), what: guide.what().to_owned(), curves });
    }
    tried
}

/// Sends a guide over one recording after it has learned from the others.
fn walk(recordings: &[Recorded], at: usize, guide: Contender) -> HarvestCurve {
    let others = recordings.iter().enumerate().filter(|(other, _)| *other != at);
    let others: Vec<&RecordedWeb> = others.map(|(_, recorded)| &recorded.web).collect();
    let mut policy = guide.train(&others);
    replay(&recordings[at].web, &recordings[at].starts, policy.as_mut())
}

/// Sends what was learned before over each recording.
#[must_use]
pub fn run_model(recordings: &[Recorded], model: &SpiderModel) -> GuideTrial {
    let walk = |recorded: &Recorded| {
        replay(&recorded.web, &recorded.starts, &mut LinkValues::with_model(FUTURE, model))
    };
    let what = format!("future, trained on {}", model.trained_on);
    GuideTrial { guide: "model", what, curves: recordings.iter().map(walk).collect() }
}

/// Learns from all recordings.
#[must_use]
pub fn train(recordings: &[Recorded]) -> SpiderModel {
    let webs: Vec<&RecordedWeb> = recordings.iter().map(|recorded| &recorded.web).collect();
    let about = |recorded: &Recorded| {
        format!("{} ({} links, {} wanted)", recorded.name, recorded.web.len(), recorded.targets())
    };
    let trained_on = recordings.iter().map(about).collect::<Vec<_>>().join(", ");
    FUTURE.train(&webs).model(&trained_on)
}
