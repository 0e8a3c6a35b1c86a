//! Fonts: what the bytes of a string say and how far they reach (ISO 32000-1 §9.5–9.10).

mod cff;
mod cid_widths;
mod cmap;
mod composite;
pub(super) mod encoding;
mod glyphs;
mod japan;
mod program;
mod simple;
mod truetype;
mod type1;
mod widths;

pub(super) use program::Programs;

use super::file::PdfFile;
use super::object::Dict;
use cmap::CMap;
use composite::Composite;
use simple::SimpleFont;

/// What a font is called and looks like.
#[derive(Clone, Debug, Default)]
pub(super) struct FontStyle {
    name: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

#[derive(Debug)]
enum FontKind {
    Simple(SimpleFont),
    Composite(Box<Composite>),
}

#[derive(Debug)]
pub(super) struct Font {
    kind: FontKind,
    unicode: CMap,
    pub(super) style: FontStyle,
    /// Text space of a unit of width, and of the font's height.
    scale: f32,
    pub(super) height: f32,
}

/// One code of a string: its text, its width in text space, and whether word spacing counts on it.
pub(super) struct ShownCode<'t> {
    pub(super) text: &'t str,
    pub(super) width: f32,
    pub(super) is_space: bool,
}

/// Parts of names of bold and of slanted fonts; the last ones are TeX's.
const BOLD: &[&str] = &["Bold", "Black", "Heavy", "Demi", "bold", "CMBX", "SFBX", "LMRomanDemi"];
const ITALIC: &[&str] = &["Italic", "Oblique", "italic", "Slanted", "CMTI", "CMSL", "SFTI", "CMMI"];

impl Font {
    pub(super) fn new(file: &PdfFile, dict: &Dict) -> Option<Self> {
        let unicode = match file.get(dict, "ToUnicode").stream() {
            Some(stream) => CMap::parse(&file.unpack(stream), file.fuel),
            None => CMap::default(),
        };
        let style = style(file, dict);
        let subtype = file.get(dict, "Subtype");
        let kind = if subtype.name() == Some(b"Type0") {
            FontKind::Composite(Box::new(Composite::new(file, dict, &unicode)?))
        } else {
            FontKind::Simple(SimpleFont::new(file, dict, &style, &unicode))
        };
        let (mut scale, mut height) = (0.001, 1.0);
        if subtype.name() == Some(b"Type3") {
            (scale, height) = drawn(file, dict);
        }
        Some(Self { kind, unicode, style, scale, height })
    }

    /// Whether lines run downwards.
    pub(super) fn is_vertical(&self) -> bool {
        matches!(&self.kind, FontKind::Composite(font) if font.vertical)
    }

    /// Calls `each` with every code of a string.
    pub(super) fn show(&self, bytes: &[u8], mut each: impl FnMut(ShownCode)) {
        match &self.kind {
            FontKind::Simple(font) => {
                for &code in bytes {
                    let width = font.width(code) * self.scale;
                    each(ShownCode { text: font.text(code), width, is_space: code == b' ' });
                }
            }
            FontKind::Composite(font) => {
                let mut rest = bytes;
                while !rest.is_empty() {
                    let code = font.code(rest);
                    let told = self.unicode.text(code.number).filter(|text| is_text(text));
                    let text = told.or_else(|| font.text(&code, rest)).unwrap_or_default();
                    let width = if font.vertical { 1.0 } else { font.width(&code) * self.scale };
                    let is_space = code.length == 1 && code.number == 32;
                    each(ShownCode { text: &text, width, is_space });
                    rest = &rest[code.length..];
                }
            }
        }
    }
}

/// Whether a font's word for a code can be believed: neither empty nor a mark of ignorance.
fn is_text(text: &str) -> bool {
    let hollow = |c: char| c == '\u{FFFD}' || c == '\0' || (c.is_control() && !c.is_whitespace());
    !text.is_empty() && !text.contains(hollow)
}

fn style(file: &PdfFile, dict: &Dict) -> FontStyle {
    let name = file.get(dict, "BaseFont");
    let name = String::from_utf8_lossy(name.name().unwrap_or_default()).into_owned();
    let descriptor = file.get(dict, "FontDescriptor");
    let flags = descriptor.dict().and_then(|descriptor| file.get(descriptor, "Flags").integer());
    let flags = flags.unwrap_or(0);
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let (bold, italic) = (flags & 1 << 18 != 0 || has(BOLD), flags & 1 << 6 != 0 || has(ITALIC));
    FontStyle { name, bold, italic }
}

/// The scale of a font whose glyphs are drawings, and how high they are.
fn drawn(file: &PdfFile, dict: &Dict) -> (f32, f32) {
    let matrix = file.numbers_of(&file.get(dict, "FontMatrix"));
    let frame = file.numbers_of(&file.get(dict, "FontBBox"));
    let scale = matrix.first().map_or(0.001, |scale| scale.abs());
    let upright = matrix.get(3).map_or(0.001, |scale| scale.abs());
    let height = frame.get(3).zip(frame.get(1)).map_or(0.0, |(top, bottom)| top - bottom);
    (scale, if height > 0.0 { height * upright } else { 1000.0 * upright })
}
