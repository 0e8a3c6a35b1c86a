//! The ledger against a map in memory, from several threads, cut short, damaged, without power.

use crate::captures::cases;
use crate::{check_counts, check_holds, new_collection, round, row, url, warc};
use fyke_store::{Collection, HostRow, Known, Listed, Position, Reason, RobotsCopy, Row};
use fyke_web::UrlId;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[derive(Clone, Debug)]
enum Step {
    Find(u64, Reason),
    /// With or without the caller's knowledge of what stood before.
    Put(u64, Reason, bool),
    /// Changes URL and parent as well.
    Rewrite(u64, Reason),
    Host(u8, u64),
    Sync,
    Settle,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    // Three of them are refusals for the way a URL was found.
    let reasons = [
        Reason::Kept,
        Reason::Queued,
        Reason::DupExact,
        Reason::Nofollow,
        Reason::ScopeDepth,
        Reason::ScopeSubject,
    ];
    let (n, reason) = (0u64..25, prop::sample::select(reasons.to_vec()));
    prop_oneof![
        8 => (n.clone(), reason.clone()).prop_map(|(n, r)| Step::Find(n, r)),
        8 => (n.clone(), reason.clone(), any::<bool>()).prop_map(|(n, r, b)| Step::Put(n, r, b)),
        2 => (n, reason).prop_map(|(n, r)| Step::Rewrite(n, r)),
        3 => (0u8..3, 0u64..100).prop_map(|(host, pages)| Step::Host(host, pages)),
        3 => Just(Step::Sync),
        1 => Just(Step::Settle),
        2 => Just(Step::Reopen),
    ]
}

type Model = (BTreeMap<UrlId, (Position, Row)>, BTreeMap<String, HostRow>);

fn host_row(pages: u64) -> HostRow {
    let body = vec![b'x'; pages as usize / 10];
    let robots = (pages > 20).then_some(RobotsCopy { fetched: 1, status: 200, body });
    HostRow { robots, pages, waits: "waits".into(), ..HostRow::default() }
}

fn check_model(collection: &Collection, model: &Model) {
    let rows = collection.ledger.rows().map(Result::unwrap).collect::<BTreeMap<_, _>>();
    let expected = model.0.iter().map(|(id, (_, row))| (*id, row.clone())).collect();
    assert_eq!(rows, expected);
    for (id, (position, row)) in &model.0 {
        assert_eq!(collection.ledger.get(*id).unwrap().as_ref(), Some(row));
        assert_eq!(collection.ledger.at(*position).unwrap(), Some((*id, row.clone())));
    }
    for n in 0..30 {
        let id = url(n).id();
        let known = collection.ledger.known(id).unwrap();
        assert_eq!(known, known_by(model, id));
    }
    let hosts = collection.ledger.hosts().map(Result::unwrap).collect::<BTreeMap<_, _>>();
    let bare = |host: &HostRow| HostRow { robots: None, ..host.clone() };
    assert_eq!(hosts, model.1.iter().map(|(name, host)| (name.clone(), bare(host))).collect());
    for (name, host) in &model.1 {
        let ledger = &collection.ledger;
        assert_eq!(ledger.host(name).unwrap().as_ref(), Some(host));
        assert_eq!(ledger.host_without_robots(name).unwrap(), Some(bare(host)));
    }
    check_counts(collection);
}

fn known_by(model: &Model, id: UrlId) -> Known {
    model.0.get(&id).map_or(Known::No, |(_, row)| Known::under(row.reason))
}

fn put(collection: &Collection, model: &mut Model, n: u64, new: Row, knows: bool) {
    let id = url(n).id();
    let before = model.0.get(&id).map(|(position, row)| (*position, row.reason));
    let position = collection.ledger.put(id, before.filter(|_| knows), &new).unwrap();
    model.0.insert(id, (position, new));
}

