//! Dynamic summaries, keyword in context (000 "techniques for dynamic summaries"): the
//! one or two places of a text that have most of the query's words, closest together and nearest to
//! the beginning, begun where a sentence begins; the rarest of the words is among them wherever it
//! stands. Where the text has none of the words, its first and its key sentence.

use serde::Serialize;

use crate::analysis::{self, WantedWord};
use crate::query::Query;
use crate::summary::key_sentences;
use crate::wholes::each_whole;

/// So much of a text is looked at, in bytes.
const MAX_SCAN: usize = 64 << 10;

/// So much of a text with pages, so that the page can be told.
const MAX_SCAN_PAGES: usize = 1 << 20;

/// So many places of each word are weighed: of a frequent one the first.
const MAX_SPANS: usize = 40;

/// So many words of a query are looked for, of more the rarest.
const MAX_WORDS: usize = 48;

/// So much farther the rarest word is looked for, in bytes.
const MAX_RARE_SCAN: usize = 1 << 20;

/// Length of a snippet of one window, in columns (an East Asian character takes two).
const WIDTH: usize = 240;

/// Length of each window when there are two.
const HALF: usize = 120;

/// A window begins at a sentence when one begins so many characters before its first word.
const SENTENCE: usize = 70;

/// Otherwise it begins at most so many characters before it.
const LEAD: usize = 30;

/// What counts in the choice of a window: each of the words, how close they stand at best, and a
/// place at the very beginning.
const COVERAGE: u32 = 100;
/// What the rarest word counts on top: more than all others.
const RAREST: u32 = 100 * MAX_WORDS as u32;
const CLOSENESS: u32 = 30;
const POSITION: u32 = 5;

/// A piece of text, marked when it is a word of the query. Not escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fragment {
    /// The text.
    pub text: String,
    /// Whether it is a word of the query.
    pub marked: bool,
}

/// The whole of `text` in fragments, the words of the query marked by form and stem.
#[must_use]
pub fn mark(text: &str, query: &Query) -> Vec<Fragment> {
    Marker::new(query).mark(text)
}

/// Finds a query's words in texts.
pub(crate) struct Marker {
    /// The rarest first, as far as that is known.
    wanted: Vec<WantedWord>,
    /// Whether it is known.
    is_weighed: bool,
    /// How rare each of them is; 1 where that is not known, 0 of what is nowhere.
    rarities: Vec<f32>,
    /// The words as a name, and the languages of the query.
    name: (Vec<String>, Vec<&'static str>),
}

/// A word of the query in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchSpan {
    pub start: usize,
    end: usize,
    /// The bit of the word.
    pub word: u64,
}

/// A part of a text that could be shown.
#[derive(Clone, Copy, Debug, Default)]
struct TextWindow {
    start: usize,
    end: usize,
    words: u64,
    count: u32,
    at_sentence: bool,
}

impl Marker {
    pub fn new(query: &Query) -> Marker {
        let mut wanted = query.wanted();
        wanted.truncate(MAX_WORDS);
        let rarities = vec![1.0; wanted.len()];
        Marker { wanted, is_weighed: false, rarities, name: name_of(query) }
    }

