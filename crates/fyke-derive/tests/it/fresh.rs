//! Fresh documents come in rounds: each can be searched at once, and the next goes on from there.

use crate::{commit, new_collection, pages, settings};
use fyke_derive::FACTS;
use fyke_derive::index::{FreshRound, freshen};
use fyke_index::Index;

#[test]
fn a_round_ends_when_it_is_enough_and_the_next_takes_up_the_rest() {
    let (_dir, collection) = new_collection();
    commit(&collection, &pages(600));
    let indexed = || Index::open_to_read(&collection.index_dir(), &FACTS).unwrap().len().unwrap();
    let round = |most: u64| freshen(&collection, &settings(), &|read| read >= most).unwrap();
    let first = round(1);
    assert!(first.has_more && (1..600).contains(&first.put), "{first:?}");
    assert_eq!(indexed(), first.put);
    let second = round(1);
    assert!(second.has_more && second.put > 0, "{second:?}");
    let last = round(u64::MAX);
    assert!(!last.has_more, "{last:?}");
    assert_eq!(round(1), FreshRound::default());
    let (_other, straight) = new_collection();
    commit(&straight, &pages(600));
    let all = freshen(&straight, &settings(), &|_| false).unwrap();
    let in_one = Index::open_to_read(&straight.index_dir(), &FACTS).unwrap().len().unwrap();
    assert_eq!((all.has_more, in_one), (false, indexed()));
}
