//! A subscriber of hubs (W3C WebSub): what hubs are asked, and what is believed of what they say. No I/O but for
//! random numbers; the crawl asks (`crawl/pushes.rs`), the site hears.

use crate::forms::urlencoded;
use fyke_store::{PushNews, Subscription, SubscriptionState};
use fyke_web::{Url, UrlId};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use std::collections::VecDeque;

/// Where callbacks stand in the site.
pub const CALLBACKS: &str = "/push/";
/// The lease that is asked for, in seconds: ten days.
const LEASE: u64 = 864_000;
/// Leases are believed within these bounds: a minute, and a year.
const SHORTEST: u64 = 60;
const LONGEST: u64 = 31_536_000;
/// How long after it was asked a hub may still confirm, in milliseconds.
const PATIENCE: i64 = 86_400_000;
/// Longest challenge that is echoed, in bytes.
const MOST_CHALLENGE: usize = 1_024;
/// Longest reason that is kept of a hub that refuses.
const MOST_WHY: usize = 200;
/// Bytes of a token and of a secret.
const RANDOM: usize = 32;
/// What marks the URL under which the row of a hub stands.
const MARK: &str = "hub.mode=subscribe&hub.topic=";

/// How hubs are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushOptions {
    /// The site, as hubs reach it: "https://search.example.org".
    pub callback: Url,
}

/// Bytes that nobody can guess, in hexadecimal digits; none where the system has none to give.
fn random() -> Option<String> {
    let mut bytes = [0; RANDOM];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A subscription that is to be asked for; none where the system has no random numbers.
pub(crate) fn new_subscription(feed: &Url, topic: &Url, hub: &Url) -> Option<Subscription> {
    Some(Subscription {
        feed: feed.as_str().to_owned(),
        topic: topic.as_str().to_owned(),
        hub: hub.as_str().to_owned(),
        token: random()?,
        secret: random()?,
        state: SubscriptionState::Asked,
        asked: 0,
        until: 0,
        messages: 0,
        repeats: 0,
        last: None,
        missed: 0,
        prints: VecDeque::new(),
    })
}

/// The URL under which the row of a hub stands that is asked for a topic.
pub(crate) fn hub_row(hub: &Url, topic: &Url) -> Option<Url> {
    let sign = if hub.path_and_query().contains('?') { '&' } else { '?' };
    let topic = urlencoded([("", topic.as_str())].into_iter());
    Url::parse(&format!("{}{sign}{MARK}{}", hub.as_str(), topic.trim_start_matches('='))).ok()
}

/// What is posted to a hub.
pub(crate) fn asking(of: &Subscription, id: UrlId, options: &PushOptions) -> String {
    let callback = callback(&options.callback, id, &of.token);
    let lease = LEASE.to_string();
    let fields = [
        ("hub.mode", "subscribe"),
        ("hub.topic", &of.topic),
        ("hub.callback", &callback),
        ("hub.lease_seconds", &lease),
        ("hub.secret", &of.secret),
    ];
    urlencoded(fields.into_iter())
}

/// Where a hub reaches us about a feed.
fn callback(site: &Url, id: UrlId, token: &str) -> String {
    let site = site.as_str().trim_end_matches('/');
    format!("{site}{CALLBACKS}{:016x}/{token}", id.0)
}

/// Whether a token is that of a subscription; how long that takes tells nothing of where they differ.
#[must_use]
pub fn is_token(of: &Subscription, token: &str) -> bool {
    let [ours, theirs] = [of.token.as_bytes(), token.as_bytes()];
    let differ = ours.iter().zip(theirs).fold(0, |sum, (a, b)| sum | (a ^ b));
    ours.len() == theirs.len() && differ == 0
}

/// What a hub that asks back is answered, and what it says by that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntentAnswer {
    /// We meant it: its challenge is echoed.
    Echo(String, PushNews),
    /// It tells that it will not, which it may.
    Heard(PushNews),
    /// We did not ask for that.
    Unmeant,
}

