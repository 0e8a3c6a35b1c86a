//! What a run did before it was cut, by its steps: it is played again without asking for anything twice.

use super::log::{CollectEvent, DocumentDone};
use crate::engine::EngineManners;
use std::collections::{HashMap, HashSet};

/// The steps of this run that were done before it was cut.
#[derive(Debug, Default)]
pub(super) struct DoneBefore {
    pub(super) queries: HashSet<String>,
    pub(super) documents: HashMap<String, DocumentDone>,
    pub(super) host_pages: HashMap<String, DocumentDone>,
    pub(super) manners: Option<EngineManners>,
    /// Documents that judgements have taken out again.
    pub(super) rejected: HashSet<String>,
}

impl DoneBefore {
    pub(super) fn of(events: &[CollectEvent], run: u32) -> DoneBefore {
        let mut done = DoneBefore::default();
        for event in events {
            match event {
                CollectEvent::Query(query) if query.run == run => {
                    done.queries.insert(query.query.clone());
                }
                CollectEvent::Document(document) if document.run == run => {
                    done.documents.insert(document.url.clone(), document.clone());
                }
                CollectEvent::HostPage(page) if page.run == run => {
                    done.host_pages.insert(page.url.clone(), page.clone());
                }
                CollectEvent::Rejected { url, .. } => {
                    done.rejected.insert(url.clone());
                }
                CollectEvent::Manners { run: of, manners } if *of == run => {
                    done.manners = Some(*manners);
                }
                _ => {}
            }
        }
        done
    }
}
