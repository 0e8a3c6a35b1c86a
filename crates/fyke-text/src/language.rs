//! Language identification by character n-grams (Cavnar and Trenkle 1994; 004 "language filter").
//!
//! A script that one language has to itself says the language. Elsewhere naive Bayes decides over
//! the n-grams of one to four characters inside words: each language gets, for each n-gram that it
//! was seen with, `ln(1 + count / SMOOTHING)`, which is the logarithm of the smoothed probability
//! up to what is the same for all. Departure from Cavnar and Trenkle: counts, not ranks, since
//! counts tell near languages apart better.
//!
//! The counts are in `data/languages.bin`, written by `examples/train_languages.rs`; n-grams are
//! stored as hashes of 24 bits, so that two of them may share a row: rare, and harmless.

use std::sync::LazyLock;

/// The language a text seems to be in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// ISO 639-1 code where there is one ("sl"), else ISO 639-3; "und" when nothing can be said.
    pub code: &'static str,
    /// From 0 (a guess) to 1 (no other language is near).
    pub confidence: f32,
}

const UNKNOWN: Guess = Guess { code: "und", confidence: 0.0 };

/// Only so many bytes from the start are looked at.
const SAMPLE: usize = 2048;
/// The n-grams of so many of them are weighed, those of the rest only while there is doubt.
const FIRST_LOOK: usize = 1024;
/// The confidence that ends the doubt.
const SURE: f32 = 0.25;
/// Added to every count, as a share of one sighting.
const SMOOTHING: f64 = 0.3;
/// The relative lead over the next language from which on there is no doubt.
const CLEAR_LEAD: f32 = 0.2;

/// Models there is room for: three times the width of a vector register.
const LANES: usize = 48;
/// Weights are kept in parts of one natural logarithm.
const UNIT: f64 = 32.0;
/// A text whose n-grams weigh less than this in the mean is in no language known.
const LEAST: f64 = 0.5;

/// Scripts that one language has to itself, or almost: first and last character, code. Chinese
/// characters count as Chinese unless kana stand beside them.
const SCRIPTS: [(char, char, &str); 25] = [
    ('\u{370}', '\u{3FF}', "el"),
    ('\u{531}', '\u{58F}', "hy"),
    ('\u{5D0}', '\u{5F2}', "he"),
    ('\u{980}', '\u{9FF}', "bn"),
    ('\u{A00}', '\u{A7F}', "pa"),
    ('\u{A80}', '\u{AFF}', "gu"),
    ('\u{B00}', '\u{B7F}', "or"),
    ('\u{B80}', '\u{BFF}', "ta"),
    ('\u{C00}', '\u{C7F}', "te"),
    ('\u{C80}', '\u{CFF}', "kn"),
    ('\u{D00}', '\u{D7F}', "ml"),
    ('\u{D80}', '\u{DFF}', "si"),
    ('\u{E00}', '\u{E7F}', "th"),
    ('\u{E80}', '\u{EFF}', "lo"),
    ('\u{F00}', '\u{FFF}', "bo"),
    ('\u{1000}', '\u{109F}', "my"),
    ('\u{10A0}', '\u{10FF}', "ka"),
    ('\u{1200}', '\u{137F}', "am"),
    ('\u{1780}', '\u{17FF}', "km"),
    ('\u{1F00}', '\u{1FFF}', "el"),
    ('\u{3041}', '\u{30FF}', "ja"),
    ('\u{3400}', '\u{9FFF}', "zh"),
    ('\u{AC00}', '\u{D7A3}', "ko"),
    ('\u{FF66}', '\u{FF9D}', "ja"),
    ('\u{20000}', '\u{323AF}', "zh"),
];

/// Which language `text` is in.
#[must_use]
pub fn identify(text: &str) -> Guess {
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    by_script(sample).unwrap_or_else(|| MODEL.identify(sample))
}

