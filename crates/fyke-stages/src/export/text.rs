//! Text for corpus tools: `<doc …>` with what is known of it, the text a paragraph a line, `</doc>`. The
//! signs `& < > "` are written as in XML, so no text can end its document.

use super::out::Out;
use super::record::escape;
use super::{ExportFormat, ExportRecord, one_by_one};
use std::io::{self, Write};

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "text",
    extension: "txt",
    is_packed: false,
    what: "one paragraph per line, between <doc …> and </doc>",
    open: |out, _| Ok(one_by_one(out, put)),
};

fn put(out: &mut Out, record: &ExportRecord<'_>) -> io::Result<()> {
    let words = record.words.to_string();
    let licences = record.licences.join(" ");
    let facts = [
        ("id", record.id.as_str()),
        ("url", record.url),
        ("host", &record.host),
        ("title", record.title),
        ("author", record.author.unwrap_or_default()),
        ("date", record.date.unwrap_or_default()),
        ("site", record.site.unwrap_or_default()),
        ("language", record.language),
        ("words", &words),
        ("captured", &record.captured),
        ("licence", &licences),
        ("copy_of", record.copy_of.as_deref().unwrap_or_default()),
    ];
    write!(out, "<doc")?;
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        write!(out, " {name}=\"{}\"", escape(value, true))?;
    }
    write!(out, ">\n{}\n</doc>\n", escape(record.text, false))
}
