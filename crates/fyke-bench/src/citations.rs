//! `cargo bench-fyke citations`: which references name the same paper. On cora-matching (002 §1) with papers held out, beside
//! what equal words and a closure reach in the same run; on made references, their cost and that of new ones.
//!
//! The papers of cora-matching are halved by a hash of their numbers. Features, limits and the threshold were chosen on the
//! first half. Figures are of the second: by five folds of its papers (learned from all papers but the fold's, whose
//! references are grouped by themselves), and of the whole half (learned from the first half alone).

use super::machine::cpu_time;
use super::report::BenchReport;
use super::{Args, Benchmark, data};
use anyhow::Context as _;
use fyke_learn::cluster::CanopyLimits;
use fyke_learn::terms::Dice;
use fyke_papers::made::made;
use fyke_papers::matching::{CitedId, Grouping, GroupingOptions, KnownCitation, cora, learn};
use fyke_stages::memory;
use std::collections::{HashMap, HashSet};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "citations",
    what: "references that name the same paper: F1 over pairs on papers held out; time and memory of many made ones",
    options: &["data", "documents", "seed"],
    run,
};

/// References that are made.
const MADE: u64 = 1_000_000;
/// What new references join, and how many come.
const JOINED: u32 = 100_000;
const NEW: usize = 100;
const FOLDS: u64 = 5;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    let file = data(args)?.join("cora-matching/cora-all-id.xml");
    let text = std::fs::read(&file).with_context(|| format!("{}", file.display()))?;
    held_out(&cora(&String::from_utf8_lossy(&text)), &mut report);
    let seed = args.seed.unwrap_or(7);
    many(seed, args.documents.unwrap_or(MADE) as u32, &mut report)?;
    joining(seed, &mut report)?;
    Ok(report)
}

/// In which of so many parts a paper is.
fn part(paper: u32, parts: u64) -> u64 {
    Dice::new(u64::from(paper)).bits() % parts
}

fn held_out(all: &[KnownCitation], report: &mut BenchReport) {
    let of = |half: u64| all.iter().filter(move |known| part(known.paper, 2) == half).cloned();
    let (chosen_on, held): (Vec<_>, Vec<_>) = (of(0).collect(), of(1).collect());
    report.add("held_out_references", held.len() as f64, "");
    let (threshold, _) = best_jaccard(&chosen_on);
    let (mut folded, mut folded_closed) = (CitationTally::default(), CitationTally::default());
    for fold in 0..FOLDS {
        let is_inside = |known: &&KnownCitation| part(known.paper + 7_777, FOLDS) == fold;
        let inside: Vec<_> = held.iter().filter(is_inside).cloned().collect();
        let outside = held.iter().filter(|known| !is_inside(known)).chain(&chosen_on);
        let outside: Vec<_> = outside.cloned().collect();
        folded.add(&inside, &grouped(&outside, &inside));
        folded_closed.add(&inside, &by_jaccard(&inside, threshold));
    }
    let mut whole = CitationTally::default();
    whole.add(&held, &grouped(&chosen_on, &held));
    let mut closed = CitationTally::default();
    closed.add(&held, &by_jaccard(&held, threshold));
    folded.say(["folds_precision", "folds_recall", "folds_f1"], report);
    whole.say(["half_precision", "half_recall", "half_f1"], report);
    report.add("jaccard_folds_f1", folded_closed.f1(), "over pairs");
    closed.say(["jaccard_half_precision", "jaccard_half_recall", "jaccard_half_f1"], report);
    let (recall, share) = candidates(&held);
    report.add("candidates_recall", recall, "of the pairs of one paper");
    report.add("candidates_share", share, "of all pairs");
}

/// The papers of some references, by what others teach.
fn grouped(learned_from: &[KnownCitation], known: &[KnownCitation]) -> Vec<u64> {
    let options = GroupingOptions { weights: learn(learned_from), ..GroupingOptions::default() };
    let papers = Grouping::new(options).add(known.iter().map(|known| &known.citation));
    papers.into_iter().map(|paper| paper.0).collect()
}

/// How many of the pairs of one paper canopies bring together (references that are the same to the letter are), and
/// what share of all pairs they are. The limits on what a search looks at and gives are off: they cut only pairs
/// within large canopies, for which average link does not ask.
fn candidates(known: &[KnownCitation]) -> (f64, f64) {
    let limits = CanopyLimits::default();
    let (longest, most) = (limits.longest.max(known.len()), usize::MAX);
    let canopies = CanopyLimits { longest, looked_at: most, neighbours: most, ..limits };
    let options = GroupingOptions { canopies, ..GroupingOptions::default() };
    let mut grouping = Grouping::new(options);
    grouping.add(known.iter().map(|known| &known.citation));
    let found: HashSet<(u32, u32)> =
        grouping.pairs(0, 0.0).into_iter().map(|pair| (pair.a, pair.b)).collect();
    let forms: Vec<u32> = known.iter().filter_map(|k| grouping.form_of(&k.citation)).collect();
    let (mut of_one, mut right, mut all, mut met) = (0.0, 0.0, 0.0, 0.0);
    for (at, a) in known.iter().enumerate() {
        for (b, other) in known.iter().enumerate().skip(at + 1) {
            let (a_form, b_form) = (forms[at], forms[b]);
            let is_met =
                a_form == b_form || found.contains(&(a_form.min(b_form), a_form.max(b_form)));
            let (is_one, is_met) =
                (f64::from(u8::from(a.paper == other.paper)), f64::from(u8::from(is_met)));
            of_one += is_one;
            right += is_one * is_met;
            all += 1.0;
            met += is_met;
        }
    }
    (right / of_one, met / all)
}

