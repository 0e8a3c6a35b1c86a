//! Code pages and character sets of RTF by number.

use encoding_rs::*;

/// The encoding of a code page; the one of Western Windows where it is not known.
pub(super) fn of_number(code_page: i32) -> &'static Encoding {
    match code_page {
        866 => IBM866,
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10000 => MACINTOSH,
        10007 => X_MAC_CYRILLIC,
        65001 => UTF_8,
        _ => WINDOWS_1252,
    }
}

/// The encoding of a font's character set; none when it is the document's.
pub(super) fn of_charset(charset: i32) -> Option<&'static Encoding> {
    Some(of_number(match charset {
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    }))
}
