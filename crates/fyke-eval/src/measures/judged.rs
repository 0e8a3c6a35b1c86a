//! A ranking as its judges see it. What was not judged is kept apart from what was found not
//! relevant: most measures take it for not relevant, but bpref and infAP do not, and the share of it
//! says how far the figures can be trusted.

/// In a ranking: not in the pool of judged documents.
pub const UNJUDGED: i32 = -1;
/// In a ranking: in the pool, but left out of the sample that was judged.
pub const POOLED: i32 = -2;

/// A ranking with the judgements of its query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Grades of the retrieved documents, best rank first; below 0 for those without.
    pub(super) grades: Vec<i32>,
    /// How many documents were judged with each grade, lowest first; no grade is below 0.
    pub(super) levels: Vec<(i32, usize)>,
    /// A document is relevant from this grade.
    level: i32,
    /// How many documents there are, if that is known.
    pub(super) collection: Option<usize>,
    /// Near-copies, if they are known.
    pub(super) copies: Option<Copies>,
    /// Ranks, from 1, and grades of the retrieved documents that were judged: few of many, so that
    /// measures that look at nothing else are quick.
    pub(super) seen: Vec<(usize, i32)>,
    /// Ranks, from 1, of the relevant documents.
    hits: Vec<usize>,
    relevant: usize,
}

/// Groups of near-copies; 0 is a document without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Groups of the retrieved documents, best rank first.
    pub ranking: Vec<u32>,
    /// Grades and groups of the judged documents.
    pub judged: Vec<(i32, u32)>,
}

impl Judged {
    /// A ranking with its judgements: the grade of each retrieved document ([`UNJUDGED`] or
    /// [`POOLED`] where it has none), and those of all judged documents. Relevant is what has a
    /// grade above 0.
    #[must_use]
    pub fn new(ranking: Vec<i32>, judged: impl IntoIterator<Item = i32>) -> Judged {
        let mut found = Judged { level: 1, ..Judged::default() };
        found.refill(ranking.into_iter(), judged);
        found.set_level(1);
        found
    }

    /// Takes up another query, with the same memory: `grades` as in [`Judged::new`].
    pub(crate) fn refill(
        &mut self,
        ranking: impl Iterator<Item = i32>,
        judged: impl IntoIterator<Item = i32>,
    ) {
        self.grades.clear();
        self.grades.extend(ranking);
        self.seen.clear();
        let ranked = (1..).zip(&self.grades).filter(|&(_, &grade)| grade >= 0);
        self.seen.extend(ranked.map(|(rank, &grade)| (rank, grade)));
        self.levels.clear();
        self.count(judged);
    }

    fn count(&mut self, judged: impl IntoIterator<Item = i32>) {
        for grade in judged.into_iter().filter(|&grade| grade >= 0) {
            match self.levels.iter_mut().find(|(known, _)| *known == grade) {
                Some((_, count)) => *count += 1,
                None => self.levels.push((grade, 1)),
            }
        }
        self.levels.sort_unstable();
    }

    /// Says from which grade a document is relevant.
    pub(crate) fn set_level(&mut self, level: i32) {
        self.level = level;
        self.hits.clear();
        self.hits.extend(self.seen.iter().filter(|(_, grade)| *grade >= level).map(|seen| seen.0));
        let relevant = self.levels.iter().filter(|(grade, _)| *grade >= level);
        self.relevant = relevant.map(|(_, count)| count).sum();
    }

    /// Says how many documents there are.
    #[must_use]
    pub(crate) fn with_collection(self, documents: Option<usize>) -> Judged {
        Judged { collection: documents, ..self }
    }

    /// Says which documents are near-copies.
    pub(crate) fn set_copies(&mut self, copies: Option<Copies>) {
        self.copies = copies;
    }

    /// The grades of the ranking, best rank first.
    #[must_use]
    pub fn grades(&self) -> &[i32] {
        &self.grades
    }

    /// How many documents were retrieved.
    pub(super) fn retrieved(&self) -> usize {
        self.grades.len()
    }

    /// How many documents are relevant.
    pub(super) fn relevant(&self) -> usize {
        self.relevant
    }

    /// How many of the first `cut` documents are relevant.
    pub(super) fn hits(&self, cut: usize) -> usize {
        self.hits.partition_point(|&rank| rank <= cut)
    }

    /// Ranks, from 1, of the relevant documents.
    pub(super) fn ranks(&self) -> &[usize] {
        &self.hits
    }

    /// How many documents were judged and found not relevant.
    pub(super) fn nonrelevant(&self) -> usize {
        self.levels.iter().map(|(_, count)| count).sum::<usize>() - self.relevant
    }

    pub(super) fn is_relevant(&self, grade: i32) -> bool {
        grade >= self.level.max(0)
    }

    /// How many of the first `cut` documents were not judged.
    pub(super) fn unjudged(&self, cut: usize) -> usize {
        self.grades.iter().take(cut).filter(|&&grade| grade < 0).count()
    }
}
