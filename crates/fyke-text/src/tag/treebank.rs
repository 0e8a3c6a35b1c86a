//! Treebanks in CoNLL-U: a word a line with its number, itself, its lemma and its tag in the first
//! columns; an empty line ends a sentence.

/// The sentences of a treebank: words with their tags. What stands for several words, or for none that
/// was written, has another kind of number and is passed over.
pub fn treebank(text: &str) -> impl Iterator<Item = Vec<(&str, &str)>> {
    let sentences = text.split("\n\n").map(|block| block.lines().filter_map(word).collect());
    sentences.filter(|words: &Vec<_>| !words.is_empty())
}

fn word(line: &str) -> Option<(&str, &str)> {
    let mut columns = line.split('\t');
    let number = columns.next()?;
    let (word, tag) = (columns.next()?, columns.nth(1)?);
    number.bytes().all(|b| b.is_ascii_digit()).then_some((word, tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_tags_and_contractions_are_passed_over() {
        let text = "# text = Don't!\n1-2\tDon't\t_\t_\n1\tDo\tdo\tAUX\tVB\n2\tn't\tnot\tPART\tRB\n\
                    2.1\tx\tx\tX\n3\t!\t!\tPUNCT\t.\n\n1\tYes\tyes\tINTJ\n\n";
        let found: Vec<_> = treebank(text).collect();
        let expected =
            [vec![("Do", "AUX"), ("n't", "PART"), ("!", "PUNCT")], vec![("Yes", "INTJ")]];
        assert_eq!(found, expected);
    }
}
