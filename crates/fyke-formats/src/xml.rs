//! XML: the text of every element, a paragraph each. Also what the formats made of XML share: its
//! tokens by local name, with the end of an element that closes itself. No entity is expanded but
//! the predefined ones and numbers, so no document grows when it is read.

use super::markup::Markup;
use super::{Converted, Source};
use fyke_web::charset;
use fyke_web::html::{HtmlToken, Scanner, Tag, TagName, text_of};
use std::borrow::Cow;

/// A piece of XML.
#[derive(Debug)]
pub(crate) enum XmlEvent<'a> {
    Start(Tag<'a>),
    End(TagName),
    Text(Cow<'a, str>),
}

/// The pieces one after the other.
#[derive(Debug)]
pub(crate) struct Events<'a> {
    tokens: Scanner<'a>,
    /// In HTML no element closes itself.
    is_html: bool,
    /// The end of an element that closed itself.
    end: Option<TagName>,
}

impl<'a> Events<'a> {
    pub(crate) fn new(text: &'a str) -> Events<'a> {
        Events { tokens: Scanner::local(text), is_html: false, end: None }
    }

    /// The pieces of HTML, which is not XML but reads alike.
    pub(crate) fn html(text: &'a str) -> Events<'a> {
        Events { tokens: Scanner::new(text), is_html: true, end: None }
    }

    /// Passes over the element that has just begun.
    pub(crate) fn skip_element(&mut self, name: TagName) {
        let mut depth = 1_u32;
        while depth > 0 {
            match self.next() {
                Some(XmlEvent::Start(tag)) if tag.name == name => depth += 1,
                Some(XmlEvent::End(end)) if end == name => depth -= 1,
                None => return,
                Some(_) => {}
            }
        }
    }

    /// The text of the element that has just begun.
    pub(crate) fn text_in(&mut self, name: TagName) -> String {
        let mut text = String::new();
        for event in self {
            match event {
                XmlEvent::Text(piece) => text.push_str(&piece),
                XmlEvent::End(end) if end == name => break,
                XmlEvent::Start(_) | XmlEvent::End(_) => {}
            }
        }
        text
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = XmlEvent<'a>;

    fn next(&mut self) -> Option<XmlEvent<'a>> {
        if let Some(name) = self.end.take() {
            return Some(XmlEvent::End(name));
        }
        Some(match self.tokens.next()? {
            HtmlToken::Start(tag) => {
                self.end = (tag.closes_itself() && !self.is_html).then_some(tag.name);
                XmlEvent::Start(tag)
            }
            HtmlToken::End(name) => XmlEvent::End(name),
            HtmlToken::Text(text) => XmlEvent::Text(text_of(text)),
            HtmlToken::Cdata(text) | HtmlToken::Raw(_, text) => XmlEvent::Text(Cow::Borrowed(text)),
        })
    }
}

/// The value of the attribute with this local name.
pub(crate) fn attribute<'a>(tag: &Tag<'a>, name: &str) -> Option<Cow<'a, str>> {
    let local = |written: &str| written.rsplit(':').next() == Some(name);
    tag.attributes().find(|(written, _)| local(written)).map(|(_, value)| text_of(value))
}

/// The value of an attribute `id` with a prefix: the name of a relationship, beside which a plain
/// `id` may stand.
pub(crate) fn relationship<'a>(tag: &Tag<'a>) -> Option<Cow<'a, str>> {
    tag.attributes().find(|(name, _)| name.ends_with(":id")).map(|(_, value)| text_of(value))
}

/// The text of an XML file, its encoding found.
pub(crate) fn decoded(bytes: Vec<u8>) -> String {
    charset::read(bytes.into(), None).text.into_owned()
}

pub(super) fn convert(source: &Source<'_>) -> Converted {
    let text = charset::decode(source.bytes, source.content_type);
    let mut markup = Markup::default();
    for event in Events::new(&text) {
        match event {
            XmlEvent::Text(text) => {
                if !markup.is_in("p") && !text.trim().is_empty() {
                    markup.open("p");
                }
                markup.text(&text);
            }
            XmlEvent::Start(_) | XmlEvent::End(_) => markup.close("p"),
        }
    }
    Converted::from(markup)
}
