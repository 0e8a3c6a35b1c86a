//! A paper of the pond with all that is known of it: its header, the texts of its sections, its references, and the
//! sentences that cite them.

use super::reference::{MarkStyle, ReferenceStyle, TrueReference, references};
use super::stock::{SentenceSlots, fill, stock};
use super::works::{TrueAuthor, TrueWork};
use super::{Departments, TrueForm};
use crate::words::{PondDice, hash, mix};
use serde::Serialize;

/// A paper and what is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct TruePaper {
    pub number: usize,
    /// Its files.
    pub forms: Vec<TrueForm>,
    pub title: String,
    pub authors: Vec<TrueAuthor>,
    pub year: usize,
    pub venue: String,
    pub area: &'static str,
    pub emails: Vec<String>,
    #[serde(rename = "abstract")]
    pub abstract_text: String,
    /// The words of its header, in the order in which they stand.
    pub header: Vec<HeaderLine>,
    pub sections: Vec<TrueSection>,
    pub reference_style: MarkStyle,
    pub references: Vec<TrueReference>,
    pub citations: Vec<TrueCitation>,
    #[serde(skip)]
    pub(super) parts: Vec<PaperPart>,
}

/// A stretch of a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeaderLine {
    pub field: &'static str,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct TrueSection {
    pub title: String,
    pub text: String,
}

/// A sentence that cites a reference.
#[derive(Clone, Debug, Serialize)]
pub struct TrueCitation {
    /// Its place among the references, counted from 0.
    pub reference: usize,
    pub sentence: String,
}

/// What a stretch of a paper is to those who set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Title,
    /// Names; in cells where they stand beside each other.
    Author,
    Affiliation,
    Address,
    Email,
    Date,
    /// A number of a report, a note on where it appeared.
    Note,
    AbstractHeading,
    Abstract,
    Keywords,
    Heading,
    Paragraph,
    ReferencesHeading,
    Reference,
}

/// A stretch of a paper. `^3` in its text is a small number above the line.
#[derive(Clone, Debug)]
pub(super) struct PaperPart {
    pub(super) kind: PartKind,
    pub(super) text: String,
    /// Texts that stand beside each other in a line; empty for all others.
    pub(super) cells: Vec<String>,
    /// The mark of a reference as it is written, `[3]`.
    pub(super) mark: String,
}

impl PaperPart {
    pub(super) fn new(kind: PartKind, text: impl Into<String>) -> PaperPart {
        PaperPart { kind, text: text.into(), cells: Vec::new(), mark: String::new() }
    }
}

impl Departments {
    fn paper_dice(&self, number: usize, what: u64) -> PondDice {
        PondDice::new(mix(hash(self.seed, "paper"), number as u64 * 8 + what))
    }

    /// A paper of the pond.
    pub fn paper(&self, number: usize) -> TruePaper {
        let work = self.work(number);
        let mut dice = self.paper_dice(number, 0);
        let style = ReferenceStyle::roll(&mut dice);
        let referred: Vec<TrueWork> =
            self.referred(number).into_iter().map(|at| self.work(at)).collect();
        let references = references(&referred, style, &mut dice);
        let slots = SentenceSlots { area: work.area, names: "", mark: "" };
        let sentences = |dice: &mut PondDice, templates: &[&'static str], count: usize| {
            let of = |_| fill(dice.word(templates), &slots, dice);
            (0..count).map(of).collect::<Vec<_>>().join(" ")
        };
        let count = 3 + dice.below(4);
        let abstract_text = sentences(&mut dice, &stock().abstracts, count);
        let mut parts =
            super::header::header(&work, &abstract_text, &mut self.paper_dice(number, 1));
        let mut header: Vec<HeaderLine> = Vec::new();
        for part in &parts {
            if let Some(field) = super::header::field(part.kind) {
                header.push(HeaderLine { field, text: without_raised(&part.text) });
            }
        }
        let mut body =
            PaperBody { work: &work, style, references: &references, citations: Vec::new() };
        let sections = body.sections(&mut parts, &mut self.paper_dice(number, 2));
        let citations = body.citations;
        list(&mut parts, style, &references, &mut dice);
        TruePaper {
            number,
            forms: self.forms(number),
            title: work.title.clone(),
            authors: work.authors.clone(),
            year: work.year,
            venue: work.venue.name(),
            area: work.area.name,
            emails: super::header::emails(&work),
            abstract_text,
            header,
            sections,
            reference_style: style.mark,
            references,
            citations,
            parts,
        }
    }
}

