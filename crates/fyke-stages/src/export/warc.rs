//! WARC 1.1: the captures that the documents were made from, record by record as they stand in the
//! collection. A damaged one is skipped and reported.

use super::out::Out;
use super::{ExportFormat, ExportRecord, RecordWriter};
use fyke_store::{Packer, StoreError, View};
use std::io::{self, Write};

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "warc",
    extension: "warc.gz",
    is_packed: true,
    what: "the captures themselves, for archive tools",
    open,
};

struct WarcExport<'a> {
    out: Out,
    collection: &'a View,
    is_begun: bool,
}

fn open(out: Out, collection: &View) -> io::Result<Box<dyn RecordWriter + '_>> {
    Ok(Box::new(WarcExport { out, collection, is_begun: false }))
}

impl WarcExport<'_> {
    /// The record that tells of the file; dated by its first capture, so that it is the same each time.
    fn begin(&mut self, time: i64) -> io::Result<()> {
        let mut info = Vec::new();
        Packer::repeatable(0).info("documents.warc.gz", time, "", &mut info);
        self.is_begun = true;
        self.out.write_all(&info)
    }
}

impl RecordWriter for WarcExport<'_> {
    fn put(&mut self, record: &ExportRecord<'_>) -> io::Result<bool> {
        let Some(place) = record.place else { return Ok(false) };
        let member = match self.collection.captures.member(place) {
            Ok(member) => member,
            Err(damage @ StoreError::Damaged { .. }) => {
                tracing::warn!(%damage, "a capture was skipped");
                return Ok(false);
            }
            Err(error) => return Err(io::Error::other(error)),
        };
        if !self.is_begun {
            self.begin(record.time)?;
        }
        self.out.write_all(&member)?;
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> io::Result<Out> {
        if !self.is_begun {
            self.begin(0)?;
        }
        Ok(self.out)
    }
}