/// The peer: references whose words have this Jaccard coefficient are of one paper, and so is what they share.
fn by_jaccard(known: &[KnownCitation], threshold: f64) -> Vec<u64> {
    let bags: Vec<HashSet<String>> = known.iter().map(words).collect();
    let mut of: Vec<usize> = (0..known.len()).collect();
    for a in 0..known.len() {
        for b in a + 1..known.len() {
            let shared = bags[a].intersection(&bags[b]).count();
            let union = bags[a].len() + bags[b].len() - shared;
            if of[a] != of[b] && shared as f64 >= threshold * union as f64 {
                let (from, to) = (of[b], of[a]);
                of.iter_mut().filter(|at| **at == from).for_each(|at| *at = to);
            }
        }
    }
    of.into_iter().map(|at| at as u64).collect()
}

fn words(known: &KnownCitation) -> HashSet<String> {
    let citation = &known.citation;
    let fields =
        [&citation.authors, &citation.title, &citation.venue, &citation.volume, &citation.date];
    let words = fields.into_iter().flat_map(|field| field.split(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The threshold with the best F1.
fn best_jaccard(known: &[KnownCitation]) -> (f64, f64) {
    let tried = (4..=18).map(|step| {
        let threshold = f64::from(step) * 0.05;
        let mut tally = CitationTally::default();
        tally.add(known, &by_jaccard(known, threshold));
        (threshold, tally.f1())
    });
    tried.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
}

fn many(seed: u64, count: u32, report: &mut BenchReport) -> anyhow::Result<()> {
    let start = cpu_time("self")?;
    let papers: Vec<u32> = made(seed, count).map(|known| known.paper).collect();
    let making = cpu_time("self")? - start;
    let start = cpu_time("self")?;
    let mut grouping = Grouping::default();
    let found = grouping.add(made(seed, count).map(|known| known.citation));
    let spent = (cpu_time("self")? - start).saturating_sub(making);
    let mut tally = CitationTally::default();
    tally.count(papers.into_iter().zip(found.iter().map(|paper| paper.0)));
    report.add("made_references", f64::from(count), "");
    report.add("made_cpu", spent.as_secs_f64(), "s");
    report.add("made_peak_memory", memory::peak_rss() as f64 / 1e6, "MB");
    tally.say(["made_precision", "made_recall", "made_f1"], report);
    Ok(())
}

/// New references among many: after the program has started anew, and then.
fn joining(seed: u64, report: &mut BenchReport) -> anyhow::Result<()> {
    let all: Vec<KnownCitation> = made(seed + 1, JOINED + NEW as u32).collect();
    let (old, new) = all.split_at(JOINED as usize);
    let mut grouping = Grouping::default();
    let papers: Vec<CitedId> = grouping.add(old.iter().map(|known| &known.citation));
    let start = cpu_time("self")?;
    let stored = old.iter().zip(&papers).map(|(known, paper)| (&known.citation, *paper));
    let mut restored = Grouping::restore(GroupingOptions::default(), stored);
    let restoring = cpu_time("self")? - start;
    let start = std::time::Instant::now();
    let joined = restored.add(new.iter().map(|known| &known.citation));
    let joining = start.elapsed();
    let mut tally = CitationTally::default();
    let found = papers.iter().chain(&joined).map(|paper| paper.0);
    tally.count(all.iter().map(|known| known.paper).zip(found));
    report.add("restored_cpu", restoring.as_secs_f64(), "s for 100,000 references");
    report.add("joined", joining.as_secs_f64() * 1e3, "ms for 100 new ones");
    report.add("joined_f1", tally.f1(), "of all");
    Ok(())
}

/// Pairs that are of one paper, that were found to be, and both.
#[derive(Clone, Copy, Debug, Default)]
struct CitationTally {
    right: f64,
    found: f64,
    relevant: f64,
}

impl CitationTally {
    fn add(&mut self, known: &[KnownCitation], found: &[u64]) {
        self.count(known.iter().map(|known| known.paper).zip(found.iter().copied()));
    }

    fn count(&mut self, references: impl Iterator<Item = (u32, u64)>) {
        let (mut both, mut papers, mut groups) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (paper, group) in references {
            *both.entry((paper, group)).or_insert(0_u64) += 1;
            *papers.entry(paper).or_insert(0_u64) += 1;
            *groups.entry(group).or_insert(0_u64) += 1;
        }
        let pairs = |count: &u64| (count * count.saturating_sub(1) / 2) as f64;
        self.right += both.values().map(pairs).sum::<f64>();
        self.relevant += papers.values().map(pairs).sum::<f64>();
        self.found += groups.values().map(pairs).sum::<f64>();
    }

    fn f1(&self) -> f64 {
        2.0 * self.right / (self.found + self.relevant).max(1.0)
    }

    fn say(&self, names: [&'static str; 3], report: &mut BenchReport) {
        report.add(names[0], self.right / self.found.max(1.0), "");
        report.add(names[1], self.right / self.relevant.max(1.0), "");
        report.add(names[2], self.f1(), "over pairs");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_papers_and_by_what_was_found() {
        let mut tally = CitationTally::default();
        tally.count([(1, 5), (1, 5), (1, 6), (2, 6)].into_iter());
        assert_eq!((tally.right, tally.found, tally.relevant), (1.0, 2.0, 3.0));
        assert_eq!(tally.f1(), 0.4);
    }
}