/// Without the small numbers above the line.
fn without_raised(text: &str) -> String {
    let rest = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    let mut parts = text.split('^');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &rest(part)).trim().to_owned()
}

/// The list of references, and now and then an appendix behind it.
fn list(
    parts: &mut Vec<PaperPart>,
    style: ReferenceStyle,
    references: &[TrueReference],
    dice: &mut PondDice,
) {
    if style.mark == MarkStyle::Footnote {
        return;
    }
    let heading = ["References", "REFERENCES", "References", "Bibliography"][dice.below(4)];
    parts.push(PaperPart::new(PartKind::ReferencesHeading, heading));
    for reference in references {
        let mark = match style.mark {
            MarkStyle::Number => format!("{}.", reference.mark),
            MarkStyle::AuthorYear | MarkStyle::Footnote => String::new(),
            _ => format!("[{}]", reference.mark),
        };
        let part = PaperPart::new(PartKind::Reference, reference.text.clone());
        parts.push(PaperPart { mark, ..part });
    }
    if dice.percent(8) {
        parts.push(PaperPart::new(PartKind::Heading, "Appendix"));
        parts.push(PaperPart::new(
            PartKind::Paragraph,
            "The complete tables of all runs are available from the first author on request.",
        ));
    }
}

/// The text of a paper while it is written.
struct PaperBody<'a> {
    work: &'a TrueWork,
    style: ReferenceStyle,
    references: &'a [TrueReference],
    citations: Vec<TrueCitation>,
}

