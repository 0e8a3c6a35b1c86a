//! Sections of pages, from the HTML of a manual to the hits of the terminal, the API, the feed and the site.

use crate::client::get;
use crate::fixture::{arg, collection, fyke};
use crate::site_api::{get_json, site};
use std::fs;
use std::path::Path;

const MANUAL: &str = "<title>netmend - mend a net</title><main><h1 id=netmend>netmend</h1>\
    <p>Mends the nets of a whole fleet in one night, whatever tore them, and tells which of them are beyond help.</p>\
    <h2 id=options>Options</h2><p>The options come before the names of the nets, in any order that you like.</p>\
    <dl><dt id=twine>--twine</dt><dd>The twine that is used for mending; tarred hemp where nothing is said of it.</dd></dl>\
    <h2 id=weirs>Weirs and dams</h2><p>A sluice that is left open at night lets salmon through, and the eels as well.</p>\
    <h2>Files</h2><p>Nothing is read but the net itself and the ledger of the harbour that it belongs to.</p></main>";

fn import(dir: &Path) {
    let line = serde_json::json!({ "id": "1", "url": "http://net.test/mend.html", "html": MANUAL });
    let file = dir.join("manual.jsonl");
    fs::write(&file, format!("{line}\n")).unwrap();
    fyke(&["-C", arg(dir), "-q", "import", arg(&file)]).ends(0, &[]);
}

#[test]
fn a_hit_names_its_section_and_leads_to_it() {
    let dir = collection("");
    import(dir.path());
    let found = |words: &str| {
        fyke(&["-C", arg(dir.path()), "search", "--json", words]).ends(0, &[]).json()["hits"][0]
            .clone()
    };
    assert_eq!(found("netmend options")["section"]["url"], "http://net.test/mend.html#options");
    assert_eq!(found("netmend --twine")["section"]["heading"], "--twine");
    assert_eq!(found("salmon sluice")["section"]["heading"], "Weirs and dams");
    for about_the_page in ["netmend", "mend nets fleet harbour", "ledger harbour"] {
        assert!(found(about_the_page)["section"].is_null(), "{about_the_page}");
    }
    let said = fyke(&["-C", arg(dir.path()), "search", "salmon", "sluice"]).ends(0, &[]).out;
    assert!(said.contains("http://net.test/mend.html#weirs  § Weirs and dams"), "{said}");
    let (_running, port) = site(dir.path());
    let hit = get_json(port, "/api/v1/search?q=salmon+sluice")["hits"][0].clone();
    assert_eq!(hit["section"]["url"], "http://net.test/mend.html#weirs", "{hit}");
    let page = get(port, "/search?q=salmon+sluice");
    assert!(page.contains("href=\"http://net.test/mend.html#weirs\""), "{page}");
    assert!(page.contains("§ Weirs and dams</a>"), "{page}");
    let feed = get(port, "/search.rss?q=salmon+sluice");
    assert!(feed.contains("<link>http://net.test/mend.html#weirs</link>"), "{feed}");
}
