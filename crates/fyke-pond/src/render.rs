//! The skeleton of a page: head, banner, navigation, main text, related links, comments, teasers
//! and footer, in three layouts. The place of the main text is noted while writing, so that what
//! noise removal should find is known exactly (source 000, noise removal).

use std::ops::Range;

use encoding_rs::Encoding;

use crate::languages::{self, Language};
use crate::plan::{HostKind, PondHost};
use crate::sites;

/// An ordinary page and what is known about it.
#[derive(Clone, Debug)]
pub struct PondPage {
    pub html: Vec<u8>,
    /// Where in `html` the main text stands.
    pub main: Range<usize>,
    pub title: String,
    /// home, list, person, course, project, paper, article, product, entry, thread, …
    pub kind: &'static str,
    pub language: &'static str,
    pub encoding: &'static Encoding,
    pub charset_in_header: bool,
    /// Topic and sub-topic by number ([`crate::words::SUBS`]: none in particular), then those of
    /// its side remark.
    pub topic: Option<(usize, usize)>,
    pub second: Option<(usize, usize)>,
    /// Seconds since 1970 of the last change.
    pub modified: u64,
    /// How often it has changed since the pond started.
    pub version: u64,
}

impl PondPage {
    pub(crate) fn main_html(&self) -> String {
        self.encoding.decode_without_bom_handling(&self.html[self.main.clone()]).0.into_owned()
    }

    /// The main part without its tags, a line per block.
    pub fn main_text(&self) -> String {
        strip_tags(&self.main_html())
    }
}

struct Layout {
    style: &'static str,
    nav: [&'static str; 2],
    main: [&'static str; 2],
    side: [&'static str; 2],
    foot: [&'static str; 2],
}

/// With the elements made for it, with classes only, and with a table as in the old days.
const LAYOUTS: [Layout; 3] = [
    Layout {
        style: "main{max-width:42rem}aside{float:right;width:14rem}nav a{margin-right:1em}",
        nav: ["<header><nav>", "</nav></header>\n"],
        main: ["<main><article>\n", "</article></main>\n"],
        side: ["<aside>\n", "</aside>\n"],
        foot: ["<footer>", "</footer>\n"],
    },
    Layout {
        style: ".content{width:70%;float:left}.sidebar{width:28%;float:right}.menu li{display:inline}",
        nav: ["<div id=\"top\" class=\"menu\">", "</div>\n<div id=\"wrap\">\n"],
        main: ["<div class=\"content\">\n", "</div>\n"],
        side: ["<div class=\"sidebar\">\n", "</div>\n</div>\n"],
        foot: ["<div id=\"footer\">", "</div>\n"],
    },
    Layout {
        style: "td{vertical-align:top;padding:.5em}.m{background:#eee;width:12em}",
        nav: ["<table width=\"100%\"><tr><td class=\"m\">", "</td>\n"],
        main: ["<td>\n", ""],
        side: ["</td><td class=\"m\">\n", "</td></tr></table>\n"],
        foot: ["<hr><p class=\"small\">", "</p>\n"],
    },
];

const FEED_LINK: &str =
    "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\">\n";

/// A page while it is being written.
#[derive(Debug)]
pub struct PageSheet<'a> {
    pub out: Vec<u8>,
    pub host: &'a PondHost,
    pub language: &'static Language,
    pub encoding: &'static Encoding,
    main: Range<usize>,
}

impl<'a> PageSheet<'a> {
    /// Everything above the main text. Foreign pages are written in their own charset.
    pub fn open(host: &'a PondHost, language: &'static Language, title: &[u8]) -> PageSheet<'a> {
        let out = Vec::with_capacity(12 << 10);
        let encoding = language.encoding;
        let mut sheet = PageSheet { out, host, language, encoding, main: 0..0 };
        sheet.head(title);
        sheet.raw("<div class=\"cookie-banner\"><p>").bytes(language.word("cookies"));
        sheet.raw(" <button>OK</button></p></div>\n");
        sheet.navigation();
        sheet.raw(sheet.layout().main[0]);
        sheet.main = sheet.out.len()..sheet.out.len();
        sheet
    }

    /// An English page.
    pub fn english(host: &'a PondHost, title: &[u8]) -> PageSheet<'a> {
        PageSheet::open(host, languages::by_code("en"), title)
    }

    fn layout(&self) -> &'static Layout {
        &LAYOUTS[(self.host.key % 3) as usize]
    }

    fn head(&mut self, title: &[u8]) {
        let language = self.language;
        let html = if self.host.key & 8 == 0 { "<!DOCTYPE html>\n<html lang=\"" } else { "" };
        match html {
            "" => self.raw("<!DOCTYPE html>\n<html>"),
            html => self.raw(html).raw(language.code).raw("\">"),
        };
        let charset = self.encoding.name();
        self.raw("<head><meta charset=\"").raw(charset).raw("\"><title>").bytes(title);
        self.raw("</title>\n");
        if self.host.kind == HostKind::News {
            self.raw(FEED_LINK);
        }
        self.raw("<meta name=\"viewport\" content=\"width=device-width\">\n<style>");
        self.raw(self.layout().style).raw("</style>\n<script>var seen = 1; /* <a href=\"/no\"> */");
        self.raw("</script></head>\n<body>\n");
    }

    fn navigation(&mut self) {
        let language = self.language;
        self.raw(self.layout().nav[0]);
        self.raw("<a href=\"/\">").bytes(language.word("home")).raw("</a> ");
        for at in 0..sites::section_count(self.host) {
            let section = sites::section(self.host, at);
            self.raw("<a href=\"/").raw(section.path).raw("/\">").raw(section.label).raw("</a> ");
        }
        self.raw("<a href=\"/about\">").bytes(language.word("about")).raw("</a> ");
        self.raw("<a href=\"/contact\">").bytes(language.word("contact")).raw("</a>");
        self.raw(self.layout().nav[1]);
    }

    pub fn raw(&mut self, text: &str) -> &mut Self {
        self.out.extend_from_slice(text.as_bytes());
        self
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.out.extend_from_slice(bytes);
        self
    }

    /// The main text ends here; what follows is noise.
    pub(crate) fn end_main(&mut self) {
        self.main.end = self.out.len();
        self.raw(self.layout().main[1]);
    }

    pub(crate) fn open_side(&mut self) {
        self.raw(self.layout().side[0]);
    }

    /// The side column's end, the footer and the end of the page.
    pub fn close(&mut self) {
        let (layout, language) = (self.layout(), self.language);
        self.raw(layout.side[1]).raw(layout.foot[0]).bytes(language.word("footer"));
        self.raw(" <a href=\"http://directory.test/\">The Directory</a>");
        self.raw(layout.foot[1]).raw("</body></html>\n");
    }

    /// The finished page, its facts still to be told.
    pub(crate) fn into_page(self, title: &[u8], kind: &'static str) -> PondPage {
        PondPage {
            title: self.encoding.decode_without_bom_handling(title).0.into_owned(),
            html: self.out,
            main: self.main,
            kind,
            language: self.language.code,
            encoding: self.encoding,
            charset_in_header: self.host.charset_in_header,
            topic: None,
            second: None,
            modified: 0,
            version: 0,
        }
    }
}

/// A whole plain page around a given main part, for hosts that have no frame of their own.
pub fn simple(title: &str, main_html: &str) -> Vec<u8> {
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"UTF-8\"><title>{title}</title></head>\n\
         <body><nav><a href=\"http://directory.test/\">The Directory</a></nav>\n\
         <main>{main_html}</main></body></html>\n"
    )
    .into_bytes()
}

const INLINE: [&str; 6] = ["a", "b", "i", "em", "strong", "span"];

/// Text of HTML that the pond itself wrote: a line per block, blanks collapsed.
pub(crate) fn strip_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        push_text(before, &mut text);
        let (tag, tail) = after.split_once('>').unwrap_or((after, ""));
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
        if !INLINE.contains(&name) && !text.is_empty() && !text.ends_with('\n') {
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        rest = tail;
    }
    push_text(rest, &mut text);
    text.truncate(text.trim_end().len());
    text
}

