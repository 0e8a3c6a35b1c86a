//! What a page says of its use: under which licence it stands (`rel=license` in links and headers,
//! `license` in JSON-LD, else links to Creative Commons), and which uses it opts out of (`noai` among
//! robots' directives, `tdm-reservation` of the W3C's TDM protocol). It is recorded, not judged.

use crate::html::{Tag, TagName, name};
use crate::{Capture, Url};
use serde::{Deserialize, Serialize};

/// Licences taken from a page at the most, and bytes of one.
const MOST_LICENCES: usize = 8;
const MOST_BYTES: usize = 300;
/// How far a value may stand behind its key in JSON-LD.
const MOST_REACH: usize = 400;

/// Directives of robots that opt out of a use.
const DIRECTIVES: &[&str] = &["noai", "noimageai"];
const RESERVATION: &str = "tdm-reservation";

const A: TagName = name("a");
const AREA: TagName = name("area");
const LINK: TagName = name("link");
const META: TagName = name("meta");
const SCRIPT: TagName = name("script");

/// What a page says of its use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// The media type it was sent as, lower case; empty when none was named.
    pub media_type: String,
    /// Licences: "CC BY 4.0" and the like, or their URLs. Those that the page declares come first.
    pub licences: Vec<String>,
    /// "noai", "noimageai", "tdm-reservation", each once.
    pub opt_outs: Vec<String>,
}

impl Rights {
    /// What the headers alone say.
    pub(crate) fn by_headers(capture: &Capture) -> Rights {
        let media = capture.header("content-type").and_then(|value| value.split(';').next());
        let media = media.unwrap_or_default().trim().to_ascii_lowercase();
        let is_name = media.len() < 100 && media.bytes().all(|b| b.is_ascii_graphic());
        let mut rights = Rights { media_type: media, ..Rights::default() };
        if !is_name {
            rights.media_type.clear();
        }
        capture.header_values("x-robots-tag").for_each(|list| rights.directives(list));
        if capture.header_values(RESERVATION).any(|value| value.trim() == "1") {
            rights.opt_out(RESERVATION);
        }
        capture.header_values("link").for_each(|links| rights.link_header(links, &capture.url));
        rights
    }

    fn meta(&mut self, tag: &Tag<'_>) {
        let (Some(name), Some(content)) = (tag.attribute("name"), tag.attribute("content")) else {
            return;
        };
        if name.trim().eq_ignore_ascii_case("robots") {
            self.directives(&content);
        } else if name.trim().eq_ignore_ascii_case(RESERVATION) && content.trim() == "1" {
            self.opt_out(RESERVATION);
        }
    }

    fn directives(&mut self, list: &str) {
        for word in list.split(|c: char| matches!(c, ',' | ';' | ':') || c.is_whitespace()) {
            let known = DIRECTIVES.iter().find(|known| known.eq_ignore_ascii_case(word));
            known.into_iter().for_each(|known| self.opt_out(known));
        }
    }

    fn opt_out(&mut self, what: &str) {
        if !self.opt_outs.iter().any(|known| known == what) {
            self.opt_outs.push(what.to_owned());
        }
    }

    fn link_header(&mut self, value: &str, url: &Url) {
        let mut rest = value;
        while let Some((target, after)) =
            rest.split_once('<').and_then(|(_, after)| after.split_once('>'))
        {
            let parameters = &after[..after.find('<').unwrap_or(after.len())];
            let rel = parameters.split_once("rel=").map_or("", |(_, rel)| rel);
            if says_licence(rel.split([';', ',']).next().unwrap_or_default().trim_matches('"')) {
                self.declare(target, url);
            }
            rest = after;
        }
    }

