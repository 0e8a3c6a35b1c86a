//! RunLengthDecode: runs of one byte, and runs of different ones (ISO 32000-1 §7.4.5).

use super::DecodeParameters;

pub(super) fn unpack(mut packed: &[u8], _: &DecodeParameters, most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while let [length, rest @ ..] = packed
        && *length != 128
        && out.len() < most
    {
        let length = usize::from(*length);
        if length < 128 {
            let (run, after) = rest.split_at(rest.len().min(length + 1));
            out.extend_from_slice(run);
            packed = after;
        } else {
            let Some((&byte, after)) = rest.split_first() else { break };
            out.extend(std::iter::repeat_n(byte, 257 - length));
            packed = after;
        }
    }
    out.truncate(most);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_written_out() {
        let plain = DecodeParameters::new(None, &Clone::clone);
        assert_eq!(unpack(&[2, b'a', b'b', b'c', 254, b'd', 128, 9], &plain, 100), b"abcddd");
        assert_eq!(unpack(&[2, b'a'], &plain, 100), b"a");
        assert_eq!(unpack(&[129, b'a', 129, b'b'], &plain, 5), b"aaaaa");
    }
}
