//! The collection's folder: captures, ledger, documents, columns. Knows layout and crash safety,
//! nothing about meaning.

mod anchors;
pub mod archive;
pub mod captures;
mod cdxj;
pub mod collection;
mod columns;
pub mod documents;
pub mod error;
pub mod ledger;
mod log;
pub mod reason;
pub mod sieve;
mod space;
pub mod surt;
mod tail;
pub mod warc;

pub use archive::Archive;
pub use captures::{Captures, Place};
pub use collection::{Collection, Round, index_dir};
pub use documents::{Documents, StoredLink};
pub use error::StoreError;
pub use ledger::{HostRow, Known, Ledger, Listed, MOST_VISITS, RobotsCopy, Row, RowKind, Visit};
pub use log::Position;
pub use reason::Reason;
pub use sieve::{Sieve, SieveOptions};
pub use tail::Rest;
pub use warc::{Packed, Packer, Record, Records};
