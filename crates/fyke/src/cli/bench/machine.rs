//! The machine that figures are measured on, and the CPU time and memory that a process took.

use anyhow::{Context as _, bail};
use serde::Serialize;
use std::fs::read_to_string;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Ticks of the kernel's clock in a second, as programs see it.
const TICKS: u64 = 100;

/// What figures depend on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    pub cores: usize,
    pub model: String,
    pub kernel: String,
    pub memory_bytes: u64,
}

/// The machine this runs on; what the system does not tell is empty.
pub fn machine() -> Machine {
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

/// User and system time of a process with all its threads, to a hundredth of a second.
pub fn cpu_time(process: &str) -> anyhow::Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let stat = read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    ticks(&stat).map_or_else(
        || bail!("{path} is not as Linux writes it"),
        |ticks| Ok(Duration::from_millis(ticks * 1000 / TICKS)),
    )
}

/// The 14th and 15th value; the second is a name that may hold anything.
fn ticks(stat: &str) -> Option<u64> {
    let mut values = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system) = (values.next()?.parse::<u64>().ok()?, values.next()?.parse::<u64>().ok()?);
    Some(user + system)
}

/// Binds this process to one core: threads started later stay there. Gives the core.
pub fn pin(core: usize) -> anyhow::Result<usize> {
    bind(core, std::process::id())?;
    Ok(core)
}

/// Binds a process with all its threads to one core.
pub fn bind(core: usize, process: u32) -> anyhow::Result<()> {
    let (core, process) = (core.to_string(), process.to_string());
    let done = Command::new("taskset").args(["-a", "-p", "-c", &core, &process]).output();
    let done = done.context("cannot run taskset: install util-linux, or leave out --pin")?;
    if !done.status.success() {
        bail!("taskset: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(())
}

/// Bytes of all files below a folder.
pub fn disk(folder: &Path) -> u64 {
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
    fn times_stand_behind_the_name_whatever_it_is() {
        let check = |stat: &str, expected: Option<u64>| assert_eq!(ticks(stat), expected, "{stat}");
        check("7 (fyke) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14", Some(42));
        check("7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14", Some(42));
        check("7 (fyke) S 1 2 3 4 5 6 7 8 9 10 30", None);
        check("", None);
    }

    #[test]
    fn this_machine_says_what_it_is_and_what_it_spent() {
        let machine = machine();
        assert!(machine.cores > 0 && machine.memory_bytes > 1 << 20 && !machine.kernel.is_empty());
        assert!(cpu_time("self").is_ok());
        assert!(cpu_time("0").is_err());
    }
}
