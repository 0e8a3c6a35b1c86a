//! Cells against a map in memory: batches, replacements, merges, opened again; readers beside the
//! writer; what a killed writer leaves; damage.

use crate::captures::cases;
use fyke_store::{
    CellBatch, Cells, CellsWriter, Column, ColumnGroup, GroupCell, Single, StoreError,
};
use fyke_web::UrlId;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const NAMES: Column<String> = Column::new("name", 1);
const RANKS: Column<f32> = Column::new("rank", 1);
const ANCHORS: ColumnGroup<String> = ColumnGroup::new("anchor", 1);
const TOTAL: Single<Vec<u64>> = Single::new("total", 1);

/// What a state holds.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    names: BTreeMap<u64, String>,
    ranks: BTreeMap<u64, f32>,
    anchors: BTreeMap<(u64, u64), String>,
    total: Option<Vec<u64>>,
    mark: Option<Vec<u8>>,
}

impl Model {
    /// The same, read from cells.
    fn read(cells: &Cells) -> Model {
        let names = cells.all(&NAMES).map(|cell| cell.map(|(id, name)| (id.0, name)));
        let ranks = cells.all(&RANKS).map(|cell| cell.map(|(id, rank)| (id.0, rank)));
        let anchor = |cell: GroupCell<String>| ((cell.id.0, cell.qualifier), cell.value);
        let anchors = cells.all_in(&ANCHORS).map(|cell| cell.map(anchor));
        Model {
            names: names.collect::<Result<_, _>>().unwrap(),
            ranks: ranks.collect::<Result<_, _>>().unwrap(),
            anchors: anchors.collect::<Result<_, _>>().unwrap(),
            total: cells.value(&TOTAL).unwrap(),
            mark: cells.mark("names").map(<[u8]>::to_vec),
        }
    }
}

/// Asserts that scans, look-ups and rows give what the model holds.
fn check(cells: &Cells, model: &Model, others: &[u64]) {
    assert_eq!(&Model::read(cells), model);
    let ids = model.names.keys().chain(model.ranks.keys()).chain(others);
    for &id in ids.chain(model.anchors.keys().map(|(id, _)| id)) {
        let name = model.names.get(&id);
        assert_eq!(cells.get(&NAMES, UrlId(id)).unwrap().as_ref(), name, "{id}");
        assert_eq!(cells.get(&RANKS, UrlId(id)).unwrap(), model.ranks.get(&id).copied(), "{id}");
        let anchors = model.anchors.range((id, 0)..=(id, u64::MAX));
        let anchors: Vec<_> = anchors.map(|((_, q), text)| (*q, text.clone())).collect();
        assert_eq!(cells.group(&ANCHORS, UrlId(id)).unwrap(), anchors, "{id}");
        let row = cells.row(UrlId(id)).unwrap();
        let count = |column| row.iter().filter(|cell| cell.column == column).count();
        assert_eq!(count("anchor"), anchors.len());
        assert_eq!(count("name"), usize::from(name.is_some()));
    }
}

#[derive(Clone, Debug)]
enum Step {
    Name(u64, String),
    NoName(u64),
    Rank(u64, i8),
    Anchor(u64, u64, String),
    NoAnchor(u64, u64),
    Names(BTreeMap<u64, String>),
    Anchors(BTreeMap<(u64, u64), String>),
    Total(Vec<u64>),
    /// Names and anchors so many that they go to a tablet of their own.
    Many(u64),
    NoRanks,
    Mark(Vec<u8>),
    NoMark,
    Publish,
    Forget,
    Reopen,
    Kill,
}

fn key() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0u64..40, 4 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![9 => "[a-e ]{0,30}", 1 => "(abcd){0,2000}"]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => (key(), text()).prop_map(|(id, text)| Step::Name(id, text)),
        8 => key().prop_map(Step::NoName),
        10 => (key(), any::<i8>()).prop_map(|(id, rank)| Step::Rank(id, rank)),
        20 => (key(), 0u64..9, text()).prop_map(|(id, q, text)| Step::Anchor(id, q, text)),
        8 => (key(), 0u64..9).prop_map(|(id, q)| Step::NoAnchor(id, q)),
        1 => prop::collection::btree_map(key(), text(), 0..20).prop_map(Step::Names),
        1 => prop::collection::btree_map((key(), 0u64..9), text(), 0..20).prop_map(Step::Anchors),
        2 => prop::collection::vec(any::<u64>(), 0..9).prop_map(Step::Total),
        1 => (0u64..99).prop_map(Step::Many),
        1 => Just(Step::NoRanks),
        2 => any::<Vec<u8>>().prop_map(Step::Mark),
        1 => Just(Step::NoMark),
        14 => Just(Step::Publish),
        1 => Just(Step::Forget),
        2 => Just(Step::Reopen),
        1 => Just(Step::Kill),
    ]
}

