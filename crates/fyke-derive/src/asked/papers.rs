//! What is asked of papers: what a paper refers to and where that is, who cites it in which words, what stands beside
//! it, and the graph of all. Each question looks at so many papers and no more.

use crate::page::papers::{PARTS, PaperParts};
use crate::page::private::PRIVATE;
use crate::whole::citations::{CITED, CitedPaper, NAMED_PAPERS, NameKind, PLACES, names_key};
use fyke_papers::graph::{CitationEdge, CitationGraph, PaperEntry};
use fyke_papers::matching::CitedId;
use fyke_papers::reference::PaperReference;
use fyke_store::{Cells, StoreError};
use fyke_web::UrlId;
use std::collections::{HashMap, HashSet};

/// Papers between two that are looked at for what stands beside one, and the references of each.
const MOST_BETWEEN: usize = 300;
const MOST_BESIDE: usize = 300;
/// Sentences of one paper that are shown of what cites another.
const MOST_SENTENCES: usize = 3;

/// The paper of a number.
///
/// # Errors
/// When the cells cannot be read, as in all of these.
pub fn paper(cells: &Cells, id: CitedId) -> Result<Option<CitedPaper>, StoreError> {
    cells.get(&CITED, UrlId(id.0))
}

/// Which paper a document is.
///
/// # Errors
/// When the cells cannot be read.
pub fn of_document(cells: &Cells, document: UrlId) -> Result<Option<CitedId>, StoreError> {
    Ok(cells.get(&PLACES, document)?.map(|place| place.paper))
}

/// A reference with the paper that it names.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferredPaper {
    pub reference: PaperReference,
    pub paper: Option<CitedId>,
    /// That paper, where it is known.
    pub cited: Option<CitedPaper>,
    /// The sentences that cite it.
    pub sentences: Vec<String>,
}

/// The references of a document, in its order.
///
/// # Errors
/// When the cells cannot be read.
pub fn references(cells: &Cells, document: UrlId) -> Result<Vec<ReferredPaper>, StoreError> {
    let PaperParts { references, contexts } = cells.get(&PARTS, document)?.unwrap_or_default();
    let places = cells.get(&PLACES, document)?.map(|place| place.references).unwrap_or_default();
    let mut found = Vec::with_capacity(references.len());
    for (at, reference) in references.into_iter().enumerate() {
        let named = places.get(at).copied().flatten();
        let cited = match named {
            Some(named) => paper(cells, named)?,
            None => None,
        };
        found.push(ReferredPaper { reference, paper: named, cited, sentences: Vec::new() });
    }
    for context in contexts {
        if let Some(named) = found.get_mut(context.reference)
            && named.sentences.len() < MOST_SENTENCES
        {
            named.sentences.push(context.sentence);
        }
    }
    Ok(found)
}

/// A way in which references name a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperForm {
    pub form: CitedId,
    /// One of the references that are written so.
    pub text: String,
    pub references: usize,
}

/// The ways in which references name a paper, the most frequent first; so many citing papers are looked at.
///
/// # Errors
/// When the cells cannot be read.
pub fn forms(cells: &Cells, id: CitedId, of: &CitedPaper) -> Result<Vec<PaperForm>, StoreError> {
    let mut found: Vec<PaperForm> = Vec::new();
    for citing in of.cited_by.iter().take(MOST_BETWEEN) {
        let Some(citing) = paper(cells, *citing)? else { continue };
        for document in citing.documents {
            for ReferredPaper { reference, .. } in
                references(cells, document)?.into_iter().filter(|one| one.paper == Some(id))
            {
                let form = CitedId::of(&reference.citation());
                match found.iter_mut().find(|known| known.form == form) {
                    Some(known) => known.references += 1,
                    None => found.push(PaperForm { form, text: reference.text, references: 1 }),
                }
            }
        }
    }
    found.sort_by_key(|known| (usize::MAX - known.references, known.form));
    Ok(found)
}

/// A paper that cites another.
#[derive(Clone, Debug, PartialEq)]
pub struct CitingPaper {
    pub id: CitedId,
    pub paper: CitedPaper,
    /// The sentences in which it does.
    pub sentences: Vec<String>,
}

/// The papers that cite one, from the first so many on.
///
/// # Errors
/// When the cells cannot be read.
pub fn citing(
    cells: &Cells,
    (id, of): (CitedId, &CitedPaper),
    (from, most): (usize, usize),
) -> Result<Vec<CitingPaper>, StoreError> {
    let mut found = Vec::new();
    for citing in of.cited_by.iter().skip(from).take(most) {
        let Some(paper) = paper(cells, *citing)? else { continue };
        let sentences = sentences(cells, &paper, id)?;
        found.push(CitingPaper { id: *citing, paper, sentences });
    }
    Ok(found)
}

/// The sentences in which the documents of a paper cite another.
fn sentences(
    cells: &Cells,
    citing: &CitedPaper,
    cited: CitedId,
) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<String> = Vec::new();
    for document in &citing.documents {
        let places = cells.get(&PLACES, *document)?.map(|place| place.references);
        let places = places.unwrap_or_default();
        let is_of = |at: usize| places.get(at).copied().flatten() == Some(cited);
        for context in cells.get(&PARTS, *document)?.unwrap_or_default().contexts {
            let is_new = is_of(context.reference) && !found.contains(&context.sentence);
            if is_new && found.len() < MOST_SENTENCES {
                found.push(context.sentence);
            }
        }
    }
    Ok(found)
}

