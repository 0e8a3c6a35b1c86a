//! An embedded font, as far as it tells characters: which glyph a code has and what glyphs mean.

use super::super::file::PdfFile;
use super::super::fuel::Fuel;
use super::super::object::{ObjectId, PdfStream};
use super::{cff, truetype};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Embedded fonts that have been read, by number and generation of their streams.
pub(in super::super) type Programs = RefCell<HashMap<ObjectId, Rc<Program>>>;

#[derive(Debug, Default)]
pub(in super::super) struct Program {
    /// Code to glyph, where the font has an encoding of its own.
    pub(super) codes: HashMap<u32, u32>,
    /// What a glyph means, by a Unicode table or by its name.
    pub(super) texts: HashMap<u32, String>,
}

impl Program {
    /// The font in a stream. Many fonts of a file may share one, which is read once.
    pub(super) fn of(file: &PdfFile, stream: &PdfStream) -> Rc<Self> {
        if let Some(known) = file.programs.borrow().get(&stream.id) {
            return Rc::clone(known);
        }
        let program = Rc::new(Self::read(&file.unpack(stream), file.fuel));
        file.programs.borrow_mut().insert(stream.id, Rc::clone(&program));
        program
    }

    /// Reads a TrueType, OpenType or bare CFF font; what is damaged is missing.
    pub(super) fn read(font: &[u8], fuel: &Fuel) -> Self {
        let mut program = Self::default();
        match font {
            [1, 0, 4..=255, ..] => cff::read(font, &mut program, fuel),
            _ => truetype::read(font, &mut program, fuel),
        };
        program
    }

    /// What the glyph of a code of a simple font means.
    pub(super) fn text_of_code(&self, code: u8) -> Option<&str> {
        let code = u32::from(code);
        // Fonts of symbols have their codes in a private area.
        let glyph = [code, 0xF000 + code].iter().find_map(|code| self.codes.get(code))?;
        self.text_of_glyph(*glyph)
    }

    pub(super) fn text_of_glyph(&self, glyph: u32) -> Option<&str> {
        self.texts.get(&glyph).map(String::as_str)
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_be_bytes)
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_be_bytes)
}