/// Names of a megabyte and more.
fn many(seed: u64) -> BTreeMap<u64, String> {
    let id = |n: u64| (n + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (0..150).map(|n| (id(n), format!("{n:x} of {seed} ").repeat(1_000))).collect()
}

/// Does to a batch and to the model what a step says; the others are for the caller.
fn apply(step: Step, batch: &mut CellBatch, model: &mut Model) {
    match step {
        Step::Name(id, name) => {
            batch.put(&NAMES, UrlId(id), &name);
            model.names.insert(id, name);
        }
        Step::NoName(id) => {
            batch.delete(&NAMES, UrlId(id));
            model.names.remove(&id);
        }
        Step::Rank(id, rank) => {
            batch.put(&RANKS, UrlId(id), &f32::from(rank));
            model.ranks.insert(id, f32::from(rank));
        }
        Step::Anchor(id, qualifier, text) => {
            batch.put_in(&ANCHORS, UrlId(id), qualifier, &text);
            model.anchors.insert((id, qualifier), text);
        }
        Step::NoAnchor(id, qualifier) => {
            batch.delete_in(&ANCHORS, UrlId(id), qualifier);
            model.anchors.remove(&(id, qualifier));
        }
        Step::Names(names) => {
            batch
                .replace(&NAMES, names.clone().into_iter().map(|(id, n)| Ok((UrlId(id), n))))
                .unwrap();
            model.names = names;
        }
        Step::Many(seed) => apply(Step::Names(many(seed)), batch, model),
        Step::Anchors(anchors) => {
            let cells = anchors.clone().into_iter();
            let cells = cells
                .map(|((id, qualifier), value)| Ok(GroupCell { id: UrlId(id), qualifier, value }));
            batch.replace_group(&ANCHORS, cells).unwrap();
            model.anchors = anchors;
        }
        Step::Total(total) => {
            batch.set(&TOTAL, &total).unwrap();
            model.total = Some(total);
        }
        Step::NoRanks => {
            batch.clear(RANKS.declaration());
            model.ranks.clear();
        }
        Step::Mark(mark) => {
            batch.mark("names", &mark);
            model.mark = Some(mark);
        }
        Step::NoMark => {
            batch.forget_mark("names");
            model.mark = None;
        }
        Step::Publish | Step::Forget | Step::Reopen | Step::Kill => {}
    }
}

/// What a writer that was killed can leave: tablets and a manifest that were not published, whole or
/// in part.
fn leave_half(dir: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (at, (name, bytes)) in files.iter().enumerate() {
        let name = if name == "manifest" {
            "manifest.new".into()
        } else {
            format!("{:08}.tablet", 1 << 20 | at)
        };
        fs::write(dir.join(name), &bytes[..bytes.len() * at / files.len()]).unwrap();
    }
}

/// The files of a folder.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    entries.map(|entry| (name(&entry), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn cells_are_a_map_and_a_reader_keeps_its_state() {
    proptest!(cases(12), |(
        steps in prop::collection::vec(step(), 0..300),
        others in prop::collection::vec(key(), 20),
    )| {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = CellsWriter::open(dir.path()).unwrap();
        let (mut model, mut published) = (Model::default(), Model::default());
        let mut readers: Vec<(Cells, Model)> = Vec::new();
        let mut batch = writer.batch(1);
        for step in steps {
            match step {
                Step::Publish => {
                    writer.publish(batch).unwrap();
                    published = model.clone();
                    batch = writer.batch(2);
                    let tablets = files(dir.path()).len();
                    prop_assert!(tablets <= 1 + 10 + 4, "{} files", tablets);
                    if readers.len() < 8 {
                        readers.push((Cells::open_reader(dir.path()).unwrap(), model.clone()));
                    }
                }
                Step::Forget => {
                    model = published.clone();
                    batch = writer.batch(3);
                }
                Step::Reopen | Step::Kill => {
                    if matches!(step, Step::Kill) {
                        std::mem::forget(batch);
                        leave_half(dir.path(), &files(dir.path()));
                    } else {
                        drop(batch);
                    }
                    drop(writer);
                    writer = CellsWriter::open(dir.path()).unwrap();
                    model = published.clone();
                    batch = writer.batch(4);
                    check(&writer.cells(), &published, &others);
                }
                step => apply(step, &mut batch, &mut model),
            }
        }
        readers.push((writer.cells(), published.clone()));
        readers.push((Cells::open_reader(dir.path()).unwrap(), published.clone()));
        for (reader, model) in &readers {
            check(reader, model, &others);
            if let Some(newer) = reader.newer().unwrap() {
                prop_assert!(newer.number() > reader.number());
                check(&newer, &published, &others);
            }
        }
    });
}