    /// The query's words as the name of something, and its languages.
    pub fn name(&self) -> (&[String], &[&'static str]) {
        (&self.name.0, &self.name.1)
    }

    /// The same, where `rarity` tells how rare a word is that is to be found.
    pub fn weighing(query: &Query, rarity: impl Fn(&str) -> Option<f32>) -> Marker {
        let wanted = query.wanted().into_iter();
        let rarity = |wanted: &WantedWord| rarity(&wanted.form).unwrap_or(f32::NEG_INFINITY);
        let mut wanted: Vec<_> = wanted.map(|wanted| (rarity(&wanted), wanted)).collect();
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        wanted.truncate(MAX_WORDS);
        let (rarities, wanted): (Vec<f32>, _) = wanted.into_iter().unzip();
        let rarities = rarities.into_iter().map(|rarity| rarity.max(0.0)).collect();
        Marker { wanted, is_weighed: true, rarities, name: name_of(query) }
    }

    /// The bits of the words that stand in a text.
    pub fn words_in(&self, text: &str) -> u64 {
        self.spans(text).iter().fold(0, |words, span| words | span.word)
    }

    /// How rare the words of these bits are, together.
    pub fn rarity(&self, words: u64) -> f32 {
        let rarities = self.rarities.iter().enumerate();
        rarities.filter(|(place, _)| words & 1 << place != 0).map(|(_, rarity)| rarity).sum()
    }

    pub fn mark(&self, text: &str) -> Vec<Fragment> {
        fragments(text, 0..text.len(), &self.spans(text))
    }

    /// Where the words stand in a text.
    fn spans(&self, text: &str) -> Vec<MatchSpan> {
        let mut found = Vec::new();
        let mut add =
            |place: usize, start, end| found.push(MatchSpan { start, end, word: 1 << place });
        for word in analysis::words(text) {
            let place = self.wanted.iter().position(|wanted| is_wanted(wanted, &word.form));
            place.into_iter().for_each(|place| add(place, word.start, word.end));
        }
        each_whole(text, |range, _, key| {
            let place = self.wanted.iter().position(|wanted| wanted.form == key);
            place.into_iter().for_each(|place| add(place, range.start, range.end));
        });
        found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        found
    }

    /// Whether the rarest word is known, and is not in these places.
    fn lacks_rarest(&self, spans: &[MatchSpan]) -> bool {
        self.is_weighed && !self.wanted.is_empty() && spans.iter().all(|span| span.word != 1)
    }

    /// The first place of the rarest word behind `from`.
    fn rarest_behind(&self, text: &str, from: usize) -> Option<MatchSpan> {
        let end = text.floor_char_boundary(from.saturating_add(MAX_RARE_SCAN));
        let rest = text.get(from..end)?;
        let wanted = self.wanted.first()?;
        let word = analysis::words(rest).find(|word| is_wanted(wanted, &word.form))?;
        Some(MatchSpan { start: from + word.start, end: from + word.end, word: 1 })
    }
}

fn name_of(query: &Query) -> (Vec<String>, Vec<&'static str>) {
    (query.name().to_vec(), query.languages().codes().to_vec())
}

fn is_wanted(wanted: &WantedWord, form: &str) -> bool {
    wanted.form == form || wanted.variant(form).is_some()
}

/// What is shown of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snippet {
    pub fragments: Vec<Fragment>,
    /// Where the first of its words of the query stands in the body.
    pub place: Option<usize>,
    /// Where words of the query stand in what was looked at of the body.
    pub found: Vec<MatchSpan>,
}

/// The best places of `body`, or its beginning when none of the words stands in it.
pub(crate) fn snippet(body: &str, marker: &Marker, has_pages: bool) -> Snippet {
    let most = if has_pages { MAX_SCAN_PAGES } else { MAX_SCAN };
    let scanned = &body[..body.floor_char_boundary(most)];
    let found = marker.spans(scanned);
    let mut spans = first_of_each(&found, MAX_SPANS);
    if scanned.len() < body.len() && marker.lacks_rarest(&spans) {
        spans.extend(marker.rarest_behind(body, scanned.len()));
    }
    let whole = best_window(body, &spans, WIDTH, &TextWindow::default());
    let left = best_window(body, &spans, HALF, &TextWindow::default());
    let right = best_window(body, &spans, HALF, &left);
    let mut shown = vec![whole];
    if (left.words | right.words).count_ones() > whole.words.count_ones() {
        shown = vec![left, right];
        shown.sort_by_key(|window| window.start);
    }
    if spans.is_empty() {
        shown = lead_and_key(body);
    }
    let first = shown.first().copied().unwrap_or_default();
    let place = spans.iter().map(|span| span.start).find(|place| *place >= first.start);
    Snippet { fragments: joined(body, &shown, &spans), place, found }
}

/// Of each word the first places, so many at most.
fn first_of_each(spans: &[MatchSpan], most: usize) -> Vec<MatchSpan> {
    let mut counts = [0_usize; u64::BITS as usize];
    let mut is_early = |span: &&MatchSpan| {
        let count = &mut counts[span.word.trailing_zeros() as usize % u64::BITS as usize];
        *count += 1;
        *count <= most
    };
    spans.iter().filter(|span| is_early(span)).copied().collect()
}

