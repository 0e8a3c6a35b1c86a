//! The documentation, as tests: every relative link and anchor points to something that exists, every
//! page is in SUMMARY.md, and the pages name every route of the API. No network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Pages of the root whose links are checked; all but the first are pages of the site, too.
const ROOT_PAGES: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file of the repository.
fn read(path: &Path) -> String {
    let text = fs::read_to_string(root().join(path));
    text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder of the repository, as paths from its root.
fn files(folder: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![PathBuf::from(folder)];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(root().join(&folder));
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries.map_while(Result::ok) {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    found
}

/// The pages: their paths from the root, and their texts.
fn pages() -> BTreeMap<PathBuf, String> {
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let docs = files("docs").into_iter().filter(is_page);
    let all = docs.chain(ROOT_PAGES.iter().map(PathBuf::from));
    all.map(|path| (path.clone(), read(&path))).collect()
}

/// The lines outside of code blocks, with code between backquotes left out.
fn prose(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line.split('`').step_by(2).collect());
        }
    }
    lines
}

/// The targets of links and pictures: `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let lines = prose(text);
    let after = lines.iter().flat_map(|line| line.split("](").skip(1));
    after.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The anchors of a page's headings: small letters, blanks as hyphens, signs left out.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

/// A path without `.` and `..`; none where it leaves the repository.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => plain.pop().then_some(())?,
            Component::Normal(name) => plain.push(name),
            _ => {}
        }
    }
    Some(plain)
}

/// What is wrong with a link on a page; nothing when it leads somewhere.
fn trouble(page: &Path, link: &str, pages: &BTreeMap<PathBuf, String>) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let target = if path.is_empty() { Some(page.to_owned()) } else { plain(&folder.join(path)) };
    let Some(target) = target.filter(|target| root().join(target).exists()) else {
        return Some("no such file".to_owned());
    };
    let is_readme = |path: &Path| path == Path::new("README.md");
    let in_site = target.starts_with("docs") || pages.contains_key(&target);
    if !is_readme(page) && (!in_site || is_readme(&target)) {
        return Some("not a part of the site".to_owned());
    }
    let headings = pages.get(&target).map(|text| anchors(text)).unwrap_or_default();
    (!anchor.is_empty() && !headings.contains(anchor)).then(|| "no such heading".to_owned())
}

#[test]
fn every_relative_link_and_anchor_points_to_something_that_exists() {
    let pages = pages();
    let mut complaints = Vec::new();
    let mut seen = 0;
    for (page, text) in &pages {
        for link in links(text) {
            seen += 1;
            if let Some(what) = trouble(page, &link, &pages) {
                complaints.push(format!("{}: ({link}): {what}", page.display()));
            }
        }
    }
    assert!(seen > 50, "only {seen} links found: the search itself is broken");
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let pages = pages();
    let check = |link: &str, expected: Option<&str>| {
        let found = trouble(Path::new("docs/introduction.md"), link, &pages);
        assert_eq!(found.as_deref(), expected, "{link}");
    };
    check("settings.md", None);
    check("settings.md#budget", None);
    check("../ARCHITECTURE.md#glossary", None);
    check("https://example.org/nowhere", None);
    check("nowhere.md", Some("no such file"));
    check("../../nowhere.md", Some("no such file"));
    check("settings.md#nowhere", Some("no such heading"));
    check("../Cargo.toml", Some("not a part of the site"));
    check("../README.md", Some("not a part of the site"));
    let text = "[a](b.md) `[c](d.md)`\n```\n[e](f.md)\n```\n![g](h.png), [i](j.md#k)";
    assert_eq!(links(text), ["b.md", "h.png", "j.md#k"]);
}

#[test]
fn every_page_is_in_the_summary_once() {
    let pages = pages();
    let summary = Path::new("docs/SUMMARY.md");
    let listed = links(&pages[summary]);
    let listed: Vec<_> =
        listed.iter().filter_map(|link| plain(&Path::new("docs").join(link))).collect();
    let mut complaints = Vec::new();
    for page in pages.keys().filter(|page| *page != summary && *page != Path::new("README.md")) {
        let times = listed.iter().filter(|listed| *listed == page).count();
        if times != 1 {
            complaints.push(format!("{}: {times} times in docs/SUMMARY.md", page.display()));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The description of the API, wherever the room of the site keeps it.
#[test]
fn every_route_of_the_api_stands_on_its_page() {
    let is_description = |path: &PathBuf| path.ends_with("openapi.json");
    let description = files("crates").into_iter().find(is_description).expect("openapi.json");
    let (description, page) = (read(&description), read(Path::new("docs/api.md")));
    let routes = description.split('"').filter(|text| text.starts_with("/api/"));
    let routes: BTreeSet<&str> = routes.collect();
    assert!(routes.len() > 5, "the description has no routes");
    for route in routes {
        assert!(page.contains(&format!("`{route}`")), "docs/api.md does not name {route}");
    }
}

/// The commands between backquotes in the last column of a table's rows.
fn commands_of_last_column(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |"));
    let last = rows.filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next());
    let commands = last.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    commands.map(str::to_owned).collect()
}

/// Whether a benchmark, an example or a test of this name exists.
fn is_command(command: &str, sources: &str) -> bool {
    let words: Vec<&str> = command.split(' ').collect();
    match words[..] {
        ["cargo", "bench-fyke", name, ..] => sources.contains(&format!("    name: \"{name}\",\n")),
        ["cargo", "xtask", "test", name] => sources.contains(&format!("fn {name}()")),
        ["cargo", "run", "--release", "-p", room, "--example", name] => {
            root().join(format!("crates/{room}/examples/{name}.rs")).exists()
        }
        ["cargo", "run", "--release", "--manifest-path", path] => root().join(path).exists(),
        _ => false,
    }
}

#[test]
fn every_hand_written_part_is_measured_by_a_command_that_exists() {
    let page = read(Path::new("docs/decisions/012-what-hand-written-parts-win.md"));
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let sources: String =
        files("crates").iter().filter(|p| is_source(p)).map(|p| read(p)).collect();
    let commands = commands_of_last_column(&page);
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands {
        assert!(is_command(&command, &sources), "no such command: {command}");
    }
    assert!(!is_command("cargo bench-fyke nothing", &sources));
    assert!(!is_command("cargo xtask test no_test_has_this_name", &sources));
}
