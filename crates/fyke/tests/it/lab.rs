//! The lab from the command line: topics, runs of our own and of other engines, pools, qrels.

use crate::browser::{Running, start};
use crate::fixture::{Ran, arg, collection, fyke};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A page: path, title, text.
pub const PAGES: &[(&str, &str, &str)] = &[
    ("mill", "Tide mills", "A tide mill grinds corn with the ebb. The mill pond fills at flood."),
    ("pond", "Mill ponds", "The pond of a tide mill is closed by a gate that the flood opens."),
    ("gate", "Gates", "A sluice gate lets the tide in and holds the water back at ebb."),
    ("eel", "Eels", "Glass eels come up the river with the tide in spring."),
    ("pear", "Perry pears", "Perry is made of pears that nobody would eat."),
    (
        "hostile",
        "<b>Mill</b> & <script>alert(1)</script>",
        "A mill with <img src=x onerror=alert(2)>.",
    ),
];

pub const TOPICS: &str = "1\ttide mill\tHow mills work by the tide.\tinformational\n\
                          2\tperry pear\tWhich pears make perry.\n";

/// A collection of the pages, indexed.
pub fn held() -> TempDir {
    let dir = collection("[collection]\nname = \"mills\"\n[corpus]\nmin_words = 1\n");
    let line = |(path, title, text): &(&str, &str, &str)| {
        let url = format!("http://a.test/{path}");
        format!("{}\n", serde_json::json!({ "url": url, "title": title, "text": text }))
    };
    let file = dir.path().join("pages.jsonl");
    std::fs::write(&file, PAGES.iter().map(line).collect::<String>()).unwrap();
    within(dir.path(), &["-q", "import", arg(&file)]).ends(0, &[]);
    dir
}

/// A collection with topics, a run of its own and another, pooled.
pub fn pooled() -> TempDir {
    let dir = held();
    let file = dir.path().join("topics.tsv");
    std::fs::write(&file, TOPICS).unwrap();
    lab(dir.path(), &["topics", "import", arg(&file)]).ends(0, &[]);
    lab(dir.path(), &["run", "-q"]).ends(0, &[]);
    let other = dir.path().join("judgements/runs/other.run");
    std::fs::write(&other, "1 Q0 http://a.test/eel 1 1 o\n1 Q0 elsewhere 2 0.5 o\n").unwrap();
    lab(dir.path(), &["pool", "-q"]).ends(0, &[]);
    dir
}

/// Runs `fyke -C DIR …`.
pub fn within(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

fn lab(dir: &Path, args: &[&str]) -> Ran {
    within(dir, &[&["lab"], args].concat())
}

/// The site of a collection, by a command that serves it.
pub fn serve(dir: &Path, command: &[&str]) -> (Running, u16) {
    let mut fyke = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    fyke.arg("-C").arg(dir).args(command).args(["--bind", "127.0.0.1:0"]);
    start(&mut fyke, "stderr", "http://127.0.0.1:")
}

#[test]
fn topics_are_added_imported_and_listed() {
    let dir = collection("");
    let root = dir.path();
    let add =
        ["topics", "add", "tide", "mill", "--need", "How they work.", "--kind", "navigational"];
    assert_eq!(lab(root, &add).ends(0, &[]).out, "1 added, 1 in all\n");
    let file = root.join("more.jsonl");
    std::fs::write(&file, "{\"query_id\":\"q9\",\"text\":\"perry\"}\n{\"query\":\"eel\"}\n")
        .unwrap();
    lab(root, &["topics", "import", arg(&file)]).ends(0, &[]);
    let listed = lab(root, &["topics", "list", "--json"]).ends(0, &[]).json();
    let rows: Vec<(&str, &str, &str)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|t| [&t["id"], &t["query"], &t["kind"]].map(|value| value.as_str().unwrap()))
        .map(|[id, query, kind]| (id, query, kind))
        .collect();
    let expected = [
        ("1", "tide mill", "navigational"),
        ("q9", "perry", "informational"),
        ("2", "eel", "informational"),
    ];
    assert_eq!(rows, expected);
    for (args, exit, says) in [
        (&["topics", "add", "x", "--id", "a b"][..], 2, "without blanks"),
        (&["topics", "import", "/no/such"], 2, "/no/such: "),
        (&["run"], 2, "nothing is indexed"),
        (&["pool"], 2, "fyke lab run"),
        (&["qrels", "export", "--judge", "nobody"], 2, "nobody has judged nothing"),
        (&["run", "--url", "http://127.0.0.1:1/"], 2, "--id"),
        (&["run", "--url", "http://127.0.0.1:1/", "--id", "x"], 2, "no {query}"),
    ] {
        lab(root, args).ends(exit, &[says]);
    }
}

