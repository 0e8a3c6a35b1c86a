//! Pages a second over a whole run: samples at even distances, which grow with the run, a figure for now, a line to
//! look at.

use std::collections::VecDeque;
use std::time::Duration;

/// Samples kept at the most; one more, and every second one goes.
const SAMPLES: usize = 360;
const EVERY: Duration = Duration::from_secs(1);
/// What "now" means: commits come in bursts, a mean over less jumps about.
const NOW: Duration = Duration::from_secs(5);
/// Samples that are kept for it.
const RECENT: usize = 8;

/// The line's picture, in its own units.
pub(crate) const WIDTH: f64 = 180.0;
pub(crate) const HEIGHT: f64 = 40.0;

/// How many pages there were when.
#[derive(Debug, Default)]
pub struct Rates {
    samples: Vec<(Duration, u64)>,
    /// So many seconds lie between two samples: a power of two.
    distance: u32,
    recent: VecDeque<(Duration, u64)>,
}

impl Rates {
    /// Notes that so many pages were there after so long, if a second has gone by.
    pub fn note(&mut self, elapsed: Duration, pages: u64) {
        if self.recent.back().is_some_and(|(last, _)| elapsed < *last + EVERY) {
            return;
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((elapsed, pages));
        let distance = EVERY * self.distance.max(1);
        if self.samples.last().is_some_and(|(last, _)| elapsed < *last + distance) {
            return;
        }
        self.samples.push((elapsed, pages));
        if self.samples.len() > SAMPLES {
            self.distance = self.distance.max(1).saturating_mul(2);
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
    }

    /// Pages a second over the last seconds.
    #[must_use]
    pub fn now(&self, elapsed: Duration, pages: u64) -> f64 {
        let old = |(time, _): &&(Duration, u64)| *time + NOW <= elapsed;
        let base = self.recent.iter().rev().find(old).or(self.recent.front());
        base.map_or(0.0, |base| rate(*base, (elapsed, pages)))
    }

    /// Pages a second between one sample and the next, the oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<f64> {
        let pairs = self.samples.iter().zip(self.samples.iter().skip(1));
        pairs.map(|(before, after)| rate(*before, *after)).collect()
    }
}

fn rate((start, before): (Duration, u64), (end, after): (Duration, u64)) -> f64 {
    let seconds = end.saturating_sub(start).as_secs_f64();
    if seconds > 0.0 { after.saturating_sub(before) as f64 / seconds } else { 0.0 }
}

/// The rates as points of an SVG polyline over the whole width: the latest to the right, the highest at the top.
#[must_use]
pub(crate) fn sparkline(rates: &[f64]) -> String {
    let most = rates.iter().copied().fold(1.0, f64::max);
    let step = WIDTH / rates.len().saturating_sub(1).max(1) as f64;
    let point = |(n, rate): (usize, &f64)| {
        let (x, y) = (step * n as f64, HEIGHT - (HEIGHT - 2.0) * rate / most - 1.0);
        format!("{x:.1},{y:.1}")
    };
    rates.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten pages a second for so many quarters of a second.
    fn steady(quarters: u64) -> (Rates, Duration, u64) {
        let mut rates = Rates::default();
        let at = |quarter: u64| (Duration::from_millis(250 * quarter), 10 * quarter / 4);
        for (elapsed, pages) in (0..=quarters).map(at) {
            rates.note(elapsed, pages);
        }
        let (elapsed, pages) = at(quarters);
        (rates, elapsed, pages)
    }

    #[test]
    fn a_steady_crawl_has_a_steady_rate_and_a_bounded_memory() {
        for quarters in [4, 40, 4_000] {
            let (rates, elapsed, pages) = steady(quarters);
            assert!((rates.now(elapsed, pages) - 10.0).abs() < 0.6, "{quarters}");
            assert!(rates.all().iter().all(|rate| *rate == 10.0));
            assert!(rates.all().len() < SAMPLES);
        }
    }

    #[test]
    fn a_crawl_that_stands_still_comes_to_nought() {
        let (rates, elapsed, pages) = steady(40);
        assert_eq!(rates.now(elapsed + 2 * NOW, pages), 0.0);
        assert_eq!(Rates::default().now(elapsed, pages), 0.0);
    }

    #[test]
    fn the_line_stays_in_its_picture() {
        for rates in [vec![], vec![0.0], vec![3.0, 9e9, 0.0], vec![1.0; SAMPLES - 1]] {
            let line = sparkline(&rates);
            for point in line.split_whitespace() {
                let (x, y) = point.split_once(',').unwrap();
                assert!((0.0..=WIDTH).contains(&x.parse().unwrap()), "{line}");
                assert!((0.0..=HEIGHT).contains(&y.parse().unwrap()), "{line}");
            }
            assert_eq!(line.split_whitespace().count(), rates.len());
        }
    }
}
