//! A paper set in lines on pages: one column or two, justified, words cut at line ends, references with hanging
//! indents that go on over columns and pages, footnotes, running heads. Points, from the lower left corner.

use super::paper::{PaperPart, PartKind, TruePaper};
use super::reference::MarkStyle;
use crate::words::PondDice;
use std::sync::LazyLock;

pub(super) const WIDTH: f32 = 612.0;
pub(super) const HEIGHT: f32 = 792.0;
const TOP: f32 = 720.0;
const BOTTOM: f32 = 80.0;
const LEFT: f32 = 72.0;
/// Between two columns.
const GUTTER: f32 = 24.0;
/// Width of a space, in sizes.
const SPACE: f32 = 0.28;
/// Size of footnotes.
const SMALL: f32 = 8.0;

/// A font.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Face {
    #[default]
    Roman,
    Bold,
    Italic,
}

/// Where a line may stand.
#[derive(Clone, Copy, Debug)]
struct LineRoom {
    left: f32,
    width: f32,
    indent: f32,
}

/// A line, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SetLine {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) face: Face,
    pub(super) words: Vec<String>,
    /// Width of the space between its words.
    pub(super) space: f32,
}

pub(super) type SetPage = Vec<SetLine>;

static WIDTHS: LazyLock<Vec<Vec<f32>>> = LazyLock::new(|| {
    let rows = include_str!("../../data/widths.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| line.split(' ').skip(1).filter_map(|width| width.parse().ok()).collect();
    rows.map(row).collect()
});

/// The width of a text.
pub(super) fn width(text: &str, face: Face, size: f32) -> f32 {
    let row = &WIDTHS[match face {
        Face::Roman => 0,
        Face::Bold => 1,
        Face::Italic => 2,
    }];
    let of = |c: char| row.get((c as usize).wrapping_sub(32)).copied().unwrap_or(500.0);
    text.chars().map(of).sum::<f32>() * size / 1000.0
}

/// How a stretch of text is set.
#[derive(Clone, Copy, Debug)]
struct LineSetting {
    size: f32,
    face: Face,
    is_centred: bool,
    is_justified: bool,
    /// Of the first line, and of those that follow.
    indents: [f32; 2],
    /// Above it.
    above: f32,
}

const PLAIN: LineSetting = LineSetting {
    size: 10.0,
    face: Face::Roman,
    is_centred: false,
    is_justified: true,
    indents: [0.0, 0.0],
    above: 0.0,
};

/// Sets a paper in so many columns.
pub(super) fn set(paper: &TruePaper, columns: usize, dice: &mut PondDice) -> Vec<SetPage> {
    let mut sheet = Sheet {
        pages: vec![Vec::new()],
        columns,
        column: 0,
        top: TOP,
        y: TOP,
        floor: BOTTOM,
        notes: Vec::new(),
        head: dice.percent(50).then(|| head(paper)),
        cuts: dice.percent(60),
    };
    let mut in_columns = false;
    for part in &paper.parts {
        let is_header = super::header::field(part.kind).is_some()
            && !matches!(part.kind, PartKind::Abstract | PartKind::Keywords);
        if !is_header && !in_columns {
            in_columns = true;
            sheet.y -= 14.0;
            sheet.top = sheet.y;
        }
        sheet.part(paper, part, is_header);
    }
    sheet.draw_notes();
    sheet.finish();
    sheet.pages
}

fn head(paper: &TruePaper) -> String {
    let words: Vec<&str> = paper.title.split(' ').take(6).collect();
    words.join(" ")
}

struct Sheet {
    pages: Vec<SetPage>,
    columns: usize,
    column: usize,
    /// Where columns of this page begin.
    top: f32,
    y: f32,
    /// Where the lines of this column end: above its footnotes.
    floor: f32,
    /// The footnotes of this column, which are drawn when it is full.
    notes: Vec<String>,
    /// What stands above every page but the first.
    head: Option<String>,
    /// Whether words are cut at the ends of lines.
    cuts: bool,
}

impl Sheet {
    fn column_width(&self) -> f32 {
        let columns = self.columns as f32;
        (WIDTH - 2.0 * LEFT - GUTTER * (columns - 1.0)) / columns
    }

    fn column_left(&self) -> f32 {
        LEFT + self.column as f32 * (self.column_width() + GUTTER)
    }

    fn part(&mut self, paper: &TruePaper, part: &PaperPart, is_header: bool) {
        let setting = setting(part, self.columns, paper.reference_style);
        self.y -= setting.above;
        if !part.cells.is_empty() {
            return self.beside(part, &setting);
        }
        let text = match part.mark.as_str() {
            "" => part.text.clone(),
            mark => format!("{mark} {}", part.text),
        };
        let width = if is_header { WIDTH - 2.0 * LEFT } else { self.column_width() };
        let lines = broken(&text, width, &setting, self.cuts && !is_header);
        let count = lines.len();
        for (at, words) in lines.into_iter().enumerate() {
            let notes =
                if part.kind == PartKind::Paragraph { notes(paper, &words) } else { Vec::new() };
            self.room(setting.size * 1.2, &notes);
            self.y -= setting.size * 1.2;
            let is_justified = setting.is_justified && at + 1 < count;
            let left = if is_header { LEFT } else { self.column_left() };
            self.line(
                words,
                &setting,
                LineRoom { left, width, indent: setting.indents[usize::from(at > 0)] },
                is_justified,
            );
            let rise: usize = notes.iter().map(|note| self.note_lines(note).len()).sum();
            self.floor += rise as f32 * SMALL * 1.2;
            self.notes.extend(notes);
        }
    }

    /// Goes to the next column where a line and its footnotes do not fit.
    fn room(&mut self, line: f32, notes: &[String]) {
        let notes: usize = notes.iter().map(|note| self.note_lines(note).len()).sum();
        if self.y - line < self.floor + notes as f32 * SMALL * 1.2 {
            self.next_column();
        }
    }

    fn next_column(&mut self) {
        self.draw_notes();
        self.column += 1;
        if self.column == self.columns {
            self.finish();
            self.pages.push(Vec::new());
            (self.column, self.top) = (0, TOP);
        }
        (self.y, self.floor) = (self.top, BOTTOM);
    }

    /// Puts the head and the number on a page.
    fn finish(&mut self) {
        let number = self.pages.len();
        let set = |text: String, y: f32| SetLine {
            x: (WIDTH - width(&text, Face::Roman, 9.0)) / 2.0,
            y,
            size: 9.0,
            face: Face::Roman,
            words: text.split(' ').map(str::to_owned).collect(),
            space: 2.25,
        };
        let head = self.head.clone().filter(|_| number > 1).map(|head| set(head, 750.0));
        let Some(page) = self.pages.last_mut() else { return };
        page.splice(0..0, head);
        page.push(set(number.to_string(), 50.0));
    }

    fn line(
        &mut self,
        words: Vec<String>,
        setting: &LineSetting,
        room: LineRoom,
        is_justified: bool,
    ) {
        let LineRoom { left, width: width_there, indent } = room;
        let natural: f32 = words.iter().map(|word| word_width(word, setting)).sum();
        let gaps = words.len().saturating_sub(1) as f32;
        let usual = setting.size * SPACE;
        let space = if is_justified && gaps > 0.0 {
            ((width_there - indent - natural) / gaps).clamp(usual * 0.8, usual * 3.0)
        } else {
            usual
        };
        let x = match setting.is_centred {
            true => left + (width_there - natural - gaps * usual) / 2.0,
            false => left + indent,
        };
        self.put(words, (x, space), setting);
    }

    /// Draws words; small numbers above the line are drawn by themselves.
    fn put(&mut self, words: Vec<String>, (mut x, space): (f32, f32), setting: &LineSetting) {
        let (size, face, y) = (setting.size, setting.face, self.y);
        let Some(page) = self.pages.last_mut() else { return };
        let mut line = SetLine { x, y, size, face, words: Vec::new(), space };
        for word in words {
            let (plain, raised) = word.split_once('^').unwrap_or((&word, ""));
            let raised: (String, &str) = {
                let digits = raised.bytes().take_while(u8::is_ascii_digit).count();
                (raised[..digits].to_owned(), &raised[digits..])
            };
            line.words.push(plain.to_owned());
            x += width(plain, face, size);
            if !raised.0.is_empty() {
                page.push(std::mem::replace(
                    &mut line,
                    SetLine { x, y, size, face, words: Vec::new(), space },
                ));
                let (small, up) = (size * 0.7, size * 0.35);
                page.push(SetLine {
                    x,
                    y: y + up,
                    size: small,
                    face,
                    words: vec![raised.0.clone()],
                    space,
                });
                x += width(&raised.0, face, small);
                line.x = x;
                if raised.1.is_empty() {
                    x += space;
                    line.x = x;
                    continue;
                }
                line.words.push(raised.1.to_owned());
                x += width(raised.1, face, size);
            }
            x += space;
        }
        line.words.retain(|word| !word.is_empty());
        if !line.words.is_empty() {
            page.push(line);
        }
    }

    /// Texts beside each other, each in the middle of its share of the page.
    fn beside(&mut self, part: &PaperPart, setting: &LineSetting) {
        self.y -= setting.size * 1.2;
        let share = (WIDTH - 2.0 * LEFT) / part.cells.len() as f32;
        for (at, cell) in part.cells.iter().enumerate() {
            // What is too wide is set smaller.
            let mut setting = *setting;
            while width(cell, setting.face, setting.size) > share - 14.0 && setting.size > 5.0 {
                setting.size -= 0.5;
            }
            let words = cell.split(' ').map(str::to_owned).collect();
            let room = LineRoom { left: LEFT + share * at as f32, width: share, indent: 0.0 };
            self.line(words, &setting, room, false);
        }
    }

    fn note_lines(&self, note: &str) -> Vec<Vec<String>> {
        let setting = LineSetting { size: SMALL, ..PLAIN };
        broken(note, self.column_width(), &setting, false)
    }

    /// Puts the footnotes at the foot of the column.
    fn draw_notes(&mut self) {
        let left = self.column_left();
        self.y = self.floor;
        let setting = LineSetting { size: SMALL, ..PLAIN };
        for note in std::mem::take(&mut self.notes) {
            for words in self.note_lines(&note) {
                self.y -= SMALL * 1.2;
                self.put(words, (left, SMALL * SPACE), &setting);
            }
        }
    }
}

/// The footnotes that words call for.
fn notes(paper: &TruePaper, words: &[String]) -> Vec<String> {
    if paper.reference_style != MarkStyle::Footnote {
        return Vec::new();
    }
    let numbers = words.iter().filter_map(|word| word.split_once('^'));
    let found = numbers.filter_map(|(_, number)| {
        paper.references.iter().find(|reference| reference.mark == number)
    });
    found.map(|reference| format!("^{} {}", reference.mark, reference.text)).collect()
}

fn setting(part: &PaperPart, columns: usize, marks: MarkStyle) -> LineSetting {
    let centred = LineSetting { is_centred: true, is_justified: false, ..PLAIN };
    match part.kind {
        PartKind::Note => LineSetting { is_justified: false, size: 9.0, ..PLAIN },
        PartKind::Title => LineSetting { size: 16.0, face: Face::Bold, above: 12.0, ..centred },
        PartKind::Author => LineSetting { size: 12.0, above: 8.0, ..centred },
        PartKind::Email | PartKind::Address | PartKind::Affiliation => centred,
        PartKind::Date => LineSetting { above: 8.0, ..centred },
        PartKind::AbstractHeading => LineSetting { face: Face::Bold, above: 12.0, ..centred },
        PartKind::Abstract if columns == 1 => {
            LineSetting { indents: [18.0, 18.0], above: 4.0, ..PLAIN }
        }
        PartKind::Abstract => LineSetting { face: Face::Italic, above: 4.0, ..PLAIN },
        PartKind::Keywords => LineSetting { above: 6.0, ..PLAIN },
        PartKind::Heading | PartKind::ReferencesHeading => {
            LineSetting { size: 12.0, face: Face::Bold, above: 10.0, is_justified: false, ..PLAIN }
        }
        PartKind::Paragraph => LineSetting { indents: [12.0, 0.0], ..PLAIN },
        PartKind::Reference => match marks {
            MarkStyle::Bracket | MarkStyle::Number => {
                LineSetting { size: 9.0, indents: [0.0, 16.0], above: 2.0, ..PLAIN }
            }
            _ => LineSetting { size: 9.0, indents: [0.0, 12.0], above: 2.0, ..PLAIN },
        },
    }
}

/// The width of a word whose small numbers stand above the line.
fn word_width(word: &str, setting: &LineSetting) -> f32 {
    let (plain, raised) = word.split_once('^').unwrap_or((word, ""));
    width(plain, setting.face, setting.size) + width(raised, setting.face, setting.size * 0.7)
}

/// A text in lines that are no wider.
fn broken(text: &str, width: f32, setting: &LineSetting, cuts: bool) -> Vec<Vec<String>> {
    let space = setting.size * SPACE;
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    let mut used = setting.indents[0];
    let mut words: Vec<String> = text.split(' ').rev().map(str::to_owned).collect();
    while let Some(word) = words.pop() {
        let wide = word_width(&word, setting);
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() || used + wide <= width {
            used += wide + space;
            line.push(word);
            continue;
        }
        let is_plain = word.len() >= 8 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let at = (word.len() / 2).clamp(3, 6);
        if cuts && is_plain && used + word_width(&word[..at], setting) + space <= width {
            line.push(format!("{}-", &word[..at]));
            words.push(word[at..].to_owned());
        } else {
            words.push(word);
        }
        lines.push(Vec::new());
        used = setting.indents[1];
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::departments::Departments;

    #[test]
    fn lines_fit_their_columns_and_stand_below_each_other() {
        let pond = Departments::new(1);
        for number in 0..20 {
            let paper = pond.paper(number);
            for columns in [1, 2] {
                let pages = set(&paper, columns, &mut PondDice::new(3));
                assert!(pages.len() < 20, "{}", pages.len());
                for line in pages.iter().flatten() {
                    let words: f32 =
                        line.words.iter().map(|w| width(w, line.face, line.size)).sum();
                    let end = line.x + words + line.space * (line.words.len() as f32 - 1.0);
                    assert!(line.x >= 40.0 && end < WIDTH - 40.0, "{line:?}");
                    assert!((40.0..HEIGHT).contains(&line.y), "{line:?}");
                }
            }
        }
    }

    #[test]
    fn words_are_cut_at_the_ends_of_lines() {
        let lines = broken("nets of extraordinary length", 72.0, &PLAIN, true);
        let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        assert_eq!(lines, ["nets of extrao-", "rdinary length"]);
    }
}
