//! A peer in another language: a script below `benches/peers/`, run on the same input in the same run.

use anyhow::{Context as _, bail};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// What a script prints when it is given these arguments.
pub(crate) fn run(script: &str, arguments: &[&OsStr]) -> anyhow::Result<Vec<u8>> {
    if !Path::new(script).exists() {
        bail!("{script} is not here: run --peers from the folder of the sources");
    }
    let done = Command::new("python3").arg(script).args(arguments).output();
    let done = done.context("cannot run python3: install it, or leave out --peers")?;
    if !done.status.success() {
        bail!("{script}: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(done.stdout)
}

/// The values of lines of JSON.
pub(crate) fn lines<T: serde::de::DeserializeOwned>(printed: &[u8]) -> anyhow::Result<Vec<T>> {
    let lines = printed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| Ok(serde_json::from_slice(line)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_value_and_a_script_that_is_not_there_is_named() {
        assert_eq!(lines::<u8>(b"1\n\n2\n").unwrap(), [1, 2]);
        assert!(lines::<u8>(b"1\nx\n").is_err());
        let error = run("benches/peers/none.py", &[]).unwrap_err().to_string();
        assert!(error.contains("benches/peers/none.py"), "{error}");
    }
}
