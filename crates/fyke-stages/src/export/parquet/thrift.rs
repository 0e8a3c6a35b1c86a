//! Thrift's compact protocol, as much of it as a Parquet footer takes.

/// Types of elements in a list.
pub(super) const I32: u8 = 5;
pub(super) const TEXT: u8 = 8;
pub(super) const STRUCT: u8 = 12;
const TRUE: u8 = 1;
const I64: u8 = 6;
const LIST: u8 = 9;

/// Writes one struct and those inside it.
#[derive(Debug, Default)]
pub(super) struct Thrift {
    bytes: Vec<u8>,
    /// The number of the last field in each struct that is open, but for the first.
    outer: Vec<u8>,
    last: u8,
}

impl Thrift {
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn zigzag(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    /// A field of 32 bits.
    pub(crate) fn number(&mut self, number: u8, value: i64) {
        self.field(number, I32);
        self.zigzag(value);
    }

    /// A field of 64 bits.
    pub(crate) fn long(&mut self, number: u8, value: i64) {
        self.field(number, I64);
        self.zigzag(value);
    }

    pub(crate) fn text(&mut self, number: u8, text: &str) {
        self.field(number, TEXT);
        self.element(text);
    }

    pub(crate) fn truth(&mut self, number: u8) {
        self.field(number, TRUE);
    }

    /// A list; its elements follow.
    pub(crate) fn list(&mut self, number: u8, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            self.varint(length as u64);
        }
    }

    /// An element of a list of texts.
    pub(crate) fn element(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// An element of a list of numbers.
    pub(crate) fn small(&mut self, value: i64) {
        self.zigzag(value);
    }

    /// A struct in a field; its own fields follow.
    pub(crate) fn inside(&mut self, number: u8) {
        self.field(number, STRUCT);
        self.begin();
    }

    /// A struct in a list.
    pub(crate) fn begin(&mut self) {
        self.outer.push(std::mem::take(&mut self.last));
    }

    /// The end of a struct.
    pub(crate) fn end(&mut self) {
        self.bytes.push(0);
        self.last = self.outer.pop().unwrap_or_default();
    }

    /// The whole.
    pub(crate) fn stop(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_protocol_has_them() {
        let mut thrift = Thrift::default();
        thrift.number(1, -1);
        thrift.text(4, "ab");
        thrift.inside(5);
        thrift.truth(1);
        thrift.end();
        thrift.long(6, 300);
        thrift.list(7, I32, 15);
        let expected =
            [0x15, 1, 0x38, 2, b'a', b'b', 0x1c, 0x11, 0, 0x16, 0xd8, 4, 0x19, 0xf5, 15, 0];
        assert_eq!(thrift.stop(), expected);
    }
}
