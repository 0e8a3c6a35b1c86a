//! A zip archive of stored parts with right checksums: changed bytes of a part reach the reader behind the archive.

/// An archive of these names and contents.
pub(crate) fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in parts {
        let at = out.len() as u32;
        let length = bytes.len() as u32;
        let sum = crc32fast::hash(bytes);
        // Version 2.0, no flags, stored, no time.
        let mut fixed = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        fixed.extend_from_slice(&sum.to_le_bytes());
        fixed.extend_from_slice(&length.to_le_bytes());
        fixed.extend_from_slice(&length.to_le_bytes());
        fixed.extend_from_slice(&(name.len() as u16).to_le_bytes());
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&fixed);
        out.extend_from_slice(&[0, 0]);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(bytes);
        directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        directory.extend_from_slice(&fixed);
        // No extra field, no comment, first disk, no attributes.
        directory.extend_from_slice(&[0; 12]);
        directory.extend_from_slice(&at.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let (at, count) = (out.len() as u32, parts.len() as u16);
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    out.extend_from_slice(&at.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out
}
