//! The words that say most about a document or about several (tf·idf), read from what
//! is kept of it.

use std::collections::HashMap;

use tantivy::{DocAddress, TantivyDocument};

use crate::analysis;
use crate::index::stored_text;
use crate::rank::segment::Snapshot;
use crate::schema::{BODY, FIELDS};
use crate::together::frequency;

/// So much of a body is read, in bytes.
const MAX_SCAN: usize = 32 << 10;

/// A word of the title counts as so many in the body.
const TITLE_COUNT: u32 = 3;

/// So many of the most frequent words are weighed.
const MAX_WEIGHED: usize = 400;

/// A word with its weight.
pub(crate) type Weight = (String, f32);

/// The words of a document with their weights, the weightier first; without stop words, and without
/// words that no other document has.
pub(crate) fn keywords(snapshot: &Snapshot, address: DocAddress) -> tantivy::Result<Vec<Weight>> {
    let stored: TantivyDocument = snapshot.searcher.doc(address)?;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for (text, count) in [(stored_text(&stored, FIELDS.title), TITLE_COUNT), (body(&stored), 1)] {
        for word in analysis::words(text).filter(|word| !snapshot.languages.has_stop(&word.form)) {
            *counts.entry(word.form.into_owned()).or_default() += count;
        }
    }
    let mut frequent: Vec<(String, u32)> = counts.into_iter().collect();
    frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut found = Vec::new();
    for (form, count) in frequent.into_iter().take(MAX_WEIGHED) {
        let documents = frequency(snapshot, BODY, &form)?;
        if documents > 1 && is_telling(&form) {
            let rarity = (snapshot.documents as f32 / documents as f32).max(1.0).ln();
            found.push((form, (1.0 + (count as f32).ln()) * rarity));
        }
    }
    sort(&mut found);
    Ok(found)
}

/// Whether a word can tell anything alone: not a number, nor one or two letters.
fn is_telling(form: &str) -> bool {
    let is_long = form.chars().nth(2).is_some() || form.chars().all(|c| c >= '\u{e00}');
    is_long && form.chars().any(char::is_alphabetic)
}

/// The beginning of what is kept of the main text.
pub(crate) fn body(stored: &TantivyDocument) -> &str {
    let text = stored_text(stored, FIELDS.body);
    &text[..text.floor_char_boundary(MAX_SCAN)]
}

/// The weightier first, equal ones by the alphabet.
pub(crate) fn sort(weights: &mut [Weight]) {
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
}
