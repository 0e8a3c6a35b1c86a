//! How many preferences a ranking keeps. `_ret` looks at preferences between retrieved documents,
//! `_imp` also at those where one of both was retrieved, the others at all; `simp` counts preferences,
//! `avgjg` averages over groups, `pair` over pairs of documents. `Rnonrel` gives a group as many
//! documents that are not relevant as it has relevant ones.

use super::NumberedGroups;
use super::group::{PreferenceClass, PreferenceGroup, pairs};

/// Kept and possible preferences.
#[derive(Clone, Copy, Debug, Default)]
struct KeptPreferences {
    kept: f64,
    possible: f64,
}

impl KeptPreferences {
    fn see(&mut self, is_kept: bool) {
        self.possible += 1.0;
        self.kept += f64::from(u8::from(is_kept));
    }

    fn plus(self, other: KeptPreferences) -> KeptPreferences {
        KeptPreferences { kept: self.kept + other.kept, possible: self.possible + other.possible }
    }

    /// 0 of no preferences.
    fn share(self) -> f64 {
        if self.possible > 0.0 { self.kept / self.possible } else { 0.0 }
    }
}

/// Preferences of a group by how many of both documents were retrieved.
#[derive(Clone, Copy, Debug, Default)]
struct PreferenceTally {
    both: KeptPreferences,
    one: KeptPreferences,
    none: KeptPreferences,
}

/// Which preferences count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedPreferences {
    All,
    Retrieved,
    Implied,
}

impl PreferenceTally {
    fn of(&self, which: CountedPreferences) -> KeptPreferences {
        match which {
            CountedPreferences::Retrieved => self.both,
            CountedPreferences::Implied => self.both.plus(self.one),
            CountedPreferences::All => self.both.plus(self.one).plus(self.none),
        }
    }
}

/// All preferences of a query, counted.
#[derive(Debug)]
pub(super) struct PreferenceCounts<'a> {
    query: &'a NumberedGroups,
    tallies: Vec<PreferenceTally>,
    /// Row `a`, column `b`: how many groups prefer `a` to `b`.
    pairs: Vec<Vec<u16>>,
}

