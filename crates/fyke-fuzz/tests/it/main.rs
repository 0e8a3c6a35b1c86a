//! Every target bears its seeds, and what is made of them by chance. A fuzzer goes much further (`cargo xtask fuzz`);
//! this holds what it found, and that no seed has gone stale.

mod mutation;

use fyke_fuzz::{FuzzTarget, TARGETS};
use mutation::Mutation;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Changed copies of the seeds that each target is run on.
const CHANGED: usize = 1_500;
/// Copies of whole files, which take longer to read.
const CHANGED_FILES: usize = 300;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn seeds(target: &FuzzTarget) -> Vec<Vec<u8>> {
    let folder = folder().join("seeds").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{}: no seeds", target.name);
    paths.iter().map(|path| fs::read(path).expect("a seed")).collect()
}

fn run(target: &FuzzTarget, bytes: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))) {
        eprintln!("{} broke on \"{}\"", target.name, bytes.escape_ascii());
        std::panic::resume_unwind(panic);
    }
}

fn check(is_file: bool, changed: usize) {
    for target in TARGETS.iter().filter(|target| target.name.starts_with("format_") == is_file) {
        let seeds = seeds(target);
        seeds.iter().for_each(|seed| run(target, seed));
        run(target, b"");
        let mut mutation = Mutation::new(7);
        for _ in 0..changed {
            run(target, &mutation.of(&seeds));
        }
    }
}

#[test]
fn readers_of_text_and_records_bear_their_seeds_and_what_chance_makes_of_them() {
    check(false, CHANGED);
}

#[test]
fn formats_bear_their_seeds_and_what_chance_makes_of_them() {
    check(true, CHANGED_FILES);
}

#[test]
fn each_target_has_its_own_name_and_its_program() {
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).expect("a manifest");
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert!(names.is_sorted(), "rows stand in the order of their names");
    for target in TARGETS {
        assert!(!target.what.is_empty());
        assert!(manifest.contains(&format!("name = \"{}\"\n", target.name)), "{}", target.name);
        let program = folder().join("fuzz_targets").join(target.name).with_extension("rs");
        let program = fs::read_to_string(&program).unwrap_or_default();
        assert!(program.contains(&format!("fyke_fuzz::{}(bytes)", target.name)), "{}", target.name);
    }
    names.dedup();
    assert_eq!(manifest.matches("[[bin]]").count(), names.len(), "a program without a target");
}
