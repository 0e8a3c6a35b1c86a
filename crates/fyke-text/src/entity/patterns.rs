//! Dates, amounts of money and addresses, by patterns over the words of a sentence (003 §4.6: `<number> <word>
//! street`, `<street>, <city>, <state>`).

use super::lexicon::{self, NameList};
use super::rules::is_great;
use super::{EntityKind, EntitySpan, WordPart, Words};

const MONTHS: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];
const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const SIGNS: [&str; 5] = ["$", "€", "£", "¥", "₹"];
const CURRENCIES: [&str; 24] = [
    "dollar", "dollars", "euro", "euros", "pound", "pounds", "yen", "yuan", "cent", "cents",
    "pence", "franc", "francs", "rupee", "rupees", "ruble", "rubles", "usd", "eur", "gbp", "chf",
    "jpy", "cad", "aud",
];
const AMOUNTS: [&str; 8] =
    ["hundred", "thousand", "million", "billion", "trillion", "bn", "mio", "k"];
const STREETS: [&str; 33] = [
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "boulevard",
    "blvd",
    "lane",
    "ln",
    "drive",
    "dr",
    "court",
    "ct",
    "square",
    "sq",
    "place",
    "pl",
    "way",
    "terrace",
    "highway",
    "hwy",
    "parkway",
    "pkwy",
    "close",
    "crescent",
    "alley",
    "hill",
    "row",
    "gardens",
    "grove",
    "mews",
    "broadway",
];
/// What is a street without another word.
const ALONE: [&str; 1] = ["broadway"];
/// What parts of a house are called.
const UNITS: [&str; 7] = ["suite", "apt", "apartment", "unit", "room", "floor", "flat"];
/// What stands before the sign of dollars.
const DOLLARS: [&str; 6] = ["US", "CA", "AU", "NZ", "HK", "C"];
/// Most words of the name of a street, and of a city.
const MOST_STREET: usize = 4;
const MOST_CITY: usize = 3;

/// What the patterns find, the first of several that begin at a word.
pub(super) fn find(words: &Words<'_, '_>) -> Vec<EntitySpan> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.words.len() {
        let date = || date(words, at).map(|to| EntitySpan::new(EntityKind::Date, at, to));
        let money = || money(words, at).map(|to| EntitySpan::new(EntityKind::Money, at, to));
        match address(words, at).or_else(date).or_else(money) {
            Some(span) => {
                at = span.to;
                found.push(span);
            }
            None => at += 1,
        }
    }
    found
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
}

/// A whole number in these bounds, without or with the ending of an ordinal.
fn is_between(word: &str, least: u32, most: u32) -> bool {
    let bare = of_ordinal(word).unwrap_or(word);
    bare.len() <= 4
        && bare.bytes().all(|b| b.is_ascii_digit())
        && bare.parse().is_ok_and(|number: u32| (least..=most).contains(&number))
}

/// An ordinal without its ending.
fn of_ordinal(word: &str) -> Option<&str> {
    ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && is_between(word, 1000, 2999)
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    let lower = word.trim_end_matches('.').to_lowercase();
    list.contains(&lower.as_str())
}

fn is_month(words: &Words<'_, '_>, at: usize) -> bool {
    is_great(words.word(at)) && is_one_of(words.word(at), &MONTHS)
}

/// Where a sign may stand or not.
fn skip(words: &Words<'_, '_>, at: usize, sign: &str) -> usize {
    at + usize::from(words.word(at) == sign)
}

/// Where a date that begins at a word ends.
fn date(words: &Words<'_, '_>, at: usize) -> Option<usize> {
    let word = words.word(at);
    if is_great(word) && is_one_of(word, &DAYS) {
        return calendar_day(words, skip(words, at + 1, ",")).or(Some(at + 1));
    }
    calendar_day(words, at).or_else(|| numbers(words, at)).or_else(|| time(words, at))
}

/// `May 3, 2019`, `May 2019`, `3 May 2019`, `4th of July`.
fn calendar_day(words: &Words<'_, '_>, at: usize) -> Option<usize> {
    let with_year = |to: usize| {
        let year = skip(words, to, ",");
        if is_year(words.word(year)) { year + 1 } else { to }
    };
    if is_month(words, at) {
        let day = at + 1 + usize::from(words.word(at + 1) == ".");
        return match words.word(day) {
            word if is_between(word, 1, 31) => Some(with_year(day + 1)),
            word if is_year(word) => Some(day + 1),
            _ => None,
        };
    }
    let month = at + 1 + usize::from(words.word(at + 1) == "of");
    (is_between(words.word(at), 1, 31) && is_month(words, month)).then(|| with_year(month + 1))
}

/// `2017-05-12`, `12/06/2017`, `12/06/17`, `12.06.2017`.
fn numbers(words: &Words<'_, '_>, at: usize) -> Option<usize> {
    let of_three = |parts: [&str; 3]| {
        let day_and_month = |day: &str, month: &str| {
            is_between(day, 1, 31)
                && is_between(month, 1, 31)
                && (is_between(day, 1, 12) || is_between(month, 1, 12))
        };
        is_year(parts[0]) && is_between(parts[1], 1, 12) && is_between(parts[2], 1, 31)
            || is_year(parts[2]) && day_and_month(parts[0], parts[1])
    };
    let mut dotted = words.word(at).split('.');
    if let (Some(a), Some(b), Some(c), None) =
        (dotted.next(), dotted.next(), dotted.next(), dotted.next())
    {
        return of_three([a, b, c]).then_some(at + 1);
    }
    let sign = words.word(at + 1);
    let is_joined = matches!(sign, "-" | "/") && words.word(at + 3) == sign;
    let parts = [words.word(at), words.word(at + 2), words.word(at + 4)];
    let is_short = sign == "/"
        && parts.iter().all(|part| part.len() == 2 && is_between(part, 0, 99))
        && (is_between(parts[0], 1, 12) || is_between(parts[1], 1, 12))
        && parts[..2].iter().all(|part| is_between(part, 1, 31));
    (is_joined && (is_short || of_three(parts))).then_some(at + 5)
}

