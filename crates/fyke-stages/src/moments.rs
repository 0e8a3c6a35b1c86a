//! Moments in answers to programs: milliseconds since 1970 written as ISO 8601 has them.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// Milliseconds since 1970 as "2026-11-15T20:57:16Z"; none where no calendar has them.
#[must_use]
pub fn iso(millis: i64) -> Option<String> {
    jiff::Timestamp::from_millisecond(millis).ok().map(|moment| moment.to_string())
}

/// A value of which one member is a moment in milliseconds: it becomes text.
#[must_use]
pub fn written(mut value: Value, member: &str) -> Value {
    if let Some(moment) = value.get_mut(member)
        && let Some(millis) = moment.as_i64()
    {
        *moment = iso(millis).into();
    }
    value
}

/// For `serialize_with`.
///
/// # Errors
/// When nothing can be written.
pub fn one<S: Serializer>(millis: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    iso(*millis).serialize(serializer)
}

/// The same of what may be missing.
///
/// # Errors
/// When nothing can be written.
pub fn maybe<S: Serializer>(millis: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    millis.and_then(iso).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_iso_8601_has_them() {
        assert_eq!(iso(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(iso(1_700_000_000_125).as_deref(), Some("2023-11-14T22:13:20.125Z"));
        assert_eq!(iso(i64::MAX), None);
        let value = serde_json::json!({ "trained": 0, "documents": 0 });
        let expected = serde_json::json!({ "trained": "1970-01-01T00:00:00Z", "documents": 0 });
        assert_eq!(written(value, "trained"), expected);
    }
}
