//! `stemmers` and `stop_words` of `[search]`: by which stemmer and which stop list the words of a language are
//! found (003 §4.3.3, §4.3.4). They are looked up when somebody searches, so that a change needs no rebuild.

use super::{Config, ConfigError};
use fyke_text::WordRules;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

/// No stop list is larger.
const MOST_BYTES: u64 = 1 << 20;

/// `stop_words = { en = "file.txt", de = ["der", "die"] }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the name of a file or a list of words")]
pub enum StopWords {
    /// A file below the collection's folder.
    File(PathBuf),
    List(Vec<String>),
}

/// What the settings say of the words of searches in the collection at `root`.
///
/// # Errors
/// The setting that is wrong, and why.
pub(crate) fn word_rules(root: &Path, config: &Config) -> Result<WordRules, ConfigError> {
    rules_of(Some(root), config).map_err(|(key, what)| ConfigError(format!("{key}: {what}")))
}

/// The same; without a folder no file is read. The key that is wrong comes with what is.
pub(super) fn rules_of(
    root: Option<&Path>,
    config: &Config,
) -> Result<WordRules, (&'static str, String)> {
    let mut rules = WordRules::default();
    for (language, name) in &config.search.stemmers {
        rules.choose_stemmer(language, name).map_err(|what| ("search.stemmers", what))?;
    }
    for (language, words) in &config.search.stop_words {
        let text = match (words, root) {
            (StopWords::List(words), _) => Ok(words.join("\n")),
            (StopWords::File(name), Some(root)) => read(&root.join(name)),
            (StopWords::File(_), None) => Ok(String::new()),
        };
        let chosen = text.and_then(|text| rules.choose_stop_words(language, &text));
        chosen.map_err(|what| ("search.stop_words", what))?;
    }
    Ok(rules)
}

fn read(path: &Path) -> Result<String, String> {
    let wrong =
        |what: &str| format!("{}: {what}; write a word to a line, in UTF-8", path.display());
    let file = std::fs::File::open(path).map_err(|e| wrong(&e.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| wrong(&e.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong("a stop list of more than 1 MiB is none"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;

    fn rules(set: &[&str], root: &Path) -> Result<WordRules, String> {
        let set: Vec<String> = set.iter().map(ToString::to_string).collect();
        let loaded = load(None, std::iter::empty(), &set).map_err(|e| e.to_string())?;
        word_rules(root, &loaded.config).map_err(|e| e.to_string())
    }

    #[test]
    fn stemmers_and_stop_lists_are_those_of_the_settings() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ours.txt"), "# ours\ntide\n").unwrap();
        let set = [
            "search.stemmers={en = \"krovetz\", de = \"none\"}",
            "search.stop_words={en = \"ours.txt\", de = [\"wind\"], fr = []}",
        ];
        let rules = rules(&set, folder.path()).unwrap();
        assert_eq!(rules.told("en"), "en: stemmer krovetz, 1 stop words as set");
        assert_eq!(rules.told("de"), "de: stemmer none, 1 stop words as set");
        assert!(rules.is_stop("en", "tide") && !rules.is_stop("en", "the"));
        assert!(!rules.is_stop("fr", "le"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("latin.txt"), b"caf\xe9\n").unwrap();
        std::fs::File::create(path("large.txt")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        let check = |set: &str, expected: &[&str]| {
            let error = rules(&[set], folder.path()).unwrap_err();
            assert!(expected.iter().all(|part| error.contains(part)), "{error}");
        };
        check("search.stemmers={en = \"light\"}", &["--set: search.stemmers: ", "choose porter2"]);
        check("search.stemmers={zz = \"none\"}", &["search.stemmers: no stemmer is for \"zz\""]);
        check("search.stemmers=\"krovetz\"", &["search.stemmers: ", "expected a map"]);
        check("search.stop_words={zz = []}", &["--set: search.stop_words: \"zz\" is no code"]);
        check("search.stop_words={en = 3}", &["expected the name of a file or a list of words"]);
        check("search.stop_words={en = \"none.txt\"}", &["search.stop_words: ", "none.txt: "]);
        check("search.stop_words={en = \"latin.txt\"}", &["it is not UTF-8"]);
        check("search.stop_words={en = \"large.txt\"}", &["1 MiB"]);
    }
}
