//! What was drawn from engines and the web, as numbers: what the methods work on.

use super::SizeBias;

/// Of two engines, which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineSide {
    First,
    Second,
}

impl EngineSide {
    pub const BOTH: [EngineSide; 2] = [EngineSide::First, EngineSide::Second];

    #[must_use]
    pub fn other(self) -> EngineSide {
        match self {
            EngineSide::First => EngineSide::Second,
            EngineSide::Second => EngineSide::First,
        }
    }

    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            EngineSide::First => "A",
            EngineSide::Second => "B",
        }
    }
}

/// How a page was found in an engine, by a query of rare words of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    #[default]
    Missing,
    /// Under the very address.
    Url,
    /// Under another form of the address, or the address that it leads to.
    Form,
    /// A near-copy stands in its place.
    Copy,
    /// Only by words from its beginning, in any of these ways.
    Part,
}

impl Presence {
    /// Whether the page counts as present, when some errors are left in.
    #[must_use]
    pub fn counts(self, left_in: &[SizeBias]) -> bool {
        match self {
            Presence::Missing => false,
            Presence::Url => true,
            Presence::Form => !left_in.contains(&SizeBias::Address),
            Presence::Copy => !left_in.contains(&SizeBias::Copies),
            Presence::Part => !left_in.contains(&SizeBias::Restriction),
        }
    }
}

/// A page that was drawn from an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnPage {
    /// The inverse of its chance to be drawn, up to a factor: 1 / Σ 1/|res(q)| over the queries of the
    /// lexicon that it answers.
    pub weight: f64,
    /// In the engine that it was drawn from, and in the other.
    pub home: Presence,
    pub other: Presence,
    /// How many words it has, how deep its address lies, and the number of its site: classes of pages that engines
    /// may prefer.
    pub length: u32,
    pub depth: u32,
    pub site: u64,
}

/// A query that was sent to draw a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawnQuery {
    /// More hits than can be had: only some of them could be drawn.
    pub is_cut: bool,
    /// None when nothing was found, or the page could not be had.
    pub page: Option<DrawnPage>,
}

/// How many hits a search had in each engine, that hold its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    pub first: u32,
    pub second: u32,
    pub both: u32,
}

/// A page that a random walk stood on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkedPage {
    /// Which walk.
    pub walk: u32,
    /// Ways out of it and into it that the walk could take.
    pub degree: u32,
    pub first: Presence,
    pub second: Presence,
}

/// What stands at an address that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFound {
    /// Nobody answers.
    Empty,
    /// Only with a password.
    Closed,
    /// Its robots.txt forbids it.
    Excluded,
    Server(ServerPages),
}

/// The pages of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerPages {
    pub pages: u32,
    /// Of these in each engine.
    pub first: u32,
    pub second: u32,
    /// Its home page names keywords or a description; and Dublin Core.
    pub has_meta: bool,
    pub has_dublin_core: bool,
    /// There were more pages than were looked at.
    pub is_cut: bool,
}

/// All that was drawn.
#[derive(Clone, Debug, Default)]
pub struct SizeEvidence {
    /// Queries sent to each engine.
    pub from_first: Vec<DrawnQuery>,
    pub from_second: Vec<DrawnQuery>,
    /// Queries that the lexicon can make.
    pub pool: f64,
    pub searches: Vec<SearchCounts>,
    pub walked: Vec<WalkedPage>,
    pub addresses: Vec<AddressFound>,
    /// Addresses that there are.
    pub space: f64,
    /// Pages of an engine, where they can be counted.
    pub known: [Option<u64>; 2],
    /// Of what is drawn again for intervals.
    pub seed: u64,
}

impl SizeEvidence {
    #[must_use]
    pub fn from(&self, side: EngineSide) -> &[DrawnQuery] {
        match side {
            EngineSide::First => &self.from_first,
            EngineSide::Second => &self.from_second,
        }
    }
}
