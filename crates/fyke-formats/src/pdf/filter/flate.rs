//! FlateDecode: zlib, or bare deflate where the head is damaged.

use super::{DecodeParameters, predictor};
use flate2::read::{DeflateDecoder, ZlibDecoder};
use std::io::Read;

pub(super) fn unpack(packed: &[u8], parameters: &DecodeParameters, most: usize) -> Vec<u8> {
    let mut bytes = drain(ZlibDecoder::new(packed), most);
    if bytes.is_empty() && packed.len() > 2 {
        bytes = drain(DeflateDecoder::new(&packed[2..]), most);
    }
    predictor::undo(bytes, parameters)
}

/// Everything up to the first error.
fn drain(reader: impl Read, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut reader = reader.take(most as u64);
    let mut piece = [0; 16 << 10];
    while let Ok(length @ 1..) = reader.read(&mut piece) {
        bytes.extend_from_slice(&piece[..length]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn plain() -> DecodeParameters {
        DecodeParameters::new(None, &Clone::clone)
    }

    #[test]
    fn a_stream_cut_off_gives_what_is_there() {
        let text: Vec<u8> = (0..5000u32).flat_map(|n| n.to_string().into_bytes()).collect();
        let packed = pack(&text);
        assert_eq!(unpack(&packed, &plain(), usize::MAX >> 1), text);
        let half = unpack(&packed[..packed.len() / 2], &plain(), 1 << 20);
        assert!(half.len() > 1000 && text.starts_with(&half));
    }

    #[test]
    fn a_bomb_ends_at_the_limit() {
        assert_eq!(unpack(&pack(&vec![0; 1 << 20]), &plain(), 1000).len(), 1000);
    }

    #[test]
    fn a_damaged_head_is_passed_over() {
        let mut packed = pack(b"some words that stand in a stream");
        packed[0] = 0xFF;
        assert_eq!(unpack(&packed, &plain(), 1000), b"some words that stand in a stream");
    }
}
