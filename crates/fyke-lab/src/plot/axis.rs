//! An axis: which values it shows, where they stand between its ends, and its ticks.

/// How many ticks are aimed at.
const TICKS: f64 = 5.0;
/// Values beyond these are drawn nowhere: their differences would not be finite.
const LARGEST: f64 = 1e300;
/// Characters of the longest name beside a tick.
const LONGEST_NAME: usize = 18;

/// What is laid off along one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub label: String,
    is_log: bool,
    range: Option<(f64, f64)>,
    labels: TickLabels,
}

/// What stands at the ticks.
#[derive(Clone, Debug, PartialEq)]
enum TickLabels {
    /// Numbers in few characters.
    Short,
    /// Whole numbers with all their digits.
    Years,
    /// These at 0, 1, 2 …
    Names(Vec<String>),
}

impl Axis {
    /// Equal steps are equal differences.
    #[must_use]
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.to_owned(), is_log: false, range: None, labels: TickLabels::Short }
    }

    /// Years of the calendar.
    #[must_use]
    pub fn years(label: &str) -> Axis {
        Axis { labels: TickLabels::Years, ..Axis::linear(label) }
    }

    /// A place for each name, at 0, 1, 2 …
    #[must_use]
    pub fn named(names: &[String]) -> Axis {
        let range = Some((-0.5, names.len() as f64 - 0.5));
        let names = names.iter().map(|name| shortened(name)).collect();
        Axis { range, labels: TickLabels::Names(names), ..Axis::linear("") }
    }

    /// Equal steps are equal factors.
    #[must_use]
    pub fn log(label: &str) -> Axis {
        Axis { is_log: true, ..Axis::linear(label) }
    }

    /// From here to there, whatever the marks hold.
    #[must_use]
    pub fn within(self, from: f64, to: f64) -> Axis {
        Axis { range: Some((from, to)), ..self }
    }

    fn can_show(&self, value: f64) -> bool {
        value.abs() < LARGEST && (!self.is_log || value > 1.0 / LARGEST)
    }

    /// The axis laid out so that it holds these values.
    pub(super) fn lay_out(&self, values: impl Iterator<Item = f64>) -> AxisScale {
        let given = self.range.into_iter().flat_map(|(from, to)| [from, to]);
        let wanted: Vec<f64> = match self.range {
            Some(_) => given.filter(|value| self.can_show(*value)).collect(),
            None => values.filter(|value| self.can_show(*value)).collect(),
        };
        let low = wanted.iter().copied().fold(f64::INFINITY, f64::min);
        let high = wanted.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match (wanted.is_empty(), self.is_log) {
            (true, _) => (1.0, 10.0),
            (false, true) if high <= low * 1.01 => (low / 2.0, high * 2.0),
            (false, false) if high - low <= high.abs() * 1e-9 => {
                (low - low.abs().max(1.0) / 2.0, high + high.abs().max(1.0) / 2.0)
            }
            _ => (low, high),
        };
        let scale = match self.is_log {
            true => {
                let ticks = log_ticks(low, high);
                AxisScale { low, high, is_log: true, ticks, labels: TickLabels::Short }
            }
            false => linear(low, high, self.range.is_some()),
        };
        scale.labelled(self.labels.clone())
    }
}

/// An axis with its ends and ticks.
#[derive(Debug)]
pub(super) struct AxisScale {
    low: f64,
    high: f64,
    is_log: bool,
    pub ticks: Vec<f64>,
    labels: TickLabels,
}

impl AxisScale {
    fn labelled(mut self, labels: TickLabels) -> AxisScale {
        match &labels {
            TickLabels::Short => {}
            TickLabels::Years => self.ticks.retain(|tick| tick.fract() == 0.0),
            TickLabels::Names(names) => {
                self.ticks = (0..names.len()).map(|place| place as f64).collect();
            }
        }
        AxisScale { labels, ..self }
    }

    /// What stands at a tick.
    pub(crate) fn label(&self, tick: f64) -> String {
        match &self.labels {
            TickLabels::Short => tick_label(tick),
            TickLabels::Years => format!("{tick:.0}"),
            TickLabels::Names(names) => names.get(tick as usize).cloned().unwrap_or_default(),
        }
    }

    /// Where a value stands: 0 at the low end, 1 at the high one; None beyond them.
    pub(crate) fn share(&self, value: f64) -> Option<f64> {
        let at = |value: f64| if self.is_log { value.ln() } else { value };
        let share = (at(value) - at(self.low)) / (at(self.high) - at(self.low));
        (-1e-9..=1.0 + 1e-9).contains(&share).then_some(share)
    }

    /// As [`AxisScale::share`], with values beyond an end standing at that end.
    pub(crate) fn clamped(&self, value: f64) -> Option<f64> {
        (!value.is_nan()).then(|| self.share(value.clamp(self.low, self.high))).flatten()
    }
}

