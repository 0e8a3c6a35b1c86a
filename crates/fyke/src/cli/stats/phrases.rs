//! `fyke stats phrases`: the most frequent phrases of the corpus, as in 003 table 4.9.

use crate::cli::{Global, Viewed, output, summary};
use fyke_derive::asked::phrases::phrases;
use fyke_stages::show;

/// Rows shown; JSON has more.
const SHOWN: usize = 50;
const TOLD: usize = 1_000;

pub(super) fn run(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let most = if global.json { TOLD } else { SHOWN };
    let found =
        summary::with_progress(global, |observe| Ok(phrases(&opened.collection, most, observe)?))?;
    if global.json {
        return output::say_json(&found);
    }
    let about = if found.is_exact { "" } else { "about " };
    let row = |(phrase, count): &(String, u64)| vec![show::count(*count), output::tame(phrase)];
    output::say(&output::table(&found.top.iter().map(row).collect::<Vec<_>>()));
    output::say(&format!(
        "{} phrases, {about}{} of them distinct, in {} documents",
        show::count(found.occurrences),
        show::count(found.distinct),
        show::count(found.documents),
    ));
    Ok(())
}
