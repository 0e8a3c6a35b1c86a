//! The machine that figures are measured on.

use anyhow::{Context as _, bail};
pub(crate) use fyke::cpu::cpu_time;
use serde::Serialize;
use std::fs::read_to_string;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What figures depend on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Machine {
    pub cores: usize,
    pub model: String,
    pub kernel: String,
    pub memory_bytes: u64,
}

/// The machine this runs on; what the system does not tell is empty.
pub(crate) fn machine() -> Machine {
    let processors = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let memory = read_to_string("/proc/meminfo").unwrap_or_default();
    let kernel = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let kilobytes = field(&memory, "MemTotal").and_then(|rest| rest.split(' ').next());
    Machine {
        cores: processors.lines().filter(|line| line.starts_with("processor")).count(),
        model: field(&processors, "model name").unwrap_or_default().to_owned(),
        kernel: kernel.trim().to_owned(),
        memory_bytes: kilobytes.and_then(|k| k.parse::<u64>().ok()).unwrap_or(0) * 1024,
    }
}

/// The value behind `name:` on a line of its own.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim())
}

/// Binds this process to one core: threads started later stay there. Gives the core.
pub(crate) fn pin(core: usize) -> anyhow::Result<usize> {
    bind(core, std::process::id())?;
    Ok(core)
}

/// Binds a process with all its threads to one core.
pub(crate) fn bind(core: usize, process: u32) -> anyhow::Result<()> {
    let (core, process) = (core.to_string(), process.to_string());
    let done = Command::new("taskset").args(["-a", "-p", "-c", &core, &process]).output();
    let done = done.context("cannot run taskset: install util-linux, or leave out --pin")?;
    if !done.status.success() {
        bail!("taskset: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(())
}

/// The CPU time of this thread so far.
pub(crate) fn thread_cpu_time() -> anyhow::Result<Duration> {
    let text = read_to_string("/proc/thread-self/schedstat").context("the time of a thread")?;
    let nanoseconds = text.split(' ').next().unwrap_or_default().parse();
    Ok(Duration::from_nanos(nanoseconds.context("the time of a thread")?))
}

/// Bytes of all files below a folder.
pub(crate) fn disk(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => disk(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    };
    entries.map_while(Result::ok).map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_says_what_it_is() {
        let machine = machine();
        assert!(machine.cores > 0 && machine.memory_bytes > 1 << 20 && !machine.kernel.is_empty());
    }
}
