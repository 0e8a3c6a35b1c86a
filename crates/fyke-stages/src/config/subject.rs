//! `subject.toml`: what people said of single pages of a focused collection, that they are about its subject or that
//! they are not. `fyke subject approve` and `refuse` write it; it may be written by hand as well.

use super::ConfigError;
use fyke_web::{Url, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The file's name in the collection's folder.
pub const SUBJECT_FILE: &str = "subject.toml";

/// URLs by what was said of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApprovedPages {
    /// About the subject.
    pub approved: BTreeSet<String>,
    /// Not about it.
    pub refused: BTreeSet<String>,
}

impl ApprovedPages {
    /// What was said in the collection at `root`; nothing where there is no file.
    ///
    /// # Errors
    /// When it cannot be read, or something is wrong in it.
    pub fn load(root: &Path) -> Result<ApprovedPages, ConfigError> {
        let wrong = |what: &dyn std::fmt::Display| ConfigError(format!("{SUBJECT_FILE}: {what}"));
        let text = match std::fs::read_to_string(root.join(SUBJECT_FILE)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            read => read.map_err(|error| wrong(&error))?,
        };
        let pages: ApprovedPages = toml::from_str(&text).map_err(|error| wrong(&error))?;
        pages.ids().map(|_| pages)
    }

    /// The ids of both.
    ///
    /// # Errors
    /// When one is no URL.
    pub fn ids(&self) -> Result<[BTreeSet<UrlId>; 2], ConfigError> {
        let id = |url: &String| match Url::parse(url) {
            Ok(url) => Ok(url.id()),
            Err(error) => Err(ConfigError(format!("{SUBJECT_FILE}: {url:?}: {error}"))),
        };
        let ids = |urls: &BTreeSet<String>| urls.iter().map(id).collect::<Result<_, _>>();
        Ok([ids(&self.approved)?, ids(&self.refused)?])
    }

    /// Notes that a page is about the subject, or that it is not; what was said of it before is forgotten.
    pub fn tell(&mut self, url: &Url, is_on: bool) {
        let is_other =
            |other: &String| !Url::parse(other).is_ok_and(|other| other.id() == url.id());
        self.approved.retain(is_other);
        self.refused.retain(is_other);
        let list = if is_on { &mut self.approved } else { &mut self.refused };
        list.insert(url.to_string());
    }

    /// Writes the file, which takes the place of the one before in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, root: &Path) -> Result<(), ConfigError> {
        let wrong = |what: &dyn std::fmt::Display| ConfigError(format!("{SUBJECT_FILE}: {what}"));
        let text = toml::to_string(self).map_err(|error| wrong(&error))?;
        let new = root.join(format!("{SUBJECT_FILE}.new"));
        let written = std::fs::write(&new, text);
        written
            .and_then(|()| std::fs::rename(&new, root.join(SUBJECT_FILE)))
            .map_err(|error| wrong(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_last_of_a_page_counts_and_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut pages = ApprovedPages::load(dir.path()).unwrap();
        assert_eq!(pages, ApprovedPages::default());
        let url = |text| Url::parse(text).unwrap();
        pages.tell(&url("http://a.test/tides"), true);
        pages.tell(&url("http://a.test/cars"), true);
        pages.tell(&url("http://a.test:80/cars"), false);
        pages.write(dir.path()).unwrap();
        let read = ApprovedPages::load(dir.path()).unwrap();
        assert_eq!(read, pages);
        let [approved, refused] = read.ids().unwrap();
        assert_eq!(approved.into_iter().collect::<Vec<_>>(), [url("http://a.test/tides").id()]);
        assert_eq!(refused.into_iter().collect::<Vec<_>>(), [url("http://a.test/cars").id()]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |text: &str, expected: &str| {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join(SUBJECT_FILE), text).unwrap();
            let error = ApprovedPages::load(dir.path()).unwrap_err().to_string();
            assert!(error.starts_with("subject.toml: ") && error.contains(expected), "{error}");
        };
        check("approved = [\"no URL\"]", "no URL");
        check("aproved = []", "aproved");
    }
}
