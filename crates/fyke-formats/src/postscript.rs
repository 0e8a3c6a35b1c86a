//! PostScript without running it: the strings that operators show, with the moves between them.
//! Programs that draw their text in loops or encode their fonts need a real interpreter.

mod token;

use super::Converted;
use super::markup::Markup;
use token::{PostscriptToken, PostscriptTokens};

/// Most operands that are kept before an operator.
const MOST_OPERANDS: usize = 2_000;
/// A step to the left of this many thousandths of the size is a gap between words.
const GAP: f64 = -180.0;
/// Resolution of TeX's output where it is not named.
const USUAL_DPI: f64 = 600.0;

/// Operators that take a string for something else than to show it.
const SILENT: &[&str] = &[
    "def",
    "put",
    "cvn",
    "cvx",
    "run",
    "print",
    "=",
    "==",
    "length",
    "eq",
    "ne",
    "search",
    "get",
    "anchorsearch",
    "token",
    "findfont",
    "definefont",
    "readhexstring",
    "readstring",
    "file",
    "putinterval",
    "getinterval",
    "pdfmark",
    "setmarks",
    "store",
    "exch",
    "pop",
    "begin",
    "load",
    "known",
    "where",
    "stopped",
    "exec",
    "bind",
    "charpath",
    "stringwidth",
    "filter",
    "imagemask",
    "@start",
    "setuserparams",
    "setsystemparams",
    "defineresource",
    "findresource",
    "dup",
    "N",
    "B",
    "X",
    "image",
    "D",
    "E",
    "IE",
    "I",
    "rf",
];

/// What waits for its operator.
#[derive(Debug)]
enum Operand {
    Number(f64),
    String(Vec<u8>),
    Other,
}

struct PostscriptReading {
    markup: Markup,
    operands: Vec<Operand>,
    /// The line now shown.
    line: String,
    /// Where the last line stood.
    height: Option<f64>,
    /// TeX's way of output: the gap between words, and the step last made.
    tex_gap: Option<f64>,
    step: f64,
    page: usize,
}

pub(super) fn convert(bytes: &[u8]) -> Converted {
    let mut reading = PostscriptReading {
        markup: Markup::default(),
        operands: Vec::new(),
        line: String::new(),
        height: None,
        tex_gap: tex_gap(bytes),
        step: 0.0,
        page: 1,
    };
    let mut title = String::new();
    let mut reads_itself = false;
    let mut tokens = PostscriptTokens::new(bytes);
    while let Some(token) = tokens.next() {
        match token {
            // The program goes on in an encoded form, which is no text.
            PostscriptToken::Operator("exec" | "image" | "imagemask") if reads_itself => {
                tokens.skip_encoded();
            }
            PostscriptToken::Operator("currentfile") => reads_itself = true,
            PostscriptToken::Number(number) => reading.push(Operand::Number(number)),
            PostscriptToken::String(string) => reading.push(Operand::String(string)),
            PostscriptToken::Name | PostscriptToken::Bracket => reading.push(Operand::Other),
            PostscriptToken::Operator(operator) => reading.run(operator),
            PostscriptToken::Comment(comment) => {
                if let Some(named) = comment.strip_prefix("%Title:").filter(|_| title.is_empty()) {
                    named.trim().trim_matches(['(', ')']).clone_into(&mut title);
                }
            }
        }
        if reading.markup.is_full() {
            break;
        }
    }
    reading.end_line();
    let found = Converted { title, ..Converted::from(reading.markup) };
    let trouble = match found.markup.is_empty() {
        true => "its text is made by a program that only an interpreter can run",
        false => "",
    };
    found.with_trouble(trouble)
}

/// The step that is a gap between words, if the file is TeX's.
fn tex_gap(bytes: &[u8]) -> Option<f64> {
    let head = &bytes[..bytes.len().min(65_536)];
    memchr::memmem::find(head, b"TeXDict")?;
    let named = memchr::memmem::find(head, b"dpi=").and_then(|at| {
        let digits: Vec<u8> =
            head[at + 4..].iter().copied().take_while(u8::is_ascii_digit).take(5).collect();
        String::from_utf8(digits).ok()?.parse::<f64>().ok()
    });
    // A fifth of the size of a letter of ten points.
    Some(named.unwrap_or(USUAL_DPI) * 10.0 / 72.0 / 5.0)
}

impl PostscriptReading {
    fn push(&mut self, operand: Operand) {
        if self.operands.len() < MOST_OPERANDS {
            self.operands.push(operand);
        }
    }

