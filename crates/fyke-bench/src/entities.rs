//! `cargo bench-fyke entities`: names found in the test part of WNUT 2017 by rules, by a hidden Markov model and by the
//! random field that is shipped, which learnt from the other parts (T7, 003 §4.6). A name is right when its words and its
//! kind are. The smoothing of the hidden Markov model is chosen on the development part.

use super::machine::cpu_time;
use super::notices;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data};
use anyhow::Context as _;
use fyke_learn::hmm::SMOOTHINGS;
use fyke_text::entity::{
    ENTITY_LABELS, ENTITY_METHODS, EntityHmm, LabelledSentence, LabelledSpan, entities,
    labelled_sentences, labelled_spans,
};
use std::path::Path;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "entities",
    what: "names of persons, places, organisations … in noisy text: rules, hidden Markov model, random field; dates, money and addresses in the pond's notices",
    options: &["data", "pin"],
    run,
};

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?.join("wnut17");
    let read = |name: &str| read(&folder.join(name));
    let (train, develop, test) =
        (read("wnut17train.conll")?, read("emerging.dev.conll")?, read("emerging.test.annotated")?);
    let (mut learnt, develop, test) =
        (labelled_sentences(&train), labelled_sentences(&develop), labelled_sentences(&test));
    let chosen = (0..SMOOTHINGS.len()).max_by(|a, b| {
        let f1 = |smoothing: usize| {
            let hmm = EntityHmm::learn(&learnt, smoothing);
            NameTally::of(&develop, |words| hmm.names(words)).f1()
        };
        f1(*a).total_cmp(&f1(*b))
    });
    learnt.extend(develop);
    let hmm = EntityHmm::learn(&learnt, chosen.unwrap_or_default());
    let mut report = BenchReport::default();
    report.add("sentences", test.len() as f64, "");
    add("hmm", &NameTally::of(&test, |words| hmm.names(words)), &mut report);
    for method in &ENTITY_METHODS {
        add(method.name, &NameTally::of(&test, |words| method.names(words)), &mut report);
    }
    notices::add(&mut report)?;
    let text: Vec<String> = test.iter().map(|sentence| sentence.words.join(" ")).collect();
    let (text, start) = (text.join("\n"), cpu_time("self")?);
    std::hint::black_box(entities(&text));
    let seconds = (cpu_time("self")? - start).as_secs_f64().max(0.01);
    report.add("annotated_bytes_per_cpu_second", text.len() as f64 / seconds, "bytes");
    Ok(report)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))
}

fn add(method: &str, tally: &NameTally, report: &mut BenchReport) {
    report.labels.push(method.to_owned());
    let figure = |name: &'static str, value: f64| Figure { name, value, unit: "" };
    let mut row = vec![
        figure("precision", tally.precision()),
        figure("recall", tally.recall()),
        figure("f1", tally.f1()),
    ];
    row.extend(ENTITY_LABELS.iter().zip(&tally.by_label).map(|(label, found)| {
        let value = 2. * found.right as f64 / (found.found + found.there).max(1) as f64;
        Figure { name: label, value, unit: "" }
    }));
    report.series.push(row);
}

/// Names found, there, and both.
#[derive(Clone, Copy, Debug, Default)]
struct NameCounts {
    found: usize,
    there: usize,
    right: usize,
}

#[derive(Debug, Default)]
struct NameTally {
    all: NameCounts,
    by_label: [NameCounts; ENTITY_LABELS.len()],
}

impl NameTally {
    fn of<'a>(
        sentences: &[LabelledSentence<'_>],
        mut names: impl FnMut(&[&str]) -> Vec<LabelledSpan<'a>>,
    ) -> NameTally {
        let mut tally = NameTally::default();
        for sentence in sentences {
            let (found, there) = (names(&sentence.words), labelled_spans(&sentence.labels));
            let same = |a: &LabelledSpan<'_>, b: &LabelledSpan<'_>| {
                (a.label, a.from, a.to) == (b.label, b.from, b.to)
            };
            for span in &found {
                let is_right = there.iter().any(|truth| same(truth, span));
                tally.count(
                    span.label,
                    NameCounts { found: 1, there: 0, right: usize::from(is_right) },
                );
            }
            there.iter().for_each(|span| {
                tally.count(span.label, NameCounts { there: 1, ..NameCounts::default() });
            });
        }
        tally
    }

    fn count(&mut self, label: &str, more: NameCounts) {
        let place = ENTITY_LABELS.iter().position(|known| *known == label);
        let of_label = place.map(|place| &mut self.by_label[place]);
        for counts in of_label.into_iter().chain([&mut self.all]) {
            counts.found += more.found;
            counts.there += more.there;
            counts.right += more.right;
        }
    }

    fn precision(&self) -> f64 {
        self.all.right as f64 / self.all.found.max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.all.right as f64 / self.all.there.max(1) as f64
    }

    fn f1(&self) -> f64 {
        2. * self.all.right as f64 / (self.all.found + self.all.there).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_right_when_its_words_and_its_kind_are() {
        let sentences =
            labelled_sentences("Ann\tB-person\nLee\tI-person\nin\tO\nDover\tB-location");
        let names = |_: &[&str]| {
            let span = |label, from, to| LabelledSpan { label, from, to };
            vec![span("person", 0, 2), span("group", 3, 4), span("person", 2, 3)]
        };
        let tally = NameTally::of(&sentences, names);
        assert_eq!((tally.all.found, tally.all.there, tally.all.right), (3, 2, 1));
        assert!((tally.f1() - 0.4).abs() < 1e-9 && tally.by_label[0].right == 1);
    }
}
