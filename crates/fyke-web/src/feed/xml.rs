//! RSS and Atom from the scanner's tokens: one pass, no tree. An element that is a field collects what stands in it;
//! fields and items that are never closed end where the next begins. Where markup stands in a text, escaped once, in
//! CDATA or as it is, it comes out as HTML.

use super::{Enclosure, Feed, FeedItem, FeedKind, FeedRhythm, HEAD, MOST_ENCLOSURES, MOST_HUBS};
use super::{MOST_ITEMS, MOST_LINE, MOST_TEXT, feed_time, one_line, person, plain};
use crate::Url;
use crate::escape::escape;
use crate::html::{HtmlToken, Scanner, Tag, TagName, name, value_of};

/// A longest `ttl`: a year.
const MOST_MINUTES: u32 = 525_600;

/// What an element says of the feed or of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Title,
    Link,
    Guid,
    Author,
    Published,
    Updated,
    Summary,
    Content,
    Ttl,
    Hour,
    Day,
    Period,
    Frequency,
}

/// Fields by the names of elements, without prefix or with that of the root.
const FIELDS: [(TagName, Field); 17] = [
    (name("title"), Field::Title),
    (name("link"), Field::Link),
    (name("guid"), Field::Guid),
    (name("id"), Field::Guid),
    (name("author"), Field::Author),
    (name("pubdate"), Field::Published),
    (name("published"), Field::Published),
    (name("issued"), Field::Published),
    (name("updated"), Field::Updated),
    (name("modified"), Field::Updated),
    (name("description"), Field::Summary),
    (name("summary"), Field::Summary),
    (name("content"), Field::Content),
    (name("ttl"), Field::Ttl),
    (name("hour"), Field::Hour),
    (name("day"), Field::Day),
    (name("date"), Field::Published),
];
/// The same with a prefix that others use.
const FOREIGN: [(TagName, Field); 9] = [
    (name("dc:creator"), Field::Author),
    (name("dc:date"), Field::Published),
    (name("dc:description"), Field::Summary),
    (name("content:encoded"), Field::Content),
    (name("itunes:author"), Field::Author),
    (name("itunes:summary"), Field::Summary),
    (name("sy:updateperiod"), Field::Period),
    (name("atom:updated"), Field::Updated),
    (name("atom:published"), Field::Published),
];
/// And with names that are too long for a [`TagName`].
const LONG: [(&str, Field); 2] =
    [("media:description", Field::Summary), ("sy:updateFrequency", Field::Frequency)];

/// Elements that have titles and links of their own.
const APART: [TagName; 4] =
    [name("image"), name("textinput"), name("source"), name("media:thumbnail")];
/// Prefixes that stand for the feed's own format.
const OWN: [TagName; 4] = [name("rss"), name("atom"), name("atom10"), name("a10")];

const ITEM: TagName = name("item");
const ENTRY: TagName = name("entry");
const LINK: TagName = name("link");
const NAME: TagName = name("name");
const ENCLOSURE: TagName = name("enclosure");
const MEDIA: TagName = name("media:content");

/// What a text is, as its element says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    /// Escaped or in CDATA it is HTML; elements may stand in it all the same.
    Html,
    /// The elements in it are HTML.
    Xhtml,
    /// Plain.
    Text,
}

/// A field that collects its text.
struct OpenField {
    field: Field,
    tag: TagName,
    kind: TextKind,
    /// Elements of the same name inside.
    nested: u32,
    /// An element has begun inside: text is written as markup from here on.
    has_markup: bool,
    text: String,
}

/// An item that is being read.
struct ItemDraft {
    item: FeedItem,
    base: Url,
    /// Its guid is no address.
    is_guid_opaque: bool,
    /// Its link is said to be its page.
    is_link_sure: bool,
}

/// Reads a feed.
struct FeedReader {
    feed: Feed,
    base: Url,
    prefix: TagName,
    author: String,
    frequency: u32,
    period: Option<u32>,
    item: Option<ItemDraft>,
    open: Option<OpenField>,
    /// The element that is passed over, and how many of its name are open.
    apart: Option<(TagName, u32)>,
}

