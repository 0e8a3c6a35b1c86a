//! Apache Parquet, by the crate of its own project: row groups of bounded size, dictionaries where values come
//! again, statistics by which a reader skips row groups and pages, filters of URLs and hosts, zstd.

use super::out::Out;
use super::{ExportFormat, ExportRecord, RecordWriter};
use fyke_store::View;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::Result as ParquetResult;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::io;
use std::sync::Arc;

pub(super) const ROW: ExportFormat = ExportFormat {
    name: "parquet",
    extension: "parquet",
    is_packed: true,
    what: "columns, for pandas, polars, DuckDB and other tables",
    open,
};

/// A row group ends when it holds so many bytes of values, or so many rows.
const GROUP_BYTES: usize = 16 << 20;
const GROUP_ROWS: usize = 100_000;
/// Values between two looks at a page's size: long texts do not make pages much longer than a megabyte.
const BATCH: usize = 16;
const ZSTD_LEVEL: i32 = 3;
/// Columns whose values are different in every row: no dictionary.
const DISTINCT: [&str; 5] = ["id", "url", "text", "checksum", "comments"];
/// Columns that are asked for one value: a filter tells which row groups cannot have it.
const FILTERED: [&str; 3] = ["url", "host", "checksum"];

/// What a column takes from a record.
enum Take {
    Text(for<'a> fn(&'a ExportRecord<'_>) -> &'a str),
    Perhaps(for<'a> fn(&'a ExportRecord<'_>) -> Option<&'a str>),
    Number(fn(&ExportRecord<'_>) -> i64),
    /// Milliseconds since 1970.
    Moment(fn(&ExportRecord<'_>) -> i64),
    Many(fn(&ExportRecord<'_>) -> Vec<String>),
}

/// A row a column, under the names of [`ExportRecord`].
const COLUMNS: &[(&str, Take)] = &[
    ("id", Take::Text(|r| &r.id)),
    ("url", Take::Text(|r| r.url)),
    ("host", Take::Text(|r| &r.host)),
    ("title", Take::Text(|r| r.title)),
    ("text", Take::Text(|r| r.text)),
    ("markdown", Take::Text(|r| &r.markdown)),
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
    /// The column in the schema.
    fn describe(&self, name: &str) -> String {
        match self {
            Take::Text(_) => format!("required binary {name} (STRING);"),
            Take::Perhaps(_) => format!("optional binary {name} (STRING);"),
            Take::Number(_) => format!("required int64 {name};"),
            Take::Moment(_) => format!("required int64 {name} (TIMESTAMP(MILLIS,true));"),
            Take::Many(_) => format!(
                "required group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}"
            ),
        }
    }
}

/// The values of a column in the row group that is being gathered.
#[derive(Default)]
struct GroupColumn {
    /// All texts one after the other, and where each ends.
    texts: Vec<u8>,
    ends: Vec<usize>,
    numbers: Vec<i64>,
    /// Whether an optional value is there, or a list has an element.
    definition: Vec<i16>,
    /// Whether an element goes on with the list of the one before.
    repetition: Vec<i16>,
}

impl GroupColumn {
    fn put(&mut self, take: &Take, record: &ExportRecord<'_>) {
        match take {
            Take::Text(of) => self.push(of(record)),
            Take::Number(of) | Take::Moment(of) => self.numbers.push(of(record)),
            Take::Perhaps(of) => {
                let text = of(record);
                self.definition.push(text.is_some().into());
                text.into_iter().for_each(|text| self.push(text));
            }
            Take::Many(of) => {
                let texts = of(record);
                let levels = texts.len().max(1);
                self.definition.resize(self.definition.len() + levels, (!texts.is_empty()).into());
                self.repetition.extend((0..levels).map(|at| i16::from(at > 0)));
                texts.iter().for_each(|text| self.push(text));
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.texts.extend_from_slice(text.as_bytes());
        self.ends.push(self.texts.len());
    }

    fn bytes(&self) -> usize {
        self.texts.len() + 8 * (self.ends.len() + self.numbers.len())
    }

    fn write(self, mut column: SerializedColumnWriter<'_>) -> ParquetResult<()> {
        let levels = |levels: &'_ Vec<i16>| !levels.is_empty();
        let definition = Some(&*self.definition).filter(|_| levels(&self.definition));
        let repetition = Some(&*self.repetition).filter(|_| levels(&self.repetition));
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(to) => to.write_batch(&self.numbers, None, None)?,
            ColumnWriter::ByteArrayColumnWriter(to) => {
                let (all, mut from) = (bytes::Bytes::from(self.texts), 0);
                let value = |&end: &usize| {
                    ByteArray::from(all.slice(std::mem::replace(&mut from, end)..end))
                };
                let values: Vec<ByteArray> = self.ends.iter().map(value).collect();
                to.write_batch(&values, definition, repetition)?
            }
            _ => unreachable!("the schema has texts and numbers alone"),
        };
        column.close()
    }
}

struct ParquetTable {
    file: SerializedFileWriter<Out>,
    columns: Vec<GroupColumn>,
    rows: usize,
}

fn open(out: Out, _: &View) -> io::Result<Box<dyn RecordWriter + '_>> {
    Ok(Box::new(ParquetTable::new(out)?))
}

fn group() -> Vec<GroupColumn> {
    COLUMNS.iter().map(|_| GroupColumn::default()).collect()
}

fn properties() -> ParquetResult<WriterPropertiesPtr> {
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("fyke ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_write_batch_size(BATCH);
    for name in DISTINCT {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    for name in FILTERED {
        properties = properties
            .set_column_bloom_filter_enabled(ColumnPath::from(name), true)
            .set_column_bloom_filter_max_ndv(ColumnPath::from(name), GROUP_ROWS as u64);
    }
    Ok(Arc::new(properties.build()))
}

impl RecordWriter for ParquetTable {
    fn put(&mut self, record: &ExportRecord<'_>) -> io::Result<bool> {
        for (column, (_, take)) in self.columns.iter_mut().zip(COLUMNS) {
            column.put(take, record);
        }
        self.rows += 1;
        let bytes: usize = self.columns.iter().map(GroupColumn::bytes).sum();
        if bytes >= GROUP_BYTES || self.rows >= GROUP_ROWS {
            self.end_group()?;
        }
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> io::Result<Out> {
        if self.rows > 0 {
            self.end_group()?;
        }
        Ok(self.file.into_inner()?)
    }
}

impl ParquetTable {
    fn new(out: Out) -> ParquetResult<ParquetTable> {
        let columns: String = COLUMNS.iter().map(|(name, take)| take.describe(name)).collect();
        let schema = parse_message_type(&format!("message document {{ {columns} }}"))?;
        let file = SerializedFileWriter::new(out, Arc::new(schema), properties()?)?;
        Ok(ParquetTable { file, columns: group(), rows: 0 })
    }

    fn end_group(&mut self) -> ParquetResult<()> {
        self.rows = 0;
        let mut writer = self.file.next_row_group()?;
        for column in std::mem::replace(&mut self.columns, group()) {
            let to = writer.next_column()?.expect("a column for each of the schema");
            column.write(to)?;
        }
        writer.close()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::Encoding;
    use parquet::file::metadata::RowGroupMetaData;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    fn record<'a>(number: usize, text: &'a str, url: &'a str) -> ExportRecord<'a> {
        ExportRecord {
            id: format!("{number:016x}"),
            url,
            host: format!("h{}.test", number % 3),
            title: "",
            text,
            markdown: String::new(),
            author: None,
            date: None,
            site: None,
            comments: None,
            language: "en",
            languages: Vec::new(),
            words: 7,
            checksum: String::new(),
            captured: String::new(),
            media_type: Some("text/html"),
            charset: "utf-8",
            licences: &[],
            opt_outs: &[],
            reason: "kept",
            copy_of: None,
            time: number as i64,
            place: None,
        }
    }

    #[test]
    fn readers_find_dictionaries_statistics_and_filters_in_every_row_group() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("documents.parquet");
        let out = Out::new(Box::new(std::fs::File::create(&path).unwrap()), false);
        let mut table = Box::new(ParquetTable::new(out).unwrap());
        let text = "eel ".repeat(GROUP_BYTES / 8);
        for number in 0..5 {
            table.put(&record(number, &text, &format!("http://a.test/{number}"))).unwrap();
        }
        table.finish().unwrap().finish().unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let groups = file.metadata().row_groups();
        assert_eq!(groups.iter().map(RowGroupMetaData::num_rows).collect::<Vec<_>>(), [2, 2, 1]);
        for (group, least) in groups.iter().zip([0, 2, 4]) {
            let at = |name: &str| COLUMNS.iter().position(|(other, _)| *other == name).unwrap();
            let column = |name: &str| group.column(at(name));
            let has_dictionary = |name: &str| {
                column(name).encodings().any(|encoding| encoding == Encoding::RLE_DICTIONARY)
            };
            assert!(has_dictionary("host") && has_dictionary("media_type"));
            assert!(!has_dictionary("text") && !has_dictionary("url"));
            let least = format!("{least:016x}");
            assert_eq!(column("id").statistics().unwrap().min_bytes_opt(), Some(least.as_bytes()));
            assert_eq!(
                column("author").statistics().unwrap().null_count_opt(),
                Some(group.num_rows() as u64)
            );
            assert!(column("url").bloom_filter_offset().is_some());
            assert!(column("text").bloom_filter_offset().is_none());
        }
    }
}
