//! Zip archives: every file inside by its own format, a section each.

use super::markup::Markup;
use super::zip::Zip;
use super::{Converted, Inner, Source, extension};

/// Most files of an archive that are converted.
const MOST_FILES: usize = 1_000;

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut zip = Zip::open(inner.source.bytes, inner.budget);
    let names: Vec<String> =
        zip.names().filter(|name| !name.ends_with('/')).map(str::to_owned).collect();
    let mut markup = Markup::default();
    let mut troubles = Vec::new();
    for name in names.iter().take(MOST_FILES).take_while(|_| inner.budget.left() > 0) {
        let Some(bytes) = zip.read(name) else { continue };
        let source = Source { bytes: &bytes, content_type: None, extension: &extension(name) };
        let found = inner.convert(source);
        if !found.trouble.is_empty() {
            troubles.push(format!("{name}: {}", found.trouble));
        }
        if !found.markup.is_empty() {
            markup.open("section");
            markup.element("h2", name);
            markup.append(&found.markup);
            markup.close("section");
        }
    }
    if names.len() > MOST_FILES || inner.budget.left() == 0 {
        troubles.push("more in the archive than is unpacked".to_owned());
    }
    troubles.truncate(10);
    Converted::from(markup).with_trouble(&zip.trouble).with_trouble(&troubles.join("; "))
}
