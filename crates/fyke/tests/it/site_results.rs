//! What a page of results tells beyond its hits: quicklinks, copies, what was probably meant, related
//! searches, on a small web that is given as a text.

use crate::client::{between, get};
use crate::fixture::{arg, collection, fyke};
use crate::pond::small_collection;
use crate::site_api::{get_json, site};
use std::path::Path;

/// `//-` begins a page: its URL, then its HTML.
const WEB: &str = r#"
//- http://tide-mills.test/
<title>The mill house</title><p>Welcome to the house of mills, where water and grain meet twice a day.
<a href="/visit">Visit us</a> <a href="/history">History</a> <a href="/nofollowed" rel="nofollow">Sponsors</a>
<a href="http://other.test/">Elsewhere</a> <a href="/history">History again</a>
//- http://tide-mills.test/visit
<title>Opening hours</title><p>The mill opens at low water and closes at high water, on every day but one.
//- http://tide-mills.test/history
<title>History of the mill</title><p>Monks built the mill; millers kept it; the estuary silted; people forgot it.
//- http://tide-mills.test/nofollowed
<title>Sponsors</title><p>Those who gave money for the wheel, the sluice and the roof of the old building.
//- http://other.test/
<title>Elsewhere</title><p>Another place with other things, among them a windmill and a large library of maps.
//- http://copy.test/archive/2014/history.html
<title>History of the mill</title><p>Monks built the mill; millers kept it; the estuary silted; people forgot it.
//- http://other.test/estuary
<title>The estuary</title><p>An estuary is where a river meets the tide; the estuary of this river silted up.
"#;

fn import(dir: &Path) {
    let mut file = String::new();
    for page in WEB.split("//- ").skip(1) {
        let (url, html) = page.split_once('\n').unwrap();
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        file += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: \
             2014-02-16T05:02:01Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    }
    let path = dir.join("web.warc");
    std::fs::write(&path, file).unwrap();
    fyke(&["-q", "-C", arg(dir), "import", arg(&path)]).ends(0, &[]);
}

#[test]
fn a_page_of_results_tells_more_than_hits() {
    let dir = collection("[corpus]\nmin_words = 5\n");
    import(dir.path());
    let (_running, port) = site(dir.path());
    let page = |query: &str| get(port, &format!("/search?q={query}"));

    let links = between(&page("tide+mills"), "<ul class=\"quicklinks\"", "</ul>");
    let names: Vec<&str> =
        links.split("nofollow\">").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(names.len(), 2, "{links}");
    assert!(names.contains(&"Visit us") && names.contains(&"History"), "{links}");
    assert!(!page("monks").contains("class=\"quicklinks\""), "an inner page has none");

    let monks = page("monks");
    assert!(monks.contains("<p class=\"count\">1 result "), "the copy is no hit: {monks}");
    let copies = between(&monks, "#copies\">", "</a>");
    assert_eq!(copies, "1 copy");
    let key = between(&monks, "<a href=\"/document/", "#copies");
    assert!(get(port, &format!("/document/{key}")).contains("<dt id=\"copies\">copies</dt>"));

    let meant = page("estuery");
    assert!(
        between(&meant, "Did you mean", "</p>").contains("<strong>estuary</strong>"),
        "{meant}"
    );
    assert!(!page("estuary").contains("Did you mean"));
    let alike = get_json(port, &format!("/api/v1/similar?key={key}"));
    assert_eq!(alike["similar"][0]["resemblance"], 1.0, "{alike}");

    let narrowed = page("mill+site:other.test+lang:en");
    for (filter, without) in
        [("site:other.test", "mill%20lang%3Aen"), ("lang:en", "mill%20site%3Aother.test")]
    {
        let chip =
            format!("<a href=\"/search?q={without}\" title=\"take this filter away\">{filter} ");
        assert!(narrowed.contains(&chip), "no {chip} in {narrowed}");
    }
}

#[test]
fn queries_asked_often_are_suggested_and_related_and_others_are_not() {
    let dir = collection("[corpus]\nmin_words = 5\n[serve]\nlog_searches = true\n");
    import(dir.path());
    let (_running, port) = site(dir.path());
    for (query, times) in [("estuary+of+monks", 3), ("estuary+secret", 2)] {
        (0..times).for_each(|_| drop(get(port, &format!("/search?q={query}"))));
    }
    let suggested = get_json(port, "/api/v1/suggest?q=Estuary");
    assert_eq!(suggested["suggestions"][0], "estuary of monks", "{suggested}");
    let page = get(port, "/search?q=estuary");
    assert!(between(&page, "Related searches", "</section>").contains(">estuary of monks</a>"));
    assert!(!page.contains("secret") && !suggested.to_string().contains("secret"));
}

#[test]
fn the_reasons_of_a_crawl_lead_to_lists_of_their_urls() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let crawl = get(port, "/crawl");
    assert!(crawl.contains("href=\"/urls?reason=queued\""), "{crawl}");
    let list = get(port, "/urls?reason=queued");
    assert!(list.contains("/why?url=http%3A//") && list.contains("rel=\"next\""), "{list}");
    let second = get(port, "/urls?reason=queued&start=50");
    assert!(second.contains("rel=\"prev\"") && second.contains("URLs 51 to 100"), "{second}");
    assert!(get(port, "/urls?reason=queued&start=4950").contains("from number"));
    let host = get(port, "/urls?host=no-such-host.test");
    assert!(host.contains("No URL is known on this host"), "{host}");
    let hostile = get(port, "/urls?reason=%3Cscript%3E&host=%22%3E%3Cscript%3E");
    assert!(
        hostile.contains("There is no reason called") && !hostile.contains("<script>"),
        "{hostile}"
    );
}
