//! The encodings that PDF names (ISO 32000-1 annex D): which character a code of a simple font
//! means. Windows and Macintosh are those of the web; the others stand here.

use encoding_rs::{MACINTOSH, WINDOWS_1252};

/// A character a code; NUL where there is none.
pub(in super::super) type Encoding = [char; 256];

/// From 0xA1 on; a blank is a code without character.
const STANDARD: &str =
    "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß";
/// From 0x80 on.
const DOCUMENT: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž €";
/// From 0x21 on, and from 0xA0 on.
const SYMBOL: [&str; 2] = [
    "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈   ∑           〉∫⌠ ⌡",
];
/// Codes of ZapfDingbats that do not stand at the same place in the dingbats of Unicode.
const DINGBATS: &[(u8, char)] = &[
    (b' ', ' '),
    (0x25, '☎'),
    (0x2A, '☛'),
    (0x2B, '☞'),
    (0x48, '★'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x73, '▲'),
    (0x74, '▼'),
    (0x75, '◆'),
    (0x77, '◗'),
];

fn ascii() -> Encoding {
    std::array::from_fn(|code| if (0x20..0x7F).contains(&code) { code as u8 as char } else { '\0' })
}

fn place(encoding: &mut Encoding, first: usize, characters: &str) {
    for (code, character) in (first..256).zip(characters.chars()) {
        encoding[code] = if character == ' ' { '\0' } else { character };
    }
}

fn of_the_web(encoding: &'static encoding_rs::Encoding) -> Encoding {
    let mut table = ascii();
    for code in 0x80..=0xFFu8 {
        let byte = [code];
        let (text, _) = encoding.decode_without_bom_handling(&byte);
        let character = text.chars().next().filter(|c| !c.is_control());
        table[usize::from(code)] = character.unwrap_or('\0');
    }
    table
}

pub(super) fn standard() -> Encoding {
    let mut table = ascii();
    table[0x27] = '’';
    table[0x60] = '‘';
    place(&mut table, 0xA1, STANDARD);
    table
}

pub(super) fn windows() -> Encoding {
    let mut table = of_the_web(WINDOWS_1252);
    for code in table.iter_mut().skip(0x7F).filter(|code| **code == '\0') {
        *code = '•';
    }
    table
}

/// What strings outside of pages are written in.
pub(in super::super) fn document() -> Encoding {
    let mut table = of_the_web(WINDOWS_1252);
    for (code, character) in [(9, ' '), (10, ' '), (13, ' ')] {
        table[code] = character;
    }
    place(&mut table, 0x18, "˘ˇˆ˙˝˛˚˜");
    place(&mut table, 0x80, DOCUMENT);
    table
}

pub(super) fn symbol() -> Encoding {
    let mut table = ['\0'; 256];
    table[0x20] = ' ';
    place(&mut table, 0x21, SYMBOL[0]);
    place(&mut table, 0xA0, SYMBOL[1]);
    table
}

pub(super) fn dingbats() -> Encoding {
    let mut table = std::array::from_fn(|code| match code {
        0x20..0x7F => char::from_u32(0x2700 + code as u32 - 0x20).unwrap_or('\0'),
        _ => '\0',
    });
    for &(code, character) in DINGBATS {
        table[usize::from(code)] = character;
    }
    table
}

/// The encoding of that name, if PDF has one.
pub(super) fn named(name: &[u8]) -> Option<Encoding> {
    match name {
        b"WinAnsiEncoding" => Some(windows()),
        b"MacRomanEncoding" => Some(of_the_web(MACINTOSH)),
        b"StandardEncoding" => Some(standard()),
        b"PDFDocEncoding" => Some(document()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(encoding: &Encoding, code: usize, expected: char) {
        assert_eq!(encoding[code], expected, "{code:#x}");
    }

    #[test]
    fn codes_mean_what_the_annex_says() {
        check(&standard(), 0xAE, 'ﬁ');
        check(&standard(), 0xFB, 'ß');
        check(&standard(), 0xE1, 'Æ');
        check(&windows(), 0x93, '“');
        check(&windows(), 0x81, '•');
        check(&named(b"MacRomanEncoding").unwrap(), 0x8A, 'ä');
        check(&document(), 0xA0, '€');
        check(&document(), 0x9E, 'ž');
        check(&document(), 0xE9, 'é');
        check(&symbol(), 0x61, 'α');
        check(&symbol(), 0xB7, '•');
        check(&symbol(), 0xE5, '∑');
        check(&dingbats(), 0x6C, '●');
        check(&dingbats(), 0x34, '✔');
    }
}
