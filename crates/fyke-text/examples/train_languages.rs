//! Trains the shipped language model: `train_languages SIB200/data/annotated POOL.jsonl.gz MODEL`.
//!
//! Of SIB-200 (the texts are FLORES-200, CC BY-SA 4.0) every other sentence is learnt, from the
//! first; the rest measures (`fyke bench language`). The pool is JSON lines {lang, source, text}; its
//! rows from SIB-200 are left out, since they may be sentences that measure. The same input gives
//! the same bytes. Serbian is written in two scripts: its sentences are learnt in both.

use flate2::read::MultiGzDecoder;
use fyke_text::language::Trainer;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Error, Result};
use std::path::Path;

/// Code and folder. Languages with a script to themselves need no model.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str); 97] = [
    ("af", "afr_Latn"), ("am", "amh_Ethi"), ("ar", "arb_Arab"), ("as", "asm_Beng"),
    ("az", "azj_Latn"), ("be", "bel_Cyrl"), ("bg", "bul_Cyrl"), ("bn", "ben_Beng"),
    ("bs", "bos_Latn"), ("ca", "cat_Latn"), ("ceb", "ceb_Latn"), ("ckb", "ckb_Arab"),
    ("cs", "ces_Latn"), ("cy", "cym_Latn"), ("da", "dan_Latn"), ("de", "deu_Latn"),
    ("en", "eng_Latn"), ("eo", "epo_Latn"), ("es", "spa_Latn"), ("et", "est_Latn"),
    ("eu", "eus_Latn"), ("fa", "pes_Arab"), ("fi", "fin_Latn"), ("fo", "fao_Latn"),
    ("fr", "fra_Latn"), ("ga", "gle_Latn"), ("gd", "gla_Latn"), ("gl", "glg_Latn"),
    ("ha", "hau_Latn"), ("he", "heb_Hebr"), ("hi", "hin_Deva"), ("hr", "hrv_Latn"),
    ("ht", "hat_Latn"), ("hu", "hun_Latn"), ("id", "ind_Latn"), ("ig", "ibo_Latn"),
    ("ilo", "ilo_Latn"), ("is", "isl_Latn"), ("it", "ita_Latn"), ("jv", "jav_Latn"),
    ("kk", "kaz_Cyrl"), ("ku", "kmr_Latn"), ("ky", "kir_Cyrl"), ("lb", "ltz_Latn"),
    ("lt", "lit_Latn"), ("lv", "lvs_Latn"), ("mg", "plt_Latn"), ("mi", "mri_Latn"),
    ("mk", "mkd_Cyrl"), ("mn", "khk_Cyrl"), ("mr", "mar_Deva"), ("ms", "zsm_Latn"),
    ("mt", "mlt_Latn"), ("ne", "npi_Deva"), ("nl", "nld_Latn"), ("nn", "nno_Latn"),
    ("no", "nob_Latn"), ("ny", "nya_Latn"), ("oc", "oci_Latn"), ("om", "gaz_Latn"),
    ("pag", "pag_Latn"), ("pl", "pol_Latn"), ("ps", "pbt_Arab"), ("pt", "por_Latn"),
    ("ro", "ron_Latn"), ("ru", "rus_Cyrl"), ("rw", "kin_Latn"), ("sd", "snd_Arab"),
    ("sk", "slk_Latn"), ("sl", "slv_Latn"), ("sm", "smo_Latn"), ("sn", "sna_Latn"),
    ("so", "som_Latn"), ("sq", "als_Latn"), ("sr", "srp_Cyrl"), ("st", "sot_Latn"),
    ("su", "sun_Latn"), ("sv", "swe_Latn"), ("sw", "swh_Latn"), ("tg", "tgk_Cyrl"),
    ("ti", "tir_Ethi"), ("tk", "tuk_Latn"), ("tl", "tgl_Latn"), ("tr", "tur_Latn"),
    ("tt", "tat_Cyrl"), ("ug", "uig_Arab"), ("uk", "ukr_Cyrl"), ("ur", "urd_Arab"),
    ("uz", "uzn_Latn"), ("vi", "vie_Latn"), ("war", "war_Latn"), ("wo", "wol_Latn"),
    ("xh", "xho_Latn"), ("yi", "ydd_Hebr"), ("yo", "yor_Latn"), ("zu", "zul_Latn"),
    ("ba", "bak_Cyrl"),
];