fn push_text(piece: &str, text: &mut String) {
    for c in piece.replace("&amp;", "&").chars() {
        match c {
            '\n' | ' ' if text.is_empty() || text.ends_with([' ', '\n']) => {}
            '\n' => text.push(' '),
            c => text.push(c),
        }
    }
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CivilDay {
    pub year: u64,
    pub month: u64,
    /// Of the month.
    pub day: u64,
}

/// The day that is so many days after the first of 1970.
pub fn civil(days: u64) -> CivilDay {
    let z = days + 719_468;
    let (era, doe) = (z / 146_097, z % 146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    CivilDay { year, month, day: doy - (153 * mp + 2) / 5 + 1 }
}

/// A date as HTTP writes it.
pub fn http_date(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let CivilDay { year, month, day } = civil(days);
    let (name, month) = (DAYS[(days % 7) as usize], MONTHS[(month - 1) as usize]);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{name}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Seconds since 1970 of a date as HTTP writes it now.
pub fn read_http_date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let year: u64 = words.next()?.parse().ok().filter(|year| (1970..=9999).contains(year))?;
    let mut time = words.next()?.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    // The days of the years before, from March on, as `civil` has them.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
    Some(days.checked_sub(719_468)? * 86_400 + hour * 3_600 + minute * 60 + second)
}

/// A time as sitemaps write it.
pub fn w3c_date(seconds: u64) -> String {
    let CivilDay { year, month, day } = civil(seconds / 86_400);
    let rest = seconds % 86_400;
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_stripped_and_blocks_become_lines() {
        let check = |html: &str, text: &str| assert_eq!(strip_tags(html), text);
        check(
            "<h1>A  title</h1>\n<p>One <a href=\"/x\">two</a>\nthree.</p>",
            "A title\nOne two three.",
        );
        check("<ul><li>a</li><li>b &amp; c</li></ul>", "a\nb & c");
        check("", "");
    }

    #[test]
    fn dates_are_written_as_http_wants_them() {
        assert_eq!(http_date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http_date(951_782_400), "Tue, 29 Feb 2000 00:00:00 GMT");
        assert_eq!(w3c_date(784_111_777), "1994-11-06T08:49:37Z");
        for seconds in (0..4_000_000_000).step_by(86_399 * 13) {
            assert_eq!(read_http_date(&http_date(seconds)), Some(seconds));
        }
        for text in ["", "yesterday", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, x Nov 1994 08:49 GMT"]
        {
            assert_eq!(read_http_date(text), None, "{text}");
        }
    }
}