    fn run(&mut self, operator: &str) {
        let operands = std::mem::take(&mut self.operands);
        let numbers = |back: usize| match operands.iter().rev().nth(back) {
            Some(Operand::Number(number)) => Some(*number),
            _ => None,
        };
        match operator {
            "moveto" => self.move_to(numbers(0)),
            "rmoveto" => self.step_by(numbers(1).unwrap_or(0.0), numbers(0).unwrap_or(0.0)),
            "showpage" | "eop" => self.end_page(),
            "charpath" => {}
            _ if self.tex_gap.is_some() && operator.len() == 1 => self.run_tex(operator, &operands),
            _ if SILENT.contains(&operator) => {}
            _ => self.show(&operands),
        }
    }

    /// The one-letter operators that TeX's output defines.
    fn run_tex(&mut self, operator: &str, operands: &[Operand]) {
        let number = |back: usize| match operands.iter().rev().nth(back) {
            Some(Operand::Number(number)) => *number,
            _ => 0.0,
        };
        let letter = operator.bytes().next().unwrap_or_default();
        if matches!(letter, b'b'..=b'v' | b'y') {
            self.show(operands);
        }
        match letter {
            b'a' | b'y' => self.move_to(Some(number(0))),
            b'b' => self.tex_step(number(0)),
            b'c'..=b'k' => self.tex_step(self.step + f64::from(letter) - f64::from(b'g')),
            b'w' => self.step_by(number(0), 0.0),
            b'x' => self.step_by(0.0, number(0)),
            _ => {}
        }
    }

    fn tex_step(&mut self, step: f64) {
        self.step = step;
        self.step_by(step, 0.0);
    }

    /// A move to another height is another line; one to the right a gap.
    fn move_to(&mut self, height: Option<f64>) {
        let is_same = height.is_some() && self.height == height;
        self.height = height;
        if is_same { self.gap() } else { self.end_line() }
    }

    fn step_by(&mut self, right: f64, up: f64) {
        let gap = self.tex_gap.unwrap_or(1.0);
        if up.abs() > gap {
            self.end_line();
        } else if right.abs() > gap {
            self.gap();
        }
    }

    fn gap(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
    }

    /// Shows the strings among the operands; a large step between them is a gap.
    fn show(&mut self, operands: &[Operand]) {
        let mut is_first = true;
        for operand in operands {
            match operand {
                Operand::String(string) => {
                    if is_first && self.tex_gap.is_none() && self.line.len() > 10_000 {
                        self.end_line();
                    }
                    is_first = false;
                    self.line.extend(string.iter().map(|byte| character(*byte)));
                }
                Operand::Number(step) if !is_first && *step < GAP => self.gap(),
                Operand::Number(_) | Operand::Other => {}
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.trim().is_empty() {
            return;
        }
        if self.markup.is_in("section") {
            self.markup.text("\n");
        } else {
            self.markup.page(self.page);
            self.markup.open("p");
        }
        self.markup.text(&line);
    }

    fn end_page(&mut self) {
        self.end_line();
        self.markup.close("section");
        self.page += 1;
        self.height = None;
    }
}

/// A byte of a font: Latin 1, with the ligatures that TeX's fonts have among the controls.
fn character(byte: u8) -> char {
    match byte {
        0x0B => '\u{FB00}',
        0x0C => '\u{FB01}',
        0x0D => '\u{FB02}',
        0x0E => '\u{FB03}',
        0x0F => '\u{FB04}',
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(program: &str, expected: &str) {
        assert_eq!(convert(program.as_bytes()).markup, expected, "{program}");
    }

    #[test]
    fn strings_that_are_shown_are_taken() {
        check(
            "%!\n72 72 moveto (How \\(very\\) exciting!) show",
            "<section data-page=\"1\"><p>How (very) exciting!</p></section>",
        );
        check(
            "/a (no) def {(no) show} def (x) stringwidth (yes) show showpage 1 2 moveto <6F6B> show",
            "<section data-page=\"1\"><p>yes</p></section><section data-page=\"2\"><p>ok</p></section>",
        );
        check(
            "0 9 moveto (a) show 5 9 moveto (b) show 0 1 moveto [(c) -300 (d) 20 (e)] TJ",
            "<section data-page=\"1\"><p>a b\nc de</p></section>",
        );
    }

    #[test]
    fn encoded_data_is_no_text() {
        let program =
            "%!\ncurrentfile /ASCII85Decode filter cvx exec\n9jqo(no)^ show~>\n(yes) show";
        check(program, "<section data-page=\"1\"><p>yes</p></section>");
        assert!(convert(b"%!\n1 2 moveto").trouble.contains("interpreter"));
    }

    #[test]
    fn tex_puts_words_together_by_steps() {
        check(
            "%!\n%DVIPSParameters: dpi=600\nTeXDict begin 1 0 bop 100 200 a Fa(Ho)r(w)39 b(are)g(you)p eop",
            "<section data-page=\"1\"><p>How are you</p></section>",
        );
    }
}
