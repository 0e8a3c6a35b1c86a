//! A paper as a page of HTML, as converters of TeX make it or people by hand.

use super::paper::{PaperPart, PartKind, TruePaper};
use super::reference::MarkStyle;
use crate::words::PondDice;
use std::fmt::Write as _;

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// With its small numbers above the line.
fn raised(text: &str) -> String {
    let mut found = String::new();
    for (at, part) in escaped(text).split('^').enumerate() {
        if at == 0 {
            found.push_str(part);
            continue;
        }
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let _ = write!(found, "<sup>{}</sup>{}", &part[..digits], &part[digits..]);
    }
    found
}

pub(super) fn html(paper: &TruePaper, dice: &mut PondDice) -> String {
    let by_hand = dice.percent(40);
    let mut main = String::new();
    let mut in_list = false;
    for part in &paper.parts {
        if in_list && part.kind != PartKind::Reference {
            main.push_str(list_ends(paper.reference_style));
            in_list = false;
        }
        if part.kind == PartKind::Reference && !in_list {
            main.push_str(list_begins(paper.reference_style));
            in_list = true;
        }
        let _ = writeln!(main, "{}", element(part, paper.reference_style, by_hand));
    }
    if in_list {
        main.push_str(list_ends(paper.reference_style));
    }
    if paper.reference_style == MarkStyle::Footnote {
        main.push_str("<hr>\n");
        for reference in &paper.references {
            let _ =
                writeln!(main, "<p><sup>{}</sup> {}</p>", reference.mark, escaped(&reference.text));
        }
    }
    let title = escaped(&paper.title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n{main}</body></html>\n"
    )
}

fn element(part: &PaperPart, marks: MarkStyle, by_hand: bool) -> String {
    let text = raised(&part.text);
    if !part.cells.is_empty() {
        let cells: String =
            part.cells.iter().map(|cell| format!("<td>{}</td>", raised(cell))).collect();
        return format!("<table align=\"center\"><tr>{cells}</tr></table>");
    }
    match part.kind {
        PartKind::Title => format!("<h1 align=\"center\">{text}</h1>"),
        PartKind::Author if !by_hand => format!("<p align=\"center\"><strong>{text}</strong></p>"),
        PartKind::Affiliation | PartKind::Address if by_hand => format!("<center>{text}</center>"),
        PartKind::Email => format!("<p align=\"center\"><tt>{text}</tt></p>"),
        PartKind::AbstractHeading => format!("<h3>{text}</h3>"),
        PartKind::Abstract => format!("<p><em>{text}</em></p>"),
        PartKind::Heading | PartKind::ReferencesHeading => format!("<h2>{text}</h2>"),
        PartKind::Paragraph | PartKind::Keywords => format!("<p>{text}</p>"),
        PartKind::Reference => match marks {
            MarkStyle::Number => format!("<p>{} {text}</p>", part.mark),
            MarkStyle::AuthorYear => format!("<p>{text}</p>"),
            _ => format!("<dt>{}</dt><dd>{text}</dd>", escaped(&part.mark)),
        },
        _ => format!("<p align=\"center\">{text}</p>"),
    }
}

fn list_begins(marks: MarkStyle) -> &'static str {
    match marks {
        MarkStyle::Number | MarkStyle::AuthorYear => "",
        _ => "<dl compact>\n",
    }
}

fn list_ends(marks: MarkStyle) -> &'static str {
    match marks {
        MarkStyle::Number | MarkStyle::AuthorYear => "",
        _ => "</dl>\n",
    }
}
