//! Derives the dictionary of Krovetz's stemmer: from pairs of words and stems (those that the rules must
//! know, so that they give every stem of the pairs; what no rule gives becomes an entry of its own) and
//! from words of a general dictionary (`wordnet.rs`), which say what is a word beyond the pairs.
//! `derive_krovetz PAIRS WORDNET SCOWL OUT`; with a number behind it, only every other pair is learnt and
//! the rest measures. With `-` for WORDNET the pairs alone are learnt.

mod wordnet;

use fyke_text::stem::krovetz::Dictionary;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

type Pair<'a> = (&'a str, &'a str);

/// A dictionary in the making.
#[derive(Clone, Default)]
struct Draft {
    stems: BTreeSet<String>,
    exceptions: BTreeSet<String>,
    forms: BTreeMap<String, String>,
}

impl Draft {
    fn text(&self) -> String {
        let mut lines: Vec<String> = self.forms.iter().map(|(w, s)| format!("{w} {s}")).collect();
        let stems = self.stems.iter().filter(|word| !self.forms.contains_key(*word));
        let mark = |word: &String| if self.exceptions.contains(word) { "!" } else { "" };
        lines.extend(stems.map(|word| format!("{word}{}", mark(word))));
        lines.sort();
        lines.join("\n")
    }

    fn wrong<'a>(&self, pairs: &[Pair<'a>]) -> Vec<Pair<'a>> {
        let text = self.text();
        let dictionary = Dictionary::read(&text);
        pairs.iter().filter(|(word, stem)| dictionary.stem(word) != *stem).copied().collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pairs, wordnet, scowl, out, half @ ..] = arguments.as_slice() else {
        return Err("usage: derive_krovetz PAIRS WORDNET SCOWL OUT [1]".into());
    };
    let is_halved = !half.is_empty();
    let words = match wordnet.as_str() {
        "-" => BTreeSet::new(),
        folder => wordnet::words(Path::new(folder), Path::new(scowl))?,
    };
    let text = std::fs::read_to_string(pairs)?;
    let all = text.lines().filter_map(|line| line.split_once(' ')).enumerate();
    let (learnt, held): (Vec<_>, Vec<_>) = all.partition(|(nth, _)| !is_halved || nth % 2 == 0);
    let strip = |pairs: Vec<(usize, _)>| pairs.into_iter().map(|(_, pair)| pair).collect();
    let (mut learnt, held): (Vec<Pair<'_>>, Vec<_>) = (strip(learnt), strip(held));
    learnt.sort_by_key(|(word, _): &Pair<'_>| word.len());
    let draft = derive(&learnt, words);
    std::fs::write(out, draft.text() + "\n")?;
    let (forms, stems) = (draft.forms.len(), draft.stems.len());
    eprintln!(
        "{stems} stems, {} exceptions, {forms} forms; {} of {} wrong",
        draft.exceptions.len(),
        draft.wrong(&learnt).len(),
        learnt.len()
    );
    if is_halved {
        let wrong = draft.wrong(&held);
        eprintln!("not learnt: {} of {} wrong", wrong.len(), held.len());
        wrong.iter().for_each(|(word, stem)| eprintln!("  {word} {stem}"));
    }
    Ok(())
}

/// All stems, and the words that break none of the pairs; then for each pair that comes out wrong the
/// smallest change that mends it, if it breaks no other.
fn derive(pairs: &[Pair<'_>], words: BTreeSet<String>) -> Draft {
    let stems: BTreeSet<String> = pairs.iter().map(|(_, stem)| (*stem).to_owned()).collect();
    let mut draft = Draft { stems: stems.clone(), ..Draft::default() };
    let before: BTreeSet<Pair<'_>> = draft.wrong(pairs).into_iter().collect();
    draft.stems.extend(words);
    // What the general dictionary has and the pairs contradict goes, one word after another of a chain.
    loop {
        let text = draft.text();
        let dictionary = Dictionary::read(&text);
        let wrong = draft.wrong(pairs).into_iter().filter(|pair| !before.contains(pair));
        let found: BTreeSet<String> =
            wrong.map(|(word, _)| dictionary.stem(word).into_owned()).collect();
        let count = draft.stems.len();
        draft.stems.retain(|word| stems.contains(word) || !found.contains(word));
        if draft.stems.len() == count {
            return mend(draft, pairs);
        }
    }
}

fn mend(mut draft: Draft, pairs: &[Pair<'_>]) -> Draft {
    let mut count = draft.wrong(pairs).len();
    for (word, stem) in draft.wrong(pairs) {
        let text = draft.text();
        let got = Dictionary::read(&text).stem(word).into_owned();
        if got == stem {
            continue;
        }
        let changes: [fn(&mut Draft, Pair<'_>, &str); 3] = [
            |draft, _, got| _ = draft.exceptions.insert(got.to_owned()),
            |draft, _, got| _ = draft.stems.remove(got),
            |draft, (word, stem), _| _ = draft.forms.insert(word.to_owned(), stem.to_owned()),
        ];
        for change in changes {
            let mut tried = draft.clone();
            change(&mut tried, (word, stem), &got);
            let wrong = tried.wrong(pairs);
            if wrong.len() < count && !wrong.contains(&(word, stem)) {
                (draft, count) = (tried, wrong.len());
                break;
            }
        }
    }
    draft
}