/// The beginning of a text, and the sentence that says most if it stands farther on.
fn lead_and_key(text: &str) -> Vec<TextWindow> {
    let window = |start, width| TextWindow {
        start,
        end: fit(text, start, width),
        at_sentence: true,
        ..TextWindow::default()
    };
    let beginning = window(0, WIDTH);
    let key = key_sentences(text, 2).pop().filter(|key| key.start >= beginning.end);
    match key {
        Some(key) => vec![window(0, HALF), window(key.start, HALF)],
        None => vec![beginning],
    }
}

/// The window with most words that `other` lacks, then the one in which they stand closest, and
/// nearest to the beginning; the first of equals.
fn best_window(text: &str, spans: &[MatchSpan], width: usize, other: &TextWindow) -> TextWindow {
    let mut best = TextWindow::default();
    let mut best_value = 0;
    for (first, span) in spans.iter().enumerate() {
        if other.start <= span.end && span.start <= other.end && other.words != 0 {
            continue;
        }
        let mut window = window(text, span.start, width);
        if other.words != 0 && window.start < other.end && other.start < window.end {
            continue;
        }
        let rest = &spans[first..];
        let inside = &rest[..rest.partition_point(|span| span.end <= window.end)];
        window.words = inside.iter().fold(0, |words, span| words | span.word);
        window.count = inside.len() as u32;
        let new = window.words & !other.words;
        let value = new.count_ones() * COVERAGE
            + (new & 1) as u32 * RAREST
            + window.count.min(8) * 2
            + u32::from(window.at_sentence) * 3
            + closeness(inside, window.words)
            + POSITION * (text.len() - window.start) as u32 / text.len().max(1) as u32;
        if value > best_value {
            (best, best_value) = (window, value);
        }
    }
    best
}

/// How close the words of a window stand: the share that they have of the shortest stretch from the
/// first on in which all of them stand.
fn closeness(inside: &[MatchSpan], words: u64) -> u32 {
    let (mut seen, mut length) = (0, 0);
    for span in inside {
        if seen & span.word == 0 {
            seen |= span.word;
            length += span.end - span.start;
        }
        if seen == words {
            let stretch = span.end - inside[0].start;
            let several = words.count_ones() > 1;
            return if several { CLOSENESS * length as u32 / stretch.max(1) as u32 } else { 0 };
        }
    }
    0
}

/// The window whose first marked word stands at `at`.
fn window(text: &str, at: usize, width: usize) -> TextWindow {
    let (start, at_sentence) = window_start(text, at);
    TextWindow { start, end: fit(text, start, width), at_sentence, ..TextWindow::default() }
}

/// Where a window with its first marked word at `at` begins, and whether a sentence begins there.
fn window_start(text: &str, at: usize) -> (usize, bool) {
    let mut start = at;
    let mut after_space = true;
    for (steps, (place, c)) in text[..at].char_indices().rev().enumerate() {
        let after = place + c.len_utf8();
        if ends_sentence(c, after_space) {
            let gap = text[after..at].len() - text[after..at].trim_start().len();
            return (after + gap, true);
        }
        if steps == SENTENCE {
            return (start, false);
        }
        after_space = c.is_whitespace();
        if steps < LEAD && (after_space || is_wide(c)) {
            start = if after_space { after } else { place };
        }
    }
    (0, true)
}

pub(crate) fn ends_sentence(c: char, before_space: bool) -> bool {
    matches!(c, '\n' | '。' | '！' | '？') || (before_space && matches!(c, '.' | '!' | '?'))
}

/// The end of what fits into `width` columns from `start`, at a word's end if one is near.
fn fit(text: &str, start: usize, width: usize) -> usize {
    let mut columns = 0;
    let mut gap = start;
    for (place, c) in text[start..].char_indices() {
        columns += 1 + usize::from(is_wide(c));
        if columns > width {
            let near = columns.saturating_sub(text[start..gap].chars().count()) < width / 2;
            return if gap > start && near { gap } else { start + place };
        }
        if c.is_whitespace() || is_wide(c) {
            gap = start + place + if is_wide(c) { c.len_utf8() } else { 0 };
        }
    }
    text.len()
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{20000}'..='\u{3fffd}')
}

