//! A column of a row group: values gathered into pages, packed as soon as a page is full.
//!
//! A page holds repetition levels (lists), definition levels (optional values and lists) and plain
//! values. All levels here are 0 or 1: an optional value is there or not; a list is empty or has an
//! element, and an element begins a row or goes on with one.

use super::thrift::{I32, TEXT, Thrift};
use std::io;

/// A page ends when it holds so many bytes of values.
const PAGE: usize = 1 << 20;
const ZSTD_LEVEL: i32 = 3;

/// Numbers of the format: types, repetitions, conversions, encodings, codecs.
const INT64: i64 = 2;
const BYTE_ARRAY: i64 = 6;
const REQUIRED: i64 = 0;
const OPTIONAL: i64 = 1;
const REPEATED: i64 = 2;
const UTF8: i64 = 0;
const LIST: i64 = 3;
const TIMESTAMP_MILLIS: i64 = 9;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const ZSTD: i64 = 6;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    Number,
    /// Milliseconds since 1970.
    Moment,
}

/// How many values a row has: one, perhaps a text, or a list of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnShape {
    One(ValueKind),
    Optional,
    List,
}

impl ColumnShape {
    fn kind(self) -> ValueKind {
        match self {
            ColumnShape::One(kind) => kind,
            ColumnShape::Optional | ColumnShape::List => ValueKind::Text,
        }
    }

    fn physical(self) -> i64 {
        if self.kind() == ValueKind::Text { BYTE_ARRAY } else { INT64 }
    }

    /// Elements that it takes in the schema.
    pub(crate) fn elements(self) -> usize {
        if self == ColumnShape::List { 3 } else { 1 }
    }

    /// Its elements in the schema.
    pub(crate) fn describe(self, name: &str, thrift: &mut Thrift) {
        let repetition = if self == ColumnShape::Optional { OPTIONAL } else { REQUIRED };
        if self != ColumnShape::List {
            return self.leaf(name, repetition, thrift);
        }
        let mut group = |name: &str, repetition, is_list: bool| {
            thrift.begin();
            thrift.number(3, repetition);
            thrift.text(4, name);
            thrift.number(5, 1);
            if is_list {
                thrift.number(6, LIST);
                thrift.inside(10);
                thrift.inside(3);
                thrift.end();
                thrift.end();
            }
            thrift.end();
        };
        group(name, REQUIRED, true);
        group("list", REPEATED, false);
        self.leaf("element", REQUIRED, thrift);
    }

    fn leaf(self, name: &str, repetition: i64, thrift: &mut Thrift) {
        thrift.begin();
        thrift.number(1, self.physical());
        thrift.number(3, repetition);
        thrift.text(4, name);
        match self.kind() {
            ValueKind::Text => {
                thrift.number(6, UTF8);
                thrift.inside(10);
                thrift.inside(1);
                thrift.end();
                thrift.end();
            }
            ValueKind::Number => {}
            ValueKind::Moment => {
                thrift.number(6, TIMESTAMP_MILLIS);
                thrift.inside(10);
                thrift.inside(8);
                thrift.truth(1);
                thrift.inside(2);
                thrift.inside(1);
                (0..4).for_each(|_| thrift.end());
            }
        }
        thrift.end();
    }
}

/// A column's chunk as the footer tells of it.
#[derive(Debug)]
pub(super) struct Chunk {
    offset: u64,
    values: u64,
    /// Bytes unpacked and packed, page headers included.
    pub plain: usize,
    packed: usize,
}

impl Chunk {
    pub(crate) fn describe(&self, name: &str, shape: ColumnShape, thrift: &mut Thrift) {
        thrift.begin();
        thrift.long(2, self.offset as i64);
        thrift.inside(3);
        thrift.number(1, shape.physical());
        thrift.list(2, I32, 2);
        thrift.small(PLAIN);
        thrift.small(RLE);
        let path: &[&str] =
            if shape == ColumnShape::List { &[name, "list", "element"] } else { &[name] };
        thrift.list(3, TEXT, path.len());
        path.iter().for_each(|part| thrift.element(part));
        thrift.number(4, ZSTD);
        thrift.long(5, self.values as i64);
        thrift.long(6, self.plain as i64);
        thrift.long(7, self.packed as i64);
        thrift.long(9, self.offset as i64);
        thrift.end();
        thrift.end();
    }
}

