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
    ("fyke-papers", &["fyke-learn", "fyke-text"]),
    ("fyke-web", &["fyke-text"]),
    ("fyke-formats", &["fyke-web"]),
    ("fyke-store", &["fyke-web"]),
    (
        "fyke-derive",
        &[
            "fyke-formats",
            "fyke-index",
            "fyke-learn",
            "fyke-papers",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
    (
        "fyke-crawl",
        &["fyke-derive", "fyke-formats", "fyke-learn", "fyke-store", "fyke-text", "fyke-web"],
    ),
    ("fyke-index", &["fyke-text"]),
    // What fuzzers ask of the others; nothing depends on it.
    (
        "fyke-fuzz",
        &[
            "fyke-crawl",
            "fyke-eval",
            "fyke-formats",
            "fyke-index",
            "fyke-papers",
            "fyke-stages",
            "fyke-store",
            "fyke-web",
        ],
    ),
    (
        "fyke-stages",
        &[
            "fyke-crawl",
            "fyke-derive",
            "fyke-eval",
            "fyke-formats",
            "fyke-index",
            "fyke-learn",
            "fyke-papers",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
    (
        "fyke-lab",
        &[
            "fyke-crawl",
            "fyke-derive",
            "fyke-eval",
            "fyke-formats",
            "fyke-index",
            "fyke-learn",
            "fyke-stages",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
    (
        "fyke-site",
        &[
            "fyke-crawl",
            "fyke-derive",
            "fyke-eval",
            "fyke-formats",
            "fyke-index",
            "fyke-lab",
            "fyke-papers",
            "fyke-stages",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
    (
        "fyke-bench",
        &[
            "fyke",
            "fyke-crawl",
            "fyke-derive",
            "fyke-eval",
            "fyke-formats",
            "fyke-index",
            "fyke-lab",
            "fyke-learn",
            "fyke-papers",
            "fyke-pond",
            "fyke-stages",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
    (
        "fyke",
        &[
            "fyke-crawl",
            "fyke-derive",
            "fyke-eval",
            "fyke-formats",
            "fyke-index",
            "fyke-lab",
            "fyke-learn",
            "fyke-papers",
            "fyke-pond",
            "fyke-site",
            "fyke-stages",
            "fyke-store",
            "fyke-text",
            "fyke-web",
        ],
    ),
];

/// Rooms with no I/O, no clock, no log, no async; and the words that would break that.
const PURE: &[&str] =
    &["fyke-learn", "fyke-text", "fyke-web", "fyke-formats", "fyke-papers", "fyke-eval"];
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

/// What a pure room may do all the same: threads that end where they begin change no result.
const ALLOWED: &[(&str, &str)] = &[("fyke-learn", "std::thread::scope")];

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
                if ALLOWED.iter().any(|(of, what)| of == room && code.contains(what)) {
                    continue;
                }
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

/// The one file that reads words back: what records of earlier versions said in no other way.
const READS_OLD_WORDS: &str = "crates/fyke-store/src/ledger/record/before.rs";

/// What asks what words say.
const QUESTIONS: &[&str] = &[
    "==",
    "!=",
    ".cmp(",
    ".contains(",
    ".ends_with(",
    ".eq(",
    ".eq_ignore_ascii_case(",
    ".find(",
    ".lines(",
    ".matches(",
    ".ne(",
    ".parse",
    ".rsplit",
    ".split",
    ".starts_with(",
    ".strip_",
    ".trim_",
];

/// Steps that leave words the words they are.
const STEPS: &[&str] =
    &[".as_str()", ".as_ref()", ".as_deref()", ".as_bytes()", ".clone()", ".trim()"];

/// The code of a file without its unit tests, its comments and all blanks but those between words.
fn squeezed(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut squeezed = String::new();
    for word in lines.flat_map(str::split_whitespace) {
        if squeezed.ends_with(is_word) && word.starts_with(is_word) {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Places where squeezed code asks what a `detail` says, as a few letters of each.
fn asks_of_detail(code: &str) -> Vec<&str> {
    let mut places = Vec::new();
    for (at, name) in code.match_indices("detail") {
        let (before, mut after) = (&code[..at], &code[at + name.len()..]);
        if after.starts_with(is_word) {
            continue;
        }
        // What it is a member of, and what stands before that.
        let before = before.trim_end_matches(|letter| is_word(letter) || ".&*()?".contains(letter));
        let whole = &code[before.len()..at];
        if whole.ends_with(is_word) {
            continue;
        }
        while let Some(rest) = STEPS.iter().find_map(|step| after.strip_prefix(step)) {
            after = rest;
        }
        let is_asked = QUESTIONS.iter().any(|question| after.starts_with(question))
            || before.ends_with("==")
            || before.ends_with("!=")
            || before.ends_with("match ")
            || before.ends_with("matches!");
        if is_asked {
            let end = code.len().min(at + name.len() + 24);
            let end = (0..=end).rev().find(|end| code.is_char_boundary(*end)).unwrap_or(at);
            places.push(&code[before.len()..end]);
        }
    }
    places
}

/// `detail` is text for people: what a program wants to know of a row has a field of its own.
#[test]
fn nothing_is_read_back_out_of_a_sentence() {
    let mut complaints = Vec::new();
    for file in all_sources() {
        let is_test = file.components().any(|part| part.as_os_str() == "tests");
        if is_test || file.ends_with(READS_OLD_WORDS) {
            continue;
        }
        let code = squeezed(&read(&file));
        for place in asks_of_detail(&code) {
            complaints.push(format!("{}: {place}", file.display()));
        }
    }
    none(&complaints);
    let old = squeezed(&read(&root().join(READS_OLD_WORDS)));
    assert!(!asks_of_detail(&old).is_empty(), "nobody reads old words any more");
}

#[test]
fn questions_put_to_a_detail_are_found_and_other_uses_are_not() {
    let bad = [
        "if row.detail == SITEMAP {}",
        "if wanted.row.detail != \"sitemap\" {}",
        "known.is_some_and(|row| row.detail.starts_with(SITEMAP))",
        "let pages = row\n    .detail\n    .strip_suffix(OFF);",
        "row.detail.as_str().trim().parse::<u8>()",
        "row.detail.split_once(' ')",
        "\"sitemap\" == row.detail",
        "match row.detail.as_str() {}",
        "if detail.contains(\"x\") {}",
        "matches!(row.detail.as_str(), \"sitemap\")",
        "let same = old == (row.reason, &row.detail.clone()) && other != *row.detail;",
    ];
    for line in bad {
        assert!(!asks_of_detail(&squeezed(line)).is_empty(), "{line}");
    }
    let good = [
        "(row.reason, row.detail) = (reason, detail.clone());",
        "if !self.detail.is_empty() { fact(self.detail.clone()) }",
        "Row { detail, ..row }",
        "let detail = match status { 200 => String::new(), _ => text };",
        "details.contains(x); row.details == y; sum.the_detail == z",
        "// row.detail == SITEMAP",
        "row.detail.clear(); a == b",
        "x;\n#[cfg(test)]\nmod tests { row.detail == x }",
    ];
    for line in good {
        let found = asks_of_detail(&squeezed(line)).join(", ");
        assert!(found.is_empty(), "{line}: {found}");
    }
}

/// The lines of library use that README shows are those of the example that is run as a test.
#[test]
fn the_library_use_in_the_readme_is_a_test() {
    let source = read(&root().join("crates/fyke/src/lib.rs"));
    let lines = source.lines().filter_map(|line| line.strip_prefix("//! "));
    let example = lines.skip_while(|line| *line != "```").skip(1).take_while(|line| *line != "```");
    let shown: Vec<&str> = example.filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(shown.len(), 10, "{shown:?}");
    let shown = format!("```rust\n{}\n```", shown.join("\n"));
    assert!(read(&root().join("README.md")).contains(&shown), "README.md lacks\n{shown}");
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