impl PaperBody<'_> {
    fn sections(&mut self, parts: &mut Vec<PaperPart>, dice: &mut PondDice) -> Vec<TrueSection> {
        let numbering = dice.below(4);
        let slots = SentenceSlots { area: self.work.area, names: "", mark: "" };
        let mut titles = vec!["Introduction".to_owned()];
        for _ in 0..2 + dice.below(3) {
            let title = title_case(&fill(dice.word(&stock().sections), &slots, dice));
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        titles.push(["Conclusions", "Conclusion", "Concluding Remarks"][dice.below(3)].to_owned());
        if dice.percent(40) {
            titles.push("Acknowledgments".to_owned());
        }
        // What each section cites: the first most of it.
        let mut uncited: Vec<usize> = (0..self.references.len()).collect();
        if self.style.mark != MarkStyle::Footnote {
            uncited.retain(|_| !dice.percent(6));
        }
        let per_section = uncited.len().div_ceil(2);
        let mut sections = Vec::new();
        let count = titles.len();
        for (at, title) in titles.into_iter().enumerate() {
            let is_thanks = title == "Acknowledgments";
            parts.push(PaperPart::new(
                PartKind::Heading,
                numbered(&title, at + 1, numbering, is_thanks),
            ));
            let is_last = at + 1 == count || is_thanks;
            let cited = match at {
                0 => per_section,
                _ if is_thanks || is_last => 0,
                _ if at + 3 >= count => uncited.len(),
                _ => per_section / 2,
            };
            let cited: Vec<usize> = uncited.drain(..cited.min(uncited.len())).collect();
            let text = if is_thanks { self.thanks(dice) } else { self.paragraphs(&cited, dice) };
            for paragraph in &text {
                parts.push(PaperPart::new(PartKind::Paragraph, paragraph.clone()));
            }
            sections.push(TrueSection { title, text: text.join(" ") });
        }
        sections
    }

    fn thanks(&self, dice: &mut PondDice) -> Vec<String> {
        let name = format!("{} {}", dice.word(&stock().given), dice.word(&stock().family));
        let slots = SentenceSlots { area: self.work.area, names: &name, mark: "" };
        vec![fill(dice.word(&stock().thanks), &slots, dice)]
    }

    fn paragraphs(&mut self, cited: &[usize], dice: &mut PondDice) -> Vec<String> {
        let slots = SentenceSlots { area: self.work.area, names: "", mark: "" };
        let mut waiting = cited;
        let mut paragraphs = Vec::new();
        for _ in 0..2 + dice.below(3) + cited.len() / 4 {
            let mut sentences: Vec<String> = Vec::new();
            for _ in 0..3 + dice.below(5) {
                sentences.push(fill(dice.word(&stock().sentences), &slots, dice));
                if !waiting.is_empty() && dice.percent(45) {
                    waiting = self.cite(waiting, &mut sentences, dice);
                }
            }
            paragraphs.push(sentences);
        }
        while !waiting.is_empty() {
            // Footnotes are counted as they come.
            let in_order = self.style.mark == MarkStyle::Footnote;
            let at = if in_order { paragraphs.len() - 1 } else { dice.below(paragraphs.len()) };
            waiting = self.cite(waiting, &mut paragraphs[at], dice);
        }
        paragraphs.into_iter().map(|sentences| sentences.join(" ")).collect()
    }

    /// A sentence that cites the first of these; those that are left.
    fn cite<'r>(
        &mut self,
        waiting: &'r [usize],
        sentences: &mut Vec<String>,
        dice: &mut PondDice,
    ) -> &'r [usize] {
        let template = dice.word(&stock().citing);
        let names_them = template.to_lowercase().contains("{names}");
        let is_alone =
            names_them || self.style.mark == MarkStyle::Footnote || template.starts_with("As");
        let count = if is_alone { 1 } else { 1 + dice.below(3).min(dice.below(3)) };
        let (cited, rest) = waiting.split_at(count.min(waiting.len()));
        let names = self.references[cited[0]].names.clone();
        let mark = self.marks(cited, names_them, template.contains("in {mark}"));
        let template = match self.style.mark {
            MarkStyle::Footnote => {
                template.trim_end_matches('.').replace(" {mark}", "") + ".{mark}"
            }
            _ => template.to_owned(),
        };
        let mark = if self.style.mark == MarkStyle::Footnote {
            format!("^{}", self.references[cited[0]].mark)
        } else {
            mark
        };
        let slots = SentenceSlots { area: self.work.area, names: &names, mark: &mark };
        let sentence = fill(&template, &slots, dice);
        for reference in cited {
            let plain = sentence.split('^').next().unwrap_or_default().to_owned();
            self.citations.push(TrueCitation { reference: *reference, sentence: plain });
        }
        sentences.push(sentence);
        rest
    }

    /// How a sentence refers to these.
    fn marks(&self, cited: &[usize], names_them: bool, is_object: bool) -> String {
        let all = || cited.iter().map(|at| &self.references[*at]);
        // One that is cited by its year has one.
        let year = |reference: &TrueReference| {
            format!("{}{}", reference.year.unwrap_or_default(), reference.letter)
        };
        if self.style.mark != MarkStyle::AuthorYear {
            let marks: Vec<&str> = all().map(|reference| reference.mark.as_str()).collect();
            let between = if self.style.mark == MarkStyle::LongLabel { "; " } else { ", " };
            return format!("[{}]", marks.join(between));
        }
        if names_them {
            return format!("({})", all().map(year).collect::<String>());
        }
        let named = |reference: &TrueReference| match is_object {
            true => format!("{} ({})", reference.names, year(reference)),
            false => format!("{}, {}", reference.names, year(reference)),
        };
        let list = all().map(named).collect::<Vec<_>>();
        if is_object { list.join(" and ") } else { format!("({})", list.join("; ")) }
    }
}

fn title_case(title: &str) -> String {
    let word = |word: &str| {
        let small = ["of", "and", "in", "the", "from", "for"].contains(&word);
        if small { word.to_owned() } else { super::stock::capital(word) }
    };
    title.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn numbered(title: &str, number: usize, numbering: usize, is_thanks: bool) -> String {
    const ROMAN: [&str; 8] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"];
    match numbering {
        _ if is_thanks => title.to_owned(),
        0 => format!("{number} {title}"),
        1 => format!("{number}. {}", title.to_uppercase()),
        2 => format!("{}. {}", ROMAN[(number - 1) % 8], title.to_uppercase()),
        _ => format!("{number}. {title}"),
    }
}
