//! `cargo bench-fyke tags`: the shipped part-of-speech tagger on the test part of the treebank, known and
//! unknown words apart.

use super::machine::cpu_time;
use super::report::BenchReport;
use super::{Args, Benchmark, data};
use anyhow::{Context as _, bail};
use fyke_text::tag::{tags, treebank};
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "tags",
    what: "part-of-speech tags: words of the treebank's test part that are tagged right",
    options: &["data", "pin"],
    run,
};

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?.join("ud-ewt");
    let learnt = [
        unpack(&folder.join("en_ewt-ud-train.conllu.xz"))?,
        read(&folder.join("en_ewt-ud-dev.conllu"))?,
    ];
    let learnt = learnt.iter().flat_map(|text| treebank(text)).flatten();
    let known: HashSet<&str> = learnt.map(|(word, _)| word).collect();
    let text = read(&folder.join("en_ewt-ud-test.conllu"))?;
    let sentences: Vec<_> = treebank(&text).collect();
    // The model is read at its first use.
    std::hint::black_box(tags(&["ready"]));
    let start = cpu_time("self")?;
    let (mut all, mut right) = ([0_u32; 2], [0_u32; 2]);
    for sentence in &sentences {
        let words: Vec<&str> = sentence.iter().map(|(word, _)| *word).collect();
        for (found, (word, tag)) in tags(&words).iter().zip(sentence) {
            let kind = usize::from(known.contains(word));
            all[kind] += 1;
            right[kind] += u32::from(found == tag);
        }
    }
    let seconds = (cpu_time("self")? - start).as_secs_f64();
    let share = |right: u32, all: u32| f64::from(right) / f64::from(all.max(1));
    let words = all[0] + all[1];
    let mut report = BenchReport::default();
    report.add("sentences", sentences.len() as f64, "");
    report.add("words", f64::from(words), "");
    report.add("accuracy", share(right[0] + right[1], words), "of all words");
    report.add("accuracy_known", share(right[1], all[1]), "of words that were learnt");
    report.add("accuracy_unknown", share(right[0], all[0]), "of words that were not");
    report.add("unknown", f64::from(all[0]), "words");
    report.add("words_per_cpu_second", f64::from(words) / seconds.max(0.01), "");
    Ok(report)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))
}

fn unpack(path: &Path) -> anyhow::Result<String> {
    let done = Command::new("xz").arg("-dc").arg(path).output();
    let done = done.context("cannot run xz: install xz-utils")?;
    if !done.status.success() {
        bail!("{}: {}", path.display(), String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(String::from_utf8(done.stdout)?)
}
