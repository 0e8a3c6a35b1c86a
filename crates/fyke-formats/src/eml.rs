//! Mail messages: who wrote to whom about what, the text, and every attachment by its own format.
//! Of alternatives the plain text counts, unless it is empty.

use super::mail::{self, MailPart};
use super::markup::Markup;
use super::{Converted, Inner, Source, extension, html, plain};

/// Parts inside each other.
const MOST_DEPTH: u8 = 8;
/// Most parts of one message.
const MOST_PARTS: usize = 500;

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let message = MailPart::parse(inner.source.bytes);
    let mut markup = Markup::default();
    markup.element("h1", &message.header("subject"));
    for (name, header) in [("From", "from"), ("To", "to"), ("Cc", "cc")] {
        let value = message.header(header);
        if !value.is_empty() {
            markup.element("p", &format!("{name}: {value}"));
        }
    }
    let mut reading = EmlReading { inner, markup, left: MOST_PARTS, trouble: String::new() };
    reading.part(&message, 0);
    let language = message.header("content-language").to_ascii_lowercase();
    let found = Converted::from(reading.markup).with_trouble(&reading.trouble);
    Converted {
        title: message.header("subject"),
        author: author(&message.header("from")),
        date: mail::date(&message.header("date")),
        language: language.split(',').next().unwrap_or_default().trim().to_owned(),
        ..found
    }
}

/// The name of "Name <address>", else the address.
fn author(from: &str) -> String {
    let (name, address) = from.split_once('<').unwrap_or(("", from));
    let name = name.trim().trim_matches('"');
    if name.is_empty() { address.trim_end_matches('>').trim().to_owned() } else { name.to_owned() }
}

struct EmlReading<'a> {
    inner: &'a Inner<'a>,
    markup: Markup,
    /// Parts that may still be read.
    left: usize,
    trouble: String,
}

impl EmlReading<'_> {
    /// Writes a part; true when it gave text.
    fn part(&mut self, part: &MailPart<'_>, depth: u8) -> bool {
        if self.left == 0 || depth > MOST_DEPTH {
            "parts too many or too deep; the rest was left out".clone_into(&mut self.trouble);
            return false;
        }
        self.left -= 1;
        let media = part.media();
        let is_attached = part.header("content-disposition").starts_with("attachment");
        match media.as_str() {
            "multipart/alternative" => {
                let mut parts = part.parts(self.left);
                let plain = |part: &MailPart<'_>| part.media() != "text/plain";
                parts.sort_by_key(plain);
                parts.iter().any(|part| self.part(part, depth + 1))
            }
            _ if media.starts_with("multipart/") => {
                let parts = part.parts(self.left);
                // All of them are read, whichever give text.
                parts.iter().filter(|part| self.part(part, depth + 1)).count() > 0
            }
            "text/plain" | "text/html" if !is_attached => self.text(part, &media),
            _ => self.attachment(part, &media),
        }
    }

    fn text(&mut self, part: &MailPart<'_>, media: &str) -> bool {
        let bytes = part.body();
        let content_type = part.header("content-type");
        let content_type = Some(content_type.as_str()).filter(|value| !value.is_empty());
        let source = Source { bytes: &bytes, content_type, extension: "" };
        let found = match media {
            "text/html" => html::convert(&source),
            _ => plain::convert(&source),
        };
        self.markup.append(&found.markup);
        !found.markup.is_empty()
    }

    fn attachment(&mut self, part: &MailPart<'_>, media: &str) -> bool {
        let bytes = part.body();
        let name = part.file_name().unwrap_or_default();
        let is_vague = media == "application/octet-stream";
        let content_type = Some(media).filter(|_| !is_vague);
        let source = Source { bytes: &bytes, content_type, extension: &extension(&name) };
        let found = self.inner.convert(source);
        if !found.trouble.is_empty() {
            self.trouble = format!("attachment {name}: {}", found.trouble);
        }
        self.markup.open("section");
        self.markup.element("h2", &name);
        self.markup.append(&found.markup);
        self.markup.close("section");
        !found.markup.is_empty()
    }
}
