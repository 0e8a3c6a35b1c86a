//! A run: the postings of a limited number of words, inverted by counting. Words are numbered and their numbers
//! written down one after the other; then each number's places are known from how often it came, and
//! one pass puts every occurrence there. Nothing is chased through memory but the table of words.

use super::varint;
use super::words::RunWords;

/// What came since the last run was written.
#[derive(Default)]
pub(super) struct IndexRun {
    words: RunWords,
    /// The number of each word, in the order of documents, fields and places.
    numbers: Vec<u32>,
    /// Fields of documents: the document, and where in `numbers` the field's words end.
    fields: Vec<(u32, usize)>,
}

impl IndexRun {
    /// Adds the next word of the field that is being read.
    pub fn push(&mut self, field: u8, word: &[u8]) {
        self.words.push(field, word);
    }

    /// Ends a field of a document, and says how many words it has; documents come in their order.
    pub fn end(&mut self, document: u32) -> usize {
        let before = self.numbers.len();
        self.words.numbers(&mut self.numbers);
        if self.numbers.len() > before {
            self.fields.push((document, self.numbers.len()));
        }
        self.numbers.len() - before
    }

    /// Occurrences so far.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Appends the postings to `out`, word by word in order, and begins again. Of each word: length,
    /// field and bytes; number of documents; bytes of its list; for each document the step from the
    /// one before, the number of places and the steps between them.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        let ordered = self.words.ordered();
        let mut next = vec![0; self.words.len()];
        self.numbers.iter().for_each(|number| next[*number as usize] += 1);
        let mut start = 0;
        for word in &ordered {
            let count = std::mem::replace(&mut next[word.number as usize], start);
            start += count;
        }
        let occurrences = self.placed(&mut next);
        let (mut start, mut list) = (0, Vec::new());
        for word in &ordered {
            let end = next[word.number as usize];
            list.clear();
            let documents = write_list(&occurrences[start..end], &mut list);
            varint::write(out, word.len() as u32);
            word.write(out);
            varint::write(out, documents);
            varint::write(out, list.len() as u32);
            out.extend_from_slice(&list);
            start = end;
        }
        self.words.clear();
        self.numbers.clear();
        self.fields.clear();
    }

    /// Every occurrence, as document and place, by the order of words; `next` says where those of a
    /// number begin, and afterwards where they end.
    fn placed(&self, next: &mut [usize]) -> Vec<(u32, u32)> {
        let mut occurrences = vec![(0, 0); self.numbers.len()];
        let mut start = 0;
        for &(document, end) in &self.fields {
            for (place, number) in (0..).zip(&self.numbers[start..end]) {
                let next = &mut next[*number as usize];
                occurrences[*next] = (document, place);
                *next += 1;
            }
            start = end;
        }
        occurrences
    }
}

/// Appends the list of one word; says how many documents are in it.
fn write_list(occurrences: &[(u32, u32)], list: &mut Vec<u8>) -> u32 {
    let (mut before, mut documents) = (0, 0);
    for of_one in occurrences.chunk_by(|a, b| a.0 == b.0) {
        let document = of_one[0].0;
        varint::write(list, document - before);
        varint::write(list, of_one.len() as u32);
        let mut last = 0;
        for &(_, place) in of_one {
            varint::write(list, place - last);
            last = place;
        }
        (before, documents) = (document, documents + 1);
    }
    documents
}
