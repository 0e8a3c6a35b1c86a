//! Documents and links: replaced whole, thrown away, and made again the same.

use crate::{capture, check_holds, new_collection, round, url};
use fyke_store::{Collection, Column, Documents, DocumentsView, MadePage, Spot, StoredLink};
use fyke_web::{Document, LinkKind, PageNames, UrlId};

const NAMES: Column<String> = Column::new("name", 1);

fn document(n: u64) -> Document {
    let capture = capture(n);
    Document {
        id: capture.url.id(),
        url: capture.url.as_str().into(),
        time: capture.time,
        docno: "D-7".into(),
        title: format!("Page {n}"),
        names: PageNames { element: format!("Page {n} | eels"), ..PageNames::default() },
        author: String::new(),
        date: "2024-03-05".into(),
        site: String::new(),
        headings: String::new(),
        emphasis: "eel".into(),
        description: String::new(),
        keywords: "eel\nnet".into(),
        link_titles: "the eel".into(),
        links: Vec::new(),
        text: String::from_utf8(capture.payload).unwrap(),
        shape: Vec::new(),
        comments: "first!".into(),
        pages: vec![0, 3],
        language: "en".into(),
        languages: vec![("en".into(), 70), ("sl".into(), 30)],
        format: "html".into(),
        charset: "UTF-8".into(),
        words: 2,
        checksum: n,
        sketch: vec![n as u8; 4],
    }
}

fn link(target: u64, anchor: &str) -> StoredLink {
    StoredLink {
        target: UrlId(target),
        anchor: anchor.into(),
        nofollow: target.is_multiple_of(10),
        kind: if target.is_multiple_of(3) { LinkKind::Comment } else { LinkKind::Content },
        is_next: target.is_multiple_of(7),
    }
}

fn all(documents: &DocumentsView) -> Vec<Document> {
    documents.all().map(Result::unwrap).collect()
}

/// The derive stage in small: documents from the captures since the mark.
fn derive(collection: &Collection) {
    let documents = &collection.documents;
    for found in collection.captures.from(documents.mark().unwrap()) {
        let (place, capture) = found.unwrap();
        let n = (capture.time - 1_795_000_000_000) as u64;
        let links = vec![link(n + 1, "next")];
        let batch = [MadePage::new(capture.url.id(), Some(document(n)), links)];
        documents.put(&batch, place.after()).unwrap();
    }
}

#[test]
fn a_document_put_again_replaces_its_links() {
    let dir = tempfile::tempdir().unwrap();
    let documents = Documents::open(dir.path()).unwrap();
    let id = document(1).id;
    let first = vec![link(7, "seven"), link(8, "eight"), link(8, "eight again"), link(10, "spam")];
    documents
        .put(&[MadePage::new(id, Some(document(1)), first.clone())], Spot::new(0, 10))
        .unwrap();
    assert_eq!(documents.links(id).unwrap(), first);
    let all: Vec<_> = documents.all_links().map(Result::unwrap).collect();
    assert_eq!(all, [(id, first)]);

    let second = MadePage::new(id, Some(document(2)), vec![link(8, "acht")]);
    documents.put(&[second], Spot::new(0, 20)).unwrap();
    assert_eq!(documents.get(id).unwrap(), Some(document(2)));
    assert_eq!(documents.ids().map(Result::unwrap).collect::<Vec<_>>(), [id]);

    documents.put(&[MadePage::new(id, None, vec![])], Spot::new(0, 30)).unwrap();
    assert_eq!(documents.get(id).unwrap(), None);
    assert_eq!(documents.ids().count(), 0);
    assert_eq!(documents.links(id).unwrap(), []);
    assert_eq!(documents.mark().unwrap(), Spot::new(0, 30));
}

