//! What a page says of itself: title, author, date, site.

use crate::capture;
use fyke_formats::parse;
use fyke_web::REFINERS;
use fyke_web::document::content;

/// The page says this: title, author, date, site.
fn check(head: &str, body: &str, expected: [&str; 4]) {
    let html = format!("<html><head>{head}</head><body>{body}<p>Of eels and reeds.</p></body>");
    let capture = capture("http://www.rivers.test/x", "Content-Type: text/html", html.as_bytes());
    let found = content(&capture, &parse(&capture), &REFINERS[0]);
    assert_eq!([&*found.title, &*found.author, &*found.date, &*found.site], expected, "{html}");
}

#[test]
fn linked_data_counts_more_than_meta_and_meta_more_than_marks() {
    let linked = "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"headline\":\"Eels\",\
        \"author\":{\"name\":\"Ana\"},\"datePublished\":\"2020-02-03T04:05Z\",\
        \"publisher\":{\"name\":\"River News\"}}</script>";
    let meta = "<meta property=og:title content='Of eels'><meta name=author content=Bor>\
        <meta property=article:published_time content=2021-01-01><meta property=og:site_name content=News>";
    let marks = "<h1>All about eels</h1><a rel=author href=/c>Cene</a><time datetime=2022-01-01>then</time>";
    check(&[meta, linked].concat(), marks, ["Eels", "Ana", "2020-02-03", "River News"]);
    check(meta, marks, ["Of eels", "Bor", "2021-01-01", "News"]);
    check("", marks, ["All about eels", "Cene", "2022-01-01", ""]);
}

#[test]
fn words_near_the_title_tell_what_the_markup_does_not() {
    check(
        "<title>Eels return | rivers.test</title>",
        "<h1>Eels return</h1><p class=byline>By Dora Kos</p><p>Published on 5 March 2024</p>",
        ["Eels return", "Dora Kos", "2024-03-05", ""],
    );
}

#[test]
fn what_is_broken_or_too_long_says_nothing() {
    let long = "x".repeat(5_000);
    check(
        &format!(
            "<title>Eels</title><meta name=author content={long}>\
            <script type=application/ld+json>{{\"@type\":</script><meta name=date content=soon>"
        ),
        "",
        ["Eels", "", "", ""],
    );
}
