//! The log of searches and clicks, and an experiment on the site: what is kept, where links lead,
//! and what `fyke lab queries` and `fyke lab ab` make of it.

use crate::browser::{Running, start};
use crate::fixture::{Ran, arg, collection, fyke};
use crate::import::warc;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

const LOG: &str = "[serve]\nlog_searches = true\n";
const EXPERIMENT: &str = "[serve]\nlog_searches = true\n[experiment]\nshare = 1.0\na = \"title=30\"\nb = \"title=0.001 names=0.001 whole-name=0 title-coverage=0\"\n";

/// Pages that all match "tides": half of them by their titles, and with much more to say.
fn tides(toml: &str) -> tempfile::TempDir {
    let dir = collection(&format!("[corpus]\nnear_duplicate = 1.0\n{toml}"));
    let title = |n: usize| match n < 7 {
        true => format!("tides {}", format!("grain{n} ").repeat(120 + n)),
        false => format!("weir{n}"),
    };
    let pages: Vec<_> = (0..14).map(|n| (format!("page/{n}"), title(n))).collect();
    let pages: Vec<_> = pages.iter().map(|(page, text)| (page.as_str(), text.as_str())).collect();
    let file = dir.path().join("tides.warc");
    warc(&file, 1, &pages);
    fyke(&["-C", arg(dir.path()), "-q", "import", arg(&file)]).ends(0, &[]);
    dir
}

struct Site {
    running: Running,
    port: u16,
}

/// What the site answered.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn location(&self) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix("location: "))
    }

    /// Where the titles of the results lead.
    fn links(&self) -> Vec<String> {
        let links = self.body.split("<h2><a href=\"").skip(1);
        links.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }

    /// Where the next page of results is.
    fn next(&self) -> String {
        let link = self.body.split("<a rel=\"next\" href=\"").nth(1).expect("a next page");
        link.split('"').next().unwrap().replace("&amp;", "&").replace("&#38;", "&")
    }
}

impl Site {
    fn start(dir: &Path) -> Site {
        Site::start_with(dir, "serve.log_days=90")
    }

    /// A site with this setting.
    fn start_with(dir: &Path, set: &str) -> Site {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
        command.args(["-C", arg(dir), "serve", "--bind", "127.0.0.1:0", "--set", set]);
        let (running, port) = start(&mut command, "stderr", "http://127.0.0.1:");
        Site { running, port }
    }

    fn send(&self, method: &str, path: &str, more: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}");
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "")
    }

    /// Ends it as Ctrl-C does, after which the log is whole.
    fn end(mut self) {
        let id = self.running.0.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -INT \"$0\"", &id]).status().unwrap();
        assert!(sent.success() && self.running.0.wait().unwrap().success());
    }
}

/// The text of the whole log.
fn log(dir: &Path) -> String {
    let mut days: Vec<_> =
        fs::read_dir(dir.join("searches")).unwrap().map(|day| day.unwrap().path()).collect();
    days.sort();
    days.iter().map(|day| fs::read_to_string(day).unwrap()).collect()
}

fn lines(dir: &Path, kind: &str) -> Vec<Value> {
    let lines = log(dir);
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["kind"] == kind).collect()
}

fn lab(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir), "lab"], args].concat())
}

#[test]
fn without_being_asked_nothing_is_kept_and_links_are_direct() {
    let dir = tides("");
    let site = Site::start(dir.path());
    let page = site.get("/search?q=tides");
    assert!(page.links().iter().all(|link| link.starts_with("http://a.test/page/")));
    assert!(
        page.links().len() == 10 && !page.body.contains("from=") && !page.body.contains("kept")
    );
    assert_eq!(site.get("/go/0000000000000001/1").status, 404);
    assert!(site.get("/lab/experiments").body.contains("Searches are not logged here"));
    site.end();
    assert!(!dir.path().join("searches").exists());
    lab(dir.path(), &["queries"]).ends(0, &["set log_searches = true in [serve]"]);
    lab(dir.path(), &["ab"]).ends(0, &["set log_searches = true in [serve]"]);
}

