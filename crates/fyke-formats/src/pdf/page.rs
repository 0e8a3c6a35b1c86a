//! The pages of a file: its page tree with what pages inherit (ISO 32000-1 §7.7.3).

use super::file::PdfFile;
use super::object::{Dict, Object};
use std::collections::HashSet;
use std::rc::Rc;

/// Most pages that are read.
pub(super) const MOST_PAGES: usize = 5_000;
/// Steps that a kid of a node costs, which waits in memory until its turn.
const KID: usize = 16;
/// A4, for pages that do not say their size.
const FRAME: [f32; 4] = [0.0, 0.0, 595.0, 842.0];
/// No page reaches further, in points.
const FAR: f32 = 100_000.0;

#[derive(Clone, Debug)]
pub(super) struct PdfPage {
    pub(super) dict: Rc<Dict>,
    pub(super) resources: Rc<Dict>,
    /// The rectangle that is shown: left, bottom, right, top.
    pub(super) frame: [f32; 4],
}

/// All pages in reading order; a node of the tree that comes again is passed over.
pub(super) fn pages(file: &PdfFile) -> Vec<PdfPage> {
    let mut pages = Vec::new();
    let mut seen = HashSet::new();
    let root = file.catalog().map(|catalog| catalog.get("Pages").clone()).unwrap_or_default();
    let mut open = vec![(root, Rc::new(Dict::default()), FRAME)];
    while let Some((node, resources, frame)) = open.pop() {
        if let Object::Reference(number) = node
            && !seen.insert(number)
        {
            continue;
        }
        if pages.len() >= MOST_PAGES || !file.fuel.spend(1) {
            file.fuel.cut();
            break;
        }
        let node = file.resolve(&node);
        let Some(dict) = node.dict() else { continue };
        let page = inherit(file, dict, &resources, frame);
        let kids = file.get(dict, "Kids");
        if kids.array().is_empty() {
            if !dict.is("Pages") {
                pages.push(page);
            }
            continue;
        }
        if !file.fuel.spend(KID * kids.array().len()) {
            break;
        }
        let kid = |kid: &Object| (kid.clone(), Rc::clone(&page.resources), page.frame);
        open.extend(kids.array().iter().rev().map(kid));
    }
    if pages.is_empty() {
        let stray = file.stray_pages();
        let dicts = stray.iter().filter_map(Object::dict).take(MOST_PAGES);
        pages = dicts.map(|dict| inherit(file, dict, &Rc::default(), FRAME)).collect();
    }
    pages
}

fn inherit(file: &PdfFile, dict: &Rc<Dict>, resources: &Rc<Dict>, frame: [f32; 4]) -> PdfPage {
    let own = file.get(dict, "Resources");
    let resources = Rc::clone(own.dict().unwrap_or(resources));
    let given = |key: &str| rectangle(&file.numbers_of(&file.get(dict, key)));
    let frame = given("CropBox").or_else(|| given("MediaBox")).unwrap_or(frame);
    PdfPage { dict: Rc::clone(dict), resources, frame }
}

/// Two corners in any order; none when they enclose nothing.
pub(super) fn rectangle(numbers: &[f32]) -> Option<[f32; 4]> {
    let &[a, b, c, d] = numbers else { return None };
    let corners = [a.min(c), b.min(d), a.max(c), b.max(d)].map(|edge| edge.clamp(-FAR, FAR));
    (corners[2] > corners[0] && corners[3] > corners[1]).then_some(corners)
}

/// The bytes of a page's content, which may stand in several streams.
pub(super) fn content(file: &PdfFile, page: &PdfPage) -> Vec<u8> {
    let entry = file.get(&page.dict, "Contents");
    if let Some(stream) = entry.stream() {
        return file.unpack(stream);
    }
    let mut bytes = Vec::new();
    for member in entry.array() {
        let member = file.resolve(member);
        let Some(stream) = member.stream().filter(|_| !file.fuel.is_spent()) else { continue };
        bytes.extend(file.unpack(stream));
        bytes.push(b'\n');
    }
    bytes
}
