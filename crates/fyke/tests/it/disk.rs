//! A disk that cannot be written: read-only, or full.

use crate::fixture::{arg, collection, fyke};
use crate::pond::Served;
use fyke_store::{Collection, Reason};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Takes a mount down when the test ends, however it ends.
struct Mount(tempfile::TempDir);

impl Mount {
    /// A small tmpfs, when this process may mount one.
    fn tmpfs(options: &str) -> Option<Mount> {
        let dir = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(dir.path());
        let mounted = mount.output().is_ok_and(|ran| ran.status.success());
        if !mounted {
            eprintln!("skipped: this process may not mount a tmpfs");
        }
        mounted.then_some(Mount(dir))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_read_only_folder_is_named_and_is_no_success() {
    let Some(mount) = Mount::tmpfs("size=4m") else { return };
    let dir = mount.0.path();
    std::fs::write(dir.join("fyke.toml"), "").unwrap();
    let again = Command::new("mount").args(["-o", "remount,ro"]).arg(dir).output().unwrap();
    assert!(again.status.success(), "{again:?}");
    fyke(&["-C", arg(dir), "rebuild"]).ends(1, &["error: ", "cannot be written"]);
    fyke(&["-C", arg(dir), "stats"]).ends(0, &[]);
    fyke(&["-C", arg(dir), "why", "http://a.test/"]).ends(1, &[]);
    fyke(&["-C", arg(dir), "search", "eels"]).ends(0, &[]);
    fyke(&["new", arg(&dir.join("more"))]).ends(1, &["cannot make"]);
}

#[test]
fn a_full_disk_stops_the_crawl_and_loses_nothing() {
    let Some(mount) = Mount::tmpfs("size=1m") else { return };
    let served = Served::start();
    let dir = mount.0.path();
    std::fs::write(dir.join("fyke.toml"), served.toml()).unwrap();
    fyke(&["-C", arg(dir), "crawl"]).ends(3, &["no room left on the disk", "run the same command"]);
    let grown = Command::new("mount").args(["-o", "remount,size=400m"]).arg(dir).output().unwrap();
    assert!(grown.status.success(), "{grown:?}");
    let before = kept(dir);
    fyke(&["-C", arg(dir), "crawl", "--pages", "5"]).ends(3, &[]);
    let after = kept(dir);
    assert!(after.len() > before.len() && after.is_superset(&before), "{before:?} {after:?}");
}

#[test]
fn a_full_disk_leaves_no_half_of_an_export() {
    let Some(mount) = Mount::tmpfs("size=16k") else { return };
    let collection = crate::pond_collection();
    let out = mount.0.path().join("x.jsonl");
    fyke(&["-C", arg(collection.path()), "-q", "export", "jsonl", "--out", arg(&out)])
        .ends(3, &["no room left on the disk", "x.jsonl"]);
    assert_eq!(std::fs::read_dir(mount.0.path()).unwrap().count(), 0);
}

#[test]
fn results_that_cannot_be_written_are_no_success() {
    let dir = collection("");
    for command in [&["stats"][..], &["config"], &["stats", "--json"], &["why", "http://a.test/"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut fyke = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
        let ran = fyke.args(["-C", arg(dir.path())]).args(command).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(3), "{command:?}: {said}");
        assert!(said.contains("could not write the results"), "{command:?}: {said}");
    }
}

/// URLs the ledger keeps; each must have a capture that can be read.
fn kept(dir: &Path) -> BTreeSet<String> {
    let collection = Collection::open(dir).unwrap();
    let rows = collection.ledger.rows().map(|row| row.unwrap().1);
    let kept = rows.filter(|row| row.reason == Reason::Kept);
    kept.map(|row| {
        collection.captures.read(row.capture.unwrap()).unwrap();
        row.url
    })
    .collect()
}
