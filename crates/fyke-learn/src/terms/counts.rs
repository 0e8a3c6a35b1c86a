//! How often terms occur in the relevant documents and in the others (004 §3.2), kept up to date
//! document by document.

use super::cells::TermCells;

/// The side that a document belongs to; inclusion terms are taken of the relevant ones, exclusion terms
/// of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentSide {
    Relevant,
    Other,
}

impl DocumentSide {
    #[must_use]
    pub fn swapped(self) -> DocumentSide {
        match self {
            DocumentSide::Relevant => DocumentSide::Other,
            DocumentSide::Other => DocumentSide::Relevant,
        }
    }
}

/// A term of a document with how often it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermCount {
    pub term: u32,
    pub count: u32,
}

/// Of a term on one side: documents with it, and how often it stands in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermUse {
    pub documents: u32,
    pub count: u32,
}

#[derive(Clone, Debug, Default)]
struct SideCounts {
    documents: u32,
    uses: Vec<TermUse>,
    /// Terms in the order in which they came.
    terms: Vec<u32>,
    by_count: TermCells<u32>,
}

/// The counts of both sides.
#[derive(Clone, Debug, Default)]
pub struct TermCounts {
    sides: [SideCounts; 2],
    /// Terms by the number of relevant and of other documents that have them.
    by_documents: TermCells<(u32, u32)>,
    /// Relevant terms there were before the first query.
    seeds: usize,
}

impl TermCounts {
    fn side(&self, side: DocumentSide) -> &SideCounts {
        &self.sides[usize::from(side == DocumentSide::Other)]
    }

    /// Adds a document. Each of its terms stands in `terms` once.
    pub fn add(&mut self, side: DocumentSide, terms: &[TermCount]) {
        let counts = &mut self.sides[usize::from(side == DocumentSide::Other)];
        counts.documents += 1;
        for &TermCount { term, count } in terms.iter().filter(|term| term.count > 0) {
            if counts.uses.len() <= term as usize {
                counts.uses.resize(term as usize + 1, TermUse::default());
            }
            let uses = &mut counts.uses[term as usize];
            if uses.documents == 0 {
                counts.terms.push(term);
            }
            uses.documents += 1;
            uses.count = uses.count.saturating_add(count);
            counts.by_count.put(term, uses.count);
        }
        for term in terms.iter().filter(|term| term.count > 0) {
            let of = |side| self.uses(side, term.term).documents;
            let key = (of(DocumentSide::Relevant), of(DocumentSide::Other));
            self.by_documents.put(term.term, key);
        }
    }

    /// From now on the relevant terms known so far are the seeds.
    pub(crate) fn set_seeds(&mut self) {
        self.seeds = self.side(DocumentSide::Relevant).terms.len();
    }

    /// Documents on a side.
    #[must_use]
    pub fn documents(&self, side: DocumentSide) -> u32 {
        self.side(side).documents
    }

    #[must_use]
    pub fn uses(&self, side: DocumentSide, term: u32) -> TermUse {
        self.side(side).uses.get(term as usize).copied().unwrap_or_default()
    }

    /// The different terms of a side, in the order in which they came.
    #[must_use]
    pub fn terms(&self, side: DocumentSide) -> &[u32] {
        &self.side(side).terms
    }

    /// Those of the relevant terms that were there at the start.
    #[must_use]
    pub fn seeds(&self) -> &[u32] {
        let terms = self.terms(DocumentSide::Relevant);
        &terms[..self.seeds.min(terms.len())]
    }

    /// Terms of a side by how often they occur.
    #[must_use]
    pub(crate) fn by_count(&self, side: DocumentSide) -> &TermCells<u32> {
        &self.side(side).by_count
    }

    /// Terms by the documents, relevant and other, that have them.
    #[must_use]
    pub(crate) fn by_documents(&self) -> &TermCells<(u32, u32)> {
        &self.by_documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_follow_the_documents() {
        let mut counts = TermCounts::default();
        let terms = |terms: &[(u32, u32)]| -> Vec<TermCount> {
            terms.iter().map(|&(term, count)| TermCount { term, count }).collect()
        };
        counts.add(DocumentSide::Relevant, &terms(&[(4, 2), (1, 1)]));
        counts.set_seeds();
        counts.add(DocumentSide::Relevant, &terms(&[(4, 3), (9, 0)]));
        counts.add(DocumentSide::Other, &terms(&[(4, 1)]));
        let check = |side, term, documents, count| {
            assert_eq!(counts.uses(side, term), TermUse { documents, count });
        };
        check(DocumentSide::Relevant, 4, 2, 5);
        check(DocumentSide::Relevant, 9, 0, 0);
        check(DocumentSide::Other, 4, 1, 1);
        assert_eq!(counts.terms(DocumentSide::Relevant), [4, 1]);
        assert_eq!(counts.seeds(), [4, 1]);
        assert_eq!(counts.by_documents().get((2, 1)), [4]);
        assert_eq!(counts.by_count(DocumentSide::Relevant).get(5), [4]);
        assert_eq!(counts.documents(DocumentSide::Relevant), 2);
    }
}