/// Calls `see` with the key of every n-gram of one to four characters inside the words of `text`;
/// a space stands for the end of a word.
pub fn ngrams(text: &str, mut see: impl FnMut(u32)) {
    let mut last = [' '; 3];
    let ended = text.chars().chain([' ']);
    for c in ended {
        let c = plain(c);
        if c == ' ' && last[0] == ' ' {
            continue;
        }
        let mut hash = 0;
        for (n, part) in [c, last[0], last[1], last[2]].into_iter().enumerate() {
            // A space may begin or end an n-gram, not stand inside it.
            if n >= 2 && last[n - 2] == ' ' {
                break;
            }
            hash = (hash ^ u64::from(part) ^ (n as u64) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
            if n > 0 || c != ' ' {
                see((hash >> 32) as u32 & 0xFF_FFFF);
            }
        }
        last = [c, last[0], last[1]];
    }
}

/// Letters in lower case, apostrophes alike, everything else a space.
fn plain(c: char) -> char {
    match c {
        'a'..='z' | '\'' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        '\u{2019}' | '\u{2BC}' => '\'',
        '\0'..='\u{7F}' => ' ',
        '\u{300}'..='\u{36F}' => c,
        _ if c.is_alphabetic() => c.to_lowercase().next().unwrap_or(c),
        _ => ' ',
    }
}

/// The language whose script most letters of `text` are in, if it has a script to itself.
fn by_script(text: &str) -> Option<Guess> {
    let mut counts = [0_u32; SCRIPTS.len()];
    let mut letters = 0;
    for c in text.chars() {
        // A Chinese character or a syllable of Hangul stands for about three letters.
        let weight = if c >= '\u{3400}' { 3 } else { 1 };
        letters += if c.is_alphabetic() { weight } else { 0 };
        let shared = matches!(c, '\0'..'\u{370}' | '\u{400}'..'\u{530}' | '\u{600}'..'\u{980}');
        if !shared && c.is_alphabetic() {
            let row = SCRIPTS.iter().position(|&(first, last, _)| (first..=last).contains(&c));
            row.into_iter().for_each(|row| counts[row] += weight);
        }
    }
    let of = |code: &str| -> u32 {
        SCRIPTS.iter().zip(counts).filter(|(row, _)| row.2 == code).map(|(_, count)| count).sum()
    };
    let (kana, han) = (of("ja"), of("zh"));
    let share = |count: u32| count as f32 / letters.max(1) as f32;
    if kana * 20 > han && share(kana + han) >= 0.5 {
        return Some(Guess { code: "ja", confidence: share(kana + han) });
    }
    let most = SCRIPTS.iter().map(|row| (of(row.2), row.2)).max()?;
    (share(most.0) >= 0.5).then(|| Guess { code: most.1, confidence: share(most.0) })
}

/// The weights of the n-grams in each language, by the keys of `ngrams`.
struct Model {
    /// Code of each model; a language written in two scripts has two.
    codes: Vec<&'static str>,
    /// Where the rows begin whose key has these upper 16 bits.
    starts: Vec<u32>,
    /// Lower 8 bits of each row's key.
    lows: Vec<u8>,
    /// For each row the weight in each model, in units of `1 / UNIT`.
    rows: Vec<[u8; LANES]>,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("../data/languages.bin")).expect("the shipped model is whole")
});

impl Model {
    /// Reads what the trainer wrote: a line of codes; then for each row the gap to the row before
    /// it (seven bits a byte, low first), the number of entries, and the entries: the model in the
    /// lower six bits, in the upper two a count of 1 to 3, or 0 where the count is the next byte.
    fn read(bytes: &'static [u8]) -> Option<Model> {
        let line = bytes.iter().position(|&b| b == b'\n')?;
        let codes = std::str::from_utf8(&bytes[..line]).ok()?.split(' ').collect();
        let mut model = Model { codes, starts: vec![0], lows: vec![], rows: vec![] };
        let mut rest = bytes[line + 1..].iter().copied();
        let mut key = 0;
        while let Some(first) = rest.next() {
            key += varint(first, &mut rest)?;
            model.starts.resize((key >> 8) as usize + 1, model.lows.len() as u32);
            model.lows.push(key as u8);
            let mut row = [0; LANES];
            for _ in 0..rest.next()? {
                let entry = rest.next()?;
                let count = if entry >> 6 == 0 { rest.next()? } else { entry >> 6 };
                let weight = (f64::from(count) / SMOOTHING).ln_1p() * UNIT;
                *row.get_mut(usize::from(entry & 63))? = weight as u8;
            }
            model.rows.push(row);
        }
        model.starts.resize((1 << 16) + 1, model.lows.len() as u32);
        Some(model)
    }

    /// The weights of an n-gram.
    fn row(&self, key: u32) -> Option<&[u8; LANES]> {
        let bucket = (key >> 8) as usize;
        let (from, to) = (self.starts[bucket] as usize, self.starts[bucket + 1] as usize);
        let found = self.lows[from..to].iter().position(|&low| low == key as u8)?;
        self.rows.get(from + found)
    }

    fn identify(&self, text: &str) -> Guess {
        let (first, rest) = text.split_at(text.floor_char_boundary(FIRST_LOOK));
        let mut scores = [0; LANES];
        let mut seen = self.weigh(first, &mut scores);
        let guess = self.best(scores, seen);
        if rest.is_empty() || guess.confidence >= SURE {
            return guess;
        }
        seen += self.weigh(rest, &mut scores);
        self.best(scores, seen)
    }

