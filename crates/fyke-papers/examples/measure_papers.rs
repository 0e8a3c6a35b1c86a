//! Measures fields of headers and references on tagged files: `measure_papers headers FILE`, with hidden Markov
//! models as 002 table 1 has them and random fields, learnt from the first 500 headers and asked about the others;
//! `measure_papers references FILE [OTHER]`, in ten folds, and on another file when one is named.

use fyke_learn::hmm::{Emissions, Hmm, LabelledWords, SMOOTHINGS, Smoothing, Structure};
use fyke_papers::fields::{Example, by_protocol, full, train};
use fyke_papers::protocol::{WordNumbers, WordRule, words};
use fyke_papers::tagged::{self, TaggedText};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;

/// Headers that are learnt from, as in 002.
const LEARNT: usize = 500;
const FOLDS: usize = 10;

/// Right, wrongly said, and missed words of a field.
#[derive(Default)]
struct FieldScore {
    right: f64,
    said: f64,
    missed: f64,
}

#[derive(Default)]
struct Scores {
    fields: BTreeMap<String, FieldScore>,
    texts: u32,
    whole: u32,
}

impl Scores {
    fn add<'a>(&mut self, found: &[&'a str], truth: &[&'a str]) {
        for (found, truth) in found.iter().zip(truth) {
            if found == truth {
                self.fields.entry((*truth).to_owned()).or_default().right += 1.;
            } else {
                self.fields.entry((*truth).to_owned()).or_default().missed += 1.;
                self.fields.entry((*found).to_owned()).or_default().said += 1.;
            }
        }
        self.texts += 1;
        self.whole += u32::from(found == truth);
    }

    fn words(&self) -> f64 {
        let right: f64 = self.fields.values().map(|field| field.right).sum();
        let missed: f64 = self.fields.values().map(|field| field.missed).sum();
        100. * right / (right + missed)
    }

    fn say(&self, name: &str) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        let f1 =
            |field: &FieldScore| 2. * field.right / (2. * field.right + field.said + field.missed);
        let macro_f1: f64 = self.fields.values().map(f1).sum::<f64>() / self.fields.len() as f64;
        let whole = 100. * f64::from(self.whole) / f64::from(self.texts);
        writeln!(
            out,
            "{name:<28} words {:.2} %  whole {whole:.1} %  macro F1 {macro_f1:.3}",
            self.words()
        )?;
        for (field, score) in &self.fields {
            writeln!(out, "    {field:<12} F1 {:.3}", f1(score))?;
        }
        Ok(())
    }
}

/// What a model sees of a text, and its fields.
type See = for<'a> fn(&TaggedText<'a>) -> Example<'a>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (what, path) =
        args.first().zip(args.get(1)).ok_or("headers or references, of which file?")?;
    let file = std::fs::read_to_string(path)?;
    if what == "headers" {
        let headers = tagged::headers(&file);
        table_1(&headers)?;
        for (name, see) in [("field, protocol", by_protocol as See), ("field, full text", full)] {
            halves(name, &headers, see)?;
        }
        return Ok(());
    }
    folds(&tagged::references(&file))?;
    if let Some(path) = args.get(2) {
        let other = std::fs::read_to_string(path)?;
        others(&tagged::references(&file), &tagged::references(&other))?;
    }
    Ok(())
}