#[test]
fn readers_that_open_while_batches_are_published_see_whole_batches() {
    const LEFT: Column<u64> = Column::new("left", 1);
    const RIGHT: Column<u64> = Column::new("right", 1);
    let dir = tempfile::tempdir().unwrap();
    let writer = CellsWriter::open(dir.path()).unwrap();
    let is_over = AtomicBool::new(false);
    let check = |cells: &Cells| {
        let left: Result<Vec<_>, _> = cells.all(&LEFT).collect();
        let right: Result<Vec<_>, _> = cells.all(&RIGHT).collect();
        let (left, right) = (left.unwrap(), right.unwrap());
        assert_eq!(left, right);
        let number =
            cells.mark("number").map_or(0, |mark| u64::from(mark[0]) << 8 | u64::from(mark[1]));
        assert_eq!(number, cells.number());
        assert_eq!(cells.get(&LEFT, UrlId(7)).unwrap().unwrap_or(0), number);
        number
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut cells = Cells::open_reader(dir.path()).unwrap();
                let mut last = 0;
                while !is_over.load(Ordering::Relaxed) {
                    last = check(&Cells::open_reader(dir.path()).unwrap()).max(last);
                    cells = cells.newer().unwrap().unwrap_or(cells);
                    assert!(check(&cells) >= last);
                }
            });
        }
        for number in 1..=500u64 {
            let mut batch = writer.batch(number as i64);
            if number % 50 == 0 {
                let cells = || (0..200).map(|id| Ok((UrlId(id * 7), number)));
                batch.replace(&LEFT, cells()).unwrap();
                batch.replace(&RIGHT, cells()).unwrap();
            }
            for id in [7, number * 31 % 1000, number * 17 % 1000] {
                batch.put(&LEFT, UrlId(id), &number);
                batch.put(&RIGHT, UrlId(id), &number);
            }
            batch.mark("number", &[(number >> 8) as u8, number as u8]);
            writer.publish(batch).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(check(&writer.cells()), 500);
}

#[test]
fn cells_of_another_version_or_kind_read_as_absent_and_are_replaced() {
    const NEWER: Column<u64> = Column::new("name", 2);
    const HOSTS: Column<u64> = Column::of_hosts("name", 2);
    let dir = tempfile::tempdir().unwrap();
    let writer = CellsWriter::open(dir.path()).unwrap();
    let mut batch = writer.batch(1);
    batch.put(&NAMES, UrlId(1), &"one".to_owned());
    batch.put(&NAMES, UrlId(2), &"two".to_owned());
    writer.publish(batch).unwrap();
    let cells = writer.cells();
    assert_eq!(cells.get(&NEWER, UrlId(1)).unwrap(), None);
    assert_eq!(cells.all(&HOSTS).count(), 0);
    let mut batch = writer.batch(2);
    batch.put(&NEWER, UrlId(1), &11);
    writer.publish(batch).unwrap();
    let cells = writer.cells();
    assert_eq!(cells.get(&NEWER, UrlId(1)).unwrap(), Some(11));
    assert_eq!(cells.get(&NEWER, UrlId(2)).unwrap(), None);
    assert_eq!(cells.get(&NAMES, UrlId(2)).unwrap(), None);
    assert_eq!(cells.row(UrlId(2)).unwrap(), []);
    let row = cells.row(UrlId(1)).unwrap();
    assert_eq!((row[0].time, row[0].value.as_slice()), (2, &[11][..]));
    assert_eq!(cells.sizes().iter().map(|size| size.cells).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_replaced_column_does_not_have_the_others_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let writer = CellsWriter::open(dir.path()).unwrap();
    let mut batch = writer.batch(1);
    for (id, name) in many(1) {
        batch.put_in(&ANCHORS, UrlId(id), 1, &name);
    }
    writer.publish(batch).unwrap();
    let first: Vec<String> = files(dir.path()).into_keys().collect();
    for seed in 0..20 {
        let mut batch = writer.batch(2);
        let cells = many(seed).into_iter().map(|(id, name)| Ok((UrlId(id), name)));
        batch.replace(&NAMES, cells).unwrap();
        writer.publish(batch).unwrap();
        let now = files(dir.path());
        assert!(first.iter().all(|name| now.contains_key(name)));
        assert_eq!(now.len(), 3, "the manifest, the anchors, the names");
    }
    assert_eq!(writer.cells().all(&NAMES).count(), 150);
}

#[test]
fn a_missing_folder_is_empty_and_a_former_one_is_cleared() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("columns");
    let cells = Cells::open_reader(&folder).unwrap();
    assert_eq!((cells.number(), cells.row(UrlId(1)).unwrap()), (0, vec![]));
    assert!(cells.is_latest().unwrap() && !folder.exists());
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("twins"), b"fykecol1 and so on").unwrap();
    fs::write(folder.join("twins.index.new"), b"half").unwrap();
    fs::write(folder.join("notes"), b"not ours").unwrap();
    let writer = CellsWriter::open(&folder).unwrap();
    assert_eq!(files(&folder).into_keys().collect::<Vec<_>>(), ["notes"]);
    writer.publish(writer.batch(0)).unwrap();
    assert!(!cells.is_latest().unwrap());
    let removed = writer.cells();
    fs::remove_dir_all(&folder).unwrap();
    let writer = CellsWriter::open(&folder).unwrap();
    writer.publish(writer.batch(0)).unwrap();
    assert_eq!(writer.cells().number(), removed.number());
    assert!(removed.newer().unwrap().is_some(), "it is another folder in the same place");
}