    /// Adds the weights of the n-grams of `text`; how many there are.
    fn weigh(&self, text: &str, scores: &mut [u32; LANES]) -> u32 {
        let mut seen = 0;
        // Narrow sums take half the steps; this many of the largest weight fit.
        let mut sums = [0_u16; LANES];
        let mut room = u16::MAX / 255;
        ngrams(text, |key| {
            seen += 1;
            let Some(row) = self.row(key) else { return };
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum += u16::from(weight);
            }
            room -= 1;
            if room == 0 {
                add(scores, std::mem::replace(&mut sums, [0; LANES]));
                room = u16::MAX / 255;
            }
        });
        add(scores, sums);
        seen
    }

    /// The language of the highest score.
    fn best(&self, scores: [u32; LANES], seen: u32) -> Guess {
        let rated = || self.codes.iter().zip(scores);
        let Some((&code, best)) = rated().max_by_key(|&(_, score)| score) else { return UNKNOWN };
        if f64::from(best) <= f64::from(seen) * LEAST * UNIT {
            return UNKNOWN;
        }
        let next = rated().filter(|&(&other, _)| other != code).map(|(_, score)| score).max();
        let lead = 1.0 - next.unwrap_or(0) as f32 / best as f32;
        Guess { code, confidence: (lead / CLEAR_LEAD).min(1.0) }
    }
}

fn add(scores: &mut [u32; LANES], sums: [u16; LANES]) {
    for (score, sum) in scores.iter_mut().zip(sums) {
        *score += u32::from(sum);
    }
}

fn varint(first: u8, rest: &mut impl Iterator<Item = u8>) -> Option<u32> {
    let mut value = u32::from(first & 127);
    let mut byte = first;
    let mut shift = 7;
    while byte > 127 && shift < 28 {
        byte = rest.next()?;
        value |= u32::from(byte & 127) << shift;
        shift += 7;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(identify(text).code, expected, "language of {text:?}");
    }

    #[test]
    fn a_sentence_says_its_language() {
        check("The net is set in the river and taken up again in the morning.", "en");
        check("Das Netz wird am Abend im Fluss ausgelegt und am Morgen wieder eingeholt.", "de");
        check("Le filet est posé le soir dans la rivière et relevé le matin suivant.", "fr");
        check("Mrežo zvečer nastavimo v reki in jo zjutraj spet dvignemo.", "sl");
        check("Síť se večer položí do řeky a ráno se zase vytáhne.", "cs");
        check("Вечером сеть ставят в реке, а утром её снова поднимают.", "ru");
        check("Увечері сітку ставлять у річці, а вранці знову піднімають.", "uk");
        check("Inilalagay ang lambat sa ilog tuwing gabi at kinukuha sa umaga.", "tl");
        check("Verkko lasketaan illalla jokeen ja nostetaan aamulla ylös.", "fi");
        check("تُوضَع الشبكة في النهر مساءً وتُرفع في الصباح.", "ar");
    }

    #[test]
    fn a_script_of_its_own_says_the_language() {
        check("夜に川へ網を入れて、朝に引き上げます。", "ja");
        check("晚上把网放进河里，早上再收起来。", "zh");
        check("저녁에 강에 그물을 놓고 아침에 거둔다.", "ko");
        check("Το δίχτυ μπαίνει στο ποτάμι το βράδυ.", "el");
        check("ערב ערב מניחים את הרשת בנהר", "he");
        check("Linux 用户 在 Debian 系统 上 使用 这个 软件 管理 网络", "zh");
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        for text in ["", " \n", "12:30 — 100 %", "→ ★ …", "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ ᛇᛈᛉᛊᛏᛒ"]
        {
            assert_eq!(identify(text), UNKNOWN, "language of {text:?}");
        }
    }

    #[test]
    fn near_languages_are_less_sure_than_far_ones() {
        let near = identify("To je dobro.").confidence;
        let far = identify("Tá an líon san abhainn agus tógtar ar maidin é.").confidence;
        assert!(near < far, "{near} {far}");
    }

    #[test]
    fn ngrams_stay_inside_words() {
        let keys = |text: &str| {
            let mut keys = Vec::new();
            ngrams(text, |key| keys.push(key));
            keys
        };
        // a, _a, b, ab, _ab, b_, ab_, _ab_
        assert_eq!(keys("ab").len(), 8);
        assert_eq!(keys(" Ab,"), keys("ab"));
        assert_eq!(keys("ab ab"), [keys("ab"), keys("ab")].concat());
    }

    #[test]
    fn every_model_has_entries_that_fit_its_place() {
        assert!(MODEL.codes.len() <= LANES);
        for (model, code) in MODEL.codes.iter().enumerate() {
            let weights = MODEL.rows.iter().filter(|row| row[model] > 0).count();
            assert!(weights > 1000, "{code} has {weights} n-grams");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_code_and_a_confidence_between_0_and_1(text in "\\PC{0,80}") {
            let guess = identify(&text);
            prop_assert!(!guess.code.is_empty());
            prop_assert!((0.0..=1.0).contains(&guess.confidence));
        }
    }
}
