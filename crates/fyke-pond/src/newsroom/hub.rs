//! A hub (WebSub): it asks back before it believes a subscription, tells of what is new, signed, loses one message in so
//! many and sends others twice. It reaches this machine alone.

use crate::words::mix;
use ring::hmac;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Bytes of an answer that are read, and the time for it.
const MOST_ANSWER: u64 = 8_192;
const TIME: Duration = Duration::from_secs(5);
/// A lease, in seconds.
pub(super) const LEASE: u64 = 600;

/// What the hub did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HubCounts {
    /// Subscriptions asked for, and confirmed.
    pub asked: u64,
    pub confirmed: u64,
    /// Messages that were sent and taken, sent and refused, lost on purpose, sent twice on purpose.
    pub taken: u64,
    pub refused: u64,
    pub lost: u64,
    pub repeated: u64,
    /// URLs that publishers have announced, and how often.
    pub announced: BTreeMap<String, u64>,
}

/// Who wants to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subscriber {
    pub(super) topic: String,
    pub(super) callback: String,
    pub(super) secret: String,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Sent,
    Lost,
    Twice,
}

/// The fate of a message by its number, where one in so many is lost and the one after it sent twice; 0: all are sent.
pub(super) fn fate(seed: u64, number: u64, one_in: u64) -> Fate {
    match (one_in > 0).then(|| mix(seed, number) % one_in) {
        Some(0) => Fate::Lost,
        Some(1) => Fate::Twice,
        _ => Fate::Sent,
    }
}

/// The fields of a form.
pub(super) fn fields(form: &str) -> BTreeMap<String, String> {
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| byte == b'%') {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[2..];
            }
            None => {
                bytes.push(if byte == b'+' { b' ' } else { byte });
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// The place of a callback on this machine, and its path; none elsewhere.
fn place(callback: &str) -> Option<(SocketAddr, String)> {
    let (authority, path) = callback.strip_prefix("http://")?.split_once('/')?;
    let address: SocketAddr = authority.parse().ok()?;
    address.ip().is_loopback().then(|| (address, format!("/{path}")))
}

/// Sends a request and gives the whole answer.
async fn exchange(callback: &str, request: impl Fn(&str, &str) -> Vec<u8>) -> io::Result<String> {
    let (address, path) = place(callback).ok_or(io::ErrorKind::AddrNotAvailable)?;
    let asked = async {
        let mut socket = TcpStream::connect(address).await?;
        socket.write_all(&request(&address.to_string(), &path)).await?;
        let mut answer = Vec::new();
        socket.take(MOST_ANSWER).read_to_end(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    tokio::time::timeout(TIME, asked).await?
}

/// Asks whether a subscription was meant.
pub(super) async fn confirm(of: &Subscriber, challenge: &str) -> bool {
    let topic = escaped(&of.topic);
    let answer = exchange(&of.callback, |host, path| {
        format!(
            "GET {path}?hub.mode=subscribe&hub.topic={topic}&hub.challenge={challenge}\
             &hub.lease_seconds={LEASE} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        .into_bytes()
    });
    let answer = answer.await.unwrap_or_default();
    answer.starts_with("HTTP/1.1 200") && answer.ends_with(challenge)
}

/// Tells of a feed; whether that was taken.
pub(super) async fn tell(of: &Subscriber, body: &str) -> bool {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, of.secret.as_bytes()), body.as_bytes());
    let tag: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let answer = exchange(&of.callback, |host, path| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/rss+xml\r\nX-Hub-Signature: sha256={tag}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    });
    answer.await.is_ok_and(|answer| answer.starts_with("HTTP/1.1 2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_reaches_this_machine_alone() {
        let found = place("http://127.0.0.1:80/push/1/2")
            .map(|(address, path)| (address.to_string(), path));
        assert_eq!(found, Some(("127.0.0.1:80".to_owned(), "/push/1/2".to_owned())));
        for elsewhere in ["http://10.0.0.1:80/x", "https://127.0.0.1:80/x", "http://a.test/x", ""] {
            assert_eq!(place(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn some_messages_are_lost_and_others_sent_twice() {
        let count = |wanted| (0..1_000).filter(|n| fate(7, *n, 8) == wanted).count();
        assert!((90..160).contains(&count(Fate::Lost)) && (90..160).contains(&count(Fate::Twice)));
        assert!((0..1_000).all(|n| fate(7, n, 0) == Fate::Sent));
    }

    #[test]
    fn forms_are_read_as_they_are_sent() {
        let found = fields("hub.mode=subscribe&hub.topic=http%3A%2F%2Fa.test%2F%3Fx%26y&z=a+b&bad");
        assert_eq!(found["hub.topic"], "http://a.test/?x&y");
        assert_eq!((&*found["z"], found.len()), ("a b", 3));
        assert_eq!(decoded(&escaped("a&b=c d/é")), "a&b=c d/é");
    }
}
