//! Dates as pages write them, as days of ISO 8601: "2024-03-05T10:00Z", "5 March 2024", "Mar. 5,
//! 2024", "05.03.2024", "2024/03/05". Where day and month cannot be told apart the day comes first,
//! but with slashes the month does, as most pages with slashes have it.

use crate::refine::{BlockKind, Blocks};

/// How much of a text is searched, in bytes.
const REACH: usize = 200;
/// Blocks before and behind the title in which a date is looked for.
const BEFORE: usize = 3;
const BEHIND: usize = 10;
/// A block with more words than this tells no date of its page.
const LONG: u32 = 30;

/// The first letters by which months are known in eight languages, by month.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "janv"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "maa"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei", "maj"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "ago"],
    &["sep", "set"],
    &["oct", "okt", "out", "ott"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

/// The first date in a text.
pub(crate) fn read(text: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(REACH)];
    let pieces: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()).collect();
    (0..pieces.len()).find_map(|at| day(&pieces[at..], text))
}

/// The date that these pieces begin with.
fn day(pieces: &[&str], text: &str) -> Option<String> {
    let [first, second, third, ..] = *pieces else { return compact(pieces.first()?) };
    let (a, b, c) = (number(first), number(second), number(third));
    match (a, b, c) {
        (Some(year @ 1_000..), Some(month), Some(day)) => iso(year, month, day),
        (Some(day), Some(month), Some(year @ 1_000..)) => {
            let american = text.contains('/') && day <= 12;
            if american || month > 12 { iso(year, day, month) } else { iso(year, month, day) }
        }
        (Some(day), None, Some(year @ 1_000..)) => iso(year, month(second)?, day),
        (None, Some(day), Some(year @ 1_000..)) => iso(year, month(first)?, day),
        // "5 de marzo de 2024"
        (Some(day), None, None) => {
            let year = number(pieces.get(4)?).filter(|year| *year >= 1_000)?;
            iso(year, month(third)?, day)
        }
        _ => compact(first),
    }
}

/// "20240305", also with the time behind it.
fn compact(piece: &str) -> Option<String> {
    let digits = piece.get(..8).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
    if !(piece.len() == 8 || piece[8..].starts_with(['T', 't'])) {
        return None;
    }
    iso(number(&digits[..4])?, number(&digits[4..6])?, number(&digits[6..])?)
}

/// The number at the head of a piece: "5th" is 5, "05T10" is 5.
fn number(piece: &str) -> Option<u32> {
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    let number = piece.get(..digits).filter(|digits| (1..=4).contains(&digits.len()))?;
    number.parse().ok()
}

/// The number of a month by its name.
pub(crate) fn month(piece: &str) -> Option<u32> {
    let piece = piece.to_lowercase();
    let at = MONTHS.iter().position(|names| names.iter().any(|name| piece.starts_with(name)))?;
    u32::try_from(at + 1).ok()
}

fn iso(year: u32, month: u32, day: u32) -> Option<String> {
    let is_date =
        (1990..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// A date that people read near the first large heading.
pub(super) fn near_title(blocks: &Blocks) -> Option<String> {
    let title = blocks.list.iter().position(|block| block.kind == BlockKind::Heading(1))?;
    let from = title.saturating_sub(BEFORE);
    let near = blocks.list.iter().skip(from).take(title - from + BEHIND);
    near.filter(|block| block.words <= LONG).find_map(|block| read(blocks.text_of(block)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_are_read_however_they_are_written() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(read(text).as_deref(), expected, "{text}");
        };
        check("2024-03-05T10:00:00+01:00", Some("2024-03-05"));
        check("20240305T1000", Some("2024-03-05"));
        check("Posted on March 5th, 2024 by Ana", Some("2024-03-05"));
        check("Tuesday, 5 Mar 2024", Some("2024-03-05"));
        check("5. März 2024", Some("2024-03-05"));
        check("5 de marzo de 2024", Some("2024-03-05"));
        check("05.03.2024", Some("2024-03-05"));
        check("3/5/2024 10:00", Some("2024-03-05"));
        check("25/3/2024", Some("2024-03-25"));
        check("2024/13/45", None);
        check("on page 5 of 2024", None);
        check("", None);
    }

    proptest! {
        #[test]
        fn every_day_is_read_back(year in 1990..2100_u32, month in 1..=12_u32, day in 1..=31_u32) {
            let date = format!("{year:04}-{month:02}-{day:02}");
            prop_assert_eq!(read(&date), Some(date.clone()));
            let german = format!("{day}.{month}.{year}");
            prop_assert_eq!(read(&german), Some(date));
        }

        #[test]
        fn any_text_is_read(text in ".{0,80}") {
            let _ = read(&text);
        }
    }
}