    /// Values of the key "license": a text, or the first URL of a list or an object.
    fn json(&mut self, text: &str, url: &Url) {
        for (at, key) in text.match_indices("\"license\"").take(MOST_LICENCES) {
            let rest = text[at + key.len()..].trim_start();
            let Some(rest) = rest.strip_prefix(':').map(str::trim_start) else { continue };
            let near = &rest[..rest.floor_char_boundary(MOST_REACH)];
            let start = if near.starts_with('"') { Some(0) } else { near.find("\"http") };
            let value = start.and_then(|start| near[start + 1..].split('"').next());
            value.into_iter().for_each(|value| self.declare(&value.replace("\\/", "/"), url));
        }
    }

    fn declare(&mut self, href: &str, url: &Url) {
        let Ok(url) = url.join(href.trim()) else { return };
        let licence = commons(url.as_str()).unwrap_or_else(|| url.as_str().to_owned());
        let fits = licence.len() <= MOST_BYTES && self.licences.len() < MOST_LICENCES;
        if fits && !self.licences.contains(&licence) {
            self.licences.push(licence);
        }
    }
}

/// Reads what the markup says of the page's use, tag by tag.
#[derive(Debug)]
pub(crate) struct RightsReader<'a> {
    rights: Rights,
    url: &'a Url,
    /// Licences that are only linked to: they count where none is declared.
    linked: Vec<String>,
    is_json: bool,
}

impl<'a> RightsReader<'a> {
    /// The headers have been read.
    pub(crate) fn new(rights: Rights, url: &'a Url) -> RightsReader<'a> {
        RightsReader { rights, url, linked: Vec::new(), is_json: false }
    }

    pub(crate) fn tag(&mut self, tag: &Tag<'_>) {
        match tag.name {
            A | AREA | LINK => {
                let [href, rel] = tag.two_attributes(["href", "rel"]);
                let Some(href) = href else { return };
                if rel.is_some_and(|rel| says_licence(&rel)) {
                    self.rights.declare(&href, self.url);
                } else if tag.name == A && self.linked.len() < MOST_LICENCES && is_commons(&href) {
                    self.linked.push(href.into_owned());
                }
            }
            META => self.rights.meta(tag),
            SCRIPT => {
                let kind = tag.attribute("type");
                self.is_json = kind.is_some_and(|kind| kind.contains("ld+json"));
            }
            _ => {}
        }
    }

    /// Text of an element that holds no markup.
    pub(crate) fn raw(&mut self, name: TagName, text: &str) {
        if name == SCRIPT && self.is_json {
            self.rights.json(text, self.url);
        }
    }

    pub(crate) fn finish(mut self) -> Rights {
        if self.rights.licences.is_empty() {
            self.linked.iter().for_each(|href| self.rights.declare(href, self.url));
        }
        self.rights
    }
}

fn says_licence(rel: &str) -> bool {
    rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("license"))
}

fn is_commons(href: &str) -> bool {
    href.contains("creativecommons.org/") && commons(href.trim()).is_some()
}

