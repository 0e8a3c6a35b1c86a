//! Words of the departments: areas with what is studied in them, where it is published, names, and how sentences go.

use crate::words::{PondDice, lines};
use std::sync::LazyLock;

/// A field of research.
#[derive(Clone, Debug, Default)]
pub(super) struct Area {
    pub(super) name: &'static str,
    pub(super) journals: Vec<StockJournal>,
    pub(super) conferences: Vec<Conference>,
    pub(super) methods: Vec<&'static str>,
    pub(super) objects: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StockJournal {
    pub(super) name: &'static str,
    /// As `J. ACM`.
    pub(super) short: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Conference {
    pub(super) name: &'static str,
    pub(super) acronym: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct University {
    pub(super) name: &'static str,
    /// Its part of host names.
    pub(super) host: &'static str,
    pub(super) place: &'static str,
}

/// What sentences are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentenceSlots<'a> {
    pub(super) area: &'a Area,
    pub(super) names: &'a str,
    pub(super) mark: &'a str,
}

#[derive(Debug, Default)]
pub(super) struct DepartmentStock {
    pub(super) given: Vec<&'static str>,
    pub(super) family: Vec<&'static str>,
    pub(super) universities: Vec<University>,
    pub(super) departments: Vec<&'static str>,
    pub(super) courses: Vec<&'static str>,
    pub(super) hobbies: Vec<&'static str>,
    pub(super) adjectives: Vec<&'static str>,
    pub(super) titles: Vec<&'static str>,
    pub(super) abstracts: Vec<&'static str>,
    pub(super) sentences: Vec<&'static str>,
    pub(super) citing: Vec<&'static str>,
    pub(super) sections: Vec<&'static str>,
    pub(super) thanks: Vec<&'static str>,
    pub(super) areas: Vec<Area>,
}

static STOCK: LazyLock<DepartmentStock> = LazyLock::new(read);

pub(super) fn stock() -> &'static DepartmentStock {
    &STOCK
}

fn list(value: &'static str) -> impl Iterator<Item = &'static str> {
    value.split(',').map(str::trim).filter(|word| !word.is_empty())
}

fn parts(value: &'static str) -> [&'static str; 3] {
    let mut parts = value.split('|').map(str::trim);
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

fn read() -> DepartmentStock {
    let mut stock = DepartmentStock::default();
    for (key, value) in lines(include_str!("../../data/departments.txt")) {
        if of_area(&mut stock.areas, key, value) {
            continue;
        }
        match key {
            "given" => stock.given.extend(list(value)),
            "family" => stock.family.extend(list(value)),
            "departments" => stock.departments.extend(list(value)),
            "courses" => stock.courses.extend(list(value)),
            "hobbies" => stock.hobbies.extend(list(value)),
            "adjectives" => stock.adjectives.extend(list(value)),
            "section" => stock.sections.extend(list(value)),
            "university" => {
                let [name, host, place] = parts(value);
                stock.universities.push(University { name, host, place });
            }
            "title" => stock.titles.push(value),
            "abstract" => stock.abstracts.push(value),
            "say" => stock.sentences.push(value),
            "cite" => stock.citing.push(value),
            "thanks" => stock.thanks.push(value),
            _ => {}
        }
    }
    stock
}

/// Reads a line about an area; whether it was one.
fn of_area(areas: &mut Vec<Area>, key: &str, value: &'static str) -> bool {
    if key == "area" {
        areas.push(Area { name: value, ..Area::default() });
        return true;
    }
    let Some(area) = areas.last_mut() else { return false };
    match key {
        "methods" => area.methods.extend(list(value)),
        "objects" => area.objects.extend(list(value)),
        "journals" => {
            let journals = list(value).map(parts);
            area.journals.extend(journals.map(|[name, _, short]| StockJournal { name, short }));
        }
        "conferences" => {
            let known = list(value).map(parts);
            area.conferences.extend(known.map(|[name, acronym, _]| Conference { name, acronym }));
        }
        _ => return false,
    }
    true
}

/// A template with its slots filled; one that begins with a capital gets a capital.
pub(super) fn fill(template: &str, slots: &SentenceSlots<'_>, dice: &mut PondDice) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let Some((slot, after)) = behind.split_once('}') else { break };
        let word = word_of(&slot.to_lowercase(), slots, dice);
        let is_capital = slot.starts_with(char::is_uppercase) || text.is_empty();
        text.push_str(&if is_capital { capital(&word) } else { word });
        rest = after;
    }
    text + rest
}

fn word_of(slot: &str, slots: &SentenceSlots<'_>, dice: &mut PondDice) -> String {
    let area = slots.area;
    match slot {
        "method" => dice.word(&area.methods).to_owned(),
        "object" => dice.word(&area.objects).to_owned(),
        "adjective" => dice.word(&stock().adjectives).to_owned(),
        "area" => area.name.to_lowercase(),
        "names" => slots.names.to_owned(),
        "mark" => slots.mark.to_owned(),
        "number" => (3 + dice.below(90)).to_string(),
        "acronym" => {
            let letters = b"ACDEFGLMNOPRSTX";
            let of = |_| char::from(letters[dice.below(letters.len())]);
            (0..5).map(of).collect()
        }
        _ => slot.to_owned(),
    }
}

/// With a capital first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_is_whole_and_every_template_can_be_filled() {
        let stock = stock();
        assert!(stock.areas.len() >= 10 && stock.universities.len() >= 12);
        for area in &stock.areas {
            assert!(area.methods.len() >= 10 && area.objects.len() >= 10, "{}", area.name);
            assert!(area.journals.len() >= 3 && area.conferences.len() >= 3, "{}", area.name);
            assert!(area.conferences.iter().all(|known| !known.acronym.is_empty()));
            assert!(area.journals.iter().all(|known| !known.short.is_empty()));
        }
        let (mut dice, area) = (PondDice::new(1), &stock.areas[0]);
        let slots = SentenceSlots { area, names: "Ann Grant", mark: "[1]" };
        let groups = [&stock.titles, &stock.abstracts, &stock.sentences, &stock.citing];
        for template in groups.into_iter().flatten() {
            let text = fill(template, &slots, &mut dice);
            assert!(!text.contains(['{', '}']) && text.starts_with(char::is_uppercase), "{text}");
        }
    }
}
