//! Pages to documents: URLs, robots, charsets, HTML, noise removal. Pure: no I/O, no clock, no log. A page changes its type when it changes its state: [`Capture`] → [`Page`] → [`Document`]; what a crawl
//! reads of it while it runs is a [`Skim`]. Formats other than HTML, XML and plain text are read in `fyke-formats`.
//! Parsing never fails: trouble becomes a [`Note`] on the page.

pub mod capture;
pub mod charset;
mod copy;
pub mod document;
pub mod escape;
pub mod extract;
pub mod feed;
mod fingerprint;
mod form;
pub mod html;
mod metadata;
pub mod opensearch;
pub mod opml;
pub mod page;
mod read;
mod refine;
mod rights;
pub mod robots;
mod scripted;
pub mod shape;
mod sight;
pub mod sitemap;
mod skim;
pub mod url;

pub use capture::{Capture, DOCNO, is_docno};
pub use copy::copy;
pub use document::{Document, refine, refine_by, refine_ruled};
pub use extract::{ExtractRule, ExtractRules};
pub use fingerprint::fingerprint;
pub use form::{FormField, FormFieldKind, HtmlForm, forms};
pub use fyke_text::Fingerprint;
pub use metadata::{
    CountedTitle, HostSample, HostTitles, OtherName, PageNames, TitleCounts, are_named_apart,
    is_spelled,
};
pub use page::{Link, Note, Page};
pub use read::{LinkKind, MOST_LINKS, OpenCapture, Outlink};
pub use refine::{
    Block, BlockKind, Blocks, FEATURES, Genre, REFINERS, Refiner, TextLink, TextLinks, WordShare,
    blocks, choose, features, genre, slope_curve, stretches, word_shares,
};
pub use rights::Rights;
pub use robots::{Robots, RobotsStatus};
pub use scripted::{MANY_WORDS, ScriptedPage, scripted};
pub use sight::{Unseen, VEILS, Veil, unseen};
pub use skim::{SeenSkim, Skim, SkimEvent, SkimSeer};
pub use url::{Url, UrlError, UrlId, authority_of, host_of};