fn take(collection: &mut Collection, root: &Path, step: &Step, now: &mut Model, safe: &mut Model) {
    match *step {
        Step::Find(n, reason) => {
            let (id, new) = (url(n).id(), row(n, reason));
            let position = collection.ledger.find(id, &new).unwrap();
            assert_eq!(position.is_some(), known_by(now, id) < Known::under(reason));
            now.0.extend(position.map(|position| (id, (position, new))));
        }
        Step::Put(n, reason, knows) => {
            let old = now.0.get(&url(n).id()).map(|(_, row)| row.clone());
            let mut new = old.unwrap_or_else(|| row(n, Reason::Queued));
            (new.reason, new.tries) = (reason, new.tries + 1);
            new.redirect = (reason == Reason::DupExact).then(|| "http://b.test/".to_owned());
            put(collection, now, n, new, knows);
        }
        Step::Rewrite(n, reason) => {
            let mut new = row(n, reason);
            new.url.push_str("#again");
            put(collection, now, n, new, false);
        }
        Step::Host(host, pages) => {
            let name = format!("{host}.test");
            collection.ledger.put_host(&name, &host_row(pages)).unwrap();
            let kept = now.1.remove(&name).and_then(|host| host.robots);
            let mut row = host_row(pages);
            row.robots = row.robots.or(kept);
            now.1.insert(name, row);
        }
        Step::Sync => {
            collection.sync().unwrap();
            *safe = now.clone();
        }
        Step::Settle => {
            collection.settle().unwrap();
            *safe = now.clone();
        }
        Step::Reopen => {
            let elsewhere = new_collection().1;
            drop(std::mem::replace(collection, elsewhere));
            *collection = Collection::open(root).unwrap();
            *now = safe.clone();
            check_model(collection, now);
        }
    }
}

#[test]
fn a_ledger_is_a_map_of_what_was_synced() {
    proptest!(cases(12), |(steps in prop::collection::vec(step(), 0..120))| {
        let (dir, mut collection) = new_collection();
        let (mut now, mut safe) = (Model::default(), Model::default());
        for step in &steps {
            take(&mut collection, dir.path(), step, &mut now, &mut safe);
        }
        check_model(&collection, &now);
    });
}

