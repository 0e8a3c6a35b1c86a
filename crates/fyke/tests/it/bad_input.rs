//! Bad input and a hostile machine: a clear message, the right exit code, nothing lost.

use crate::fixture::{arg, collection, fyke};
use std::fs;

#[test]
fn a_new_collection_is_ten_lines_that_work() {
    let dir = tempfile::tempdir().unwrap();
    let tides = dir.path().join("tides");
    fyke(&["new", arg(&tides), "--site", "example.org", "--contact", "mailto:me@example.org"])
        .ends(0, &["crawl"]);
    let text = fs::read_to_string(tides.join("fyke.toml")).unwrap();
    assert!(text.contains("urls = [\"example.org\"]"), "{text}");
    let json = fyke(&["-C", arg(&tides), "config", "--json"]).ends(0, &[]).json();
    assert_eq!(json["scope.mode"]["value"], "site");
    assert_eq!(json["collection.name"]["value"], "tides");
    assert_eq!(json["collection.contact"]["value"], "mailto:me@example.org");
}

#[test]
fn a_collection_is_never_overwritten() {
    let dir = collection("# mine\n");
    fyke(&["new", arg(dir.path()), "--site", "example.org"]).ends(2, &["exists already"]);
    assert_eq!(fs::read_to_string(dir.path().join("fyke.toml")).unwrap(), "# mine\n");
}

#[test]
fn a_malformed_seed_is_refused_and_no_folder_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let new = dir.path().join("new");
    for (seed, says) in [
        ("http://", "seed \"http://\""),
        ("not a url", "seed \"not a url\""),
        ("ftp://example.org/", "use http or https\n"),
        ("mailto:me@example.org", "use http or https\n"),
        ("http://exa mple.org/", "seed"),
    ] {
        fyke(&["new", arg(&new), "--site", seed]).ends(2, &[says]);
        assert!(!new.exists(), "{seed}");
    }
}

#[test]
fn outside_loopback_a_contact_is_asked_for_before_the_first_fetch() {
    let dir = collection("[seeds]\nurls = [\"https://example.org/\"]\n");
    fyke(&["-C", arg(dir.path()), "crawl"]).ends(2, &["collection.contact is not set", "mailto:"]);
    fyke(&["probe", "https://example.org/"]).ends(2, &["collection.contact is not set"]);
}

#[test]
fn a_contact_leads_to_somebody() {
    let dir = tempfile::tempdir().unwrap();
    let new = dir.path().join("new");
    for contact in ["bob", "mailto:bob", "www.example.org"] {
        fyke(&["new", arg(&new), "--contact", contact]).ends(2, &["--contact must lead to you"]);
        assert!(!new.exists(), "{contact}");
    }
    fyke(&["new", arg(&new), "--contact", "me@example.org"]).ends(0, &[]);
    let text = fs::read_to_string(new.join("fyke.toml")).unwrap();
    assert!(text.contains("contact = \"mailto:me@example.org\""), "{text}");
    let before = collection("[collection]\ncontact = \"me@example.org\"\n");
    fyke(&["-C", arg(before.path()), "config"]).ends(0, &[]);
}

#[test]
fn a_collection_of_this_machine_alone_needs_no_contact() {
    let dir = tempfile::tempdir().unwrap();
    let asks = |name: &str, sites: &[&str]| {
        let folder = dir.path().join(name);
        let sites = sites.iter().flat_map(|site| ["--site", site]);
        let args: Vec<&str> = ["new", arg(&folder)].into_iter().chain(sites).collect();
        fyke(&args).ends(0, &["next: "]).err.contains("contact")
    };
    assert!(!asks("here", &["http://127.0.0.1:8000/", "localhost"]));
    assert!(asks("there", &["http://127.0.0.1:8000/", "example.org"]));
    assert!(asks("nowhere", &[]));
}

#[test]
fn an_address_that_is_none_is_refused_with_an_example() {
    let dir = collection("[seeds]\nurls = [\"http://127.0.0.1:1/\"]\n");
    let says = ["127.0.0.1:8000"];
    for address in ["here", "a.test:80", "127.0.0.1"] {
        fyke(&["-C", arg(dir.path()), "crawl", "--serve", address]).ends(2, &says);
        fyke(&["-C", arg(dir.path()), "serve", "--bind", address]).ends(2, &says);
        fyke(&["config", "--set", &format!("serve.bind={address}")]).ends(2, &says);
    }
    for address in ["8000", "localhost:8000", "127.0.0.1:8000"] {
        let set = format!("serve.bind={address}");
        let json = fyke(&["config", "--json", "--set", &set]).ends(0, &[]).json();
        assert_eq!(json["serve.bind"]["value"], "127.0.0.1:8000", "{address}");
    }
}

