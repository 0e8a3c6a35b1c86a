//! Citations: references of all papers grouped into the papers that they name, held or not; which documents are which
//! of them, who cites whom, what is cited most, and who wrote what and where (002 §1). A rank is PageRank over
//! citations times the number of papers, so that the mean is 1.

mod columns;
mod figures;

pub use columns::{CITED, CitedPaper, NAMED_PAPERS, NameKind, PLACES, PaperPlace, names_key};
pub use figures::{HELD_PAPERS, ListedPaper, NameFigures, PAPER_FIGURES, PaperFigures};

use super::WholeRun;
use super::twins::left_out;
use crate::facts::{DerivedFact, FoundFact};
use crate::page::papers::{PAPERS, PARTS};
use crate::table::{Derivation, Tier};
use columns::NamedEntries;
use fyke_index::{Fact, FactKind};
use fyke_papers::literature::{HeldPaper, Literature, PaperCorrections, PaperName};
use fyke_papers::matching::{Citation, CitedId};
use fyke_papers::reference::PaperReference;
use fyke_papers::slug;
use fyke_store::{Cells, StoreError};
use fyke_web::UrlId;
use std::collections::BTreeSet;
use std::thread::available_parallelism;

pub const ROW: Derivation = Derivation {
    name: "citations",
    what: "references grouped into the papers that they name, held or not, and who cites whom",
    code: 23,
    version: 1,
    reads: &[],
    late: &["papers", "reasons"],
    writes: &[
        PLACES.declaration(),
        CITED.declaration(),
        NAMED_PAPERS.declaration(),
        PAPER_FIGURES.declaration(),
        HELD_PAPERS.declaration(),
    ],
    facts: &[
        DerivedFact { fact: PAPER, value: label },
        DerivedFact { fact: YEAR, value: year },
        DerivedFact { fact: VENUE, value: venue },
        DerivedFact { fact: CITED_BY, value: cited_by },
        DerivedFact { fact: CITES, value: cites },
    ],
    settings: |settings| format!("{:?}", settings.papers),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

/// What people say of papers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownPapers {
    /// Documents that are none, whatever they look like.
    pub refused: BTreeSet<UrlId>,
    pub corrections: PaperCorrections,
}

const PAPER: Fact = Fact {
    name: "paper",
    what: "paper:yes finds the research papers, each once",
    filter: true,
    ..Fact::LABEL
};
const YEAR: Fact = Fact {
    name: "year",
    what: "the year in which a paper appeared: year:1994, year:1990..1999",
    filter: true,
    ..Fact::NUMBER
};
const VENUE: Fact = Fact {
    name: "venue",
    what: "the journal or conference of a paper, by the key of its page: venue:journal-tides",
    filter: true,
    ..Fact::LABEL
};
const CITED_BY: Fact = Fact {
    name: "cited",
    what: "how many papers of the collection cite a paper: cited:>5",
    filter: true,
    ..Fact::NUMBER
};
const CITES: Fact = Fact {
    name: "cites",
    kind: FactKind::Label,
    what: "the papers that a paper cites, by the keys of their pages",
    filter: true,
    ..Fact::LABEL
};

fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let literature = Literature::of(held(run)?, &run.settings.papers.corrections);
    let cited = |paper: CitedId| literature.graph.place(paper);
    let times = |paper: CitedId| {
        cited(paper).map_or(0, |place| literature.graph.cited_by(place).len() as u32)
    };
    let fields = |paper: CitedId| {
        cited(paper).map(|place| &literature.graph.entries()[place as usize].fields)
    };
    let places = literature.placed.iter().map(|placed| {
        let fields = fields(placed.paper);
        let place = PaperPlace {
            paper: placed.paper,
            references: placed.references.clone(),
            year: fields.and_then(Citation::year),
            venue: fields.map(|fields| slug::venue(&fields.venue)).unwrap_or_default(),
            cited: times(placed.paper),
        };
        Ok((UrlId(placed.document), place))
    });
    run.batch.replace(&PLACES, places)?;
    let threads = available_parallelism().map_or(1, usize::from);
    let ranks = literature.graph.ranks(threads);
    run.batch.replace(&CITED, columns::cited(&literature, &ranks))?;
    let named = NamedEntries::of(&literature);
    let figures = PaperFigures::of(&literature, &ranks, &named);
    run.batch.replace_group(&NAMED_PAPERS, named.cells())?;
    run.batch.set(&HELD_PAPERS, &figures.held)?;
    run.batch.set(&PAPER_FIGURES, &figures)
}

