//! Readers beside a writer: they write nothing, see every commit, and survive what the writer removes.

use fyke_index::{Entry, Index, IndexError, SearchOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

fn total(index: &Index, query: &str) -> usize {
    index.search(&index.query(query), &SearchOptions::default()).unwrap().total
}

fn add(dir: &Path, ids: std::ops::Range<u64>, body: &str) {
    let mut writer = Index::open(dir).unwrap().writer().unwrap();
    ids.for_each(|id| writer.put(&Entry { id, body, ..Entry::default() }).unwrap());
    writer.commit("").unwrap();
}

/// Every file with its time and size, and the time of the folder itself.
fn files(dir: &Path) -> BTreeMap<PathBuf, (SystemTime, u64)> {
    let row = |path: PathBuf| {
        let about = path.metadata().unwrap();
        (path, (about.modified().unwrap(), about.len()))
    };
    let inside = dir.read_dir().unwrap().map(|file| row(file.unwrap().path()));
    inside.chain([row(dir.to_owned())]).collect()
}

#[test]
fn a_reader_leaves_the_folder_as_it_is_and_needs_no_right_to_write() {
    let dir = tempfile::tempdir().unwrap();
    add(dir.path(), 0..10, "eel");
    for lock in [".tantivy-meta.lock", ".tantivy-writer.lock"] {
        // As copied from elsewhere: without the locks of those who wrote it.
        let _ = std::fs::remove_file(dir.path().join(lock));
    }
    let before = files(dir.path());
    let rights = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(dir.path(), rights(0o555)).unwrap();
    let reader = Index::open_to_read(dir.path(), &[]).unwrap();
    assert_eq!((reader.len().unwrap(), reader.mark().as_str()), (10, ""));
    assert_eq!((total(&reader, "eel"), total(&reader, "eels -carp")), (10, 10));
    assert!(reader.suggest("ee", 5).is_ok() && reader.spelling("eil").is_ok());
    assert!(reader.get(3).unwrap().is_some());
    assert!(!reader.refresh().unwrap());
    std::fs::set_permissions(dir.path(), rights(0o755)).unwrap();
    assert_eq!(files(dir.path()), before);
}

#[test]
fn where_there_is_no_index_a_reader_finds_nothing_and_makes_none() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("index");
    let reader = Index::open_to_read(&folder, &[]).unwrap();
    assert_eq!((reader.len().unwrap(), total(&reader, "eel")), (0, 0));
    assert_eq!(reader.mark(), "");
    assert!(!folder.exists());
    add(&folder, 0..3, "eel");
    assert!(reader.refresh().unwrap());
    assert!(!reader.refresh().unwrap());
    assert_eq!(total(&reader, "eel"), 3);
    // Derived folders may be deleted; whoever reads sees the last state until there is another.
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(total(&reader, "eel"), 3);
    add(&folder, 0..1, "carp");
    assert_eq!((total(&reader, "eel"), total(&reader, "carp")), (0, 1));
}

#[test]
fn an_index_exchanged_for_another_is_taken_up_and_one_of_another_make_is_old() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, new, old) =
        (dir.path().join("index"), dir.path().join("new"), dir.path().join("old"));
    add(&folder, 0..5, "eel");
    let reader = Index::open_to_read(&folder, &[]).unwrap();
    assert_eq!(total(&reader, "eel"), 5);
    add(&new, 0..7, "eel");
    std::fs::rename(&folder, &old).unwrap();
    assert_eq!(total(&reader, "eel"), 5);
    std::fs::rename(&new, &folder).unwrap();
    std::fs::remove_dir_all(&old).unwrap();
    assert_eq!(total(&reader, "eel"), 7);
    std::fs::write(folder.join("format.txt"), "of tomorrow").unwrap();
    assert_eq!(total(&reader, "eel"), 7);
    add_to_old(&folder);
    let later = reader.search(&reader.query("eel"), &SearchOptions::default());
    assert!(matches!(later, Err(IndexError::Old(_))));
}

/// Another commit in a folder of another make.
fn add_to_old(dir: &Path) {
    let commit = dir.join("meta.json");
    let text = std::fs::read_to_string(&commit).unwrap();
    std::fs::write(&commit, format!("{text} ")).unwrap();
}

#[test]
fn readers_meet_no_error_while_a_writer_commits_merges_and_removes() {
    let dir = tempfile::tempdir().unwrap();
    add(dir.path(), 0..20, "eel");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let read = || {
            let reader = Index::open_to_read(dir.path(), &[]).unwrap();
            let (mut seen, mut searches) = (20, 0);
            while !is_over.load(Ordering::Relaxed) || searches == 0 {
                let found = total(&reader, "eel");
                assert!(found >= seen, "{found} after {seen}");
                let fresh = Index::open_to_read(dir.path(), &[]).unwrap();
                assert!(total(&fresh, "eel") >= found);
                (seen, searches) = (found, searches + 1);
            }
        };
        let readers: Vec<_> = (0..2).map(|_| scope.spawn(read)).collect();
        for round in 2..40 {
            add(dir.path(), 0..round * 10, "eel");
        }
        is_over.store(true, Ordering::Relaxed);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}
