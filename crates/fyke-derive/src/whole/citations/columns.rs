//! The columns of citations: of each document which paper it is, of each paper what is known of it, and the papers of
//! each author and venue.

use fyke_papers::literature::Literature;
use fyke_papers::matching::{Citation, CitedId};
use fyke_papers::names::{PersonName, of_reference};
use fyke_papers::slug;
use fyke_store::{Column, ColumnGroup, GroupCell, StoreError};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// Of documents that are papers and no copies.
pub const PLACES: Column<PaperPlace> = Column::new("paper.place", 1);
/// Of papers, held or cited, under their own numbers.
pub const CITED: Column<CitedPaper> = Column::new("cited", 1);
/// Papers by the names of their authors and venues ([`names_key`]), each with the name as it is written there.
pub const NAMED_PAPERS: ColumnGroup<String> = ColumnGroup::new("paper.named", 1);

/// Which paper a document is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperPlace {
    pub paper: CitedId,
    /// The paper that each of its references names, if it names one.
    pub references: Vec<Option<CitedId>>,
    pub year: Option<u16>,
    /// The key of its venue; may be empty.
    pub venue: String,
    /// How many papers cite it.
    pub cited: u32,
}

/// What is known of a paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CitedPaper {
    pub fields: Citation,
    /// Where its text is; none where it is only cited.
    pub documents: Vec<UrlId>,
    pub references: Vec<CitedId>,
    pub cited_by: Vec<CitedId>,
    pub rank: f64,
}

impl CitedPaper {
    /// Its authors, apart.
    #[must_use]
    pub fn authors(&self) -> Vec<PersonName> {
        of_reference(&self.fields.authors)
    }
}

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    Author,
    Venue,
}

impl NameKind {
    /// As it stands in addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NameKind::Author => "author",
            NameKind::Venue => "venue",
        }
    }
}

/// Under what the papers of a name stand, by its key (`slug`).
#[must_use]
pub fn names_key(kind: NameKind, slug: &str) -> UrlId {
    UrlId(xxh3_64(format!("{} {slug}", kind.name()).as_bytes()))
}

/// The cells of all papers.
pub(super) fn cited<'a>(
    literature: &'a Literature,
    ranks: &'a [f64],
) -> impl Iterator<Item = Result<(UrlId, CitedPaper), StoreError>> + 'a {
    let Literature { graph, documents, .. } = literature;
    let entries = graph.entries();
    let ids = |places: &[u32]| places.iter().map(|place| entries[*place as usize].id).collect();
    (0..).zip(entries).map(move |(place, entry)| {
        let documents = documents.get(&entry.id).map_or(&[][..], Vec::as_slice);
        let paper = CitedPaper {
            fields: entry.fields.clone(),
            documents: documents.iter().map(|document| UrlId(*document)).collect(),
            references: ids(graph.references(place)),
            cited_by: ids(graph.cited_by(place)),
            rank: ranks[place as usize] * entries.len() as f64,
        };
        Ok((UrlId(entry.id.0), paper))
    })
}

/// A name with what is under it.
#[derive(Clone, Debug)]
pub(super) struct NamedEntry {
    pub kind: NameKind,
    pub slug: String,
    /// As it is written most fully.
    pub name: String,
    /// Places in the graph.
    pub papers: Vec<u32>,
}

/// Authors and venues by their keys.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedEntries {
    pub all: Vec<NamedEntry>,
    /// The names and their papers as cells.
    cells: BTreeMap<(u64, u64), String>,
}

impl NamedEntries {
    pub(super) fn of(literature: &Literature) -> NamedEntries {
        let mut found: BTreeMap<(NameKind, String), NamedEntry> = BTreeMap::new();
        let mut cells = BTreeMap::new();
        for (place, entry) in (0..).zip(literature.graph.entries()) {
            let mut add = |kind: NameKind, slug: String, name: String| {
                if slug.is_empty() {
                    return;
                }
                let new = || NamedEntry {
                    kind,
                    slug: slug.clone(),
                    name: String::new(),
                    papers: Vec::new(),
                };
                let known = found.entry((kind, slug.clone())).or_insert_with(new);
                if (name.len(), &known.name) > (known.name.len(), &name) {
                    known.name.clone_from(&name);
                }
                if known.papers.last() != Some(&place) {
                    known.papers.push(place);
                }
                cells.insert((names_key(kind, &slug).0, entry.id.0), name);
            };
            for name in of_reference(&entry.fields.authors) {
                add(NameKind::Author, slug::person(&name), name.full());
            }
            let venue = &entry.fields.venue;
            add(NameKind::Venue, slug::venue(venue), venue.clone());
        }
        NamedEntries { all: found.into_values().collect(), cells }
    }

    pub(super) fn cells(self) -> impl Iterator<Item = Result<GroupCell<String>, StoreError>> {
        self.cells
            .into_iter()
            .map(|((id, qualifier), value)| Ok(GroupCell { id: UrlId(id), qualifier, value }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whole::citations::{key, of_key};

    #[test]
    fn a_key_names_its_paper() {
        assert_eq!(of_key(&key(CitedId(17))), Some(CitedId(17)));
        for wrong in
            ["", "p", "p12", "x0000000000000011", "p000000000000001g", "p00000000000000011"]
        {
            assert_eq!(of_key(wrong), None, "{wrong}");
        }
    }
}
