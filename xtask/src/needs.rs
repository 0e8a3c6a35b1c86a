//! What the tests need beyond Rust: a browser with its driver, and in Python two archive tools and three
//! readers of tables. Each is installed by its package manager when it is missing and we may; otherwise the exact
//! command to run is the error.

use crate::{answers, run};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Archive tools of other people that must read our captures, at the versions tried.
const ARCHIVE_TOOLS: &[&str] = &["warcio==1.8.1", "pywb==2.10.0", "setuptools<81"];
/// Libraries that must read our Parquet files.
const TABLE_TOOLS: &[&str] = &["pyarrow==26.0.1", "polars==2.1.0", "duckdb==2.0.0"];

/// Chromium and chromedriver.
pub fn browser() -> Result<()> {
    let there = || answers("chromium", &["--version"]) && answers("chromedriver", &["--version"]);
    if there() {
        return Ok(());
    }
    install(&["chromium", "chromium-driver"])?;
    if !there() {
        bail!("chromium or chromedriver still does not start after its installation");
    }
    Ok(())
}

/// The Python packages, in folders of their own below target/; gives what PYTHONPATH must be.
pub fn python_path() -> Result<OsString> {
    let folders = [("archive-tools", ARCHIVE_TOOLS), ("table-tools", TABLE_TOOLS)];
    let folders = folders.into_iter().map(|(name, packages)| python(name, packages));
    Ok(std::env::join_paths(folders.collect::<Result<Vec<_>>>()?)?)
}

fn python(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target").join(name);
    let stamp = folder.join("installed.txt");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(folder);
    }
    if !answers("python3", &["-m", "pip", "--version"]) {
        install(&["python3", "python3-pip"])?;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]).arg(&folder);
    run(pip.args(packages))?;
    std::fs::write(&stamp, wanted).with_context(|| format!("writing {}", stamp.display()))?;
    Ok(folder)
}

/// Installs packages of the system, where it has apt and we are allowed to.
fn install(packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    let allowed = answers("sh", &["-c", "test \"$(id -u)\" = 0 && command -v apt-get"]);
    if !allowed {
        bail!(
            "the tests need {names}; install them with your package manager, \
             for example: sudo apt-get install {names}"
        );
    }
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    let mut apt = Command::new("apt-get");
    run(apt.args(["install", "-y", "-qq"]).args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
}
