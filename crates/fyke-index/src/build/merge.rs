//! Runs to one inverted index: the word that comes first in any of them is taken from all that have
//! it, one after the other (003 "index construction": merging). Runs follow each other in the order of
//! documents, so that lists are joined end to end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use tantivy::postings::FieldSerializer;

use super::varint;

/// Bytes read of a run at a time.
const AHEAD: usize = 128 << 10;

/// The runs of a segment, in a file without a name.
#[derive(Default)]
pub(super) struct SegmentRuns {
    file: Option<File>,
    runs: Vec<Range<u64>>,
}

impl SegmentRuns {
    /// Writes the next run down, in a file that `make` gives.
    pub fn push(&mut self, run: &[u8], make: impl Fn() -> io::Result<File>) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(make()?),
        };
        file.write_all(run)?;
        let start = self.runs.last().map_or(0, |run| run.end);
        self.runs.push(start..start + run.len() as u64);
        Ok(())
    }

    /// All of them, in the order of words.
    pub fn merged(&self) -> io::Result<Merged<'_>> {
        let mut merged = Merged::default();
        let Some(file) = &self.file else { return Ok(merged) };
        for (run, range) in self.runs.iter().enumerate() {
            let mut reader = RunReader::new(file, range.clone());
            let mut word = Vec::new();
            if reader.advance(&mut word)? {
                merged.heads.push(Reverse((word, run)));
            }
            merged.readers.push(reader);
        }
        Ok(merged)
    }
}

/// Words of several runs, each once.
#[derive(Default)]
pub(super) struct Merged<'a> {
    readers: Vec<RunReader<'a>>,
    /// The next word of each run.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    /// The word's runs, in order, while its lists are read.
    same: Vec<(Vec<u8>, usize)>,
}

impl Merged<'_> {
    /// The field of the next word.
    pub fn field(&self) -> Option<u8> {
        self.heads.peek().and_then(|Reverse((word, _))| word.first()).copied()
    }

    /// Writes the next word of this field, if there is one.
    pub fn write(&mut self, field: u8, out: &mut FieldSerializer) -> io::Result<bool> {
        if self.field() != Some(field) {
            return Ok(false);
        }
        let Some(Reverse(first)) = self.heads.pop() else { return Ok(false) };
        self.same.push(first);
        while let Some(Reverse((word, _))) = self.heads.peek()
            && *word == self.same[0].0
        {
            let next = self.heads.pop();
            self.same.extend(next.map(|Reverse(head)| head));
        }
        let documents = self.same.iter().map(|(_, run)| self.readers[*run].documents).sum();
        out.new_term(&self.same[0].0[1..], documents, true)?;
        for (_, run) in &self.same {
            self.readers[*run].write(out)?;
        }
        out.close_term()?;
        for (mut word, run) in self.same.drain(..) {
            if self.readers[run].advance(&mut word)? {
                self.heads.push(Reverse((word, run)));
            }
        }
        Ok(true)
    }
}

/// One run, word by word.
struct RunReader<'a> {
    bytes: BufReader<io::Take<RunPart<'a>>>,
    documents: u32,
    list: Vec<u8>,
    steps: Vec<u32>,
}

/// What is read of a file that others read too.
struct RunPart<'a> {
    file: &'a File,
    at: u64,
}

impl Read for RunPart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<'a> RunReader<'a> {
    fn new(file: &'a File, range: Range<u64>) -> RunReader<'a> {
        let part = RunPart { file, at: range.start }.take(range.end - range.start);
        let bytes = BufReader::with_capacity(AHEAD, part);
        RunReader { bytes, documents: 0, list: Vec::new(), steps: Vec::new() }
    }

    /// Reads the next word into `word`, its list into `list`; false at the end.
    fn advance(&mut self, word: &mut Vec<u8>) -> io::Result<bool> {
        if self.bytes.fill_buf()?.is_empty() {
            return Ok(false);
        }
        self.take(word)?;
        self.documents = self.number()?;
        let mut list = std::mem::take(&mut self.list);
        self.take(&mut list)?;
        self.list = list;
        Ok(true)
    }

    fn number(&mut self) -> io::Result<u32> {
        varint::read(|| {
            let mut byte = [0];
            self.bytes.read_exact(&mut byte).map(|()| byte[0])
        })
    }

    /// Reads as many bytes as the number before them says.
    fn take(&mut self, into: &mut Vec<u8>) -> io::Result<()> {
        let length = self.number()? as usize;
        into.resize(length, 0);
        self.bytes.read_exact(into)
    }

    /// Writes the list of the word that was read.
    fn write(&mut self, out: &mut FieldSerializer) -> io::Result<()> {
        let mut list = &self.list[..];
        let mut next = || varint::read(|| varint::byte(&mut list));
        let mut document = 0;
        for _ in 0..self.documents {
            document += next()?;
            let times = next()?;
            self.steps.clear();
            for _ in 0..times {
                self.steps.push(next()?);
            }
            out.write_doc(document, times, &self.steps);
        }
        Ok(())
    }
}
