//! Notices of a town: pages of meetings, sales and works with dates, sums of money and addresses in the many ways in
//! which people write them, each known, among numbers that are none of these (003 §4.6).

use crate::words::{PondDice, hash, mix};
use serde::Serialize;
use std::fmt::Write as _;

/// Notices by a seed.
#[derive(Clone, Copy, Debug)]
pub struct Notices {
    pub seed: u64,
}

/// What a known part of a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum NoticeKind {
    Date,
    Money,
    Address,
}

/// A known part of a notice, as it is written there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoticePart {
    pub kind: NoticeKind,
    pub text: String,
}

/// A page with its known parts, in their order.
#[derive(Clone, Debug, Default)]
pub struct Notice {
    pub url: String,
    pub html: String,
    pub parts: Vec<NoticePart>,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const SHORT: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const STREETS: [&str; 18] = [
    "Harbour Street",
    "Mill Lane",
    "Old Quay Road",
    "St. Mary's Road",
    "North Main Street",
    "West 23rd Street",
    "King George Avenue",
    "Sunset Blvd.",
    "Ferry Drive",
    "Oak Ave",
    "Market Square",
    "Chapel Terrace",
    "Fishers Way",
    "Tower Hill",
    "Lower Weir Court",
    "Broadway",
    "Elm St.",
    "Pier Crescent",
];
/// Cities with their states, none for those of Britain.
const CITIES: [(&str, &str); 12] = [
    ("Dover", "DE"),
    ("Salem", "MA"),
    ("Newport", "RI"),
    ("New London", "CT"),
    ("Portland", "Maine"),
    ("Springfield", "IL"),
    ("San Rafael", "California"),
    ("Gloucester", "MA"),
    ("London", ""),
    ("Kirkby Lonsdale", ""),
    ("Bristol", ""),
    ("Grimsby", ""),
];
/// What is told: `D` a date, `M` money, `A` an address, `T` a time of day, `N` a number that is none of them.
const SENTENCES: [&str; 26] = [
    "The council meets on D at A.",
    "The next auction takes place on D and begins at T.",
    "Nets worth M were sold to N bidders on D.",
    "The old boathouse at A was sold for M.",
    "Please send your bill to A before D.",
    "Since D the bridge has carried N cars a day, at a cost of M.",
    "Repairs of the weir will cost M, and the work ends by D.",
    "The museum moved to A in the year after the flood.",
    "A reward of M is offered for news of the lost buoy, last seen near A.",
    "Doors open at T; a seat costs M.",
    "The lease of D was signed at A.",
    "We may march N miles along the river, as in section N of the plan.",
    "The fund holds M, of which M was spent by D.",
    "Visitors find the office at A, open until T.",
    "It took N days and N boats to clear the harbour.",
    "On D, the ferry to the island broke down.",
    "Between D and D no boats may pass.",
    "The fine is M for each of the first N days.",
    "A letter dated D asks for M.",
    "Version N of the chart shows N wrecks.",
    "The family lived at A until D.",
    "Call the harbour master on N about berth N.",
    "Fishing is closed from D.",
    "The prize money rose from M to M.",
    "The shop at A sells maps for M.",
    "Anglers caught N eels, N pike and one bottle.",
];
/// Notices of a seed, and sentences of each.
const NOTICES: usize = 200;
const FEWEST: usize = 6;

impl Notices {
    /// All notices.
    pub fn all(self) -> impl Iterator<Item = Notice> {
        (0..NOTICES).map(move |number| self.notice(number))
    }

