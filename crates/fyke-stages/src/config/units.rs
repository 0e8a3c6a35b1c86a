//! Durations ("250ms", "6h") and sizes ("10MiB") as people write them.

use std::time::Duration;

const DURATIONS: &[(&str, u64)] =
    &[("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

const SIZES: &[(&str, u64)] = &[
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1000),
    ("B", 1),
];

/// Reads "1s", "250ms", "1.5h".
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = "expected a number and ms, s, m, h or d, such as \"250ms\" or \"6h\"";
    measure(text, DURATIONS, expected).map(Duration::from_millis)
}

/// Reads "10MiB", "20 GB", "512B".
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    measure(text, SIZES, "expected a number and B, KiB, MiB, GiB, TiB, kB, MB or GB, as \"10MiB\"")
}

fn measure(text: &str, units: &[(&str, u64)], expected: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not valid: {expected}");
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let (_, scale) = units.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
    let number = number.trim().replace('_', "");
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(*scale).ok_or_else(wrong);
    }
    let part: f64 = number.parse().map_err(|_| wrong())?;
    let product = part * *scale as f64;
    let fits = product.is_finite() && (0.0..9e18).contains(&product);
    if fits { Ok(product.round() as u64) } else { Err(wrong()) }
}

/// Writes a duration in its largest whole unit.
#[must_use]
pub fn show_duration(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    match millis {
        0 => "0s".to_string(),
        _ => show(millis, DURATIONS),
    }
}

/// Writes a size in its largest whole unit.
#[must_use]
pub fn show_bytes(bytes: u64) -> String {
    show(bytes, SIZES)
}

fn show(amount: u64, units: &[(&str, u64)]) -> String {
    let whole = |(_, scale): &&(&str, u64)| amount >= *scale && amount.is_multiple_of(*scale);
    match units.iter().find(whole) {
        Some((unit, scale)) => format!("{}{unit}", amount / scale),
        None => format!("{amount}{}", units[units.len() - 1].0),
    }
}

/// For `#[serde(with = …)]` on durations.
pub(crate) mod duration {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(duration: &Duration, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&super::show_duration(*duration))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Duration, D::Error> {
        super::parse_duration(&String::deserialize(d)?).map_err(D::Error::custom)
    }
}

/// For `#[serde(with = …)]` on sizes.
pub(crate) mod bytes {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(bytes: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&super::show_bytes(*bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        super::parse_bytes(&String::deserialize(d)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, millis: Option<u64>) {
        assert_eq!(parse_duration(text).ok(), millis.map(Duration::from_millis), "{text}");
    }

    #[test]
    fn durations_are_read_as_people_write_them() {
        check("250ms", Some(250));
        check("1s", Some(1000));
        check("1.5h", Some(5_400_000));
        check("0s", Some(0));
        check("1_000 ms", Some(1000));
        check("-1s", None);
        check("1", None);
        check("s", None);
        check("1 fortnight", None);
        check("99999999999999999999d", None);
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(parse_bytes("10MiB"), Ok(10 << 20));
        assert_eq!(parse_bytes("20GB"), Ok(20_000_000_000));
        assert!(parse_bytes("10 apples").is_err());
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        for millis in [0, 1, 250, 1000, 1500, 60_000, 21_600_000, 86_400_000] {
            let duration = Duration::from_millis(millis);
            assert_eq!(parse_duration(&show_duration(duration)), Ok(duration));
        }
        for bytes in [0, 1, 1000, 1024, 1 << 20, 20 << 30] {
            assert_eq!(parse_bytes(&show_bytes(bytes)), Ok(bytes));
        }
    }
}