/// A first element: the kind of feed, and its prefix.
pub(super) struct Root {
    kind: FeedKind,
    prefix: TagName,
}

/// The prefix of a name, and the rest.
fn split(name: TagName) -> [TagName; 2] {
    let bytes = name.to_be_bytes();
    match bytes.iter().position(|b| *b == b':') {
        Some(at) => [name >> (8 * (16 - at)), name & !(TagName::MAX << (8 * (15 - at)))],
        None => [0, name],
    }
}

fn root_of(tag: &Tag<'_>) -> Option<Root> {
    const ROOTS: [(TagName, FeedKind); 3] = [
        (name("rss"), FeedKind::Rss),
        (name("rdf"), FeedKind::Rdf),
        (name("feed"), FeedKind::Atom),
    ];
    let [prefix, local] = split(tag.name);
    let (_, kind) = *ROOTS.iter().find(|(root, _)| *root == local)?;
    Some(Root { kind, prefix })
}

fn starts(text: &str) -> impl Iterator<Item = Tag<'_>> {
    Scanner::xml(&text[..text.floor_char_boundary(HEAD)]).filter_map(|token| match token {
        HtmlToken::Start(tag) => Some(tag),
        _ => None,
    })
}

/// The first element of a feed, wherever it begins.
pub(super) fn root(text: &str) -> Option<Root> {
    starts(text).find_map(|tag| root_of(&tag))
}

/// Whether the first element is that of a feed.
pub(super) fn begins(text: &str) -> bool {
    starts(text).next().is_some_and(|tag| root_of(&tag).is_some())
}

pub(super) fn read(text: &str, base: &Url) -> Option<Feed> {
    let Root { kind, prefix } = root(text)?;
    let mut reader = FeedReader {
        feed: Feed::new(kind),
        base: base.clone(),
        prefix,
        author: String::new(),
        frequency: 1,
        period: None,
        item: None,
        open: None,
        apart: None,
    };
    let mut scanner = Scanner::xml(text);
    let mut ended = false;
    loop {
        let before = scanner.place();
        let Some(token) = scanner.next() else { break };
        let source = &text[before..scanner.place()];
        match token {
            HtmlToken::Start(tag) => reader.start(&tag, source),
            HtmlToken::End(name) => {
                reader.end(name, source);
                ended |= root_name(kind) == split(name)[1];
            }
            HtmlToken::Text(text) => reader.text(text, false),
            HtmlToken::Cdata(text) => reader.text(text, true),
            HtmlToken::Raw(..) => {}
        }
        if reader.feed.items.len() >= MOST_ITEMS {
            reader.feed.is_cut = true;
            return Some(reader.finish());
        }
    }
    reader.feed.is_cut = !ended;
    Some(reader.finish())
}

fn root_name(kind: FeedKind) -> TagName {
    match kind {
        FeedKind::Rdf => name("rdf"),
        FeedKind::Atom => name("feed"),
        FeedKind::Rss | FeedKind::Json => name("rss"),
    }
}

impl FeedReader {
    fn finish(mut self) -> Feed {
        self.close();
        self.end_item();
        let period = self.period.map(|minutes| (minutes / self.frequency.max(1)).max(1));
        self.feed.rhythm.ttl = self.feed.rhythm.ttl.or(period);
        self.feed
    }

    /// The name without a prefix that stands for the format itself.
    fn own(&self, name: TagName) -> TagName {
        let [prefix, local] = split(name);
        if prefix != 0 && (prefix == self.prefix || OWN.contains(&prefix)) { local } else { name }
    }

    fn field(&self, name: TagName, source: &str) -> Option<Field> {
        let own = self.own(name);
        let among = |table: &[(TagName, Field)], name| {
            table.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
        };
        match name {
            0 => {
                let is = |long: &str| source[1..].starts_with(long);
                LONG.iter().find(|(long, _)| is(long)).map(|(_, field)| *field)
            }
            _ => among(&FIELDS, own).or_else(|| among(&FOREIGN, name)),
        }
    }

