//! What the tests need beyond Rust: a browser with its driver, and two archive tools in Python.
//! Each is installed by its package manager when it is missing and we may; otherwise the exact
//! command to run is the error.

use crate::{answers, run};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Archive tools of other people that must read our captures, at the versions tried.
const ARCHIVE_TOOLS: &[&str] = &["warcio==1.8.1", "pywb==2.10.0", "setuptools<81"];

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

/// warcio and pywb, in a folder of their own below target/; gives the folder for PYTHONPATH.
pub fn archive_tools() -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/archive-tools");
    let stamp = folder.join("installed.txt");
    let wanted = ARCHIVE_TOOLS.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(folder);
    }
    if !answers("python3", &["-m", "pip", "--version"]) {
        install(&["python3", "python3-pip"])?;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]).arg(&folder);
    run(pip.args(ARCHIVE_TOOLS))?;
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