/// Ends are moved out to round values, unless they were given.
fn linear(low: f64, high: f64, is_given: bool) -> AxisScale {
    let step = round_step((high - low) / TICKS);
    let (first, last) = match is_given {
        true => ((low / step).ceil(), (high / step).floor()),
        false => ((low / step).floor(), (high / step).ceil()),
    };
    let count = (last - first).clamp(0.0, 3.0 * TICKS) as u32;
    let ticks: Vec<f64> = (0..=count).map(|n| (first + f64::from(n)) * step).collect();
    let (low, high) = if is_given { (low, high) } else { (first * step, last * step) };
    AxisScale { low, high, is_log: false, ticks, labels: TickLabels::Short }
}

/// 1, 2 or 5 times a power of ten, not smaller than what is asked for.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least);
    factor.unwrap_or(10.0) * power
}

/// Powers of ten; of a long axis every second, third …; of a short one 2 and 5 times them as well.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let every = ((f64::from(last - first) / (TICKS + 2.0)).ceil() as i32).max(1);
    let decades = high.log10() - low.log10();
    let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    (first..=last)
        .filter(|power| power.rem_euclid(every) == 0)
        .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
        .filter(|tick| (low * 0.999..=high * 1.001).contains(tick))
        .collect()
}

/// A tick in few characters: 250, 10k, 2.5M, 0.05, 10⁻⁶.
fn tick_label(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1e-3, "")];
    match units.iter().find(|(unit, _)| size >= unit * 0.999_999) {
        Some((unit, name)) if size < 1e15 => format!("{}{name}", trimmed(value / unit.max(1.0))),
        _ => scientific(value),
    }
}

/// A name with its middle left out where it is too long: names of runs differ at both ends.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let half = LONGEST_NAME / 2;
    if letters.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let (start, end) = (&letters[..half], &letters[letters.len() - half + 1..]);
    start.iter().chain(&['…']).chain(end).collect()
}

/// At most three decimals, none that is a trailing zero.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.0e}");
    let (digit, power) = text.split_once('e').unwrap_or((&text, "0"));
    let raised: String = power.chars().map(superscript).collect();
    match digit {
        "1" => format!("10{raised}"),
        _ => format!("{digit}·10{raised}"),
    }
}

fn superscript(c: char) -> char {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    c.to_digit(10).and_then(|digit| RAISED.get(digit as usize)).copied().unwrap_or('⁻')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(axis: &Axis, values: &[f64], ticks: &str) {
        let scale = axis.lay_out(values.iter().copied());
        let labels: Vec<String> = scale.ticks.iter().map(|tick| scale.label(*tick)).collect();
        assert_eq!(labels.join(" "), ticks, "{axis:?} {values:?}");
    }

    #[test]
    fn ticks_are_round() {
        let linear = Axis::linear("");
        check(&linear, &[0.0, 97.0], "0 20 40 60 80 100");
        check(&linear, &[-3.0, 2.0], "-3 -2 -1 0 1 2");
        check(&linear, &[0.0, 0.0123], "0 0.005 0.01 0.015");
        check(&linear, &[12_000_000.0, 0.0], "0 5M 10M 15M");
        check(&linear, &[7.0], "2 4 6 8 10 12");
        check(&linear, &[], "0 2 4 6 8 10");
        check(&linear.clone().within(0.0, 2026.0), &[9e9], "0 500 1k 1.5k 2k");
        let years = Axis::years("");
        check(&years, &[2009.5, 2020.5], "2005 2010 2015 2020 2025");
        check(&years, &[2023.5, 2024.5], "2024");
        let log = Axis::log("");
        check(&log, &[1.0, 40_000.0], "1 10 100 1k 10k");
        check(&log, &[3.0, 70.0, -1.0, 0.0], "5 10 20 50");
        check(&log, &[1e-9, 1.0], "10⁻⁸ 10⁻⁶ 10⁻⁴ 0.01 1");
        check(&log, &[1e17], "5·10¹⁶ 10¹⁷ 2·10¹⁷");
    }

    #[test]
    fn names_stand_where_their_numbers_would() {
        let names = ["first", "a-run-with-a-long-name.txt"].map(str::to_owned);
        let scale = Axis::named(&names).lay_out([7.0].into_iter());
        let labels: Vec<String> = scale.ticks.iter().map(|tick| scale.label(*tick)).collect();
        assert_eq!(labels, ["first", "a-run-wit…name.txt"]);
        assert_eq!(scale.share(0.5), Some(0.5));
    }

    #[test]
    fn values_stand_between_the_ends() {
        let scale = Axis::log("").lay_out([1.0, 100.0].into_iter());
        assert_eq!(scale.share(10.0), Some(0.5));
        assert_eq!(scale.share(1000.0), None);
        assert_eq!(scale.clamped(1000.0), Some(1.0));
        assert_eq!(scale.clamped(f64::NAN), None);
    }

    proptest! {
        #[test]
        fn every_value_that_can_be_shown_has_a_place(
            values in prop::collection::vec(-1e12..1e12f64, 1..9),
            is_log: bool,
        ) {
            let axis = if is_log { Axis::log("") } else { Axis::linear("") };
            let scale = axis.lay_out(values.iter().copied());
            prop_assert!(scale.ticks.len() <= 20);
            for value in values.iter().filter(|value| axis.can_show(**value)) {
                prop_assert!(scale.share(*value).is_some(), "{value} of {scale:?}");
            }
        }
    }
}
