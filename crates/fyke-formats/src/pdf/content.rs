//! Content streams: follows the operators that move and draw text (ISO 32000-1 §8.4, §9.3, §9.4)
//! and notes what is drawn where. Lines, pictures and colours mean nothing here.

use super::file::PdfFile;
use super::font::{Font, ShownCode};
use super::lexer::{Lexer, PdfItem, is_space};
use super::matrix::Matrix;
use super::object::{Dict, Object};
use super::page::{self, PdfPage};
use super::sheet::{PdfSheet, Pen};
use super::strings;
use std::collections::HashMap;
use std::rc::Rc;

/// Forms inside forms.
const DEEPEST: usize = 10;
/// Operands of one operator, and states that are kept; more are dropped.
const MOST_OPERANDS: usize = 64;
const MOST_STATES: usize = 256;
/// Steps that a text to stand instead of glyphs costs.
const MARK: usize = 40;
/// Points that a glyph may be high or wide.
const LARGEST: f32 = 10_000.0;

/// Fonts of a file by the number of their object.
pub(super) type Fonts = HashMap<u32, Option<Rc<Font>>>;

/// What `q` keeps and `Q` gives back.
#[derive(Clone, Debug)]
struct GraphicsState {
    ctm: Matrix,
    font: Option<Rc<Font>>,
    size: f32,
    character_spacing: f32,
    word_spacing: f32,
    scale: f32,
    leading: f32,
    rise: f32,
}

/// One stream being followed.
struct StreamRun<'r> {
    resources: &'r Dict,
    state: GraphicsState,
    kept: Vec<GraphicsState>,
    matrix: Matrix,
    line: Matrix,
    depth: usize,
    /// Character spacing belongs to the glyphs, as in letterspaced titles; else it parts words.
    tracked: bool,
}

struct Painter<'p, 'a> {
    file: &'p PdfFile<'a>,
    fonts: &'p mut Fonts,
    sheet: PdfSheet,
    frame: [f32; 4],
    /// Marked content that is open: the first glyph and the text to stand instead of it.
    marks: Vec<Option<(usize, String)>>,
}

/// Everything drawn on a page.
pub(super) fn paint(file: &PdfFile, fonts: &mut Fonts, page: &PdfPage) -> PdfSheet {
    let mut painter =
        Painter { file, fonts, sheet: PdfSheet::default(), frame: page.frame, marks: Vec::new() };
    let bytes = page::content(file, page);
    painter.run(&bytes, &page.resources, Matrix::IDENTITY, 0);
    painter.sheet
}

