//! Composite fonts: codes of several bytes (ISO 32000-1 §9.7). What a code means is told by
//! ToUnicode, by the name of its CMap where that is an encoding of text, or by the embedded font.

use super::super::file::PdfFile;
use super::super::object::{Dict, Object};
use super::cid_widths::CidWidths;
use super::cmap::{CMap, big_endian};
use super::program::Program;
use super::{is_text, japan};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS, UTF_16BE};
use std::rc::Rc;

/// How codes are cut out of bytes, and what they say by themselves.
#[derive(Debug)]
enum Codes {
    /// Two bytes, the number of a glyph.
    Identity,
    /// The text itself, in this encoding.
    Text(&'static encoding_rs::Encoding),
    /// As a CMap in the file says.
    Own(Box<CMap>),
}

/// Parts of the names of predefined CMaps (`GBK-EUC-H`) with the encoding of their codes; the first
/// that fits counts.
const PREDEFINED: &[(&str, &encoding_rs::Encoding)] = &[
    ("UCS2", UTF_16BE),
    ("UTF16", UTF_16BE),
    ("RKSJ", SHIFT_JIS),
    ("GB", GBK),
    ("B5", BIG5),
    ("HKscs", BIG5),
    ("KSC", EUC_KR),
    ("EUC", EUC_JP),
];

#[derive(Debug)]
pub(super) struct Composite {
    codes: Codes,
    widths: CidWidths,
    default_width: f32,
    font: Option<Rc<Program>>,
    /// Which glyph of the embedded font a CID is, two bytes each; empty where it is the same.
    glyphs: Vec<u8>,
    /// What glyphs of the font's collection mean, where the font says which it is.
    collection: Option<fn(u32) -> Option<String>>,
    pub(super) vertical: bool,
}

/// A code of a string: its number, its length, its glyph.
pub(super) struct CharCode {
    pub(super) number: u32,
    pub(super) length: usize,
    cid: u32,
}

impl Composite {
    pub(super) fn new(file: &PdfFile, dict: &Dict, unicode: &CMap) -> Option<Self> {
        let descendants = file.get(dict, "DescendantFonts");
        let descendant = file.resolve(descendants.array().first()?);
        let descendant = descendant.dict()?;
        let (codes, vertical) = codes(file, &file.get(dict, "Encoding"));
        let information = file.get(descendant, "CIDSystemInfo");
        let ordering =
            information.dict().map(|dict| file.get(dict, "Ordering")).unwrap_or_default();
        let map = file.get(descendant, "CIDToGIDMap");
        let embedded = unicode.is_empty() && !matches!(codes, Codes::Text(_));
        Some(Self {
            codes,
            widths: widths(file, &file.get(descendant, "W")),
            default_width: file.get(descendant, "DW").number().unwrap_or(1000.0),
            font: Some(descendant).filter(|_| embedded).and_then(|dict| program(file, dict)),
            glyphs: map.stream().map(|stream| file.unpack(stream)).unwrap_or_default(),
            collection: match ordering.text() {
                Some(b"Japan1") => Some(japan::text),
                Some(b"GB1" | b"CNS1" | b"Korea1") => Some(latin),
                _ => None,
            },
            vertical,
        })
    }

    /// The code at the head of `bytes`, which are not empty.
    pub(super) fn code(&self, bytes: &[u8]) -> CharCode {
        let (number, length) = match &self.codes {
            Codes::Identity => pair(bytes),
            Codes::Own(cmap) => cmap.code(bytes).unwrap_or_else(|| pair(bytes)),
            Codes::Text(encoding) => {
                let length = character_length(encoding, bytes);
                (big_endian(&bytes[..length]), length)
            }
        };
        let cid = match &self.codes {
            Codes::Own(cmap) => cmap.cid(number).unwrap_or(number),
            Codes::Text(_) if (0x20..0x7F).contains(&number) => number - 31,
            Codes::Identity | Codes::Text(_) => number,
        };
        CharCode { number, length, cid }
    }