/// Languages that get a closer look.
const RIVALS: [&[&str]; 3] = [&["bs", "hr", "sr"], &["id", "ms"], &["da", "nn", "no"]];
/// Groups whose languages share only these sources of the pool: of others one would learn to tell
/// genres apart, not languages.
const SHARED: [(&[&str], &[&str]); 2] = [(&["id", "ms"], &["dslcc"]), (&["da", "nn", "no"], &[])];

/// Bytes learnt from one source of the pool, so that none outweighs the others.
const MOST_OF_A_SOURCE: usize = 250_000;
/// The same for manuals, scripture and machine translations, which are unlike other text.
const MOST_OF_A_MANUAL: usize = 10_000;
const MANUALS: [&str; 5] = ["d-i", "ebible", "erddap-mt", "gmodebate", "lohelp"];
/// Sentences of SIB-200 are read so often, to weigh beside the pool.
const TURNS: usize = 6;

#[derive(Deserialize)]
struct Row {
    lang: String,
    source: String,
    text: String,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pool, model] = arguments.as_slice() else {
        let usage = "usage: train_languages SIB200/data/annotated POOL.jsonl.gz MODEL";
        return Err(Error::other(usage));
    };
    let groups = RIVALS.iter().map(|group| group.iter().map(ToString::to_string).collect());
    let mut trainer = Trainer::new(groups.collect());
    for (code, name) in LANGUAGES {
        for sentence in sentences(Path::new(folder), name)? {
            for _ in 0..TURNS {
                learn(&mut trainer, code, &sentence);
            }
        }
    }
    read_pool(Path::new(pool), &mut trainer)?;
    std::fs::write(model, trainer.finish())
}

fn learn(trainer: &mut Trainer, code: &str, text: &str) {
    trainer.add(code, text);
    if code == "sr" && text.contains('а') {
        trainer.add(code, &latin(text));
    }
}

/// The sentences to learn from.
fn sentences(folder: &Path, name: &str) -> Result<Vec<String>> {
    let file = std::fs::read_to_string(folder.join(name).join("test.tsv"))?;
    let learnt = file.lines().skip(1).step_by(2).filter_map(|line| line.split('\t').nth(2));
    Ok(learnt.map(str::to_owned).collect())
}

fn read_pool(path: &Path, trainer: &mut Trainer) -> Result<()> {
    let mut taken: HashMap<(String, String), usize> = HashMap::new();
    for line in BufReader::new(MultiGzDecoder::new(File::open(path)?)).lines() {
        let row: Row = serde_json::from_str(&line?)?;
        let code = if row.lang == "nb" { "no" } else { row.lang.as_str() };
        if !LANGUAGES.iter().any(|known| known.0 == code) || !is_fit(code, &row.source) {
            continue;
        }
        let manual = MANUALS.contains(&row.source.as_str());
        let most = if manual { MOST_OF_A_MANUAL } else { MOST_OF_A_SOURCE };
        let taken = taken.entry((code.to_owned(), row.source)).or_default();
        if *taken < most {
            *taken += row.text.len();
            learn(trainer, code, &row.text);
        }
    }
    Ok(())
}

/// Whether a language may be learnt from a source. The Serbian Bible is in a broken encoding.
fn is_fit(code: &str, source: &str) -> bool {
    let shared = SHARED.iter().find(|(group, _)| group.contains(&code));
    let outside = shared.is_some_and(|row| !row.1.iter().any(|name| source.starts_with(name)));
    source != "sib200" && !(source == "ebible" && code == "sr") && !outside
}

/// Serbian Cyrillic in Latin letters.
fn latin(text: &str) -> String {
    const CYRILLIC: &str = "абвгдђежзијклљмнњопрстћуфхцчџш";
    const LATIN: [&str; 30] = [
        "a", "b", "v", "g", "d", "đ", "e", "ž", "z", "i", "j", "k", "l", "lj", "m", "n", "nj", "o",
        "p", "r", "s", "t", "ć", "u", "f", "h", "c", "č", "dž", "š",
    ];
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match CYRILLIC.chars().position(|letter| letter == c) {
            Some(place) => out.push_str(LATIN[place]),
            None => out.push(c),
        }
    }
    out
}
