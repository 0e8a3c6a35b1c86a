//! Fingerprints: what makes two pages the same while the crawl runs.

use crate::capture;
use fyke_formats::parse;
use fyke_web::fingerprint;
use proptest::prelude::*;

fn of(media: &str, body: &str) -> fyke_text::Fingerprint {
    let headers = format!("Content-Type: {media}; charset=utf-8");
    let page = parse(&capture("http://a.test/", &headers, body.as_bytes()));
    fingerprint(page.format, &page.content)
}

#[test]
fn markup_scripts_and_white_space_do_not_matter() {
    let check = |html: &str, same: bool| {
        let plain = of("text/plain", "Eels swim & feed upstream");
        assert_eq!(of("text/html", html) == plain, same, "{html}");
    };
    check("<title>Eels</title><p>swim &amp; feed upstream", true);
    check(
        "<div id=7><h1>Eels</h1>\n\n<p class=x>swim <b>&amp;</b>\tfeed <i>upstream</i></div>",
        true,
    );
    check(
        "<style>p { x }</style><p>Eels swim<script>var n = 1;</script> feed<!-- 2 --> upstream",
        true,
    );
    check("<p>Eels<br>swim<td>feed</td><td>upstream</td>", true);
    check("<p>Eels swim & feed downstream", false);
    check("<p>Eels swim & feed upstream again", false);
}

#[test]
fn text_is_taken_from_every_format_that_has_some() {
    assert_eq!(of("text/xml", "<?xml version='1.0'?><a><b>one</b><![CDATA[two]]></a>").words, 2);
    assert_eq!(of("image/png", "one two").words, 0);
}

proptest! {
    #[test]
    fn any_page_has_a_fingerprint(body in "(<[a-z/!-]{0,8}>?|[a-z&;#é東\"'= ]{0,9}){0,60}") {
        let found = of("text/html", &body);
        prop_assert!(found.words as usize <= body.len());
        prop_assert_eq!(found.words == 0, found.sketch == [0; 8]);
    }
}
