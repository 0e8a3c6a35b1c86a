//! A search as somebody asks for it: words become a query in the languages of the index, and the ranker is that of
//! the collection's settings unless another is asked for. Pages, API, feed, commands, lab and library all search
//! here, so that they find the same.

use crate::config::{Config, ConfigError};
use crate::show::count;
use fyke_derive::FACTS;
use fyke_derive::page::private::PRIVATE_FACT;
use fyke_index::{CutOff, Index, IndexError, Query, QueryBudget, Ranker, Results, SearchOptions};
use fyke_text::WordRules;
use std::path::Path;

/// The index of the collection at `root`, to be searched: nothing is made, locked or written.
///
/// # Errors
/// When it cannot be read, or the stemmers and stop lists of the settings are wrong.
pub fn index(root: &Path, config: &Config) -> anyhow::Result<Index> {
    let index = Index::open_to_read(&fyke_store::index_dir(root), &FACTS)?;
    Ok(index.searched_by(word_rules(root, config)?))
}

/// By what stemmers and stop lists the collection at `root` is searched.
///
/// # Errors
/// When `search.stemmers` or `search.stop_words` is wrong.
pub fn word_rules(root: &Path, config: &Config) -> Result<WordRules, ConfigError> {
    crate::config::words::word_rules(root, config)
}

/// How this collection is searched, unless somebody asks otherwise: by its own ranker, within its budget
/// of work.
///
/// # Errors
/// When `search.ranker` is wrong.
pub fn options(config: &Config) -> Result<SearchOptions, ConfigError> {
    let wrong = |what| ConfigError(format!("search.ranker: {what}"));
    let weights = ranker(&config.search.ranker).map_err(wrong)?.weights;
    let budget = QueryBudget { steps: config.search.steps };
    Ok(SearchOptions { weights, budget, ..SearchOptions::default() })
}

/// Searches an index for words as people type them.
///
/// # Errors
/// When the index cannot be read; never because of the words.
pub fn search(index: &Index, words: &str, options: &SearchOptions) -> Result<Results, IndexError> {
    index.search(&index.query(words), options)
}

/// The same question, about documents that everybody may see.
#[must_use]
pub fn public(query: Query) -> Query {
    query.without(&format!("{PRIVATE_FACT}:yes"), &FACTS)
}

/// What to say of a search that asked for too much, in sentences.
#[must_use]
pub fn told_cut(cut: &CutOff) -> String {
    let [looked_at, documents] = [cut.looked_at, cut.documents].map(count);
    let few = format!("only {looked_at} of {documents} documents were looked at");
    let near = "the nearness of some of its words did not count".to_owned();
    let left_out = [(few, cut.looked_at < cut.documents), (near, cut.is_nearness_cut)];
    let left_out = left_out.into_iter().filter_map(|(what, is_so)| is_so.then_some(what));
    let left_out = left_out.collect::<Vec<_>>().join(", and ");
    format!(
        "This query asks for too much: {left_out}. Fewer words, or rarer ones, are answered in full."
    )
}

/// Reads a ranker, in which every fact that is a signal can be dialled.
///
/// # Errors
/// What is not known, in words.
pub fn ranker(text: &str) -> Result<Ranker, String> {
    Ranker::parse_with(text, &FACTS)
}

/// Understands a text in no index's languages, in which every fact that is a filter can be asked for.
#[must_use]
pub fn query(text: &str, rules: &WordRules) -> Query {
    Query::parse_by(text, rules, &FACTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;

    #[test]
    fn all_that_was_left_out_is_said() {
        let check = |looked_at, is_nearness_cut, expected: [bool; 2]| {
            let told = told_cut(&CutOff { looked_at, documents: 2_000, is_nearness_cut });
            let said = ["of 2,000 documents", "nearness of some"].map(|part| told.contains(part));
            assert_eq!(said, expected, "{told}");
        };
        check(7, false, [true, false]);
        check(7, true, [true, true]);
        check(2_000, true, [false, true]);
    }

    #[test]
    fn a_collection_is_searched_by_the_ranker_of_its_settings() {
        let check = |set: &[&str], expected: &str| {
            let set: Vec<String> = set.iter().map(ToString::to_string).collect();
            let config = load(None, std::iter::empty(), &set).expect("settings").config;
            let weights = ranker(expected).expect("a ranker").weights;
            let found = options(&config).expect("options").weights;
            assert_eq!(format!("{found:?}"), format!("{weights:?}"));
        };
        check(&[], "");
        check(&["search.ranker=nearness=0"], "nearness=0");
    }
}