    fn is_item(&self, name: TagName) -> bool {
        [ITEM, ENTRY].contains(&self.own(name))
    }

    fn start(&mut self, tag: &Tag<'_>, source: &str) {
        let is_item = self.is_item(tag.name);
        if let Some((apart, depth)) = &mut self.apart {
            if !is_item {
                *depth += u32::from(*apart == tag.name && !tag.closes_itself());
                return;
            }
            self.apart = None;
        }
        let field = self.field(tag.name, source);
        if let Some(open) = &mut self.open {
            let is_markup = matches!(open.field, Field::Summary | Field::Content);
            // In a text an element may be one of HTML; these are not.
            let ends = match (is_markup, field) {
                _ if is_item => true,
                (true, Some(field)) => {
                    let is_sure = matches!(field, Field::Guid | Field::Published | Field::Content);
                    is_sure && tag.name != open.tag
                }
                (true, None) => false,
                (false, field) => field.is_some() && tag.name != open.tag,
            };
            if !ends {
                open.start(tag, source);
                return;
            }
            self.close();
        }
        if is_item {
            self.begin_item(tag);
        } else if APART.contains(&self.own(tag.name)) {
            self.apart = (!tag.closes_itself()).then_some((tag.name, 1));
        } else if self.own(tag.name) == LINK && tag.attribute("href").is_some() {
            self.link(tag);
        } else if [ENCLOSURE, MEDIA].contains(&tag.name) {
            self.enclosure(tag);
        } else if let Some(field) = field {
            self.open_field(field, tag);
        } else if let Some(base) = tag.attribute("xml:base").filter(|_| self.item.is_none()) {
            self.base = self.base.join(&base).unwrap_or_else(|_| self.base.clone());
        }
    }

    fn open_field(&mut self, field: Field, tag: &Tag<'_>) {
        if tag.closes_itself() {
            return;
        }
        let named = tag.attribute("type").unwrap_or_default().to_ascii_lowercase();
        let can_be_plain = self.feed.kind == FeedKind::Atom && self.own(tag.name) != 0;
        let is_foreign = split(tag.name)[0] != 0 && self.own(tag.name) == tag.name;
        let kind = match field {
            Field::Title | Field::Summary | Field::Content if !can_be_plain || is_foreign => {
                TextKind::Html
            }
            _ if named.contains("xhtml") => TextKind::Xhtml,
            Field::Title | Field::Summary | Field::Content if named.contains("html") => {
                TextKind::Html
            }
            _ => TextKind::Text,
        };
        if let (Field::Guid, Some(draft)) = (field, &mut self.item) {
            let said = tag.attribute("ispermalink");
            draft.is_guid_opaque =
                said.is_some_and(|said| said.trim().eq_ignore_ascii_case("false"));
        }
        let (tag, text) = (tag.name, String::new());
        self.open = Some(OpenField { field, tag, kind, nested: 0, has_markup: false, text });
    }

    fn end(&mut self, name: TagName, source: &str) {
        if let Some((apart, depth)) = &mut self.apart {
            *depth -= u32::from(*apart == name);
            if *depth == 0 {
                self.apart = None;
            }
            if !self.is_item(name) {
                return;
            }
            self.apart = None;
        }
        let is_outer = self.is_item(name)
            || [name_of_channel(), root_name(self.feed.kind)].contains(&self.own(name));
        if let Some(open) = &mut self.open {
            if !is_outer && !open.ends(name, source) {
                return;
            }
            self.close();
        }
        if self.is_item(name) {
            self.end_item();
        }
    }

    fn text(&mut self, text: &str, is_cdata: bool) {
        if self.apart.is_none()
            && let Some(open) = &mut self.open
        {
            open.add(text, is_cdata);
        }
    }

