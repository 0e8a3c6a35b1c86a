//! Simple fonts: a byte is a code (ISO 32000-1 §9.6). Type 1, TrueType and Type 3.

use super::super::file::PdfFile;
use super::super::object::{Dict, Object};
use super::cmap::CMap;
use super::encoding::{self, Encoding};
use super::program::Program;
use super::{FontStyle, glyphs, is_text, type1, widths};

/// Steps that the name of a glyph costs.
const NAME: usize = 4;

/// What each code means and how wide it is, in thousandths.
#[derive(Debug)]
pub(super) struct SimpleFont {
    texts: Vec<String>,
    widths: Vec<f32>,
}

impl SimpleFont {
    pub(super) fn new(file: &PdfFile, dict: &Dict, style: &FontStyle, unicode: &CMap) -> Self {
        let texts = texts(file, dict, style, unicode);
        let widths = widths_of(file, dict, style, &texts);
        Self { texts, widths }
    }

    pub(super) fn text(&self, code: u8) -> &str {
        &self.texts[usize::from(code)]
    }

    pub(super) fn width(&self, code: u8) -> f32 {
        self.widths[usize::from(code)]
    }
}

/// ToUnicode first, then the differences, then the encoding.
fn texts(file: &PdfFile, dict: &Dict, style: &FontStyle, unicode: &CMap) -> Vec<String> {
    let entry = file.get(dict, "Encoding");
    let silent = is_silent(file, dict, unicode);
    let mut named: Vec<Option<String>> = base(file, dict, &entry, style, silent);
    if let Some(encoding) = entry.dict() {
        differences(file, &file.get(encoding, "Differences"), &mut named);
    }
    let one = |(code, named): (u32, Option<String>)| {
        let told = unicode.text(code).filter(|text| is_text(text));
        told.or(named).unwrap_or_default()
    };
    (0..256).zip(named).map(one).collect()
}

/// Whether ToUnicode leaves out codes that the font has.
fn is_silent(file: &PdfFile, dict: &Dict, unicode: &CMap) -> bool {
    let first = file.get(dict, "FirstChar").count().unwrap_or(0);
    let widths = file.get(dict, "Widths");
    let drawn =
        widths.array().iter().zip(first..256).filter(|(width, _)| width.number() != Some(0.0));
    unicode.is_empty() || drawn.into_iter().any(|(_, code)| unicode.text(code as u32).is_none())
}

fn differences(file: &PdfFile, array: &Object, named: &mut [Option<String>]) {
    let mut code = 0;
    for member in array.array() {
        if !file.fuel.spend(1) {
            return;
        }
        match file.resolve(member) {
            Object::Name(name) => {
                if let Some(slot) = named.get_mut(code).filter(|_| file.fuel.spend(NAME)) {
                    *slot = glyphs::text(&name)
                        .or_else(|| slot.take().filter(|_| name[..] != *b".notdef"));
                }
                code += 1;
            }
            other => code = other.count().unwrap_or(code),
        }
    }
}

/// The encoding that differences are differences to.
fn base(
    file: &PdfFile,
    dict: &Dict,
    entry: &Object,
    style: &FontStyle,
    silent: bool,
) -> Vec<Option<String>> {
    let within =
        entry.dict().map(|encoding| file.get(encoding, "BaseEncoding")).unwrap_or_default();
    let name = entry.name().or_else(|| within.name());
    if let Some(table) = name.and_then(encoding::named) {
        return characters(&table);
    }
    let truetype = file.get(dict, "Subtype").name() == Some(b"TrueType");
    let mut own = characters(&match &style.name {
        name if name.contains("Symbol") => encoding::symbol(),
        name if name.contains("Dingbats") => encoding::dingbats(),
        _ if truetype => encoding::windows(),
        _ => encoding::standard(),
    });
    if silent {
        built_in(file, dict, &mut own);
    }
    own
}

fn characters(table: &Encoding) -> Vec<Option<String>> {
    table.iter().map(|&c| Some(c).filter(|&c| c != '\0').map(String::from)).collect()
}

/// What the embedded font itself says.
fn built_in(file: &PdfFile, dict: &Dict, own: &mut [Option<String>]) {
    let descriptor = file.get(dict, "FontDescriptor");
    let Some(descriptor) = descriptor.dict() else { return };
    if let Some(stream) = file.get(descriptor, "FontFile").stream() {
        for (code, text) in type1::encoding(&file.unpack(stream), file.fuel) {
            own[usize::from(code)] = Some(text);
        }
    }
    for key in ["FontFile2", "FontFile3"] {
        let Some(stream) = file.get(descriptor, key).stream().cloned() else { continue };
        let program = Program::of(file, &stream);
        for code in 0..=255u8 {
            if let Some(text) = program.text_of_code(code).filter(|text| is_text(text)) {
                own[usize::from(code)] = Some(text.to_owned());
            }
        }
    }
}

fn widths_of(file: &PdfFile, dict: &Dict, style: &FontStyle, texts: &[String]) -> Vec<f32> {
    let first = file.get(dict, "FirstChar").count().unwrap_or(0);
    let given = file.get(dict, "Widths");
    let descriptor = file.get(dict, "FontDescriptor");
    let missing = descriptor.dict().map(|descriptor| file.get(descriptor, "MissingWidth"));
    let missing = missing.as_ref().and_then(Object::number);
    let standard = |code: usize| {
        let character = texts[code].chars().next().unwrap_or(' ');
        widths::standard(&style.name, style.bold, style.italic, character)
    };
    let width = |code: usize| {
        let given = code.checked_sub(first).and_then(|at| given.array().get(at));
        given.and_then(|width| file.resolve(width).number())
    };
    let any = !given.array().is_empty();
    let default = |code| if any { missing.unwrap_or(0.0) } else { standard(code) };
    (0..256).map(|code| width(code).unwrap_or_else(|| default(code))).collect()
}
