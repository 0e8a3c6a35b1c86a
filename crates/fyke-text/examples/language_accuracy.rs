//! Measures language identification: `language_accuracy SIB200/data/annotated` tells, for the
//! sentences that the shipped model has not learnt from, the share that is right, and the speed.

use fyke_text::identify;
use std::io::{Error, Result, Write};
use std::path::Path;

/// The twenty languages of the published figure come first.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str); 52] = [
    ("en", "eng_Latn"), ("de", "deu_Latn"), ("fr", "fra_Latn"), ("es", "spa_Latn"),
    ("it", "ita_Latn"), ("pt", "por_Latn"), ("nl", "nld_Latn"), ("sv", "swe_Latn"),
    ("da", "dan_Latn"), ("pl", "pol_Latn"), ("cs", "ces_Latn"), ("sk", "slk_Latn"),
    ("sl", "slv_Latn"), ("hr", "hrv_Latn"), ("sr", "srp_Cyrl"), ("bs", "bos_Latn"),
    ("ru", "rus_Cyrl"), ("uk", "ukr_Cyrl"), ("bg", "bul_Cyrl"), ("tl", "tgl_Latn"),
    ("no", "nob_Latn"), ("fi", "fin_Latn"), ("be", "bel_Cyrl"), ("mk", "mkd_Cyrl"),
    ("ro", "ron_Latn"), ("hu", "hun_Latn"), ("el", "ell_Grek"), ("tr", "tur_Latn"),
    ("ar", "arb_Arab"), ("he", "heb_Hebr"), ("fa", "pes_Arab"), ("ur", "urd_Arab"),
    ("hi", "hin_Deva"), ("ja", "jpn_Jpan"), ("zh", "zho_Hans"), ("zh", "zho_Hant"),
    ("ko", "kor_Hang"), ("vi", "vie_Latn"), ("id", "ind_Latn"), ("sw", "swh_Latn"),
    ("ca", "cat_Latn"), ("gl", "glg_Latn"), ("eu", "eus_Latn"), ("lt", "lit_Latn"),
    ("lv", "lvs_Latn"), ("et", "est_Latn"), ("ga", "gle_Latn"), ("is", "isl_Latn"),
    ("af", "afr_Latn"), ("th", "tha_Thai"), ("cy", "cym_Latn"), ("sq", "als_Latn"),
];
const PUBLISHED: usize = 20;
/// Sentences are identified so often for the speed.
const TURNS: usize = 20;

fn main() -> Result<()> {
    let mut out = std::io::stdout().lock();
    let usage = "usage: language_accuracy SIB200/data/annotated";
    let folder = std::env::args().nth(1).ok_or_else(|| Error::other(usage))?;
    let mut published = Vec::new();
    let mut shares = Vec::new();
    for (n, (code, name)) in LANGUAGES.into_iter().enumerate() {
        let sentences = read(Path::new(&folder), name)?;
        let mut wrong: Vec<_> = sentences.iter().map(|text| identify(text).code).collect();
        wrong.retain(|&guess| guess != code);
        wrong.sort_unstable();
        let share = 1.0 - wrong.len() as f64 / sentences.len() as f64;
        writeln!(out, "{code}  {share:.3}  {}", wrong.join(" "))?;
        shares.push(share);
        if n < PUBLISHED {
            published.extend(sentences);
        }
    }
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
    writeln!(out, "accuracy, {PUBLISHED} languages: {:.4}", mean(&shares[..PUBLISHED]))?;
    writeln!(out, "accuracy, {} languages: {:.4}", shares.len(), mean(&shares))?;
    let start = cpu_seconds()?;
    let mut said = 0;
    for _ in 0..TURNS {
        said += published.iter().filter(|text| identify(text).code != "und").count();
    }
    let speed = said as f64 / (cpu_seconds()? - start);
    writeln!(out, "sentences per CPU-second: {speed:.0}")
}

/// The sentences that the trainer leaves out.
fn read(folder: &Path, name: &str) -> Result<Vec<String>> {
    let file = std::fs::read_to_string(folder.join(name).join("test.tsv"))?;
    let held_out = file.lines().skip(2).step_by(2);
    Ok(held_out.filter_map(|line| line.split('\t').nth(2)).map(str::to_owned).collect())
}

/// Processor time of this process so far, as Linux counts it.
fn cpu_seconds() -> Result<f64> {
    let spent = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = spent.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map(|count| count / 1e9).ok_or_else(|| Error::other("no processor time to read"))
}