    fn begin_item(&mut self, tag: &Tag<'_>) {
        self.end_item();
        let base = tag.attribute("xml:base").and_then(|base| self.base.join(&base).ok());
        let guid = tag.attribute("rdf:about").map(|about| one_line(&about)).unwrap_or_default();
        self.item = Some(ItemDraft {
            item: FeedItem { guid, ..FeedItem::default() },
            base: base.unwrap_or_else(|| self.base.clone()),
            is_guid_opaque: false,
            is_link_sure: false,
        });
    }

    fn end_item(&mut self) {
        let Some(ItemDraft { mut item, base, is_guid_opaque, .. }) = self.item.take() else {
            return;
        };
        let is_address = item.guid.starts_with("http://") || item.guid.starts_with("https://");
        if item.link.is_none() && is_address && !is_guid_opaque {
            item.link = base.join(&item.guid).ok();
        }
        if item.is_something() {
            self.feed.items.push(item);
        }
    }

    /// A link in an attribute: of the feed or of an item.
    fn link(&mut self, tag: &Tag<'_>) {
        let [Some(href), rel] = tag.two_attributes(["href", "rel"]) else { return };
        let base = self.item.as_ref().map_or(&self.base, |draft| &draft.base);
        let Some(url) = base.join(href.trim()).ok().filter(|_| !href.trim().is_empty()) else {
            return;
        };
        let rel = rel.as_deref().unwrap_or("alternate").trim().to_ascii_lowercase();
        match (&mut self.item, rel.as_str()) {
            (Some(draft), "alternate" | "") => {
                let media = tag.attribute("type").unwrap_or_default();
                let is_page = media.is_empty() || media.contains("html");
                if draft.item.link.is_none() || is_page && !draft.is_link_sure {
                    (draft.item.link, draft.is_link_sure) = (Some(url), is_page);
                }
            }
            (Some(_), "enclosure") => {
                let media = one_line(&tag.attribute("type").unwrap_or_default());
                self.enclose(Enclosure { url, media });
            }
            (None, "alternate" | "") => _ = self.feed.home.get_or_insert(url),
            (None, "self") => _ = self.feed.own.get_or_insert(url),
            (None, "hub") if self.feed.hubs.len() < MOST_HUBS => self.feed.hubs.push(url),
            _ => {}
        }
    }

    fn enclosure(&mut self, tag: &Tag<'_>) {
        let [Some(url), media] = tag.two_attributes(["url", "type"]) else { return };
        let media = one_line(&media.unwrap_or_default());
        let is_meant =
            tag.name == ENCLOSURE || ["audio", "video"].iter().any(|m| media.starts_with(m));
        let base = self.item.as_ref().map_or(&self.base, |draft| &draft.base);
        if let (true, Ok(url)) = (is_meant && !url.trim().is_empty(), base.join(url.trim())) {
            self.enclose(Enclosure { url, media });
        }
    }

    fn enclose(&mut self, file: Enclosure) {
        if let Some(ItemDraft { item, .. }) = &mut self.item {
            let is_known = item.enclosures.iter().any(|known| known.url == file.url);
            if !is_known && item.enclosures.len() < MOST_ENCLOSURES {
                item.enclosures.push(file);
            }
        }
    }

