//! How far a long job is: a bar on a terminal, a plain line every few seconds elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(3);

/// Progress of one job on standard error.
#[derive(Debug)]
pub(super) enum Progress {
    Silent,
    Bar(ProgressBar),
    Lines { what: String, total: Option<u64>, started: Instant, said: Instant },
}

impl Progress {
    /// Starts it. `total` where it is known gives an estimate of the time left.
    #[must_use]
    pub(super) fn start(quiet: bool, what: &str, total: Option<u64>) -> Progress {
        if quiet {
            return Progress::Silent;
        }
        if std::io::stderr().is_terminal() {
            let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            bar.set_style(style(total.is_some()));
            bar.set_prefix(what.to_string());
            bar.enable_steady_tick(Duration::from_millis(120));
            return Progress::Bar(bar);
        }
        let now = Instant::now();
        Progress::Lines { what: what.to_string(), total, started: now, said: now }
    }

    /// How much it will be, now that it is known, or known no longer.
    pub(super) fn of(&mut self, now: Option<u64>) {
        match self {
            Progress::Silent => {}
            Progress::Bar(bar) if bar.length() == now => {}
            Progress::Bar(bar) => {
                now.map_or_else(|| bar.unset_length(), |total| bar.set_length(total));
                bar.set_style(style(now.is_some()));
            }
            Progress::Lines { total, .. } => *total = now,
        }
    }

    /// `done` so far; `detail` says more in words.
    pub(super) fn at(&mut self, done: u64, detail: &str) {
        match self {
            Progress::Silent => {}
            Progress::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(detail.to_string());
            }
            Progress::Lines { what, total, started, said } => {
                if said.elapsed() < EVERY {
                    return;
                }
                *said = Instant::now();
                let line = plain(what, done, *total, started.elapsed());
                let gap = if detail.is_empty() { "" } else { "; " };
                let _ = writeln!(std::io::stderr(), "{line}{gap}{detail}");
            }
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn style(known: bool) -> ProgressStyle {
    let template = if known {
        "{prefix} {wide_bar} {human_pos}/{human_len} {per_sec} {eta} left {msg}"
    } else {
        "{prefix} {spinner} {human_pos} {per_sec} {elapsed} {msg}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn plain(what: &str, done: u64, total: Option<u64>, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(0.001);
    let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
    let left = match total {
        Some(total) if rate > 0.0 && total > done => {
            format!(", {:.0} s left", (total - done) as f64 / rate)
        }
        _ => String::new(),
    };
    format!("{what}: {done}{of}, {rate:.0} a second, {:.0} s{left}", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_says_how_much_how_fast_and_how_long() {
        let line = plain("crawl", 50, Some(100), Duration::from_secs(10));
        assert_eq!(line, "crawl: 50 of 100, 5 a second, 10 s, 10 s left");
    }
}
