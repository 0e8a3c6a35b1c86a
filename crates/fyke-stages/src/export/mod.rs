//! Exports: the kept documents as files for others, and beside them a dataset card. A file a format, a
//! row each in [`FORMATS`]. The same collection exports the same bytes: documents go by URL id, and
//! nothing asks for the time or for chance. A file stands under its name only when it is whole.

mod card;
mod filter;
#[cfg(test)]
mod golden;
mod jsonl;
mod markdown;
mod opml;
mod out;
mod parquet;
mod record;
mod text;
mod trec;
mod warc;

pub use card::Card;
pub use filter::ExportFilter;
pub use opml::{OpmlList, opml};
pub use record::ExportRecord;

use crate::config::Config;
use crate::corpus::Counting;
use crate::{Step, reasons};
use fyke_derive::kept;
use fyke_store::{Reason, StoreError, View};
use out::{Digested, Out, PartFile};
use std::io;
use std::path::{Path, PathBuf};

/// Takes records one after the other.
trait RecordWriter {
    /// Writes a record; false when there is nothing to write of it.
    fn put(&mut self, record: &ExportRecord<'_>) -> io::Result<bool>;

    /// Writes what is left, and gives back what it wrote to.
    fn finish(self: Box<Self>) -> io::Result<Out>;
}

/// Writes each record by itself.
struct OneByOne {
    out: Out,
    put: fn(&mut Out, &ExportRecord<'_>) -> io::Result<()>,
}

impl RecordWriter for OneByOne {
    fn put(&mut self, record: &ExportRecord<'_>) -> io::Result<bool> {
        (self.put)(&mut self.out, record).map(|()| true)
    }

    fn finish(self: Box<Self>) -> io::Result<Out> {
        Ok(self.out)
    }
}

fn one_by_one<'a>(
    out: Out,
    put: fn(&mut Out, &ExportRecord<'_>) -> io::Result<()>,
) -> Box<dyn RecordWriter + 'a> {
    Box::new(OneByOne { out, put })
}

/// A way to write documents down.
pub struct ExportFormat {
    pub name: &'static str,
    /// What the file's name ends with.
    pub extension: &'static str,
    /// It has its own compression.
    pub is_packed: bool,
    pub what: &'static str,
    open: for<'a> fn(Out, &'a View) -> io::Result<Box<dyn RecordWriter + 'a>>,
}

impl std::fmt::Debug for ExportFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Every format.
pub const FORMATS: &[ExportFormat] =
    &[jsonl::ROW, parquet::ROW, markdown::ROW, text::ROW, trec::ROW, warc::ROW];

/// What is exported, and how.
#[derive(Debug)]
pub struct ExportOptions<'a> {
    pub format: &'static ExportFormat,
    pub filter: &'a ExportFilter,
    /// Copies as well.
    pub duplicates: bool,
    /// Documents that were fetched with credentials as well.
    pub private: bool,
    pub gzip: bool,
}

/// Where an export goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportTarget {
    Standard,
    /// A file of this name, with its card's files beside it.
    File(PathBuf),
    /// A folder, in which all has its usual name.
    Folder(PathBuf),
}

impl ExportTarget {
    /// Where documents, README and card go; none to standard output.
    fn paths(&self, options: &ExportOptions<'_>) -> Option<[PathBuf; 3]> {
        match self {
            ExportTarget::Standard => None,
            ExportTarget::File(path) => {
                let beside = |end: &str| {
                    let mut name = path.file_name().unwrap_or_default().to_owned();
                    name.push(end);
                    path.with_file_name(name)
                };
                Some([path.clone(), beside(".README.md"), beside(".card.json")])
            }
            ExportTarget::Folder(dir) => {
                let packed = if options.gzip { ".gz" } else { "" };
                let name = format!("documents.{}{packed}", options.format.extension);
                Some([dir.join(name), dir.join("README.md"), dir.join("card.json")])
            }
        }
    }
}

/// Exports the documents and writes the card.
///
/// # Errors
/// When the collection cannot be read or a file cannot be written; then none is left half-written.
pub fn export(
    collection: &View,
    config: &Config,
    options: &ExportOptions<'_>,
    target: &ExportTarget,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Card> {
    let Some([documents, readme, figures]) = target.paths(options) else {
        let out = Out::new(Box::new(io::BufWriter::new(io::stdout())), options.gzip);
        let (written, pass) =
            write(collection, options, out, Path::new("standard output"), observe)?;
        return card::make(collection, config, options, card::CardFile::new("-", written, pass));
    };
    let part = PartFile::create(&documents)?;
    let out = Out::new(part.file()?, options.gzip);
    let (written, pass) = write(collection, options, out, &documents, observe)?;
    part.keep()?;
    let name = documents.file_name().unwrap_or_default().to_string_lossy();
    let card = card::make(collection, config, options, card::CardFile::new(&name, written, pass))?;
    out::write_whole(&readme, card.readme().as_bytes())?;
    out::write_whole(&figures, &card.json()?)?;
    Ok(card)
}

/// What one pass over the documents saw.
#[derive(Default)]
struct ExportPass {
    counting: Counting,
    exported: u64,
    /// Documents that the filter left out.
    filtered: u64,
    /// Documents left out because they were fetched with credentials.
    private: u64,
    /// Copies among those exported.
    copies: u64,
    /// Documents that could not be written: their captures are gone.
    missing: u64,
}

fn write(
    collection: &View,
    options: &ExportOptions<'_>,
    out: Out,
    path: &Path,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<(Digested, ExportPass)> {
    let failed = |error: io::Error| StoreError::io(path, error);
    let mut writer = (options.format.open)(out, collection).map_err(failed)?;
    let mut pass = ExportPass::default();
    let total = reasons::counts(collection)?.get(&Reason::Kept).copied();
    let is_wanted = |_: &_, reason| match reason {
        Reason::Kept => true,
        Reason::DupExact | Reason::DupNear => options.duplicates,
        _ => false,
    };
    kept::each(collection, is_wanted, |kept| {
        if !options.filter.matches(&kept) {
            pass.filtered += 1;
            return Ok(());
        }
        if kept.is_private && !options.private {
            pass.private += 1;
            return Ok(());
        }
        let copy_of = crate::twin(collection, kept.document.id)?.map(|twin| twin.of);
        if !writer.put(&ExportRecord::of(&kept, copy_of)).map_err(failed)? {
            pass.missing += 1;
            return Ok(());
        }
        pass.counting.add(&kept.document, &kept.rights);
        pass.exported += 1;
        pass.copies += u64::from(kept.reason != Reason::Kept);
        if pass.exported.is_multiple_of(64) {
            observe(Step { stage: "export", done: pass.exported, total });
        }
        anyhow::Ok(())
    })?;
    let written = writer.finish().and_then(Out::finish).map_err(failed)?;
    Ok((written, pass))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_an_extension_and_an_explanation_of_its_own() {
        for (number, format) in FORMATS.iter().enumerate() {
            assert!(format.what.len() > 15, "{format:?}");
            let others = &FORMATS[..number];
            assert!(
                others.iter().all(|o| o.name != format.name && o.extension != format.extension)
            );
        }
    }
}
