//! EPUB books: chapters in the order of the spine, metadata of the package.

use super::markup::Markup;
use super::ooxml::{LONGEST, resolve};
use super::xml::{Events, XmlEvent, attribute};
use super::zip::{self, Zip};
use super::{Converted, Inner, Source, html, percent};
use fyke_web::html::name;
use std::collections::HashMap;

/// Most chapters.
const MOST_CHAPTERS: usize = 5_000;

/// Whether bytes are an archive that calls itself a book.
pub(super) fn is(bytes: &[u8]) -> bool {
    const TYPE: &[u8] = b"mimetypeapplication/epub+zip";
    bytes.get(30..).is_some_and(|rest| rest.starts_with(TYPE))
        || zip::holds(bytes, |names| {
            names.iter().any(|name| name == "META-INF/container.xml")
                && names.iter().any(|name| name.ends_with(".opf"))
        })
}

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut zip = Zip::open(inner.source.bytes, inner.budget);
    let Some((path, package)) = package(&mut zip) else {
        return Converted::failed("no package inside").with_trouble(&zip.trouble);
    };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut found, chapters) = read(&package);
    let mut markup = Markup::default();
    for href in chapters.iter().take_while(|_| inner.budget.left() > 0) {
        let path = percent::decoded(href.split('#').next().unwrap_or(href));
        let path = String::from_utf8_lossy(&path).into_owned();
        let Some(bytes) = zip.read(&resolve(folder, &path)) else { continue };
        let media = Some("application/xhtml+xml");
        let source = Source { bytes: &bytes, content_type: media, extension: "xhtml" };
        let chapter = html::convert(&source);
        markup.open("section");
        markup.append(&chapter.markup);
        markup.close("section");
    }
    let written = Converted::from(markup);
    found.markup = written.markup;
    found.with_trouble(&written.trouble).with_trouble(&zip.trouble)
}

/// The package file and where it stands.
fn package(zip: &mut Zip<'_>) -> Option<(String, String)> {
    let container = zip.read_xml("META-INF/container.xml").unwrap_or_default();
    let named = Events::new(&container).find_map(|event| match event {
        XmlEvent::Start(tag) if tag.name == name("rootfile") => attribute(&tag, "full-path"),
        _ => None,
    });
    let path = match named {
        Some(path) => path.into_owned(),
        None => zip.names().find(|name| name.ends_with(".opf"))?.to_owned(),
    };
    let text = zip.read_xml(&path)?;
    Some((path, text))
}

/// What the package says of the book, and its chapters in order.
fn read(package: &str) -> (Converted, Vec<String>) {
    let mut found = Converted::default();
    let mut manifest: HashMap<String, String> = HashMap::new();
    let mut chapters = Vec::new();
    let mut events = Events::new(package);
    while let Some(event) = events.next() {
        let XmlEvent::Start(tag) = event else { continue };
        let place = match tag.name {
            n if n == name("title") => &mut found.title,
            n if n == name("creator") => &mut found.author,
            n if n == name("date") => &mut found.date,
            n if n == name("language") => &mut found.language,
            n if n == name("item") => {
                if let (Some(id), Some(href)) = (attribute(&tag, "id"), attribute(&tag, "href"))
                    && id.len().max(href.len()) <= LONGEST
                    && manifest.len() < 2 * MOST_CHAPTERS
                {
                    manifest.insert(id.into_owned(), href.into_owned());
                }
                continue;
            }
            n if n == name("itemref") => {
                let id = attribute(&tag, "idref").unwrap_or_default();
                let chapter = manifest.get(id.as_ref()).filter(|_| chapters.len() < MOST_CHAPTERS);
                chapters.extend(chapter.cloned());
                continue;
            }
            _ => continue,
        };
        let text = events.text_in(tag.name).trim().to_owned();
        if place.is_empty() {
            *place = text;
        }
    }
    found.language.make_ascii_lowercase();
    (found, chapters)
}
