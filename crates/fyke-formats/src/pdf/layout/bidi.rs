//! Text that is written from right to left (Arabic, Hebrew): files draw its glyphs as they stand on the page, from
//! left to right or one by one, and a reader wants them in the order in which they are read. The inverse of the
//! bidirectional algorithm, as far as words on a line need it.
//!
//! A page that is mostly written so is mirrored before its lines are made: then columns, indents and paragraphs are
//! found as on any other page.

use super::GlyphWord;

/// Whether a character is written from right to left.
pub(in super::super) fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && !is_digit(c)
}

/// Digits are written from left to right everywhere.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}')
}

fn is_left_to_right(c: char) -> bool {
    is_digit(c) || c.is_alphabetic() && !is_right_to_left(c)
}

/// Adds the text of a glyph that stands to the right of what is there. Of several characters from right to left the last
/// one stands leftmost.
pub(super) fn push_glyph(word: &mut String, glyph: &str) {
    match glyph.chars().next().is_some_and(is_right_to_left) {
        true => word.extend(glyph.chars().rev()),
        false => word.push_str(glyph),
    }
}

fn count(words: &[GlyphWord], is_one: fn(char) -> bool) -> usize {
    words.iter().flat_map(|word| word.text.chars()).filter(|c| is_one(*c)).count()
}

/// Whether most of the letters are written from right to left.
fn is_mostly_right_to_left(words: &[GlyphWord]) -> bool {
    let right = count(words, is_right_to_left);
    right > 0 && right >= count(words, |c| is_left_to_right(c) && !is_digit(c))
}

/// Mirrors the places of all words, if the page is mostly written from right to left; whether it did.
pub(super) fn mirror(words: &mut [GlyphWord]) -> bool {
    let is_mirrored = is_mostly_right_to_left(words);
    if is_mirrored {
        words.iter_mut().for_each(|word| (word.left, word.right) = (-word.right, -word.left));
    }
    is_mirrored
}

/// Puts the words of a line, which stand from left to right (on a mirrored page from right to left), in the order in
/// which they are read, and their characters as well.
pub(super) fn read(words: &mut [GlyphWord], is_mirrored: bool) {
    if count(words, is_right_to_left) == 0 && !is_mirrored {
        return;
    }
    let is_right = is_mirrored || is_mostly_right_to_left(words);
    if is_right && !is_mirrored {
        words.reverse();
    }
    let is_turned = |word: &&mut GlyphWord| {
        word.text.contains(is_right_to_left) || is_right && has_stop(&word.text)
    };
    for word in words.iter_mut().filter(is_turned) {
        word.text = logical(&word.text);
    }
    // What runs against the line's direction, with the signs and numbers between.
    let against: fn(char) -> bool = if is_right { is_left_to_right } else { is_right_to_left };
    let along: fn(char) -> bool =
        if is_right { is_right_to_left } else { |c| is_left_to_right(c) && !is_digit(c) };
    let mut at = 0;
    while at < words.len() {
        let is_against =
            |word: &GlyphWord| word.text.contains(against) && !word.text.contains(along);
        if !is_against(&words[at]) {
            at += 1;
            continue;
        }
        let is_inside = |word: &&GlyphWord| !word.text.contains(along);
        let end = at + words[at..].iter().take_while(is_inside).count();
        let last = words[at..end].iter().rposition(is_against).map_or(at, |last| at + last);
        words[at..=last].reverse();
        at = end;
    }
}

/// Whether a sign of the sentence around it stands at an end of a word.
fn has_stop(text: &str) -> bool {
    const STOPS: [char; 12] = ['.', ',', ':', ';', '!', '?', '(', ')', '[', ']', '«', '»'];
    text.starts_with(STOPS) || text.ends_with(STOPS)
}

/// The characters of a word as it stands on the page in the order in which they are read.
fn logical(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut read = String::with_capacity(text.len());
    let mut end = characters.len();
    while end > 0 {
        let mut start = end;
        // Numbers and foreign letters keep their order, with the signs inside them.
        while start > 0 && is_of_run(&characters[..end], start - 1) {
            start -= 1;
        }
        match start < end {
            true => read.extend(&characters[start..end]),
            false => {
                start = end - 1;
                read.push(mirrored(characters[start]));
            }
        }
        end = start;
    }
    read
}

/// Whether a character is part of a run from left to right, or a sign between two such characters.
fn is_of_run(characters: &[char], at: usize) -> bool {
    let is = |at: usize| characters.get(at).is_some_and(|c| is_left_to_right(*c));
    let is_sign = |c: char| matches!(c, '.' | ',' | ':' | '/' | '-' | '\'' | '@' | '_');
    is(at) || is_sign(characters[at]) && at > 0 && is(at - 1) && is(at + 1)
}

/// A bracket is drawn as its mirror image.
fn mirrored(c: char) -> char {
    const PAIRS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»')];
    let pair = PAIRS.iter().find(|pair| pair.0 == c || pair.1 == c);
    pair.map_or(c, |pair| if pair.0 == c { pair.1 } else { pair.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of one character's width each, side by side.
    fn words(line: &str) -> Vec<GlyphWord> {
        let word = |(at, text): (usize, &str)| {
            let left = at as f32 * 20.0;
            let (right, text) = (left + 15.0, text.to_owned());
            let (base, size, bold, italic, spaced, link) = (0.0, 10.0, false, false, true, None);
            GlyphWord { text, left, right, base, size, bold, italic, spaced, link }
        };
        line.split(' ').enumerate().map(word).collect()
    }

    fn texts(words: &[GlyphWord]) -> String {
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// A line as it stands on the page from left to right, and as it is read.
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let mut alone = words(line);
        read(&mut alone, false);
        assert_eq!(texts(&alone), expected, "{line}");
        let mut mirrored = words(line);
        if mirror(&mut mirrored) {
            mirrored.sort_by(|a, b| a.left.total_cmp(&b.left));
            read(&mut mirrored, true);
            assert_eq!(texts(&mirrored), expected, "{line}, mirrored");
        }
    }

    #[test]
    fn a_line_is_read_from_the_right() {
        check("eels and pike", "eels and pike");
        check("םולש םלוע", "עולם שלום");
        check("New York ריעה ילא", "אלי העיר New York");
        check("ריעה New York ילא", "אלי New York העיר");
        check(".2024 תנשב היה", "היה בשנת 2024.");
        check("please read םולש םלוע here", "please read עולם שלום here");
        check("(םולש)", "(שלום)");
        check("12.5-ב", "ב-12.5");
    }

    #[test]
    fn several_characters_of_one_glyph_are_turned_with_it() {
        let mut word = String::new();
        ["\u{645}", "\u{644}\u{627}", "\u{633}"]
            .iter()
            .for_each(|glyph| push_glyph(&mut word, glyph));
        assert_eq!(logical(&word), "\u{633}\u{644}\u{627}\u{645}");
    }
}
