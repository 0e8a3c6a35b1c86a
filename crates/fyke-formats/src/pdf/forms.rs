//! Letters of Arabic as fonts hold them (presentation forms: alone, at the end, at the beginning, in the middle) and the
//! letters that they are.

/// First form, how many there are, and the letter or letters; one after the other in Unicode.
const FORMS: &[(u32, u32, &str)] = &[
    (0xFB50, 2, "ٱ"),
    (0xFB52, 4, "ٻ"),
    (0xFB56, 4, "پ"),
    (0xFB5A, 4, "ڀ"),
    (0xFB5E, 4, "ٺ"),
    (0xFB62, 4, "ٿ"),
    (0xFB66, 4, "ٹ"),
    (0xFB6A, 4, "ڤ"),
    (0xFB6E, 4, "ڦ"),
    (0xFB72, 4, "ڄ"),
    (0xFB76, 4, "ڃ"),
    (0xFB7A, 4, "چ"),
    (0xFB7E, 4, "ڇ"),
    (0xFB82, 2, "ڍ"),
    (0xFB84, 2, "ڌ"),
    (0xFB86, 2, "ڎ"),
    (0xFB88, 2, "ڈ"),
    (0xFB8A, 2, "ژ"),
    (0xFB8C, 2, "ڑ"),
    (0xFB8E, 4, "ک"),
    (0xFB92, 4, "گ"),
    (0xFB96, 4, "ڳ"),
    (0xFB9A, 4, "ڱ"),
    (0xFB9E, 2, "ں"),
    (0xFBA0, 4, "ڻ"),
    (0xFBA4, 2, "ۀ"),
    (0xFBA6, 4, "ہ"),
    (0xFBAA, 4, "ھ"),
    (0xFBAE, 2, "ے"),
    (0xFBB0, 2, "ۓ"),
    (0xFBFC, 4, "ی"),
    (0xFE80, 1, "ء"),
    (0xFE81, 2, "آ"),
    (0xFE83, 2, "أ"),
    (0xFE85, 2, "ؤ"),
    (0xFE87, 2, "إ"),
    (0xFE89, 4, "ئ"),
    (0xFE8D, 2, "ا"),
    (0xFE8F, 4, "ب"),
    (0xFE93, 2, "ة"),
    (0xFE95, 4, "ت"),
    (0xFE99, 4, "ث"),
    (0xFE9D, 4, "ج"),
    (0xFEA1, 4, "ح"),
    (0xFEA5, 4, "خ"),
    (0xFEA9, 2, "د"),
    (0xFEAB, 2, "ذ"),
    (0xFEAD, 2, "ر"),
    (0xFEAF, 2, "ز"),
    (0xFEB1, 4, "س"),
    (0xFEB5, 4, "ش"),
    (0xFEB9, 4, "ص"),
    (0xFEBD, 4, "ض"),
    (0xFEC1, 4, "ط"),
    (0xFEC5, 4, "ظ"),
    (0xFEC9, 4, "ع"),
    (0xFECD, 4, "غ"),
    (0xFED1, 4, "ف"),
    (0xFED5, 4, "ق"),
    (0xFED9, 4, "ك"),
    (0xFEDD, 4, "ل"),
    (0xFEE1, 4, "م"),
    (0xFEE5, 4, "ن"),
    (0xFEE9, 4, "ه"),
    (0xFEED, 2, "و"),
    (0xFEEF, 2, "ى"),
    (0xFEF1, 4, "ي"),
    (0xFEF5, 2, "لآ"),
    (0xFEF7, 2, "لأ"),
    (0xFEF9, 2, "لإ"),
    (0xFEFB, 2, "لا"),
];

/// The letter or letters that a form stands for; none for what is no form.
pub(super) fn letters(c: char) -> Option<&'static str> {
    let code = u32::from(c);
    let next = FORMS.partition_point(|row| row.0 <= code);
    let (first, count, letters) = FORMS[next.checked_sub(1)?];
    (code < first + count).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_the_letters_they_show() {
        assert!(FORMS.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0));
        let check =
            |form: char, expected: Option<&str>| assert_eq!(letters(form), expected, "{form}");
        check('\u{FE91}', Some("ب"));
        check('\u{FEFC}', Some("لا"));
        check('\u{FEFD}', None);
        check('\u{FBFE}', Some("ی"));
        check('a', None);
        check('ب', None);
    }
}
