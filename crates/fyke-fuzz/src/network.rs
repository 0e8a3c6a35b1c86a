//! What a server answers.

use super::text;
use fyke_crawl::{BrowserAsks, browser_asks, read_answer};
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
