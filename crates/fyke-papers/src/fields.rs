//! Fields of headers and references by a conditional random field (002 §4; the features are in `seen`), and how a
//! model is trained from a tagged file.

use crate::protocol::{WordRule, words};
use crate::seen::{SeenWord, joints, seen};
use crate::tagged::{LINE, TaggedText};
use fyke_text::sequence::{SeenSequence, SequenceModel, SequenceTrainer, TrainerOptions};

/// How a model is trained. Chosen by cross-validation within the first 500 headers and on four tenths of the references.
const OPTIONS: TrainerOptions =
    TrainerOptions { joints: joints(), kept: 150_000, rounds: [10, 10], step: 0.05, shrink: 1e-3 };

/// A text as a model sees it, with the field of each word.
#[derive(Clone, Debug)]
pub struct FieldExample<'a> {
    pub seen: SeenSequence,
    pub fields: Vec<&'a str>,
}

/// A header or reference with its signs, case and lines.
#[must_use]
pub fn full<'a>(text: &TaggedText<'a>) -> FieldExample<'a> {
    let (mut all, mut fields) = (Vec::new(), Vec::new());
    let mut begins_line = true;
    for (word, field) in text.words.iter().zip(&text.fields) {
        if *word == LINE {
            begins_line = true;
            continue;
        }
        all.push(SeenWord { text: word, begins_line });
        fields.push(*field);
        begins_line = false;
    }
    FieldExample { seen: seen(&all), fields }
}

/// A header as 002's protocol has it: without signs, case and lines.
#[must_use]
pub fn by_protocol<'a>(text: &TaggedText<'a>) -> FieldExample<'a> {
    let mut all = words(text, &WordRule::default());
    // The protocol makes a word of each address of mail.
    let mails = text.words.iter().zip(&text.fields).filter(|(word, _)| word.contains('@'));
    let mails: Vec<String> = mails.map(|(word, _)| bare(word)).collect();
    for (word, _) in &mut all {
        if mails.contains(word) {
            "+email+".clone_into(word);
        }
    }
    let words = all.iter().map(|(text, _)| SeenWord { text, begins_line: false });
    FieldExample {
        seen: seen(&words.collect::<Vec<_>>()),
        fields: all.iter().map(|(_, f)| *f).collect(),
    }
}

fn bare(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// A model trained from examples; it says what it was learnt from.
#[must_use]
pub fn train<'a>(
    examples: impl IntoIterator<Item = &'a FieldExample<'a>>,
    learnt_from: &str,
) -> SequenceModel {
    let mut trainer = SequenceTrainer::new(OPTIONS);
    for example in examples {
        trainer.add(&example.seen, &example.fields);
    }
    trainer.finish(learnt_from)
}

/// A stretch of a text that belongs to one field.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PaperField {
    pub field: String,
    /// Its words with spaces between them, and the ends of its lines.
    pub text: String,
}

/// Most words of one text that are labelled; more are left out.
const MOST_WORDS: usize = 5_000;

/// The fields of a text, whose lines count.
#[must_use]
pub fn fields(model: &SequenceModel, text: &str) -> Vec<PaperField> {
    let words: Vec<SeenWord<'_>> = text.lines().flat_map(words_of).take(MOST_WORDS).collect();
    let mut found: Vec<PaperField> = Vec::new();
    for (label, word) in model.label(&seen(&words)).into_iter().zip(&words) {
        match found.last_mut().filter(|last| last.field == label) {
            Some(last) => {
                last.text.extend([if word.begins_line { "\n" } else { " " }, word.text]);
            }
            None => found.push(PaperField { field: label.to_owned(), text: word.text.to_owned() }),
        }
    }
    found
}

fn words_of(line: &str) -> impl Iterator<Item = SeenWord<'_>> {
    let words = line.split_whitespace().enumerate();
    words.map(|(at, text)| SeenWord { text, begins_line: at == 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tagged::{headers, references};
    use proptest::prelude::*;

    const REFERENCES: &str = "\
<author> A. Fisher. </author> <title> Nets by night. </title> <journal> Journal of Tides, </journal> <date> 1999. </date>
<author> B. Netter and C. Hook. </author> <title> Hooks in rivers. </title> <journal> Journal of Fish, </journal> <date> 1987. </date>
<author> D. Angler. </author> <title> Boats at dawn. </title> <journal> Annals of Ports, </journal> <date> 2001. </date>";

    fn model() -> SequenceModel {
        let texts = references(REFERENCES);
        let examples: Vec<FieldExample<'_>> = texts.iter().map(full).collect();
        train(&examples, "three references")
    }

    #[test]
    fn a_model_finds_the_fields_of_a_reference_like_those_it_learnt() {
        let found = fields(&model(), "E. Sailor. Ropes by day. Journal of Ropes, 1990.");
        let found: Vec<(&str, &str)> =
            found.iter().map(|part| (part.field.as_str(), part.text.as_str())).collect();
        assert_eq!(found[0], ("author", "E. Sailor."));
        assert_eq!(*found.last().unwrap(), ("date", "1990."));
    }

    #[test]
    fn the_protocol_knows_mail_and_no_lines() {
        let file = "<NEW_HEADER> <title> Nets +L+ </title> <email> a@b.c +L+ </email>";
        let headers = headers(file);
        let (full, bare) = (full(&headers[0]), by_protocol(&headers[0]));
        assert_eq!((full.fields, bare.fields), (vec!["title", "email"], vec!["title", "email"]));
        assert_eq!((full.seen.joints, bare.seen.joints), (vec![3, 3], vec![0, 0]));
    }

    proptest! {
        #[test]
        fn any_text_has_fields_of_all_its_words(text in "[\\PC\n]{0,80}") {
            let found = fields(&model(), &text);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let together: Vec<String> = found.iter().flat_map(|part| words(&part.text)).collect();
            prop_assert_eq!(together, words(&text));
        }
    }
}
