//! `cargo bench-fyke stems`: stemmers against the vocabularies of the Snowball project and the pairs of the
//! first KStem; and how many pairs of words with one stem are found through the shared prefix.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, data};
use anyhow::Context as _;
use fyke_text::stem::{self, Forms, STEMMERS, Stemmer};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "stems",
    what: "stemmers: words whose stem equals the published one, words per CPU-second",
    options: &["data", "pin"],
    run,
};

/// A stemmer is asked for so long.
const LEAST: Duration = Duration::from_millis(300);

/// So many forms of one word are looked at.
const MOST_FORMS: usize = 40;

/// Words with their stems.
type StemPairs = Vec<(String, String)>;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?;
    let mut report = BenchReport::default();
    let (mut words, mut equal) = (0, 0);
    for stemmer in STEMMERS {
        let Some(pairs) = pairs(&folder, stemmer.name)? else { continue };
        let same = pairs.iter().filter(|(word, stem)| (stemmer.stem)(word) == *stem).count();
        words += pairs.len();
        equal += same;
        let figure = |name, value, unit| Figure { name, value, unit };
        report.labels.push(stemmer.name.to_owned());
        report.series.push(vec![
            figure("words", pairs.len() as f64, ""),
            figure("equal", same as f64, ""),
            figure("forms_found", forms_found(stemmer, &pairs), "by prefix"),
            figure("words_per_cpu_second", speed(stemmer, &pairs)?, ""),
        ]);
    }
    report.add("words", words as f64, "in all vocabularies");
    report.add("equal", equal as f64, "to the published stem");
    Ok(report)
}

/// The vocabulary of a stemmer, if there is one.
fn pairs(folder: &Path, name: &str) -> anyhow::Result<Option<StemPairs>> {
    let read =
        |path: &Path| std::fs::read_to_string(path).with_context(|| format!("{}", path.display()));
    if name == "krovetz" {
        let text = read(&folder.join("kstem/kstem_examples.txt"))?;
        let pair = |line: &str| line.split_once(' ').map(|(w, s)| (w.to_owned(), s.to_owned()));
        return Ok(Some(text.lines().filter_map(pair).collect()));
    }
    let name = if name == "porter2" { "english" } else { name };
    let folder = folder.join("snowball").join(name);
    if !folder.is_dir() {
        return Ok(None);
    }
    let (words, stems) = (read(&folder.join("voc.txt"))?, read(&folder.join("output.txt"))?);
    let owned = |(word, stem): (&str, &str)| (word.to_owned(), stem.to_owned());
    Ok(Some(words.lines().zip(stems.lines()).map(owned).collect()))
}

/// Of all pairs of words with one stem, diacritics aside, the share of which the second is found from
/// the first through the prefix of its forms; none where searches do not use the stemmer.
fn forms_found(stemmer: &Stemmer, pairs: &StemPairs) -> f64 {
    if stem::of(stemmer.language).is_none_or(|own| own.name != stemmer.name) {
        return f64::NAN;
    }
    let mut groups: HashMap<String, Vec<&str>> = HashMap::new();
    // Words as they are indexed have no apostrophes.
    for (word, _) in pairs.iter().filter(|(word, _)| !word.contains('\'')) {
        let stem = fyke_text::bare(&(stemmer.stem)(word)).into_owned();
        groups.entry(stem).or_default().push(word);
    }
    let (mut all, mut found) = (0, 0);
    for group in groups.values().map(|group| &group[..group.len().min(MOST_FORMS)]) {
        for word in group {
            let forms = Forms::new(word, &[stemmer.language]);
            let others = group.iter().filter(|other| *other != word);
            all += group.len() - 1;
            found += others.filter(|other| forms.languages(other).next().is_some()).count();
        }
    }
    found as f64 / all.max(1) as f64
}

fn speed(stemmer: &Stemmer, pairs: &StemPairs) -> anyhow::Result<f64> {
    let (mut bytes, mut words) = (0, 0);
    let start = cpu_time("self")?;
    loop {
        bytes += pairs.iter().map(|(word, _)| (stemmer.stem)(word).len()).sum::<usize>();
        words += pairs.len();
        let spent = cpu_time("self")? - start;
        if spent >= LEAST {
            std::hint::black_box(bytes);
            return Ok(words as f64 / spent.as_secs_f64());
        }
    }
}
