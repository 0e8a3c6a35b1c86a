//! The CPU time that processes took, as the system tells it.

use anyhow::{Context as _, bail};
use std::time::Duration;

/// Ticks of the kernel's clock in a second, as programs see it.
const TICKS: u64 = 100;
/// Where user time and system time stand behind the name: those of the process, those of its children.
const OWN: usize = 11;
const CHILDREN: usize = 13;

/// User and system time of a process with all its threads, to a hundredth of a second.
///
/// # Errors
/// Where the system does not tell.
pub fn cpu_time(process: &str) -> anyhow::Result<Duration> {
    read(process, OWN)
}

/// User and system time of this process's children that have ended and were waited for.
///
/// # Errors
/// Where the system does not tell.
pub fn children_cpu_time() -> anyhow::Result<Duration> {
    read("self", CHILDREN)
}

fn read(process: &str, at: usize) -> anyhow::Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let stat = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    ticks(&stat, at).map_or_else(
        || bail!("{path} is not as Linux writes it"),
        |ticks| Ok(Duration::from_millis(ticks * 1000 / TICKS)),
    )
}

/// The sum of two values from the given one on behind the name, which may hold anything.
fn ticks(stat: &str, at: usize) -> Option<u64> {
    let mut values = stat.rsplit_once(')')?.1.split_whitespace().skip(at);
    let (user, system) = (values.next()?.parse::<u64>().ok()?, values.next()?.parse::<u64>().ok()?);
    Some(user + system)
}

/// The CPU time of this process by stage.
#[derive(Clone, Debug, Default)]
pub struct Stages {
    /// Stages in the order of their first time.
    spent: Vec<(&'static str, Duration)>,
    current: Option<&'static str>,
    last: Duration,
}

impl Stages {
    /// From now on time is that of this stage.
    pub fn enter(&mut self, stage: &'static str) {
        if self.current != Some(stage) {
            // Where the system does not tell, every stage takes nothing.
            self.note(cpu_time("self").unwrap_or_default());
            self.current = Some(stage);
        }
    }

    /// What each stage has taken until now.
    #[must_use]
    pub fn finish(mut self) -> Vec<(&'static str, Duration)> {
        self.note(cpu_time("self").unwrap_or_default());
        self.spent
    }

    fn note(&mut self, now: Duration) {
        let took = now.saturating_sub(std::mem::replace(&mut self.last, now));
        let Some(current) = self.current else { return };
        match self.spent.iter_mut().find(|(stage, _)| *stage == current) {
            Some((_, spent)) => *spent += took,
            None => self.spent.push((current, took)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_stand_behind_the_name_whatever_it_is() {
        let check = |stat: &str, expected: Option<u64>| {
            assert_eq!(ticks(stat, OWN), expected, "{stat}");
        };
        check("7 (fyke) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14", Some(42));
        check("7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14", Some(42));
        check("7 (fyke) S 1 2 3 4 5 6 7 8 9 10 30", None);
        check("", None);
        assert_eq!(ticks("7 (fyke) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14", CHILDREN), Some(27));
        assert!(cpu_time("self").is_ok() && children_cpu_time().is_ok());
        assert!(cpu_time("0").is_err());
    }

    #[test]
    fn a_stage_has_what_was_spent_in_it_though_it_comes_twice() {
        let mut stages = Stages::default();
        for (at, stage) in [(5, "fetch"), (7, "index"), (10, "fetch"), (14, "index")] {
            stages.note(Duration::from_secs(at));
            stages.current = Some(stage);
        }
        let told = stages.spent.iter().map(|(stage, took)| (*stage, took.as_secs()));
        let spent: Vec<_> = told.collect();
        assert_eq!(spent, [("fetch", 6), ("index", 3)]);
    }
}
