//! Words of a general dictionary: the lemmas of WordNet that a list of usual words has too, less those
//! that are forms of others though a dictionary names them. Which these are was chosen on every other
//! pair of the first KStem; the rest measured it.

use std::collections::{BTreeSet, HashMap};
use std::fs::read;
use std::io::Result;
use std::path::Path;

const CLASSES: [&str; 4] = ["noun", "verb", "adj", "adv"];
/// Sizes of SCOWL's lists: words up to the size of a large dictionary.
const SIZES: [&str; 7] = ["10", "20", "35", "40", "50", "55", "60"];
const LISTS: [&str; 3] = ["english-words", "american-words", "british-words"];
/// Shorter words are left as they are by the rules, or are the abbreviations that one meets as parts of others.
const SHORTEST: usize = 3;
/// Glosses of nouns that mean no more than the verb does.
const ACTS: [&str; 4] = ["the act", "act of", "an act", "the activity of"];
/// So many meanings make a form a word of its own.
const MANY_MEANINGS: usize = 3;

/// The meanings of a word by class.
#[derive(Default)]
struct Lemma {
    /// Glosses, in the order of [`CLASSES`].
    glosses: [Vec<String>; 4],
    /// Nouns: meanings met in WordNet's tagged texts.
    tagged: usize,
}

/// The words, sorted.
pub fn words(wordnet: &Path, scowl: &Path) -> Result<BTreeSet<String>> {
    let usual = usual(scowl)?;
    let lemmas = lemmas(wordnet)?;
    let own = lemmas.into_iter().filter(|(word, lemma)| {
        word.len() >= SHORTEST && usual.contains(word) && is_word(word, lemma)
    });
    Ok(own.map(|(word, _)| word).collect())
}

/// Whether a lemma is a word of its own, rather than a form that the rules should reduce.
fn is_word(word: &str, lemma: &Lemma) -> bool {
    let [nouns, verbs, adjectives, _] = &lemma.glosses;
    let meanings = nouns.len() + adjectives.len();
    if word.ends_with("ing") {
        let is_act = |gloss: &String| ACTS.iter().any(|act| gloss.starts_with(act));
        let is_only_act = !nouns.is_empty() && nouns.iter().all(is_act);
        let is_both = !nouns.is_empty() && !adjectives.is_empty();
        return !verbs.is_empty() || !is_only_act && (is_both || meanings >= MANY_MEANINGS);
    }
    if word.ends_with("ed") {
        return !nouns.is_empty() || !verbs.is_empty();
    }
    if word.ends_with("ies") || word.ends_with("ness") {
        return false;
    }
    if word.ends_with("ly") {
        return meanings > 0 || !verbs.is_empty();
    }
    let is_plural = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("ous");
    // A plural that is its own word, as in `news`, has been met in texts or means several things.
    !is_plural || nouns.is_empty() || lemma.tagged > 0 || nouns.len() > 1
}

fn lemmas(folder: &Path) -> Result<HashMap<String, Lemma>> {
    let mut lemmas: HashMap<String, Lemma> = HashMap::new();
    for (class, name) in CLASSES.iter().enumerate() {
        let data = text(&folder.join(format!("data.{name}")))?;
        let glosses: HashMap<&str, &str> = data.lines().filter_map(gloss).collect();
        let index = text(&folder.join(format!("index.{name}")))?;
        for line in index.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let Some((word, senses)) = fields.split_first() else { continue };
            let Some(pointers) = senses.get(2).and_then(|count| count.parse::<usize>().ok()) else {
                continue;
            };
            if !word.bytes().all(|b| b.is_ascii_lowercase()) {
                continue;
            }
            let lemma = lemmas.entry((*word).to_owned()).or_default();
            let offsets = senses.iter().skip(pointers + 5);
            let meant = offsets.map(|offset| glosses.get(offset).map_or("", |gloss| gloss));
            lemma.glosses[class] = meant.map(str::to_owned).collect();
            if class == 0 {
                let tagged = senses.get(pointers + 4).and_then(|count| count.parse().ok());
                lemma.tagged = tagged.unwrap_or(0);
            }
        }
    }
    Ok(lemmas)
}

/// The place of a meaning in its file, and what it says.
fn gloss(line: &str) -> Option<(&str, &str)> {
    let (place, rest) = line.split_once(' ').filter(|row| !row.0.is_empty())?;
    Some((place, rest.split_once('|')?.1.trim()))
}

/// The words of the lists of these sizes, folded.
fn usual(folder: &Path) -> Result<BTreeSet<String>> {
    let mut words = BTreeSet::new();
    for name in LISTS {
        for size in SIZES {
            let path = folder.join(format!("{name}.{size}"));
            if path.exists() {
                words.extend(text(&path)?.lines().map(str::to_lowercase));
            }
        }
    }
    Ok(words)
}

/// A file in Latin-1.
fn text(path: &Path) -> Result<String> {
    Ok(read(path)?.into_iter().map(char::from).collect())
}