impl PreferenceCounts<'_> {
    pub(super) fn new(query: &NumberedGroups) -> PreferenceCounts<'_> {
        let mut pairs = vec![vec![0u16; query.documents]; query.documents];
        let tally = |group: &PreferenceGroup| {
            let mut tally = PreferenceTally::default();
            group.each(|a, b| {
                pairs[a][b] = pairs[a][b].saturating_add(1);
                match (a < query.retrieved, b < query.retrieved) {
                    (true, true) => tally.both.see(a < b),
                    (false, false) => tally.none.see(false),
                    _ => tally.one.see(a < b),
                }
            });
            tally
        };
        let tallies = query.groups.iter().map(tally).collect();
        PreferenceCounts { query, tallies, pairs }
    }

    /// The figure of a measure, by its name in trec_eval.
    pub(super) fn figure(&self, name: &str) -> f64 {
        let all = |which| {
            self.tallies.iter().fold(KeptPreferences::default(), |sum, t| sum.plus(t.of(which)))
        };
        let which = match name {
            _ if name.ends_with("_ret") => CountedPreferences::Retrieved,
            _ if name.ends_with("_imp") => CountedPreferences::Implied,
            _ => CountedPreferences::All,
        };
        let kind = name.trim_start_matches("prefs_");
        match kind.trim_end_matches("_ret").trim_end_matches("_imp") {
            "num_prefs_poss" => all(CountedPreferences::All).possible,
            "num_prefs_ful" => all(which).kept,
            "simp" => all(which).share(),
            "avgjg" => {
                let shares = self.tallies.iter().map(|tally| tally.of(which).share());
                self.averaged(shares)
            }
            "avgjg_Rnonrel" => {
                let groups = self.query.groups.iter().zip(&self.tallies);
                self.averaged(groups.map(|(group, tally)| self.levelled(group, tally, which)))
            }
            _ => self.pair(which),
        }
    }

    /// trec_eval takes what is undefined for 0.
    fn averaged(&self, shares: impl Iterator<Item = f64>) -> f64 {
        let sum: f64 = shares.sum();
        if sum > 0.0 { sum / self.query.groups.len() as f64 } else { 0.0 }
    }

    /// The mean over pairs of documents of the share of judges with whom the ranking agrees.
    fn pair(&self, which: CountedPreferences) -> f64 {
        let mut found = KeptPreferences::default();
        for a in 0..self.query.documents {
            for b in a + 1..self.query.documents {
                let (kept, broken) = (f64::from(self.pairs[a][b]), f64::from(self.pairs[b][a]));
                let counts = match which {
                    CountedPreferences::All => true,
                    CountedPreferences::Implied => a < self.query.retrieved,
                    CountedPreferences::Retrieved => b < self.query.retrieved,
                };
                if counts && kept + broken > 0.0 {
                    let share = if a < self.query.retrieved { kept / (kept + broken) } else { 0.0 };
                    found = found.plus(KeptPreferences { kept: share, possible: 1.0 });
                }
            }
        }
        found.share()
    }

    /// The share of a group with as many documents that are not relevant as there are relevant ones.
    fn levelled(
        &self,
        group: &PreferenceGroup,
        tally: &PreferenceTally,
        which: CountedPreferences,
    ) -> f64 {
        let documents = group.documents();
        let counted = |is_relevant: bool, is_all: bool| {
            let of = documents.iter().filter(|(_, known)| *known == is_relevant);
            of.filter(|(document, _)| is_all || *document < self.query.retrieved).count()
        };
        let is_all = which == CountedPreferences::All;
        let (relevant, nonrelevant) = (counted(true, is_all), counted(false, is_all));
        let kept = if relevant >= nonrelevant {
            let missing = (relevant - nonrelevant) as f64;
            // What is missing would have been kept by each relevant document that was retrieved.
            tally.of(which).plus(KeptPreferences {
                kept: counted(true, false) as f64 * missing,
                possible: counted(true, true) as f64 * missing,
            })
        } else {
            self.recounted(group, which, relevant, counted(true, true))
        };
        kept.kept / kept.possible
    }

    /// Counts again without the documents behind the first `most` that are not relevant. As
    /// trec_eval does it: in a group of classes, preferences between documents that are not relevant
    /// are counted as well; in an array, `all` relevant documents say how many are kept.
    fn recounted(
        &self,
        group: &PreferenceGroup,
        which: CountedPreferences,
        most: usize,
        all: usize,
    ) -> KeptPreferences {
        let retrieved = self.query.retrieved;
        let mut kept = KeptPreferences::default();
        let mut see = |a: usize, b: usize| {
            if which == CountedPreferences::All || (a < retrieved && b < retrieved) {
                kept.see(a < b && a < retrieved);
            }
        };
        match group {
            PreferenceGroup::Classes(classes) => {
                let Some((last, better)) = classes.split_last() else { return kept };
                for (place, class) in better.iter().enumerate() {
                    let behind = |other: &PreferenceClass| {
                        pairs(&class.documents, &other.documents, &mut see);
                    };
                    better[place + 1..].iter().for_each(behind);
                }
                let first = &last.documents[..most.min(last.documents.len())];
                classes.iter().for_each(|class| pairs(&class.documents, first, &mut see));
            }
            PreferenceGroup::Array { levels, .. } => {
                let mut left = all;
                let mut is_kept = vec![true; levels.len()];
                let nonrelevant =
                    levels.iter().enumerate().filter(|(_, level)| **level == Some(0.0));
                for (document, _) in nonrelevant {
                    is_kept[document] = left > 0;
                    left = left.saturating_sub(1);
                }
                group.each(|a, b| {
                    if is_kept[a] && is_kept[b] {
                        see(a, b);
                    }
                });
            }
        }
        kept
    }
}
