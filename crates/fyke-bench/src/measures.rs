//! `cargo bench-fyke measures`: the outputs of trec_eval's own tests, line for line; and the time to evaluate
//! a made run of 1,000 queries with 1,000 documents each, from files and alone, beside pytrec_eval's.

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, machine, script};
use anyhow::{Context as _, bail};
use fyke::cli::lab::read;
use fyke_eval::random::Random;
use fyke_eval::trec_eval::{self, Columns, JudgementFormat, SheetOptions, ZScores};
use fyke_eval::{EvalOptions, Qrels, Run, evaluate};
use serde::Deserialize;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "measures",
    what: "outputs of trec_eval reproduced, and time to evaluate a run of a million lines",
    options: &["data", "peers", "pin"],
    run,
};

/// An output of trec_eval and its command line, as its tests have it.
struct TrecEvalCase {
    output: &'static str,
    command: &'static str,
    files: [&'static str; 2],
}

const fn case(
    output: &'static str,
    command: &'static str,
    qrels: &'static str,
    run: &'static str,
) -> TrecEvalCase {
    TrecEvalCase { output, command, files: [qrels, run] }
}

const CASES: [TrecEvalCase; 12] = [
    case("out.test", "-m official", "qrels.test", "results.test"),
    case("out.test.a", "-m all_trec", "qrels.test", "results.test"),
    case("out.test.aq", "-m all_trec -q", "qrels.test", "results.test"),
    case("out.test.aqc", "-m all_trec -q -c", "qrels.test", "results.trunc"),
    case("out.test.aqcM", "-m all_trec -q -c -M 100", "qrels.test", "results.trunc"),
    case("out.test.aql", "-m all_trec -m relstring.20 -q -l 2", "qrels.rel_level", "results.test"),
    case("out.comment.test", "-m official", "qrels.comment.test", "results.comment.test"),
    case("out.test.prefs", "-m all_prefs -q -R prefs", "prefs.test", "prefs.results.test"),
    case("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs", "qrels.test", "results.test"),
    case("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg", "qrels.123", "results.test"),
    case("out.test.aqZ", "-q -m all_trec -Z zscores_file", "qrels.test", "results.test"),
    case(
        "out.test.meas_params",
        "-q -m iprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 \
         -m Rprec_mult.5.0,0.2,0.35 -m utility.2,-1,0,0 -m 11pt_avg..25,.5,.75 \
         -m ndcg.1=3,2=9,4=4.5 -m ndcg_cut.10,20,23.4 -m success.2,5,20",
        "qrels.test",
        "results.test",
    ),
];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    match super::data(args) {
        Ok(data) => outputs(&data, &mut report)?,
        // Without data and asked for the peers, the speed can be measured alone.
        Err(_) if args.peers && args.data.is_none() => {}
        Err(missing) => return Err(missing),
    }
    speed(args.peers, &mut report)?;
    Ok(report)
}

fn outputs(data: &Path, report: &mut BenchReport) -> anyhow::Result<()> {
    let folders = [data.join("trec_eval/test"), data.join("test"), data.to_path_buf()];
    let folder = folders.iter().find(|folder| folder.join("out.test").exists());
    let Some(folder) = folder else {
        bail!("{} holds no trec_eval/test with out.test", data.display());
    };
    let (mut reproduced, mut equal, mut lines) = (0, 0, 0);
    for case in &CASES {
        let (same, all) = case.compare(folder).with_context(|| case.output.to_owned())?;
        reproduced += u32::from(same == all);
        equal += same;
        lines += all;
    }
    report.add("outputs", CASES.len() as f64, "");
    report.add("outputs_reproduced", f64::from(reproduced), "");
    report.add("lines", lines as f64, "");
    report.add("lines_equal", equal as f64, "");
    Ok(())
}

impl TrecEvalCase {
    /// How many lines are equal, and how many there are.
    fn compare(&self, folder: &Path) -> anyhow::Result<(usize, usize)> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))
        };
        let mut options = EvalOptions { complete: false, ..EvalOptions::default() };
        let mut show = SheetOptions { queries: false, summary: true, zscores: None };
        let (mut names, mut format) = (Vec::new(), JudgementFormat::Qrels);
        let mut words = self.command.split_whitespace();
        while let Some(flag) = words.next() {
            let mut value = || words.next().context("a flag without its value");
            match flag {
                "-q" => show.queries = true,
                "-c" => options.complete = true,
                "-m" => names.push(value()?),
                "-M" => options.depth = value()?.parse()?,
                "-l" => options.level = value()?.parse()?,
                "-Z" => show.zscores = Some(ZScores::parse(&read(value()?)?)?),
                _ => {
                    let name = value()?;
                    let known = JudgementFormat::ALL.iter().find(|(known, _)| *known == name);
                    format = known.context("an unknown format")?.1;
                }
            }
        }
        let [judgements, run] = [read(self.files[0])?, read(self.files[1])?];
        let (columns, run) = (Columns::named(&names)?, Run::parse(&run)?);
        let judgements = trec_eval::JudgementText { text: &judgements, format };
        let said = trec_eval::report(judgements, &run, &columns, &options, &show)?;
        let expected = read(self.output)?;
        let same = said.lines().zip(expected.lines()).filter(|(said, known)| said == known).count();
        Ok((same, expected.lines().count().max(said.lines().count())))
    }
}

