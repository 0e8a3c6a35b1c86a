//! LZWDecode: codes of 9 to 12 bits into a table that grows as it is read (ISO 32000-1 §7.4.4).

use super::{DecodeParameters, predictor};

const CLEAR: usize = 256;
const END: usize = 257;
const LARGEST: usize = 4096;

/// A row of the table stands in the output: where it begins, how long it is.
type LzwRow = (usize, usize);

pub(super) fn unpack(packed: &[u8], parameters: &DecodeParameters, most: usize) -> Vec<u8> {
    predictor::undo(decode(packed, usize::from(parameters.early_change), most), parameters)
}

fn decode(packed: &[u8], early: usize, most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut table: Vec<LzwRow> = Vec::new();
    let mut last: Option<LzwRow> = None;
    let (mut held, mut bits, mut bytes) = (0u32, 0, packed.iter());
    while out.len() < most {
        let width = match table.len() + 258 + early {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        while bits < width {
            let Some(&byte) = bytes.next() else { return out };
            held = held << 8 | u32::from(byte);
            bits += 8;
        }
        bits -= width;
        let code = (held >> bits) as usize & ((1 << width) - 1);
        held &= (1 << bits) - 1;
        if code == END {
            break;
        }
        if code == CLEAR {
            table.clear();
            last = None;
            continue;
        }
        let Some(row) = append(code, &table, last, &mut out) else { break };
        // The new row is the last one and the first byte of this one, which follow each other here.
        if let Some((start, length)) = last
            && table.len() + 258 < LARGEST
        {
            table.push((start, length + 1));
        }
        last = Some(row);
    }
    out.truncate(most);
    out
}

/// Writes what `code` stands for; where that stands now.
fn append(
    code: usize,
    table: &[LzwRow],
    last: Option<LzwRow>,
    out: &mut Vec<u8>,
) -> Option<LzwRow> {
    let at = out.len();
    if code < CLEAR {
        out.push(code as u8);
        return Some((at, 1));
    }
    let next =
        last.filter(|_| code - 258 == table.len()).map(|(start, length)| (start, length + 1));
    let (start, length) = table.get(code - 258).copied().or(next)?;
    for position in start..start + length {
        out.push(out[position]);
    }
    Some((at, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard_is_decoded() {
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(decode(&packed, 1, 100), [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
    }

    #[test]
    fn a_limit_ends_it() {
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(decode(&packed, 1, 4), [45, 45, 45, 45]);
    }
}
