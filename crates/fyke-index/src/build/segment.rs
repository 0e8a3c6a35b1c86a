//! One segment in the making: what is kept of documents and their columns go to the engine's writers
//! as they come, their words into runs, which become its inverted index at the end.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tantivy::directory::TerminatingWrite;
use tantivy::fastfield::FastFieldsWriter;
use tantivy::fieldnorm::{FieldNormsSerializer, FieldNormsWriter};
use tantivy::index::{Segment, SegmentComponent, SegmentMeta};
use tantivy::postings::InvertedIndexSerializer;
use tantivy::schema::{Field, Schema, Value};
use tantivy::store::StoreWriter;
use tantivy::{Index, TantivyDocument};

use super::merge::SegmentRuns;
use super::run::IndexRun;
use crate::schema::{FIELDS, KEYS};

/// The engine's dictionaries take no longer words.
const MAX_WORD: usize = 65_530;

/// How the values of a field become words.
#[derive(Clone, Copy)]
enum FieldKind {
    /// They do not.
    None,
    /// By the analysis.
    Text,
    /// What stands between white space.
    Keys,
    /// Each value is one.
    Name,
    /// Each value is one, as eight bytes.
    Number,
}

pub(super) struct Making {
    segment: Segment,
    schema: Schema,
    dir: PathBuf,
    store: StoreWriter,
    columns: FastFieldsWriter,
    lengths: FieldNormsWriter,
    /// Of each field by its number.
    kinds: Vec<FieldKind>,
    /// Words of each field in all documents.
    totals: Vec<u64>,
    documents: u32,
    /// Occurrences of words in a run.
    most: usize,
    run: IndexRun,
    runs: SegmentRuns,
    /// What a run is written into first.
    bytes: Vec<u8>,
}

impl Making {
    /// A segment of `index`, whose files lie in `dir`, from runs of `most` words.
    pub fn new(index: &Index, dir: PathBuf, most: usize) -> tantivy::Result<Making> {
        let (segment, schema, settings) = (index.new_segment(), index.schema(), index.settings());
        let kept = segment.open_write(SegmentComponent::Store)?;
        let (compression, block) = (settings.docstore_compression, settings.docstore_blocksize);
        let tokenizers = index.fast_field_tokenizer().clone();
        Ok(Making {
            store: StoreWriter::new(kept, compression, block, false)?,
            columns: FastFieldsWriter::from_schema_and_tokenizer_manager(&schema, tokenizers)?,
            lengths: FieldNormsWriter::for_schema(&schema),
            kinds: schema.fields().map(|(field, _)| kind(&schema, field)).collect(),
            totals: vec![0; schema.num_fields()],
            segment,
            schema,
            dir,
            documents: 0,
            most,
            run: IndexRun::default(),
            runs: SegmentRuns::default(),
            bytes: Vec::new(),
        })
    }

    /// Adds a document; each of its fields has all its values together.
    pub fn put(&mut self, document: &TantivyDocument) -> tantivy::Result<()> {
        self.store.store(document, &self.schema)?;
        self.columns.add_document(document)?;
        let mut values = document.field_values().peekable();
        while let Some((field, value)) = values.next() {
            self.read(field, &value);
            while let Some((_, value)) = values.next_if(|(next, _)| *next == field) {
                self.read(field, &value);
            }
            let words = self.run.end(self.documents);
            self.totals[field.field_id() as usize] += words as u64;
            if self.schema.get_field_entry(field).has_fieldnorms() {
                self.lengths.record(self.documents, field, words as u32);
            }
        }
        self.documents += 1;
        if self.run.len() >= self.most {
            self.write_run()?;
        }
        Ok(())
    }

    fn read<'a>(&mut self, field: Field, value: &impl Value<'a>) {
        let number = field.field_id() as u8;
        let text = || value.as_str().unwrap_or_default();
        match self.kinds[usize::from(number)] {
            FieldKind::None => {}
            FieldKind::Text => {
                fyke_text::each_form(text(), |form| {
                    if form.len() <= MAX_WORD {
                        self.run.push(number, form.as_bytes());
                    }
                });
            }
            FieldKind::Keys => {
                text()
                    .split_ascii_whitespace()
                    .for_each(|key| self.run.push(number, key.as_bytes()));
            }
            FieldKind::Name if text().len() > MAX_WORD => {}
            FieldKind::Name => self.run.push(number, text().as_bytes()),
            FieldKind::Number => {
                self.run.push(number, &value.as_u64().unwrap_or_default().to_be_bytes());
            }
        }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.bytes.clear();
        self.run.write(&mut self.bytes);
        self.runs.push(&self.bytes, || unnamed(&self.dir, &self.segment))
    }

    /// Writes all that is left down; the segment can then be added to the index.
    pub fn finish(mut self) -> tantivy::Result<SegmentMeta> {
        self.write_run()?;
        drop((self.run, self.bytes));
        let segment = &self.segment;
        self.store.close()?;
        let mut columns = segment.open_write(SegmentComponent::FastFields)?;
        self.columns.serialize(&mut columns, None)?;
        columns.terminate()?;
        drop(self.columns);
        self.lengths.fill_up_to_max_doc(self.documents);
        let lengths = segment.open_write(SegmentComponent::FieldNorms)?;
        self.lengths.serialize(FieldNormsSerializer::from_write(lengths)?, None)?;
        let mut index = InvertedIndexSerializer::open(segment)?;
        let mut merged = self.runs.merged()?;
        while let Some(number) = merged.field() {
            let field = Field::from_field_id(number.into());
            let total = self.totals[usize::from(number)];
            // Without lengths the engine leaves out the best score of each block, which nobody asks for.
            let mut words = index.new_field(field, total, None)?;
            while merged.write(number, &mut words)? {}
            words.close()?;
        }
        index.close()?;
        Ok(self.segment.with_max_doc(self.documents).meta().clone())
    }
}

fn kind(schema: &Schema, field: Field) -> FieldKind {
    match field {
        field if FIELDS.texts[KEYS..].contains(&field) => FieldKind::Keys,
        field if FIELDS.texts.contains(&field) => FieldKind::Text,
        field if field == FIELDS.id => FieldKind::Number,
        field if schema.get_field_entry(field).is_indexed() => FieldKind::Name,
        _ => FieldKind::None,
    }
}

/// A file that is gone when it is closed.
fn unnamed(dir: &Path, segment: &Segment) -> io::Result<File> {
    let path = dir.join(format!("{}.runs", segment.id().uuid_string()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}
