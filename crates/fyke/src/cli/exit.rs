//! Exit codes, and which trouble gives which.

use fyke_crawl::CrawlError;
use fyke_derive::DeriveError;
use fyke_stages::config::ConfigError;
use fyke_store::StoreError;
use std::io::Write;

/// How a command ended. The numbers are a promise to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    Failed = 1,
    Usage = 2,
    /// Stopped early and can go on: budget, Ctrl-C, disk full.
    Stopped = 3,
    NothingFetched = 4,
    Gate = 5,
    Held = 6,
}

impl Exit {
    /// The number the shell sees.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Trouble that knows its exit code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
}

impl Failure {
    /// A usage error.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into() }
    }
}

/// Prints `error: …` and says which exit code it is.
#[must_use]
pub fn report(error: &anyhow::Error) -> Exit {
    let exit = exit_of(error);
    let more = match exit {
        Exit::Held => {
            "; commands that only read do not wait: fyke serve, search, why, stats, export"
        }
        _ => "",
    };
    // A closed standard error is no reason to fail in another way.
    let _ = writeln!(std::io::stderr(), "error: {error:#}{more}");
    exit
}

/// The exit code of an error: that of the first cause which has one.
#[must_use]
pub(super) fn exit_of(error: &anyhow::Error) -> Exit {
    error.chain().find_map(known).unwrap_or(Exit::Failed)
}

fn known(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
    if let Some(failure) = cause.downcast_ref::<Failure>() {
        return Some(failure.exit);
    }
    if cause.is::<ConfigError>() {
        return Some(Exit::Usage);
    }
    match cause.downcast_ref::<CrawlError>() {
        Some(CrawlError::Scope(_)) => return Some(Exit::Usage),
        Some(CrawlError::Store(error)) => return of_store(error),
        None => {}
    }
    if let Some(DeriveError::Store(error)) = cause.downcast_ref::<DeriveError>() {
        return of_store(error);
    }
    if let Some(error) = cause.downcast_ref::<StoreError>() {
        return of_store(error);
    }
    let io = cause.downcast_ref::<std::io::Error>()?;
    (io.kind() == std::io::ErrorKind::StorageFull).then_some(Exit::Stopped)
}

fn of_store(error: &StoreError) -> Option<Exit> {
    match error {
        StoreError::Held(..) => Some(Exit::Held),
        StoreError::Full { .. } => Some(Exit::Stopped),
        StoreError::Missing(_) => Some(Exit::Usage),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    fn check(error: anyhow::Error, exit: Exit) {
        assert_eq!(exit_of(&error), exit, "{error:#}");
        assert_eq!(exit_of(&error.context("while indexing")), exit);
    }

    #[test]
    fn each_kind_of_trouble_has_its_exit_code() {
        check(StoreError::Held("x".into(), String::new()).into(), Exit::Held);
        check(StoreError::Full { path: "x".into(), free: 0 }.into(), Exit::Stopped);
        check(StoreError::Missing("x".into()).into(), Exit::Usage);
        check(ConfigError("x".to_string()).into(), Exit::Usage);
        check(Failure::usage("x").into(), Exit::Usage);
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        check(Err::<(), _>(full).context("writing").unwrap_err(), Exit::Stopped);
        check(anyhow::anyhow!("x"), Exit::Failed);
    }
}
