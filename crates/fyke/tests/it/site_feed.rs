//! What other programs read of a search: the feed of a query, the OpenSearch description and its
//! suggestions.

use crate::client::get;
use crate::pond::small_collection;
use crate::site_api::{get_json, site};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};

/// Asks a parser of XML that is not ours what stands in a document.
fn parsed(xml: &str) -> String {
    let code = "import sys, email.utils, xml.etree.ElementTree as T\n\
        r = T.fromstring(sys.stdin.buffer.read())\n\
        if r.tag == 'rss':\n\
        \x20   c = r.find('channel')\n\
        \x20   for i in c.findall('item'): email.utils.parsedate_to_datetime(i.findtext('pubDate'))\n\
        \x20   print(r.get('version'), len(c.findall('item')), all(i.findtext('link') and i.findtext('guid') for i in c.findall('item')), c.findtext('title'))\n\
        else: print(*[u.get('type') for u in r if u.tag.endswith('Url')])";
    let mut python = Command::new("python3");
    python.args(["-c", code]).env("PYTHONIOENCODING", "utf-8");
    let mut python = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    python.stdin.take().unwrap().write_all(xml.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "not well formed: {xml}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[test]
fn a_query_is_a_feed_that_other_parsers_read() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let head = parsed(&get(port, "/search.rss?q=tidal+turbine"));
    assert!(head.starts_with("2.0 ") && head.contains(" True tidal turbine – "), "{head}");
    assert!(!head.starts_with("2.0 0 "), "{head}");
    let head = parsed(&get(port, "/search.rss?q=%3C%2Ftitle%3E%26%00%0B%5D%5D%3E"));
    assert!(head.starts_with("2.0 0 True </title>&]]>"), "{head}");
    let page = get(port, "/search?q=tidal+turbine");
    assert!(page.contains("type=\"application/rss+xml\" title=\"tidal turbine\" href=\"/search.rss?q=tidal%20turbine\""));
}

#[test]
fn a_browser_learns_how_to_search_and_to_suggest() {
    let dir = small_collection();
    let (_running, port) = site(dir.path());
    let kinds = parsed(&get(port, "/opensearch.xml"));
    for kind in ["text/html", "application/rss+xml", "application/x-suggestions+json"] {
        assert!(kinds.contains(kind), "{kinds}");
    }
    let suggested = get_json(port, "/suggest?q=tid");
    assert_eq!(suggested[0], json!("tid"));
    let texts = suggested[1].as_array().unwrap();
    assert!(!texts.is_empty() && texts.len() <= 10, "{suggested}");
    assert!(texts.iter().any(|text| text.as_str().unwrap().to_lowercase().contains("tid")));
    assert_eq!(get_json(port, "/suggest?q="), json!(["", []]));
    assert_eq!(get_json(port, "/api/v1/suggest?q=tid&limit=1")["suggestions"][0], texts[0]);
}
