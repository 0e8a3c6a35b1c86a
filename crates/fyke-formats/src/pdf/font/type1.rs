//! The built-in encoding of an embedded Type 1 font: its clear text has a line for each code.

use super::super::fuel::Fuel;
use super::super::lexer::{Lexer, PdfItem};
use super::super::object::Object;
use super::glyphs;

/// Where the clear text of a font ends at the latest.
const LONGEST: usize = 64 << 10;

/// Codes with their texts.
pub(super) fn encoding(font: &[u8], fuel: &Fuel) -> Vec<(u8, String)> {
    let clear = &font[..font.len().min(LONGEST)];
    let clear = memchr::memmem::find(clear, b"eexec").map_or(clear, |end| &clear[..end]);
    let Some(at) = memchr::memmem::find(clear, b"/Encoding") else { return Vec::new() };
    let mut lexer = Lexer::new(clear, at + 9, fuel);
    let mut rows = Vec::new();
    let mut operands: Vec<Object> = Vec::new();
    while let Some(item) = lexer.item() {
        match item {
            PdfItem::Object(object) => operands.push(object),
            PdfItem::Word(b"put") => {
                if let [.., Object::Integer(code), Object::Name(name)] = &operands[..]
                    && let (Ok(code), Some(text)) = (u8::try_from(*code), glyphs::text(name))
                {
                    rows.push((code, text));
                }
                operands.clear();
            }
            PdfItem::Word(b"def" | b"readonly") => break,
            PdfItem::Word(_) => {}
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_tells_its_codes() {
        let font = b"/FontName /X def /Encoding 256 array 0 1 255 {1 index exch /.notdef put} for
            dup 1 /A put dup 12 /fi put readonly def dup 3 /B put currentfile eexec";
        let rows = encoding(font, &Fuel::default());
        assert_eq!(rows, [(1, "A".to_owned()), (12, "\u{FB01}".to_owned())]);
    }
}
