//! What an office file says of itself: the core properties of Office Open XML and the meta part of
//! OpenDocument, whose elements have names of their own.

use super::Converted;
use super::xml::{Events, XmlEvent};
use super::zip::Zip;
use fyke_web::html::name;

/// Where a package keeps them.
pub(super) const OOXML: &str = "docProps/core.xml";
pub(super) const ODF: &str = "meta.xml";

/// Adds title, author, date and language from this part of a package.
pub(super) fn with_properties(zip: &mut Zip<'_>, part: &str, mut found: Converted) -> Converted {
    let text = zip.read_xml(part).unwrap_or_default();
    let mut events = Events::new(&text);
    let mut modified = String::new();
    while let Some(event) = events.next() {
        let XmlEvent::Start(tag) = event else { continue };
        let place = match tag.name {
            n if n == name("title") => &mut found.title,
            n if n == name("initial-creator") => &mut found.author,
            // In OpenDocument who wrote last, wherever it stands.
            n if n == name("creator") && found.author.is_empty() => &mut found.author,
            n if n == name("created") || n == name("creation-date") => &mut found.date,
            n if n == name("modified") || n == name("date") => &mut modified,
            n if n == name("language") => &mut found.language,
            _ => continue,
        };
        *place = events.text_in(tag.name).trim().to_owned();
    }
    if found.date.is_empty() {
        found.date = modified;
    }
    found.language.make_ascii_lowercase();
    found
}
