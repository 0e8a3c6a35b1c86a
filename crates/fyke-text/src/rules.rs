//! Which stemmer and which stop words a language has in searches, where somebody chose others than the usual ones
//! (003 §4.3.3, §4.3.4).

use crate::language::Languages;
use crate::stem::{self, STEMMERS, Stemmer};
use crate::{fold, stop, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// What was chosen; a language without a choice has its usual stemmer and stop list.
#[derive(Clone, Debug, Default)]
pub struct WordRules {
    stemmers: BTreeMap<&'static str, Option<&'static Stemmer>>,
    stop_lists: BTreeMap<&'static str, BTreeSet<String>>,
}

/// How a language is without a stemmer.
const NONE: &str = "none";

/// Both written forms of Norwegian are one here.
fn plain(language: &str) -> &str {
    if matches!(language, "nb" | "nn") { "no" } else { language }
}

impl WordRules {
    /// Chooses the stemmer of a language by its name; "none": only the very word is found.
    ///
    /// # Errors
    /// What there is to choose from.
    pub fn choose_stemmer(&mut self, language: &str, name: &str) -> Result<(), String> {
        let Some(usual) = stem::of(language) else {
            let known: BTreeSet<_> = STEMMERS.iter().map(|row| row.language).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(format!("no stemmer is for {language:?}; languages with one: {known}"));
        };
        let own = || STEMMERS.iter().filter(|row| row.language == usual.language);
        let chosen = own().find(|row| row.name == name);
        if chosen.is_none() && name != NONE {
            let names = own().map(|row| row.name).collect::<Vec<_>>().join(", ");
            return Err(format!(
                "{name:?} is no stemmer for {language:?}; choose {names} or {NONE}"
            ));
        }
        self.stemmers.insert(usual.language, chosen);
        Ok(())
    }

    /// Takes the words of a text as the stop list of a language; lines that begin with # are remarks.
    ///
    /// # Errors
    /// When the language is not known.
    pub fn choose_stop_words(&mut self, language: &str, text: &str) -> Result<(), String> {
        let known = stop::languages().chain(Languages::shipped().codes());
        let code = known.into_iter().find(|code| *code == plain(language));
        let code = code.ok_or_else(|| {
            format!("{language:?} is no code of a language that fyke tells apart, as \"en\"")
        })?;
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words = lines.flat_map(tokens).map(|token| fold(token.text).into_owned());
        self.stop_lists.insert(code, words.filter(|word| !word.is_empty()).collect());
        Ok(())
    }

    /// The stemmer of a language, if it has one.
    #[must_use]
    pub fn stemmer(&self, language: &str) -> Option<&'static Stemmer> {
        match self.stemmers.get(plain(language)) {
            Some(chosen) => *chosen,
            None => stem::of(language),
        }
    }

    /// The stem of a folded word.
    #[must_use]
    pub fn stem<'a>(&self, language: &str, folded: &'a str) -> std::borrow::Cow<'a, str> {
        self.stemmer(language).map_or(folded.into(), |row| (row.stem)(folded))
    }

    /// Whether a folded word is a stop word of a language.
    #[must_use]
    pub fn is_stop(&self, language: &str, word: &str) -> bool {
        match self.stop_lists.get(plain(language)) {
            Some(chosen) => chosen.contains(word),
            None => stop::is_stop(language, word),
        }
    }

    /// The languages that have a stop list.
    pub fn languages_with_stops(&self) -> impl Iterator<Item = &'static str> {
        let others = self.stop_lists.keys().filter(|code| stop::words(code).next().is_none());
        stop::languages().chain(others.copied())
    }

    /// What holds for a language, in a few words.
    #[must_use]
    pub fn told(&self, language: &str) -> String {
        let stemmer = self.stemmer(language).map_or(NONE, |row| row.name);
        let stops = match self.stop_lists.get(plain(language)) {
            Some(chosen) => format!("{} stop words as set", chosen.len()),
            None => format!("{} stop words", stop::words(plain(language)).count()),
        };
        format!("{language}: stemmer {stemmer}, {stops}")
    }
}

impl PartialEq for WordRules {
    fn eq(&self, other: &WordRules) -> bool {
        let names = |rules: &WordRules| {
            let named = rules.stemmers.iter().map(|(code, row)| (*code, row.map(|row| row.name)));
            named.collect::<Vec<_>>()
        };
        self.stop_lists == other.stop_lists && names(self) == names(other)
    }
}

impl Eq for WordRules {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_a_choice_is_as_usual() {
        let rules = WordRules::default();
        assert_eq!(rules.stem("en", "marketing"), "market");
        assert!(rules.is_stop("en", "the") && !rules.is_stop("en", "tide"));
        assert_eq!(
            rules.told("sl"),
            format!("sl: stemmer none, {} stop words", stop::words("sl").count())
        );
    }

    #[test]
    fn a_choice_holds_for_its_language_alone() {
        let mut rules = WordRules::default();
        rules.choose_stemmer("en", "krovetz").unwrap();
        rules.choose_stemmer("nb", "none").unwrap();
        rules.choose_stop_words("en", "# ours\nTide\n the  café\n").unwrap();
        assert_eq!(rules.stem("en", "marketing"), "marketing");
        assert_eq!(rules.stem("de", "häuser"), stem::stem("de", "häuser"));
        assert!(rules.stemmer("nn").is_none());
        assert!(rules.is_stop("en", "tide") && rules.is_stop("en", "the"));
        assert!(!rules.is_stop("en", "and") && !rules.is_stop("en", "ours"));
        assert!(rules.is_stop("de", "der"));
        assert_eq!(rules.told("en"), "en: stemmer krovetz, 3 stop words as set");
        assert_ne!(rules, WordRules::default());
    }

    #[test]
    fn an_empty_list_is_a_choice_and_a_new_language_gets_one() {
        let mut rules = WordRules::default();
        rules.choose_stop_words("en", "").unwrap();
        assert!(!rules.is_stop("en", "the"));
        rules.choose_stop_words("sr", "је").unwrap();
        assert!(rules.languages_with_stops().any(|code| code == "sr"));
        assert!(rules.is_stop("sr", "је"));
    }

    #[test]
    fn what_cannot_be_chosen_is_said_with_what_can() {
        let check = |language: &str, name: &str, expected: &str| {
            let error = WordRules::default().choose_stemmer(language, name).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check("en", "porter9", "choose porter2, porter, krovetz, suffix-s or none");
        check("de", "porter", "is no stemmer for \"de\"; choose german or none");
        check("ja", "none", "no stemmer is for \"ja\"; languages with one: ar, cs, da,");
        assert!(WordRules::default().choose_stop_words("xx", "a").is_err());
    }
}