/// The windows in order, with dots where text is left out and white space made single.
fn joined(text: &str, windows: &[TextWindow], spans: &[MatchSpan]) -> Vec<Fragment> {
    let mut shown = Vec::new();
    let mut open = false;
    for window in windows {
        match (shown.is_empty(), open || !window.at_sentence) {
            (true, true) => push(&mut shown, "… ", false),
            (false, true) => push(&mut shown, " … ", false),
            (false, false) => push(&mut shown, " ", false),
            (true, false) => {}
        }
        for fragment in fragments(text, window.start..window.end, spans) {
            push(&mut shown, &single_spaced(&fragment.text), fragment.marked);
        }
        open = !text[window.end..].trim().is_empty();
    }
    if open {
        push(&mut shown, " …", false);
    }
    shown
}

pub(crate) fn single_spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

/// `text[range]` in fragments; spans that lie in it are marked, overlapping ones as one.
fn fragments(text: &str, range: std::ops::Range<usize>, spans: &[MatchSpan]) -> Vec<Fragment> {
    let mut found = Vec::new();
    let mut at = range.start;
    let inside = spans.iter().filter(|span| range.start <= span.start && span.end <= range.end);
    for span in inside {
        if span.start > at {
            push(&mut found, &text[at..span.start], false);
        }
        if span.end > at {
            push(&mut found, &text[at.max(span.start)..span.end], true);
            at = span.end;
        }
    }
    push(&mut found, &text[at..range.end], false);
    found
}

