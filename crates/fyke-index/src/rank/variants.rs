//! The other forms of a word, found by a walk through the part of the dictionaries that begins as they
//! all do. Words that are asked for are asked for again: what was found is kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::beginning::Beginning;
use super::postings::is_lone;
use super::segment::Segment;
use crate::analysis::{Variant, WantedWord};
use crate::schema::KEYS;

/// So many entries of each dictionary are looked at for forms of one word.
const MAX_SCAN: usize = 20_000;

/// So many other forms of one word are taken.
const MAX_VARIANTS: usize = 64;

/// So many words are kept with their forms; one more, and all are forgotten.
const MAX_KEPT: usize = 10_000;

/// Other forms of a word, and where they count; none is for all of a lone character's pairs.
pub(super) type VariantForms = Arc<[(String, Option<Variant>)]>;

/// The words that were asked for, with their forms.
#[derive(Debug, Default)]
pub(crate) struct Variants(Mutex<HashMap<String, VariantForms>>);

impl Variants {
    /// No forms.
    pub fn none() -> VariantForms {
        Arc::new([])
    }

    /// The other forms of a word, in whatever segment and field they stand.
    pub fn of(&self, segments: &[Segment], word: &str) -> io::Result<VariantForms> {
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(word) {
            return Ok(Arc::clone(known));
        }
        let found: VariantForms = look(segments, word)?.into();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(word.to_owned(), Arc::clone(&found));
        Ok(found)
    }
}

/// A lone character of a script that is indexed by pairs stands for all pairs that begin with it.
fn look(segments: &[Segment], word: &str) -> io::Result<Vec<(String, Option<Variant>)>> {
    let stemmers = segments.first().into_iter().flat_map(|segment| segment.stemmed.stemmers());
    let (wanted, lone) = (WantedWord::with_variants(word, stemmers), is_lone(word));
    let (mut found, mut others) = (BTreeMap::new(), HashSet::new());
    let Some(prefix) = wanted.prefix() else { return Ok(Vec::new()) };
    // Keys have no other forms.
    for text in segments.iter().flat_map(|segment| &segment.texts[..KEYS]) {
        let mut forms = text.postings.terms().search(Beginning::new(prefix)).into_stream()?;
        for _ in 0..MAX_SCAN {
            if found.len() == MAX_VARIANTS || !forms.advance() {
                break;
            }
            let Ok(form) = str::from_utf8(forms.key()) else { continue };
            // Most dictionaries have the same words, and a stem takes its time.
            if others.contains(form) || found.contains_key(form) {
                continue;
            }
            let variant = wanted.variant(form).filter(|_| !lone);
            if variant.is_some() || (lone && form != wanted.form) {
                found.insert(form.to_owned(), variant);
            } else {
                others.insert(form.to_owned());
            }
        }
    }
    Ok(found.into_iter().collect())
}