#[test]
fn a_pool_holds_what_any_run_found_and_only_grows() {
    let dir = pooled();
    let root = dir.path();
    let pool = || -> BTreeSet<String> {
        let text = std::fs::read_to_string(root.join("judgements/pool.jsonl")).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| format!("{} {}", row["query"], row["document"]).replace('"', "")).collect()
    };
    let first = pool();
    assert!(first.contains("1 http://a.test/mill") && first.contains("1 elsewhere"), "{first:?}");
    assert!(first.contains("2 http://a.test/pear"), "{first:?}");
    let deeper = root.join("deep.run");
    std::fs::write(&deeper, "1 Q0 x 1 2 d\n1 Q0 y 2 1 d\n77 Q0 z 1 1 d\n").unwrap();
    let ran = lab(root, &["pool", "--depth", "1", arg(&deeper)]).ends(0, &["one run alone", "77"]);
    assert!(ran.out.starts_with("1 documents of 1 runs added"), "{}", ran.out);
    let second = pool();
    assert!(second.is_superset(&first) && second.len() == first.len() + 1, "{second:?}");
}

#[test]
fn qrels_go_in_and_out_by_judge_and_merged() {
    let dir = pooled();
    let root = dir.path();
    for (judge, grades) in [("ann", [3, 0, 1]), ("bob", [3, 1, 2]), ("cy", [0, 1, 3])] {
        let lines = ["mill", "pond", "new"].iter().zip(grades);
        let text: String =
            lines.map(|(page, grade)| format!("1 0 http://a.test/{page} {grade}\n")).collect();
        let file = root.join(judge);
        std::fs::write(&file, text).unwrap();
        lab(root, &["qrels", "import", arg(&file), "--judge", judge]).ends(0, &[]);
        let back = lab(root, &["qrels", "export", "--judge", judge]).ends(0, &[]).out;
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(sorted(&back), sorted(&std::fs::read_to_string(&file).unwrap()));
    }
    let merged = |way: &str| -> Vec<String> {
        let out = lab(root, &["qrels", "export", "--merge", way]).ends(0, &[]).out;
        out.lines().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect()
    };
    // In the order of the URLs: mill, new, pond.
    assert_eq!(merged("majority"), ["3", "1", "1"]);
    assert_eq!(merged("median"), ["3", "2", "1"]);
    assert_eq!(merged("max"), ["3", "3", "1"]);
    let (qrels, run) = (root.join("ann"), root.join("judgements/runs/own.run"));
    let figures = fyke(&["lab", "eval", arg(&qrels), arg(&run), "--json"]).ends(0, &[]).json();
    assert!(figures["means"][0].as_f64() > Some(0.0), "{figures}");
}

#[test]
fn another_engine_gives_the_run_that_the_index_gives() {
    let dir = pooled();
    let root = dir.path();
    let (_site, port) = serve(root, &["serve"]);
    let (own, out) = (root.join("judgements/runs/own.run"), root.join("out.run"));
    let own = std::fs::read_to_string(&own).unwrap();
    let topics = root.join("topics.tsv");
    let url = format!("http://127.0.0.1:{port}/api/v1/search?q={{query}}&limit={{depth}}");
    let paged =
        format!("http://127.0.0.1:{port}/api/v1/search?q={{query}}&limit=1&start={{start}}");
    let described = format!("http://127.0.0.1:{port}/opensearch.xml");
    for engine in [
        &["--url", &url, "--items", "hits", "--id", "url"][..],
        &["--url", &paged, "--items", "/hits", "--id", "/url"],
        &["--opensearch", &described],
    ] {
        // No collection is needed.
        let args = ["lab", "run", "-q", "--name", "own", "--topics", arg(&topics), "-o", arg(&out)];
        fyke(&[&args, engine].concat()).ends(0, &[]);
        assert_eq!(std::fs::read_to_string(&out).unwrap(), own, "{engine:?}");
    }
    let args = ["lab", "run", "--topics", arg(&topics), "-o", "-", "--id", "url", "--items"];
    let wrong = |items: &str| fyke(&[&args[..], &[items, "--url", &url]].concat());
    wrong("results").ends(1, &["topic 1", "nothing is listed at \"/results\""]);
}

