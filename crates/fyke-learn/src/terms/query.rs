//! A query as 004 has it: terms that must stand in a document, and terms that must not.

/// Terms by their numbers, in ascending order: the same query has one form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermQuery {
    include: Vec<u32>,
    exclude: Vec<u32>,
}

impl TermQuery {
    /// What is included is not excluded, too.
    #[must_use]
    pub fn new(mut include: Vec<u32>, mut exclude: Vec<u32>) -> TermQuery {
        for terms in [&mut include, &mut exclude] {
            terms.sort_unstable();
            terms.dedup();
        }
        exclude.retain(|term| include.binary_search(term).is_err());
        TermQuery { include, exclude }
    }

    #[must_use]
    pub fn include(&self) -> &[u32] {
        &self.include
    }

    #[must_use]
    pub fn exclude(&self) -> &[u32] {
        &self.exclude
    }
}
