//! `fyke stats size`: how many documents hold all of some words, estimated in three ways beside the truth,
//! and how many there are in all, estimated from each two of the words (003 §4.2.2).

use crate::cli::{Failure, Global, Viewed, output};
use fyke_stages::search;
use fyke_stages::show;

pub(super) fn size(global: &Global, opened: &Viewed, words: &[String]) -> anyhow::Result<()> {
    let sizes = search::index(opened.collection.root(), &opened.config)?.sizes(&words.join(" "))?;
    if sizes.words.len() < 2 {
        let message = "stats size needs two words or more, as: fyke stats size tropical fish";
        return Err(Failure::usage(message).into());
    }
    if global.json {
        return output::say_json(&sizes);
    }
    let about = |size: f64| show::count(size.round() as u64);
    let row = |name: String, value: String| vec![name, value];
    let mut rows = vec![row("documents".to_owned(), show::count(sizes.documents))];
    let words = sizes.words.iter();
    rows.extend(words.map(|(word, found)| row(format!("with {word}"), show::count(*found))));
    rows.push(row("with all of them".to_owned(), show::count(sizes.results)));
    rows.push(row("estimated by independence".to_owned(), about(sizes.by_independence)));
    rows.push(row("by pairs".to_owned(), about(sizes.by_pairs)));
    rows.extend(sizes.by_sample.iter().map(|(percent, size)| {
        row(format!("by {percent} % of the rarest word's documents"), about(*size))
    }));
    rows.extend(sizes.collection.iter().map(|by| {
        let size = by.size.map_or_else(|| "no document holds both".to_owned(), about);
        row(format!("collection by {} and {}", by.first, by.second), size)
    }));
    output::say(&output::table(&rows));
    Ok(())
}
