//! Text out of PDF (ISO 32000-1), of our own: bounded by construction, without a child process.
//! Bytes → objects → pages → glyphs → words → lines → columns → paragraphs → markup. Never fails:
//! what is damaged or too large is skipped and said in `trouble`.

mod about;
mod content;
mod crypt;
mod file;
mod filter;
mod font;
mod forms;
mod fuel;
mod layout;
mod lexer;
mod links;
mod matrix;
mod object;
mod page;
mod sheet;
mod strings;
#[cfg(test)]
mod tests;
mod xref;

use super::{Converted, Inner};
use content::Fonts;
use file::PdfFile;
use fuel::Fuel;
use layout::Leaf;

/// Glyphs of a whole file that are kept.
const MOST_GLYPHS: usize = 4_000_000;
/// How far into a file its head may stand.
const HEAD: usize = 1024;

/// Reads a PDF file.
pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let fuel = Fuel::of(inner.budget.steps());
    let found = read(inner.source.bytes, &fuel);
    inner.budget.leave(fuel.left());
    found
}

fn read(bytes: &[u8], fuel: &Fuel) -> Converted {
    let head = memchr::memmem::find(&bytes[..bytes.len().min(HEAD)], b"%PDF-").unwrap_or(0);
    let file = PdfFile::open(&bytes[head..], fuel);
    if let Some(refusal) = file.locked() {
        return Converted { trouble: refusal.to_owned(), ..Converted::default() };
    }
    let mut arranged = arranged(&file);
    layout::drop_running(&mut arranged.leaves);
    let about = about::about(&file);
    let (lost, drawn) = (arranged.lost, arranged.drawn);
    let document = layout::write(arranged.leaves, fuel);
    let title = if about.title.is_empty() { document.largest } else { about.title };
    Converted {
        title,
        author: about.author,
        date: about.date,
        language: about.language,
        trouble: trouble(&file, document.markup.is_empty(), lost, drawn),
        markup: document.markup,
    }
}

/// Every page in order.
#[derive(Default)]
struct ArrangedPages {
    leaves: Vec<Leaf>,
    /// Glyphs nobody knows the meaning of, of those drawn.
    lost: usize,
    drawn: usize,
}

fn arranged(file: &PdfFile) -> ArrangedPages {
    let mut fonts = Fonts::new();
    let mut found = ArrangedPages::default();
    for page in page::pages(file) {
        if found.drawn > MOST_GLYPHS || file.fuel.is_spent() {
            file.fuel.cut();
            break;
        }
        let sheet = content::paint(file, &mut fonts, &page);
        found.lost += sheet.lost;
        found.drawn += sheet.glyphs.len();
        found.leaves.push(layout::arrange(&sheet, links::links(file, &page), file.fuel));
    }
    found
}

fn trouble(file: &PdfFile, empty: bool, lost: usize, drawn: usize) -> String {
    let said = if file.fuel.was_cut() {
        "too large: cut at a limit"
    } else if empty {
        "no pages found: damaged, or not a PDF file"
    } else if lost > drawn / 10 {
        "fonts do not say which characters they draw"
    } else if drawn == 0 {
        "no text: pictures only"
    } else if file.is_damaged() {
        "damaged: objects found by searching the file"
    } else {
        ""
    };
    said.to_owned()
}