const QUERIES: usize = 1_000;
const DOCUMENTS: usize = 1_000;
/// Judged documents of a query, and how many of them were retrieved.
const JUDGED: [usize; 2] = [100, 60];
/// Measures in the spelling of trec_eval.
const MEASURES: [&str; 11] = [
    "map",
    "ndcg",
    "ndcg_cut_10",
    "P_5",
    "P_10",
    "P_20",
    "recall_100",
    "recall_1000",
    "recip_rank",
    "Rprec",
    "bpref",
];
/// Times that each is done, since the clock of the system ticks in hundredths of a second.
const TIMES: u32 = 20;

/// What a program took, in seconds of CPU time.
#[derive(Debug, Deserialize)]
struct MeasureTime {
    name: String,
    from_files: f64,
    alone: f64,
    means: Vec<f64>,
}

fn speed(peers: bool, report: &mut BenchReport) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder for the run")?;
    let files = make(folder.path())?;
    let mut all = vec![ours(&files)?];
    if peers {
        all.extend(theirs(&files)?);
    }
    report.add("queries", QUERIES as f64, "");
    report.add("documents_a_query", DOCUMENTS as f64, "");
    report.add("measures", MEASURES.len() as f64, "");
    for spent in &all {
        let row = |name, value, unit| Figure { name, value, unit };
        let differ = spent.means.iter().zip(&all[0].means).map(|(a, b)| (a - b).abs());
        report.labels.push(spent.name.clone());
        report.series.push(vec![
            row("from_files", spent.from_files, "CPU s"),
            row("evaluation_alone", spent.alone, "CPU s"),
            row("times_ours_from_files", spent.from_files / all[0].from_files, ""),
            row("times_ours_alone", spent.alone / all[0].alone, ""),
            row("largest_difference", differ.fold(0.0, f64::max), ""),
        ]);
    }
    Ok(())
}

/// A run with scores that fall, as engines write them, and judgements of part of it.
fn make(folder: &Path) -> anyhow::Result<[PathBuf; 2]> {
    let mut random = Random::new(7);
    let (mut run, mut qrels) = (String::new(), String::new());
    for query in 1..=QUERIES {
        let names: Vec<usize> = (0..DOCUMENTS).map(|at| at * 8_841 + random.below(8_841)).collect();
        let mut order = names.clone();
        (1..DOCUMENTS).rev().for_each(|at| order.swap(at, random.below(at + 1)));
        let mut score = 30.0;
        for (rank, name) in (1..).zip(&order) {
            score -= random.below(50_000) as f64 / 1e6;
            writeln!(run, "{query} Q0 doc{name:07} {rank} {score:.6} bm25")?;
        }
        let [judged, found] = JUDGED;
        for at in 0..judged {
            let grade = [0, 0, 0, 1, 1, 2, 3][random.below(7)];
            // What was not retrieved has names that no answer has.
            let place = at * DOCUMENTS / judged;
            match at % judged < found {
                true => writeln!(qrels, "{query} 0 doc{:07} {grade}", names[place])?,
                false => writeln!(qrels, "{query} 0 doc9{place:07} {grade}")?,
            }
        }
    }
    let files = [folder.join("qrels.txt"), folder.join("run.txt")];
    std::fs::write(&files[0], qrels)?;
    std::fs::write(&files[1], run)?;
    Ok(files)
}

fn ours([qrels, run]: &[PathBuf; 2]) -> anyhow::Result<MeasureTime> {
    let whole = || -> anyhow::Result<(Qrels, Run, Vec<f64>)> {
        let (qrels, run) = (read::qrels(qrels)?, read::run(run)?);
        let means = evaluate(&qrels, &run, &MEASURES)?.means;
        Ok((qrels, run, means))
    };
    let (qrels, run, means) = whole()?;
    let from_files = per_time(|| whole().map(drop))?;
    let alone = per_time(|| Ok(evaluate(&qrels, &run, &MEASURES).map(drop)?))?;
    Ok(MeasureTime { name: "fyke".to_owned(), from_files, alone, means })
}

/// Seconds of CPU time that it takes once.
fn per_time(mut done: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let before = machine::cpu_time("self")?;
    for _ in 0..TIMES {
        done()?;
    }
    Ok((machine::cpu_time("self")? - before).as_secs_f64() / f64::from(TIMES))
}

const SCRIPT: &str = "benches/peers/measures.py";

fn theirs(files: &[PathBuf; 2]) -> anyhow::Result<Vec<MeasureTime>> {
    let arguments = files.iter().map(|file| file.as_os_str()).chain(MEASURES.map(OsStr::new));
    script::lines(&script::run(SCRIPT, &arguments.collect::<Vec<_>>())?)
}
