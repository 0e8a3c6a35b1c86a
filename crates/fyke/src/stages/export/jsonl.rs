//! JSON lines: an object a line, every key in every line.

use super::out::Out;
use super::{Format, Record, Writer};
use fyke_store::Collection;
use std::io::{self, Write};

pub(super) const ROW: Format = Format {
    name: "jsonl",
    extension: "jsonl",
    is_packed: false,
    what: "a JSON object a line",
    open,
};

struct Lines(Out);

fn open(out: Out, _: &Collection) -> io::Result<Box<dyn Writer + '_>> {
    Ok(Box::new(Lines(out)))
}

impl Writer for Lines {
    fn put(&mut self, record: &Record<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, record)?;
        self.0.write_all(b"\n")
    }

    fn finish(self: Box<Self>) -> io::Result<Out> {
        Ok(self.0)
    }
}
