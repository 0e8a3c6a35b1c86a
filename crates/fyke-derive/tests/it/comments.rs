//! Links that readers set pass neither rank nor anchor text (003 §4.5.3).

use crate::{capture, commit, id, new_collection, run};
use fyke_derive::Eagerness;
use fyke_derive::page::anchors::anchors;
use fyke_derive::whole::graph::{self, RANKS};
use fyke_store::Collection;

const A: &str = "http://a.test/post";
const B: &str = "http://b.test/post";

/// A collection of pages with words of their own.
fn web(pages: &[(&str, &str)]) -> (tempfile::TempDir, Collection) {
    let (dir, collection) = new_collection();
    let page = |(at, (url, html)): (usize, &(&str, &str))| {
        let own: String = (0..40).map(|n| format!("{at}word{n} ")).collect();
        capture(url, 1, &format!("<p>{own}</p>{html}"))
    };
    let captures: Vec<_> = pages.iter().enumerate().map(page).collect();
    commit(&collection, &captures);
    run(&collection, Eagerness::Exact, None);
    (dir, collection)
}

fn rank(collection: &Collection, url: &str) -> f64 {
    collection.cells().get(&RANKS, id(url)).unwrap().unwrap()
}

fn called(collection: &Collection, url: &str) -> Vec<String> {
    let found = anchors(&collection.cells(), id(url)).unwrap();
    found.into_iter().map(|(_, anchor)| anchor.text).collect()
}

/// Figure 4.12: post a is about post b, which has a trackback to a.
#[test]
fn the_cycle_of_a_trackback_is_broken_at_the_trackback_and_not_at_the_post() {
    for trackback in [
        "<ul class=trackbacks><li><a href=http://a.test/post>About eels</a></ul>",
        "<h3>Trackbacks</h3><ul><li><a href=http://a.test/post>About eels</a></ul>",
        "<ol class=commentlist><li class=pingback><a href=http://a.test/post>About eels</a></ol>",
    ] {
        let (_dir, collection) =
            web(&[(A, "<p>See <a href=http://b.test/post>the eel of b</a>"), (B, trackback)]);
        let (a, b) = (rank(&collection, A), rank(&collection, B));
        assert!(b > 1.5 * a, "{a} and {b}: {trackback}");
        assert_eq!(called(&collection, B), ["the eel of b"], "{trackback}");
        assert!(called(&collection, A).is_empty(), "{trackback}");
    }
    // The same link in the text of the post: each is as influential as the other.
    let (_dir, collection) = web(&[
        (A, "<p>See <a href=http://b.test/post>the eel of b</a>"),
        (B, "<p>See <a href=http://a.test/post>the eel of a</a>"),
    ]);
    assert!((rank(&collection, A) - rank(&collection, B)).abs() < 1e-6);
    assert_eq!(called(&collection, A), ["the eel of a"]);
}

#[test]
fn a_link_in_a_comment_ranks_its_target_as_if_it_were_not_there() {
    let comment = "<p><a href=http://good.test/>a good page</a>\
                   <ol class=commentlist><li id=comment-1><p>Nice! <a href=http://spam.test/>watches</a>\
                   </ol>";
    let (_dir, collection) = web(&[
        ("http://popular.test/", comment),
        ("http://fan.test/", "<a href=http://popular.test/>popular</a>"),
        ("http://good.test/", ""),
        ("http://spam.test/", ""),
    ]);
    let figures = graph::last(&collection).unwrap().unwrap();
    assert_eq!((figures.links, figures.comments, figures.nofollow), (2, 1, 0));
    let worst = figures.ranks.last().unwrap();
    assert!(["http://spam.test/", "http://fan.test/"].contains(&worst.url.as_str()), "{figures:?}");
    assert_eq!(rank(&collection, "http://spam.test/"), rank(&collection, "http://fan.test/"));
    assert!(called(&collection, "http://spam.test/").is_empty());
}

#[test]
fn what_an_author_links_to_counts_though_a_reader_links_there_too() {
    let html = "<ol class=commentlist><li><a href=http://b.test/post>by a reader</a></ol>\
                <p><a href=http://b.test/post>by the author</a>";
    let (_dir, collection) = web(&[(A, html), (B, "")]);
    assert_eq!(called(&collection, B), ["by the author"]);
    // But not where the author asks that the link be left alone.
    let html = "<p><a rel=nofollow href=http://b.test/post>by the author</a>\
                <ol class=commentlist><li><a href=http://b.test/post>by a reader</a></ol>";
    let (_dir, collection) = web(&[(A, html), (B, "")]);
    assert!(called(&collection, B).is_empty());
    assert_eq!(rank(&collection, A), rank(&collection, B));
}
