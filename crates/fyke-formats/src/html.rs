//! HTML inside books, messages and archives: all of its text as simple markup. A page of its own
//! goes another way, through noise removal.

use super::markup::Markup;
use super::xml::{Events, XmlEvent, attribute};
use super::{Converted, Source, detect};
use fyke_web::charset;
use fyke_web::html::{Tag, TagName, folded, name};

/// Longest title, in bytes.
const MOST_TITLE: usize = 1_000;

/// Elements that stay, and what they become.
const KEPT: &[(TagName, &str)] = &[
    (name("h1"), "h1"),
    (name("h2"), "h2"),
    (name("h3"), "h3"),
    (name("h4"), "h4"),
    (name("h5"), "h5"),
    (name("h6"), "h6"),
    (name("p"), "p"),
    (name("ul"), "ul"),
    (name("ol"), "ol"),
    (name("li"), "li"),
    (name("table"), "table"),
    (name("tr"), "tr"),
    (name("td"), "td"),
    (name("th"), "th"),
    (name("pre"), "pre"),
    (name("b"), "b"),
    (name("strong"), "b"),
    (name("i"), "i"),
    (name("em"), "i"),
];
/// Elements inside of lines.
pub(crate) const INLINE: &[TagName] = &[
    name("b"),
    name("strong"),
    name("i"),
    name("em"),
    name("a"),
    name("span"),
    name("font"),
    name("u"),
    name("sub"),
    name("sup"),
    name("small"),
    name("code"),
    name("tt"),
    name("img"),
    name("abbr"),
    name("cite"),
    name("q"),
    name("s"),
    name("mark"),
    name("wbr"),
    name("big"),
    name("ins"),
    name("kbd"),
    name("var"),
    name("dfn"),
    name("time"),
    name("label"),
    name("bdi"),
    name("bdo"),
    name("ruby"),
    name("rb"),
    name("math"),
    name("mi"),
    name("mo"),
    name("mn"),
    name("mrow"),
    name("msub"),
    name("msup"),
];
const A: TagName = name("a");
const BR: TagName = name("br");
const HTML: TagName = name("html");
const META: TagName = name("meta");
const TITLE: TagName = name("title");
/// Elements whose text no reader sees.
const UNSEEN: &[TagName] =
    &[name("script"), name("style"), TITLE, name("template"), name("svg"), name("select")];

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let text = charset::decode(source.bytes, source.content_type);
    let is_xml = detect::is_xml(source.bytes)
        || source.content_type.is_some_and(|media| media.starts_with("application/xhtml"));
    of(if is_xml { Events::new(&text) } else { Events::html(&text) })
}

/// The markup of a piece of HTML.
pub(super) fn fragment(text: &str) -> String {
    of(Events::html(text)).markup
}

fn of(mut events: Events<'_>) -> Converted {
    let mut markup = Markup::default();
    let mut found = Converted::default();
    while let Some(event) = events.next() {
        match event {
            XmlEvent::Start(tag) if UNSEEN.contains(&tag.name) => {
                let text = events.text_in(tag.name);
                if tag.name == TITLE && found.title.is_empty() {
                    found.title = folded(&text, MOST_TITLE);
                }
            }
            XmlEvent::Start(tag) => start(&mut markup, &mut found, &tag),
            XmlEvent::End(A) => markup.close("a"),
            XmlEvent::End(BR) => {}
            XmlEvent::End(name) => match kept(name) {
                Some(name) => markup.close(name),
                None if INLINE.contains(&name) => {}
                None => markup.close("p"),
            },
            XmlEvent::Text(text) => {
                if !is_in_block(&markup) && !text.trim().is_empty() {
                    markup.open("p");
                }
                markup.text(&text);
            }
        }
    }
    let written = Converted::from(markup);
    Converted { markup: written.markup, trouble: written.trouble, ..found }
}

fn start(markup: &mut Markup, found: &mut Converted, tag: &Tag<'_>) {
    match tag.name {
        A => {
            markup.close("a");
            if let Some(href) = attribute(tag, "href") {
                if !is_in_block(markup) {
                    markup.open("p");
                }
                markup.link(&href);
            }
        }
        BR => markup.text("\n"),
        HTML => {
            let language = attribute(tag, "lang").unwrap_or_default();
            found.language = language.trim().to_ascii_lowercase();
        }
        META => {
            let is = attribute(tag, "name").is_some_and(|n| n.eq_ignore_ascii_case("author"));
            if is && found.author.is_empty() {
                found.author = folded(&attribute(tag, "content").unwrap_or_default(), MOST_TITLE);
            }
        }
        name => match kept(name) {
            Some(kept @ ("b" | "i")) => markup.open(kept),
            Some(kept) => {
                markup.close("p");
                if matches!(kept, "li" | "tr" | "td" | "th") {
                    close_before(markup, kept);
                }
                markup.open(kept);
            }
            None if INLINE.contains(&name) => {}
            None => markup.close("p"),
        },
    }
}

fn kept(wanted: TagName) -> Option<&'static str> {
    KEPT.iter().find(|(name, _)| *name == wanted).map(|(_, kept)| *kept)
}

/// Items, rows and cells whose end tag was left out end where the next begins.
fn close_before(markup: &mut Markup, name: &str) {
    match name {
        "li" => markup.close_within("li", &["ul", "ol"]),
        "tr" => markup.close_within("tr", &["table"]),
        _ => {
            markup.close_within("td", &["tr"]);
            markup.close_within("th", &["tr"]);
        }
    }
}

fn is_in_block(markup: &Markup) -> bool {
    const BLOCKS: &[&str] = &["p", "li", "td", "th", "pre", "h1", "h2", "h3", "h4", "h5", "h6"];
    BLOCKS.iter().any(|name| markup.is_in(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, title: &str, expected: &str) {
        let source = Source { bytes: html.as_bytes(), content_type: None, extension: "" };
        let found = convert(&source);
        assert_eq!((found.title.as_str(), found.markup.as_str()), (title, expected), "{html}");
    }

    #[test]
    fn html_becomes_simple_markup() {
        check(
            "<title>Eel</title><h1>The <em>eel</em></h1>one<div>two</div>",
            "Eel",
            "<h1>The <i>eel</i></h1><p>one</p><p>two</p>",
        );
        check(
            "<script>x</script><ul><li>a<li>b <a href='/c?d&amp;e'>c</a></ul>",
            "",
            "<ul><li>a</li><li>b <a href=\"/c?d&amp;e\">c</a></li></ul>",
        );
        check(
            "<table><tr><td>1<td>2<tr><th>3</table>",
            "",
            "<table><tr><td>1</td><td>2</td></tr><tr><th>3</th></tr></table>",
        );
    }

    #[test]
    fn in_xhtml_elements_may_close_themselves() {
        check(
            "<?xml version='1.0'?><html><title/><script src='x'/><p/>one<br/>two</html>",
            "",
            "<p>one\ntwo</p>",
        );
    }
}
