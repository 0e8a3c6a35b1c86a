//! Where the objects of a file stand: cross-reference tables and streams, hybrid and updated files
//! (ISO 32000-1 §7.5.4–7.5.8), and the search through a file whose tables are damaged.

use super::filter;
use super::fuel::Fuel;
use super::lexer::{Lexer, PdfItem, is_space};
use super::object::{Dict, Object};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Steps that a row of a cross-reference stream costs.
const ROW: usize = 16;

/// Where an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectPlace {
    /// Nowhere: it was deleted.
    Free,
    /// At this byte of the file.
    Offset(usize),
    /// In this object stream, at this position.
    Bundled { stream: u32, index: usize },
}

/// Objects with their places, and the trailer, which says where to begin.
#[derive(Debug, Default)]
pub(super) struct Xref {
    pub(super) places: HashMap<u32, ObjectPlace>,
    pub(super) trailer: Dict,
}

impl Xref {
    /// What is known already is newer and stays.
    fn note(&mut self, number: u32, place: ObjectPlace) {
        self.places.entry(number).or_insert(place);
    }

    fn adopt(&mut self, trailer: &Dict) {
        for (key, value) in trailer.iter() {
            if self.trailer.entry(key).is_null() {
                self.trailer.insert(Rc::clone(key), value.clone());
            }
        }
    }
}

/// Follows the tables from the end of the file backwards.
pub(super) fn read(bytes: &[u8], fuel: &Fuel) -> Xref {
    let mut xref = Xref::default();
    let mut seen = HashSet::new();
    let mut next = start(bytes, fuel);
    while let Some(at) = next.filter(|&at| at < bytes.len() && seen.insert(at)) {
        let Some(trailer) = section(bytes, at, &mut xref, fuel) else { break };
        xref.adopt(&trailer);
        if let Some(hybrid) = trailer.get("XRefStm").count().filter(|&at| seen.insert(at)) {
            section(bytes, hybrid, &mut xref, fuel);
        }
        next = trailer.get("Prev").count();
    }
    xref
}

/// The offset after the last `startxref`.
fn start(bytes: &[u8], fuel: &Fuel) -> Option<usize> {
    let tail = bytes.len().saturating_sub(2048);
    let at = memchr::memmem::rfind(&bytes[tail..], b"startxref")?;
    Lexer::new(bytes, tail + at + 9, fuel).whole()
}

/// One table or stream; its trailer.
fn section(bytes: &[u8], at: usize, xref: &mut Xref, fuel: &Fuel) -> Option<Rc<Dict>> {
    let mut lexer = Lexer::new(bytes, at, fuel);
    lexer.skip();
    if lexer.rest().starts_with(b"xref") {
        lexer.at += 4;
        return table(&mut lexer, xref);
    }
    lexer.header()?;
    let Object::Dict(dict) = lexer.object()? else { return None };
    let packed = stream_bytes(&mut lexer, &dict)?;
    let rows = filter::unpack(packed, &dict, &Object::clone, fuel);
    compressed(&rows, &dict, xref, fuel)?;
    Some(dict)
}

fn table(lexer: &mut Lexer, xref: &mut Xref) -> Option<Rc<Dict>> {
    loop {
        match lexer.item()? {
            PdfItem::Word(b"trailer") => break,
            PdfItem::Object(first @ Object::Integer(_)) => {
                let first = first.count()?;
                let count = lexer.whole()?;
                rows(lexer, first..first.checked_add(count)?, xref)?;
            }
            _ => return None,
        }
    }
    let Object::Dict(dict) = lexer.object()? else { return None };
    Some(dict)
}

fn rows(lexer: &mut Lexer, numbers: std::ops::Range<usize>, xref: &mut Xref) -> Option<()> {
    for number in numbers {
        let before = lexer.at;
        let Some(offset) = lexer.whole() else {
            // Fewer rows than promised.
            lexer.at = before;
            return Some(());
        };
        lexer.whole()?;
        let PdfItem::Word(kind) = lexer.item()? else { return None };
        let place = if kind == b"n" { ObjectPlace::Offset(offset) } else { ObjectPlace::Free };
        xref.note(u32::try_from(number).ok()?, place);
    }
    Some(())
}

