//! A forum: a question and its replies. The posts are the main text; signatures and the list of
//! other threads are not.

use crate::plan::HostKind;
use crate::render::Sheet;
use crate::words::{Group, stock};

use super::prose::Prose;
use super::{Item, Section, Site, slug_path};

const fn section(path: &'static str, label: &'static str) -> Section {
    Section { path, label, kind: "thread", grade: 2, title: Group::ThreadTitle }
}

pub const SITE: Site = Site {
    kind: HostKind::Forum,
    sections: &[section("questions", "Questions"), section("workshop", "Workshop")],
    query_paging: false,
    path: slug_path,
    main,
};

fn main(sheet: &mut Sheet, item: &Item) {
    let mut prose = Prose::new(item);
    post(sheet, &mut prose, Group::Question);
    for _ in 0..3 + item.key % 6 {
        post(sheet, &mut prose, Group::Reply);
    }
}

fn post(sheet: &mut Sheet, prose: &mut Prose, group: Group) {
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
