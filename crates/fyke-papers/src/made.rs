//! Made references with known papers, as many as one likes, for measuring: names in four styles, titles with typing
//! errors and dropped words, abbreviated venues, missing fields, years that are wrong by one. One paper in twenty is a
//! sequel: by the same people, under nearly the same title, elsewhere and in another year.

use crate::matching::{Citation, KnownCitation};
use fyke_learn::terms::Dice;

/// References for each paper, on average.
const REFERENCES: u32 = 8;
const VOCABULARY: u64 = 40_000;
const SURNAMES: u64 = 60_000;
const VENUES: u64 = 600;
const SYLLABLES: &[&str] = &[
    "ba", "cor", "den", "fi", "gal", "hem", "jo", "kri", "lum", "mar", "nor", "pel", "qui", "ras",
    "sto", "tan", "ul", "ver", "wis", "zan", "el", "or", "im", "ast",
];

/// Random numbers in an order that a seed decides.
#[derive(Clone, Debug)]
struct MadeDice(Dice);

impl MadeDice {
    /// The dice of one thing among many.
    fn of(seed: u64, what: u64, number: u64) -> MadeDice {
        let of_kind = Dice::new(seed ^ what.wrapping_mul(0xd1b5_4a32_d192_ed03)).bits();
        MadeDice(Dice::new(of_kind ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d)))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0.bits() % end.max(1)
    }

    /// True so often of a hundred times.
    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Below `end`; small numbers come far more often.
    fn skewed(&mut self, end: u64) -> u64 {
        let share = self.below(1 << 20) as f64 / (1_u64 << 20) as f64;
        (share.powi(3) * end as f64) as u64
    }
}

/// A paper as it is.
#[derive(Clone, Debug)]
struct MadePaper {
    /// Given names and surname.
    authors: Vec<(String, String)>,
    title: Vec<String>,
    venue: Vec<String>,
    year: u64,
    volume: u64,
    page: u64,
}

/// So many references; the same for the same seed.
pub fn made(seed: u64, count: u32) -> impl Iterator<Item = KnownCitation> {
    let papers = u64::from((count / REFERENCES).max(1));
    (0..u64::from(count)).map(move |number| {
        let mut dice = MadeDice::of(seed, 2, number);
        // Half are to any paper, half to the often cited.
        let paper = if dice.percent(50) { dice.below(papers) } else { dice.skewed(papers) };
        let citation = written(&paper_of(seed, paper), &mut dice);
        KnownCitation { citation, paper: paper as u32 }
    })
}

fn paper_of(seed: u64, number: u64) -> MadePaper {
    let mut dice = MadeDice::of(seed, 1, number);
    if number > 0 && number.is_multiple_of(20) {
        let mut sequel = plain_paper(&mut MadeDice::of(seed, 1, number - 1));
        let at = dice.below(sequel.title.len() as u64) as usize;
        sequel.title[at] = word(dice.skewed(VOCABULARY));
        sequel.title.push(word(dice.skewed(VOCABULARY)));
        sequel.year += 1 + dice.below(4);
        sequel.venue = venue(&mut dice);
        (sequel.volume, sequel.page) = (1 + dice.below(60), 1 + dice.below(900));
        return sequel;
    }
    plain_paper(&mut dice)
}

fn plain_paper(dice: &mut MadeDice) -> MadePaper {
    let authors = (0..1 + dice.below(4)).map(|_| {
        let given = capital(&word(dice.below(300)));
        (given, capital(&word(VOCABULARY + dice.skewed(SURNAMES))))
    });
    let authors = authors.collect();
    let title = (0..4 + dice.below(7)).map(|_| word(dice.skewed(VOCABULARY))).collect();
    let venue = venue(dice);
    let year = 1_960 + dice.below(60);
    MadePaper { authors, title, venue, year, volume: 1 + dice.below(60), page: 1 + dice.below(900) }
}

fn venue(dice: &mut MadeDice) -> Vec<String> {
    let number = dice.skewed(VENUES);
    let kind = if number.is_multiple_of(2) { ["Journal", "of"] } else { ["Proceedings", "of"] };
    let words = (0..2 + number % 3).map(|at| capital(&word(number * 7 + at * 131)));
    kind.map(str::to_owned).into_iter().chain(words).collect()
}

