//! The index's folder: written, read by others meanwhile, opened again, refused when old.

use fyke_index::{
    DocumentWriter, Entry, Fact, FactSignal, FactValue, Index, IndexError, Query, Ranker,
    SearchOptions,
};
use proptest::prelude::*;

use crate::corpus::{corpus, put_all};

const POND: &str = "
    1 a.test en Eels: Eels live in the pond and in the river
    2 a.test en Carp: Carp live in the pond
    3 b.test en Nets: A fyke is a net for eels
";

#[test]
fn an_entry_with_the_same_id_replaces_the_old_one() {
    let pond = corpus(POND);
    let mut writer = pond.index.writer().unwrap();
    put_all(&mut writer, "1 a.test en Trout: Trout live in the brook");
    writer.commit("").unwrap();
    pond.check("eels", &[3]);
    pond.check("trout", &[1]);
    assert_eq!(pond.index.len().unwrap(), 3);
}

#[test]
fn of_two_entries_with_one_id_in_one_commit_the_later_stays() {
    let pond = corpus("1 a.test en x: eel\n 1 a.test en x: carp");
    pond.check("eel", &[]);
    pond.check("carp", &[1]);
}

#[test]
fn a_deleted_entry_is_not_found() {
    let pond = corpus(POND);
    let mut writer = pond.index.writer().unwrap();
    writer.delete(3).unwrap();
    writer.delete(99).unwrap();
    writer.commit("").unwrap();
    pond.check("eels", &[1]);
    pond.check("site:b.test", &[]);
    pond.check("-carp", &[1]);
}

#[test]
fn the_mark_is_kept_with_the_commit() {
    let pond = corpus(POND);
    let mut writer = pond.index.writer().unwrap();
    writer.commit("seen up to 17").unwrap();
    put_all(&mut writer, "4 a.test en x: lost");
    drop(writer);
    assert_eq!(pond.index.mark(), "seen up to 17");
    let again = Index::open(pond.dir.path()).unwrap();
    assert_eq!(again.mark(), "seen up to 17");
    assert_eq!(again.len().unwrap(), 3);
    assert_eq!(again.writer().unwrap().commit("18").map(|()| again.mark()).unwrap(), "18");
}

#[test]
fn what_is_not_committed_is_not_seen_and_a_commit_is_seen_at_once() {
    let pond = corpus(POND);
    let other = Index::open(pond.dir.path()).unwrap();
    let mut writer = pond.index.writer().unwrap();
    put_all(&mut writer, "4 c.test en x: pike");
    for index in [&pond.index, &other] {
        assert_eq!(index.len().unwrap(), 3);
    }
    writer.commit("").unwrap();
    for index in [&pond.index, &other] {
        let found = index.search(&Query::parse("pike"), &SearchOptions::default()).unwrap();
        assert_eq!(found.hits[0].id, 4);
    }
}

#[test]
fn there_is_one_writer() {
    let pond = corpus(POND);
    let _writer = pond.index.writer().unwrap();
    let other = Index::open(pond.dir.path()).unwrap();
    assert!(matches!(other.writer(), Err(IndexError::Locked(_))));
}

#[test]
fn an_index_of_another_make_is_old() {
    let pond = corpus(POND);
    let format = pond.dir.path().join("format.txt");
    let text = std::fs::read_to_string(&format).unwrap();
    std::fs::write(&format, text.replace("čakanje", "cakanje")).unwrap();
    assert!(matches!(Index::open(pond.dir.path()), Err(IndexError::Old(_))));
    std::fs::remove_file(&format).unwrap();
    assert!(matches!(Index::open(pond.dir.path()), Err(IndexError::Old(_))));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_of_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Index::open(&file.join("index")).unwrap_err();
    assert!(matches!(error, IndexError::Disk { .. }), "{error}");
}

#[test]
fn damaged_files_are_an_error() {
    let pond = corpus(POND);
    std::fs::write(pond.dir.path().join("meta.json"), "{").unwrap();
    assert!(pond.index.len().is_err());
    assert!(Index::open(pond.dir.path()).is_err());
}

