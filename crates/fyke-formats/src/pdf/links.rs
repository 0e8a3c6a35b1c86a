//! Links of a page: annotations with an address (ISO 32000-1 §12.5.6.5).

use super::file::PdfFile;
use super::page::{PdfPage, rectangle};

/// Links of one page that are kept, and bytes of an address.
const MOST_LINKS: usize = 1_000;
const LONGEST: usize = 2_000;
/// Steps that reading an annotation costs.
const LINK: usize = 40;
/// Ways of addressing that lead somewhere.
const SCHEMES: &[&str] = &["http://", "https://", "ftp://", "mailto:"];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PdfLink {
    pub(super) target: String,
    /// Left, bottom, right, top.
    pub(super) frame: [f32; 4],
}

pub(super) fn links(file: &PdfFile, page: &PdfPage) -> Vec<PdfLink> {
    let annotations = file.get(&page.dict, "Annots");
    let members = annotations.array().iter().take(MOST_LINKS);
    let paid = members.take_while(|_| file.fuel.spend(LINK));
    paid.filter_map(|member| link(file, &file.resolve(member))).collect()
}

fn link(file: &PdfFile, annotation: &super::object::Object) -> Option<PdfLink> {
    let dict = annotation.dict()?;
    let action = file.get(dict, "A");
    let target = file.get(action.dict()?, "URI");
    let target = String::from_utf8_lossy(target.text().filter(|text| text.len() <= LONGEST)?);
    let target = target.trim().to_owned();
    let lower = target.to_ascii_lowercase();
    let leads = SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
    let frame = rectangle(&file.numbers_of(&file.get(dict, "Rect")))?;
    leads.then_some(PdfLink { target, frame })
}
