//! Looking for a byte that is most likely near: the next bracket of a page, the quote that ends a
//! value. Sixteen bytes at a time and in place, and a call to `memchr` only for what is farther.

use fyke_text::sixteen::Sixteen;

/// Sixteens that are looked at here; other numbers were not tried.
const NEAR: usize = 3;

/// Where `wanted` first stands at or after `from`, which lies within the bytes.
#[inline]
pub(super) fn find(bytes: &[u8], wanted: u8, from: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..NEAR {
        let Some(sixteen) = Sixteen::at(bytes, at) else { break };
        let found = sixteen.equal(wanted);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += 16;
    }
    memchr::memchr(wanted, &bytes[at..]).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_one_is_found(
            bytes in prop::collection::vec(prop_oneof![Just(b'<'), Just(b'='), any::<u8>()], 0..120),
            from in 0..120usize,
        ) {
            let from = from.min(bytes.len());
            let expected = bytes[from..].iter().position(|&b| b == b'<').map(|n| from + n);
            prop_assert_eq!(find(&bytes, b'<', from), expected);
        }
    }
}
