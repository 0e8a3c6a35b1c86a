//! Several runs, each by the name of its file.

use super::read;
use fyke_eval::Run;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The runs in files, with a name for each.
pub(super) fn named(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Run)>> {
    let names = names(paths);
    names.into_iter().zip(paths).map(|(name, path)| Ok((name, read::run(path)?))).collect()
}

/// The names of the files; where two are the same, whole paths.
pub(super) fn names(paths: &[PathBuf]) -> Vec<String> {
    let short = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| path.display().to_string())
    };
    let names: Vec<String> = paths.iter().map(short).collect();
    let different: HashSet<&String> = names.iter().collect();
    if different.len() == names.len() {
        names
    } else {
        paths.iter().map(|path| whole(path)).collect()
    }
}

fn whole(path: &Path) -> String {
    path.display().to_string()
}
