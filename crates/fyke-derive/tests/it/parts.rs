//! What is made in parts is what is made at once.

use crate::{capture, commit, dump, id, new_collection, pages, run};
use fyke_derive::page::anchors::anchors;
use fyke_derive::whole::twins;
use fyke_derive::{Derivation, Eagerness, mark_of};
use fyke_store::Collection;
use proptest::prelude::*;

fn at_once(count: u64) -> Vec<String> {
    let (_dir, collection) = new_collection();
    commit(&collection, &pages(count));
    run(&collection, Eagerness::Exact, None);
    dump(&collection)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn pages_that_come_in_any_order_and_in_batches_give_the_same_in_the_end(
        order in Just((0..40).collect::<Vec<usize>>()).prop_shuffle(),
        batch in 1_usize..20,
        is_fresh in prop::collection::vec(any::<bool>(), 40),
    ) {
        let (_dir, collection) = new_collection();
        let all = pages(40);
        for (some, is_fresh) in order.chunks(batch).zip(is_fresh) {
            let some: Vec<_> = some.iter().map(|at| all[*at].clone()).collect();
            commit(&collection, &some);
            run(&collection, if is_fresh { Eagerness::Fresh } else { Eagerness::Usual }, None);
        }
        run(&collection, Eagerness::Exact, None);
        for (found, expected) in dump(&collection).iter().zip(at_once(40)) {
            prop_assert_eq!(found, &expected);
        }
    }
}

fn texts(collection: &Collection, url: &str) -> Vec<String> {
    let found = anchors(&collection.cells(), id(url)).unwrap();
    found.into_iter().map(|(_, anchor)| anchor.text).collect()
}

#[test]
fn a_page_that_is_read_again_takes_back_what_it_called_others() {
    let (_dir, collection) = new_collection();
    let page = |time, links: &str| {
        let capture = capture("http://a.test/", time, &format!("<p>some words</p>{links}"));
        commit(&collection, &[capture]);
        run(&collection, Eagerness::Usual, None);
    };
    page(1, "<a href=/b>bee</a><a href=/c>sea</a><a rel=nofollow href=/d>dee</a>");
    assert_eq!(texts(&collection, "http://a.test/b"), ["bee"]);
    assert_eq!(texts(&collection, "http://a.test/c"), ["sea"]);
    assert_eq!(texts(&collection, "http://a.test/d"), [""; 0]);
    page(2, "<a href=/c>see</a><a href=/d>dee</a>");
    assert_eq!(texts(&collection, "http://a.test/b"), [""; 0]);
    assert_eq!(texts(&collection, "http://a.test/c"), ["see"]);
    assert_eq!(texts(&collection, "http://a.test/d"), ["dee"]);
}

#[test]
fn one_derivation_is_made_anew_alone_with_what_depends_on_it() {
    let (_dir, collection) = new_collection();
    commit(&collection, &pages(30));
    run(&collection, Eagerness::Usual, None);
    let expected = dump(&collection);
    let made = |name: &str| {
        let row = Derivation::named(name).unwrap();
        mark_of(&collection.cells(), row).unwrap().made
    };
    let names = ["rights", "twins", "reasons", "compounds", "ranks", "topics", "corpus"];
    let before = names.map(made);
    run(&collection, Eagerness::Usual, Some("twins"));
    let changed: Vec<_> =
        names.into_iter().zip(before).filter(|(name, before)| made(name) != *before).collect();
    let changed: Vec<_> = changed.into_iter().map(|(name, _)| name).collect();
    assert_eq!(changed, ["twins", "reasons", "ranks", "topics", "corpus"]);
    for name in ["print", "anchors", "rights"] {
        run(&collection, Eagerness::Usual, Some(name));
    }
    assert_eq!(dump(&collection), expected);
}

#[test]
fn copies_are_found_and_nothing_runs_twice() {
    let (_dir, collection) = new_collection();
    commit(&collection, &pages(30));
    run(&collection, Eagerness::Usual, None);
    let of = |n: u64| {
        let twin = twins::twin(&collection, id(&format!("http://a.test/{n}"))).unwrap();
        twin.map(|twin| twin.of)
    };
    assert_eq!(of(9), Some(id("http://a.test/8")));
    assert_eq!(of(3), Some(id("http://a.test/4")), "4 is named as canonical");
    let number = collection.cells().number();
    run(&collection, Eagerness::Exact, None);
    assert_eq!(collection.cells().number(), number, "there was nothing to do");
}
