//! The rules of the house, as tests: who may depend on whom, what pure rooms may touch, how a file
//! opens and how long it may be, which names do not exist, and that ARCHITECTURE.md speaks of things
//! that are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms it may use. An edge that is not here does not exist.
const EDGES: &[(&str, &[&str])] = &[
    ("fyke-learn", &[]),
    ("fyke-text", &["fyke-learn"]),
    ("fyke-eval", &[]),
    ("fyke-pond", &[]),
    ("fyke-web", &["fyke-text"]),
    ("fyke-store", &["fyke-web"]),
    ("fyke-derive", &["fyke-learn", "fyke-store", "fyke-text", "fyke-web"]),
    ("fyke-crawl", &["fyke-derive", "fyke-learn", "fyke-store", "fyke-text", "fyke-web"]),
    ("fyke-index", &["fyke-text"]),
    (
        "fyke",
        &[
            "fyke-crawl",
            "fyke-derive",
            "fyke-eval",
            "fyke-index",
            "fyke-learn",
            "fyke-pond",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
];

/// Rooms with no I/O, no clock, no log, no async; and the words that would break that.
const PURE: &[&str] = &["fyke-text", "fyke-web", "fyke-eval"];
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant::now",
    "tokio",
    "tracing::",
    "println!",
    "async fn",
];

/// Names that say nothing.
const EMPTY_NAMES: &[&str] =
    &["core", "common", "util", "utils", "types", "prelude", "helpers", "misc", "manager", "v2"];

const LONGEST_FILE: usize = 600;
const LONGEST_ARCHITECTURE: usize = 200;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All .rs files below `folder`, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map_while(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn all_sources() -> Vec<PathBuf> {
    let files: Vec<_> =
        ["crates", "xtask"].iter().flat_map(|folder| sources(&root().join(folder))).collect();
    assert!(files.len() > 50, "only {} files found: the search itself is broken", files.len());
    files
}

fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Our own rooms named in a manifest's [dependencies] (dev-dependencies apart).
fn edges(manifest: &str) -> Vec<String> {
    let ours = |line: &&str| line.starts_with("fyke");
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let name = |line: &str| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned();
    section.lines().filter(ours).map(name).collect()
}

#[test]
fn rooms_use_only_the_rooms_they_may() {
    let allowed: BTreeMap<_, _> = EDGES.iter().copied().collect();
    let mut complaints = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let room = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(may) = allowed.get(room.as_str()) else {
            complaints.push(format!("{room}: a room without a row in EDGES"));
            continue;
        };
        for edge in edges(&read(&folder.join("Cargo.toml"))) {
            if !may.contains(&edge.as_str()) {
                complaints.push(format!("{room} must not depend on {edge}"));
            }
        }
    }
    none(&complaints);
}

#[test]
fn pure_rooms_touch_nothing_outside_themselves() {
    let mut complaints = Vec::new();
    for room in PURE {
        for file in sources(&root().join("crates").join(room).join("src")) {
            for (number, line) in read(&file).lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in IMPURE.iter().filter(|word| code.contains(**word)) {
                    let place = format!("{}:{}", file.display(), number + 1);
                    complaints.push(format!("{place}: {word} in a pure room"));
                }
            }
        }
    }
    none(&complaints);
}

#[test]
fn every_file_opens_by_saying_what_it_is_for() {
    let silent = |file: &PathBuf| !read(file).starts_with("//! ");
    let complaints: Vec<_> = all_sources()
        .into_iter()
        .filter(silent)
        .map(|file| format!("{}: does not open with //!", file.display()))
        .collect();
    none(&complaints);
}

#[test]
fn no_file_is_longer_than_the_wall() {
    let mut complaints = Vec::new();
    for file in all_sources() {
        let lines = read(&file).lines().count();
        if lines > LONGEST_FILE {
            complaints.push(format!("{}: {lines} lines", file.display()));
        }
    }
    let architecture = read(&root().join("ARCHITECTURE.md")).lines().count();
    if architecture > LONGEST_ARCHITECTURE {
        complaints.push(format!("ARCHITECTURE.md: {architecture} lines"));
    }
    none(&complaints);
}

#[test]
fn no_file_has_a_name_that_says_nothing() {
    let empty = |file: &PathBuf| {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        EMPTY_NAMES.contains(&stem)
    };
    let complaints: Vec<_> = all_sources()
        .into_iter()
        .filter(empty)
        .map(|file| format!("{}: name it after its idea", file.display()))
        .collect();
    none(&complaints);
}

#[test]
fn no_test_is_ignored_and_nothing_is_left_undone() {
    // The marks are put together here so that this file does not find itself.
    let marks = [["#[", "ignore"].concat(), ["todo", "!("].concat(), ["FIX", "ME"].concat()];
    let mut complaints = Vec::new();
    for file in all_sources() {
        let text = read(&file);
        for mark in marks.iter().filter(|mark| text.contains(mark.as_str())) {
            complaints.push(format!("{}: {mark}", file.display()));
        }
    }
    none(&complaints);
}

/// Every `path/to/file.rs`, and every `Type` of the glossary, stands somewhere in the sources.
#[test]
fn what_the_architecture_names_exists() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let code: String = all_sources().iter().map(|file| read(file)).collect();
    let mut complaints = Vec::new();
    for name in text.split('`').skip(1).step_by(2) {
        let is_path = name.contains('/') && name.ends_with(".rs");
        if is_path && !root().join(name).exists() {
            complaints.push(format!("no file {name}"));
        }
        let is_type = name.starts_with(char::is_uppercase)
            && name.chars().all(char::is_alphanumeric)
            && name.chars().any(char::is_lowercase);
        let defined = ["struct ", "enum ", "trait "]
            .iter()
            .any(|keyword| code.contains(&format!("{keyword}{name}")));
        if is_type && !defined {
            complaints.push(format!("no type {name}"));
        }
    }
    assert!(text.matches('`').count() > 20, "ARCHITECTURE.md names nothing");
    none(&complaints);
}
