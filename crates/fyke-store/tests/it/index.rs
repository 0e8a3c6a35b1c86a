//! The CDXJ index and its keys, as archive tools expect them.

use crate::{capture, new_collection, round, warc};
use fyke_store::surt::surt;
use fyke_store::{Collection, Place};
use fyke_web::Url;
use std::fs;

/// Expected keys were made with the tool that archive viewers use.
#[test]
fn keys_are_those_of_archive_tools() {
    fn check(url: &str, expected: &str) {
        assert_eq!(surt(&Url::parse(url).unwrap()), expected, "{url}");
    }
    check("http://a.test/", "test,a)/");
    check("https://www.a.test:443/Path/", "test,a)/path");
    check("http://www2.a.test:8080/x", "test,a:8080)/x");
    check("http://www.test.example/", "example,test)/");
    check("http://wwwa.test/", "test,wwwa)/");
    check("http://127.0.0.1:8400/", "1,0,0,127:8400)/");
    check("http://a.test/a//b/%7Ec/?b=2&a=1&a", "test,a)/a/b/~c?a&a=1&b=2");
    check("http://a.test/a?", "test,a)/a");
    check("http://[::1]:8080/a%2Fb%3Fc%23d", "::1:8080)/a/b?c%23d");
    check("http://a.test/a/?x=%26y&&c", "test,a)/a?&c&x=&y");
    check("http://a.test/%C3%A9%20x?q=%C3%A9+x%2525", "test,a)/%c3%a9%20x?q=%c3%a9+x%25");
    check("http://a.test/x?sid=0123456789abcdef0123456789abcdef&b=1", "test,a)/x?b=1");
    check("http://a.test/x?b=1&PHPSESSID=0123456789abcdef0123456789abcdef", "test,a)/x?&b=1");
    check("http://a.test/(a(0123456789abcdef01234567))/b.aspx?c", "test,a)/b.aspx?c");
}

#[test]
fn the_index_is_sorted_and_points_at_the_captures() {
    let (dir, collection) = new_collection();
    let places: Vec<Place> = (0..12).flat_map(|n| collection.commit(round(n)).unwrap()).collect();
    collection.settle().unwrap();
    let text = fs::read_to_string(dir.path().join("captures/00000.cdxj")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.is_sorted());
    assert_eq!(lines.len(), 12);
    let (place, capture) = (places[3], capture(3));
    let line = lines.iter().find(|line| line.starts_with("test,a)/page/3?q=3 ")).unwrap();
    let mut parts = line.splitn(3, ' ').skip(1);
    assert_eq!(parts.next(), Some("20261118110640"));
    let json: serde_json::Value = serde_json::from_str(parts.next().unwrap()).unwrap();
    assert_eq!(json["url"], capture.url.as_str());
    assert_eq!(json["mime"], "text/html");
    assert_eq!(json["status"], "200");
    assert_eq!(json["offset"], place.offset.to_string());
    assert_eq!(json["length"], place.length.to_string());
    assert_eq!(json["filename"], "00000.warc.gz");
    assert_eq!(json["digest"].as_str().unwrap().len(), 32);
}

#[test]
fn an_index_is_made_again_only_when_its_file_has_changed() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    collection.settle().unwrap();
    let index = dir.path().join("captures/00000.cdxj");
    let first = fs::read(&index).unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    fs::write(&index, "stands").unwrap();
    collection.settle().unwrap();
    assert_eq!(fs::read(&index).unwrap(), b"stands");
    // The captures are newer again.
    let later =
        fs::metadata(&index).unwrap().modified().unwrap() + std::time::Duration::from_secs(1);
    fs::File::options().write(true).open(warc(dir.path())).unwrap().set_modified(later).unwrap();
    collection.settle().unwrap();
    assert_eq!(fs::read(&index).unwrap(), first);
}

#[test]
fn an_index_that_grew_is_the_one_made_at_once() {
    let (dir, mut collection) = new_collection();
    let index = dir.path().join("captures/00000.cdxj");
    for n in 0..12 {
        collection.commit(round(n)).unwrap();
        match n {
            // What was appended before is remembered, by this process …
            2 | 3 | 7 => collection.settle().unwrap(),
            // … or read, after a kill …
            5 | 9 => {
                drop(collection);
                collection = Collection::open(dir.path()).unwrap();
            }
            // … or after damage.
            8 => fs::write(&index, "test,a)/ 2026 {}\n").unwrap(),
            _ => {}
        }
    }
    collection.settle().unwrap();
    let grown = fs::read_to_string(&index).unwrap();
    assert_eq!(grown.lines().count(), 12);
    fs::remove_file(&index).unwrap();
    drop(collection);
    Collection::open(dir.path()).unwrap().settle().unwrap();
    assert_eq!(fs::read_to_string(&index).unwrap(), grown);
}
