//! Percent signs in the names of files: `%20` is a space.

use fyke_web::url::hex_digit;

/// The bytes that a name with percent signs stands for.
pub(super) fn decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = match (byte, after) {
            (b'%', [high, low, ..]) => hex_digit(*high).zip(hex_digit(*low)),
            _ => None,
        };
        out.push(escaped.map_or(byte, |(high, low)| high << 4 | low));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    out
}
