//! Pages: what the crawler reads off a capture.

use crate::capture;
use fyke_formats::parse;
use fyke_web::page::Format;
use fyke_web::{Note, Page};
use proptest::prelude::*;

fn page(html: &str) -> Page {
    parse(&capture("http://a.test/dir/", "Content-Type: text/html; charset=utf-8", html.as_bytes()))
}

/// Checks the links of a page: "url anchor", with a star before what is not to be followed.
fn check(html: &str, expected: &[&str]) {
    let star = |nofollow| if nofollow { "*" } else { "" };
    let found: Vec<String> = page(html)
        .links
        .iter()
        .map(|l| format!("{}{} {}", star(l.nofollow), l.url, l.anchor).trim_end().to_owned())
        .collect();
    assert_eq!(found, expected, "{html}");
}

#[test]
fn links_come_with_their_anchor_text() {
    check("<a href=x>one <b>two</b>\n three</a>", &["http://a.test/dir/x one two three"]);
    check("<A HREF='/x?a=1&amp;b=2'>&eacute;l</A>", &["http://a.test/x?a=1&b=2 él"]);
    check("<a href=/x><img src=i alt='an eel'></a>", &["http://a.test/x an eel"]);
    check("<a href=/x>open <a href=/y>next</a>", &["http://a.test/x open", "http://a.test/y next"]);
    check("<map><area href=/x alt=pond></map>", &["http://a.test/x pond"]);
    check("<iframe src=/x></iframe><frame src=/y>", &["http://a.test/x", "http://a.test/y"]);
    check("<a class=\"b>c\" title='<a href=/no>' href=\"/x\">t</a>", &["http://a.test/x t"]);
    check("<a\nhref\n=\n/x/>t</a>", &["http://a.test/x/ t"]);
    check("<a href=/x href=/y>t</a>", &["http://a.test/x t"]);
    let long = format!("<a href=/x>{}</a>", "č".repeat(300));
    assert_eq!(page(&long).links[0].anchor, "č".repeat(200));
}

#[test]
fn each_target_stands_once_and_the_first_anchor_text_wins() {
    check("<a href=/x></a><a href=/x#a>one</a><a href=/x>two</a>", &["http://a.test/x one"]);
    check("<a href=/x rel=nofollow>a</a><a href=/x>b</a>", &["http://a.test/x a"]);
}

#[test]
fn a_link_may_ask_not_to_be_followed() {
    check("<a href=/x rel='external NoFollow'>t</a>", &["*http://a.test/x t"]);
    check(
        "<a href=/x rel=ugc>t</a><a href=/y rel=sponsored></a>",
        &["*http://a.test/x t", "*http://a.test/y"],
    );
}

#[test]
fn what_only_looks_like_a_link_is_none() {
    check("<!-- <a href=/x>no</a> --><a href=/y>yes</a>", &["http://a.test/y yes"]);
    check("<!--><a href=/y>yes</a>-->", &["http://a.test/y yes"]);
    check("<!-- a --!><a href=/y>yes</a>", &["http://a.test/y yes"]);
    check("<script>'<a href=/x>'</script><a href=/y>yes</a>", &["http://a.test/y yes"]);
    check("<SCRIPT>a</scripty><a href=/x></script ><a href=/y>yes</a>", &["http://a.test/y yes"]);
    check(
        "<script><!--<script></script><a href=/x>--></script><a href=/y>yes</a>",
        &["http://a.test/y yes"],
    );
    check(
        "<textarea><a href=/x></textarea><style><a href=/x></style><a href=/y>yes</a>",
        &["http://a.test/y yes"],
    );
    check("<noframes><a href=/x></noframes><xmp><a href=/x></xmp><title><a href=/x></title>", &[]);
    check("<a href=/y>yes</a><plaintext><a href=/x>", &["http://a.test/y yes"]);
    check("<noscript><a href=/y>yes</a></noscript>", &["http://a.test/y yes"]);
    check("<svg><title>t</title><style/></svg><a href=/y>yes</a>", &["http://a.test/y yes"]);
    check(
        "<a href='javascript:x()'>n</a><a href=mailto:x@a.test>n</a><a href='#top'>n</a><a>n</a>",
        &[],
    );
    check("a < b <3 << <a href=/y>yes</a>", &["http://a.test/y yes"]);
    check("</><?php <a href=/x> ?></3><a href=/y>yes</a>", &["http://a.test/y yes"]);
    check("<a href='/x>never closed", &[]);
}

#[test]
fn the_base_holds_for_the_whole_page() {
    check("<a href=x>1</a><base href=/b/><base href=/c/>", &["http://a.test/b/x 1"]);
    check("<base href='javascript:x'><a href=x>1</a>", &["http://a.test/dir/x 1"]);
}

#[test]
fn title_language_and_canonical_form_are_read() {
    let found = page(
        "<html lang=SL-si><title> The\n eel &amp; I </title><title>second</title>\
         <link rel='x Canonical' href='../c'><meta http-equiv=refresh content='3; URL=/next'>",
    );
    assert_eq!(found.title, "The eel & I");
    assert_eq!(found.declared_language.as_deref(), Some("sl-si"));
    assert_eq!(found.canonical.unwrap().as_str(), "http://a.test/c");
    assert_eq!(found.refresh.unwrap().as_str(), "http://a.test/next");
    assert_eq!((found.format, found.charset, found.notes), (Format::Html, "UTF-8", vec![]));
}

