//! Looking for a byte that is most likely near: the next bracket of a page, the quote that ends a
//! value. Eight bytes at a time and in place, and a call to `memchr` only for what is farther. With
//! the table of kinds in `attribute.rs`, the links of a page of 36 kB took 42 instead of 50 µs
//! (`page_cost`); what each of the two brings was not measured apart.

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;
/// Eights that are looked at here; other numbers were not tried.
const NEAR: usize = 5;

/// Where `wanted` first stands at or after `from`, which lies within the bytes.
#[inline]
pub(super) fn find(bytes: &[u8], wanted: u8, from: usize) -> Option<usize> {
    let rest = &bytes[from..];
    let eights = rest.as_chunks::<8>().0;
    let eights = &eights[..eights.len().min(NEAR)];
    for (place, &eight) in eights.iter().enumerate() {
        let differs = u64::from_le_bytes(eight) ^ (ONES * u64::from(wanted));
        // Marks the first zero byte rightly; what it says of later ones is not asked.
        let zeros = differs.wrapping_sub(ONES) & !differs & TOPS;
        if zeros != 0 {
            return Some(from + place * 8 + zeros.trailing_zeros() as usize / 8);
        }
    }
    let far = eights.len() * 8;
    memchr::memchr(wanted, &rest[far..]).map(|found| from + far + found)
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
