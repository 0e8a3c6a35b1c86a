//! The verdict on spam in whole collections: people decide, and links are looked at.

use super::neighbours::{LINK_EVIDENCE, LINK_NUMBERS};
use super::{SPAM, judge, numbers, read_model};
use crate::page::print::host;
use crate::whole::reasons::REASONS;
use crate::{DeriveSettings, Eagerness, Orders};
use fyke_store::{Collection, Reason, Round, Row};
use fyke_web::{Capture, Url, UrlId};

fn id(url: &str) -> UrlId {
    Url::parse(url).unwrap().id()
}

/// A collection of pages.
fn collection(pages: Vec<Capture>) -> (tempfile::TempDir, Collection) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    let row = |page: &Capture| (page.url.id(), Row::new(page.url.as_str(), Reason::Kept, 1));
    let rows = pages.iter().map(row).collect();
    let captures = pages.into_iter().map(|page| (Vec::new(), page)).collect();
    collection.commit(Round { captures, rows, hosts: Vec::new() }).unwrap();
    (dir, collection)
}

fn run(collection: &Collection, settings: &DeriveSettings) {
    let (pace, observe) = (Eagerness::Exact, &mut |_| ());
    crate::run(collection, &mut Orders { settings, pace, only: None, observe }).unwrap();
}

fn settings() -> DeriveSettings {
    DeriveSettings { near_duplicate: 0.8, ..DeriveSettings::default() }
}

/// A page of words of its own, with links.
fn page(url: &str, links: &[String]) -> Capture {
    let own: String =
        (0..40).map(|n| format!("{}word{n} ", url.replace([':', '/', '.'], ""))).collect();
    let links: String = links.iter().map(|to| format!("<li><a href=\"{to}\">{to}</a>")).collect();
    Capture {
        url: Url::parse(url).unwrap(),
        time: 1,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        payload: format!("<title>{url}</title><p>{own}</p><ul>{links}</ul>").into_bytes(),
        truncated: None,
    }
}

fn number(collection: &Collection, url: &str, name: &str) -> f32 {
    let at = LINK_NUMBERS.iter().position(|row| row.0 == name).unwrap();
    collection.cells().get(&LINK_EVIDENCE, id(url)).unwrap().unwrap()[at]
}

#[test]
fn a_farm_an_exchange_and_a_flood_are_told_from_honest_links() {
    let farm: Vec<String> = (0..8).map(|n| format!("http://farm{n}.test/")).collect();
    let mut pages: Vec<_> = farm.iter().map(|url| page(url, &farm)).collect();
    let target = "http://target.test/".to_owned();
    pages.extend(
        (0..8).map(|n| page(&format!("http://flood{n}.test/"), std::slice::from_ref(&target))),
    );
    pages.push(page(&target, &[]));
    let fans = ["http://one.test/", "http://two.test/", "http://three.test/"];
    for fan in fans {
        pages.push(page(fan, &["http://honest.test/".to_owned(), "http://other.test/".to_owned()]));
    }
    pages.push(page("http://honest.test/", &["http://one.test/".to_owned()]));
    pages.push(page("http://other.test/", &[]));
    let (_dir, collection) = collection(pages);
    run(&collection, &settings());
    assert!(
        number(&collection, &farm[0], "farm") > 0.5
            && number(&collection, &farm[0], "exchange") > 0.5
    );
    assert_eq!(number(&collection, "http://flood3.test/", "flood"), 1.0);
    assert_eq!(number(&collection, &target, "flood"), 1.0);
    for honest in fans.into_iter().chain(["http://honest.test/", "http://other.test/"]) {
        for name in ["farm", "exchange", "flood"] {
            assert_eq!(number(&collection, honest, name), 0.0, "{honest} {name}");
        }
    }
}

#[test]
fn what_people_say_decides_and_survives_a_rebuild() {
    let urls = ["http://a.test/x", "http://a.test/y", "http://b.test/x"];
    let (_dir, collection) = collection(urls.map(|url| page(url, &[])).to_vec());
    let mut told = settings();
    told.spam.spam_hosts.insert(host("http://a.test/"));
    told.spam.fair.insert(id("http://a.test/y"));
    let judged = |settings: &_| {
        run(&collection, settings);
        urls.map(|url| collection.cells().get(&REASONS, id(url)).unwrap())
    };
    assert_eq!(judged(&settings()), [None, None, None]);
    assert_eq!(judged(&told), [Some(Reason::Spam), None, None]);
    assert!(collection.cells().get(&SPAM, id(urls[0])).unwrap().unwrap().is_told);
    assert_eq!(judged(&settings()), [None, None, None]);
}

#[test]
fn a_verdict_names_what_speaks_for_it() {
    let model = read_model("bias -5\nhidden 6\nfarm 2\n");
    let at = |name| numbers().position(|row| row.0 == name).unwrap();
    let mut values = vec![0.0; numbers().count()];
    assert!(
        judge(&model, &values).probability < 0.01 && judge(&model, &values).evidence.is_empty()
    );
    (values[at("hidden")], values[at("farm")]) = (1.4, 0.5);
    let verdict = judge(&model, &values);
    assert!(verdict.is_likely());
    let said: Vec<_> = verdict.reasons().collect();
    assert_eq!(
        said,
        ["hides words from its readers", "is linked to by domains that all link to each other"]
    );
}

#[test]
fn the_model_that_ships_names_only_numbers_that_are_found() {
    let names: Vec<_> = numbers().map(|row| row.0).chain(["bias"]).collect();
    let shipped =
        include_str!("../../../data/spam-model.txt").lines().filter(|line| !line.starts_with('#'));
    for line in shipped {
        let (name, weight) = line.split_once(' ').unwrap();
        assert!(names.contains(&name) && weight.parse::<f64>().is_ok(), "{line}");
    }
}
