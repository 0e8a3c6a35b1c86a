//! Languages by number, in the order of their codes: what is counted for each lies in an array.

use super::model::LanguageModel;
use super::{LanePlace, script};

/// The languages of some models and of the scripts that are those of one language.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// All codes, sorted, each once.
    pub codes: Vec<String>,
    /// For each model the number of each lane's language.
    lanes: Vec<Vec<usize>>,
    /// The groups of rivals of all models, by number.
    pub rivals: Vec<Vec<usize>>,
}

impl Numbering {
    pub fn of(models: &[LanguageModel]) -> Numbering {
        let own = models.iter().flat_map(|model| model.codes.iter().cloned());
        let mut codes: Vec<String> = own.chain(script::codes().map(str::to_owned)).collect();
        codes.sort_unstable();
        codes.dedup();
        let number = |code: &String| codes.binary_search(code).unwrap_or_default();
        let lanes: Vec<Vec<usize>> =
            models.iter().map(|model| model.codes.iter().map(number).collect()).collect();
        let numbers = |(model, lanes): (&LanguageModel, &Vec<usize>)| {
            let of_group =
                |group: &Vec<u8>| group.iter().map(|lane| lanes[usize::from(*lane)]).collect();
            model.rivals.iter().map(of_group).collect::<Vec<Vec<usize>>>()
        };
        let rivals = models.iter().zip(&lanes).flat_map(numbers).collect();
        Numbering { codes, lanes, rivals }
    }

    pub fn find(&self, code: &str) -> Option<usize> {
        self.codes.binary_search_by(|own| own.as_str().cmp(code)).ok()
    }

    /// The number of a lane's language.
    pub(crate) fn of_lane(&self, place: LanePlace) -> usize {
        self.lanes[place.model][usize::from(place.lane)]
    }
}
