//! Sites in other languages: a section per language, each in its own charset, named in the header
//! on some hosts and only in a meta tag on others.

use crate::languages::Chapter;
use crate::plan::{self, HostKind, PondHost};
use crate::render::PageSheet;
use crate::words::template::number;
use crate::words::{PondDice, TemplateGroup, mix};

use super::{ContentItem, PondSite, SiteSection, item, section_count};

pub const SITE: PondSite =
    PondSite { kind: HostKind::Languages, sections: &[], query_paging: false, path, main };

/// The label is the code: one charset may lack the letters of another language's name.
pub fn section(host: &PondHost, at: usize) -> SiteSection {
    let code = plan::language(host, at).code;
    SiteSection {
        path: code,
        label: code,
        kind: "foreign",
        grade: 0,
        title: TemplateGroup::WikiTitle,
    }
}

/// `/de/17.html`
fn path(item: &ContentItem, out: &mut Vec<u8>) {
    out.push(b'/');
    out.extend_from_slice(item.section.path.as_bytes());
    out.push(b'/');
    number(item.n, out);
    out.extend_from_slice(b".html");
}

/// What the page is about, among what its language can talk about.
pub fn chapter(item: &ContentItem) -> &'static Chapter {
    item.language().chapter(item.n / section_count(item.host))
}

pub fn title(item: &ContentItem, out: &mut Vec<u8>) {
    let mut dice = PondDice::new(mix(item.key, 11));
    let line = dice.pick(&chapter(item).titles);
    item.language().fill(line, &mut dice, out);
}

fn main(sheet: &mut PageSheet, item: &ContentItem) {
    let (language, chapter) = (item.language(), chapter(item));
    let mut dice = PondDice::new(mix(item.key, 21));
    let (mut own, mut plain) = (item.key as usize >> 8, item.key as usize >> 16);
    for _ in 0..2 + item.key % 3 {
        sheet.raw("<p>");
        for n in 0..3 + dice.below(2) {
            let line = if n == 2 { &mut plain } else { &mut own };
            *line += 1 + dice.below(2);
            let list = if n == 2 { &language.plain } else { &chapter.sentences };
            language.fill(&list[*line % list.len()], &mut dice, &mut sheet.out);
            sheet.raw(" ");
        }
        sheet.raw("</p>\n");
    }
}

/// Related pages in the same language, and a comment or two.
pub fn around(sheet: &mut PageSheet, from: &ContentItem) {
    let mut dice = PondDice::new(mix(from.key, 31));
    let language = from.language();
    let step = section_count(from.host);
    let rows = (from.host.items - from.at).div_ceil(step);
    sheet.raw("<div class=\"related\"><h3>").bytes(language.word("related")).raw("</h3><ul>\n");
    for k in [1, 2, 3 + dice.below(20)] {
        let target = item(from.pond, from.host, (from.n / step + k) % rows * step + from.at);
        sheet.raw("<li>");
        super::prose::link(sheet, &target);
        sheet.raw("</li>\n");
    }
    sheet.raw("</ul></div>\n<div class=\"comments\"><h3>").bytes(language.word("comments"));
    sheet.raw("</h3>\n<p>");
    language.fill(dice.pick(&language.plain), &mut dice, &mut sheet.out);
    sheet.raw("</p></div>\n");
    sheet.open_side();
    sheet.raw("<p>");
    language.fill(dice.pick(&language.plain), &mut dice, &mut sheet.out);
    sheet.raw("</p>\n");
}
