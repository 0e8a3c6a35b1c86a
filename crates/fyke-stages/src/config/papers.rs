//! `papers.toml`: what people said of papers: which are one and which are not, what their fields should be, and which documents are none.
//! `fyke papers merge`, `split`, `correct` and `refuse` write it; it may be written by hand as well.

use super::ConfigError;
use fyke_derive::whole::citations::{KnownPapers, named_by, of_form_key};
use fyke_papers::literature::{PaperCorrections, PaperName};
use fyke_papers::matching::Citation;
use fyke_web::{Url, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

/// The file's name in the collection's folder.
pub const PAPERS_FILE: &str = "papers.toml";

/// Keys of papers and URLs by what was said of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToldPapers {
    /// URLs of documents that are no papers.
    pub refused: BTreeSet<String>,
    /// Lists of keys of ways to write references; those of each name a paper of their own.
    pub apart: Vec<Vec<String>>,
    /// Lists of keys, the papers of each of which are one.
    pub same: Vec<Vec<String>>,
    /// Fields by key.
    pub fields: BTreeMap<String, ToldFields>,
}

/// Fields of a paper as they should be; those that are empty stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToldFields {
    pub title: String,
    /// With "and" between them.
    pub authors: String,
    pub venue: String,
    pub year: Option<u16>,
}

impl ToldPapers {
    /// What was said in the collection at `root`; nothing where there is no file.
    ///
    /// # Errors
    /// When it cannot be read, or something is wrong in it.
    pub fn load(root: &Path) -> Result<ToldPapers, ConfigError> {
        let text = match std::fs::read_to_string(root.join(PAPERS_FILE)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            read => read.map_err(|error| wrong(&error))?,
        };
        let told: ToldPapers = toml::from_str(&text).map_err(|error| wrong(&error))?;
        told.known().map(|_| told)
    }

    /// The same as derivations read it.
    ///
    /// # Errors
    /// When a key or URL is none.
    pub fn known(&self) -> Result<KnownPapers, ConfigError> {
        let name = |key: &String| -> Result<PaperName, ConfigError> {
            let none = || wrong(&format!("{key:?} is no key of a paper"));
            named_by(key).ok_or_else(none)
        };
        let id = |url: &String| -> Result<UrlId, ConfigError> {
            let url = Url::parse(url).map_err(|error| wrong(&format!("{url:?}: {error}")))?;
            Ok(url.id())
        };
        let form = |key: &String| {
            let none = || wrong(&format!("{key:?} is no key of a way to write a reference"));
            of_form_key(key).ok_or_else(none)
        };
        let forms = |keys: &Vec<String>| keys.iter().map(form).collect::<Result<_, _>>();
        let names = |keys: &Vec<String>| keys.iter().map(name).collect::<Result<_, _>>();
        let fields = |(key, told): (&String, &ToldFields)| {
            let citation = Citation {
                title: told.title.clone(),
                authors: told.authors.clone(),
                venue: told.venue.clone(),
                date: told.year.map(|year| year.to_string()).unwrap_or_default(),
                ..Citation::default()
            };
            Ok((name(key)?, citation))
        };
        Ok(KnownPapers {
            refused: self.refused.iter().map(id).collect::<Result<_, _>>()?,
            corrections: PaperCorrections {
                apart: self.apart.iter().map(forms).collect::<Result<_, _>>()?,
                same: self.same.iter().map(names).collect::<Result<_, _>>()?,
                fields: self.fields.iter().map(fields).collect::<Result<_, ConfigError>>()?,
            },
        })
    }

    /// Writes the file, which takes the place of the one before in one step.
    ///
    /// # Errors
    /// When something is wrong in it, or it cannot be written.
    pub fn write(&self, root: &Path) -> Result<(), ConfigError> {
        self.known()?;
        let text = toml::to_string(self).map_err(|error| wrong(&error))?;
        let new = root.join(format!("{PAPERS_FILE}.new"));
        let written = std::fs::File::create(&new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&new, root.join(PAPERS_FILE))
        });
        written.map_err(|error| wrong(&error))
    }
}

fn wrong(what: &dyn std::fmt::Display) -> ConfigError {
    ConfigError(format!("{PAPERS_FILE}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(ToldPapers::load(dir.path()).unwrap(), ToldPapers::default());
        let fields = ToldFields { year: Some(1994), ..ToldFields::default() };
        let told = ToldPapers {
            refused: BTreeSet::from(["http://a.test/list".to_owned()]),
            apart: vec![vec!["w0000000000000007".to_owned()]],
            same: vec![vec!["00000000000000ff".to_owned(), "p0000000000000001".to_owned()]],
            fields: BTreeMap::from([("00000000000000ff".to_owned(), fields)]),
        };
        told.write(dir.path()).unwrap();
        let read = ToldPapers::load(dir.path()).unwrap();
        assert_eq!(read, told);
        let known = read.known().unwrap();
        assert_eq!(known.corrections.same[0][0], PaperName::Document(255));
        assert_eq!(known.corrections.fields[0].1.date, "1994");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |text: &str, expected: &str| {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join(PAPERS_FILE), text).unwrap();
            let error = ToldPapers::load(dir.path()).unwrap_err().to_string();
            assert!(error.starts_with("papers.toml: ") && error.contains(expected), "{error}");
        };
        check("refused = [\"no URL\"]", "no URL");
        check("same = [[\"x\"]]", "\"x\" is no key");
        check("apart = [[\"p0000000000000001\"]]", "is no key of a way");
        check("[fields.y]\ntitle = \"T\"", "\"y\" is no key");
        check("other = 1", "other");
    }
}