impl Painter<'_, '_> {
    fn run(&mut self, bytes: &[u8], resources: &Dict, ctm: Matrix, depth: usize) {
        let state = GraphicsState {
            ctm,
            font: None,
            size: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        let (matrix, line) = (Matrix::IDENTITY, Matrix::IDENTITY);
        let mut run =
            StreamRun { resources, state, kept: Vec::new(), matrix, line, depth, tracked: true };
        let mut lexer = Lexer::new(bytes, 0, self.file.fuel);
        let mut operands = Vec::new();
        while let Some(item) = lexer.item() {
            match item {
                PdfItem::Object(object) if operands.len() < MOST_OPERANDS => operands.push(object),
                PdfItem::Object(_) => {}
                PdfItem::Word(b"BI") => skip_picture(&mut lexer),
                PdfItem::Word(operator) => {
                    self.operate(&mut run, operator, &operands);
                    operands.clear();
                }
            }
        }
    }

    fn operate(&mut self, run: &mut StreamRun, operator: &[u8], operands: &[Object]) {
        match operator {
            b"Tj" => self.show(run, operands.last()),
            b"TJ" => self.show_spaced(run, operands.last()),
            b"'" => {
                run.next_line();
                self.show(run, operands.last());
            }
            b"\"" => {
                let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or(0.0);
                (run.state.word_spacing, run.state.character_spacing) = (number(0), number(1));
                run.next_line();
                self.show(run, operands.last());
            }
            b"Tf" => self.choose(run, operands),
            b"gs" => self.choose_by_state(run, operands),
            b"Do" => self.form(run, operands),
            b"BDC" | b"BMC" => self.mark(run, operands),
            b"EMC" => {
                if let Some(Some((first, text))) = self.marks.pop() {
                    self.sheet.replace(first, &text);
                }
            }
            _ => run.arrange(operator, operands),
        }
    }

    fn choose(&mut self, run: &mut StreamRun, operands: &[Object]) {
        let [Object::Name(name), size] = operands else { return };
        let fonts = self.file.get(run.resources, "Font");
        let entry = fonts.dict().map(|fonts| fonts.entry(name).clone()).unwrap_or_default();
        run.state.font = self.font(&entry);
        run.state.size = size.number().unwrap_or(0.0);
    }

    /// A graphics state may name a font too.
    fn choose_by_state(&mut self, run: &mut StreamRun, operands: &[Object]) {
        let Some(name) = operands.last().and_then(Object::name) else { return };
        let states = self.file.get(run.resources, "ExtGState");
        let Some(state) = states.dict().map(|states| self.file.resolve(states.entry(name))) else {
            return;
        };
        let entry = state.dict().map(|state| self.file.get(state, "Font")).unwrap_or_default();
        if let [font, size] = entry.array() {
            run.state.font = self.font(font);
            run.state.size = self.file.resolve(size).number().unwrap_or(0.0);
        }
    }

    fn font(&mut self, entry: &Object) -> Option<Rc<Font>> {
        if let Object::Reference(number) = entry
            && let Some(known) = self.fonts.get(number)
        {
            return known.clone();
        }
        let dict = self.file.resolve(entry);
        // A font costs more to read than its few tokens.
        let affordable = self.file.fuel.spend(1000);
        let font = dict.dict().filter(|_| affordable).and_then(|dict| Font::new(self.file, dict));
        let font = font.map(Rc::new);
        if let Object::Reference(number) = entry {
            self.fonts.insert(*number, font.clone());
        }
        font
    }

    fn show(&mut self, run: &mut StreamRun, operand: Option<&Object>) {
        let (Some(text), Some(font)) = (operand.and_then(Object::text), run.state.font.clone())
        else {
            return;
        };
        let linear = run.matrix.then(&run.state.ctm).0;
        let (right, up) = ((linear[0], linear[1]), (linear[2], linear[3]));
        let vertical = font.is_vertical();
        let GraphicsState { size, scale, .. } = run.state;
        let sign = if size * scale < 0.0 { -1.0 } else { 1.0 };
        let (x, y) = if vertical { (-up.0, -up.1) } else { (right.0 * sign, right.1 * sign) };
        let angle = y.atan2(x).to_degrees().round() as i16;
        let angle = if angle == -180 { 180 } else { angle };
        let height = size.abs() * up.0.hypot(up.1) * font.height;
        let stretch = x.hypot(y);
        let fuel = self.file.fuel;
        font.show(text, |shown| {
            if !fuel.spend(1 + shown.text.len() / 4) {
                return;
            }
            let advance = run.advance(&shown, vertical);
            let (x, y) = run.matrix.then(&run.state.ctm).apply(0.0, run.state.rise);
            let (bold, italic) = (font.style.bold, font.style.italic);
            let spacing = if run.tracked { 0.0 } else { run.state.character_spacing * scale };
            let reach = (advance - spacing).abs() * stretch;
            let pen = Pen { x, y, advance: reach, size: height, angle, bold, italic };
            self.draw(&shown, pen);
            let (tx, ty) = if vertical { (0.0, -advance) } else { (advance, 0.0) };
            run.matrix = Matrix::translation(tx, ty).then(&run.matrix);
        });
    }

    fn draw(&mut self, shown: &ShownCode, pen: Pen) {
        let [left, bottom, right, top] = self.frame;
        let inside = pen.x >= left - pen.size
            && pen.x <= right + pen.size
            && pen.y >= bottom - pen.size
            && pen.y <= top + pen.size;
        let sized = pen.size > 0.0 && pen.size < LARGEST && pen.advance < LARGEST;
        if !inside || !sized {
            return;
        }
        match (shown.text, shown.is_space) {
            ("", true) => self.sheet.draw(" ", pen),
            ("", false) => self.sheet.lost += 1,
            (text, _) => self.sheet.draw(text, pen),
        }
        if self.sheet.full {
            self.file.fuel.cut();
        }
    }

    fn show_spaced(&mut self, run: &mut StreamRun, operand: Option<&Object>) {
        let vertical = run.state.font.as_ref().is_some_and(|font| font.is_vertical());
        run.tracked = !run.takes_spacing_back(operand);
        for member in operand.map(Object::array).unwrap_or_default() {
            let Some(offset) = member.number() else {
                self.show(run, Some(member));
                continue;
            };
            let offset = -offset / 1000.0 * run.state.size;
            let (tx, ty) = if vertical { (0.0, offset) } else { (offset * run.state.scale, 0.0) };
            run.matrix = Matrix::translation(tx, ty).then(&run.matrix);
        }
        run.tracked = true;
    }

    fn form(&mut self, run: &StreamRun, operands: &[Object]) {
        let Some(name) = operands.last().and_then(Object::name) else { return };
        let forms = self.file.get(run.resources, "XObject");
        let Some(object) = forms.dict().map(|forms| self.file.resolve(forms.entry(name))) else {
            return;
        };
        let Some(stream) = object.stream().filter(|_| run.depth < DEEPEST) else { return };
        if self.file.get(&stream.dict, "Subtype").name() != Some(b"Form") {
            return;
        }
        let matrix = self.file.numbers_of(&self.file.get(&stream.dict, "Matrix"));
        let ctm = Matrix::from_numbers(&matrix).then(&run.state.ctm);
        let own = self.file.get(&stream.dict, "Resources");
        let resources = own.dict().map_or(run.resources, |own| own);
        if self.file.fuel.spend(100) {
            let marks = self.marks.len();
            self.run(&self.file.unpack(stream), resources, ctm, run.depth + 1);
            self.marks.truncate(marks);
        }
    }

    /// Marked content may say which text its glyphs stand for.
    fn mark(&mut self, run: &StreamRun, operands: &[Object]) {
        if self.marks.len() > MOST_STATES {
            return;
        }
        let list = match operands.get(1) {
            Some(Object::Name(name)) => {
                let lists = self.file.get(run.resources, "Properties");
                lists.dict().map(|lists| self.file.resolve(lists.entry(name))).unwrap_or_default()
            }
            other => other.cloned().unwrap_or_default(),
        };
        let actual = list.dict().map(|list| self.file.get(list, "ActualText")).unwrap_or_default();
        let nested = self.marks.iter().any(Option::is_some);
        let affordable = |text: &&[u8]| !nested && self.file.fuel.spend(MARK + text.len() / 4);
        let text = actual.text().filter(affordable).map(strings::decode);
        self.marks.push(text.map(|text| (self.sheet.glyphs.len(), text)));
    }
}

impl StreamRun<'_> {
    /// Operators that only change the state.
    fn arrange(&mut self, operator: &[u8], operands: &[Object]) {
        let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or(0.0);
        match operator {
            b"q" if self.kept.len() < MOST_STATES => self.kept.push(self.state.clone()),
            b"Q" => self.state = self.kept.pop().unwrap_or_else(|| self.state.clone()),
            b"cm" => self.state.ctm = matrix(operands).then(&self.state.ctm),
            b"BT" => (self.matrix, self.line) = (Matrix::IDENTITY, Matrix::IDENTITY),
            b"Tm" => {
                self.line = matrix(operands);
                self.matrix = self.line;
            }
            b"Td" => self.move_line(number(0), number(1)),
            b"TD" => {
                self.state.leading = -number(1);
                self.move_line(number(0), number(1));
            }
            b"T*" => self.next_line(),
            b"Tc" => self.state.character_spacing = number(0),
            b"Tw" => self.state.word_spacing = number(0),
            b"Tz" => self.state.scale = number(0) / 100.0,
            b"TL" => self.state.leading = number(0),
            b"Ts" => self.state.rise = number(0),
            _ => {}
        }
    }