/// A column in the making.
#[derive(Debug)]
pub(super) struct ParquetColumn {
    shape: ColumnShape,
    values: Vec<u8>,
    repetition: Levels,
    definition: Levels,
    /// Levels in the page: values, absent ones included.
    count: u64,
    pages: Vec<u8>,
    total: u64,
    plain: usize,
}

impl ParquetColumn {
    pub(crate) fn new(shape: ColumnShape) -> ParquetColumn {
        ParquetColumn {
            shape,
            values: Vec::new(),
            repetition: Levels::default(),
            definition: Levels::default(),
            count: 0,
            pages: Vec::new(),
            total: 0,
            plain: 0,
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.values.len() + self.pages.len()
    }

    /// A row may begin a page, but no page begins inside a row.
    pub(crate) fn begin_row(&mut self) -> io::Result<()> {
        if self.values.len() >= PAGE { self.end_page() } else { Ok(()) }
    }

    pub(crate) fn put_text(&mut self, text: &str) {
        self.push(text);
        self.count += 1;
    }

    pub(crate) fn put_number(&mut self, value: i64) {
        self.values.extend_from_slice(&value.to_le_bytes());
        self.count += 1;
    }

    pub(crate) fn put_perhaps(&mut self, text: Option<&str>) {
        self.definition.push(text.is_some());
        text.into_iter().for_each(|text| self.push(text));
        self.count += 1;
    }

    pub(crate) fn put_many(&mut self, texts: &[String]) {
        if texts.is_empty() {
            self.repetition.push(false);
            self.definition.push(false);
            self.count += 1;
        }
        for (index, text) in texts.iter().enumerate() {
            self.repetition.push(index > 0);
            self.definition.push(true);
            self.push(text);
            self.count += 1;
        }
    }

    fn push(&mut self, text: &str) {
        self.values.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.values.extend_from_slice(text.as_bytes());
    }

    fn end_page(&mut self) -> io::Result<()> {
        let mut page = Vec::with_capacity(self.values.len() + 64);
        if self.shape == ColumnShape::List {
            std::mem::take(&mut self.repetition).write(&mut page);
        }
        if matches!(self.shape, ColumnShape::List | ColumnShape::Optional) {
            std::mem::take(&mut self.definition).write(&mut page);
        }
        page.append(&mut self.values);
        let packed = zstd::bulk::compress(&page, ZSTD_LEVEL)?;
        let header = header(page.len(), packed.len(), self.count);
        self.plain += header.len() + page.len();
        self.pages.extend_from_slice(&header);
        self.pages.extend_from_slice(&packed);
        self.total += std::mem::take(&mut self.count);
        Ok(())
    }

    /// The chunk, which begins at `offset` of the file, and its bytes.
    pub(crate) fn finish(mut self, offset: u64) -> io::Result<(Chunk, Vec<u8>)> {
        if self.count > 0 {
            self.end_page()?;
        }
        let (plain, packed) = (self.plain, self.pages.len());
        Ok((Chunk { offset, values: self.total, plain, packed }, self.pages))
    }
}

/// `PageHeader` of a data page.
fn header(plain: usize, packed: usize, values: u64) -> Vec<u8> {
    let mut thrift = Thrift::default();
    thrift.number(1, 0);
    thrift.number(2, plain as i64);
    thrift.number(3, packed as i64);
    thrift.inside(5);
    thrift.number(1, values as i64);
    thrift.number(2, PLAIN);
    thrift.number(3, RLE);
    thrift.number(4, RLE);
    thrift.end();
    thrift.stop()
}

/// Levels of one bit, in runs.
#[derive(Debug, Default)]
struct Levels {
    runs: Vec<(bool, u64)>,
}

impl Levels {
    fn push(&mut self, level: bool) {
        match self.runs.last_mut() {
            Some((last, length)) if *last == level => *length += 1,
            _ => self.runs.push((level, 1)),
        }
    }

    /// Their length in bytes, then run after run: twice its length, and its level.
    fn write(self, out: &mut Vec<u8>) {
        let at = out.len();
        out.extend_from_slice(&[0; 4]);
        for (level, length) in self.runs {
            let mut rest = length << 1;
            while rest >= 0x80 {
                out.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            out.extend_from_slice(&[rest as u8, u8::from(level)]);
        }
        let length = (out.len() - at - 4) as u32;
        out[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
}
