//! The pages of a focused collection that might as well have been judged the other way: those whose relevance is
//! nearest to the threshold, for people to approve or refuse.

use crate::config::{ApprovedPages, Config, ConfigError};
use fyke_derive::whole::subject::RELEVANCE;
use fyke_store::View;
use fyke_web::UrlId;
use serde::Serialize;
use std::path::Path;

/// A page near the threshold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BorderlinePage {
    pub url: String,
    pub title: String,
    /// How much it is about the subject, 0 to 1.
    pub relevance: f32,
    /// Whether it is kept.
    pub is_on: bool,
}

/// The pages nearest to the threshold of which nobody has said anything, the most relevant first; nothing where no
/// subject was judged yet.
///
/// # Errors
/// When the collection or `subject.toml` cannot be read.
pub fn borderline(
    view: &View,
    root: &Path,
    (config, most): (&Config, usize),
) -> anyhow::Result<Vec<BorderlinePage>> {
    let threshold = config.focus.threshold;
    let told = told(root)?;
    let mut near: Vec<(f32, UrlId)> = Vec::new();
    for cell in view.cells().all(&RELEVANCE) {
        let (id, relevance) = cell?;
        if !told.contains(&id) {
            near.push((relevance, id));
        }
    }
    let distance = |cell: &(f32, UrlId)| (cell.0 - threshold).abs();
    near.sort_unstable_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.1.cmp(&b.1)));
    near.truncate(most);
    near.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut pages = Vec::new();
    for (relevance, id) in near {
        let Some(document) = view.documents.get(id)? else { continue };
        let (url, title, is_on) = (document.url, document.title, relevance >= threshold);
        pages.push(BorderlinePage { url, title, relevance, is_on });
    }
    Ok(pages)
}

fn told(root: &Path) -> Result<Vec<UrlId>, ConfigError> {
    Ok(ApprovedPages::load(root)?.ids()?.into_iter().flatten().collect())
}
