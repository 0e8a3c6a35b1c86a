//! Predictors: rows stored as differences, by PNG's rules or by TIFF's (ISO 32000-1 §7.4.4.4).

use super::DecodeParameters;

/// Longest row that makes sense, in bytes.
const LONGEST_ROW: usize = 1 << 20;

pub(super) fn undo(bytes: Vec<u8>, parameters: &DecodeParameters) -> Vec<u8> {
    let pixel_bits = parameters.colours.saturating_mul(parameters.bits);
    let row = pixel_bits.saturating_mul(parameters.columns).div_ceil(8);
    if parameters.predictor < 2 || !(1..=LONGEST_ROW).contains(&row) {
        return bytes;
    }
    let pixel = pixel_bits.div_ceil(8).clamp(1, row);
    if parameters.predictor == 2 { tiff(bytes, row, pixel) } else { png(&bytes, row, pixel) }
}

/// Differences to the pixel before; components of other than 8 bits are left as they are.
fn tiff(mut bytes: Vec<u8>, row: usize, pixel: usize) -> Vec<u8> {
    for line in bytes.chunks_mut(row) {
        for at in pixel..line.len() {
            line[at] = line[at].wrapping_add(line[at - pixel]);
        }
    }
    bytes
}

/// Each row begins with the number of its rule.
fn png(bytes: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut above = vec![0; row];
    for line in bytes.chunks(row + 1) {
        let (rule, line) = (line[0], &line[1..]);
        let begin = out.len();
        for (at, &byte) in line.iter().enumerate() {
            let left = if at < pixel { 0 } else { out[begin + at - pixel] };
            let corner = if at < pixel { 0 } else { above[at - pixel] };
            let up = above[at];
            out.push(byte.wrapping_add(match rule {
                1 => left,
                2 => up,
                3 => left.midpoint(up),
                4 => paeth(left, up, corner),
                _ => 0,
            }));
        }
        above[..line.len()].copy_from_slice(&out[begin..]);
    }
    out
}

/// Whichever neighbour is nearest to left + up − corner.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let distance = |neighbour: u8| (guess - i16::from(neighbour)).abs();
    if distance(left) <= distance(up) && distance(left) <= distance(corner) {
        left
    } else if distance(up) <= distance(corner) {
        up
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(predictor: usize, columns: usize, packed: &[u8], expected: &[u8]) {
        let plain = DecodeParameters::new(None, &Clone::clone);
        let parameters = DecodeParameters { predictor, columns, ..plain };
        assert_eq!(undo(packed.to_vec(), &parameters), expected);
    }

    #[test]
    fn differences_are_summed() {
        check(1, 3, &[1, 2, 3], &[1, 2, 3]);
        check(2, 3, &[1, 1, 1, 5, 0, 0], &[1, 2, 3, 5, 5, 5]);
        check(12, 3, &[2, 1, 2, 3, 2, 1, 1, 1], &[1, 2, 3, 2, 3, 4]);
        check(15, 3, &[1, 1, 1, 1, 3, 1, 1, 1, 4, 1, 0, 0], &[1, 2, 3, 1, 2, 3, 2, 2, 3]);
        check(12, 3, &[2, 1, 2, 3, 2, 1], &[1, 2, 3, 2]);
    }

    #[test]
    fn rows_too_long_to_be_true_are_left_alone() {
        check(12, usize::MAX, &[2, 1, 2, 3], &[2, 1, 2, 3]);
        check(12, 0, &[2, 1], &[2, 1]);
    }
}
