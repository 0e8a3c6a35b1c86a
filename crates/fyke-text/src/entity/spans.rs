//! Names among the words of a sentence as labels: `B-person` on the first word of a name, `I-person` on the others,
//! `O` elsewhere.

/// A name by its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelledSpan<'a> {
    pub label: &'a str,
    pub from: usize,
    pub to: usize,
}

/// The names that labels tell. An `I-` that goes on nothing begins a name.
#[must_use]
pub fn labelled_spans<'a>(labels: &[&'a str]) -> Vec<LabelledSpan<'a>> {
    let mut spans: Vec<LabelledSpan<'a>> = Vec::new();
    for (at, label) in labels.iter().enumerate() {
        let Some((mark, label)) = label.split_once('-') else { continue };
        match spans.last_mut().filter(|span| span.to == at && span.label == label && mark == "I") {
            Some(span) => span.to = at + 1,
            None => spans.push(LabelledSpan { label, from: at, to: at + 1 }),
        }
    }
    spans
}

/// A sentence whose words have labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelledSentence<'a> {
    pub words: Vec<&'a str>,
    pub labels: Vec<&'a str>,
}

/// The sentences of a file of words and labels, a word and its label a line with a tab between, and an empty line
/// behind a sentence. A word without a label has the label `O`.
#[must_use]
pub fn labelled_sentences(file: &str) -> Vec<LabelledSentence<'_>> {
    let mut all = vec![LabelledSentence::default()];
    for line in file.lines() {
        let (word, label) = line.split_once('\t').unwrap_or((line, ""));
        match (word.trim(), label.trim(), all.last_mut()) {
            ("", _, Some(last)) if !last.words.is_empty() => all.push(LabelledSentence::default()),
            ("", ..) | (.., None) => {}
            (word, label, Some(last)) => {
                last.words.push(word);
                last.labels.push(if label.is_empty() { "O" } else { label });
            }
        }
    }
    all.retain(|sentence| !sentence.words.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_read_from_lines() {
        let found = labelled_sentences("Ann\tB-person\nmet\t\n\t\n\nus\tO\nDover");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].labels, ["B-person", "O"]);
        assert_eq!(found[1].words, ["us", "Dover"]);
        assert!(labelled_sentences("\n\n").is_empty());
    }

    #[test]
    fn labels_tell_names() {
        let labels = ["O", "B-person", "I-person", "B-person", "I-creative-work", "O", "I-group"];
        let found: Vec<(&str, usize, usize)> = labelled_spans(&labels)
            .into_iter()
            .map(|span| (span.label, span.from, span.to))
            .collect();
        let expected =
            [("person", 1, 3), ("person", 3, 4), ("creative-work", 4, 5), ("group", 6, 7)];
        assert_eq!(found, expected);
    }
}
