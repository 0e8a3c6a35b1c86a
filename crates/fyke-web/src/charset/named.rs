//! Encodings by the labels that documents and servers name them with: those of the web's standard, and
//! those that it left out and that files still have.

use super::codepage::{self, CodePage};
use super::utf32::{self, OctetOrder};
use super::{Decoded, vietnamese};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1258};
use std::borrow::Cow;

/// An encoding that somebody named.
#[derive(Clone, Copy, Debug)]
pub enum NamedCharset {
    Web(&'static Encoding),
    Page(&'static CodePage),
    Wide(OctetOrder),
}

impl NamedCharset {
    /// What a label means, if it means anything.
    #[must_use]
    pub fn for_label(label: &str) -> Option<NamedCharset> {
        let web = Encoding::for_label(label.as_bytes()).map(NamedCharset::Web);
        web.or_else(|| codepage::for_label(label).map(NamedCharset::Page))
            .or_else(|| OctetOrder::for_label(label).map(NamedCharset::Wide))
    }

    /// The encoding, if the web has it.
    #[must_use]
    pub fn web(self) -> Option<&'static Encoding> {
        match self {
            NamedCharset::Web(encoding) => Some(encoding),
            NamedCharset::Page(_) | NamedCharset::Wide(_) => None,
        }
    }

    /// Octets without a mark as text.
    #[must_use]
    pub fn read(self, bytes: Cow<'_, [u8]>) -> Decoded<'_> {
        match self {
            NamedCharset::Web(encoding) => web(bytes, encoding),
            NamedCharset::Page(page) => {
                let text = page.decode(&bytes);
                let replaced = text.contains(char::REPLACEMENT_CHARACTER);
                Decoded { text: text.into(), charset: page.name, guessed: false, replaced }
            }
            NamedCharset::Wide(order) => {
                let (text, replaced) = utf32::decode(&bytes, order);
                Decoded { text: text.into(), charset: order.name(), guessed: false, replaced }
            }
        }
    }
}

fn web<'a>(bytes: Cow<'a, [u8]>, encoding: &'static Encoding) -> Decoded<'a> {
    let (text, replaced) = if encoding == UTF_8 {
        match super::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(bytes) => (String::from_utf8_lossy(&bytes).into_owned().into(), true),
        }
    } else {
        let (text, replaced) = encoding.decode_without_bom_handling(&bytes);
        match encoding == WINDOWS_1258 {
            true => (vietnamese::composed(&text).into(), replaced),
            false => (text.into_owned().into(), replaced),
        }
    };
    Decoded { text, charset: encoding.name(), guessed: false, replaced }
}
