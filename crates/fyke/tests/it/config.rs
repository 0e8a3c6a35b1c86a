//! Settings: the file, the environment, `--set`, and what is said of bad ones.

use crate::fixture::{arg, collection, fyke, fyke_with};

/// A file and how `fyke config` must complain about it.
const BAD: &[(&str, &str)] = &[
    (
        "[budget]\npagse = 3\n",
        "error: fyke.toml:2:1: unknown key \"pagse\" in [budget]; did you mean \"pages\"?",
    ),
    (
        "[collection]\nname = \"x\"\n\n[politness]\n",
        "error: fyke.toml:4:2: unknown key \"politness\"; did you mean \"politeness\"?",
    ),
    (
        "[scope]\n  dpeth = 3\n",
        "error: fyke.toml:2:3: unknown key \"dpeth\" in [scope]; did you mean \"depth\"?",
    ),
    ("pages = 3\n", "error: fyke.toml:1:1: unknown key \"pages\"; \"pages\" belongs to [budget]"),
    (
        "[budget]\npages = \"many\"\n",
        "error: fyke.toml:2:1: budget.pages: invalid type: string \"many\", expected a whole number",
    ),
    ("[budget]\npages = -1\n", "error: fyke.toml:2:1: budget.pages: invalid value"),
    (
        "[politeness]\nfloor = \"0s\"\n[seeds]\nurls = [\"https://example.org/\"]\n",
        "error: fyke.toml:2:1: politeness.floor: a gap of 0s is allowed only when every seed",
    ),
    (
        "[fetch]\nhosts = { \"a.test\" = \"nowhere\" }\n",
        "error: fyke.toml:2:1: fetch.hosts: \"nowhere\" is no address with a port, such as \"127.0.0.1:",
    ),
    ("[seeds]\nurls = [\"http//x\"]\n", "error: fyke.toml:2:1: seeds.urls: seed 1 \"http//x\""),
    (
        "[scope]\nallow = [\"re:(\"]\n",
        "error: fyke.toml:2:1: scope.allow: the pattern \"re:(\" cannot be read: unclosed group",
    ),
    ("[budget\n", "error: fyke.toml:1:8: not valid TOML"),
    ("[budget]\npages = 1\npages = 2\n", "error: fyke.toml:3:1: not valid TOML"),
    (
        "[focus]\nguide = \"nonsense\"\n",
        "error: fyke.toml:2:1: focus.guide: \"nonsense\" is no guide (breadth-first, classifier, imme",
    ),
    ("[scope]\nmode = \"planet\"\n", "error: fyke.toml:2:1: scope.mode: unknown variant `planet`"),
];

#[test]
fn a_bad_settings_file_is_refused_with_its_place() {
    for (toml, message) in BAD {
        let dir = collection(toml);
        fyke(&["-C", arg(dir.path()), "config"]).ends(2, &[message]);
    }
}

#[test]
fn every_command_refuses_a_bad_settings_file() {
    let dir = collection("[budget]\npagse = 3\n");
    let message = &["fyke.toml:2:1: unknown key"];
    for command in ["crawl", "stats", "rebuild", "serve", "config"] {
        fyke(&["-C", arg(dir.path()), command]).ends(2, message);
    }
    fyke(&["-C", arg(dir.path()), "search", "x"]).ends(2, message);
    fyke(&["-C", arg(dir.path()), "why", "http://a.test/"]).ends(2, message);
}

#[test]
fn later_sources_override_earlier_ones_and_are_named() {
    let dir = collection("[budget]\npages = 5\ntime = \"1h\"\nbytes = \"1MiB\"\n");
    let variables = [("FYKE_BUDGET_PAGES", "6"), ("FYKE_BUDGET_TIME", "2h")];
    let ran = fyke_with(
        &["-C", arg(dir.path()), "config", "--json", "--set", "budget.pages=7"],
        &variables,
    );
    let json = ran.ends(0, &[]).json();
    let is = |key: &str, value: serde_json::Value, from: &str| {
        assert_eq!(json[key], serde_json::json!({ "value": value, "from": from }));
    };
    is("budget.pages", 7.into(), "--set");
    is("budget.time", "2h".into(), "FYKE_BUDGET_TIME");
    is("budget.bytes", "1MiB".into(), "fyke.toml:4");
    is("budget.per_host_pages", 5000.into(), "default");
}

#[test]
fn what_config_prints_can_be_used_as_the_file() {
    let dir = collection("[collection]\nname = \"tides\"\n[corpus]\nlanguages = [\"sl\"]\n");
    let first = fyke(&["-C", arg(dir.path()), "config"]).ends(0, &[]);
    assert!(first.out.contains("# fyke.toml:2"), "{}", first.out);
    let again = collection(&first.out);
    let second = fyke(&["-C", arg(again.path()), "config"]).ends(0, &[]);
    let values = |text: &str| {
        let value = |line: &str| line.split("  # ").next().unwrap_or_default().trim().to_string();
        text.lines().map(value).collect::<Vec<_>>()
    };
    assert_eq!(values(&first.out), values(&second.out));
}

#[test]
fn bad_overrides_are_refused_alike() {
    fyke(&["config", "--set", "budget.pagse=1"])
        .ends(2, &["--set: unknown key \"pagse\" in [budget]; did you mean \"pages\"?"]);
    fyke(&["config", "--set", "budget"]).ends(2, &["expected section.key=value"]);
    fyke_with(&["config"], &[("FYKE_BUGDET_PAGES", "1")])
        .ends(2, &["FYKE_BUGDET_PAGES: unknown key \"bugdet\"; did you mean \"budget\"?"]);
    fyke_with(&["config"], &[("FYKE_BUDGET_PAGES", "lots")])
        .ends(2, &["FYKE_BUDGET_PAGES: budget.pages: invalid type"]);
}
