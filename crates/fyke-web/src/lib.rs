//! Bytes to documents: URLs, robots, charsets, formats, noise removal. Pure: no I/O, no clock, no
//! log. A page changes its type when it changes its state: [`Capture`] → [`Page`] → [`Document`].
//! Parsing never fails: trouble becomes a [`Note`] on the page.

pub mod capture;
pub mod charset;
mod copy;
pub mod document;
mod fingerprint;
pub mod formats;
mod html;
mod metadata;
pub mod opensearch;
pub mod page;
mod refine;
mod rights;
pub mod robots;
pub mod sitemap;
pub mod url;

pub use capture::{Capture, DOCNO, is_docno};
pub use copy::copy;
pub use document::{Document, refine, refine_by};
pub use fingerprint::fingerprint;
pub use fyke_text::Fingerprint;
pub use page::{
    Link, Neighbourhood, Neighbourhoods, Note, Page, Seen, parse, parse_bare, parse_seen,
    parse_with_fingerprint, parse_with_neighbourhoods,
};
pub use refine::{
    Block, Blocks, FEATURES, Genre, Kind, REFINERS, Refiner, blocks, choose, features, genre,
    slope_curve, stretches,
};
pub use rights::Rights;
pub use robots::Robots;
pub use url::{Url, UrlError, UrlId};
