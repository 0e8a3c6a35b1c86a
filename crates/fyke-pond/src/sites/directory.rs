//! The directory: a hub that names every host, hazards included, and the best pages of every
//! topic. At large sizes the hosts are listed on pages of a hundred, and those by ranges.

use crate::Pond;
use crate::hazards;
use crate::plan::{self, CORE_HOSTS, HostKind, PondHost};
use crate::render::{PageSheet, PondPage};
use crate::words::{SUBS, topics};

use super::prose::link;
use super::{ContentItem, PondSite, item_about};

pub const SITE: PondSite =
    PondSite { kind: HostKind::Directory, sections: &[], query_paging: false, path, main };

const PER_PAGE: usize = 100;
const PER_RANGE: usize = 100;

/// The directory has no numbered pages.
fn path(_: &ContentItem, out: &mut Vec<u8>) {
    out.push(b'/');
}

fn main(_: &mut PageSheet, _: &ContentItem) {}

fn list_count(pond: &Pond) -> usize {
    (plan::host_count(pond) - CORE_HOSTS).div_ceil(PER_PAGE)
}

fn topic_path(topic: usize) -> String {
    format!("/topics/{}", topics()[topic].name.replace(' ', "-"))
}

/// All paths but those of home and the standing pages.
pub fn paths(pond: &Pond, host: &PondHost) -> impl Iterator<Item = String> {
    let here = host.kind == HostKind::Directory;
    let (lists, topics) = if here { (list_count(pond), topics().len()) } else { (0, 0) };
    let lists = (1..=lists).map(|n| format!("/hosts/{n}"));
    let ranges = (1..=range_count(pond)).filter(move |_| here).map(|n| format!("/ranges/{n}"));
    (0..topics).map(topic_path).chain(lists).chain(ranges)
}

/// Ranges appear when there are more list pages than fit on the home page.
fn range_count(pond: &Pond) -> usize {
    match list_count(pond) {
        0..=PER_RANGE => 0,
        lists => lists.div_ceil(PER_RANGE),
    }
}

pub fn page(pond: &Pond, host: &PondHost, asked: &str) -> Option<PondPage> {
    if host.kind != HostKind::Directory {
        return None;
    }
    if asked == "/" {
        return Some(home(pond, host));
    }
    if asked.starts_with("/topics/") {
        let topic = (0..topics().len()).find(|topic| topic_path(*topic) == asked)?;
        return Some(topic_page(pond, host, topic));
    }
    let number = |prefix: &str| asked.strip_prefix(prefix)?.parse::<usize>().ok();
    let known = paths(pond, host).any(|path| path == asked);
    match (number("/hosts/"), number("/ranges/")) {
        (Some(n), _) if known => Some(list_page(pond, host, n)),
        (_, Some(n)) if known => Some(range_page(pond, host, n)),
        _ => None,
    }
}

fn home(pond: &Pond, host: &PondHost) -> PondPage {
    let mut sheet = open(host, "The Directory");
    sheet.raw("<p>Every place in this small web, by kind.</p>\n<h2>Places</h2>\n<ul>\n");
    plan::core_hosts(pond).for_each(|host| host_link(&mut sheet, &host));
    sheet.raw("</ul>\n<h2>Topics</h2>\n<ul>\n");
    for (n, topic) in topics().iter().enumerate() {
        anchor(&mut sheet, &topic_path(n), topic.name);
    }
    sheet.raw("</ul>\n<h2>Odd places</h2>\n<ul>\n");
    hazards::links(pond).iter().for_each(|(url, text)| anchor(&mut sheet, url, text));
    sheet.raw("</ul>\n<h2>More places</h2>\n<ul>\n");
    match range_count(pond) {
        0 => links_to(&mut sheet, "/hosts/", 1..=list_count(pond)),
        ranges => links_to(&mut sheet, "/ranges/", 1..=ranges),
    }
    close(sheet, "The Directory", "home")
}

fn list_page(pond: &Pond, host: &PondHost, n: usize) -> PondPage {
    let title = format!("Hosts, page {n}");
    let mut sheet = open(host, &title);
    sheet.raw("<ul>\n");
    let first = CORE_HOSTS + (n - 1) * PER_PAGE;
    for at in (first..plan::host_count(pond)).take(PER_PAGE) {
        host_link(&mut sheet, &plan::host_at(pond, at));
    }
    close(sheet, &title, "list")
}

fn range_page(pond: &Pond, host: &PondHost, n: usize) -> PondPage {
    let title = format!("Hosts, range {n}");
    let mut sheet = open(host, &title);
    sheet.raw("<ul>\n");
    let first = (n - 1) * PER_RANGE + 1;
    links_to(&mut sheet, "/hosts/", first..=(n * PER_RANGE).min(list_count(pond)));
    close(sheet, &title, "list")
}

/// A page of every sub-topic from every core host that treats the topic.
fn topic_page(pond: &Pond, host: &PondHost, topic: usize) -> PondPage {
    let title = format!("Pages about {}", topics()[topic].name);
    let mut sheet = open(host, &title);
    sheet.raw("<ul>\n");
    for place in plan::core_hosts(pond).filter(|h| h.items > 0 && h.kind != HostKind::Languages) {
        for sub in 0..SUBS {
            if let Some(target) = item_about(pond, &place, (topic, sub), 3) {
                sheet.raw("<li>");
                link(&mut sheet, &target);
                sheet.raw("</li>\n");
            }
        }
    }
    close(sheet, &title, "list")
}

fn open<'a>(host: &'a PondHost, title: &str) -> PageSheet<'a> {
    let mut sheet = PageSheet::english(host, title.as_bytes());
    sheet.raw("<h1>").raw(title).raw("</h1>\n");
    sheet
}

fn close(mut sheet: PageSheet, title: &str, kind: &'static str) -> PondPage {
    sheet.raw("</ul>\n").end_main();
    sheet.open_side();
    sheet.close();
    sheet.into_page(title.as_bytes(), kind)
}

fn anchor(sheet: &mut PageSheet, url: &str, text: &str) {
    let url = url.replace('&', "&amp;");
    sheet.raw("<li><a href=\"").raw(&url).raw("\">").raw(text).raw("</a></li>\n");
}

fn host_link(sheet: &mut PageSheet, host: &PondHost) {
    let url = format!("http://{}/", host.name);
    let about: Vec<&str> = host.theme.iter().take(3).map(|t| topics()[*t].name).collect();
    anchor(sheet, &url, &format!("{}: {}", host.label, about.join(", ")));
}

fn links_to(sheet: &mut PageSheet, prefix: &str, pages: std::ops::RangeInclusive<usize>) {
    pages.for_each(|n| anchor(sheet, &format!("{prefix}{n}"), &format!("Hosts, part {n}")));
}