/// `10:30`, `10:30 pm`, `10:30pm`, `5 pm`, `5pm`.
fn time(words: &Words<'_, '_>, at: usize) -> Option<usize> {
    let word = words.word(at);
    let joined = ["am", "pm", "AM", "PM"].iter().find_map(|half| word.strip_suffix(half));
    let (word, is_joined) = (joined.unwrap_or(word), joined.is_some());
    let half = !is_joined
        && matches!(words.lower(at + 1).trim_end_matches('.'), "am" | "pm" | "a.m" | "p.m");
    let is_clock = word.split_once(':').is_some_and(|(hour, minute)| {
        is_between(hour, 0, 24) && minute.len() == 2 && is_between(minute, 0, 59)
    });
    let is_hour = (half || is_joined) && is_between(word, 1, 12);
    (is_clock || is_hour).then_some(at + 1 + usize::from(half))
}

/// Where an amount of money that begins at a word ends.
fn money(words: &Words<'_, '_>, at: usize) -> Option<usize> {
    let amount = |at: usize| {
        let word = words.word(at).trim_end_matches(['m', 'k', 'M', 'K']).trim_end_matches("bn");
        is_number(word).then(|| at + 1 + usize::from(is_one_of(words.word(at + 1), &AMOUNTS)))
    };
    let word = words.word(at);
    let is_code = word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase());
    if DOLLARS.contains(&word) && words.word(at + 1) == SIGNS[0] {
        return amount(at + 2);
    }
    if SIGNS.contains(&word) || is_code && is_one_of(word, &CURRENCIES) {
        return amount(at + 1);
    }
    let to = amount(at)?;
    let has_currency =
        is_one_of(words.word(to), &CURRENCIES) || SIGNS[1..].contains(&words.word(to));
    has_currency.then_some(to + 1)
}

/// An address that begins at a word, with its parts.
fn address(words: &Words<'_, '_>, at: usize) -> Option<EntitySpan> {
    let number = words.word(at);
    let is_house = number.starts_with(|c: char| c.is_ascii_digit())
        && number.len() <= 6
        && number.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len() + 1 >= number.len();
    let is_name = |at: usize| {
        let word = words.word(at);
        is_great(word)
            || matches!(word, "'s" | "’s")
            || of_ordinal(word).is_some() && is_between(word, 1, 999)
    };
    if !is_house || !is_name(at + 1) {
        return None;
    }
    let name = (at + 1..at + 1 + MOST_STREET).take_while(|at| is_name(*at));
    let street = name.filter(|at| is_one_of(words.word(*at), &STREETS)).last()?;
    if street == at + 1 && !is_one_of(words.word(street), &ALONE) {
        return None;
    }
    let mut span = EntitySpan::new(EntityKind::Address, at, street + 1);
    span.parts.push(WordPart { element: "Street", from: at, to: street + 1 });
    unit(words, &mut span);
    region(words, &mut span);
    Some(span)
}

/// The part of a house behind a street: `Suite 4`.
fn unit(words: &Words<'_, '_>, span: &mut EntitySpan) {
    let at = skip(words, span.to, ",");
    let is_number = words.word(at + 1).starts_with(|c: char| c.is_ascii_digit());
    if is_one_of(words.word(at), &UNITS) && is_number {
        span.parts.push(WordPart { element: "Unit", from: at, to: at + 2 });
        span.to = at + 2;
    }
}

/// Words of the postal code that begins at a word: `02139`, `NW1 6XE`.
fn postal_code(words: &Words<'_, '_>, at: usize) -> usize {
    let (code, inner) = (words.word(at), words.word(at + 1));
    let is_plain = code.len() == 5 && code.bytes().all(|b| b.is_ascii_digit());
    let area = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let is_outer = (1..=2).contains(&area)
        && (area + 1..=area + 2).contains(&code.len())
        && code.as_bytes()[area].is_ascii_digit();
    let is_inner = inner.len() == 3
        && inner.starts_with(|c: char| c.is_ascii_digit())
        && inner.bytes().skip(1).all(|b| b.is_ascii_uppercase());
    match () {
        () if is_plain => 1,
        () if is_outer && is_inner => 2,
        () => 0,
    }
}

/// City, state and postal code behind a street.
fn region(words: &Words<'_, '_>, span: &mut EntitySpan) {
    let from = skip(words, span.to, ",");
    let is_city = |at: &usize| {
        is_great(words.word(*at)) && !is_state(words.word(*at)) && postal_code(words, *at) == 0
    };
    let to = (from..from + MOST_CITY).take_while(is_city).last().map_or(from, |last| last + 1);
    if from == span.to || to == from {
        return;
    }
    span.parts.push(WordPart { element: "City", from, to });
    span.to = to;
    let state = skip(words, span.to, ",");
    let is_place = state > span.to && lexicon::is_in(&words.lower(state), NameList::Places);
    if is_state(words.word(state)) || is_place && is_great(words.word(state)) {
        span.parts.push(WordPart { element: "State", from: state, to: state + 1 });
        span.to = state + 1;
    }
    let code = postal_code(words, span.to);
    if code > 0 {
        let to = span.to + code;
        span.parts.push(WordPart { element: "PostalCode", from: span.to, to });
        span.to = to;
    }
}

fn is_state(word: &str) -> bool {
    word.len() == 2
        && word.bytes().all(|b| b.is_ascii_uppercase())
        && lexicon::is_in(&word.to_lowercase(), NameList::States)
}
