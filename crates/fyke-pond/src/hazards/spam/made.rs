//! Texts that a machine made of others: scraped copies, and gibberish of a Markov chain.

use super::{EACH, SpamMaker, SpamSort, text_page};
use std::collections::HashMap;

pub(super) const SCRAPED: SpamSort = SpamSort {
    name: "scraped",
    what: "is put together from pages of others",
    is_spam: true,
    make: |maker| {
        for n in 0..EACH {
            let mut text = String::new();
            for _ in 0..4 {
                text += &stretch(maker, 5);
            }
            let title = format!("All about {}", maker.aim());
            maker.put(format!("http://{}/{n}", maker.host(n / 3)), text_page(&title, "", &text));
        }
    },
};

/// Some sentences of an ordinary page, in a row.
pub(super) fn stretch(maker: &mut SpamMaker<'_>, sentences: usize) -> String {
    if maker.read.is_empty() {
        return maker.prose(sentences);
    }
    let at = maker.dice.below(maker.read.len());
    let all: Vec<&str> = maker.read[at].split_inclusive(". ").collect();
    let from = maker.dice.below(all.len().saturating_sub(sentences).max(1));
    let own = all.iter().skip(from).take(sentences).copied().collect::<String>();
    own + " "
}

pub(super) const GIBBERISH: SpamSort = SpamSort {
    name: "gibberish",
    what: "is what a Markov chain says",
    is_spam: true,
    make: |maker| {
        let text: String =
            maker.read.iter().take(300).flat_map(|text| [text.as_str(), " "]).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut next: HashMap<&str, Vec<&str>> = HashMap::new();
        for two in words.windows(2) {
            next.entry(two[0]).or_default().push(two[1]);
        }
        for n in 0..EACH {
            let mut said: Vec<&str> = Vec::new();
            while said.len() < 250 {
                let list = said.last().and_then(|last| next.get(last));
                let word = match list {
                    Some(list) if !list.is_empty() => list[maker.dice.below(list.len())],
                    _ if words.is_empty() => break,
                    _ => words[maker.dice.below(words.len())],
                };
                said.push(word);
            }
            let title = format!("{} guide", maker.aim());
            maker.put(format!("http://{}/", maker.host(n)), text_page(&title, "", &said.join(" ")));
        }
    },
};
