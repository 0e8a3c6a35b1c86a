//! RC4: a stream of bytes mixed from the key. The same call encrypts and decrypts.

pub(super) fn apply(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
    let mut j = 0u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len().max(1)]);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0u8, 0u8);
    let mut next = || {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        state[usize::from(state[usize::from(i)].wrapping_add(state[usize::from(j)]))]
    };
    bytes.iter().map(|byte| byte ^ next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_example_comes_out() {
        let secret = [0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3];
        assert_eq!(apply(b"Key", b"Plaintext"), secret);
        assert_eq!(apply(b"Key", &secret), b"Plaintext");
    }
}
