//! The collection's folder: captures, ledger, documents, cells. Knows layout and crash safety,
//! nothing about meaning.

pub mod archive;
pub mod captures;
mod cdxj;
pub mod cells;
pub mod check;
pub mod collection;
pub mod disk;
pub mod documents;
pub mod error;
pub mod ledger;
mod log;
mod missing;
mod reader;
pub mod reason;
mod rebuild;
pub mod sieve;
mod space;
pub mod surt;
mod tail;
mod underway;
pub mod warc;

pub use archive::Archive;
pub use captures::{Captures, CapturesView, Place};
pub use cells::{
    Cell, CellBatch, Cells, CellsWriter, Column, ColumnGroup, ColumnKind, ColumnSize, Declaration,
    GroupCell, Single,
};
pub use check::{Checkup, Flaw};
pub use collection::{Collection, Round};
pub use documents::{Documents, DocumentsView, MadePage, StoredLink};
pub use error::StoreError;
pub use ledger::{
    FedText, FeedVisits, HostRow, Known, Ledger, LedgerView, Listed, MOST_VISITS, PlacedRow,
    RenderCause, RenderEnd, Rendering, RobotsCopy, Row, RowKind, Visit,
};
pub use log::Position;
pub use missing::{CheckDepth, MissingCaptures};
pub use reader::{Reader, View, index_dir};
pub use reason::Reason;
pub use sieve::{Sieve, SieveOptions};
pub use tail::{Rest, Spot};
pub use underway::{ReadingPlace, Underway};
pub use warc::{
    CaptureOrigin, Packed, Packer, RevisitProfile, WarcRecord, WarcRecords, payload_digest,
};
