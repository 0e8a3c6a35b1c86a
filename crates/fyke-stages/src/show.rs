//! Figures as people read them: counts, sizes, moments.

/// 12345 as "12,345".
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in a unit a person reads: "3.4 MiB".
#[must_use]
pub fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{amount:.1} {}", units[unit]) }
}

/// Milliseconds since 1970 as "2026-11-15 20:57:16 UTC".
#[must_use]
pub fn moment(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis)
        .map(|t| t.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
        .unwrap_or_else(|_| "unknown".to_string())
}

/// Now, in milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Milliseconds as "12 s", "5 min", "3 h" or "2 days".
#[must_use]
pub fn span(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Why something waits and until when, if that is not over; a wait of less than a second is no
/// moment to name.
#[must_use]
pub fn wait(why: &str, until: Option<i64>, now: i64) -> String {
    match until {
        Some(until) if until >= now + 1000 => {
            format!("{why} until {} (in {})", moment(until), span(until - now))
        }
        _ => why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_names_its_end_unless_that_is_now() {
        let check = |until, text: &str| assert_eq!(wait("Retry-After", until, 10_000), text);
        check(Some(32_000), "Retry-After until 1970-01-01 00:00:32 UTC (in 22 s)");
        check(Some(10_900), "Retry-After");
        check(None, "Retry-After");
    }

    #[test]
    fn spans_are_readable() {
        let check = |seconds: i64, text: &str| assert_eq!(span(seconds * 1000), text);
        check(-5, "0 s");
        check(119, "119 s");
        check(120, "2 min");
        check(7_200, "2 h");
        check(400_000, "4 days");
    }

    #[test]
    fn counts_and_sizes_are_readable() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(size(512), "512 B");
        assert_eq!(size(3 << 20), "3.0 MiB");
        assert_eq!(moment(0), "1970-01-01 00:00:00 UTC");
    }
}
