//! What a crawl is told of a page while it runs is what the page says when it is read whole.

use fyke_derive::judge;
use fyke_formats::{parse, skim, skim_seen};
use fyke_web::{Capture, Outlink, SeenSkim, SkimEvent, Url, fingerprint};
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of markup that say where a page leads, what it forbids and how it is called, and some that end early.
const PIECES: &[&str] = &[
    "<a href=/x>",
    "<a href=/x rel=nofollow>",
    "<a href='y?a&amp;b'>",
    "<a href=mailto:a@b>",
    "</a>",
    "<img alt='an eel'>",
    "<area href=/z alt=pond>",
    "<iframe src=//b.test/>",
    "<base href=http://c.test/d/>",
    "<title>Eels &amp; fish</title>",
    "<meta name=robots content=noindex>",
    "<meta name=fyke content=nofollow>",
    "<meta http-equiv=refresh content='0; url=/next'>",
    "<link rel=canonical href=/self>",
    "<html lang=sl>",
    "<p>",
    " word ",
    "&nbsp;",
    "č",
    "<",
    "<!--",
    "<script>",
    "</script>",
    "<?xml version='1.0'?>",
    "<rss>",
    "<urlset><url><loc>http://a.test/1</loc>",
    "%PDF-1.4\n",
    "{\\rtf1 ",
    "\0",
];

/// Headers, those of the format first.
const HEADERS: &[(&str, &str)] = &[
    ("Content-Type", "text/html"),
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Type", "text/plain"),
    ("Content-Type", "application/xml"),
    ("Content-Type", "application/pdf"),
    ("Content-Type", "application/rtf"),
    ("Content-Type", "image/png"),
    ("Content-Encoding", "gzip"),
    ("X-Robots-Tag", "noindex"),
    ("X-Robots-Tag", "fyke: nofollow"),
    ("Link", "</header>; rel=canonical"),
    ("Refresh", "3; url=/later"),
];

fn captures() -> impl Strategy<Value = Capture> {
    let status = prop_oneof![8 => Just(200), 1 => select(vec![204, 301, 404, 503])];
    let truncated = prop_oneof![6 => Just(None), 1 => select(vec![Some("length"), Some("time")])];
    let headers = prop::collection::vec(select(HEADERS), 0..4);
    let anything = prop::collection::vec(any::<u8>(), 0..60);
    let markup = prop::collection::vec(select(PIECES), 0..30);
    let markup = markup.prop_map(|pieces| pieces.concat().into_bytes());
    let payload = prop_oneof![8 => markup, 1 => anything];
    (status, truncated, headers, payload).prop_map(|(status, truncated, headers, payload)| {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Capture {
            url: Url::parse("http://a.test/d/").unwrap(),
            time: 0,
            status,
            headers: headers.into_iter().map(owned).collect(),
            payload,
            truncated: truncated.map(str::to_owned),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_skim_says_what_the_whole_page_says(capture in captures()) {
        let page = parse(&capture);
        let outlink = |link: &fyke_web::Link| Outlink {
            url: link.url.clone(),
            nofollow: link.nofollow,
            is_next: link.is_next,
        };
        let links: Vec<Outlink> = page.links.iter().map(outlink).collect();
        let SeenSkim { skim: seen, fingerprint: print, order } = skim_seen(&capture, &mut |_: SkimEvent<'_>| {});
        prop_assert_eq!(print, fingerprint(page.format, &page.content));
        prop_assert_eq!(order.len(), links.len());
        for skim in [skim(&capture), seen] {
            prop_assert_eq!(skim.format, page.format);
            prop_assert_eq!((&skim.title, &skim.trouble), (&page.title, &page.trouble));
            prop_assert_eq!(&skim.links, &links);
            prop_assert_eq!((&skim.canonical, &skim.refresh), (&page.canonical, &page.refresh));
            prop_assert_eq!((skim.noindex, skim.nofollow), (page.noindex, page.nofollow));
            prop_assert_eq!((skim.lists_pages, &skim.notes), (page.lists_pages, &page.notes));
        }
        let whole = judge(&capture, parse);
        let skimmed = judge(&capture, skim);
        prop_assert_eq!(skimmed.page.is_some(), whole.page.is_some());
        prop_assert_eq!(skimmed.fate, whole.fate);
    }
}