#[test]
fn a_batch_that_is_refused_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let writer = CellsWriter::open(dir.path()).unwrap();
    let mut batch = writer.batch(0);
    let unsorted = [5, 5].map(|id| Ok((UrlId(id), 1.0)));
    assert!(batch.replace(&RANKS, unsorted).is_err());
    let broken = many(3).into_iter().map(|(id, name)| Ok((UrlId(id), name)));
    let broken = broken.chain([Err(StoreError::Missing("x".into()))]);
    assert!(batch.replace(&NAMES, broken).is_err());
    batch.put(&RANKS, UrlId(5), &1.0);
    writer.publish(batch).unwrap();
    assert_eq!(Model::read(&writer.cells()).ranks, [(5, 1.0)].into());
    assert_eq!(files(dir.path()).len(), 2);
}

/// Reads everything; whatever is wrong must be said, not be a panic or another answer.
fn read_all(dir: &Path, model: &Model) -> Result<(), StoreError> {
    let cells = Cells::open_reader(dir)?;
    for cell in cells.all(&NAMES) {
        let (id, name) = cell?;
        assert_eq!(model.names.get(&id.0), Some(&name));
    }
    for id in model.names.keys().chain(model.anchors.keys().map(|(id, _)| id)) {
        let name = cells.get(&NAMES, UrlId(*id))?;
        assert_eq!(name.as_ref(), model.names.get(id));
        cells.row(UrlId(*id))?;
    }
    for cell in cells.all_in(&ANCHORS) {
        let GroupCell { id, qualifier, value } = cell?;
        assert_eq!(model.anchors.get(&(id.0, qualifier)), Some(&value));
    }
    assert_eq!(cells.value(&TOTAL)?, model.total);
    Ok(())
}

#[test]
fn damage_is_named_and_never_another_answer() {
    let dir = tempfile::tempdir().unwrap();
    let writer = CellsWriter::open(dir.path()).unwrap();
    let mut model = Model::default();
    for round in [900u64, 80, 7] {
        let mut batch = writer.batch(round as i64);
        for n in 0..round {
            let (id, text) = (n.wrapping_mul(0x9E37_79B9_7F4A_7C15), format!("{n} {round}"));
            apply(Step::Name(id, text.clone()), &mut batch, &mut model);
            apply(Step::Anchor(id, n % 5, text.repeat(3)), &mut batch, &mut model);
        }
        if round == 900 {
            apply(Step::Total(vec![round]), &mut batch, &mut model);
        }
        writer.publish(batch).unwrap();
    }
    read_all(dir.path(), &model).unwrap();
    let files: Vec<_> = files(dir.path()).into_iter().collect();
    proptest!(cases(300), |(file in 0..files.len(), at: prop::sample::Index, bit in 0u8..8, cut: bool)| {
        let (name, bytes) = &files[file];
        let mut damaged = bytes.clone();
        let at = at.index(bytes.len());
        damaged[at] ^= 1 << bit;
        if cut {
            damaged.truncate(at);
        }
        let path = dir.path().join(name);
        fs::write(&path, &damaged).unwrap();
        let read = read_all(dir.path(), &model);
        fs::write(&path, bytes).unwrap();
        let error = read.unwrap_err().to_string();
        prop_assert!(error.contains(name.as_str()), "{}", error);
        prop_assert!(error.contains("fyke rebuild makes it again"), "{}", error);
    });
}
