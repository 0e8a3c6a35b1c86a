//! Mailboxes: messages one after the other, each behind a line that begins with "From ".

use super::markup::Markup;
use super::{Converted, Inner, Source, mail};

/// Most messages of a mailbox that become one document.
const MOST_MESSAGES: usize = 2_000;

/// Whether bytes begin as a mailbox.
pub(super) fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(b"From ") && messages(bytes).next().is_some_and(|first| mail::is(&first))
}

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let mut markup = Markup::default();
    let mut trouble = String::new();
    for (number, message) in messages(inner.source.bytes).enumerate() {
        if number >= MOST_MESSAGES || markup.is_full() {
            "more messages than are read".clone_into(&mut trouble);
            break;
        }
        let source =
            Source { bytes: &message, content_type: Some("message/rfc822"), extension: "eml" };
        let found = inner.convert(source);
        markup.open("section");
        markup.append(&found.markup);
        markup.close("section");
    }
    Converted::from(markup).with_trouble(&trouble)
}

/// The messages of a mailbox, lines that were quoted for its sake ("> From ") as they were.
pub fn messages(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = end_of_message(rest);
        let (message, after) = rest.split_at(end);
        rest = after;
        // The line with "From " is the mailbox's, not the message's.
        let line = memchr::memchr(b'\n', message).map_or(message.len(), |n| n + 1);
        let from = if message.starts_with(b"From ") { line } else { 0 };
        Some(unquoted(&message[from..]))
    })
}

/// Whether a line begins a message, if it stands behind an empty one: "From " and a date.
#[must_use]
pub fn begins_message(line: &[u8]) -> bool {
    let date = line.iter().take(200).take_while(|b| **b != b'\n');
    line.starts_with(b"From ") && date.filter(|b| b.is_ascii_digit()).count() >= 4
}

/// Where the next message begins.
fn end_of_message(bytes: &[u8]) -> usize {
    let is_empty = |at: usize| bytes[..at].ends_with(b"\n") || bytes[..at].ends_with(b"\n\r");
    memchr::memmem::find_iter(bytes, b"\nFrom ")
        .find(|&at| is_empty(at) && begins_message(&bytes[at + 1..]))
        .map_or(bytes.len(), |at| at + 1)
}

fn unquoted(message: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len());
    let mut from = 0;
    for at in memchr::memmem::find_iter(message, b"\n>") {
        let quotes = message[at + 1..].iter().take_while(|b| **b == b'>').count();
        if message[at + 1 + quotes..].starts_with(b"From ") {
            out.extend_from_slice(&message[from..=at]);
            from = at + 2;
        }
    }
    out.extend_from_slice(&message[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_is_cut_into_messages() {
        let mailbox = b"From a@b Mon 2 1999\nSubject: 1\n\nFrom here\n>From there\n>>From\n\nFrom c@d 3 Mar 1999\nx";
        let found: Vec<Vec<u8>> = messages(mailbox).collect();
        assert_eq!(found, [&b"Subject: 1\n\nFrom here\nFrom there\n>>From\n\n"[..], b"x"]);
    }
}