#[test]
fn of_many_threads_one_finds_each_url() {
    let (dir, collection) = new_collection();
    let found: usize = std::thread::scope(|scope| {
        let find = || {
            (0..3_000)
                .filter(|&n| {
                    let found =
                        collection.ledger.find(url(n).id(), &row(n, Reason::Queued)).unwrap();
                    if n % 500 == 0 {
                        collection.sync().unwrap();
                    }
                    found.is_some()
                })
                .count()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(find)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(found, 3_000);
    collection.sync().unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(collection.ledger.len(), 3_000);
    check_counts(&collection);
}

#[test]
fn a_group_is_never_committed_in_part() {
    let (dir, collection) = new_collection();
    let put_pair = |n: u64| {
        collection.group(|| {
            for m in [2 * n, 2 * n + 1] {
                collection.ledger.find(url(m).id(), &row(m, Reason::Queued)).unwrap();
            }
        });
    };
    // One pair before the syncs begin: however the threads are scheduled, there is something to commit.
    put_pair(0);
    std::thread::scope(|scope| {
        let syncs = scope.spawn(|| (0..200).for_each(|_| collection.sync().unwrap()));
        let mut n = 1;
        while !syncs.is_finished() {
            put_pair(n);
            n += 1;
        }
    });
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    let urls = collection.ledger.len();
    assert!(urls > 0 && urls.is_multiple_of(2), "{urls} URLs");
}

#[test]
fn settling_again_writes_nothing() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    collection.settle().unwrap();
    let before = (files(dir.path()), runs(dir.path()));
    collection.settle().unwrap();
    assert_eq!((files(dir.path()), runs(dir.path())), before);
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    collection.settle().unwrap();
    assert_eq!((files(dir.path()), runs(dir.path())), before);
    check_holds(&collection, 1);
}

fn runs(root: &Path) -> usize {
    fs::read_dir(root.join("ledger/urls")).unwrap().count()
}

#[test]
fn an_unchanged_robots_copy_is_written_once() {
    let (dir, collection) = new_collection();
    let robots = Some(RobotsCopy { fetched: 1, status: 200, body: vec![b'r'; 100_000] });
    for pages in 0..50 {
        let host = HostRow { robots: robots.clone(), pages, ..HostRow::default() };
        collection.ledger.put_host("a.test", &host).unwrap();
    }
    collection.sync().unwrap();
    assert!(fs::metadata(log(dir.path())).unwrap().len() < 120_000);
    assert_eq!(collection.ledger.host("a.test").unwrap().unwrap().robots, robots);
}

#[test]
fn the_trouble_of_a_side_is_told_with_its_host_and_is_no_host_of_its_own() {
    let (dir, collection) = new_collection();
    let row = |not_before, failures, waits: &str| HostRow {
        not_before,
        failures,
        waits: waits.to_owned(),
        ..HostRow::default()
    };
    let robots = Some(RobotsCopy { fetched: 1, status: 200, body: b"Disallow:".to_vec() });
    collection.ledger.put_host("a.test", &HostRow { pages: 7, ..row(5, 0, "") }).unwrap();
    let secure = HostRow { robots: robots.clone(), ..HostRow::default() };
    collection.ledger.put_side("a.test", true, &secure).unwrap();
    collection.ledger.put_side("a.test", true, &row(9, 3, "back-off: refused")).unwrap();
    collection.ledger.put_side("a.test", false, &row(2, 1, "")).unwrap();
    collection.sync().unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    let hosts: Vec<_> = collection.ledger.hosts().map(Result::unwrap).collect();
    assert_eq!(hosts, [("a.test".to_owned(), HostRow { pages: 7, ..row(5, 0, "") })]);
    assert_eq!(collection.ledger.secure_robots("a.test").unwrap(), robots, "it stays");
    assert_eq!(collection.ledger.side("a.test", false).unwrap(), Some(row(2, 1, "")));
    let told = collection.ledger.with_sides("a.test", hosts[0].1.clone()).unwrap();
    assert_eq!(told, HostRow { pages: 7, ..row(9, 3, "back-off: refused") });
}

#[test]
fn a_missing_index_is_made_again() {
    let (dir, collection) = new_collection();
    (0..4).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    collection.settle().unwrap();
    (4..6).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    drop(collection);
    for (name, damage) in [("urls", false), ("hosts", true), ("urls", true), ("hosts", false)] {
        let folder = dir.path().join("ledger").join(name);
        match damage {
            true => fs::write(folder.join("manifest"), "no manifest").unwrap(),
            false => fs::remove_dir_all(folder).unwrap(),
        }
        let collection = Collection::open(dir.path()).unwrap();
        check_holds(&collection, 6);
        collection.settle().unwrap();
    }
}

fn log(root: &Path) -> std::path::PathBuf {
    root.join("ledger/log/00000.log")
}

/// The files of a collection at one moment.
fn files(root: &Path) -> [Vec<u8>; 3] {
    [log(root), warc(root), root.join("ledger/acknowledged")].map(|path| fs::read(path).unwrap())
}

/// A collection's folder with these files.
fn with_files([log_bytes, captures, acknowledged]: [&[u8]; 3]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("ledger/log")).unwrap();
    fs::create_dir_all(dir.path().join("captures")).unwrap();
    fs::write(dir.path().join("fyke.toml"), "").unwrap();
    fs::write(log(dir.path()), log_bytes).unwrap();
    fs::write(warc(dir.path()), captures).unwrap();
    fs::write(dir.path().join("ledger/acknowledged"), acknowledged).unwrap();
    dir
}

/// A collection after two rounds and after three.
fn two_and_three() -> ([Vec<u8>; 3], [Vec<u8>; 3]) {
    let (dir, collection) = new_collection();
    (0..2).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    let two = files(dir.path());
    collection.commit(round(2)).unwrap();
    (two, files(dir.path()))
}

#[test]
fn a_log_cut_at_any_byte_holds_what_was_acknowledged() {
    let (two, three) = two_and_three();
    let bytes = two[0].len()..three[0].len();
    // Every byte of the last record, and every fifth of those before.
    let cuts = bytes.clone().filter(|cut| cut % 5 == 0 || cut + 70 > bytes.end);
    for cut in cuts {
        let dir = with_files([&three[0][..cut], &three[1], &two[2]]);
        let collection = Collection::open(dir.path()).unwrap();
        check_holds(&collection, 2);
        assert_eq!(fs::metadata(log(dir.path())).unwrap().len(), two[0].len() as u64);
    }
    for cut in (0..two[0].len()).step_by(31) {
        let dir = with_files([&two[0][..cut], &two[1], &two[2]]);
        let error = Collection::open(dir.path()).unwrap_err();
        assert!(error.to_string().contains("more was acknowledged"), "{cut}: {error}");
        assert_eq!(fs::read(warc(dir.path())).unwrap(), two[1], "captures were cut");
    }
}

#[test]
fn a_power_cut_leaves_whole_rounds_whatever_was_not_synced() {
    let (two, three) = two_and_three();
    let new = two[0].len()..three[0].len();
    proptest!(cases(60), |(
        lost in prop::collection::vec((new.clone(), 1usize..200), 0..4),
        captures in two[1].len()..=three[1].len(),
        stale in any::<bool>(),
    )| {
        let mut bytes = three[0].clone();
        for (at, length) in &lost {
            let end = (at + length).min(bytes.len());
            bytes[*at..end].fill(0);
        }
        let is_whole = bytes == three[0];
        // The log is synced after the captures: when it is whole, so are they.
        let captures = if is_whole { three[1].len() } else { captures };
        let acknowledged: &[u8] = if stale { &[] } else { &two[2] };
        let dir = with_files([&bytes, &three[1][..captures], acknowledged]);
        let collection = Collection::open(dir.path()).unwrap();
        check_holds(&collection, if is_whole { 3 } else { 2 });
        // And it goes on from there.
        collection.commit(round(if is_whole { 3 } else { 2 })).unwrap();
        drop(collection);
        check_holds(&Collection::open(dir.path()).unwrap(), if is_whole { 4 } else { 3 });
    });
}

#[test]
fn a_flipped_byte_is_named_and_the_rest_is_readable() {
    let (_, three) = two_and_three();
    for at in (8..three[0].len()).step_by(23) {
        let mut bytes = three[0].clone();
        bytes[at] ^= 0x04;
        let dir = with_files([&bytes, &three[1], &three[2]]);
        let collection = match Collection::open(dir.path()) {
            Ok(collection) => collection,
            Err(error) => panic!("byte {at}: {error}"),
        };
        let rows = collection.ledger.rows().map(|row| row.unwrap().0).collect::<Vec<_>>();
        assert!(rows.len() >= 7, "byte {at}: {} of 9 rows are left", rows.len());
        let all = (0..3).chain(1_000..1_006).map(|n| url(n).id());
        let known = all.filter(|id| collection.ledger.get(*id).unwrap().is_some()).count();
        assert!(known >= 7, "byte {at}: {known} of 9 rows are left");
        collection.ledger.hosts().for_each(|host| drop(host.unwrap()));
        // Named once, however often it was met.
        let damage = collection.ledger.damage();
        let is_named = |what: &String| what.contains("00000.log is damaged: record at byte");
        assert!(damage.len() == 1 && damage.iter().all(is_named), "byte {at}: {damage:?}");
        // What follows the damage can be written and read.
        collection.commit(round(7)).unwrap();
        drop(collection);
        let collection = Collection::open(dir.path()).unwrap();
        assert!(collection.ledger.get(url(7).id()).unwrap().is_some());
    }
}

#[test]
fn what_a_sitemap_said_stays_with_its_url() {
    let (dir, collection) = new_collection();
    let said = |priority| Some(Listed { priority: Some(priority), ..Listed::default() });
    let ids = [1, 2].map(|n| url(n).id());
    let listed = Row { listed: said(80), ..row(1, Reason::Queued) };
    let found = collection.ledger.find(ids[0], &listed).unwrap().unwrap();
    // A caller that knows nothing of it leaves it as it is, by each way to put a row.
    let before = Some((found, Reason::Queued));
    collection.ledger.put(ids[0], before, &row(1, Reason::Kept)).unwrap();
    let moved = Row { parent: None, ..row(1, Reason::Kept) };
    collection.ledger.put(ids[0], None, &moved).unwrap();
    collection.ledger.find(ids[1], &row(2, Reason::Queued)).unwrap();
    let listed = Row { listed: said(30), ..row(2, Reason::Queued) };
    collection.ledger.put(ids[1], None, &listed).unwrap();
    collection.sync().unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    let kept = ids.map(|id| collection.ledger.get(id).unwrap().unwrap().listed);
    assert_eq!(kept, [said(80), said(30)]);
}

#[test]
fn an_update_changes_the_row_that_stands_when_it_is_written() {
    let (dir, collection) = new_collection();
    let (ledger, id) = (&collection.ledger, url(1).id());
    let mut seen = Vec::new();
    let listed = Some(Listed { priority: Some(50), ..Listed::default() });
    assert_eq!(ledger.update(id, |_| panic!("it is not known")).unwrap(), None);
    ledger.find(id, &row(1, Reason::Queued)).unwrap();
    let position = ledger.update(id, |row| {
        if seen.is_empty() {
            // Another thread writes just now.
            ledger.put(id, None, &crate::row(1, Reason::Kept)).unwrap();
        }
        seen.push(row.reason);
        row.listed.clone_from(&listed);
        true
    });
    assert_eq!(ledger.position(id).unwrap(), position.unwrap());
    assert_eq!(seen, [Reason::Queued, Reason::Kept]);
    let expected = Row { listed, ..row(1, Reason::Kept) };
    assert_eq!(ledger.get(id).unwrap(), Some(expected.clone()));
    assert_eq!(ledger.update(id, |_| false).unwrap(), None);
    check_counts(&collection);
    collection.sync().unwrap();
    drop(collection);
    assert_eq!(Collection::open(dir.path()).unwrap().ledger.get(id).unwrap(), Some(expected));
}

#[test]
fn a_url_is_told_as_it_stood_before_newest_first() {
    let (dir, collection) = new_collection();
    let (ledger, id) = (&collection.ledger, url(1).id());
    assert_eq!(ledger.history(id, 9).unwrap(), []);
    let mut told = vec![row(1, Reason::Queued)];
    ledger.find(id, &told[0]).unwrap();
    for (tries, reason) in [(1, Reason::Queued), (2, Reason::Timeout), (3, Reason::Kept)] {
        told.insert(0, Row { tries, ..row(1, reason) });
        ledger.put(id, None, &told[0]).unwrap();
        ledger.find(url(2).id(), &row(2, Reason::Queued)).unwrap();
    }
    // One that holds the whole row again.
    told.insert(0, Row { parent: None, ..told[0].clone() });
    ledger.put(id, None, &told[0]).unwrap();
    collection.sync().unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    let ledger = &collection.ledger;
    assert_eq!(ledger.history(id, 9).unwrap(), told);
    assert_eq!(ledger.history(id, 2).unwrap(), told[..2]);
    assert_eq!(ledger.history(id, 0).unwrap(), []);
}
