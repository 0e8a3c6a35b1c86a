//! What a reader meets on the way through a page.

use crate::capture;
use fyke_formats::{skim_seen, skim_with_fingerprint};
use fyke_web::{SeenSkim, SkimEvent};
use proptest::prelude::*;

/// The words outside links, and those of each of the page's links.
fn read(html: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
    let (mut words, mut links) = (Vec::new(), Vec::<Vec<String>>::new());
    let SeenSkim { skim: page, order, .. } =
        skim_seen(&capture, &mut |seen: SkimEvent<'_>| match seen {
            SkimEvent::Link => links.push(Vec::new()),
            SkimEvent::Word(_, word) => words.push(word.to_owned()),
            SkimEvent::Anchor(_, word) => links.last_mut().expect("a link").push(word.to_owned()),
            _ => {}
        });
    assert_eq!(order.len(), page.links.len(), "{html}");
    (words, order.iter().map(|nth| links[*nth as usize].clone()).collect())
}

fn check(html: &str, words: &[&str], links: &[&[&str]]) {
    let found = read(html);
    assert_eq!(found.0, words, "{html}");
    assert_eq!(found.1, links, "{html}");
}

#[test]
fn words_stand_in_links_or_outside_them() {
    check("see <a href=/x>the <b>eel</b></a> there", &["see", "there"], &[&["the", "eel"]]);
    check("<title>Eels</title><a href=#top>up</a>", &["Eels", "up"], &[]);
    check("<a href=/x>a <a href=/y>b</a>", &[], &[&["a"], &["b"]]);
    check("<a href=/x><img alt='an eel'></a> of", &["of"], &[&["an", "eel"]]);
    check("<map><area href=/x alt=pond></map> by", &["by"], &[&["pond"]]);
}

#[test]
fn of_links_to_one_target_the_first_that_has_a_name_counts() {
    check(
        "<a href=/x> </a><a href=/y>a</a><a href=/x>b</a><a href=/x>c</a>",
        &[],
        &[&["b"], &["a"]],
    );
}

#[test]
fn of_a_long_page_all_links_are_read_and_a_part_of_the_text() {
    let html = "<p>some words of a text</p><a href=/x>eel</a>".repeat(1_000);
    let (words, links) = read(&html);
    assert_eq!(links, [["eel"]]);
    assert!((900..1_200).contains(&words.len()), "{}", words.len());
}

proptest! {
    #[test]
    fn who_looks_on_changes_nothing(html in "(<a href=/[ab]>|</a>|<p>|<img alt=x>|[a-z&;<]{0,5}| ){0,40}") {
        let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
        let SeenSkim { skim: seen, fingerprint, .. } = skim_seen(&capture, &mut |_: SkimEvent<'_>| {});
        let (unseen, expected) = skim_with_fingerprint(&capture);
        prop_assert_eq!((seen.links, fingerprint), (unseen.links, expected));
        read(&html);
    }
}