/// The short name of a licence of Creative Commons, from its URL:
/// `https://creativecommons.org/licenses/by-sa/4.0/deed.sl` is "CC BY-SA 4.0".
fn commons(url: &str) -> Option<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest).trim_start_matches('/');
    let rest = rest.strip_prefix("www.").unwrap_or(rest).strip_prefix("creativecommons.org/")?;
    let mut parts = rest.split(['/', '?', '#']);
    let kind = parts.next()?;
    let name = parts.next()?;
    let version = parts.next().unwrap_or_default();
    let is_version = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let version = Some(version).filter(|version| version.len() <= 4 && is_version(version))?;
    let is_word = name.len() <= 20 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let licence = match (kind, name) {
        ("licenses", name) if is_word && !name.is_empty() => {
            format!("CC {} {version}", name.to_ascii_uppercase())
        }
        ("publicdomain", "zero") => format!("CC0 {version}"),
        ("publicdomain", "mark") => format!("Public Domain Mark {version}"),
        _ => return None,
    };
    Some(licence.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenCapture;
    use crate::capture::Came;
    use crate::page::Format;
    use proptest::prelude::*;

    fn rights(headers: &[(&str, &str)], html: &str) -> Rights {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let capture = Capture {
            url: Url::parse("http://a.test/b/").unwrap(),
            time: 0,
            status: 200,
            headers: headers.iter().map(own).collect(),
            payload: html.as_bytes().to_vec(),
            truncated: None,
        };
        let body = capture.payload.as_slice().into();
        OpenCapture::text(&capture, Format::Html, body, Came::Whole).page().rights
    }

    #[track_caller]
    fn check(html: &str, licences: &[&str], opt_outs: &[&str]) {
        let found = rights(&[], &format!("<html>{html}"));
        assert_eq!(found.licences, licences, "{html}");
        assert_eq!(found.opt_outs, opt_outs, "{html}");
    }

    #[test]
    fn licences_are_read_wherever_pages_name_them() {
        let by = "https://creativecommons.org/licenses/by/4.0/";
        check(&format!("<a rel='license noopener' href='{by}'>x</a>"), &["CC BY 4.0"], &[]);
        check("<link rel=LICENSE href=/terms>", &["http://a.test/terms"], &[]);
        check(
            "<a href='//creativecommons.org/licenses/by-nc-sa/3.0/deed.sl'>",
            &["CC BY-NC-SA 3.0"],
            &[],
        );
        check("<a href='http://creativecommons.org/publicdomain/zero/1.0/'>", &["CC0 1.0"], &[]);
        let json = |value: &str| {
            format!("<script type='application/ld+json'>{{\"license\" : {value}}}</script>")
        };
        check(&json(&format!("\"{}\"", by.replace('/', "\\/"))), &["CC BY 4.0"], &[]);
        check(&json(&format!("[{{\"@id\": \"{by}\"}}]")), &["CC BY 4.0"], &[]);
        check(&json("true"), &[], &[]);
        let both = format!("<a href='{by}'>text</a><link rel=license href='/own'>");
        check(&both, &["http://a.test/own"], &[]);
        check("<a href='https://creativecommons.org/about/'>", &[], &[]);
        check("<script>\"license\": \"http://x.test/\"</script>", &[], &[]);
    }

    #[test]
    fn opt_outs_are_read_from_markup_and_headers() {
        check("<meta name=robots content='index, NoAI, noimageai'>", &[], &["noai", "noimageai"]);
        check("<meta name='TDM-Reservation' content=' 1 '>", &[], &["tdm-reservation"]);
        check("<meta name=tdm-reservation content=0>", &[], &[]);
        let headers = [
            ("Content-Type", "Text/HTML; charset=utf-8"),
            ("X-Robots-Tag", "other: noai"),
            ("TDM-Reservation", "1"),
            ("Link", "</a>; rel=next, </l>; rel=\"license\""),
        ];
        let found = rights(&headers, "<p>x");
        assert_eq!(found.media_type, "text/html");
        assert_eq!(found.opt_outs, ["noai", "tdm-reservation"]);
        assert_eq!(found.licences, ["http://a.test/l"]);
    }

    #[test]
    fn a_page_full_of_licences_gives_a_few() {
        let many: String = (0..100).map(|n| format!("<a rel=license href=/{n}>")).collect();
        assert_eq!(rights(&[], &many).licences.len(), MOST_LICENCES);
        let long = format!("<a rel=license href=/{}>", "x".repeat(MOST_BYTES));
        assert_eq!(rights(&[("Content-Type", &"x".repeat(999))], &long), Rights::default());
    }

    proptest! {
        #[test]
        fn no_page_breaks_the_reading(
            html in "(<a rel=license href=|<script type=ld\\+json>|\"license\":|[\"{\\[<>/a:é ]|creativecommons.org/licenses/){0,40}",
            header in "[<>;,=\" a-z]{0,40}",
        ) {
            let found = rights(&[("Link", &header), ("X-Robots-Tag", &header)], &html);
            prop_assert!(found.licences.len() <= MOST_LICENCES);
        }
    }
}
