//! kill -9 at any moment: nothing acknowledged is lost, nothing is kept twice, politeness holds, and
//! the crawl that goes on comes to the same end as one that was never killed.

use crate::fixture::{arg, collection, fyke};
use crate::pond::Served;
use fyke_store::{Collection, Place, Reason, Spot};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const KILLS: u32 = 25;

/// What a collection holds: each kept URL with the place of its capture, and its document's text.
type Kept = BTreeMap<String, (Place, String)>;

fn kept(dir: &Path) -> Kept {
    let collection = Collection::open(dir).unwrap();
    let mut kept = Kept::new();
    for row in collection.ledger.rows() {
        let (id, row) = row.unwrap();
        if row.reason != Reason::Kept {
            continue;
        }
        let place = row.capture.unwrap_or_else(|| panic!("{} is kept without a capture", row.url));
        let capture = collection.captures.read(place).unwrap();
        assert_eq!(
            capture.url.id(),
            id,
            "another page's capture stands at the place of {}",
            row.url
        );
        kept.insert(row.url, (place, String::from_utf8_lossy(&capture.payload).into_owned()));
    }
    kept
}

/// What became of every URL.
fn reasons(dir: &Path) -> BTreeSet<(String, String)> {
    let collection = Collection::open(dir).unwrap();
    let rows = collection.ledger.rows().map(|row| row.unwrap().1);
    rows.map(|row| (row.url, row.reason.to_string())).collect()
}

/// URLs answered with 200 that stand in the captures more than once.
fn doubled(dir: &Path) -> Vec<String> {
    let collection = Collection::open(dir).unwrap();
    let mut seen = BTreeSet::new();
    let mut twice = Vec::new();
    for capture in collection.captures.from(Spot::START) {
        let (_, capture) = capture.unwrap();
        let robots = capture.url.path_and_query() == "/robots.txt";
        if capture.status == 200 && !robots && !seen.insert(capture.url.id()) {
            twice.push(capture.url.as_str().to_owned());
        }
    }
    assert!(!seen.is_empty(), "no captures at all");
    twice
}

/// Moments that look random and are the same in every run: 20 to 700 ms.
pub fn moment(kill: u32) -> Duration {
    let mixed = (u64::from(kill) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
    Duration::from_millis(20 + mixed % 680)
}

#[test]
fn twenty_five_kills_lose_nothing_and_double_nothing() {
    // More rounds for whoever wants to be surer, each with moments of its own.
    let rounds = std::env::var("FYKE_TEST_KILL_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap());
    (0..rounds).for_each(kill_and_go_on);
}

fn kill_and_go_on(round: u32) {
    let served = Served::start();
    let dir = collection(&served.toml());
    let mut before = Kept::new();
    let mut killed = 0;
    for kill in 0..KILLS {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
        command.args(["-q", "-C", arg(dir.path()), "crawl"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(moment(round * KILLS + kill));
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().code().is_none());
        let now = kept(dir.path());
        for (url, (place, _)) in &before {
            assert_eq!(now.get(url).map(|(place, _)| place), Some(place), "kill {kill} lost {url}");
        }
        before = now;
    }
    assert!(killed >= KILLS / 2, "only {killed} of {KILLS} kills hit a running crawl");
    fyke(&["-C", arg(dir.path()), "crawl"]).ends(0, &[]);
    assert_eq!(doubled(dir.path()), Vec::<String>::new());
    let sum = served.stats().sum;
    assert_eq!(sum.politeness_violations, 0, "{sum:?}");

    let whole = Served::start();
    let calm = collection(&whole.toml());
    fyke(&["-C", arg(calm.path()), "crawl"]).ends(0, &[]);
    // Every good page is kept in both, and everything else has the same reason.
    let (killed, calm) = (reasons(dir.path()), reasons(calm.path()));
    let differ: Vec<_> = killed.symmetric_difference(&calm).collect();
    assert!(differ.is_empty(), "killed and calm crawls differ: {differ:#?}");
    let refused = killed.iter().filter(|(url, reason)| served.has_page(url) && *reason != "kept");
    assert_eq!(refused.collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "good pages refused");
}
