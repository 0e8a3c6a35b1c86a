//! Sentences: text that a machine put together has none, or breaks them off.

use super::{PageEvidence, SpamView, beyond};
use fyke_text::is_stop;

/// Sentences that are looked at, and fewer than which say nothing.
const MOST: usize = 400;
const FEW: usize = 6;

/// Sentences of blocks of running text.
fn sentences<'a>(view: &SpamView<'a>) -> impl Iterator<Item = &'a str> {
    let text: &'a str = &view.document.text;
    let blocks = text.lines().filter(|line| line.len() >= 120 && !line.contains('\t'));
    let sentences = blocks.flat_map(|line| line.split_inclusive(['.', '!', '?', ':', ';', '。']));
    sentences.map(str::trim).filter(|sentence| sentence.len() > 20).take(MOST)
}

/// Sentences that end with a word after which more must come, or say a word twice in a row.
pub(super) const BROKEN: PageEvidence = PageEvidence {
    name: "broken",
    what: "breaks off its sentences",
    value: |view| {
        let language = &view.document.language;
        let (mut broken, mut all) = (0_usize, 0_usize);
        for sentence in sentences(view) {
            all += 1;
            let words: Vec<&str> = sentence.split_whitespace().collect();
            let last = words
                .last()
                .map_or("", |word| word.trim_end_matches(|c: char| !c.is_alphanumeric()));
            let is_closed = sentence.ends_with(['.', '!', '?']);
            let ends = is_closed && is_opening(language, last);
            let twice =
                words.windows(2).any(|two| two[0].len() > 1 && two[0].eq_ignore_ascii_case(two[1]));
            broken += usize::from(ends || twice);
        }
        if all < FEW { 0.0 } else { beyond(broken as f32 / all as f32, 0.08, 0.2) }
    },
};

/// Whether a word opens what must follow it: an article, a preposition, a conjunction.
fn is_opening(language: &str, word: &str) -> bool {
    const OPENING: &[&str] = &[
        "the", "a", "an", "of", "and", "or", "with", "from", "for", "into", "every", "its",
        "their", "his", "my", "your", "our", "at", "as", "than", "but", "because",
    ];
    let word = word.to_lowercase();
    language == "en" && OPENING.contains(&&*word) && is_stop(language, &word)
        || OPENING[..3].contains(&&*word)
}

/// Words in a row without any mark between them.
pub(super) const ENDLESS: PageEvidence = PageEvidence {
    name: "endless",
    what: "goes on without a full stop",
    value: |view| {
        let (mut inside, mut all) = (0, 0);
        let text = &view.document.text;
        for line in text.lines().filter(|line| !line.contains('\t')) {
            for piece in line.split(['.', '!', '?', ':', ';', '(', ')', '–', '—', '。', '，', '、'])
            {
                let words = piece.split_whitespace().count();
                all += words;
                inside += if words > 60 { words } else { 0 };
            }
        }
        if all < 60 { 0.0 } else { beyond(inside as f32 / all as f32, 0.3, 0.5) }
    },
};
