//! The collection's folder: captures, ledger, documents, columns. Knows layout and crash safety,
//! nothing about meaning.

pub mod archive;
pub mod captures;
mod cdxj;
pub mod collection;
pub mod documents;
pub mod error;
pub mod ledger;
pub mod reason;
mod space;
pub mod surt;
mod table;
pub mod warc;

pub use archive::Archive;
pub use captures::{Captures, Place};
pub use collection::{Collection, Round, index_dir};
pub use documents::{Documents, StoredLink};
pub use error::StoreError;
pub use ledger::{HostRow, Ledger, RobotsCopy, Row};
pub use reason::Reason;
pub use warc::{Record, Records};