#[test]
fn headers_speak_where_the_markup_is_silent() {
    let headers = "Content-Type: text/html\nX-Robots-Tag: fyke: noindex\nX-Robots-Tag: nofollow\n\
                   Link: </c>; rel=\"canonical\"\n\
                   Content-Language: de-AT, en\nRefresh: 0; url=/next";
    let found = parse(&capture("http://a.test/", headers, b"<p>text"));
    assert_eq!((found.noindex, found.nofollow), (true, true));
    assert_eq!(found.canonical.unwrap().as_str(), "http://a.test/c");
    assert_eq!(found.declared_language.as_deref(), Some("de-at"));
    assert_eq!(found.refresh.unwrap().as_str(), "http://a.test/next");
}

#[test]
fn robots_directives_of_a_page_are_obeyed() {
    let check = |html: &str, expected| {
        let found = page(html);
        assert_eq!((found.noindex, found.nofollow), expected, "{html}");
    };
    check("<meta name=robots content='noindex, follow'>", (true, false));
    check("<META NAME=Robots CONTENT=NONE>", (true, true));
    check("<meta name=fyke content=nofollow>", (false, true));
    check("<meta name=otherbot content=none>", (false, false));
    check("<meta name=robots content='index, follow'>", (false, false));
}

#[test]
fn what_is_not_text_gives_a_note_and_no_content() {
    let found =
        parse(&capture("http://a.test/x.pdf", "Content-Type: application/pdf", b"%PDF-1.7 x"));
    assert_eq!((found.format, found.content.as_str()), (Format::Other, ""));
    assert_eq!(found.notes, [Note::Format]);
    let text = parse(&capture("http://a.test/x", "Content-Type: text/plain", b"<a href=/x>text"));
    assert_eq!(
        (text.format, text.content.as_str(), text.links.len()),
        (Format::Text, "<a href=/x>text", 0)
    );
}

#[test]
fn queries_of_links_are_in_the_encoding_of_the_page() {
    let check = |charset: &str, body: &[u8], expected: &[&str]| {
        let header = format!("Content-Type: text/html; charset={charset}");
        let found = parse(&capture("http://a.test/", &header, body));
        let links: Vec<_> = found.links.iter().map(|link| link.url.as_str()).collect();
        assert_eq!(links, expected, "{charset}");
    };
    check(
        "iso-8859-1",
        b"<a href='/caf\xE9?q=caf\xE9'>x</a>",
        &["http://a.test/caf%C3%A9?q=caf%E9"],
    );
    check("iso-8859-1", b"<a href='?q=&#9731;'>x</a>", &["http://a.test/?q=%26%239731%3B"]);
    check("utf-8", "<a href='?q=café'>x</a>".as_bytes(), &["http://a.test/?q=caf%C3%A9"]);
    check("windows-1251", b"<link rel=next href='?p=\xE4'>", &["http://a.test/?p=%E4"]);
}

#[test]
fn trouble_becomes_notes() {
    let guessed =
        parse(&capture("http://a.test/", "Content-Type: text/html", b"<p>\xE8a\xF0a \x9Aum"));
    assert!(guessed.notes.contains(&Note::CharsetGuessed));
    let replaced =
        parse(&capture("http://a.test/", "Content-Type: text/html; charset=utf-8", b"<p>\xFF"));
    assert_eq!(replaced.notes, [Note::CharsetReplaced]);
    let mut cut = capture("http://a.test/", "Content-Type: text/html", b"<p>");
    cut.truncated = Some("length".into());
    assert_eq!(parse(&cut).notes, [Note::Cut]);
    let many: String = (0..10_050).map(|i| format!("<a href=/{i}>")).collect();
    let many = page(&many);
    assert_eq!((many.links.len(), many.notes), (10_000, vec![Note::Limit]));
}

#[test]
fn hostile_markup_is_read_in_linear_time() {
    for piece in [
        "<",
        "<a",
        "<a ",
        "<!--",
        "<!",
        "</",
        "</a",
        "&",
        "&a",
        "<a href=\"",
        "<script>",
        "<title>",
        "<svg>",
        "--",
        "<div>",
        "<p><b>",
        "<script><!--",
        "<a b=c ",
        "<table><td>",
    ] {
        let html = format!("<!--x-->{}", piece.repeat(400_000 / piece.len()));
        let found = page(&html);
        assert_eq!(found.format, Format::Html, "{piece}");
    }
}

/// Text near the grammar of HTML.
fn near_html() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<",
        ">",
        "</",
        "<a",
        " href=",
        "'",
        "\"",
        "/x",
        "<p>",
        "</p>",
        "<!--",
        "-->",
        "--",
        "!",
        "<script",
        "</script",
        "<title>",
        "</title>",
        "&amp",
        "&#x",
        ";",
        "č",
        "=",
        " ",
        "<svg>",
        "<td>",
        "<li>",
        "<div class=nav>",
        "</div>",
        "<![CDATA[",
        "]]>",
        "<?",
        "text",
        "<base href=",
        "<meta charset=",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_a_page(bytes: Vec<u8>, html in near_html()) {
        let _ = parse(&capture("http://a.test/", "Content-Type: text/html", &bytes));
        let _ = parse(&capture("http://a.test/", "Content-Type: text/xml", html.as_bytes()));
        let found = page(&html);
        prop_assert_eq!(found.content, html);
    }
}