/// Adds text, to the last fragment if that is of its kind.
fn push(fragments: &mut Vec<Fragment>, text: &str, marked: bool) {
    match fragments.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.marked == marked => last.text.push_str(text),
        _ => fragments.push(Fragment { text: text.to_owned(), marked }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Fragments written with the marked ones in brackets.
    fn shown(fragments: &[Fragment]) -> String {
        let write = |f: &Fragment| if f.marked { format!("[{}]", f.text) } else { f.text.clone() };
        fragments.iter().map(write).collect()
    }

    fn check(query: &str, body: &str, expected: &str) {
        let marker = Marker::new(&Query::parse(query));
        assert_eq!(
            shown(&snippet(body, &marker, false).fragments),
            expected,
            "{query} in {body:.60}"
        );
    }

    #[test]
    fn words_are_marked_by_their_stem() {
        let query = Query::parse("turbines \"wind\" -sea");
        let marked = mark("Turbine, turbines, WIND, winds; sea", &query);
        assert_eq!(shown(&marked), "[Turbine], [turbines], [WIND], winds; sea");
    }

    #[test]
    fn overlapping_pairs_are_marked_as_one() {
        assert_eq!(shown(&mark("私は東京都民だ", &Query::parse("東京都"))), "私は[東京都]民だ");
    }

    #[test]
    fn a_short_body_is_shown_whole() {
        check("wind", "The wind\n\n blows.", "The [wind] blows.");
        check("nothing", "The wind\n\n blows.", "The wind blows.");
        check("wind", "", "");
    }

    #[test]
    fn the_window_with_most_words_is_shown_from_its_sentence_on() {
        let filler = "Nothing of note stands here, sentence after sentence. ".repeat(20);
        let body = format!("Wind. {filler}A turbine needs wind to turn. {filler}");
        let marker = Marker::new(&Query::parse("wind turbine"));
        let text = shown(&snippet(&body, &marker, false).fragments);
        assert!(text.starts_with("A [turbine] needs [wind] to turn. Nothing"), "{text}");
        assert!(text.ends_with(" …") && text.len() < 270, "{text}");
    }

    #[test]
    fn of_windows_with_the_same_words_the_closest_is_shown() {
        let filler = "Nothing of note stands here, sentence after sentence. ".repeat(20);
        let far = "Wind is what many people like in summer and a turbine not.";
        let body = format!("{filler}{far} {filler}A wind turbine. {filler}{far}");
        let marker = Marker::new(&Query::parse("wind turbine"));
        let text = shown(&snippet(&body, &marker, false).fragments);
        assert!(text.starts_with("A [wind] [turbine]. Nothing"), "{text}");
    }

    #[test]
    fn without_the_words_a_key_sentence_follows_the_beginning() {
        let filler: String = (0..20).map(|n| format!("One{n} two{n} three{n} four{n}. ")).collect();
        let eels = "The eel trap holds the eel. ".repeat(9);
        let body = format!("About fishing at night. {filler}{eels}{filler}");
        let marker = Marker::new(&Query::parse("wind"));
        let text = shown(&snippet(&body, &marker, false).fragments);
        assert!(text.starts_with("About fishing at night. One0"), "{text}");
        assert!(text.contains(" … The eel trap holds the eel."), "{text}");
    }

    #[test]
    fn words_far_apart_give_two_windows() {
        let filler = "nothing of note stands here ".repeat(40);
        let body = format!("About the wind. {filler} turbine {filler}");
        let marker = Marker::new(&Query::parse("turbine wind"));
        let text = shown(&snippet(&body, &marker, false).fragments);
        assert!(text.starts_with("About the [wind]. nothing"), "{text}");
        assert!(text.contains(" … ") && text.contains("[turbine]"), "{text}");
        assert!(text.len() < 300, "{text}");
    }

    #[test]
    fn without_the_words_the_beginning_is_shown() {
        let body = "word ".repeat(100);
        check("wind", &body, &format!("{} …", "word ".repeat(48).trim_end()));
    }

    #[test]
    fn a_text_without_spaces_is_cut_by_width() {
        let body = format!("{}東京。{}", "あ".repeat(300), "い".repeat(300));
        let marker = Marker::new(&Query::parse("東京"));
        let text = shown(&snippet(&body, &marker, false).fragments);
        assert!(text.starts_with("… あ") && text.contains("[東京]。いい"), "{text}");
        assert!(text.chars().count() < 130, "{text}");
    }

    #[test]
    fn the_rarest_word_is_shown_however_often_the_others_stand_before_it() {
        let filler = "Wind and turbine, turbine and wind. ".repeat(400);
        let far = format!("{filler}{}", "Nothing of note stands here. ".repeat(4_000));
        for body in [format!("{filler}Near the weir."), format!("{far}Near the weir.")] {
            let rarity = |word: &str| Some(if word == "weir" { 9.0 } else { 1.0 });
            let marker = Marker::weighing(&Query::parse("wind turbine weir"), rarity);
            let text = shown(&snippet(&body, &marker, false).fragments);
            assert!(text.contains("[weir]") && text.contains("[Wind] and [turbine]"), "{text}");
        }
    }

    #[test]
    fn what_is_written_in_one_piece_is_marked_as_one() {
        let marked = |text: &str, query: &str| shown(&mark(text, &Query::parse(query)));
        assert_eq!(marked("An e-bay, a bay.", "ebay"), "An [e-bay], a bay.");
        assert_eq!(marked("An ebay, a bay.", "e-bay"), "An [ebay], a [bay].");
        assert_eq!(marked("git commit --amend it", "--amend"), "git commit [--amend] it");
    }

    proptest! {
        #[test]
        fn marking_keeps_the_text(text in "(wind|[ .,a-c\n東京è]){0,80}") {
            let marked = mark(&text, &Query::parse("wind a 東京"));
            let kept: String = marked.iter().map(|fragment| &*fragment.text).collect();
            prop_assert_eq!(kept, text);
        }

        #[test]
        fn any_snippet_is_short(
            text in "(wind |turbine |\\PC|[.\n]){0,400}",
            query in "\\PC{0,9}",
        ) {
            let marker = Marker::new(&Query::parse(&format!("wind turbine {query}")));
            let fragments = snippet(&text, &marker, false).fragments;
            let length: usize = fragments.iter().map(|f| f.text.chars().count()).sum();
            prop_assert!(length <= WIDTH + 10, "{}", length);
        }
    }
}