#[test]
fn a_search_and_a_click_are_kept_and_nothing_about_who_made_them() {
    let dir = tides(LOG);
    let site = Site::start(dir.path());
    let who = "User-Agent: snoop/1\r\nCookie: me=7\r\nX-Forwarded-For: 192.0.2.7\r\n\
               Referer: http://from.test/\r\nAccept-Language: sl\r\n";
    let page = site.send("GET", "/search?q=Tides%20%20weir8", who);
    assert!(page.body.contains("kept here for 90 days"), "{}", page.body);
    let links = page.links();
    let opened = site.send("GET", &links[1], who);
    assert_eq!((opened.status, opened.head.contains("cache-control: no-store")), (302, true));
    for asked in
        [("HEAD", ""), ("GET", "Sec-Purpose: prefetch\r\n"), ("GET", "Sec-Fetch-Dest: image\r\n")]
    {
        let seen = site.send(asked.0, &links[2], asked.1);
        assert_eq!(seen.status, 302, "{asked:?}");
        site.send(asked.0, "/search?q=unasked", asked.1);
    }
    site.get("/search?q=nowhere");
    site.end();

    let (searches, clicks) = (lines(dir.path(), "search"), lines(dir.path(), "click"));
    assert_eq!((searches.len(), clicks.len()), (2, 1), "{}", log(dir.path()));
    assert_eq!((&clicks[0]["id"], &clicks[0]["rank"]), (&searches[0]["id"], &2.into()));
    assert_eq!(searches[0]["shown"][1]["url"], opened.location().unwrap());
    assert_eq!(searches[0]["query"], "Tides  weir8");
    for line in searches.iter().chain(&clicks) {
        let time = line["time"].as_str().unwrap();
        assert_eq!((time.len(), &time[16..]), ("2026-11-16T06:03Z".len(), "Z"), "{line}");
    }
    for word in ["snoop", "me=7", "192.0.2.7", "127.0.0.1", "from.test", "\"sl\"", "unasked"] {
        assert!(!log(dir.path()).contains(word), "{word}: {}", log(dir.path()));
    }

    let mined = lab(dir.path(), &["queries", "--json"]).ends(0, &[]).json();
    let kept: Vec<_> = mined.as_array().unwrap().iter().map(|row| &row["query"]).collect();
    assert_eq!(kept, ["nowhere", "tides weir8"]);
    assert_eq!((&mined[0]["without_results"], &mined[1]["clicks"]), (&1.0.into(), &1.into()));
    assert_eq!(lab(dir.path(), &["queries", "--format", "plain", "-n", "1"]).out, "nowhere\n");
    let tsv = lab(dir.path(), &["queries", "--format", "tsv"]).ends(0, &[]).out;
    assert!(
        tsv.lines().all(|line| line.starts_with("log-") && line.ends_with("\t\tinformational"))
    );
    let topics = dir.path().join("topics.jsonl");
    fs::write(&topics, lab(dir.path(), &["queries", "--format", "jsonl"]).out).unwrap();
    lab(dir.path(), &["topics", "import", arg(&topics)]).ends(0, &[]);
    let listed = lab(dir.path(), &["topics", "list", "--json"]).ends(0, &[]).json();
    assert_eq!((&listed[0]["id"], &listed[0]["query"]), (&mined[0]["id"], &mined[0]["query"]));
    assert_eq!(lab(dir.path(), &["queries", "--at-least", "2", "--format", "jsonl"]).out, "");
    assert!(lab(dir.path(), &["ab"]).ends(0, &["no experiment"]).out.contains("position bias"));
    lab(dir.path(), &["queries", "--forget"]).ends(0, &["the searches of 1 day are deleted"]);
    assert!(!dir.path().join("searches").exists());
}

#[test]
fn an_experiment_shows_every_result_once_on_all_pages() {
    let dir = tides(EXPERIMENT);
    let site = Site::start(dir.path());
    let first = site.get("/search?q=tides");
    let next = site.get(&first.next());
    assert_eq!(site.get(&first.next()).links(), next.links(), "a page loaded again is another");
    let links: Vec<String> = first.links().into_iter().chain(next.links()).collect();
    let urls: BTreeSet<String> =
        links.iter().map(|link| site.get(link).location().unwrap().to_owned()).collect();
    assert_eq!((links.len(), urls.len()), (14, 14), "a result twice, or one missing");
    // Further pages are shown to who makes them up, but no log is made of them.
    let strange = site.get("/search?q=tides&start=10&from=0000000000000001");
    assert!(strange.links().iter().all(|link| link.starts_with("http://a.test/")));
    site.end();

    let searches = lines(dir.path(), "search");
    assert_eq!((searches.len(), lines(dir.path(), "click").len()), (2, 14));
    let shown: Vec<&Value> =
        searches.iter().flat_map(|page| page["shown"].as_array().unwrap()).collect();
    let of = |team: &str| shown.iter().filter(|result| result["team"] == team).count();
    assert!(of("A") == of("B") && of("A") > 2, "{shown:?}");
    assert!(searches[0]["experiment"]["b"].as_str().unwrap().starts_with("title=0.001"));
}

