//! A shop: products with a price and a table of facts; reviews stand outside the main text.

use crate::plan::HostKind;
use crate::render::PageSheet;
use crate::words::template::number;
use crate::words::{TemplateGroup, stock};

use super::prose::Prose;
use super::{ContentItem, PondSite, SiteSection, slug_path};

const fn section(path: &'static str, label: &'static str) -> SiteSection {
    SiteSection { path, label, kind: "product", grade: 2, title: TemplateGroup::ProductTitle }
}

pub const SITE: PondSite = PondSite {
    kind: HostKind::Shop,
    sections: &[
        section("tools", "Tools"),
        section("books", "Books"),
        section("supplies", "Supplies"),
    ],
    query_paging: true,
    path: slug_path,
    main,
};

fn main(sheet: &mut PageSheet, item: &ContentItem) {
    let mut prose = Prose::new(item);
    sheet.raw("<p class=\"price\">");
    number(4 + prose.dice.below(240), &mut sheet.out);
    sheet.raw(".50 crowns</p>\n<p>");
    for _ in 0..4 {
        prose.say(TemplateGroup::Product, &mut sheet.out);
        sheet.raw(" ");
    }
    sheet.raw("</p>\n");
    prose.paragraphs(2, sheet);
    sheet.raw("<table><tr><th>For</th><td>").raw(item.voice.topic.name);
    sheet.raw("</td></tr>\n<tr><th>Goes with</th><td>");
    sheet.raw(prose.dice.word(&item.voice.sub.terms)).raw("</td></tr>\n<tr><th>Made in</th><td>");
    sheet.raw(prose.dice.word(&stock().places)).raw("</td></tr>\n<tr><th>Number</th><td>");
    number(10_000 + item.n, &mut sheet.out);
    sheet.raw("</td></tr></table>\n");
    prose.paragraphs(1, sheet);
}
