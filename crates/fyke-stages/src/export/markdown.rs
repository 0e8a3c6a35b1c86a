//! Markdown: a document after the other, each below a head of what is known of it (YAML, its values quoted as JSON
//! quotes them, which YAML reads).

use super::out::Out;
use super::{ExportFormat, ExportRecord, one_by_one};
use std::io::{self, Write};

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "markdown",
    extension: "md",
    is_packed: false,
    what: "Markdown with headings, lists, tables, code and links, each document after a YAML header",
    open: |out, _| Ok(one_by_one(out, put)),
};

fn put(out: &mut Out, record: &ExportRecord<'_>) -> io::Result<()> {
    let facts = [
        ("id", Some(record.id.as_str())),
        ("url", Some(record.url)),
        ("title", Some(record.title)),
        ("author", record.author),
        ("date", record.date),
        ("site", record.site),
        ("language", Some(record.language)),
        ("captured", Some(record.captured.as_str())),
        ("copy_of", record.copy_of.as_deref()),
    ];
    out.write_all(b"---\n")?;
    for (name, value) in facts {
        if let Some(value) = value {
            write!(out, "{name}: ")?;
            serde_json::to_writer(&mut *out, value)?;
            out.write_all(b"\n")?;
        }
    }
    write!(out, "---\n\n{}\n\n", record.markdown)
}