/// A paper that stands beside another.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperBeside {
    pub id: CitedId,
    pub paper: CitedPaper,
    /// Papers that cite both, or that both cite.
    pub times: u32,
}

/// Papers that are cited together with one, those that are so most often first.
///
/// # Errors
/// When the cells cannot be read.
pub fn co_cited(
    cells: &Cells,
    (id, of): (CitedId, &CitedPaper),
    most: usize,
) -> Result<Vec<PaperBeside>, StoreError> {
    beside(cells, (id, &of.cited_by), |between| &between.references, most)
}

/// Papers that cite what one cites, those that share most references first.
///
/// # Errors
/// When the cells cannot be read.
pub fn coupled(
    cells: &Cells,
    (id, of): (CitedId, &CitedPaper),
    most: usize,
) -> Result<Vec<PaperBeside>, StoreError> {
    beside(cells, (id, &of.references), |between| &between.cited_by, most)
}

fn beside(
    cells: &Cells,
    (id, between): (CitedId, &[CitedId]),
    of: impl Fn(&CitedPaper) -> &[CitedId],
    most: usize,
) -> Result<Vec<PaperBeside>, StoreError> {
    let mut times: HashMap<CitedId, u32> = HashMap::new();
    for between in between.iter().take(MOST_BETWEEN) {
        let Some(between) = paper(cells, *between)? else { continue };
        for other in of(&between).iter().take(MOST_BESIDE).filter(|other| **other != id) {
            *times.entry(*other).or_default() += 1;
        }
    }
    let mut order: Vec<(CitedId, u32)> = times.into_iter().collect();
    order.sort_unstable_by_key(|(id, times)| (u32::MAX - times, *id));
    let mut found = Vec::new();
    for (id, times) in order.into_iter().take(most) {
        found.extend(paper(cells, id)?.map(|paper| PaperBeside { id, paper, times }));
    }
    Ok(found)
}

/// The papers of an author or a venue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedPapers {
    /// The name as it is written most fully.
    pub name: String,
    /// Those that are cited most first.
    pub papers: Vec<(CitedId, CitedPaper)>,
    /// There are more.
    pub is_cut: bool,
}

/// The papers under a key; none where it is not known. So many are looked at at the most.
///
/// # Errors
/// When the cells cannot be read.
pub fn named(
    cells: &Cells,
    kind: NameKind,
    slug: &str,
    most: usize,
) -> Result<Option<NamedPapers>, StoreError> {
    let mut under = cells.first_in(&NAMED_PAPERS, names_key(kind, slug), most + 1)?;
    if under.is_empty() {
        return Ok(None);
    }
    let is_cut = under.len() > most;
    under.truncate(most);
    let mut found = NamedPapers { is_cut, ..NamedPapers::default() };
    for (id, name) in under {
        if (name.len(), &found.name) > (found.name.len(), &name) {
            found.name = name;
        }
        let id = CitedId(id);
        found.papers.extend(paper(cells, id)?.map(|paper| (id, paper)));
    }
    found.papers.sort_by_key(|(id, paper)| (usize::MAX - paper.cited_by.len(), *id));
    Ok(Some(found))
}

/// The graph of all papers, for programs of others.
///
/// # Errors
/// When the cells cannot be read.
pub fn graph(cells: &Cells, only_held: bool) -> Result<CitationGraph, StoreError> {
    graph_without(cells, only_held, &HashSet::new())
}

/// As [`graph`], without papers all of whose documents are private and works that only those cite; and how many papers
/// were left out.
///
/// # Errors
/// When the cells cannot be read.
pub fn public_graph(cells: &Cells, only_held: bool) -> Result<(CitationGraph, usize), StoreError> {
    let mut hidden = HashSet::new();
    for paper in cells.all(&CITED) {
        let (id, CitedPaper { documents, .. }) = paper?;
        if !documents.is_empty() && all_private(cells, &documents)? {
            hidden.insert(CitedId(id.0));
        }
    }
    Ok((graph_without(cells, only_held, &hidden)?, hidden.len()))
}

fn all_private(cells: &Cells, documents: &[UrlId]) -> Result<bool, StoreError> {
    for document in documents {
        if cells.get(&PRIVATE, *document)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The graph without these papers and what only they cite.
fn graph_without(
    cells: &Cells,
    only_held: bool,
    hidden: &HashSet<CitedId>,
) -> Result<CitationGraph, StoreError> {
    let (mut entries, mut edges) = (Vec::new(), Vec::new());
    for paper in cells.all(&CITED) {
        let (id, CitedPaper { fields, documents, references, cited_by, .. }) = paper?;
        let (id, is_held) = (CitedId(id.0), !documents.is_empty());
        let is_known_by_hidden =
            !cited_by.is_empty() && cited_by.iter().all(|citing| hidden.contains(citing));
        let is_hidden = if is_held { hidden.contains(&id) } else { is_known_by_hidden };
        if is_hidden || only_held && !is_held {
            continue;
        }
        edges.extend(references.into_iter().map(|cited| CitationEdge { citing: id, cited }));
        entries.push(PaperEntry { id, fields, is_held });
    }
    Ok(CitationGraph::new(entries, &edges))
}
