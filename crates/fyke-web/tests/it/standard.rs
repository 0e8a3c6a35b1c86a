//! The scanner against the standard: the same links as a tree builder finds.

use crate::{capture, oracle};
use fyke_formats::parse;
use fyke_web::Url;
use proptest::prelude::*;

fn found(html: &str) -> Vec<Url> {
    let capture =
        capture("http://a.test/d/", "Content-Type: text/html; charset=utf-8", html.as_bytes());
    parse(&capture).links.into_iter().map(|link| link.url).collect()
}

fn expected(html: &str) -> Vec<Url> {
    oracle::links(html, &Url::parse("http://a.test/d/").expect("a URL"))
}

#[track_caller]
fn check(html: &str, count: usize) {
    let expected = expected(html);
    assert_eq!(expected.len(), count, "the standard's links of {html}");
    assert_eq!(found(html), expected, "{html}");
}

#[test]
fn hand_made_traps_give_the_links_of_the_standard() {
    check("<a href=x>1<a href='y'>2</a><area href=\"z\"><a name=n>", 3);
    check("<base href=/b/><a href=x><base href=/c/>", 1);
    check("<script>'<a href=no>'</script><style><a href=no></style><a href=x>", 1);
    check("<script><!--<script></script><a href=no>--></script><a href=x>", 1);
    check("<script><!--><script></script><a href=x>--></script>", 1);
    check("<textarea><a href=no></textarea><title><a href=no></title><a href=x>", 1);
    check("<noscript><a href=x></noscript><template><a href=y></template>", 2);
    check("<iframe src=x><a href=no></iframe><xmp><a href=no></xmp><a href=y>", 2);
    check("<!-- <a href=no> --!><a href=x><!--><a href=y><!---><a href=z>", 3);
    check("<svg><title>t</title><style><a href=y></style><a xlink:href=no></svg><a href=z>", 2);
    check("<svg><![CDATA[<a href=no>]]></svg><![CDATA[<a href=no>]]><a href=x>", 1);
    check("<a title='>' href=x><a title=\"<a href=no>\" href=y><a href=z", 2);
    check("<a href=x href=no><a/href=y><a href = z><A HREF=w>", 4);
    check("<a href=x&amp;y&copy=1&lt;><a href=&#x2F;y>", 2);
    check("<plaintext><a href=no>", 0);
    check("</a href=no><?a href=no><!a href=no></ href=no><a href=x>", 1);
    check("<table><a href=x><tr><td><a href=y></table><select><a href=z></select>", 3);
}

/// Pieces of markup that change how what follows is read.
const PIECES: &str = "(<a href=[a-e]>|<a href='[a-e]'|<a title=\"|>|\"|'|</a>|<!--|-->|--!>|<!|<\\?\
    |<script>|</script>|</script |<style>|</style>|<title>|</title>|<textarea>|</textarea>\
    |<p>|<div>|<iframe>|</iframe>|<noscript>|</noscript>|=|/|<|&amp;|[a-c ]){0,24}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn hostile_markup_gives_the_links_of_the_standard(html in PIECES) {
        let html = format!("<body>{html}");
        prop_assert_eq!(found(&html), expected(&html));
    }
}
