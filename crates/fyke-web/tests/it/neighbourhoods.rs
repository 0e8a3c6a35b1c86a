//! What stands around a link.

use crate::capture;
use fyke_formats::{neighbourhoods, skim};
use fyke_web::Neighbourhood;
use proptest::prelude::*;

/// Checks the neighbourhood of the last link: anchor, before, after, heading.
fn check(html: &str, [anchor, before, after, heading]: [&str; 4]) {
    let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
    let around = neighbourhoods(&capture);
    let found = around.of(around.links.len() - 1);
    assert_eq!(found, Neighbourhood { anchor, before, after, heading }, "{html}");
}

#[test]
fn a_link_stands_between_its_words_under_a_heading() {
    check("see <a href=/x>the <b>eel</b></a> there", ["the eel", "see", "there", ""]);
    check(
        "<h1>Fish</h1><p>all</p><ul><li>an <a href=/x>eel</a>, long<li>more</ul>",
        ["eel", "Fish\nall\nan", ", long\nmore", "Fish"],
    );
    check("<h2>Old</h2>a<h2>New</h2><a href=/x>b</a>", ["b", "Old\na\nNew", "", "New"]);
    check("<a href=/x>open <a href=/y>next</a>", ["next", "open", "", ""]);
    check("<a href=/x><img src=i alt='an &amp; eel'></a>", ["an & eel", "", "", ""]);
    check("<map><area href=/x alt=pond></map> by", ["pond", "", "by", ""]);
    check("<title>no</title><script>no</script><a href=/x>b</a>", ["b", "", "", ""]);
}

#[test]
fn of_links_to_one_target_the_first_with_an_anchor_counts() {
    check("<a href=/x></a> a <a href=/x>b</a> c <a href=/x>d</a>", ["b", "a", "c d", ""]);
}

#[test]
fn what_lies_between_two_links_is_near_one_or_the_other() {
    let far = "far away ".repeat(200);
    let html = format!("<a href=/x>x</a> behind x<p>{far}<p>\nbefore <b>y</b>\n<a href=/y>y</a>");
    let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
    let around = neighbourhoods(&capture);
    assert!(around.of(0).after.starts_with("behind x\nfar away far"), "{:?}", around.of(0));
    assert!(around.of(1).before.ends_with("far away\nbefore y"), "{:?}", around.of(1));
    let frames = format!("<frame src=/x>{far}<h2>top</h2>{far}<a href=/y>y</a>");
    check(&frames, ["y", "far away ".repeat(18)[2..].trim(), "", "top"]);
}

#[test]
fn neighbourhoods_are_bounded() {
    let words = "č ".repeat(500);
    let html = format!("<h1>{words}</h1>{words}<a href=/x>{words}</a>{words}");
    let capture =
        capture("http://a.test/", "Content-Type: text/html; charset=utf-8", html.as_bytes());
    let found = neighbourhoods(&capture);
    let found = found.of(0);
    for text in [found.anchor, found.before, found.after, found.heading] {
        assert!((100..=200).contains(&text.len()), "{text}");
    }
}

proptest! {
    #[test]
    fn every_link_has_a_neighbourhood_whatever_the_markup(
        html in prop::collection::vec(
            prop::sample::select(vec![
                "<a href=/x>", "<a href=/y>", "</a>", "<h1>", "</h1>", "<li>", "č", " word ", "&amp", "<",
                "<img alt=i>", "<area href=/z alt=z>", "<title>", "</title>",
            ]),
            0..40,
        )
    ) {
        let capture = capture("http://a.test/", "Content-Type: text/html", html.concat().as_bytes());
        let around = neighbourhoods(&capture);
        for link in 0..=around.links.len() {
            let _ = around.of(link);
        }
        let plain = skim(&capture);
        prop_assert_eq!((plain.title, plain.links), (around.title, around.links));
    }
}