#[test]
fn the_last_of_two_documents_of_one_url_stands() {
    let dir = tempfile::tempdir().unwrap();
    let documents = Documents::open(dir.path()).unwrap();
    let id = UrlId(5);
    let two = [
        MadePage::new(id, Some(document(1)), vec![link(1, "old")]),
        MadePage::new(id, Some(document(2)), vec![link(2, "new")]),
    ];
    documents.put(&two, Spot::new(0, 1)).unwrap();
    assert_eq!(documents.get(id).unwrap(), Some(document(2)));
}

#[test]
fn a_rebuild_that_is_cut_short_is_ended_or_goes_on() {
    let (dir, collection) = new_collection();
    (0..6).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    derive(&collection);
    std::fs::create_dir_all(collection.index_dir()).unwrap();
    let before = all(&collection.documents);
    drop(collection);

    // Cut short anywhere: made, but not in its place.
    for moved in 0..=3 {
        let mut collection = Collection::open(dir.path()).unwrap();
        collection.begin_rebuild().unwrap();
        derive(&collection);
        drop(collection);
        let made = dir.path().join("rebuild");
        for (n, name) in ["documents", "columns", "index"].into_iter().enumerate() {
            std::fs::create_dir_all(made.join(name)).unwrap();
            std::fs::write(made.join(name).join("new"), "").unwrap();
            if n < moved {
                std::fs::rename(dir.path().join(name), made.join("spare")).unwrap();
                std::fs::rename(made.join(name), dir.path().join(name)).unwrap();
                std::fs::rename(made.join("spare"), made.join(name)).unwrap();
            }
        }
        std::fs::write(made.join("done"), "").unwrap();
        let collection = Collection::open(dir.path()).unwrap();
        assert_eq!(all(&collection.documents), before);
        assert!(!made.exists() && !dir.path().join("documents/new").exists());
    }
    // A rebuild that was begun goes on.
    let mut collection = Collection::open(dir.path()).unwrap();
    collection.begin_rebuild().unwrap();
    derive(&collection);
    drop(collection);
    let mut collection = Collection::open(dir.path()).unwrap();
    collection.begin_rebuild().unwrap();
    assert_eq!(all(&collection.documents), before);
    drop(collection);
    std::fs::write(dir.path().join("rebuild/by"), "another program").unwrap();
    let mut collection = Collection::open(dir.path()).unwrap();
    collection.begin_rebuild().unwrap();
    assert_eq!(all(&collection.documents), []);
    drop(collection);
}

#[test]
fn what_is_derived_is_made_again_the_same() {
    let (dir, mut collection) = new_collection();
    for n in 0..6 {
        collection.commit(round(n)).unwrap();
    }
    derive(&collection);
    let mut batch = collection.cells.batch(1);
    batch.put(&NAMES, UrlId(1), &"one".to_owned());
    collection.cells.publish(batch).unwrap();
    std::fs::create_dir(collection.index_dir()).unwrap();
    let before = all(&collection.documents);
    assert_eq!(before.len(), 6);
    assert!(before.is_sorted_by_key(|document| document.id));

    let reader = Collection::reader(dir.path()).unwrap();
    collection.begin_rebuild().unwrap();
    assert_eq!(all(&collection.documents), []);
    assert_eq!(collection.documents.mark().unwrap(), Spot::START);
    assert_eq!(collection.cells().get(&NAMES, UrlId(1)).unwrap(), None);
    assert!(!collection.index_dir().exists() && dir.path().join("index").exists());
    check_holds(&collection, 6);
    derive(&collection);
    std::fs::create_dir(collection.index_dir()).unwrap();
    std::fs::write(collection.index_dir().join("it"), "new").unwrap();
    assert!(!reader.refresh().unwrap(), "what stood before is shown until all is made");
    let (old, index) = (reader.view(), dir.path().join("index/it"));
    assert_eq!((all(&old.documents), index.exists()), (before.clone(), false));
    collection.finish_rebuild().unwrap();
    assert_eq!(all(&collection.documents), before);
    assert!(reader.refresh().unwrap() && index.exists());
    assert_eq!(
        (all(&old.documents), all(&reader.view().documents)),
        (before.clone(), before.clone())
    );
    assert!(!dir.path().join("rebuild").exists() && !dir.path().join("index/new").exists());
    drop(collection);

    // Deleted by hand: the same.
    std::fs::remove_dir_all(dir.path().join("documents")).unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    derive(&collection);
    assert_eq!(all(&collection.documents), before);
    assert_eq!(collection.documents.mark().unwrap(), collection.captures.end());
}

