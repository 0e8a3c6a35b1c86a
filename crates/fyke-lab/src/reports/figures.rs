//! How figures are written: means, differences, intervals and chances.

use fyke_eval::significance::Interval;

/// A mean or a coefficient.
#[must_use]
pub(crate) fn figure(value: f64) -> String {
    format!("{value:.4}")
}

/// A difference, with its sign.
#[must_use]
pub(crate) fn signed(value: f64) -> String {
    let text = format!("{value:+.4}");
    unsigned_nothing(&text).to_owned()
}

/// From where to where; empty if unknown.
#[must_use]
pub(crate) fn interval(interval: Option<Interval>) -> String {
    let end = |value: f64| unsigned_nothing(&format!("{value:.3}")).to_owned();
    interval.map_or_else(String::new, |of| format!("{} to {}", end(of.low), end(of.high)))
}

/// How likely it is by luck; empty if not tested.
#[must_use]
pub(crate) fn chance(p: Option<f64>) -> String {
    match p {
        None => String::new(),
        Some(p) if p < 0.0005 => "<0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

/// The chance in a sentence.
#[must_use]
pub(crate) fn told_chance(p: f64) -> String {
    let text = chance(Some(p));
    if text.starts_with('<') { format!("p {text}") } else { format!("p = {text}") }
}

/// What rounds to nothing has no sign.
fn unsigned_nothing(text: &str) -> &str {
    let digits = text.trim_start_matches(['+', '-']);
    if digits.chars().all(|c| "0.".contains(c)) { digits } else { text }
}

/// A figure that may be missing.
#[must_use]
pub(crate) fn maybe(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_readable() {
        assert_eq!(signed(0.01234), "+0.0123");
        assert_eq!(signed(-0.000_01), "0.0000");
        assert_eq!(chance(Some(0.0004)), "<0.001");
        assert_eq!(chance(Some(0.05)), "0.050");
        assert_eq!((told_chance(0.0), told_chance(0.2)), ("p <0.001".into(), "p = 0.200".into()));
        assert_eq!(interval(Some(Interval { low: -0.1, high: -0.0001 })), "-0.100 to 0.000");
    }
}
