//! A paper as pages, API and commands show it: its fields and where it is; and whole, with what it refers to and what
//! cites it.

use anyhow::Result;
use fyke_derive::asked::papers::{self as asked, PaperForm};
use fyke_derive::page::papers::{JudgedPaper, PAPERS};
pub use fyke_derive::whole::citations::NameKind;
use fyke_derive::whole::citations::{self, CitedPaper, PaperFigures};
use fyke_index::Fragment;
use fyke_papers::graph::{CitationGraph, PaperEntry};
use fyke_papers::matching::CitedId;
use fyke_papers::slug;
use fyke_store::View;
use fyke_web::UrlId;
use serde::Serialize;

/// Documents of a paper that are told.
const MOST_DOCUMENTS: usize = 20;
/// Papers that are told beside one.
const MOST_BESIDE: usize = 10;

/// A name with the key of its page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NamedKey {
    pub key: String,
    pub name: String,
}

/// Where the text of a paper is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PaperDocument {
    pub key: String,
    pub url: String,
}

/// A paper in short.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PaperSummary {
    pub key: String,
    pub title: String,
    pub authors: Vec<NamedKey>,
    pub year: Option<u16>,
    pub venue: Option<NamedKey>,
    /// Papers that cite it, and papers that it cites.
    pub cited_by: usize,
    pub references: usize,
    #[serde(rename = "abstract", skip_serializing_if = "String::is_empty")]
    pub abstract_text: String,
    /// Where its text is; none where it is only cited.
    pub documents: Vec<PaperDocument>,
    /// What of it a search found.
    #[serde(skip)]
    pub snippet: Vec<Fragment>,
}

/// The key of a paper: that of its first document, which stays; else its own.
#[must_use]
pub fn paper_key(id: CitedId, paper: &CitedPaper) -> String {
    paper.documents.first().map_or_else(|| citations::key(id), |document| document_key(*document))
}

fn document_key(id: UrlId) -> String {
    format!("{:016x}", id.0)
}

/// A paper that was found.
struct FoundPaper {
    id: CitedId,
    paper: CitedPaper,
}

/// The paper of a key: its own, or that of a document.
fn of_key(view: &View, key: &str) -> Result<Option<FoundPaper>> {
    if let Some(id) = citations::of_key(key) {
        let paper = asked::paper(&view.cells(), id)?;
        return Ok(paper.map(|paper| FoundPaper { id, paper }));
    }
    let is_key = key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let Some(id) = u64::from_str_radix(key, 16).ok().filter(|_| is_key) else { return Ok(None) };
    find(view, UrlId(id))
}

/// The paper that a document is. One that came since references were grouped, or is a copy, stands for itself.
fn find(view: &View, document: UrlId) -> Result<Option<FoundPaper>> {
    let cells = view.cells();
    if let Some(id) = asked::of_document(&cells, document)?
        && let Some(paper) = asked::paper(&cells, id)?
    {
        return Ok(Some(FoundPaper { id, paper }));
    }
    let judged = cells.get(&PAPERS, document)?.filter(|judged| judged.verdict.is_paper);
    Ok(judged.map(|judged| {
        let fields = judged.header.citation();
        let paper = CitedPaper { fields, documents: vec![document], ..CitedPaper::default() };
        FoundPaper { id: CitedId(document.0), paper }
    }))
}

/// A way in which references name a paper, with its key.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenPaper {
    pub key: String,
    pub references: usize,
    pub text: String,
}

/// The ways in which references name the paper of a key; none where there is no such paper.
///
/// # Errors
/// When the collection cannot be read.
pub fn forms(view: &View, key: &str) -> Result<Option<Vec<WrittenPaper>>> {
    let Some(FoundPaper { id, paper }) = of_key(view, key)? else { return Ok(None) };
    let forms = asked::forms(&view.cells(), id, &paper)?.into_iter();
    let written = forms.map(|PaperForm { form, text, references }| WrittenPaper {
        key: citations::form_key(form),
        references,
        text,
    });
    Ok(Some(written.collect()))
}

/// The paper of a number in short.
///
/// # Errors
/// When the collection cannot be read, as in all of these.
pub fn summary(view: &View, id: CitedId) -> Result<Option<PaperSummary>> {
    let paper = asked::paper(&view.cells(), id)?;
    paper.map(|paper| of_paper(view, id, &paper)).transpose()
}

/// The paper that a document is.
pub(super) fn of_document(view: &View, document: UrlId) -> Result<Option<PaperSummary>> {
    let found = find(view, document)?;
    found.map(|FoundPaper { id, paper }| of_paper(view, id, &paper)).transpose()
}

fn of_paper(view: &View, id: CitedId, paper: &CitedPaper) -> Result<PaperSummary> {
    let abstract_text = judged(view, paper)?.header.abstract_text;
    Ok(PaperSummary { abstract_text, ..brief(view, id, paper)? })
}

/// The same without its abstract.
fn brief(view: &View, id: CitedId, paper: &CitedPaper) -> Result<PaperSummary> {
    let mut documents = Vec::new();
    for document in paper.documents.iter().take(MOST_DOCUMENTS) {
        let url = view.ledger.get(*document)?.map(|row| row.url).unwrap_or_default();
        documents.push(PaperDocument { key: document_key(*document), url });
    }
    let fields = &paper.fields;
    let authors = paper.authors().into_iter();
    let authors =
        authors.map(|name| NamedKey { key: slug::person(&name), name: name.full() }).collect();
    let venue = NamedKey { key: slug::venue(&fields.venue), name: fields.venue.clone() };
    let url = || documents.first().map(|document| document.url.clone()).unwrap_or_default();
    let title = if fields.title.is_empty() { url() } else { fields.title.clone() };
    Ok(PaperSummary {
        key: paper_key(id, paper),
        title,
        authors,
        year: fields.year(),
        venue: (!venue.key.is_empty()).then_some(venue),
        cited_by: paper.cited_by.len(),
        references: paper.references.len(),
        abstract_text: String::new(),
        documents,
        snippet: Vec::new(),
    })
}

