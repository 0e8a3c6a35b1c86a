//! Private sites (003 §3.2.5): pages behind passwords and logins are fetched, found by who runs the collection, kept from
//! others, and no secret stands in anything that is written or said.

use crate::browser;
use crate::client::{ask, get};
use crate::fixture::{Ran, arg, collection, fyke, fyke_with};
use fyke_pond::Pond;
use fyke_pond::deep::{CLUB_PASSWORD, MEMBER_PASSWORD, club_session};
use fyke_pond::server::{Running, Serve, serve};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Names of the variables that the settings below name.
const MEMBER: &str = "POND_MEMBER";

/// The deep web, served in this process.
struct DeepWeb {
    running: Running,
    secrets: Vec<String>,
    // Last: the server's tasks end before their runtime.
    _runtime: Runtime,
}

impl DeepWeb {
    fn start() -> DeepWeb {
        let runtime = Runtime::new().unwrap();
        let pond = Arc::new(Pond::deep(7));
        let options = Serve { port: 0, floor_ms: 5 };
        let running = runtime.block_on(serve(Arc::clone(&pond), options)).unwrap();
        let coded = ["cmVhZGVyOmtlbHAtZm9yZXN0LTkzMTQ", "tide+%26+table+2718"].map(str::to_owned);
        let plain = [MEMBER_PASSWORD.to_owned(), CLUB_PASSWORD.to_owned(), club_session(&pond)];
        let secrets = plain.into_iter().chain(coded).collect();
        DeepWeb { running, secrets, _runtime: runtime }
    }

    fn toml(&self, club_password: &Path) -> String {
        let addresses = self.running.addresses.iter();
        let hosts: Vec<_> = addresses.map(|(host, at)| format!("{host:?} = \"{at}\"")).collect();
        format!(
            "[seeds]\nurls = [\"http://members.test/\", \"http://club.test/\"]\n\
             [politeness]\nfloor = \"6ms\"\nfactor = 0.0\n\
             [corpus]\nmin_words = 10\n\
             [fetch]\nmade_up_paths = false\nhosts = {{ {} }}\n\
             [credentials.\"members.test\"]\nuser = \"reader\"\npassword = \"env:{MEMBER}\"\n\
             [credentials.\"club.test\"]\nlogin = \"http://club.test/session\"\n\
             page = \"http://club.test/login\"\n\
             form = {{ user = \"plain:reader\", password = \"file:{}\" }}\n",
            hosts.join(", "),
            club_password.display()
        )
    }

    fn holds_none(&self, what: &str, text: &[u8]) {
        for secret in &self.secrets {
            let is_there = text.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_there, "{what} holds {secret:?}");
        }
    }
}

/// Everything that stands below a folder, with what is packed unpacked.
fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let mut plain = Vec::new();
        if flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).is_ok() {
            found.push((format!("{} unpacked", path.display()), plain));
        }
        found.push((path.display().to_string(), bytes));
    }
    found
}

