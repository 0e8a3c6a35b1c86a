//! Who works at the departments, and what they and others have written: by arithmetic, so that a paper can name any
//! other without making it.

use super::Departments;
use super::stock::{Area, SentenceSlots, StockJournal, University, capital, fill, stock};
use crate::words::{PondDice, hash, mix};
use serde::Serialize;

/// People of a department.
pub(super) const PEOPLE: usize = 10;
/// Works that stand nowhere in the pond, for each that does.
const OUTSIDE: usize = 2;
const FIRST_YEAR: usize = 1986;
const YEARS: usize = 13;
/// One work in so many has nearly the title of another.
const SEQUEL: usize = 25;

/// The name of somebody who writes papers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct TrueAuthor {
    pub given: String,
    pub family: String,
}

impl TrueAuthor {
    pub fn full(&self) -> String {
        format!("{} {}", self.given, self.family)
    }
}

/// Somebody of a department.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) department: usize,
    pub(super) number: usize,
    pub(super) name: TrueAuthor,
    pub(super) area: &'static Area,
}

/// Where a work appeared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Venue {
    StockJournal(StockJournal),
    /// Its name and short name.
    Conference(&'static str, &'static str),
    /// A report of an institution.
    Report(&'static University),
}

impl Venue {
    pub(super) fn name(&self) -> String {
        match self {
            Venue::StockJournal(journal) => journal.name.to_owned(),
            Venue::Conference(name, _) => format!("Proceedings of the {name}"),
            Venue::Report(university) => format!("Technical Report, {}", university.name),
        }
    }
}

/// A paper as a librarian knows it, whether or not it stands in the pond.
#[derive(Clone, Debug)]
pub(super) struct TrueWork {
    pub(super) number: usize,
    pub(super) area: &'static Area,
    pub(super) title: String,
    pub(super) authors: Vec<TrueAuthor>,
    /// Those of the authors who work at a department of the pond.
    pub(super) people: Vec<Person>,
    pub(super) year: usize,
    pub(super) venue: Venue,
    pub(super) volume: usize,
    pub(super) issue: usize,
    pub(super) page: usize,
    pub(super) pages: usize,
}

impl Departments {
    pub(super) fn person(&self, department: usize, number: usize) -> Person {
        let stock = stock();
        let key = hash(self.seed, "people");
        let at = department * PEOPLE + number % PEOPLE;
        // Steps without a common divisor: no two people of the pond share a family name.
        let family = stock.family[(key as usize % 97 + at * 7) % stock.family.len()];
        let given = stock.given[mix(key, at as u64) as usize % stock.given.len()];
        let area = &stock.areas[mix(key, 1_000 + at as u64) as usize % stock.areas.len()];
        let name =
            TrueAuthor { given: with_initial(given, mix(key, at as u64)), family: family.into() };
        Person { department, number: number % PEOPLE, name, area }
    }

    /// Works in all: those of the pond first.
    pub(super) fn works(&self) -> usize {
        self.papers * (1 + OUTSIDE)
    }

    pub(super) fn work(&self, number: usize) -> TrueWork {
        if number < self.papers { self.own_work(number) } else { self.outside_work(number) }
    }

    fn dice(&self, what: &str, number: usize) -> PondDice {
        PondDice::new(mix(hash(self.seed, what), number as u64))
    }

    /// The department where a paper of the pond stands.
    pub(super) fn department_of(&self, number: usize) -> usize {
        number % self.hosts
    }

    /// Who wrote it first.
    fn leader(&self, number: usize) -> Person {
        let mut dice = self.dice("leader", number);
        self.person(self.department_of(number), dice.zipf(PEOPLE))
    }