    fn notice(self, number: usize) -> Notice {
        let mut dice = PondDice::new(mix(hash(self.seed, "notices"), number as u64));
        let url = format!("http://town.test/notices/{number}");
        let mut notice = Notice { url, ..Notice::default() };
        notice.html =
            format!("<!doctype html><title>Notice {number}</title><h1>Notice {number}</h1>");
        for _ in 0..2 + dice.below(3) {
            notice.html += "<p>";
            for _ in 0..FEWEST + dice.below(5) {
                notice.sentence(&mut dice);
            }
            notice.html += "</p>";
        }
        notice
    }
}

impl Notice {
    fn sentence(&mut self, dice: &mut PondDice) {
        let sentence = *dice.pick(&SENTENCES);
        for (at, c) in sentence.char_indices() {
            let mut around = [at.wrapping_sub(1), at + 1].map(|at| sentence.as_bytes().get(at));
            let is_alone =
                around.iter_mut().all(|byte| byte.is_none_or(|b| !b.is_ascii_alphabetic()));
            let part = match c {
                'D' if is_alone => Some((NoticeKind::Date, date(dice))),
                'T' if is_alone => Some((NoticeKind::Date, time(dice))),
                'M' if is_alone => Some((NoticeKind::Money, money(dice))),
                'A' if is_alone && at > 0 => Some((NoticeKind::Address, address(dice))),
                'N' if is_alone => {
                    self.html += &number(dice);
                    continue;
                }
                _ => None,
            };
            match part {
                Some((kind, text)) => {
                    self.html += &text;
                    self.parts.push(NoticePart { kind, text });
                }
                // What ends in a dot ends a sentence, too.
                None if c == '.' && self.html.ends_with('.') => {}
                None => self.html.push(c),
            }
        }
        self.html.push(' ');
    }
}

fn ordinal(day: usize) -> String {
    let end = match (day % 10, day / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    };
    format!("{day}{end}")
}

fn date(dice: &mut PondDice) -> String {
    let (day, month, year) = (1 + dice.below(28), dice.below(12), 1890 + dice.below(136));
    let (name, short, weekday) = (MONTHS[month], SHORT[month], *dice.pick(&DAYS));
    let number = month + 1;
    match dice.below(16) {
        0 => format!("{name} {day}, {year}"),
        1 => format!("{day} {name} {year}"),
        2 => format!("{year}-{number:02}-{day:02}"),
        3 => format!("{number}/{day}/{year}"),
        4 => format!("{day}.{number}.{year}"),
        5 => format!("{weekday}, {name} {day}"),
        6 => format!("{weekday}, {day} {name} {year}"),
        7 => format!("the {} of {name}, {year}", ordinal(day)).replacen("the ", "", 1),
        8 => format!("{name} {year}"),
        9 if name == short => format!("{short} {day}, {year}"),
        9 => format!("{short}. {day}, {year}"),
        10 => format!("{name} {}", ordinal(day)),
        11 => format!("{weekday} {} {name}", ordinal(day)),
        12 => format!("{day} {short} {year}"),
        13 => format!("{number:02}/{day:02}/{:02}", year % 100),
        14 => weekday.to_owned(),
        _ => format!("{name} {}, {year}", ordinal(day)),
    }
}

fn time(dice: &mut PondDice) -> String {
    let (hour, minute) = (1 + dice.below(11), 5 * dice.below(12));
    match dice.below(5) {
        0 => format!("{hour}:{minute:02} pm"),
        1 => format!("{}:{minute:02}", hour + 11),
        2 => format!("{hour} pm"),
        3 => format!("{hour}:{minute:02}pm"),
        _ => format!("{hour} p.m."),
    }
}

fn grouped(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

fn money(dice: &mut PondDice) -> String {
    let (small, large) = (2 + dice.below(97), 100 + dice.below(90_000));
    let sign = *dice.pick(&["$", "$", "\u{a3}", "\u{20ac}"]);
    match dice.below(13) {
        0 => format!("{sign}{small}"),
        1 => format!("{sign}{}", grouped(large)),
        2 => format!("{sign}{small}.{:02}", dice.below(100)),
        3 => format!("{sign}{}.{} million", small % 10, dice.below(10)),
        4 => format!("{small} dollars"),
        5 => format!("{} euros", grouped(large)),
        6 => format!("{small} million pounds"),
        7 => format!("USD {}", grouped(large)),
        8 => format!("{small} cents"),
        9 => format!("{} \u{20ac}", grouped(large)),
        10 => format!("{sign}{small}m"),
        11 => format!("US${}", grouped(large)),
        _ => format!("{} EUR", grouped(large)),
    }
}

fn address(dice: &mut PondDice) -> String {
    let mut text = (1 + dice.below(400)).to_string();
    if dice.percent(8) {
        text.push(*dice.pick(&['a', 'B']));
    }
    let _ = write!(text, " {}", dice.pick(&STREETS));
    if dice.percent(30) {
        return text;
    }
    let (city, state) = *dice.pick(&CITIES);
    if dice.percent(12) {
        let _ = write!(text, ", Suite {}", 1 + dice.below(40));
    }
    let _ = write!(text, ", {city}");
    match state {
        "" if dice.percent(50) => {
            let area = ["NW", "BS", "LA", "DN"][dice.below(4)];
            let _ = write!(text, " {area}{} {}XE", 1 + dice.below(20), dice.below(10));
        }
        "" => {}
        state => {
            let _ = write!(text, ", {state}");
            if dice.percent(60) {
                let _ = write!(text, " {:05}", 1_000 + dice.below(90_000));
            }
        }
    }
    text
}

/// A number that is no date, no money and no address.
fn number(dice: &mut PondDice) -> String {
    let small = 2 + dice.below(90);
    match dice.below(6) {
        0 => grouped(small * 137),
        1 => format!("{}.{}", small % 10, dice.below(10)),
        2 => format!("{small}"),
        3 => format!("0{small:02}-{:04}", small * 97),
        4 => format!("{}.{}.{}", dice.below(9), dice.below(9), dice.below(9)),
        _ => format!("{} {}", small, ["wooden", "blue", "Dutch"][dice.below(3)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_repeat_themselves_and_their_parts_stand_in_them_in_order() {
        for (notice, again) in (Notices { seed: 3 }).all().zip((Notices { seed: 3 }).all()) {
            assert_eq!(notice.html, again.html);
            let mut at = 0;
            for part in &notice.parts {
                let found = notice.html[at..].find(&part.text);
                at += found.unwrap_or_else(|| panic!("{part:?} in {}", notice.html))
                    + part.text.len();
            }
            assert!(!notice.parts.is_empty());
        }
    }

    #[test]
    fn every_kind_is_there_and_other_seeds_differ() {
        let all: Vec<Notice> = Notices { seed: 1 }.all().collect();
        for kind in [NoticeKind::Date, NoticeKind::Money, NoticeKind::Address] {
            let of_kind = |part: &&NoticePart| part.kind == kind;
            let times = all.iter().flat_map(|notice| &notice.parts).filter(of_kind).count();
            assert!(times > NOTICES, "{kind:?}: {times}");
        }
        assert_ne!(all[0].html, Notices { seed: 2 }.notice(0).html);
    }
}
