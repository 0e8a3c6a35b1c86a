//! TREC web documents: `<DOC>` with a number, a head that names URL, date and type, and the text as
//! plain HTML. `fyke import` and other people's indexers read it.

use super::out::Out;
use super::record::escape;
use super::{ExportFormat, ExportRecord, one_by_one};
use std::io::{self, Write};

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "trec",
    extension: "trec",
    is_packed: false,
    what: "TREC web documents, for indexers and for fyke import",
    open: |out, _| Ok(one_by_one(out, put)),
};

fn put(out: &mut Out, record: &ExportRecord<'_>) -> io::Result<()> {
    let ExportRecord { id, url, title, text, language, .. } = record;
    let digits: String = record.captured.chars().filter(char::is_ascii_digit).take(14).collect();
    write!(out, "<DOC>\n<DOCNO>{id}</DOCNO>\n<DOCHDR>\n{url} 0.0.0.0 {digits} text/html\n")?;
    write!(out, "HTTP/1.0 200 OK\nContent-Type: text/html; charset=utf-8\n</DOCHDR>\n")?;
    let (language, title) = (escape(language, true), escape(title, true));
    writeln!(out, "<html lang=\"{language}\"><head><title>{title}</title></head><body><main>")?;
    for line in text.lines() {
        writeln!(out, "<p>{}</p>", escape(line, true))?;
    }
    write!(out, "</main></body></html>\n</DOC>\n")
}