/// Judges the fields with which a hub asks whether a subscription was meant, at a time in milliseconds since 1970.
#[must_use]
pub fn judge_intent(of: &Subscription, fields: &[(String, String)], now: i64) -> IntentAnswer {
    let field = |name: &str| {
        let found = fields.iter().find(|(found, _)| found == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let is_asked = of.asked > 0 && now - of.asked <= PATIENCE;
    if field("hub.topic") != of.topic || !is_asked {
        return IntentAnswer::Unmeant;
    }
    match field("hub.mode") {
        "denied" => {
            let why = field("hub.reason");
            let why = why[..why.floor_char_boundary(MOST_WHY)].to_owned();
            IntentAnswer::Heard(PushNews::Denied(why))
        }
        "subscribe" => {
            let challenge = field("hub.challenge");
            let lease = field("hub.lease_seconds").trim();
            let lease = if lease.is_empty() { Some(LEASE) } else { lease.parse().ok() };
            match lease {
                Some(lease) if (1..=MOST_CHALLENGE).contains(&challenge.len()) => {
                    let lease = lease.clamp(SHORTEST, LONGEST);
                    IntentAnswer::Echo(challenge.to_owned(), PushNews::Confirmed(lease))
                }
                _ => IntentAnswer::Unmeant,
            }
        }
        // We never ask to be left alone: a lease that is not renewed ends.
        _ => IntentAnswer::Unmeant,
    }
}

/// Whether a hub has signed a message with our secret: the value of its `X-Hub-Signature`, as "sha256=0af3…".
#[must_use]
pub fn is_signed(secret: &str, signature: &str, body: &[u8]) -> bool {
    const METHODS: [(&str, hmac::Algorithm); 4] = [
        ("sha1", hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY),
        ("sha256", hmac::HMAC_SHA256),
        ("sha384", hmac::HMAC_SHA384),
        ("sha512", hmac::HMAC_SHA512),
    ];
    let Some((method, hex)) = signature.trim().split_once('=') else { return false };
    let named = METHODS.iter().find(|(name, _)| name.eq_ignore_ascii_case(method));
    let (Some((_, method)), Some(tag)) = (named, from_hex(hex)) else { return false };
    hmac::verify(&hmac::Key::new(*method, secret.as_bytes()), body, &tag).is_ok()
}

/// The bytes of hexadecimal digits, of no longer a signature than there are.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.is_empty() || digits.len() > 128 || !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = digits.chunks_exact(2);
    pairs.map(|pair| u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    fn subscription() -> Subscription {
        let [feed, hub] = ["http://a.test/feed?x=1&y", "http://hub.test/"].map(url);
        let new = new_subscription(&feed, &feed, &hub).expect("random numbers");
        Subscription { asked: 1_000, ..new }
    }

    #[test]
    fn a_hub_is_asked_with_a_callback_that_nobody_can_guess() {
        let (one, two) = (subscription(), subscription());
        assert!(one.token.len() == 2 * RANDOM && one.token != two.token);
        assert!(one.secret != two.secret && one.secret != one.token);
        let options = PushOptions { callback: url("https://search.test/") };
        let asked = asking(&one, UrlId(255), &options);
        let callback =
            format!("https%3A%2F%2Fsearch.test%2Fpush%2F00000000000000ff%2F{}", one.token);
        assert!(asked.contains(&callback), "{asked}");
        assert!(
            asked.starts_with(
                "hub.mode=subscribe&hub.topic=http%3A%2F%2Fa.test%2Ffeed%3Fx%3D1%26y&"
            )
        );
        let row = |hub: &str| hub_row(&url(hub), &url("http://a.test/f?x&y")).expect("a URL");
        let topic = "http%3A%2F%2Fa.test%2Ff%3Fx%26y";
        assert_eq!(row("http://hub.test/").as_str(), format!("http://hub.test/?{MARK}{topic}"));
        assert_eq!(row("http://hub.test/?a").as_str(), format!("http://hub.test/?a&{MARK}{topic}"));
    }

    #[test]
    fn a_challenge_is_echoed_for_what_was_asked_for_alone() {
        let of = subscription();
        let check = |mode: &str, topic: &str, rest: &str, now: i64, expected: &str| {
            let mut fields = vec![("hub.mode", mode), ("hub.topic", topic)];
            fields.extend(rest.split('&').filter_map(|pair| pair.split_once('=')));
            let fields: Vec<_> =
                fields.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let told = match judge_intent(&of, &fields, now) {
                IntentAnswer::Echo(challenge, news) => format!("{challenge} {news:?}"),
                IntentAnswer::Heard(news) => format!("{news:?}"),
                IntentAnswer::Unmeant => "unmeant".to_owned(),
            };
            assert_eq!(told, expected, "{mode} {topic} {rest} {now}");
        };
        let (topic, asked) = (of.topic.as_str(), "hub.challenge=x7&hub.lease_seconds=3600");
        check("subscribe", topic, asked, 2_000, "x7 Confirmed(3600)");
        check("subscribe", topic, "hub.challenge=x7", 2_000, "x7 Confirmed(864000)");
        check("subscribe", topic, "hub.challenge=x&hub.lease_seconds=1", 2_000, "x Confirmed(60)");
        check("subscribe", topic, "hub.challenge=x&hub.lease_seconds=-1", 2_000, "unmeant");
        check("subscribe", topic, "hub.lease_seconds=3600", 2_000, "unmeant");
        check("subscribe", "http://b.test/", asked, 2_000, "unmeant");
        check("subscribe", topic, asked, 2_000 + PATIENCE, "unmeant");
        check("unsubscribe", topic, asked, 2_000, "unmeant");
        check("", topic, asked, 2_000, "unmeant");
        check("denied", topic, "hub.reason=no room", 2_000, "Denied(\"no room\")");
        let long = format!("hub.challenge={}", "x".repeat(MOST_CHALLENGE + 1));
        check("subscribe", topic, &long, 2_000, "unmeant");
        let unasked = Subscription { asked: 0, ..subscription() };
        let fields = [("hub.mode", "subscribe"), ("hub.topic", topic), ("hub.challenge", "x")];
        let fields = fields.map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(judge_intent(&unasked, &fields, 5), IntentAnswer::Unmeant);
    }

    #[test]
    fn a_message_is_believed_by_its_signature() {
        // RFC 4231, test case 2, and RFC 2202 for SHA-1.
        let body = b"what do ya want for nothing?";
        let check = |signature: &str, expected: bool| {
            assert_eq!(is_signed("Jefe", signature, body), expected, "{signature}");
        };
        check("sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79", true);
        let sha256 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        check(&format!("sha256={sha256}"), true);
        check(&format!(" SHA256={} ", sha256.to_uppercase()), true);
        check(
            "sha384=af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
            true,
        );
        check(
            "sha512=164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
            true,
        );
        check(&format!("sha512={sha256}"), false);
        check(&format!("sha256={}", sha256.replace('5', "6")), false);
        check(&format!("sha256={}", &sha256[..62]), false);
        check(&format!("sha256={}", &sha256[..63]), false);
        check(&format!("md5={sha256}"), false);
        for text in ["", "sha256", "sha256=", "=", "sha256=zz", "sha256=\u{e9}\u{e9}"] {
            check(text, false);
        }
        assert!(!is_signed("other", &format!("sha256={sha256}"), body));
    }

    #[test]
    fn a_token_is_compared_whole() {
        let of = subscription();
        assert!(is_token(&of, &of.token.clone()));
        for token in ["", &of.token[1..], &format!("{}0", of.token), &"0".repeat(2 * RANDOM)] {
            assert!(!is_token(&of, token), "{token}");
        }
    }
}
