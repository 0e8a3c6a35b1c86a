//! Numbers of a workbook: which formats make them dates, and how they are shown.

use super::super::xml::{Events, XmlEvent, attribute};
use fyke_web::html::name;
use std::collections::HashSet;

/// Built-in formats that show dates or times.
const BUILT_IN: &[std::ops::RangeInclusive<u32>] = &[14..=22, 27..=36, 45..=47, 50..=58];
/// Days from 1899-12-30, where the count begins, to 1970-01-01; and from 1904-01-01.
const DAYS_1900: i64 = 25_569;
const DAYS_1904: i64 = 24_107;
/// The last day that has a date, 9999-12-31.
const LAST_DAY: f64 = 2_958_466.0;

/// The formats of a workbook.
#[derive(Debug, Default)]
pub(super) struct NumberFormats {
    /// For each style of a cell whether it shows a date.
    dates: Vec<bool>,
    epoch: i64,
}

impl NumberFormats {
    pub(super) fn read(styles: &str, workbook: &str) -> NumberFormats {
        let is_1904 = Events::new(workbook).any(|event| match event {
            XmlEvent::Start(tag) if tag.name == name("workbookPr") => {
                attribute(&tag, "date1904").is_some_and(|v| matches!(&*v, "1" | "true"))
            }
            _ => false,
        });
        let epoch = if is_1904 { DAYS_1904 } else { DAYS_1900 };
        NumberFormats { dates: date_styles(styles), epoch }
    }

    /// A number as its style shows it, dates in ISO 8601; what is no number as it is.
    pub(super) fn show(&self, value: &str, style: usize) -> String {
        let Ok(number) = value.parse::<f64>() else { return value.to_owned() };
        let is_date = self.dates.get(style).copied().unwrap_or(false);
        if is_date && (0.0..LAST_DAY).contains(&number) {
            return date(number, self.epoch);
        }
        // The file holds 17 digits; people see at most 15.
        let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
        if rounded.abs() >= 1e15 || rounded != 0.0 && rounded.abs() < 1e-9 {
            format!("{rounded:e}")
        } else {
            format!("{rounded}")
        }
    }
}

fn date_styles(styles: &str) -> Vec<bool> {
    let mut custom: HashSet<u32> = HashSet::new();
    let mut dates = Vec::new();
    let mut in_cells = false;
    for event in Events::new(styles) {
        match event {
            XmlEvent::Start(tag) if tag.name == name("cellXfs") => in_cells = true,
            XmlEvent::End(n) if n == name("cellXfs") => in_cells = false,
            XmlEvent::Start(tag) => {
                let id = attribute(&tag, "numFmtId").and_then(|id| id.parse::<u32>().ok());
                let Some(id) = id else { continue };
                if tag.name == name("numFmt")
                    && attribute(&tag, "formatCode").is_some_and(|code| shows_date(&code))
                {
                    custom.insert(id);
                } else if tag.name == name("xf") && in_cells && dates.len() < 100_000 {
                    let is_built_in = BUILT_IN.iter().any(|range| range.contains(&id));
                    dates.push(is_built_in || custom.contains(&id));
                }
            }
            XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }
    dates
}

/// Whether a format has a letter of dates outside quotes, brackets and escapes.
fn shows_date(code: &str) -> bool {
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => while characters.next().is_some_and(|c| c != '"') {},
            '[' => while characters.next().is_some_and(|c| c != ']') {},
            '\\' | '_' | '*' => drop(characters.next()),
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' => return true,
            _ => {}
        }
    }
    false
}

/// Days since the epoch, and their fraction, as date and time.
fn date(serial: f64, epoch: i64) -> String {
    let seconds = (serial * 86_400.0).round() as i64;
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let time = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
    // Days before the count begins: a time alone.
    if day == 0 {
        return time;
    }
    let CivilDate { year, month, day } = CivilDate::of(day - epoch);
    match second {
        0 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02} {time}"),
    }
}

/// A day of the calendar.
struct CivilDate {
    year: i64,
    month: i64,
    day: i64,
}

impl CivilDate {
    /// Of a day counted from 1970-01-01: years begin in March, so that the day added to some of them
    /// comes last, and repeat every 400.
    fn of(day: i64) -> CivilDate {
        let day = day + 719_468;
        let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        CivilDate { year: era * 400 + year + next, month, day }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_people_see_them() {
        let numbers = NumberFormats { dates: vec![false, true], epoch: DAYS_1900 };
        let check = |value: &str, style, expected| assert_eq!(numbers.show(value, style), expected);
        check("0.10000000000000001", 0, "0.1");
        check("42", 0, "42");
        check("-1.5E2", 0, "-150");
        check("1e300", 0, "1e300");
        check("x", 1, "x");
        check("45356", 1, "2024-03-05");
        check("45356.75", 1, "2024-03-05 18:00:00");
        check("0.5", 1, "12:00:00");
        check("36585", 1, "2000-02-29");
        check("1e9", 1, "1000000000");
    }

    #[test]
    fn formats_of_dates_are_known() {
        let check = |code, expected| assert_eq!(shows_date(code), expected, "{code}");
        check("yyyy\\-mm\\-dd", true);
        check("[Red]0.00", false);
        check("\"days\" 0", false);
        check("0_d", false);
        check("[$-409]h:mm", true);
        check("\"never closed", false);
    }
}