/// The made word of a number: others have others.
fn word(number: u64) -> String {
    let base = SYLLABLES.len() as u64;
    let (mut word, mut rest) = (String::new(), number + base);
    while rest > 0 {
        word.push_str(SYLLABLES[(rest % base) as usize]);
        rest /= base;
    }
    word
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// The paper as someone refers to it.
fn written(paper: &MadePaper, dice: &mut MadeDice) -> Citation {
    let mut citation = Citation {
        authors: authors(paper, dice),
        title: title(paper, dice),
        date: format!("{}.", paper.year),
        ..Citation::default()
    };
    if dice.percent(3) {
        citation.date = (paper.year + 1).to_string();
    }
    if dice.percent(10) {
        citation.date.clear();
    }
    if dice.percent(80) {
        citation.venue = shortened(&paper.venue, dice);
    }
    if dice.percent(50) {
        citation.volume = paper.volume.to_string();
    }
    if dice.percent(60) {
        citation.pages = format!("{}-{}", paper.page, paper.page + 12);
    }
    citation
}

fn authors(paper: &MadePaper, dice: &mut MadeDice) -> String {
    let style = dice.below(4);
    let cuts_short = paper.authors.len() > 2 && dice.percent(10);
    let shown = if cuts_short { 1 } else { paper.authors.len() };
    let mut names: Vec<String> = Vec::new();
    for (given, surname) in &paper.authors[..shown] {
        let surname = if dice.percent(3) { mistyped(surname, dice) } else { surname.clone() };
        let initial = &given[..1];
        names.push(match style {
            0 => format!("{initial}. {surname}"),
            1 => format!("{surname}, {initial}."),
            2 => format!("{given} {surname}"),
            _ => format!("{surname} {initial}"),
        });
    }
    let last = names.pop().unwrap_or_default();
    match (cuts_short, names.is_empty()) {
        (true, _) => format!("{last} et al."),
        (_, true) => last,
        _ => format!("{} and {last}", names.join(", ")),
    }
}

fn title(paper: &MadePaper, dice: &mut MadeDice) -> String {
    let mut words = paper.title.clone();
    if dice.percent(3) {
        words.remove(dice.below(words.len() as u64) as usize);
    }
    if dice.percent(4) {
        words.truncate(words.len().div_ceil(2).max(3));
    }
    if dice.percent(15) {
        let at = dice.below(words.len() as u64) as usize;
        words[at] = mistyped(&words[at], dice);
    }
    if dice.percent(30) {
        words.iter_mut().for_each(|word| *word = capital(word));
    }
    match dice.percent(1) {
        true => String::new(),
        false => capital(&words.join(" ")) + ".",
    }
}

/// With one letter left out, doubled or another.
fn mistyped(word: &str, dice: &mut MadeDice) -> String {
    let at = dice.below(word.len() as u64) as usize;
    let (before, rest) = (&word[..at], word.get(at..).unwrap_or_default());
    let after = rest.get(1..).unwrap_or_default();
    match dice.below(3) {
        0 => format!("{before}{after}"),
        1 => format!("{before}{}{rest}", rest.get(..1).unwrap_or_default()),
        _ => format!("{before}{}{after}", (b'a' + dice.below(26) as u8) as char),
    }
}

fn shortened(venue: &[String], dice: &mut MadeDice) -> String {
    match dice.below(5) {
        0 | 1 => venue.join(" "),
        2 => venue[2..].iter().map(|word| &word[..1]).collect(),
        _ => {
            let cut = |word: &String| {
                if word.len() > 5 { format!("{}.", &word[..4]) } else { word.clone() }
            };
            venue.iter().map(cut).collect::<Vec<_>>().join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_references_and_most_papers_several() {
        let (first, again): (Vec<_>, Vec<_>) = (made(7, 4_000).collect(), made(7, 4_000).collect());
        assert_eq!(first, again);
        let mut papers: Vec<u32> = first.iter().map(|known| known.paper).collect();
        papers.sort_unstable();
        papers.dedup();
        assert!((400..=500).contains(&papers.len()), "{}", papers.len());
        let differ = first.windows(2).filter(|two| two[0].citation != two[1].citation).count();
        assert!(differ > 3_990 && first != made(8, 4_000).collect::<Vec<_>>());
    }
}