    pub(super) fn width(&self, code: &CharCode) -> f32 {
        let narrow = matches!(&self.codes, Codes::Text(encoding) if *encoding != UTF_16BE)
            && code.length == 1;
        let default = if narrow { 500.0 } else { self.default_width };
        self.widths.get(code.cid).unwrap_or(default)
    }

    /// What a code means if ToUnicode does not say.
    pub(super) fn text(&self, code: &CharCode, bytes: &[u8]) -> Option<String> {
        if let Codes::Text(encoding) = &self.codes {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[..code.length]);
            return Some(text.into_owned()).filter(|text| is_text(text));
        }
        let at = 2 * code.cid as usize;
        let glyph = self.glyphs.get(at..at + 2).map_or(code.cid, big_endian);
        let embedded = self.font.as_ref().and_then(|font| font.text_of_glyph(glyph));
        let collected = || self.collection.and_then(|text| text(code.cid));
        embedded.map(str::to_owned).or_else(collected)
    }
}

/// The first glyphs of each of Adobe's collections are ASCII.
fn latin(glyph: u32) -> Option<String> {
    (1..=95).contains(&glyph).then(|| char::from_u32(glyph + 0x1F).map(String::from)).flatten()
}

fn pair(bytes: &[u8]) -> (u32, usize) {
    let length = bytes.len().min(2);
    (big_endian(&bytes[..length]), length)
}

/// Bytes of the character at the head of `bytes`.
fn character_length(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> usize {
    let surrogate = |byte: &u8| (0xD8..0xDC).contains(byte);
    let length = match bytes[0] {
        _ if encoding == UTF_16BE => 2 + 2 * usize::from(bytes.first().is_some_and(surrogate)),
        0..=0x80 | 0xFF => 1,
        0xA0..=0xDF if encoding == SHIFT_JIS => 1,
        _ => 2,
    };
    length.min(bytes.len())
}

/// The CMap of a font, and whether it writes downwards.
fn codes(file: &PdfFile, entry: &Object) -> (Codes, bool) {
    if let Some(stream) = entry.stream() {
        let cmap = CMap::parse(&file.unpack(stream), file.fuel);
        let vertical = cmap.vertical;
        return (Codes::Own(Box::new(cmap)), vertical);
    }
    let name = String::from_utf8_lossy(entry.name().unwrap_or_default()).into_owned();
    let vertical = name.ends_with("-V") || name == "V";
    let row =
        PREDEFINED.iter().find(|(part, _)| name.contains(part) && !name.starts_with("Identity"));
    (row.map_or(Codes::Identity, |row| Codes::Text(row.1)), vertical)
}

/// `/W`: `first [w w w]` and `first last w`.
fn widths(file: &PdfFile, array: &Object) -> CidWidths {
    let mut widths = CidWidths::default();
    let mut members = array.array().iter().map(|member| file.resolve(member));
    while let (Some(first), Some(second)) = (members.next(), members.next()) {
        if !file.fuel.spend(1) {
            break;
        }
        let Some(first) = number(&first) else { continue };
        if let Object::Array(row) = &second {
            for (cid, width) in (first..=u32::MAX).zip(row.iter()) {
                let width = file.resolve(width).number().unwrap_or(0.0);
                if !widths.insert((cid, cid), width, file.fuel) {
                    return widths;
                }
            }
        } else if let (Some(last), Some(width)) =
            (number(&second), members.next().and_then(|width| width.number()))
            && !widths.insert((first, last), width, file.fuel)
        {
            break;
        }
    }
    widths
}

fn number(object: &Object) -> Option<u32> {
    object.count().and_then(|number| u32::try_from(number).ok())
}

fn program(file: &PdfFile, descendant: &Dict) -> Option<Rc<Program>> {
    let descriptor = file.get(descendant, "FontDescriptor");
    let descriptor = descriptor.dict()?;
    let streams = ["FontFile2", "FontFile3"].map(|key| file.get(descriptor, key));
    let stream = streams.iter().find_map(|stream| stream.stream())?;
    Some(Program::of(file, stream))
}
