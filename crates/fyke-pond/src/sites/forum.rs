//! A forum: a question and its replies. The posts are the main text; signatures and the list of
//! other threads are not.

use crate::plan::HostKind;
use crate::render::PageSheet;
use crate::words::{TemplateGroup, stock};

use super::prose::Prose;
use super::{ContentItem, PondSite, SiteSection, slug_path};

const fn section(path: &'static str, label: &'static str) -> SiteSection {
    SiteSection { path, label, kind: "thread", grade: 2, title: TemplateGroup::ThreadTitle }
}

pub const SITE: PondSite = PondSite {
    kind: HostKind::Forum,
    sections: &[section("questions", "Questions"), section("workshop", "Workshop")],
    query_paging: false,
    path: slug_path,
    main,
};

fn main(sheet: &mut PageSheet, item: &ContentItem) {
    let mut prose = Prose::new(item);
    post(sheet, &mut prose, TemplateGroup::Question);
    for _ in 0..3 + item.key % 6 {
        post(sheet, &mut prose, TemplateGroup::Reply);
    }
}

fn post(sheet: &mut PageSheet, prose: &mut Prose, group: TemplateGroup) {
    sheet.raw("<div class=\"post\"><p class=\"author\">");
    sheet.raw(prose.dice.word(&stock().first_names)).raw(" from ");
    sheet.raw(prose.dice.word(&stock().places)).raw("</p>\n<p>");
    prose.say(group, &mut sheet.out);
    for _ in 0..2 + prose.dice.below(2) {
        sheet.raw(" ");
        prose.sentence(&mut sheet.out);
    }
    sheet.raw("</p></div>\n");
}
