//! windows-1258 writes a Vietnamese vowel and its tone as two characters; everybody else, and everybody who
//! searches, writes them as one. So the two are made one here.

/// The tones, as combining marks.
const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'];

/// Each vowel, then the vowel with each of the tones, in the order of [`TONES`].
const VOWELS: [&str; 24] = [
    "AÀÁÃẢẠ",
    "aàáãảạ",
    "ĂẰẮẴẲẶ",
    "ăằắẵẳặ",
    "ÂẦẤẪẨẬ",
    "âầấẫẩậ",
    "EÈÉẼẺẸ",
    "eèéẽẻẹ",
    "ÊỀẾỄỂỆ",
    "êềếễểệ",
    "IÌÍĨỈỊ",
    "iìíĩỉị",
    "OÒÓÕỎỌ",
    "oòóõỏọ",
    "ÔỒỐỖỔỘ",
    "ôồốỗổộ",
    "ƠỜỚỠỞỢ",
    "ơờớỡởợ",
    "UÙÚŨỦỤ",
    "uùúũủụ",
    "ƯỪỨỮỬỰ",
    "ưừứữửự",
    "YỲÝỸỶỴ",
    "yỳýỹỷỵ",
];

/// The text with every vowel and tone as one character.
#[must_use]
pub fn composed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let tone = TONES.iter().position(|tone| *tone == c);
        let whole = tone.and_then(|tone| with_tone(out.chars().next_back()?, tone));
        match whole {
            Some(whole) => {
                out.pop();
                out.push(whole);
            }
            None => out.push(c),
        }
    }
    out
}

fn with_tone(vowel: char, tone: usize) -> Option<char> {
    let row = VOWELS.iter().find(|row| row.starts_with(vowel))?;
    row.chars().nth(tone + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vowels_and_tones_are_made_one() {
        assert!(VOWELS.iter().all(|row| row.chars().count() == TONES.len() + 1));
        let two = "Tie\u{302}\u{301}ng Vi\u{ea}\u{323}t, n\u{1b0}\u{301}\u{301} b\u{301}";
        // A circumflex is no tone: windows-1258 has its letters whole.
        assert_eq!(composed(two), "Tie\u{302}\u{301}ng Vi\u{1ec7}t, n\u{1ee9}\u{301} b\u{301}");
        assert_eq!(composed("\u{301}a"), "\u{301}a");
    }
}