    /// Ends the open field, and gives its text to what it is a field of.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        if self.item.is_some() {
            self.close_in_item(&open);
        } else {
            self.close_in_feed(&open);
        }
    }

    fn close_in_item(&mut self, open: &OpenField) {
        let Some(ItemDraft { item, base, .. }) = &mut self.item else { return };
        let line = || one_line(&open.text);
        match open.field {
            Field::Title if item.title.is_empty() => item.title = open.title(),
            Field::Guid => item.guid = line(),
            Field::Author if item.author.is_empty() => item.author = person(&plain(&open.text)),
            Field::Published => item.published = item.published.max(feed_time(&open.text)),
            Field::Updated => item.updated = item.updated.max(feed_time(&open.text)),
            Field::Summary if item.summary.is_empty() => item.summary = open.html(),
            Field::Content if item.content.len() < open.text.len() => item.content = open.html(),
            Field::Link if item.link.is_none() && !open.text.trim().is_empty() => {
                item.link = base.join(open.text.trim()).ok();
            }
            _ => {}
        }
        if item.author.is_empty() && open.field != Field::Author {
            item.author.clone_from(&self.author);
        }
    }

    fn close_in_feed(&mut self, open: &OpenField) {
        let Feed { title, home, rhythm, .. } = &mut self.feed;
        let text = open.text.trim();
        let FeedRhythm { ttl, skip_hours, skip_days } = rhythm;
        match open.field {
            Field::Title if title.is_empty() => *title = open.title(),
            Field::Link if home.is_none() && !text.is_empty() => *home = self.base.join(text).ok(),
            Field::Author if self.author.is_empty() => self.author = person(&plain(text)),
            Field::Ttl => *ttl = text.parse().ok().filter(|t| (1..=MOST_MINUTES).contains(t)),
            // Midnight is also written as 24.
            Field::Hour => {
                let hour = text.parse::<u32>().ok().filter(|hour| *hour <= 24);
                *skip_hours |= hour.map_or(0, |hour| 1 << (hour % 24));
            }
            Field::Day => {
                const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
                let day = text.get(..3).unwrap_or_default();
                let day = DAYS.iter().position(|name| name.eq_ignore_ascii_case(day));
                *skip_days |= day.map_or(0, |day| 1 << day);
            }
            Field::Period => {
                const PERIODS: [(&str, u32); 5] = [
                    ("hourly", 60),
                    ("daily", 1_440),
                    ("weekly", 10_080),
                    ("monthly", 43_200),
                    ("yearly", 525_600),
                ];
                let found = PERIODS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
                self.period = found.map(|(_, minutes)| *minutes);
            }
            Field::Frequency => self.frequency = text.parse().unwrap_or(1),
            _ => {}
        }
    }
}

const fn name_of_channel() -> TagName {
    name("channel")
}

impl OpenField {
    /// An element begins inside.
    fn start(&mut self, tag: &Tag<'_>, source: &str) {
        if self.field == Field::Author {
            // Of a person with a name, an address and a mail address the name is meant.
            if split(tag.name)[1] == NAME {
                self.text.clear();
                self.tag = tag.name;
            }
            return;
        }
        self.nested += u32::from(tag.name == self.tag && !tag.closes_itself());
        self.has_markup = true;
        if self.kind != TextKind::Text {
            self.push(source);
        }
    }

    /// An element ends; true when it is the field itself.
    fn ends(&mut self, name: TagName, source: &str) -> bool {
        if name == self.tag {
            if self.nested == 0 {
                return true;
            }
            self.nested -= 1;
        }
        if self.kind != TextKind::Text {
            self.push(source);
        }
        false
    }

    fn add(&mut self, text: &str, is_cdata: bool) {
        let is_escaped = match self.kind {
            TextKind::Text => !is_cdata,
            TextKind::Html => !is_cdata && !self.has_markup,
            TextKind::Xhtml if is_cdata => return self.push(&escape(text)),
            TextKind::Xhtml => false,
        };
        match is_escaped {
            true => self.push(&value_of(text)),
            false => self.push(text),
        }
    }

    fn push(&mut self, text: &str) {
        let is_text = matches!(self.field, Field::Summary | Field::Content);
        let most = if is_text { MOST_TEXT } else { 2 * MOST_LINE };
        let room = most.saturating_sub(self.text.len());
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
    }

    fn title(&self) -> String {
        match self.kind {
            TextKind::Text => one_line(&self.text),
            TextKind::Html | TextKind::Xhtml => plain(&self.text),
        }
    }

    fn html(&self) -> String {
        match self.kind {
            TextKind::Text if self.text.trim().is_empty() => String::new(),
            TextKind::Text => format!("<p>{}</p>", escape(self.text.trim())),
            TextKind::Html | TextKind::Xhtml => self.text.trim().to_owned(),
        }
    }
}
