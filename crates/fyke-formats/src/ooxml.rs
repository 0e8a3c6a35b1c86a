//! What the formats of Office Open XML share: parts and their relationships.

use super::xml::{Events, XmlEvent, attribute};
use super::zip::Zip;
use std::collections::BTreeMap;

/// Most relationships of one part.
const MOST_RELATIONS: usize = 20_000;
/// Longest name, kind or target of a relationship, which may be used a million times.
pub(super) const LONGEST: usize = 2_048;

/// Whether bytes are an archive that has this folder and says what its parts are.
pub(super) fn holds(bytes: &[u8], folder: &str) -> bool {
    super::zip::holds(bytes, |names| {
        names.iter().any(|name| name == "[Content_Types].xml")
            && names.iter().any(|name| name.starts_with(folder))
    })
}

/// A relationship: what kind of thing it leads to, and where that is.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) kind: String,
    pub(super) target: String,
}

/// The relationships of a part by their names; targets inside the archive as full paths.
pub(super) fn relations(zip: &mut Zip<'_>, part: &str) -> BTreeMap<String, Relation> {
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
    let text = zip.read_xml(&format!("{folder}/_rels/{file}.rels")).unwrap_or_default();
    let mut found = BTreeMap::new();
    for event in Events::new(&text) {
        let XmlEvent::Start(tag) = event else { continue };
        let value = |name| attribute(&tag, name).map(std::borrow::Cow::into_owned);
        let (Some(id), Some(target)) = (value("Id"), value("Target")) else { continue };
        let is_outside = value("TargetMode").is_some_and(|mode| mode == "External");
        let target = if is_outside { target } else { resolve(folder, &target) };
        let kind = value("Type").unwrap_or_default();
        let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
        let is_short = id.len() <= LONGEST && target.len() <= LONGEST && kind.len() <= LONGEST;
        if is_short && found.len() < MOST_RELATIONS {
            found.insert(id, Relation { kind, target });
        }
    }
    found
}

/// A path relative to a folder of the archive.
pub(super) fn resolve(folder: &str, path: &str) -> String {
    if let Some(absolute) = path.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in path.split('/') {
        match step {
            ".." => drop(steps.pop()),
            "." | "" => {}
            _ => steps.push(step),
        }
    }
    steps.join("/")
}

/// The main part: where the package's own relationships say, else at its usual place.
pub(super) fn main_part(zip: &mut Zip<'_>, usual: &str) -> String {
    let found = relations(zip, "");
    let main = found.into_values().find(|relation| relation.kind == "officeDocument");
    main.map_or_else(|| usual.to_owned(), |relation| relation.target)
}
