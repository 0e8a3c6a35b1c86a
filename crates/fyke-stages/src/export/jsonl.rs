//! JSON lines: an object a line, every key in every line.

use super::out::Out;
use super::{ExportFormat, ExportRecord, one_by_one};
use std::io::{self, Write};

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "jsonl",
    extension: "jsonl",
    is_packed: false,
    what: "one JSON object per line",
    open: |out, _| Ok(one_by_one(out, put)),
};

fn put(out: &mut Out, record: &ExportRecord<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n")
}
