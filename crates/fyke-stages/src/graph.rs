//! The graph of links as commands and pages show it.

pub use fyke_derive::whole::graph::{Around, GraphFigures, RankedDocument, last, rank};

use crate::config::Config;
use crate::{Step, corpus_settings};
use fyke_derive::whole::graph::{ROW, measure};
use fyke_derive::{Due, Eagerness, due, mark_of};
use fyke_store::View;
use fyke_web::UrlId;

/// The figures of the graph: those made last, or, where they would be made anew by the next run, made now.
///
/// # Errors
/// When links cannot be read.
pub fn current(
    collection: &View,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<GraphFigures> {
    let (cells, settings) = (collection.cells(), corpus_settings(&config.corpus));
    let due = due(&ROW, mark_of(&cells, &ROW).as_ref(), &cells, &settings, Eagerness::Usual)?;
    match last(collection)? {
        Some(figures) if !matches!(due, Due::All(_)) => Ok(figures),
        _ => {
            let observe = &mut |done, total| observe(Step { stage: "graph", done, total });
            Ok(measure(collection, observe)?.figures)
        }
    }
}

/// What links say around these documents.
///
/// # Errors
/// When links cannot be read.
pub fn around(
    collection: &View,
    root: &[UrlId],
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Around> {
    let observe = &mut |done, total| observe(Step { stage: "graph", done, total });
    Ok(fyke_derive::whole::graph::around(collection, root, observe)?)
}