/// The bytes of a cross-reference stream, whose length is always written directly.
fn stream_bytes<'a>(lexer: &mut Lexer<'a>, dict: &Dict) -> Option<&'a [u8]> {
    let begin = stream_start(lexer)?;
    let rest = lexer.bytes.get(begin..)?;
    let length = dict.get("Length").count().filter(|&length| length <= rest.len());
    Some(&rest[..length.unwrap_or(rest.len())])
}

/// The first byte after the keyword `stream` and its line end.
pub(super) fn stream_start(lexer: &mut Lexer) -> Option<usize> {
    lexer.skip();
    let rest = lexer.rest().strip_prefix(b"stream")?;
    let line_end = match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => rest.iter().take_while(|&&b| b == b' ').count().min(1),
    };
    Some(lexer.at + 6 + line_end)
}

/// The rows of a cross-reference stream: fields of the widths that `/W` says.
fn compressed(bytes: &[u8], dict: &Dict, xref: &mut Xref, fuel: &Fuel) -> Option<()> {
    let widths: Vec<usize> = dict.get("W").array().iter().filter_map(Object::count).collect();
    let &[kind, second, third] = widths.get(..3)? else { return None };
    let row = kind.checked_add(second)?.checked_add(third).filter(|row| (1..=24).contains(row))?;
    let size = Object::Array(Rc::new(vec![Object::Integer(0), dict.get("Size").clone()]));
    let index = Some(dict.get("Index")).filter(|index| !index.is_null()).unwrap_or(&size);
    let mut rows = bytes.chunks_exact(row);
    for pair in index.array().chunks_exact(2) {
        let (first, count) = (pair[0].count()?, pair[1].count()?);
        for number in first..first.saturating_add(count) {
            let Some(fields) = rows.next().filter(|_| fuel.spend(ROW)) else { return Some(()) };
            let (head, tail) = fields.split_at(kind + second);
            let (head, middle) = head.split_at(kind);
            let (middle, last) = (big_endian(middle), big_endian(tail));
            let place = match if kind == 0 { 1 } else { big_endian(head) } {
                1 => ObjectPlace::Offset(middle),
                2 => ObjectPlace::Bundled { stream: u32::try_from(middle).ok()?, index: last },
                _ => ObjectPlace::Free,
            };
            xref.note(u32::try_from(number).ok()?, place);
        }
    }
    Some(())
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0usize, |value, &byte| value << 8 | usize::from(byte))
}

/// Searches the whole file for `N G obj` and for trailers: what is left when the tables are
/// damaged. Of two objects with one number the later counts.
pub(super) fn scan(bytes: &[u8], fuel: &Fuel) -> Xref {
    let mut xref = Xref::default();
    fuel.search(bytes.len());
    for at in memchr::memmem::find_iter(bytes, b"obj") {
        if let Some((number, offset)) = header_before(bytes, at) {
            xref.places.insert(number, ObjectPlace::Offset(offset));
            fuel.spend(1);
        }
    }
    let trailers: Vec<usize> = memchr::memmem::find_iter(bytes, b"trailer").collect();
    for at in trailers.into_iter().rev() {
        if let Some(Object::Dict(dict)) = Lexer::new(bytes, at + 7, fuel).object() {
            xref.adopt(&dict);
        }
    }
    xref
}

/// The number before `obj` at `at`, and where it begins.
fn header_before(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let (_, at) = number_before(bytes, at)?;
    let (number, at) = number_before(bytes, at)?;
    Some((number, at))
}

fn number_before(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let head = &bytes[at.saturating_sub(32)..at];
    let spaces = head.iter().rev().take_while(|&&b| is_space(b)).count();
    let head = &head[..head.len() - spaces];
    let digits = head.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&head[head.len() - digits..]).ok()?.parse().ok()?;
    Some((number, at - spaces - digits))
}
