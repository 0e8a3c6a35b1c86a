//! A plain page as HTML: banner, article, cards, a column of links outward, footer. Everything
//! follows from the page's numbers; bytes are copied, nothing is escaped because the prose is clean.

use super::prose::Title;
use super::{FRESH, NAVIGATION, Plain, PlainPlace, number_of};
use crate::words::template::number as decimal;
use crate::words::{PondDice, mix};

/// What robots.txt forbids and every page links to.
pub const FORBIDDEN: &str = "/private/";
const SECTIONS: [&str; 8] =
    ["research", "news", "people", "courses", "projects", "library", "events", "archive"];
const ENDING: &str = ".html";

/// Rules as sites have them; only the folder that they all forbid is linked.
pub const ROBOTS: &str = "\
User-agent: *
Disallow: /private/
Disallow: /cgi-bin/
Disallow: /search
Disallow: /login
Disallow: /cart/
Disallow: /*?print=
Disallow: /*.json$
Disallow: /admin/
Disallow: /tmp/
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php
Disallow: /user/register

User-agent: greedybot
Disallow: /
";

const HEAD: &str = include_str!("../../data/plain/head.html");
const FOOT: &str = include_str!("../../data/plain/foot.html");

/// The number of the page that a path leads to, as far as its form tells.
pub fn number(path: &str) -> Option<u64> {
    match path {
        "/" => Some(0),
        _ => number_of(path.strip_suffix(ENDING)?.rsplit_once('-')?.1),
    }
}

/// Whether this is the page's one path.
pub fn is_path(plain: &Plain, place: PlainPlace, path: &str) -> bool {
    let mut own = Vec::with_capacity(96);
    write_path(plain, place, &mut own);
    own == path.as_bytes()
}

fn title(plain: &Plain, place: PlainPlace) -> &Title {
    let titles = &plain.prose.titles;
    &titles[mix(place.host, place.page) as usize % titles.len()]
}

/// The path on the page's own host.
fn write_path(plain: &Plain, place: PlainPlace, out: &mut Vec<u8>) {
    out.push(b'/');
    if place.page > 0 {
        let section = SECTIONS[place.page as usize % SECTIONS.len()];
        push(out, &[section, "/", &title(plain, place).slug, "-"]);
        decimal(place.page as usize, out);
        push(out, &[ENDING]);
    }
}

/// What stands in a link to a page of the same host.
fn write_local(plain: &Plain, place: PlainPlace, out: &mut Vec<u8>) {
    if plain.shape.one_host && place != (PlainPlace { host: 0, page: 0 }) {
        out.push(b'/');
        write_host(place.host, out);
    }
    write_path(plain, place, out);
}

/// What stands in a link to a page of another host.
fn write_outward(plain: &Plain, place: PlainPlace, out: &mut Vec<u8>) {
    if plain.shape.one_host {
        return write_local(plain, place, out);
    }
    push(out, &["http://"]);
    write_host(place.host, out);
    push(out, &[".test"]);
    write_path(plain, place, out);
}

fn write_host(host: u64, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 6];
    let mut rest = host;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    out.push(b'h');
    out.extend_from_slice(&digits);
}

fn push(out: &mut Vec<u8>, pieces: &[&str]) {
    pieces.iter().for_each(|piece| out.extend_from_slice(piece.as_bytes()));
}

/// The whole page, appended.
pub fn write(plain: &Plain, place: PlainPlace, out: &mut Vec<u8>) {
    let mut dice = plain.dice(place);
    let links = plain.links(place, &mut dice);
    let half = plain.shape.bytes / 2;
    let end = out.len() + half + dice.below(2 * half);
    let name = &title(plain, place).text;
    push(out, &["<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>"]);
    push(out, &[name, "</title>\n", HEAD]);
    navigation(plain, place, "site-header", out);
    push(out, &["<main id=\"content\" class=\"container\">\n<article class=\"post\">\n<h1>", name]);
    push(out, &["</h1>\n"]);
    let (inline, cards) = links.related.split_at(links.related.len() / 3);
    for target in inline {
        paragraph(plain, &mut dice, Some(*target), out);
    }
    let mut rest = Vec::with_capacity(plain.shape.bytes / 2);
    links.fresh.iter().chain(cards).for_each(|to| card(plain, &mut dice, *to, &mut rest));
    after(plain, place, &links.outward, &mut rest);
    while out.len() + rest.len() < end {
        paragraph(plain, &mut dice, None, out);
    }
    push(out, &["</article>\n<section class=\"cards\" aria-label=\"Read on\">\n"]);
    out.extend_from_slice(&rest);
}

/// What follows the cards.
fn after(plain: &Plain, place: PlainPlace, outward: &[PlainPlace], out: &mut Vec<u8>) {
    push(out, &["</section>\n<aside class=\"sidebar\">\n<h2>Elsewhere</h2>\n<ul>\n"]);
    outward.iter().for_each(|target| elsewhere(plain, *target, out));
    push(out, &["</ul>\n</aside>\n</main>\n"]);
    navigation(plain, place, "site-footer", out);
    push(out, &["<p class=\"staff\"><a href=\"", FORBIDDEN, "notes-"]);
    decimal((place.page % FRESH) as usize, out);
    push(out, &["\">Staff</a></p>\n", FOOT]);
}

/// The same seven links on every page of a host, above and below.
fn navigation(plain: &Plain, place: PlainPlace, class: &str, out: &mut Vec<u8>) {
    push(out, &["<div class=\"", class, "\"><nav class=\"menu\"><ul class=\"menu-list\">\n"]);
    let pages = plain.pages_of(place.host);
    for n in 0..NAVIGATION {
        push(out, &["<li class=\"menu-item\"><a class=\"menu-link\" href=\""]);
        write_local(plain, PlainPlace { page: n.min(pages - 1), ..place }, out);
        push(out, &["\">", SECTIONS[n as usize], "</a></li>\n"]);
    }
    push(out, &["</ul></nav></div>\n"]);
}

/// Beside every card, as pages repeat their pictures.
const ICON: &str = "<svg class=\"icon\" width=\"16\" height=\"16\" viewBox=\"0 0 16 16\" \
    fill=\"none\" aria-hidden=\"true\"><path d=\"M3 2.5h7l3 3v8H3z\" stroke=\"currentColor\"/>\
    <path d=\"M5.5 8h5M5.5 10.5h5\" stroke=\"currentColor\"/></svg>";

fn paragraph(plain: &Plain, dice: &mut PondDice, link: Option<PlainPlace>, out: &mut Vec<u8>) {
    let text = dice.pick(&plain.prose.paragraphs);
    push(out, &["<div class=\"block block--text\" data-block-type=\"text\" id=\"block-"]);
    decimal(out.len(), out);
    push(out, &["\">\n<div class=\"block__inner block__inner--narrow\">\n"]);
    push(out, &["<p class=\"block__paragraph text text--body\">", text]);
    if let Some(target) = link {
        push(out, &[" See also <a class=\"text__link\" href=\""]);
        write_local(plain, target, out);
        push(out, &["\">", &title(plain, target).text, "</a>."]);
    }
    push(out, &["</p>\n</div>\n<span class=\"block__mark\" role=\"presentation\" "]);
    push(
        out,
        &[
            "data-state=\"closed\" data-placement=\"right\"></span>\n<button type=\"button\" class=\"block__share button\" ",
        ],
    );
    push(out, &["data-action=\"share\" aria-label=\"Share this part\">Share</button>\n</div>\n"]);
    if dice.percent(10) {
        push(out, &["<h2>", &dice.pick(&plain.prose.titles).text, "</h2>\n"]);
    }
}

fn card(plain: &Plain, dice: &mut PondDice, target: PlainPlace, out: &mut Vec<u8>) {
    push(out, &["<div class=\"card\" data-id=\""]);
    decimal(dice.below(10_000), out);
    push(out, &["\"><h3 class=\"card-title\"><a href=\""]);
    write_local(plain, target, out);
    push(out, &["\">", &title(plain, target).text, "</a></h3>", ICON, "<span class=\"meta\">"]);
    decimal(1 + dice.below(28), out);
    push(out, &[" May, "]);
    decimal(1 + dice.below(900), out);
    push(out, &[" readers</span></div>\n"]);
}

fn elsewhere(plain: &Plain, target: PlainPlace, out: &mut Vec<u8>) {
    push(out, &["<li class=\"external\"><a rel=\"noopener\" class=\"link link--out\" href=\""]);
    write_outward(plain, target, out);
    push(out, &["\">", &title(plain, target).text, "</a></li>\n"]);
}
