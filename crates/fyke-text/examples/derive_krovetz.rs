//! Derives the dictionary of Krovetz's stemmer from pairs of words and stems: the words that the
//! rules must know, so that they give every stem of the pairs. What no rule gives becomes an entry of
//! its own. `derive_krovetz PAIRS OUT`; with a number behind it, only every other pair is learnt and
//! the rest measures.

use fyke_text::stem::krovetz::Dictionary;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

type Pair<'a> = (&'a str, &'a str);

/// A dictionary in the making.
#[derive(Default)]
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
    let mut args = std::env::args().skip(1);
    let (pairs, out) = (args.next().ok_or("which pairs?")?, args.next().ok_or("to which file?")?);
    let is_halved = args.next().is_some();
    let text = std::fs::read_to_string(pairs)?;
    let mut all: Vec<Pair<'_>> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let (learnt, held): (Vec<_>, Vec<_>) =
        all.drain(..).enumerate().partition(|(nth, _)| !is_halved || nth % 2 == 0);
    let strip = |pairs: Vec<(usize, _)>| pairs.into_iter().map(|(_, pair)| pair).collect();
    let (mut learnt, held): (Vec<_>, Vec<_>) = (strip(learnt), strip(held));
    learnt.sort_by_key(|(word, _): &Pair<'_>| word.len());
    let draft = derive(&learnt);
    std::fs::write(out, draft.text() + "\n")?;
    let (forms, stems) = (draft.forms.len(), draft.stems.len());
    eprintln!(
        "{stems} stems, {} exceptions, {forms} forms; {} of {} wrong",
        draft.exceptions.len(),
        draft.wrong(&learnt).len(),
        learnt.len()
    );
    if is_halved {
        eprintln!("not learnt: {} of {} wrong", draft.wrong(&held).len(), held.len());
    }
    Ok(())
}

/// All stems; then for each pair that comes out wrong the smallest change that mends it, if it breaks
/// no other.
fn derive(pairs: &[Pair<'_>]) -> Draft {
    let stems = pairs.iter().map(|(_, stem)| (*stem).to_owned()).collect();
    let mut draft = Draft { stems, ..Draft::default() };
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
            let mut tried = Draft {
                stems: draft.stems.clone(),
                exceptions: draft.exceptions.clone(),
                forms: draft.forms.clone(),
            };
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
