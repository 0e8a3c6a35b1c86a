//! In what ways figures of size err (001 "Advantages & disadvantages" of each method), and which of them a
//! correction takes away.

/// A way to err.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeBias {
    /// Long pages answer more queries, so they are drawn more often.
    Query,
    /// Of an answer that is cut, only what ranks high can be drawn.
    Ranking,
    /// A page under another address (slash, redirect, parameter) is taken for missing.
    Address,
    /// A near-copy that the engine keeps in its place is taken for missing.
    Copies,
    /// The engine holds only the first words of a page, and the eight rare ones stand behind them.
    Restriction,
    /// Pages with few words of the lexicon are never drawn.
    Poor,
    /// What is drawn depends on whose log the searches come from.
    Source,
    /// A mean of ratios is above the ratio of the means, and queries without hits have none.
    MeanOfRatios,
    /// Pages that many link to are visited more often.
    Degree,
    /// Pages that no link leads to from the start are never visited.
    Unlinked,
    /// The walk may not be long enough.
    Convergence,
    /// Servers have very unequal numbers of pages, and most have few.
    PowerLaw,
    /// Servers share addresses, refuse, or are not always there.
    Sharing,
    /// Both engines prefer the same pages.
    Dependence,
    /// Engines may sabotage queries of programs, time out, or change meanwhile.
    Operation,
}

impl SizeBias {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SizeBias::Query => "query bias",
            SizeBias::Ranking => "ranking bias",
            SizeBias::Address => "checking bias: addresses",
            SizeBias::Copies => "checking bias: near-copies",
            SizeBias::Restriction => "document restriction",
            SizeBias::Poor => "poor pages",
            SizeBias::Source => "source of the searches",
            SizeBias::MeanOfRatios => "mean of ratios",
            SizeBias::Degree => "degree",
            SizeBias::Unlinked => "unlinked pages",
            SizeBias::Convergence => "convergence",
            SizeBias::PowerLaw => "power law of servers",
            SizeBias::Sharing => "shared and closed addresses",
            SizeBias::Dependence => "dependence",
            SizeBias::Operation => "operation",
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub fn explain(self) -> &'static str {
        match self {
            SizeBias::Query => {
                "pages with many words in the language of the lexicon answer more queries and are drawn \
                 more often; an engine that prefers such pages looks larger"
            }
            SizeBias::Ranking => {
                "of an answer that is cut only high ranks are drawn; an engine that prefers such pages \
                 looks larger"
            }
            SizeBias::Address => {
                "a page under another form of its address, or behind a redirect, looks missing; the \
                 engine that was asked for it looks smaller"
            }
            SizeBias::Copies => {
                "a page of which the other engine keeps a near-copy looks missing; that engine looks \
                 smaller"
            }
            SizeBias::Restriction => {
                "an engine that indexes only the first words of a page, or takes only short queries, \
                 does not find eight rare words of the whole; it looks smaller"
            }
            SizeBias::Poor => {
                "pages with few words (pictures, frames, other languages) are never drawn: the figure \
                 is of the others"
            }
            SizeBias::Source => "the figure is of pages that people of that log look for",
            SizeBias::MeanOfRatios => {
                "a mean of ratios lies above the ratio of the sums, and queries without hits in one \
                 engine have no ratio"
            }
            SizeBias::Degree => {
                "pages that many link to are visited more often; an engine that crawls these first \
                 looks larger"
            }
            SizeBias::Unlinked => "pages that no chain of links leads to are never visited",
            SizeBias::Convergence => {
                "how long a walk must be is not known; walks from different starts that disagree show \
                 that it was too short"
            }
            SizeBias::PowerLaw => {
                "most servers have few pages and few have most: a mean over servers is of small sites, \
                 and a sample without the largest is too low"
            }
            SizeBias::Sharing => {
                "hosts that share an address, servers that refuse, and pages not linked from the root \
                 are not counted"
            }
            SizeBias::Dependence => {
                "engines that take the same pages first share more than chance gives: the number of \
                 all pages comes out too small"
            }
            SizeBias::Operation => {
                "time-outs, quotas, answers that change and engines that treat programs in another way \
                 show up as missing pages"
            }
        }
    }
}
