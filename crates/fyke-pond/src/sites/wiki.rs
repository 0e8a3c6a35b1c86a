//! A wiki: densely interlinked entries, the links inside the running text.

use crate::plan::HostKind;
use crate::render::PageSheet;
use crate::words::TemplateGroup;
use crate::words::template::number;

use super::prose::{Prose, link};
use super::{ContentItem, PondSite, SiteSection, item, item_about};

pub const SITE: PondSite = PondSite {
    kind: HostKind::Wiki,
    sections: &[SiteSection {
        path: "entries",
        label: "All entries",
        kind: "entry",
        grade: 3,
        title: TemplateGroup::WikiTitle,
    }],
    query_paging: false,
    path,
    main,
};

fn path(item: &ContentItem, out: &mut Vec<u8>) {
    out.extend_from_slice(b"/wiki/");
    out.extend(item.voice.sub.slug.bytes().map(|b| if b == b'-' { b'_' } else { b }));
    out.push(b'_');
    number(item.n, out);
}

fn main(sheet: &mut PageSheet, item: &ContentItem) {
    let mut prose = Prose::new(item);
    prose.paragraph(3, sheet);
    for _ in 0..4 {
        prose.heading(sheet);
        prose.paragraphs(1, sheet);
        see(sheet, &mut prose);
    }
    sheet.raw("<h2>See also</h2>\n<ul>\n");
    for _ in 0..3 {
        let n = prose.dice.below(item.host.items);
        sheet.raw("<li>");
        link(sheet, &super::item(item.pond, item.host, n));
        sheet.raw("</li>\n");
    }
    sheet.raw("</ul>\n");
}

/// A sentence with two links: one to the same subject, one to anything.
fn see(sheet: &mut PageSheet, prose: &mut Prose) {
    let (pond, host) = (prose.item.pond, prose.item.host);
    let near = item_about(pond, host, prose.item.topic, prose.dice.below(64));
    let far = item(pond, host, prose.dice.below(host.items));
    sheet.raw("<p>");
    prose.say(TemplateGroup::Plain, &mut sheet.out);
    sheet.raw(" Compare ");
    if let Some(near) = near {
        link(sheet, &near);
        sheet.raw(" and ");
    }
    link(sheet, &far);
    sheet.raw(".</p>\n");
}
