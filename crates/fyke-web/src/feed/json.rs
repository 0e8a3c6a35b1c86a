//! JSON Feed 1.0 and 1.1. Values of another type than they should be are passed over, numbers are taken for text, and
//! of a file that breaks off the items before the break are read.

use super::{Enclosure, Feed, FeedItem, FeedKind, MOST_ENCLOSURES, MOST_HUBS, MOST_ITEMS};
use super::{MOST_TEXT, feed_time, one_line};
use crate::Url;
use crate::escape::escape;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Places at which a file that breaks off is tried to be read up to.
const MOST_ENDS: usize = 8;

/// Whether the head of a JSON file says that it is a feed.
pub(super) fn names_itself(head: &str) -> bool {
    head.contains("jsonfeed.org/version")
}

pub(super) fn read(text: &str, base: &Url) -> Option<Feed> {
    let text = text.trim_start_matches('\u{feff}');
    if !names_itself(text) {
        return None;
    }
    let whole = serde_json::from_str::<JsonFeed>(text).ok();
    let is_cut = whole.is_none();
    let found = whole.or_else(|| up_to_an_item(text))?;
    let mut feed = Feed::new(FeedKind::Json);
    feed.title = one_line(&found.title.0);
    feed.home = found.home_page_url.url(base);
    feed.own = found.feed_url.url(base);
    let hubs = found.hubs.0.iter().filter(|hub| hub.kind.0.eq_ignore_ascii_case("websub"));
    feed.hubs = hubs.filter_map(|hub| hub.url.url(base)).take(MOST_HUBS).collect();
    feed.is_cut = is_cut || found.items.0.len() >= MOST_ITEMS;
    let items = found.items.0.into_iter().map(|item| item.read(base));
    feed.items = items.filter(FeedItem::is_something).collect();
    feed.keep_distinct();
    Some(feed)
}

/// What stands before the break, up to the end of some item.
fn up_to_an_item(text: &str) -> Option<JsonFeed> {
    let ends = text.rmatch_indices('}').map(|(at, _)| at + 1).take(MOST_ENDS);
    ends.filter_map(|end| serde_json::from_str(&format!("{}]}}", &text[..end])).ok()).next()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct JsonFeed {
    title: LooseText,
    home_page_url: LooseText,
    feed_url: LooseText,
    hubs: Several<JsonHub>,
    items: Several<JsonItem>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct JsonHub {
    #[serde(rename = "type")]
    kind: LooseText,
    url: LooseText,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct JsonItem {
    id: LooseText,
    url: LooseText,
    external_url: LooseText,
    title: LooseText,
    content_html: LooseText,
    content_text: LooseText,
    summary: LooseText,
    date_published: LooseText,
    date_modified: LooseText,
    author: JsonAuthor,
    authors: Several<JsonAuthor>,
    attachments: Several<JsonFile>,
}

#[derive(Debug, Default)]
struct JsonAuthor {
    name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct JsonFile {
    url: LooseText,
    mime_type: LooseText,
}

impl JsonItem {
    fn read(self, base: &Url) -> FeedItem {
        let cut = |text: &str| text[..text.floor_char_boundary(MOST_TEXT)].to_owned();
        let content = match self.content_html.0.is_empty() {
            false => cut(&self.content_html.0),
            true => paragraphs(&cut(&self.content_text.0)),
        };
        let names =
            self.authors.0.iter().chain([&self.author]).map(|author| one_line(&author.name));
        let files = self.attachments.0.iter().filter_map(|file| {
            Some(Enclosure { url: file.url.url(base)?, media: one_line(&file.mime_type.0) })
        });
        FeedItem {
            guid: one_line(&self.id.0),
            link: self.url.url(base).or_else(|| self.external_url.url(base)),
            title: one_line(&self.title.0),
            author: names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", "),
            published: feed_time(&self.date_published.0),
            updated: feed_time(&self.date_modified.0),
            summary: paragraphs(&cut(&self.summary.0)),
            content,
            enclosures: files.take(MOST_ENCLOSURES).collect(),
        }
    }
}

/// Plain text as HTML, a paragraph where a line is left free.
fn paragraphs(text: &str) -> String {
    let parts = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| format!("<p>{}</p>", escape(part))).collect()
}

/// Text, or what can be taken for it.
#[derive(Debug, Default)]
struct LooseText(String);

impl LooseText {
    fn url(&self, base: &Url) -> Option<Url> {
        let text = self.0.trim();
        base.join(text).ok().filter(|_| !text.is_empty())
    }
}

impl<'de> Deserialize<'de> for LooseText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LooseText, D::Error> {
        deserializer.deserialize_any(AnyText)
    }
}

struct AnyText;

impl<'de> Visitor<'de> for AnyText {
    type Value = LooseText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<LooseText, E> {
        Ok(LooseText(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<LooseText, E> {
        Ok(LooseText(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<LooseText, E> {
        Ok(LooseText(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<LooseText, E> {
        Ok(LooseText(number.to_string()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<LooseText, E> {
        Ok(LooseText::default())
    }

    fn visit_unit<E>(self) -> Result<LooseText, E> {
        Ok(LooseText::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<LooseText, A::Error> {
        pass_over(seq)?;
        Ok(LooseText::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LooseText, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(LooseText::default())
    }
}

fn pass_over<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<(), A::Error> {
    while seq.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

/// An author is an object with a name, or the name alone.
impl<'de> Deserialize<'de> for JsonAuthor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonAuthor, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct NamedAuthor {
            name: LooseText,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            NamedAuthor(NamedAuthor),
            Alone(String),
            Other(IgnoredAny),
        }
        Ok(JsonAuthor {
            name: match Either::deserialize(deserializer)? {
                Either::NamedAuthor(named) => named.name.0,
                Either::Alone(name) => name,
                Either::Other(_) => String::new(),
            },
        })
    }
}

/// A list of objects; anything else is an empty one.
#[derive(Debug)]
struct Several<T>(Vec<T>);

impl<T> Default for Several<T> {
    fn default() -> Several<T> {
        Several(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Several<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Several<T>, D::Error> {
        deserializer.deserialize_any(AnySeveral(PhantomData))
    }
}

struct AnySeveral<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AnySeveral<T> {
    type Value = Several<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Several<T>, A::Error> {
        let mut found = Vec::new();
        while found.len() < MOST_ITEMS {
            match seq.next_element()? {
                Some(one) => found.push(one),
                None => return Ok(Several(found)),
            }
        }
        pass_over(seq)?;
        Ok(Several(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Several<T>, A::Error> {
        AnyText.visit_map(map).map(|_| Several::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Several<T>, E> {
        Ok(Several::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Several<T>, E> {
        Ok(Several::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Several<T>, E> {
        Ok(Several::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Several<T>, E> {
        Ok(Several::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Several<T>, E> {
        Ok(Several::default())
    }

    fn visit_unit<E>(self) -> Result<Several<T>, E> {
        Ok(Several::default())
    }
}
