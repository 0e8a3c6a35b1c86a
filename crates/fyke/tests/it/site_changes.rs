//! What changed between the versions of a page, on the page of its document: without scripts, and with everything escaped.

use crate::client::get;
use crate::fixture::{arg, collection, fyke};
use crate::site_api::site;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const SAME: &str = "The net hangs in the current where the eels go by at night, and the fisher waits for the \
                    morning to lift it. Nobody else is awake at that hour, and the water is quiet.";

/// A server with one page, whose text is of a version that the test sets.
fn changing_page() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, version) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let shown = Arc::clone(&version);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut line = String::new();
            while stream.read_line(&mut line).is_ok_and(|read| read > 2) {}
            let texts = [
                "old &lt;script&gt;alert(1)&lt;/script&gt; hooks",
                "new &lt;b&gt;bait&lt;/b&gt;",
                "no bait",
            ];
            let body = format!("<title>Eels</title><p>{SAME} {}.</p>", texts[shown.load(Relaxed)]);
            let (status, body) = match line.starts_with("GET / ") {
                true => ("200 OK", body),
                false => ("404 Not Found", String::new()),
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.get_mut().write_all((head + &body).as_bytes());
        }
    });
    (port, version)
}

#[test]
fn the_page_of_a_document_shows_what_changed_and_escapes_it() {
    let (port, version) = changing_page();
    let dir = collection(&format!(
        "[seeds]\nurls = [\"http://127.0.0.1:{port}/\"]\n[politeness]\nfloor = \"1ms\"\nfactor = 0.0\n\
         [corpus]\nmin_words = 5\n[fetch]\nmade_up_paths = false\n\
         [revisit]\nsoonest = \"1ms\"\nevery = \"1ms\"\nlatest = \"1ms\"\n"
    ));
    let crawl = || fyke(&["-q", "-C", arg(dir.path()), "crawl"]).ends(0, &[]);
    crawl();
    let (_site, at) = site(dir.path());
    let found = fyke(&["--json", "-C", arg(dir.path()), "search", "eels"]).ends(0, &[]).json();
    let id = found["hits"][0]["id"].as_u64().unwrap_or_else(|| panic!("{found}"));
    let path = format!("/document/{id:016x}");
    assert!(!get(at, &path).contains("id=\"changes\""), "there is one version");
    for newer in 1..=2 {
        version.store(newer, Relaxed);
        crawl();
    }
    let wait = |part: &str| {
        let start = std::time::Instant::now();
        loop {
            let page = get(at, &path);
            if page.contains(part) {
                return page;
            }
            assert!(start.elapsed().as_secs() < 20, "no {part} in {page}");
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    };
    let page = wait("<ins>no bait");
    assert!(page.contains("<del>new &#60;b&#62;bait&#60;/b&#62;"), "{page}");
    assert!(page.contains("What changed since") && page.contains("?since=2#changes"), "{page}");
    let first = get(at, &format!("{path}?since=2"));
    assert!(first.contains("<details class=\"differences\" id=\"changes\" open>"), "{first}");
    assert!(first.contains("<del>old &#60;script&#62;alert(1)&#60;/script&#62; hooks"), "{first}");
    assert!(!first.contains("<script>alert"), "{first}");
    // What there is none of is the oldest, and nonsense is none.
    for asked in ["99999999999", "0", "-1", "x", "%3Cscript%3E"] {
        assert!(
            get(at, &format!("{path}?since={asked}")).contains("What changed since"),
            "{asked}"
        );
    }
}
