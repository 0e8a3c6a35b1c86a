//! Documents of which something speaks for spam, the likeliest first, for people to look at.

use fyke_derive::whole::spam::SPAM;
use fyke_store::{StoreError, View};

use serde::Serialize;

/// A document that may be spam.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikelySpam {
    pub url: String,
    pub title: String,
    pub probability: f32,
    /// It is no part of the corpus for it.
    pub is_spam: bool,
    /// A person said so.
    pub is_told: bool,
    pub evidence: Vec<&'static str>,
}

/// The documents that are spam with at least this probability, the likeliest first.
///
/// # Errors
/// When the collection cannot be read.
pub fn likely(view: &View, (least, most): (f32, usize)) -> Result<Vec<LikelySpam>, StoreError> {
    let mut found = Vec::new();
    for cell in view.cells().all(&SPAM) {
        let (id, verdict) = cell?;
        if verdict.probability >= least {
            found.push((verdict, id));
        }
    }

    found.sort_by(|a, b| b.0.probability.total_cmp(&a.0.probability).then(a.1.cmp(&b.1)));
    found.truncate(most);
    let mut pages = Vec::new();
    for (verdict, id) in found {
        let Some(document) = view.documents.get(id)? else { continue };
        pages.push(LikelySpam {
            url: document.url,
            title: document.title,
            probability: verdict.probability,
            is_spam: verdict.is_spam,
            is_told: verdict.is_told,
            evidence: verdict.reasons().collect(),
        });
    }
    Ok(pages)
}
