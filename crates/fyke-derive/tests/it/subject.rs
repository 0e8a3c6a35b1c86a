//! The subject of a focused collection: documents are judged by what all of them teach, and judged again when people
//! say something else of it.

use super::{capture, commit, id, new_collection};
use fyke_derive::whole::reasons;
use fyke_derive::whole::subject::{KnownSubject, RELEVANCE, SubjectSettings};
use fyke_derive::{DeriveSettings, Eagerness, Orders};
use fyke_store::{Collection, Reason};
use fyke_web::UrlId;

const MENU: &str = "<nav><a href=/bees>Bees and honey</a> <a href=/cars>Cars</a></nav>";

fn words(words: &[&str], n: usize) -> String {
    (0..40).map(|at| words[(at * (n + 3) + at / 7) % words.len()]).collect::<Vec<_>>().join(" ")
}

/// Pages about bees, of which a third says so, and pages about cars, of which some name bees once; all have a menu
/// that names them.
fn pages(collection: &Collection) {
    let bees = ["hive", "comb", "queen", "swarm", "nectar", "wax", "smoker", "drone"];
    let cars = ["wheel", "engine", "road", "driver", "brake", "fuel", "garage", "tyre"];
    let page = |n: usize| {
        let (kind, own, named) = match (n % 2, n % 6) {
            (0, 0) => ("bees", bees, "The honey of bees. Bees make honey."),
            (0, _) => ("bees", bees, "What is seen there."),
            (_, 1) => ("cars", cars, "A jar of honey stood in it."),
            _ => ("cars", cars, "What is seen there."),
        };
        let html = format!(
            "<html lang=en><title>Page {n}</title>{MENU}<main><p>{named} {} {n}.</p><p>{}</p></main>",
            words(&own, n),
            words(&own, n + 1)
        );
        capture(&format!("http://a.test/{kind}/{n}"), 1_000 + n as i64, &html)
    };
    commit(collection, &(0..60).map(page).collect::<Vec<_>>());
}

fn known(keywords: &[&str]) -> KnownSubject {
    let keywords = keywords.iter().map(ToString::to_string).collect();
    KnownSubject { keywords, language: "en".to_owned(), ..KnownSubject::default() }
}

fn run(collection: &Collection, known: KnownSubject, threshold: f32) {
    let subject = Some(SubjectSettings { known, threshold });
    let settings = DeriveSettings { near_duplicate: 0.99, subject, ..DeriveSettings::default() };
    let pace = Eagerness::Usual;
    let mut orders = Orders { settings: &settings, pace, only: None, observe: &mut |_| () };
    fyke_derive::run(collection, &mut orders).unwrap();
}

/// Pages of a kind, and how many of them are kept.
fn kept(collection: &Collection, kind: &str) -> (usize, usize) {
    let rows = collection.ledger.rows().map(Result::unwrap);
    let of_kind = rows.filter(|(_, row)| row.url.contains(kind)).collect::<Vec<_>>();
    let reason =
        |(id, row): &&(UrlId, _)| reasons::of_row(collection, *id, row).unwrap() == Reason::Kept;
    (of_kind.len(), of_kind.iter().filter(reason).count())
}

#[test]
fn documents_are_judged_by_their_main_texts_and_again_when_the_subject_changes() {
    let (_dir, collection) = new_collection();
    pages(&collection);
    run(&collection, known(&["honey", "bees"]), 0.5);
    assert_eq!((kept(&collection, "/bees/"), kept(&collection, "/cars/")), ((30, 30), (30, 0)));
    run(&collection, known(&["engine"]), 0.5);
    assert_eq!((kept(&collection, "/bees/"), kept(&collection, "/cars/")), ((30, 0), (30, 30)));
    run(&collection, known(&["honey", "bees"]), 1.1);
    assert_eq!((kept(&collection, "/bees/").1, kept(&collection, "/cars/").1), (0, 0));
}

#[test]
fn what_people_say_of_pages_decides_on_them_and_teaches() {
    let (_dir, collection) = new_collection();
    pages(&collection);
    let mut said = known(&["zebra"]);
    said.approved =
        ["bees/0", "bees/2", "bees/4"].map(|of| id(&format!("http://a.test/{of}"))).into();
    said.refused = ["bees/6", "cars/1"].map(|of| id(&format!("http://a.test/{of}"))).into();
    run(&collection, said, 0.5);
    let relevance = |url| collection.cells().get(&RELEVANCE, id(url)).unwrap();
    assert_eq!(relevance("http://a.test/bees/0"), Some(1.));
    assert_eq!(relevance("http://a.test/bees/6"), Some(0.), "whatever its words");
    let [like, unlike] =
        ["http://a.test/bees/8", "http://a.test/cars/3"].map(|url| relevance(url).unwrap());
    assert!(like > 10. * unlike, "{like} {unlike}");
}

#[test]
fn a_page_that_the_crawl_took_to_be_off_the_subject_is_kept_when_all_documents_say_that_it_is_on_it()
 {
    let (_dir, collection) = new_collection();
    pages(&collection);
    for url in ["http://a.test/bees/0", "http://a.test/cars/3"] {
        let refuse = |row: &mut fyke_store::Row| {
            row.reason = Reason::Offtopic;
            true
        };
        collection.ledger.update(id(url), refuse).unwrap();
    }
    let before = collection.ledger.counts().unwrap();
    run(&collection, known(&["honey", "bees"]), 0.5);
    assert_eq!((kept(&collection, "/bees/").1, kept(&collection, "/cars/").1), (30, 0));
    let counts = reasons::counts(&collection).unwrap();
    assert_eq!((before[&Reason::Offtopic], before[&Reason::Kept]), (2, 58));
    assert_eq!((counts[&Reason::Offtopic], counts[&Reason::Kept]), (30, 30));
}
