//! Huffman codes made beforehand for `deflate.rs`, as code lengths (RFC 1951, 3.2.7), a hexadecimal
//! digit a symbol. They were made from what the compressor finds in some 500 real pages and
//! documents; a block coded with the first is longer by 2.5 % than with a code of its own.

/// The code lengths of one block.
pub(crate) struct CodeLengths {
    /// Of literals, the end of the block and lengths.
    pub first: &'static [u8; 286],
    pub distance: &'static [u8; 30],
    /// Of the code lengths themselves.
    pub lengths: &'static [u8; 19],
}

/// Every symbol has a code, and none is longer than 12 bits: a literal and a match fit into 56.
pub(crate) const CODES: &[CodeLengths] = &[
    // Pages in Latin letters.
    CodeLengths {
        first: b"\
            ccccccccc88ccccccccccccccccccccc5a6aca9888b97667667777777778877ac898999a\
            99aa99999b9889a9bab9a9c8c5766577658866556a555677879998ccbccccccccccccccc\
            ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccabcccccc\
            ccccccccccbccccccccbbcccccccccccccccccccccc45666767787888889999aaabbca",
        distance: b"7bba98665655454445454545454555",
        lengths: b"0000433433443000300",
    },
    // Pages in Cyrillic, Greek, Hebrew, Arabic: two bytes of UTF-8 a letter.
    CodeLengths {
        first: b"\
            ccccccccc97ccccccccccccccccccccc4a8bcbaa99cb88777778889998797989caaaaabb\
            bacbaabbaca99bcbcccbcbcac798869887b978778c777898a9bccccc777889998a988a98\
            8999889988998889899a8aa8999c9acb6878769868887768cccbcccccccccccc45ccccc6\
            ccccccccaccccccccc8768ccccccccccccccccccccc3566777788889988999aabbbccb",
        distance: b"accbaa887766555544443434445668",
        lengths: b"0006564323343000400",
    },
    // Pages in Chinese, Japanese, Korean, Thai: three bytes of UTF-8 a letter.
    CodeLengths {
        first: b"\
            cccccccccb7ccccccccccccccccccccc6b8cccbcaacc988777788889987b798acaaaaabb\
            babcbabbaca99ccbcccccccac798869887aa78778c7778a999cccccc6566788877777787\
            888888888888789788988888788788778898889878777888cccccccccccccc78cccccccc\
            cccccccccc95655667ccccc7ccccccccccccccccccc45677878898999999989ababccb",
        distance: b"bcac89777756554544443444454667",
        lengths: b"0006654323443000300",
    },
    // Anything else: office documents, PDF, programs.
    CodeLengths {
        first: b"\
            477888888878888989998999899899886888888888888887777787888788888888888888\
            888888888878888888888888878776878788787788777888889899988999999999999999\
            999999999999899999999999999999999999999999999899899999999999999999999999\
            9999998999999999999999999999999899999987ccc577799888999898abbbccccccca",
        distance: b"4aa876554655435445455555565669",
        lengths: b"0006544323565000200",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_complete_and_short_enough() {
        let check = |lengths: &[u8], longest: u32, may_lack: bool| {
            let digits = lengths.iter().map(|&l| char::from(l).to_digit(16).expect("a digit"));
            let used: Vec<u32> = digits.filter(|&l| l > 0).collect();
            assert!(may_lack || used.len() == lengths.len(), "a symbol lacks a code");
            assert!(used.iter().all(|&l| l <= longest), "a code is too long");
            assert_eq!(used.iter().map(|l| 1 << (longest - l)).sum::<u32>(), 1 << longest);
        };
        for code in CODES {
            check(code.first, 12, false);
            check(code.distance, 12, false);
            check(code.lengths, 7, true);
        }
    }
}