/// A file with the club's password that nobody else may read.
fn password_file() -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club-password");
    fs::write(&path, format!("{CLUB_PASSWORD}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    (folder, path)
}

fn run(dir: &Path, args: &[&str]) -> Ran {
    fyke_with(&[&["-C", arg(dir)], args].concat(), &[(MEMBER, MEMBER_PASSWORD)])
}

#[test]
fn what_is_private_is_fetched_and_no_secret_is_written_or_said() {
    let web = DeepWeb::start();
    let (_folder, password) = password_file();
    let dir = collection(&web.toml(&password));
    let dir = dir.path();
    let mut said = vec![run(dir, &["-vv", "crawl", "--json"]).ends(0, &[])];

    let sum = web.running.judge.stats().sum;
    assert_eq!((sum.politeness_violations, sum.harmful_requests), (0, 0), "{sum:?}");
    // Two homes, a list of each, twelve rooms and ten.
    let rooms = |args: &[&str]| run(dir, &[args, &["--limit", "100", "--json"]].concat());
    let found = rooms(&["search", "room private:yes"]);
    assert!(found.json()["total"].as_u64().is_some_and(|total| total >= 22), "{found:?}");
    let none = rooms(&["search", "room -private:yes"]);
    assert_eq!(none.json()["total"], 0, "{none:?}");

    let export = |args: &[&str]| run(dir, &[&["export"], args].concat()).ends(0, &[]);
    let left_out = export(&["jsonl", "--out", "-"]);
    assert!(!left_out.out.contains("/rooms/") && !left_out.out.contains("/reading-room/"));
    let named = export(&["jsonl", "--private", "--out", "-"]);
    assert!(named.out.contains("/rooms/3") && named.out.contains("/reading-room/3"), "{named:?}");
    said.extend([found, none, left_out, named]);
    for format in ["jsonl", "parquet", "markdown", "text", "trec", "warc"] {
        said.push(export(&[format, "--private"]));
    }
    let room = "http://club.test/rooms/3";
    for args in [
        &["config"][..],
        &["config", "--json"],
        &["why", room],
        &["row", room],
        &["urls"],
        &["stats"],
        &["stats", "--json"],
        &["check"],
        &["rebuild", "-vv"],
        &["crawl", "-vv"],
        &["why", "http://club.test/logout"],
    ] {
        said.push(run(dir, args).ends(0, &[]));
    }
    for ran in &said {
        web.holds_none("an output", ran.out.as_bytes());
        web.holds_none("a log", ran.err.as_bytes());
    }
    let written = files(dir);
    written.iter().for_each(|(name, bytes)| web.holds_none(name, bytes));
    // The captures were looked into.
    let all: Vec<u8> = written.into_iter().flat_map(|(_, bytes)| bytes).collect();
    let all = String::from_utf8_lossy(&all);
    assert!(all.contains("GET /rooms/3 HTTP/1.1") && all.contains("(left out)"));
    site_keeps_private_pages(&web, dir);
}

/// On loopback the site shows private pages with a mark; one for others does not.
fn site_keeps_private_pages(web: &DeepWeb, dir: &Path) {
    let site = |more: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
        command.args(["-C", arg(dir), "serve", "--bind", "0"]).args(more);
        let mut site = browser::Running(command.stderr(Stdio::piped()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(site.0.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.rsplit_once(':').unwrap().1.split('/').next().unwrap().parse().unwrap();
        (site, port)
    };
    let (_site, port): (_, u16) = site(&[]);
    let page = get(port, "/search?q=room");
    assert!(page.contains("/reading-room/") && page.contains("class=\"private\""), "{page}");
    let hits = get(port, "/api/v1/search?q=room");
    assert!(hits.contains("\"private\":true"), "{hits}");
    let key = hits.split_once("\"key\":\"").unwrap().1[..16].to_owned();
    for path in [format!("/document/{key}"), format!("/cached/{key}/copy"), "/urls".to_owned()] {
        web.holds_none(&path, get(port, &path).as_bytes());
    }
    let (_public, port) = site(&["--public"]);
    for path in
        ["/search?q=room", "/search?q=room+OR+club", "/api/v1/search?q=room", "/search.rss?q=room"]
    {
        let page = get(port, path);
        assert!(!page.contains("/reading-room/") && !page.contains("/rooms/"), "{path}: {page}");
    }
    let status = |path: &str| ask(port, &format!("GET {path} HTTP/1.1\r\nHost: localhost"), "").0;
    for path in [format!("/document/{key}"), format!("/cached/{key}"), format!("/api/v1/doc/{key}")]
    {
        assert_eq!(status(&path), 404, "{path}");
    }
    for path in
        ["/why?url=http://club.test/rooms/3", "/urls", "/corpus", "/suggest?q=roo", "/crawl"]
    {
        assert_eq!(status(path), 403, "{path}");
    }
}

#[test]
fn a_wrong_password_is_a_reason_and_is_not_tried_for_long() {
    let web = DeepWeb::start();
    let (_folder, password) = password_file();
    fs::write(&password, "wrong-7751").unwrap();
    let dir = collection(&web.toml(&password));
    let dir = dir.path();
    let crawl = ["-C", arg(dir), "crawl", "--json"];
    let ran = fyke_with(&crawl, &[(MEMBER, "wrong-7751")]);
    assert_eq!(ran.json()["reasons"]["credentials"].as_u64().map(|n| n > 0), Some(true), "{ran:?}");
    let stats = web.running.judge.stats();
    assert!(stats.sum.requests < 40, "{stats:?}");
    let why = run(dir, &["why", "http://members.test/reading-room/"]);
    assert!(why.out.contains("status 401") && why.out.contains("members.test"), "{why:?}");
    let why = run(dir, &["why", "http://club.test/"]);
    assert!(why.out.contains("led back to itself"), "{why:?}");
    assert!(!format!("{ran:?} {why:?}").contains("wrong-7751"));
    files(dir).iter().for_each(|(name, bytes)| {
        assert!(!String::from_utf8_lossy(bytes).contains("wrong-7751"), "{name}");
    });
}

#[test]
fn a_secret_that_is_missing_or_open_to_others_ends_the_crawl_before_it_begins() {
    let web = DeepWeb::start();
    let (_folder, password) = password_file();
    let dir = collection(&web.toml(&password));
    let crawl = ["-C", arg(dir.path()), "crawl"];
    fyke(&crawl).ends(2, &["the environment has no variable POND_MEMBER"]);
    fs::set_permissions(&password, fs::Permissions::from_mode(0o640)).unwrap();
    run(dir.path(), &["crawl"]).ends(2, &["others can read it (mode 640); run chmod 600"]);
    assert_eq!(web.running.judge.stats().sum.requests, 0);
}