#[test]
fn documents_that_are_damaged_or_ahead_of_the_captures_are_thrown_away() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    derive(&collection);
    let end = collection.captures.end();
    collection.documents.put(&[], end.skip(1)).unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(all(&collection.documents), []);
    derive(&collection);
    drop(collection);
    std::fs::write(dir.path().join("documents/index/manifest"), "no manifest").unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(all(&collection.documents), []);
    check_holds(&collection, 1);
    assert_eq!(collection.documents.get(url(0).id()).unwrap(), None);
}

#[test]
fn documents_cut_at_any_byte_go_back_to_the_last_mark() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("documents/log/00000.log");
    let documents = Documents::open(dir.path()).unwrap();
    let put = |n: u64| {
        let links = vec![link(n + 1, "next")];
        let batch = [MadePage::new(UrlId(n), Some(document(n)), links)];
        documents.put(&batch, Spot::new(0, n)).unwrap();
        std::fs::read(&log).unwrap()
    };
    let (one, two) = (put(1), put(2));
    drop(documents);
    for cut in one.len()..=two.len() {
        std::fs::write(&log, &two[..cut]).unwrap();
        let documents = Documents::open(dir.path()).unwrap();
        let held = 1 + u64::from(cut == two.len());
        assert_eq!(documents.mark().unwrap(), Spot::new(0, held), "cut at {cut}");
        assert_eq!(all(&documents), (1..=held).map(document).collect::<Vec<_>>());
    }
}

#[test]
fn documents_of_another_version_are_made_again() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    derive(&collection);
    drop(collection);
    for version in [None, Some("1\n")] {
        let path = dir.path().join("documents/version");
        match version {
            None => std::fs::remove_file(path).unwrap(),
            Some(text) => std::fs::write(path, text).unwrap(),
        }
        let collection = Collection::open(dir.path()).unwrap();
        assert_eq!(all(&collection.documents), []);
        derive(&collection);
        assert_eq!(all(&collection.documents), [document(0)]);
    }
}

#[test]
fn settled_documents_are_the_same_after_opening_again() {
    let (dir, collection) = new_collection();
    for n in 0..5 {
        collection.commit(round(n)).unwrap();
        derive(&collection);
        if n % 2 == 1 {
            collection.settle().unwrap();
        }
    }
    let before = all(&collection.documents);
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!((all(&collection.documents), before.len()), (before, 5));
    assert_eq!(collection.documents.mark().unwrap(), collection.captures.end());
    for kind in ["documents", "columns"] {
        assert!(dir.path().join(kind).is_dir());
    }
}

#[test]
fn an_index_takes_the_place_of_the_one_before_and_a_failed_one_does_not() {
    let (dir, collection) = new_collection();
    let build = |name: &'static str| {
        collection.replace_index(move |path| {
            assert!(!path.exists(), "a new index begins with nothing");
            std::fs::create_dir(path).unwrap();
            std::fs::write(path.join(name), name).unwrap();
            if name == "bad" {
                Err(fyke_store::StoreError::Missing(path.to_owned()))
            } else {
                Ok(())
            }
        })
    };
    let held = || {
        let files = std::fs::read_dir(collection.index_dir()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    build("first").unwrap();
    assert_eq!(held(), ["first"]);
    build("bad").unwrap_err();
    assert_eq!(held(), ["first"]);
    build("second").unwrap();
    assert_eq!(held(), ["second"]);
    assert!(!dir.path().join("index.new").exists());
}