    pub(super) fn area_of(&self, number: usize) -> &'static Area {
        if number < self.papers {
            return self.leader(number).area;
        }
        let areas = &stock().areas;
        &areas[self.dice("outside area", number).below(areas.len())]
    }

    fn own_work(&self, number: usize) -> TrueWork {
        let mut dice = self.dice("work", number);
        let mut people = vec![self.leader(number)];
        for _ in 0..[0, 0, 1, 1, 1, 2, 2, 3][dice.below(8)] {
            let is_far = dice.percent(25);
            let department =
                if is_far { dice.below(self.hosts) } else { self.department_of(number) };
            let other = self.person(department, dice.below(PEOPLE));
            if people.iter().all(|known| known.name != other.name) {
                people.push(other);
            }
        }
        let year = FIRST_YEAR + number * YEARS / self.papers.max(1);
        let authors = people.iter().map(|person| person.name.clone()).collect();
        let mut work = plain_work(number, people[0].area, &mut dice);
        if number >= self.hosts && number.is_multiple_of(SEQUEL) {
            let before = self.own_work(number - self.hosts);
            work.title = format!(
                "{}: {}",
                before.title.split(':').next().unwrap_or_default(),
                "Further results"
            );
        }
        (work.authors, work.people, work.year) = (authors, people, year);
        work
    }

    fn outside_work(&self, number: usize) -> TrueWork {
        let mut dice = self.dice("outside", number);
        let area = self.area_of(number);
        let stock = stock();
        let mut work = plain_work(number, area, &mut dice);
        for _ in 0..1 + dice.below(4) {
            let given = with_initial(dice.word(&stock.given), dice.roll());
            let author = TrueAuthor { given, family: dice.word(&stock.family).into() };
            if work.authors.iter().all(|known| known.family != author.family) {
                work.authors.push(author);
            }
        }
        work.year = 1965 + dice.below(30);
        work
    }

    /// The works that a paper refers to: older ones, often of its own area, a few of them by many papers.
    pub(super) fn referred(&self, number: usize) -> Vec<usize> {
        let mut dice = self.dice("referred", number);
        let (wanted, area) = (7 + dice.below(17), self.area_of(number).name);
        let near = |from: std::ops::Range<usize>| -> Vec<usize> {
            from.filter(|other| self.area_of(*other).name == area).collect()
        };
        let (own, outside) = (near(0..number.min(self.papers)), near(self.papers..self.works()));
        let all = self.papers..self.works();
        let mut found: Vec<usize> = Vec::new();
        for _ in 0..wanted * 4 {
            let other = match dice.below(10) {
                0..=4 if !own.is_empty() => own[dice.zipf(own.len())],
                5 if number > 0 => dice.zipf(number),
                6 => all.start + dice.below(all.len().max(1)),
                _ if !outside.is_empty() => outside[dice.zipf(outside.len())],
                _ => continue,
            };
            let is_older = self.work(other).year <= self.work(number).year;
            if found.len() < wanted && is_older && other != number && !found.contains(&other) {
                found.push(other);
            }
        }
        found
    }
}

/// A middle initial for every third.
fn with_initial(given: &str, key: u64) -> String {
    let initial = char::from(b'A' + (key >> 8) as u8 % 23);
    if (key >> 16).is_multiple_of(3) { format!("{given} {initial}.") } else { given.to_owned() }
}

fn plain_work(number: usize, area: &'static Area, dice: &mut PondDice) -> TrueWork {
    let stock = stock();
    let venue = match dice.below(10) {
        0..=3 => Venue::StockJournal(*dice.pick(&area.journals)),
        4..=7 => {
            let conference = *dice.pick(&area.conferences);
            Venue::Conference(conference.name, conference.acronym)
        }
        _ => Venue::Report(dice.pick(&stock.universities)),
    };
    let template = dice.word(&stock.titles);
    let title = capital(&fill(template, &SentenceSlots { area, names: "", mark: "" }, dice));
    TrueWork {
        number,
        area,
        title,
        authors: Vec::new(),
        people: Vec::new(),
        year: 0,
        venue,
        volume: 1 + dice.below(40),
        issue: 1 + dice.below(6),
        page: 1 + dice.below(900),
        pages: 6 + dice.below(24),
    }
}