#[test]
fn many_small_commits_stay_few_segments() {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    for id in 0..20 {
        writer.put(&Entry { id, body: "eel", ..Entry::default() }).unwrap();
        writer.commit(&id.to_string()).unwrap();
    }
    assert_eq!(index.mark(), "19");
    assert_eq!(index.len().unwrap(), 20);
    let files = std::fs::read_dir(dir.path()).unwrap();
    let stores = files.filter(|file| {
        file.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "store")
    });
    assert!(stores.count() < 8);
}

const SPAM: &[Fact] = &[Fact {
    name: "spam",
    what: "how likely it is spam",
    signal: Some(FactSignal { weight: 1.0, curve: |spam| -spam as f32 }),
    filter: true,
    ..Fact::NUMBER
}];

const BODIES: [&str; 8] = [
    "eel",
    "eel pond eels",
    "carp pond river",
    "pond",
    "river eel carp net",
    "a net in a river",
    "nets for eels and carp",
    "Häuser am Teich und Netze am Fluss",
];

/// What may become of an id: put so, or deleted.
#[derive(Clone, Copy, Debug)]
struct Step {
    id: u64,
    seed: u64,
    is_put: bool,
    is_committed: bool,
}

fn put(writer: &mut DocumentWriter, id: u64, seed: u64) {
    let at = seed as usize;
    let (body, title) = (BODIES[at % 8], ["pond", "eel", ""][at % 3]);
    let (language, host) = (["en", "de", "fr", ""][at % 4], ["eel.test", "b.test"][at % 2]);
    let spam = [("spam", FactValue::Number(seed as f64 / 100.0))];
    let facts = if at.is_multiple_of(5) { &[][..] } else { &spam };
    let date = (!at.is_multiple_of(3)).then_some(19_000 + seed as i64);
    let page =
        Entry { id, url: "http://eel.test/", body, title, language, host, ..Entry::default() };
    writer.put(&Entry { date, facts, anchors: title, rank: seed as f64, ..page }).unwrap();
}

/// A hit with its score and all that was summed up for it, to the last bit.
type Found = (u64, u32, Vec<(String, u32)>);

/// Every hit of some queries.
fn found(index: &Index) -> Vec<Found> {
    let weights = Ranker::parse_with("freshness=0.7 spam=0.5", SPAM).unwrap().weights;
    let options = SearchOptions { limit: 100, explain: true, weights, ..SearchOptions::default() };
    let queries = ["eel river pond", "nets", "\"eel pond\" carp", "-carp", "spam:>0.3 net", "haus"];
    let hits = queries.iter().flat_map(|query| {
        let query = index.query(query);
        index.search(&query, &options).unwrap().hits
    });
    let bits = |(name, amount): &(String, f32)| (name.clone(), amount.to_bits());
    hits.map(|hit| (hit.id, hit.score.to_bits(), hit.explain.iter().map(bits).collect())).collect()
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0_u64..40, 0_u64..100, 0_u8..5, 0_u8..6);
    let step = step.prop_map(|(id, seed, put, commit)| Step {
        id,
        seed,
        is_put: put > 0,
        is_committed: commit == 0,
    });
    proptest::collection::vec(step, 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn an_index_brought_up_to_date_ranks_as_one_made_anew(steps in steps()) {
        let history = tempfile::tempdir().unwrap();
        let index = Index::open_with(history.path(), SPAM).unwrap();
        let reader = Index::open_to_read(history.path(), SPAM).unwrap();
        let mut writer = index.writer().unwrap();
        let mut live = std::collections::BTreeMap::new();
        for step in steps {
            if step.is_put {
                put(&mut writer, step.id, step.seed);
                live.insert(step.id, step.seed);
            } else {
                writer.delete(step.id).unwrap();
                live.remove(&step.id);
            }
            if step.is_committed {
                writer.commit("").unwrap();
                // Takes up what changed since the commit before.
                found(&reader);
            }
        }
        writer.commit("").unwrap();
        let fresh = tempfile::tempdir().unwrap();
        let rebuilt = Index::open_with(fresh.path(), SPAM).unwrap();
        let mut writer = rebuilt.writer().unwrap();
        live.iter().rev().for_each(|(id, seed)| put(&mut writer, *id, *seed));
        writer.commit("").unwrap();
        let expected = found(&rebuilt);
        prop_assert_eq!(&found(&index), &expected);
        prop_assert_eq!(&found(&reader), &expected);
        prop_assert_eq!(index.languages().unwrap(), rebuilt.languages().unwrap());
    }
}