#[test]
fn a_crawl_without_seeds_says_what_to_set() {
    let dir = collection("");
    fyke(&["-C", arg(dir.path()), "crawl"]).ends(2, &["no seed to start from"]);
}

#[test]
fn an_unreachable_host_is_exit_code_four() {
    let port = closed_port();
    let toml =
        format!("[seeds]\nurls = [\"http://127.0.0.1:{port}/\"]\n[politeness]\nfloor = \"1ms\"\n");
    let dir = collection(&toml);
    let says = ["nothing could be fetched", "127.0.0.1", "refused", "fyke why"];
    fyke(&["-C", arg(dir.path()), "crawl"]).ends(4, &says);
}

#[test]
fn a_crawl_that_ran_out_of_time_can_go_on_even_with_nothing_fetched() {
    let port = closed_port();
    let dir = collection(&format!("[seeds]\nurls = [\"http://127.0.0.1:{port}/\"]\n"));
    let says = ["nothing was fetched so far; run the same command again"];
    fyke(&["-C", arg(dir.path()), "crawl", "--time", "50ms"]).ends(3, &says);
}

#[test]
fn a_crawl_of_nothing_is_a_usage_error() {
    let dir = collection("");
    fyke(&["-C", arg(dir.path()), "crawl", "--pages", "0"]).ends(2, &["--pages"]);
    fyke(&["-C", arg(dir.path()), "crawl", "--time", "0s"]).ends(2, &["no time at all"]);
}

#[test]
fn a_new_collection_is_named_after_its_folder_and_takes_no_empty_words() {
    let dir = tempfile::tempdir().unwrap();
    let roundabout = dir.path().join("tides/sub/..");
    fyke(&["new", arg(&roundabout), "--topic", " , ,tidal turbine"]).ends(0, &[]);
    let json = fyke(&["-C", arg(&roundabout), "config", "--json"]).ends(0, &[]).json();
    assert_eq!(json["collection.name"]["value"], "tides");
    assert_eq!(json["focus.keywords"]["value"], serde_json::json!(["tidal turbine"]));
    let other = dir.path().join("other");
    fyke(&["new", arg(&other), "--contact", "a\nb"]).ends(2, &["--contact must be one line"]);
    assert!(!other.exists());
}

#[test]
fn a_search_before_the_first_crawl_says_so_and_writes_nothing() {
    let dir = collection("");
    let ran = fyke(&["-C", arg(dir.path()), "search", "two", "words", "--json"]);
    assert_eq!(ran.ends(0, &["nothing is indexed yet"]).json()["total"], 0);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "only fyke.toml");
}

#[test]
fn a_tour_whose_port_is_taken_says_so_before_it_begins() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("tour");
    fyke(&["demo", "--port", &port, "--dir", arg(&folder)])
        .ends(1, &["could not listen on 127.0.0.1:", "choose another port with --port"]);
    assert!(!folder.exists());
}

/// A port nobody listens on: one that was free a moment ago.
fn closed_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_folder_that_is_no_collection_is_named() {
    let dir = tempfile::tempdir().unwrap();
    for command in ["stats", "config"] {
        fyke(&["-C", arg(dir.path()), command]).ends(2, &["is no collection", "fyke new"]);
    }
}

#[test]
fn a_second_writer_is_exit_code_six_and_readers_do_not_wait() {
    let dir = collection("");
    let held = fyke_store::Collection::open(dir.path()).unwrap();
    let holder = format!("process {}: ", std::process::id());
    for command in ["rebuild", "crawl"] {
        let set = "seeds.urls=[\"http://127.0.0.1:1/\"]";
        fyke(&["-C", arg(dir.path()), "--set", set, command])
            .ends(6, &["is written by another", &holder, ", since 20"]);
    }
    fyke(&["-C", arg(dir.path()), "stats"]).ends(0, &[]);
    drop(held);
    fyke(&["-C", arg(dir.path()), "rebuild"]).ends(0, &[]);
}

#[test]
fn unknown_commands_and_options_are_usage_errors() {
    fyke(&["fetch"]).ends(2, &["unrecognized subcommand"]);
    fyke(&["stats", "--colour"]).ends(2, &["unexpected argument"]);
    fyke(&["why", "mailto:me"]).ends(2, &["error: \"mailto:me\": scheme \"mailto\""]);
}
