//! Damaged columns, documents and index: no panic, no stop; what is derived is made again, the same as before.

use crate::{commit, dump, new_collection, pages, run, settings};
use fyke_derive::{Eagerness, FACTS, Orders};
use fyke_index::{Index, IndexError, Query, SearchOptions};
use fyke_store::{Collection, index_dir};
use std::fs;
use std::path::{Path, PathBuf};

const PAGES: u64 = 24;

/// What may happen to a file.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Flip(usize),
    Cut,
    Delete,
}

fn harm(path: &Path, harm: Harm) {
    let mut bytes = fs::read(path).unwrap();
    match harm {
        Harm::Delete => return fs::remove_file(path).unwrap(),
        Harm::Cut => bytes.truncate(bytes.len() / 2),
        Harm::Flip(at) => {
            let at = at % bytes.len().max(1);
            bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 0x20);
        }
    }
    fs::write(path, bytes).unwrap();
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    // Nothing is in a lock.
    found.retain(|path| path.extension().is_none_or(|extension| extension != "lock"));
    found.sort();
    found
}

/// A collection that is derived but for its last pages, and what it gives when these are.
fn derived() -> (tempfile::TempDir, Vec<String>) {
    let (dir, collection) = new_collection();
    let all = pages(PAGES);
    commit(&collection, &all[..20]);
    run(&collection, Eagerness::Exact, None);
    commit(&collection, &all[20..]);
    collection.settle().unwrap();
    drop(collection);
    let copy = tempfile::tempdir().unwrap();
    copy_folder(dir.path(), copy.path());
    let collection = Collection::open(copy.path()).unwrap();
    run(&collection, Eagerness::Exact, None);
    let expected = dump(&collection);
    (dir, expected)
}

/// Derives what is left in a collection whose file was harmed. Documents that are damaged are made again when the
/// collection is opened again; all else in the same run.
fn check(dir: &Path, file: &Path, how: Harm, expected: &[String]) {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(dir, copy.path());
    harm(&copy.path().join(file), how);
    let settings = settings();
    let derive = || {
        let collection = Collection::open(copy.path()).unwrap();
        let (pace, observe) = (Eagerness::Exact, &mut |_| ());
        let mut orders = Orders { settings: &settings, pace, only: None, observe };
        fyke_derive::run(&collection, &mut orders).map(|made| (collection, made))
    };
    let derived = match derive() {
        Err(_) if file.starts_with("documents") => derive(),
        derived => derived,
    };
    let (collection, made) = derived.unwrap_or_else(|e| panic!("{} {how:?}: {e}", file.display()));
    assert_eq!(dump(&collection), expected, "{} {how:?}", file.display());
    let verified = Index::verify(&collection.index_dir(), &FACTS);
    let found = |error| matches!(error, Err(IndexError::Broken { .. }));
    // What was not read was not found; whoever looks at it finds it.
    assert!(verified.is_ok_and(|n| n == made.indexed) || found(verified_again(copy.path())));
}

fn verified_again(root: &Path) -> Result<u64, IndexError> {
    Index::verify(&index_dir(root), &FACTS)
}

fn harm_each(folder: &str, flips: usize) {
    let (dir, expected) = derived();
    for path in files(&dir.path().join(folder)) {
        let file = path.strip_prefix(dir.path()).unwrap();
        let flips = (0..flips).map(|n| Harm::Flip(n * 977 + 11));
        for how in flips.chain([Harm::Cut, Harm::Delete]) {
            check(dir.path(), file, how, &expected);
        }
    }
}

#[test]
fn damaged_columns_are_made_again() {
    harm_each("columns", 6);
}

#[test]
fn damaged_documents_are_made_again() {
    harm_each("documents", 3);
}

#[test]
fn a_damaged_index_is_made_again() {
    harm_each("index", 3);
}

#[test]
fn a_search_in_a_damaged_index_answers_or_names_it() {
    let (dir, _) = derived();
    let index = index_dir(dir.path());
    let mut named = 0;
    for path in files(&index) {
        let whole = fs::read(&path).unwrap();
        for how in (0..12).map(|n| Harm::Flip(n * 131 + 5)).chain([Harm::Cut, Harm::Delete]) {
            harm(&path, how);
            let searched = Index::open_to_read(&index, &FACTS).and_then(|index| {
                index.search(
                    &Query::parse("tide hill word1 \"tide word0\""),
                    &SearchOptions::default(),
                )
            });
            let said = searched.map(drop).map_err(|error| error.to_string());
            named += said.err().map_or(0, |said| {
                assert!(said.contains("fyke rebuild"), "{} {how:?}: {said}", path.display());
                1
            });
            fs::write(&path, &whole).unwrap();
        }
    }
    assert!(named > 20, "{named}");
    assert!(Index::verify(&index, &FACTS).is_ok());
}

#[test]
fn a_document_whose_capture_is_gone_stays_when_the_rest_is_made_again() {
    let (dir, _) = derived();
    let (before, some) = {
        let collection = Collection::open(dir.path()).unwrap();
        run(&collection, Eagerness::Exact, None);
        (dump(&collection), collection.captures.end().offset / 2)
    };
    let warc = dir.path().join("captures/00000.warc.gz");
    fs::File::options().write(true).open(&warc).unwrap().set_len(some).unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    let read = fyke_derive::derive_in_place(&collection, |_| ()).unwrap();
    assert!((5..PAGES).contains(&read), "{read}");
    run(&collection, Eagerness::Exact, None);
    assert_eq!(dump(&collection), before);
}
