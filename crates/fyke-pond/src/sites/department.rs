//! Department sites: people, courses, projects and papers, the shape of the spidering experiments
//! on computer science departments (source 001).

use crate::plan::HostKind;
use crate::render::PageSheet;
use crate::words::TemplateGroup;
use crate::words::template::number;

use super::prose::{Prose, link};
use super::{ContentItem, PondSite, SiteSection, item_about, slug_path};

pub const SITE: PondSite = PondSite {
    kind: HostKind::Department,
    sections: &[
        SiteSection {
            path: "people",
            label: "People",
            kind: "person",
            grade: 2,
            title: TemplateGroup::PersonTitle,
        },
        SiteSection {
            path: "courses",
            label: "Courses",
            kind: "course",
            grade: 2,
            title: TemplateGroup::CourseTitle,
        },
        SiteSection {
            path: "projects",
            label: "Projects",
            kind: "project",
            grade: 3,
            title: TemplateGroup::ProjectTitle,
        },
        SiteSection {
            path: "papers",
            label: "Papers",
            kind: "paper",
            grade: 3,
            title: TemplateGroup::PaperTitle,
        },
    ],
    query_paging: false,
    path: slug_path,
    main,
};

fn main(sheet: &mut PageSheet, item: &ContentItem) {
    let mut prose = Prose::new(item);
    match item.section.kind {
        "person" => person(sheet, &mut prose),
        "course" => course(sheet, &mut prose),
        "project" => project(sheet, &mut prose),
        _ => paper(sheet, &mut prose),
    }
}

fn person(sheet: &mut PageSheet, prose: &mut Prose) {
    sheet.raw("<p>");
    for _ in 0..3 {
        prose.say(TemplateGroup::Bio, &mut sheet.out);
        sheet.raw(" ");
    }
    sheet.raw("</p>\n");
    prose.paragraphs(2, sheet);
    sheet.raw("<h2>Publications</h2>\n<ul>\n");
    let item = prose.item;
    for k in 0..3 {
        // Section 3 holds the papers.
        if let Some(paper) = item_about(item.pond, item.host, item.topic, k * 4 + 3) {
            sheet.raw("<li>");
            link(sheet, &paper);
            sheet.raw("</li>\n");
        }
    }
    sheet.raw("</ul>\n<p>Office hours: Tuesday, room ");
    number(100 + prose.dice.below(400), &mut sheet.out);
    sheet.raw(".</p>\n");
}

fn course(sheet: &mut PageSheet, prose: &mut Prose) {
    prose.paragraphs(2, sheet);
    sheet.raw("<h2>Weeks</h2>\n");
    prose.list(TemplateGroup::Syllabus, 8, sheet);
    prose.paragraphs(1, sheet);
}

fn project(sheet: &mut PageSheet, prose: &mut Prose) {
    prose.paragraphs(2, sheet);
    sheet.raw("<h2>Aims</h2>\n");
    prose.list(TemplateGroup::Aim, 4, sheet);
    prose.heading(sheet);
    prose.paragraphs(3, sheet);
}

fn paper(sheet: &mut PageSheet, prose: &mut Prose) {
    sheet.raw("<h2>Abstract</h2>\n");
    prose.paragraph(5, sheet);
    sheet.raw("<h2>Introduction</h2>\n");
    prose.paragraphs(2, sheet);
    sheet.raw("<h2>Method</h2>\n<p>");
    for _ in 0..4 {
        prose.say(TemplateGroup::Method, &mut sheet.out);
        sheet.raw(" ");
    }
    sheet.raw("</p>\n");
    prose.heading(sheet);
    prose.paragraphs(3, sheet);
    sheet.raw("<h2>Discussion</h2>\n");
    prose.paragraphs(2, sheet);
}
