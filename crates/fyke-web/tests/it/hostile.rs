//! Everything from the network is hostile: pieces that have broken parsers, put together at random,
//! go through every parser of the room. None may panic, and what comes out is bounded.

use crate::capture;
use fyke_formats::{parse, skim_with_fingerprint};
use fyke_web::document::content;
use fyke_web::sitemap::{self, SitemapStream};
use fyke_web::{Capture, REFINERS, Robots, Url, charset, copy, fingerprint, refine};
use proptest::prelude::*;

fn pieces() -> Vec<&'static str> {
    include_str!("../data/nasty.txt").lines().filter(|line| !line.starts_with('#')).collect()
}

/// Pieces in any order, whole or cut, with any bytes between them.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let piece = (prop::sample::select(pieces()), 0..40_usize);
    let cut = piece.prop_map(|(piece, lost)| {
        let bytes = piece.as_bytes();
        bytes[..bytes.len().saturating_sub(lost.saturating_sub(30))].to_vec()
    });
    let gap =
        prop_oneof![Just(vec![b'\n']), Just(vec![]), prop::collection::vec(any::<u8>(), 0..4)];
    prop::collection::vec(prop_oneof![3 => cut, 1 => gap], 0..24).prop_map(|all| all.concat())
}

fn page(bytes: &[u8], header: &str) -> Capture {
    let mut page = capture("http://a.test/d/?q", "Content-Type: text/html", bytes);
    let names = ["Content-Type", "X-Robots-Tag", "Link", "Refresh", "Content-Language"];
    page.headers.extend(names.map(|name| (name.to_owned(), header.to_owned())));
    page
}

/// Quadratic work would take minutes here.
#[test]
fn pages_without_end_are_read_by_every_refiner() {
    let long = 40_000;
    let pages = [
        "<div>".repeat(long),
        "<div>a".repeat(long),
        "<p class=comment>a b c".repeat(long / 4),
        "</p>".repeat(long),
        "<a href=x>".repeat(long),
        "<ul><li><b>a".repeat(long / 4),
        "<table><tr><td>".repeat(long / 4),
        "word ".repeat(200_000),
        "x".repeat(10_000_000),
        "<script type=application/ld+json>[".repeat(1_000) + &"[".repeat(90_000),
        "<span class=author>".repeat(long),
    ];
    for bytes in pages {
        let capture = capture("http://a.test/", "Content-Type: text/html", bytes.as_bytes());
        let page = parse(&capture);
        for refiner in REFINERS {
            let found = content(&capture, &page, refiner);
            assert!(found.text.len() + found.comments.len() <= 2 * bytes.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_page_of_anything_is_read_and_bounded(bytes in nasty(), header in nasty()) {
        let capture = page(&bytes, &String::from_utf8_lossy(&header));
        let page = parse(&capture);
        prop_assert!(page.links.len() <= bytes.len());
        prop_assert!(page.title.len() <= 1_000);
        prop_assert!(page.links.iter().all(|link| link.anchor.chars().count() <= 200));
        let document = refine(&capture, &page);
        prop_assert!(document.text.len() <= 4 * bytes.len() + 4);
        prop_assert_eq!(skim_with_fingerprint(&capture).1, fingerprint(page.format, &page.content));
        let _ = copy(&page, &capture.url, &mut |text, out| out.push_str(text));
    }

    #[test]
    fn a_link_of_anything_is_joined_or_refused(bytes in nasty()) {
        let text = String::from_utf8_lossy(&bytes);
        let base = Url::parse("https://a.test/d/e?f").expect("a URL");
        for url in [base.join(&text), Url::parse(&text)].into_iter().flatten() {
            prop_assert!(url.as_str().len() <= 2_048);
            prop_assert_eq!(&Url::parse(url.as_str()).expect("a URL is one"), &url);
            let normal = Url::parse(&url.normal()).expect("a normal form is a URL");
            prop_assert_eq!(normal.id(), url.id());
        }
    }

    #[test]
    fn robots_of_anything_give_a_verdict(bytes in nasty(), path in nasty()) {
        let robots = Robots::parse(&bytes, "fyke");
        prop_assert!(robots.check("/robots.txt").allowed);
        let path = format!("/{}", String::from_utf8_lossy(&path));
        let verdict = robots.check(&path);
        prop_assert!(verdict.allowed || verdict.rule.is_some());
        prop_assert!(robots.crawl_delay.is_none_or(|delay| delay.as_secs() <= 86_400));
    }

    #[test]
    fn a_sitemap_of_anything_is_read(bytes in nasty(), step in 1..500_usize) {
        let base = Url::parse("http://a.test/").expect("a URL");
        prop_assert!(sitemap::parse(&bytes, &base, 9).urls.len() <= 9);
        let mut stream = SitemapStream::new(&base);
        let mut found = 0;
        let mut take = |_| {
            found += 1;
            found < 5
        };
        bytes.chunks(step).all(|step| stream.feed(step, &mut take));
        prop_assert!(found <= 5);
    }

    #[test]
    fn text_of_any_encoding_is_bounded(bytes in nasty(), header in nasty()) {
        let header = String::from_utf8_lossy(&header);
        let found = charset::read((&*bytes).into(), Some(&header));
        prop_assert!(!found.charset.is_empty() && found.text.len() <= 4 * bytes.len() + 4);
    }
}