/// An engine that answers each path in turn with a body, and remembers what it was asked.
fn engine_at(bodies: Vec<String>) -> (u16, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for body in bodies {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            asked.push(lines.next().unwrap().unwrap());
            lines.map_while(Result::ok).take_while(|line| !line.is_empty()).for_each(drop);
            let body = body.replace("PORT", &port.to_string());
            let (status, body) = body.split_once('|').unwrap();
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .unwrap();
        }
        asked
    });
    (port, thread)
}

#[test]
fn an_engine_that_speaks_atom_is_asked_page_by_page() {
    let feed = |pages: &[&str]| {
        let entry = |page: &&str| format!("<entry><link href='http://b.test/{page}'/></entry>");
        format!("200 OK|<feed>{}</feed>", pages.iter().map(entry).collect::<String>())
    };
    let description = "200 OK|<OpenSearchDescription><Url type='text/html' template='/h?q={searchTerms}'/>\
        <Url type='application/atom+xml' template='http://127.0.0.1:PORT/a?q={searchTerms}&amp;p={startPage?}'/>\
        </OpenSearchDescription>";
    let busy = "429 Too Many Requests\r\nRetry-After: 0|".to_owned();
    let (port, asked) = engine_at(vec![
        description.to_owned(),
        busy,
        feed(&["x", "y"]),
        feed(&["z", "x"]),
        feed(&["x"]),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let topics = dir.path().join("topics");
    std::fs::write(&topics, "tide & mill\n").unwrap();
    let url = format!("http://127.0.0.1:{port}/description.xml");
    let args = ["lab", "run", "-q", "--topics", arg(&topics), "-o", "-", "--opensearch", &url];
    let ran = fyke(&args).ends(0, &[]);
    let expected = "1 Q0 http://b.test/x 1 3 127-0-0-1\n1 Q0 http://b.test/y 2 2 127-0-0-1\n\
                    1 Q0 http://b.test/z 3 1 127-0-0-1\n";
    assert_eq!(ran.out, expected);
    let asked = asked.join().unwrap();
    assert_eq!(asked[1], asked[2]);
    assert_eq!(asked[2], "GET /a?q=tide%20%26%20mill&p=1 HTTP/1.1");
    assert_eq!(asked[3], "GET /a?q=tide%20%26%20mill&p=2 HTTP/1.1");
}

#[test]
fn an_engine_that_sends_us_elsewhere_is_not_followed() {
    let (port, asked) =
        engine_at(vec!["302 Found\r\nLocation: http://169.254.169.254/x|".to_owned()]);
    let dir = tempfile::tempdir().unwrap();
    let topics = dir.path().join("topics");
    std::fs::write(&topics, "tide\n").unwrap();
    let url = format!("http://127.0.0.1:{port}/?q={{query}}");
    let args = ["lab", "run", "--topics", arg(&topics), "-o", "-", "--url", &url, "--id", "url"];
    fyke(&args).ends(1, &["leads to another host"]);
    asked.join().unwrap();
    let elsewhere = ["--url", "http://engine.example/?q={query}", "--id", "url"];
    fyke(&[&args[..6], &elsewhere].concat()).ends(2, &["contact"]);
}

#[test]
fn an_engine_elsewhere_is_asked_as_its_robots_txt_allows_and_never_sends_us_home() {
    let robots = |rule: &str| format!("200 OK|User-agent: *\nDisallow: {rule}\n");
    let answer = "200 OK|[\"x\"]".to_owned();
    let home = "200 OK|<Url type='application/json' template='http://127.0.0.1:PORT/?q={query}'/>";
    let by_url = &["--url", "http://a.test/s?q={query}", "--id", ""][..];
    let described = &["--opensearch", "http://a.test/d", "--id", ""][..];
    for (bodies, engine, exit, says) in [
        (vec![robots("/s")], by_url, 1, "robots.txt of a.test forbids"),
        (
            vec!["503 Busy|".to_owned()],
            by_url,
            1,
            "robots.txt of a.test could not be fetched: status 503",
        ),
        (vec![robots("/other"), answer.clone()], by_url, 0, ""),
        (vec![answer], &[by_url, &["--allowed"]].concat(), 0, ""),
        (vec![home.to_owned()], described, 1, "leads to this machine"),
    ] {
        let (port, asked) = engine_at(bodies);
        let toml = format!(
            "[politeness]\nfloor = \"1ms\"\n[fetch]\nhosts = {{ \"a.test\" = \"127.0.0.1:{port}\" }}\n"
        );
        let dir = collection(&toml);
        lab(dir.path(), &["topics", "add", "tide"]).ends(0, &[]);
        lab(dir.path(), &[&["run", "-q", "-o", "-"], engine].concat()).ends(exit, &[says]);
        asked.join().unwrap();
    }
}
