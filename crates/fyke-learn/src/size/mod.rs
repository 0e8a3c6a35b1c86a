//! How large search engines are, seen from outside (001 "Size of the web"): each method is a row of
//! [`METHODS`] that makes a figure with its intervals from what was drawn, and names the ways in which it
//! errs. Nothing is asked here; who asks fills a [`SizeEvidence`].

mod addresses;
mod bias;
mod evidence;
mod interval;
mod overlap;
mod pool;
mod searches;
mod walk;
mod web;

pub use addresses::{AddressShares, address_shares, servers_in_all};
pub use bias::SizeBias;
pub use evidence::{
    AddressFound, DrawnPage, DrawnQuery, EngineSide, Presence, SearchCounts, ServerPages,
    SizeEvidence, WalkedPage,
};
pub use interval::{PowerProduct, SampledRows, share_interval};
pub use overlap::{overlap, relative_size, share_in_other};

use crate::capture::NoEstimate;

/// What a figure is a figure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeQuantity {
    /// |A| / |B|.
    Ratio,
    /// Pages of the first engine.
    First,
    /// Pages of the second engine.
    Second,
    /// Pages that there are in all.
    Web,
}

impl SizeQuantity {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SizeQuantity::Ratio => "|A|/|B|",
            SizeQuantity::First => "|A|",
            SizeQuantity::Second => "|B|",
            SizeQuantity::Web => "all pages",
        }
    }
}

/// A method.
#[derive(Debug)]
pub struct SizeMethod {
    pub name: &'static str,
    pub what: &'static str,
    pub quantity: SizeQuantity,
    /// Whether it is shown only so that its error can be seen: what corrects it is another row.
    pub is_raw: bool,
    /// In what ways it errs.
    pub biases: &'static [SizeBias],
    pub estimate: fn(&SizeEvidence) -> Result<SizeFigure, NoSize>,
}

/// The methods, as they stand in reports.
pub const METHODS: &[SizeMethod] = &[
    overlap::RAW,
    overlap::CORRECTED,
    pool::RATIO,
    searches::RAW,
    searches::CORRECTED,
    walk::RAW,
    walk::CORRECTED,
    addresses::RAW,
    addresses::CORRECTED,
    pool::FIRST,
    pool::SECOND,
    addresses::WEB,
    web::CHAPMAN,
];

/// A figure; the truth lies within the intervals in 95 of 100 cases, as far as the method holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeFigure {
    pub value: f64,
    /// By the delta method, or the method's own formula.
    pub interval: (f64, f64),
    /// By drawing queries (walks, servers) again with replacement; none where the method has no queries.
    pub bootstrap: Option<(f64, f64)>,
    /// How many queries, walks or servers it rests on.
    pub number: usize,
}

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSize {
    /// Nothing was drawn by this method.
    NotAsked,
    /// So few were drawn that chance decides.
    FewDrawn,
    /// No page of one engine was found in the other.
    NothingShared,
    /// The number of pages of one engine must be known for it.
    SizeUnknown,
    /// What stands in two samples says too little.
    Capture(NoEstimate),
    /// Pages that one engine has are in the other more often, the longer or the higher they stand: both
    /// take the same ones first.
    Dependent,
}

impl NoSize {
    /// The reason as half a sentence.
    #[must_use]
    pub fn explain(self) -> &'static str {
        match self {
            NoSize::NotAsked => "nothing was drawn for it",
            NoSize::FewDrawn => "too little was drawn",
            NoSize::NothingShared => "no page of one engine was found in the other",
            NoSize::SizeUnknown => "the number of pages of neither engine is known",
            NoSize::Capture(why) => why.explain(),
            NoSize::Dependent => {
                "one engine holds nearly all of the other, or both take the same pages first (long ones, \
                 those near the root, those of small sites): they are no independent samples"
            }
        }
    }
}

/// The method of a name.
#[must_use]
pub fn method(name: &str) -> Option<&'static SizeMethod> {
    METHODS.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_says_what_it_is_and_names_its_errors() {
        for (nth, row) in METHODS.iter().enumerate() {
            assert!(METHODS[..nth].iter().all(|other| other.name != row.name), "{}", row.name);
            assert!(row.what.len() > 20 && !row.biases.is_empty(), "{}", row.name);
            let nothing = (row.estimate)(&SizeEvidence::default());
            assert!(nothing.is_err_and(|why| why.explain().len() > 15), "{}", row.name);
            assert_eq!(method(row.name).map(|row| row.what), Some(row.what));
        }
    }
}
