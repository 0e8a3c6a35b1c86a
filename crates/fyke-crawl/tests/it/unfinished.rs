//! A page that takes too long to read, or ends the program, does not stop a crawl.

use crate::web::World;
use fyke_derive::{ReadLimits, derive_pages};
use fyke_store::{Collection, Reason};
use fyke_web::Url;
use std::time::Duration;

const SLOW: &str = "http://a.test/slow";

/// A web with a document that takes long.
fn web() -> String {
    let drawn = "(x)Tj 0.01 0 Td ".repeat(20_000);
    format!(
        "//- http://a.test/\n<a href=/slow>a</a> <a href=/last>b</a>\n\
         //- {SLOW} Content-Type: application/pdf\n\
         %PDF-1.4 1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj \
         2 0 obj<</Type/Pages/Kids[3 0 R]>>endobj \
         3 0 obj<</Type/Page/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>endobj \
         4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj trailer<</Root 1 0 R>> \
         5 0 obj<<>>stream BT /F 12 Tf 72 700 Td {drawn}\n\
         //- http://a.test/last\n<p>eel\n"
    )
}

fn reason(collection: &Collection, url: &str) -> Reason {
    let id = Url::parse(url).expect("a URL").id();
    collection.ledger.get(id).expect("a ledger").expect("a row").reason
}

fn requests(world: &World, url: &str) -> usize {
    world.web.0.requests().iter().filter(|request| request.url == url).count()
}

#[tokio::test(start_paused = true)]
async fn a_page_that_takes_too_long_gets_a_reason_and_the_crawl_goes_on() {
    let mut world = World::new(&web(), &["http://a.test/"]);
    world.options.reading = ReadLimits {
        wall: Duration::from_millis(1),
        cpu: Duration::ZERO,
        longest: Duration::from_millis(1),
    };
    world.crawl().await;
    let collection = world.collection();
    assert_eq!(reason(&collection, SLOW), Reason::Unfinished);
    assert_eq!(reason(&collection, "http://a.test/last"), Reason::Kept);
    // Its capture stands, and no later stage begins it again.
    derive_pages(&collection, |_| ()).expect("documents");
    assert_eq!(reason(&collection, SLOW), Reason::Unfinished);
    assert_eq!(collection.documents.all().count(), 2);
    drop(collection);
    world.crawl().await;
    assert_eq!(requests(&world, SLOW), 1);
}

#[tokio::test(start_paused = true)]
async fn the_same_page_with_time_enough_is_kept() {
    let world = World::new(&web(), &["http://a.test/"]);
    world.crawl().await;
    assert_eq!(reason(&world.collection(), SLOW), Reason::Kept);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_ended_the_program_twice_is_not_read_a_third_time() {
    let world = World::new("//- http://a.test/\n<p>eel <a href=/b>b</a>\n", &["http://a.test/"]);
    let id = Url::parse("http://a.test/").expect("a URL").id();
    for _ in 0..2 {
        drop(world.collection());
        // As a process leaves it that is killed while it reads the page.
        let note = world.dir.path().join("ledger/underway");
        std::fs::write(note, id.0.to_le_bytes()).expect("a note");
    }
    world.crawl().await;
    let collection = world.collection();
    assert_eq!(reason(&collection, "http://a.test/"), Reason::Unfinished);
    assert_eq!(requests(&world, "http://a.test/b"), 0);
}
