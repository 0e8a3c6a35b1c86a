//! Apache Parquet, written here: the crate for it would add a minute to the build. Row groups of bounded
//! size, pages of plain values packed with zstd, optional texts, lists of texts. The footer is Thrift's
//! compact protocol.

mod column;
mod thrift;

use super::out::Out;
use super::{ExportFormat, ExportRecord, RecordWriter};
use column::{Chunk, ColumnShape, ParquetColumn, ValueKind};
use fyke_store::View;
use std::io::{self, Write};
use thrift::Thrift;

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "parquet",
    extension: "parquet",
    is_packed: true,
    what: "columns, for pandas, polars, DuckDB and other tables",
    open,
};

const MAGIC: &[u8; 4] = b"PAR1";
/// A row group ends when so many bytes are gathered, packed or not, or so many rows.
const GROUP_BYTES: usize = 32 << 20;
const GROUP_ROWS: u64 = 100_000;

/// What a column takes from a record.
enum Take {
    Text(for<'a> fn(&'a ExportRecord<'_>) -> &'a str),
    Perhaps(for<'a> fn(&'a ExportRecord<'_>) -> Option<&'a str>),
    Number(fn(&ExportRecord<'_>) -> i64),
    Moment(fn(&ExportRecord<'_>) -> i64),
    Many(fn(&ExportRecord<'_>) -> Vec<String>),
}

/// A row a column, under the names of [`Record`].
const COLUMNS: &[(&str, Take)] = &[
    ("id", Take::Text(|r| &r.id)),
    ("url", Take::Text(|r| r.url)),
    ("host", Take::Text(|r| &r.host)),
    ("title", Take::Text(|r| r.title)),
    ("text", Take::Text(|r| r.text)),
    ("author", Take::Perhaps(|r| r.author)),
    ("date", Take::Perhaps(|r| r.date)),
    ("site", Take::Perhaps(|r| r.site)),
    ("comments", Take::Perhaps(|r| r.comments)),
    ("language", Take::Text(|r| r.language)),
    ("languages", Take::Many(|r| r.languages.clone())),
    ("words", Take::Number(|r| r.words.into())),
    ("checksum", Take::Text(|r| &r.checksum)),
    ("captured", Take::Moment(|r| r.time)),
    ("media_type", Take::Perhaps(|r| r.media_type)),
    ("charset", Take::Text(|r| r.charset)),
    ("licences", Take::Many(|r| r.licences.to_vec())),
    ("opt_outs", Take::Many(|r| r.opt_outs.to_vec())),
    ("reason", Take::Text(|r| r.reason)),
    ("copy_of", Take::Perhaps(|r| r.copy_of.as_deref())),
];

impl Take {
    fn shape(&self) -> ColumnShape {
        match self {
            Take::Text(_) => ColumnShape::One(ValueKind::Text),
            Take::Perhaps(_) => ColumnShape::Optional,
            Take::Number(_) => ColumnShape::One(ValueKind::Number),
            Take::Moment(_) => ColumnShape::One(ValueKind::Moment),
            Take::Many(_) => ColumnShape::List,
        }
    }
}

/// A row group on disk.
struct RowGroup {
    chunks: Vec<Chunk>,
    rows: u64,
}

struct ParquetTable {
    out: Out,
    at: u64,
    columns: Vec<ParquetColumn>,
    rows: u64,
    groups: Vec<RowGroup>,
}

fn open(mut out: Out, _: &View) -> io::Result<Box<dyn RecordWriter + '_>> {
    out.write_all(MAGIC)?;
    let columns = COLUMNS.iter().map(|(_, take)| ParquetColumn::new(take.shape())).collect();
    Ok(Box::new(ParquetTable { out, at: MAGIC.len() as u64, columns, rows: 0, groups: Vec::new() }))
}

impl RecordWriter for ParquetTable {
    fn put(&mut self, record: &ExportRecord<'_>) -> io::Result<bool> {
        for (column, (_, take)) in self.columns.iter_mut().zip(COLUMNS) {
            column.begin_row()?;
            match take {
                Take::Text(of) => column.put_text(of(record)),
                Take::Perhaps(of) => column.put_perhaps(of(record)),
                Take::Number(of) | Take::Moment(of) => column.put_number(of(record)),
                Take::Many(of) => column.put_many(&of(record)),
            }
        }
        self.rows += 1;
        let bytes: usize = self.columns.iter().map(ParquetColumn::bytes).sum();
        if bytes >= GROUP_BYTES || self.rows >= GROUP_ROWS {
            self.end_group()?;
        }
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> io::Result<Out> {
        if self.rows > 0 {
            self.end_group()?;
        }
        let footer = footer(&self.groups);
        self.out.write_all(&footer)?;
        self.out.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        Ok(self.out)
    }
}

impl ParquetTable {
    fn end_group(&mut self) -> io::Result<()> {
        let mut chunks = Vec::with_capacity(self.columns.len());
        for (column, (_, take)) in self.columns.iter_mut().zip(COLUMNS) {
            let column = std::mem::replace(column, ParquetColumn::new(take.shape()));
            let (chunk, bytes) = column.finish(self.at)?;
            self.out.write_all(&bytes)?;
            self.at += bytes.len() as u64;
            chunks.push(chunk);
        }
        self.groups.push(RowGroup { chunks, rows: std::mem::take(&mut self.rows) });
        Ok(())
    }
}

/// `FileMetaData`.
fn footer(groups: &[RowGroup]) -> Vec<u8> {
    let mut thrift = Thrift::default();
    thrift.number(1, 1);
    let elements = COLUMNS.iter().map(|(_, take)| take.shape().elements()).sum::<usize>() + 1;
    thrift.list(2, thrift::STRUCT, elements);
    thrift.begin();
    thrift.text(4, "document");
    thrift.number(5, COLUMNS.len() as i64);
    thrift.end();
    COLUMNS.iter().for_each(|(name, take)| take.shape().describe(name, &mut thrift));
    thrift.long(3, groups.iter().map(|group| group.rows as i64).sum());
    thrift.list(4, thrift::STRUCT, groups.len());
    for group in groups {
        thrift.begin();
        thrift.list(1, thrift::STRUCT, group.chunks.len());
        for (chunk, (name, take)) in group.chunks.iter().zip(COLUMNS) {
            chunk.describe(name, take.shape(), &mut thrift);
        }
        thrift.long(2, group.chunks.iter().map(|chunk| chunk.plain as i64).sum());
        thrift.long(3, group.rows as i64);
        thrift.end();
    }
    thrift.text(6, concat!("fyke ", env!("CARGO_PKG_VERSION")));
    thrift.stop()
}
