//! Running the program and reading what it says.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// What a run of the program gave.
#[derive(Debug)]
pub struct Ran {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Asserts the exit code and that standard error has all of these.
    pub fn ends(self, exit: i32, says: &[&str]) -> Ran {
        assert_eq!(self.exit, exit, "{self:?}");
        for part in says {
            assert!(self.err.contains(part), "no {part:?} in {self:?}");
        }
        self
    }
}

/// Runs `fyke` with no settings from the environment.
pub fn fyke(args: &[&str]) -> Ran {
    fyke_with(args, &[])
}

/// Runs `fyke` with these environment variables.
pub fn fyke_with(args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FYKE_")) {
        command.env_remove(name);
    }
    let output = command.args(args).envs(variables.iter().copied()).output().unwrap();
    Ran {
        exit: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder with this fyke.toml.
pub fn collection(toml: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("fyke.toml"), toml).unwrap();
    dir
}

/// A path as an argument.
pub fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}
