//! A newspaper: dated articles in sections, newest first, with quotes and bylines.

use crate::plan::HostKind;
use crate::render::{CivilDay, PageSheet, civil};
use crate::words::TemplateGroup;
use crate::words::template::number;

use super::prose::Prose;
use super::{ContentItem, OPENING, PondSite, SiteSection};

const fn section(path: &'static str, label: &'static str, grade: u8) -> SiteSection {
    SiteSection { path, label, kind: "article", grade, title: TemplateGroup::NewsTitle }
}

pub const SITE: PondSite = PondSite {
    kind: HostKind::News,
    sections: &[
        section("reports", "Reports", 3),
        section("features", "Features", 3),
        section("interviews", "Interviews", 2),
        section("letters", "Letters", 2),
    ],
    query_paging: true,
    path,
    main,
};

/// Day of an article since 1970: every third day one more into the past.
pub fn day(item: &ContentItem) -> u64 {
    OPENING / 86_400 - 1 - item.n as u64 * 3 % 3_000
}

/// `/2025/03/14/what-it-is-about-17`
fn path(item: &ContentItem, out: &mut Vec<u8>) {
    let CivilDay { year, month, day } = civil(day(item));
    for (part, width) in [(year, 4), (month, 2), (day, 2)] {
        out.push(b'/');
        if width == 2 && part < 10 {
            out.push(b'0');
        }
        number(part as usize, out);
    }
    out.push(b'/');
    out.extend_from_slice(item.voice.sub.slug.as_bytes());
    out.push(b'-');
    number(item.n, out);
}

fn main(sheet: &mut PageSheet, item: &ContentItem) {
    let mut prose = Prose::new(item);
    prose.paragraph(2, sheet);
    prose.paragraphs(2, sheet);
    prose.wrapped(TemplateGroup::Quote, ["<blockquote>", "</blockquote>\n"], sheet);
    prose.paragraphs(2, sheet);
    if item.section.grade == 3 {
        prose.heading(sheet);
        prose.paragraphs(3, sheet);
    }
    prose.wrapped(TemplateGroup::Quote, ["<blockquote>", "</blockquote>\n"], sheet);
    prose.paragraphs(1, sheet);
}
