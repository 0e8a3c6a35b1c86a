//! Ctrl-C while the index is made: the program ends soon, and the same command goes on.

use crate::fixture::{arg, collection, fyke};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Documents whose indexing takes a while.
const DOCUMENTS: u64 = 3_000;
/// Words of each.
const WORDS: u64 = 150;
/// What is waited for at the most.
const LONGEST: Duration = Duration::from_secs(120);
/// Ending takes less, on a busy machine too.
const SOON: Duration = Duration::from_secs(10);

/// A file with many documents.
fn many(dir: &Path) -> std::path::PathBuf {
    let mut lines = String::new();
    for number in 0..DOCUMENTS {
        let word = |place: u64| format!("eel{} ", (number * 31 + place * place * 17) % 5_000);
        let text: String = (0..WORDS).map(word).collect();
        let line = serde_json::json!({ "url": format!("http://many.test/{number}"), "text": format!("herring {text}") });
        writeln!(lines, "{line}").unwrap();
    }
    let path = dir.join("many.jsonl");
    std::fs::write(&path, lines).unwrap();
    path
}

fn running(args: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until it is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONGEST, "{what}");
        std::thread::yield_now();
    }
}

/// Interrupts the program once the index is being made, and gives its exit code.
fn interrupted(mut child: Child, dir: &Path) -> Option<i32> {
    let new = dir.join("index.new");
    let is_being_made = || std::fs::read_dir(&new).is_ok_and(|files| files.count() > 1);
    wait_until("no index is made", || is_being_made() || child.try_wait().unwrap().is_some());
    let id = child.id().to_string();
    let sent = Command::new("sh").args(["-c", "kill -INT \"$0\"", &id]).status().unwrap();
    let start = Instant::now();
    wait_until("it goes on", || child.try_wait().unwrap().is_some());
    assert!(sent.success() && start.elapsed() < SOON, "{sent} {:?}", start.elapsed());
    child.wait().unwrap().code()
}

fn found(dir: &Path) -> Option<u64> {
    let found = fyke(&["-C", arg(dir), "search", "herring", "--json"]);
    found.ends(0, &[]).json()["total"].as_u64()
}

#[test]
fn an_import_that_is_interrupted_while_it_indexes_ends_soon_and_goes_on() {
    let dir = collection("");
    let file = many(dir.path());
    let import = ["-C", arg(dir.path()), "import", arg(&file)];
    assert_eq!(interrupted(running(&import), dir.path()), Some(3));
    assert!(found(dir.path()).unwrap_or(0) < DOCUMENTS);
    fyke(&import).ends(0, &[]);
    assert_eq!(found(dir.path()), Some(DOCUMENTS));
}
