//! Sitemaps: plain, index, gz and text (003 §3.2.3), for ordinary hosts and for `sitemap.test`.

use crate::feeds::{self, escape};
use crate::hazards::{self, prose, sitemapped};
use crate::render::w3c_date;
use crate::{Answer, AnswerKind, Ask, Body, Pond, plan, sites};
use std::fmt::Write as _;

/// When pages of `sitemap.test` were changed.
const USUAL: &str = "2024-01-01";

/// URLs in one file; hosts with more have an index.
const MOST: usize = 5000;

/// The answer to a sitemap's or a feed's path.
pub fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    if !ask.path.ends_with(".xml") && !ask.path.starts_with("/sitemap") {
        return None;
    }
    match hazards::row(pond, ask.host) {
        Some(row) if row.name == sitemapped::ROW.name => mapped(ask),
        Some(_) => None,
        None => ordinary(pond, ask).or_else(|| feeds::answer(pond, ask)),
    }
}

/// Whether the robots.txt of an ordinary host names its sitemap: half of them do.
pub fn announced(pond: &Pond, host: &str) -> bool {
    prose::pick(pond, host, 77, 2) == 0
}

/// `/sitemap.xml`, an index over `/sitemap-N.xml` where there is too much for one file.
fn ordinary(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let nth = match ask.path.strip_prefix("/sitemap")?.strip_suffix(".xml")? {
        "" => None,
        number => Some(number.strip_prefix('-')?.parse::<usize>().ok()?),
    };
    let host = plan::host(pond, ask.host)?;
    let url = |path: String| format!("http://{}{path}", ask.host);
    let listed = |path: String| {
        let changed = sites::listed_change(pond, &host, &Ask { path: &path, ..*ask });
        let changed = changed.map_or_else(|| USUAL.to_owned(), w3c_date);
        (url(path), changed)
    };
    let mut paths = sites::paths(pond, &host);
    if let Some(nth) = nth {
        let part: Vec<_> = paths.skip(nth.checked_mul(MOST)?).take(MOST).map(listed).collect();
        return (!part.is_empty()).then(|| urlset(&part));
    }
    let first: Vec<String> = paths.by_ref().take(MOST).collect();
    let rest = paths.count();
    if rest == 0 {
        let first: Vec<_> = first.into_iter().map(listed).collect();
        return Some(urlset(&first));
    }
    let files = (first.len() + rest).div_ceil(MOST);
    Some(index((0..files).map(|n| url(format!("/sitemap-{n}.xml")))))
}

/// The sitemaps of `sitemap.test`.
fn mapped(ask: &Ask) -> Option<Answer> {
    let url = |path: &str| format!("http://sitemap.test{path}");
    let third = sitemapped::ONLY / 3;
    let part = |nth: u32| (1..=third).map(move |n| url(&format!("/only/{}", nth * third + n)));
    match ask.path {
        "/sitemap-index.xml" => Some(index(
            ["/sitemap-pages.xml", "/sitemap-archive.xml.gz", "/sitemap.txt"].map(url).into_iter(),
        )),
        "/sitemap-pages.xml" => {
            let linked = ["/", "/linked/1", "/linked/2"].map(url);
            Some(urlset(&usual(linked.into_iter().chain(part(0)))))
        }
        "/sitemap-archive.xml.gz" => {
            let Body::Bytes(xml) = urlset(&usual(part(1))).body else { return None };
            Some(sitemap("application/gzip", hazards::gzip(&xml)))
        }
        "/sitemap.txt" => {
            let lines: Vec<String> = part(2).collect();
            Some(sitemap("text/plain; charset=utf-8", lines.join("\n").into_bytes()))
        }
        _ => None,
    }
}

fn index(files: impl Iterator<Item = String>) -> Answer {
    let mut xml = open("sitemapindex");
    for file in files {
        let _ = writeln!(xml, "<sitemap><loc>{}</loc></sitemap>", escape(&file));
    }
    sitemap("application/xml", (xml + "</sitemapindex>\n").into_bytes())
}

/// URLs that were all changed at one time, long ago.
fn usual(urls: impl Iterator<Item = String>) -> Vec<(String, String)> {
    urls.map(|url| (url, USUAL.to_owned())).collect()
}

/// URLs and when each was changed.
fn urlset(urls: &[(String, String)]) -> Answer {
    let mut xml = open("urlset");
    for (url, changed) in urls {
        let url = escape(url);
        let _ = writeln!(xml, "<url><loc>{url}</loc><lastmod>{changed}</lastmod></url>");
    }
    sitemap("application/xml", (xml + "</urlset>\n").into_bytes())
}

fn open(element: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <{element} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
}

fn sitemap(content_type: &str, bytes: Vec<u8>) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", content_type.into())],
        body: Body::Bytes(bytes),
        kind: AnswerKind::Sitemap,
    }
}