/// What was found of the first document of a paper.
fn judged(view: &View, paper: &CitedPaper) -> Result<JudgedPaper> {
    let Some(document) = paper.documents.first() else { return Ok(JudgedPaper::default()) };
    Ok(view.cells().get(&PAPERS, *document)?.unwrap_or_default())
}

/// A reference of a paper.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PaperReferenceLine {
    /// As the text cites it; may be empty.
    pub mark: String,
    /// As it is written.
    pub text: String,
    /// The paper that it names, if it names one.
    pub paper: Option<PaperSummary>,
    /// The sentences that cite it.
    pub sentences: Vec<String>,
}

/// A paper that has to do with another.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PaperBesideLine {
    #[serde(flatten)]
    pub paper: PaperSummary,
    /// The sentences in which it cites the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<String>,
    /// Papers that cite both, or that both cite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

/// A paper with all around it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct WholePaper {
    #[serde(flatten)]
    pub summary: PaperSummary,
    /// Of one that is held: what speaks for a paper, what was not found, and the other fields of its header.
    pub evidence: Vec<String>,
    pub score: Option<f32>,
    pub notes: Vec<String>,
    pub affiliations: Vec<String>,
    pub emails: Vec<String>,
    pub keywords: Vec<String>,
    /// PageRank over citations; the mean is 1.
    pub rank: f64,
    pub listed: Vec<PaperReferenceLine>,
    pub citing: Vec<PaperBesideLine>,
    pub co_cited: Vec<PaperBesideLine>,
    pub coupled: Vec<PaperBesideLine>,
}

/// The paper of a key with all around it, and so many of the papers that cite it from one on.
///
/// # Errors
/// When the collection cannot be read.
pub fn whole(view: &View, key: &str, (from, most): (usize, usize)) -> Result<Option<WholePaper>> {
    let cells = view.cells();
    let Some(FoundPaper { id, paper }) = of_key(view, key)? else { return Ok(None) };
    let judged = judged(view, &paper)?;
    let mut listed = Vec::new();
    let references = paper.documents.first().map(|first| asked::references(&cells, *first));
    for named in references.transpose()?.unwrap_or_default() {
        let cited = named.paper.zip(named.cited);
        let cited = cited.map(|(id, cited)| brief(view, id, &cited)).transpose()?;
        let (mark, text) = (named.reference.mark, named.reference.text);
        listed.push(PaperReferenceLine { mark, text, paper: cited, sentences: named.sentences });
    }
    let mut citing = Vec::new();
    for found in asked::citing(&cells, (id, &paper), (from, most))? {
        let sentences = found.sentences;
        let paper = brief(view, found.id, &found.paper)?;
        citing.push(PaperBesideLine { paper, sentences, times: None });
    }
    let beside = |found: Vec<asked::PaperBeside>| -> Result<Vec<PaperBesideLine>> {
        let line = |found: asked::PaperBeside| {
            let paper = brief(view, found.id, &found.paper)?;
            Ok(PaperBesideLine { paper, sentences: Vec::new(), times: Some(found.times) })
        };
        found.into_iter().map(line).collect()
    };
    Ok(Some(WholePaper {
        summary: of_paper(view, id, &paper)?,
        score: (!paper.documents.is_empty()).then_some(judged.verdict.score),
        evidence: judged.verdict.evidence,
        notes: judged.notes,
        affiliations: judged.header.affiliations,
        emails: judged.header.emails,
        keywords: judged.header.keywords,
        rank: paper.rank,
        listed,
        citing,
        co_cited: beside(asked::co_cited(&cells, (id, &paper), MOST_BESIDE)?)?,
        coupled: beside(asked::coupled(&cells, (id, &paper), MOST_BESIDE)?)?,
    }))
}

/// The papers of an author or venue, those that are cited most first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NamedPaperList {
    pub name: String,
    pub papers: Vec<PaperSummary>,
    /// There are more.
    pub is_cut: bool,
}

/// The papers under a key; none where it is not known.
///
/// # Errors
/// When the collection cannot be read.
pub fn named(
    view: &View,
    kind: NameKind,
    key: &str,
    most: usize,
) -> Result<Option<NamedPaperList>> {
    let Some(found) = asked::named(&view.cells(), kind, key, most)? else { return Ok(None) };
    let papers = found.papers.iter().map(|(id, paper)| brief(view, *id, paper));
    let papers = papers.collect::<Result<_>>()?;
    Ok(Some(NamedPaperList { name: found.name, papers, is_cut: found.is_cut }))
}

/// Papers in figures; none where none is held.
///
/// # Errors
/// When the collection cannot be read.
pub fn figures(view: &View) -> Result<Option<PaperFigures>> {
    Ok(citations::last(&view.cells())?)
}

/// The graph of all papers, or of those that are held.
///
/// # Errors
/// When the collection cannot be read.
pub fn graph(view: &View, only_held: bool) -> Result<CitationGraph> {
    Ok(asked::graph(&view.cells(), only_held)?)
}

/// The graph of one paper, to be written in the formats of other programs.
///
/// # Errors
/// When the collection cannot be read.
pub fn one_paper_graph(view: &View, key: &str) -> Result<Option<CitationGraph>> {
    let Some(FoundPaper { id, paper }) = of_key(view, key)? else { return Ok(None) };
    let entry = PaperEntry { id, fields: paper.fields, is_held: !paper.documents.is_empty() };
    Ok(Some(CitationGraph::new(vec![entry], &[])))
}
