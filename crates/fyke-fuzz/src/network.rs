//! What a server answers, and what a hub says.

use super::{first_line, text};
use fyke_crawl::push::{IntentAnswer, is_signed, is_token, judge_intent};
use fyke_crawl::{BrowserAsks, browser_asks, read_answer};
use fyke_store::{PushNews, Subscription, SubscriptionState};
use fyke_web::Url;

const MOST_BODY: usize = 2_000;

/// A message of the browser that runs scripts.
pub fn browser(bytes: &[u8]) {
    let page = Url::parse("http://a.test/").expect("a URL");
    match browser_asks(&page, &text(bytes)) {
        BrowserAsks::Part(url) => assert_eq!(url.domain_hash(), page.domain_hash()),
        BrowserAsks::Nothing => {}
    }
}

/// The first byte says how large the pieces are that come at a time, the rest is an answer in HTTP/1.
pub fn http_answer(bytes: &[u8]) {
    let Some((step, answer)) = bytes.split_first() else { return };
    let url = Url::parse("http://a.test/").expect("a URL");
    let whole = read_answer(&url, answer, usize::MAX, MOST_BODY);
    let pieces = read_answer(&url, answer, usize::from(*step).max(1), MOST_BODY);
    match (whole, pieces) {
        (Ok(whole), Ok(pieces)) => {
            assert_eq!((whole.status, &whole.headers), (pieces.status, &pieces.headers));
            assert_eq!((&whole.payload, &whole.truncated), (&pieces.payload, &pieces.truncated));
            assert!(whole.payload.len() <= MOST_BODY && whole.status >= 100);
            let _ = whole.redirect();
        }
        (Err(whole), Err(pieces)) => assert_eq!(whole, pieces),
        (whole, pieces) => panic!("in one piece {whole:?}, in many {pieces:?}"),
    }
}

/// The first line is a signature, the rest are fields of a question, a line each.
pub fn hub(bytes: &[u8]) {
    const TOPIC: &str = "http://a.test/feed";
    let (signature, rest) = first_line(bytes);
    // By chance nobody signs so much.
    assert!(!is_signed("a secret", &text(signature), rest));
    let held = Subscription {
        feed: TOPIC.to_owned(),
        topic: TOPIC.to_owned(),
        hub: "http://hub.test/".to_owned(),
        token: "token".to_owned(),
        secret: "a secret".to_owned(),
        state: SubscriptionState::Asked,
        asked: 1,
        until: 0,
        messages: 0,
        repeats: 0,
        last: None,
        missed: 0,
        prints: [].into(),
    };
    assert_eq!(is_token(&held, &text(signature)), signature == b"token");
    let rest = text(rest);
    let fields = rest.lines().filter_map(|line| line.split_once('='));
    let fields: Vec<_> = fields.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    match judge_intent(&held, &fields, 2) {
        IntentAnswer::Echo(challenge, PushNews::Confirmed(lease)) => {
            assert!(fields.iter().any(|(name, value)| name == "hub.topic" && value == TOPIC));
            assert!((1..=1_024).contains(&challenge.len()) && (60..=31_536_000).contains(&lease));
        }
        IntentAnswer::Heard(PushNews::Denied(why)) => assert!(why.len() <= 200),
        IntentAnswer::Unmeant => {}
        other => panic!("{other:?}"),
    }
}