#[test]
fn the_ranker_whose_results_are_opened_wins_by_either_method() {
    let dir = tides(EXPERIMENT);
    for method in ["team-draft", "balanced"] {
        // People who open what has no long title, which is what B has first.
        let site = Site::start_with(dir.path(), &format!("experiment.method={method}"));
        for _ in 0..8 {
            for link in site.get("/search?q=tides").links().iter().take(4) {
                let seen = site.send("HEAD", link, "");
                let number = seen.location().unwrap().rsplit('/').next().unwrap();
                if number.parse::<usize>().unwrap() >= 7 {
                    site.get(link);
                }
            }
        }
        site.get("/search?q=tides");
        site.end();
    }
    let told = lab(dir.path(), &["ab", "--json"]).ends(0, &[]).json();
    let results = told["experiments"].as_array().unwrap();
    let methods: BTreeSet<&str> = results.iter().map(|r| r["method"].as_str().unwrap()).collect();
    assert_eq!((results.len(), methods.len()), (2, 2));
    for result in results {
        let figures = ["impressions", "wins_a", "wins_b", "ties", "unclicked", "alike"];
        let figures = figures.map(|name| result[name].as_u64().unwrap());
        assert_eq!((figures, &result["winner"]), ([9, 0, 8, 0, 1, 0], &"B".into()), "{result}");
    }
    assert_eq!(told["traffic"]["searches"], 18);
    let site = Site::start(dir.path());
    let page = site.get("/lab/experiments");
    assert!(page.status == 200 && page.body.contains("<strong>B is better; "), "{}", page.body);
    assert_eq!(
        serde_json::from_str::<Value>(&site.get("/api/v1/lab/experiments").body).unwrap(),
        told
    );
    site.end();
    let shown = lab(dir.path(), &["ab"]).ends(0, &[]).out;
    assert!(shown.contains("B is better") && shown.contains("p, sign test"), "{shown}");
}

#[test]
fn links_lead_where_they_were_shown_to_lead_and_nowhere_else() {
    let dir = tides(LOG);
    let site = Site::start(dir.path());
    let page = site.get("/search?q=tides");
    let link = page.links()[0].clone();
    let id = link.split('/').nth(2).unwrap().to_owned();
    let url = site.get(&link).location().unwrap().to_owned();
    for more in ["?url=http://evil.test/", "?rank=2", "#http://evil.test/"] {
        assert_eq!(site.get(&format!("{link}{more}")).location(), Some(&*url), "{more}");
    }
    let other = format!("{:016x}", u64::from_str_radix(&id, 16).unwrap() ^ 1);
    let hostile = [
        format!("/go/{id}/0"),
        format!("/go/{id}/11"),
        format!("/go/{id}/-1"),
        format!("/go/{id}/1.0"),
        format!("/go/{id}/99999999999999999999999"),
        format!("/go/{id}/http:%2f%2fevil.test%2f"),
        format!("/go/{id}//evil.test"),
        format!("/go/{id}%2f1/1"),
        format!("/go/{id}/1%0d%0aLocation:%20http:%2f%2fevil.test"),
        format!("/go/+{}/1", &id[1..]),
        format!("/go/{other}/1"),
        "/go/http:%2f%2fevil.test/1".to_owned(),
        "/go//evil.test".to_owned(),
        "/go/%ff%fe/1".to_owned(),
        format!("/go/{}/1", "a".repeat(5_000)),
    ];
    for path in hostile {
        let answer = site.get(&path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.head);
        assert_eq!(answer.location(), None, "{path}");
    }
    assert_eq!(site.send("POST", &link, "Content-Length: 0\r\n").status, 405);
    site.end();
    assert_eq!(lines(dir.path(), "click").len(), 4, "only what was shown was clicked");

    // The page of a visitor outlives the site's restart.
    let site = Site::start(dir.path());
    assert_eq!(site.get(&link).location(), Some(&*url));
    site.end();
    assert_eq!(lines(dir.path(), "click").len(), 5);
}

#[test]
fn searches_at_once_leave_whole_lines_each_with_its_own_id() {
    let dir = tides(LOG);
    let site = Site::start(dir.path());
    std::thread::scope(|scope| {
        for visitor in 0..8 {
            let site = &site;
            scope.spawn(move || {
                for n in 0..5 {
                    let page = site.get(&format!("/search?q=tides+visitor{visitor}x{n}"));
                    assert_eq!(site.get(&page.links()[n]).status, 302);
                }
            });
        }
    });
    site.end();
    let searches = lines(dir.path(), "search");
    let ids: BTreeSet<&str> = searches.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), lines(dir.path(), "click").len()), (40, 40));
}

#[test]
fn a_log_that_cannot_be_written_is_no_trouble_for_who_searches() {
    let dir = tides(LOG);
    fs::write(dir.path().join("searches"), "in the way").unwrap();
    let site = Site::start(dir.path());
    let page = site.get("/search?q=tides");
    assert_eq!((page.status, page.links().len()), (200, 10));
    assert_eq!(site.get(&page.links()[9]).status, 302);
    site.end();
    assert_eq!(fs::read(dir.path().join("searches")).unwrap(), b"in the way");
}