/// Every paper that is no copy and no page to be left out.
fn held(run: &mut WholeRun<'_>) -> Result<Vec<HeldPaper>, StoreError> {
    let mut out = left_out(run.cells)?;
    out.extend(&run.settings.papers.refused);
    let mut held = Vec::new();
    for judged in run.cells.all(&PAPERS) {
        let (id, judged) = judged?;
        if !judged.verdict.is_paper || out.contains(&id) {
            continue;
        }
        let parts = run.cells.get(&PARTS, id)?.unwrap_or_default();
        let references = parts.references.iter().map(PaperReference::citation).collect();
        held.push(HeldPaper { document: id.0, own: judged.header.citation(), references });
        if held.len().is_multiple_of(64) {
            (run.observe)(held.len() as u64, None);
        }
    }
    Ok(held)
}

fn place(cells: &Cells, id: UrlId) -> Result<Option<PaperPlace>, StoreError> {
    cells.get(&PLACES, id)
}

/// Of a paper that is there several times, the first document stands for it.
fn label(cells: &Cells, id: UrlId) -> Result<Option<FoundFact>, StoreError> {
    let Some(place) = place(cells, id)? else { return Ok(None) };
    let paper = cells.get(&CITED, UrlId(place.paper.0))?;
    let is_first = paper.is_some_and(|paper| paper.documents.first() == Some(&id));
    Ok(is_first.then(|| FoundFact::Labels("yes".to_owned())))
}

fn year(cells: &Cells, id: UrlId) -> Result<Option<FoundFact>, StoreError> {
    let year = place(cells, id)?.and_then(|place| place.year);
    Ok(year.map(|year| FoundFact::Number(f64::from(year))))
}

fn venue(cells: &Cells, id: UrlId) -> Result<Option<FoundFact>, StoreError> {
    let venue = place(cells, id)?.map(|place| place.venue);
    Ok(venue.filter(|venue| !venue.is_empty()).map(FoundFact::Labels))
}

fn cited_by(cells: &Cells, id: UrlId) -> Result<Option<FoundFact>, StoreError> {
    Ok(place(cells, id)?.map(|place| FoundFact::Number(f64::from(place.cited))))
}

fn cites(cells: &Cells, id: UrlId) -> Result<Option<FoundFact>, StoreError> {
    let Some(place) = place(cells, id)? else { return Ok(None) };
    let keys: Vec<String> = place.references.iter().flatten().map(|paper| key(*paper)).collect();
    Ok((!keys.is_empty()).then(|| FoundFact::Labels(keys.join("\n"))))
}

/// The key of a paper in addresses and queries.
#[must_use]
pub fn key(paper: CitedId) -> String {
    format!("p{:016x}", paper.0)
}

/// The paper of a key.
#[must_use]
pub fn of_key(key: &str) -> Option<CitedId> {
    let digits = key.strip_prefix('p').filter(|digits| digits.len() == 16)?;
    u64::from_str_radix(digits, 16).ok().map(CitedId)
}

/// The key of a way in which a paper is written in references.
#[must_use]
pub fn form_key(form: CitedId) -> String {
    format!("w{:016x}", form.0)
}

/// The way of writing of a key.
#[must_use]
pub fn of_form_key(key: &str) -> Option<CitedId> {
    let digits = key.strip_prefix('w').filter(|digits| digits.len() == 16)?;
    u64::from_str_radix(digits, 16).ok().map(CitedId)
}

/// How many papers are held.
///
/// # Errors
/// When it cannot be read.
pub fn count(cells: &Cells) -> Result<u64, StoreError> {
    Ok(cells.value(&HELD_PAPERS)?.unwrap_or(0))
}

/// The paper that a key names: its own, or that of a document.
#[must_use]
pub fn named_by(key: &str) -> Option<PaperName> {
    if let Some(id) = of_key(key) {
        return Some(PaperName::Paper(id));
    }
    let is_key = key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(key, 16).ok().filter(|_| is_key).map(PaperName::Document)
}

/// The figures as they were made last; none where no paper is held.
///
/// # Errors
/// When they cannot be read.
pub fn last(cells: &Cells) -> Result<Option<PaperFigures>, StoreError> {
    Ok(cells.value(&PAPER_FIGURES)?.filter(|figures| figures.held > 0))
}
