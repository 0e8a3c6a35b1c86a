//! Home pages, standing pages and the paginated listings of sections. They lead to answers but
//! are none: truth gives them no topic.

use crate::Pond;
use crate::languages;
use crate::plan::{self, HostKind, PondHost};
use crate::render::{PageSheet, PondPage};
use crate::words::template::number;
use crate::words::{PondDice, TemplateGroup, mix, stock};

use super::prose::{forbidden, link};
use super::{item, live, section, section_count, site};

const PER_PAGE: usize = 20;

/// Content pages in a section.
fn rows(host: &PondHost, at: usize) -> usize {
    (host.items + section_count(host) - 1 - at) / section_count(host)
}

fn page_count(host: &PondHost, at: usize) -> usize {
    rows(host, at).div_ceil(PER_PAGE).max(1)
}

fn write_path(host: &PondHost, at: usize, page: usize, out: &mut Vec<u8>) {
    out.push(b'/');
    out.extend_from_slice(section(host, at).path.as_bytes());
    out.push(b'/');
    if page > 1 {
        let paged = if site(host.kind).query_paging { "?page=" } else { "page/" };
        out.extend_from_slice(paged.as_bytes());
        number(page, out);
    }
}

fn path(host: &PondHost, at: usize, page: usize) -> String {
    let mut out = Vec::new();
    write_path(host, at, page, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

pub fn paths(host: &PondHost) -> impl Iterator<Item = String> {
    let standing = ["/", "/about", "/contact"].map(str::to_owned);
    let pages = move |at| (1..=page_count(host, at)).map(move |page| path(host, at, page));
    standing.into_iter().chain((0..section_count(host)).flat_map(pages))
}

/// Home, standing page or listing at a path.
pub fn page(pond: &Pond, host: &PondHost, asked: &str) -> Option<PondPage> {
    match asked {
        "/" if host.kind != HostKind::Directory => return Some(home(pond, host)),
        "/about" => return Some(standing(host, "About", ABOUT, "about")),
        "/contact" => return Some(standing(host, "Contact", CONTACT, "contact")),
        _ => {}
    }
    let rest = asked.strip_prefix('/')?;
    let at = (0..section_count(host)).find(|at| {
        let path = section(host, *at).path;
        rest.strip_prefix(path).is_some_and(|tail| tail.starts_with('/'))
    })?;
    let tail = &rest[section(host, at).path.len() + 1..];
    let digits = tail.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = if tail.is_empty() { 1 } else { digits.parse().ok()? };
    let known = (1..=page_count(host, at)).contains(&number) && path(host, at, number) == asked;
    known.then(|| listing(pond, host, at, number))
}

const ABOUT: &str = "This site is part of a small generated web. Its pages were written by a \
     program from a stock of words, so nothing on them should be believed, but everything about \
     them is known: what each page is about, in which language it is written, and which of its \
     words are its main text. The editors meet on the first Monday of the month and answer \
     letters in the order in which they arrive.";
const CONTACT: &str = "Write to the office by post or come by on a weekday between nine and four. \
     The bell is beside the green door. Parcels are taken in at the yard, and visitors who come \
     by bicycle may leave it under the roof. Please name the page you are writing about and say \
     what you were looking for.";

fn standing(host: &PondHost, title: &str, text: &str, kind: &'static str) -> PondPage {
    let title = format!("{title} {}", host.label);
    let mut sheet = PageSheet::english(host, title.as_bytes());
    sheet.raw("<h1>").raw(&title).raw("</h1>\n<p>").raw(text).raw("</p>\n<p>");
    sheet.raw(&host.name).raw(" greets its readers.</p>\n").end_main();
    sheet.open_side();
    sheet.close();
    sheet.into_page(title.as_bytes(), kind)
}

fn home(pond: &Pond, host: &PondHost) -> PondPage {
    let mut sheet = PageSheet::english(host, host.label.as_bytes());
    sheet.raw("<h1>").raw(host.label).raw("</h1>\n<p>Welcome to ").raw(&host.name);
    sheet.raw(". Here is what was added last, and where to find the rest.</p>\n");
    for at in 0..section_count(host) {
        let section = section(host, at);
        sheet.raw("<h2><a href=\"/").raw(section.path).raw("/\">");
        let foreign = host.kind == HostKind::Languages;
        let label = if foreign { plan::language(host, at).name } else { section.label };
        sheet.raw(label).raw("</a></h2>\n<ul>\n");
        let shown = if foreign { 0 } else { rows(host, at).min(8) };
        for row in 0..shown {
            sheet.raw("<li>");
            link(&mut sheet, &item(pond, host, row * section_count(host) + at));
            sheet.raw("</li>\n");
        }
        sheet.raw("</ul>\n");
    }
    if live::is_live(host) {
        sheet.raw("<p><a href=\"/live\">Live readings</a></p>\n");
    }
    sheet.end_main();
    sheet.open_side();
    neighbour(pond, &mut sheet);
    forbidden(&mut sheet, pond, 0);
    sheet.close();
    sheet.into_page(host.label.as_bytes(), "home")
}

/// Hosts form a ring, so that no home page depends on the directory alone.
fn neighbour(pond: &Pond, sheet: &mut PageSheet) {
    let n = plan::number(pond, &sheet.host.name).unwrap_or(0);
    let next = plan::host_at(pond, (n + 1) % plan::host_count(pond));
    sheet.raw("<p>Our neighbour: <a href=\"http://").raw(&next.name).raw("/\">");
    sheet.raw(next.label).raw("</a></p>\n");
}

fn listing(pond: &Pond, host: &PondHost, at: usize, page: usize) -> PondPage {
    let section = section(host, at);
    let foreign = host.kind == HostKind::Languages;
    let language = if foreign { plan::language(host, at) } else { languages::by_code("en") };
    let title = format!("{}: {} {page}", host.name, section.path);
    let mut sheet = PageSheet::open(host, language, title.as_bytes());
    let mut dice = PondDice::new(mix(host.key, (at * 100_003 + page) as u64));
    sheet.raw("<h1>").raw(&title).raw("</h1>\n<ul class=\"list\">\n");
    for row in ((page - 1) * PER_PAGE..rows(host, at)).take(PER_PAGE) {
        let entry = item(pond, host, row * section_count(host) + at);
        sheet.raw("<li>");
        link(&mut sheet, &entry);
        if !foreign {
            sheet.raw(" <span>");
            dice.pick(stock().group(TemplateGroup::Teaser)).fill(
                &entry.voice,
                &mut dice,
                &mut sheet.out,
            );
            sheet.raw("</span>");
        }
        sheet.raw("</li>\n");
    }
    sheet.raw("</ul>\n").end_main();
    pager(&mut sheet, at, page);
    sheet.open_side();
    sheet.close();
    sheet.into_page(title.as_bytes(), "list")
}

/// Links to the first pages, the next ones and a few leaps ahead.
fn pager(sheet: &mut PageSheet, at: usize, page: usize) {
    let last = page_count(sheet.host, at);
    sheet.raw("<p class=\"pager\">");
    for to in (1..=last).filter(|to| *to <= 5 || to.abs_diff(page) == 1 || to % 10 == 0) {
        sheet.raw("<a href=\"");
        write_path(sheet.host, at, to, &mut sheet.out);
        sheet.raw("\">");
        match to == page + 1 {
            true => sheet.out.extend_from_slice(sheet.language.word("next")),
            false => number(to, &mut sheet.out),
        }
        sheet.raw("</a> ");
    }
    sheet.raw("</p>\n");
}