fn halves(name: &str, headers: &[TaggedText<'_>], see: See) -> Result<(), Box<dyn Error>> {
    let (learnt, asked) = headers.split_at(LEARNT.min(headers.len()));
    let learnt: Vec<Example<'_>> = learnt.iter().map(see).collect();
    let model = train(&learnt, "the first 500 headers");
    let mut scores = Scores::default();
    for example in asked.iter().map(see) {
        scores.add(&model.label(&example.seen), &example.fields);
    }
    scores.say(name)?;
    writeln!(std::io::stdout(), "    model {} bytes", model.write().len())?;
    Ok(())
}

fn folds(references: &[TaggedText<'_>]) -> Result<(), Box<dyn Error>> {
    let examples: Vec<Example<'_>> = references.iter().map(full).collect();
    let (mut all, mut unseen) = (Scores::default(), Scores::default());
    for fold in 0..FOLDS {
        let learnt = examples.iter().enumerate().filter(|(at, _)| at % FOLDS != fold);
        let model = train(learnt.map(|(_, example)| example), "nine tenths");
        for example in examples.iter().skip(fold).step_by(FOLDS) {
            let found = model.label(&example.seen);
            all.add(&found, &example.fields);
            // Settings were chosen on the first four folds.
            if fold >= 4 {
                unseen.add(&found, &example.fields);
            }
        }
    }
    all.say("references, ten folds")?;
    unseen.say("references, six folds")?;
    Ok(())
}

fn others(learnt: &[TaggedText<'_>], asked: &[TaggedText<'_>]) -> Result<(), Box<dyn Error>> {
    let learnt: Vec<Example<'_>> = learnt.iter().map(full).collect();
    let model = train(&learnt, "all references of the first file");
    let mut scores = Scores::default();
    for example in asked.iter().map(full) {
        scores.add(&model.label(&example.seen), &example.fields);
    }
    Ok(scores.say("references, other file")?)
}

/// Numbered headers and the names of their classes.
struct Numbered<'a> {
    headers: Vec<LabelledWords>,
    classes: Vec<&'a str>,
}

fn numbered<'a>(headers: &[TaggedText<'a>], rule: &WordRule) -> Numbered<'a> {
    let taken: Vec<_> = headers.iter().map(|header| words(header, rule)).collect();
    let mut numbers = WordNumbers::default();
    taken.iter().take(LEARNT).flatten().for_each(|(word, _)| numbers.learn(word));
    let mut found = Numbered { headers: Vec::new(), classes: Vec::new() };
    for header in taken {
        let mut sequence = LabelledWords::default();
        for (word, field) in header {
            let class = found.classes.iter().position(|known| *known == field);
            let class = class.unwrap_or_else(|| {
                found.classes.push(field);
                found.classes.len() - 1
            });
            sequence.words.push(numbers.number(&word, rule));
            sequence.classes.push(class);
        }
        found.headers.push(sequence);
    }
    found
}

/// The table of 002, by each way to smooth, and with what goes beyond it.
fn table_1(headers: &[TaggedText<'_>]) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let kinds = WordRule { kinds: true, rare: 0 };
    let rare = WordRule { kinds: true, rare: 2 };
    let rows = [
        ("as 002", WordRule::default(), false),
        ("kinds of numbers", kinds, false),
        ("rare words, pairs", rare, true),
    ];
    for (name, rule, pairs) in rows {
        let numbered = numbered(headers, &rule);
        let (learnt, asked) = numbered.headers.split_at(LEARNT.min(headers.len()));
        let words: usize = learnt.iter().map(|header| header.words.len()).sum();
        let structures = [
            ("baseline", Structure::baseline(learnt)),
            ("V-merged", Structure::neighbours(learnt).merged()),
        ];
        let neighbours = Structure::neighbours(learnt).states();
        writeln!(out, "{name}: {words} words to learn from, {neighbours} states of neighbours")?;
        for smoothing in SMOOTHINGS {
            for (kind, structure) in &structures {
                let right =
                    accuracy(structure, (learnt, asked), smoothing, pairs, numbered.classes.len());
                let (states, transitions) = (structure.states(), structure.transitions());
                writeln!(
                    out,
                    "    {:<12} {kind:<9} {states:>4} states {transitions:>4} transitions {right:.2} %",
                    smoothing.name
                )?;
            }
        }
    }
    Ok(())
}

fn accuracy(
    structure: &Structure,
    (learnt, asked): (&[LabelledWords], &[LabelledWords]),
    smoothing: &Smoothing,
    pairs: bool,
    classes: usize,
) -> f64 {
    let alone = Emissions::new(learnt, classes, smoothing);
    let hmm = Hmm::new(structure, if pairs { alone.with_pairs(learnt) } else { alone });
    let (mut right, mut all) = (0, 0);
    for header in asked {
        let found = hmm.classes(&header.words);
        right += found.iter().zip(&header.classes).filter(|(found, truth)| found == truth).count();
        all += header.classes.len();
    }
    100. * right as f64 / all as f64
}