    fn move_line(&mut self, x: f32, y: f32) {
        self.line = Matrix::translation(x, y).then(&self.line);
        self.matrix = self.line;
    }

    fn next_line(&mut self) {
        self.move_line(0.0, -self.state.leading);
    }

    /// Some writers space all characters apart and pull those of a word together again.
    fn takes_spacing_back(&self, operand: Option<&Object>) -> bool {
        let least = 0.5 * self.state.character_spacing;
        let pulled = |member: &Object| {
            member.number().is_some_and(|offset| offset / 1000.0 * self.state.size > least)
        };
        least > 0.0 && operand.map(Object::array).unwrap_or_default().iter().any(pulled)
    }

    /// How far a code moves, in text space.
    fn advance(&self, shown: &ShownCode, vertical: bool) -> f32 {
        let GraphicsState { size, character_spacing, word_spacing, scale, .. } = self.state;
        let word_spacing = if shown.is_space { word_spacing } else { 0.0 };
        let width = shown.width * size;
        if vertical {
            width - character_spacing - word_spacing
        } else {
            (width + character_spacing + word_spacing) * scale
        }
    }
}

fn matrix(operands: &[Object]) -> Matrix {
    let numbers: Vec<f32> = operands.iter().filter_map(Object::number).collect();
    Matrix::from_numbers(&numbers)
}

/// Passes over a picture among the operators: from `BI` to an `EI` that stands alone.
fn skip_picture(lexer: &mut Lexer) {
    while let Some(item) = lexer.item() {
        if item == PdfItem::Word(b"ID") {
            break;
        }
    }
    let rest = lexer.rest();
    let alone = |at: &usize| {
        let before = at.checked_sub(1).is_none_or(|before| is_space(rest[before]));
        before && rest.get(at + 2).is_none_or(|&after| is_space(after))
    };
    let end = memchr::memmem::find_iter(rest, b"EI").find(alone);
    lexer.at += end.map_or(rest.len(), |end| end + 2);
}
