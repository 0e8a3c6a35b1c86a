//! The suffix-s stemmer (003 §4.3.4): any word that ends in s is taken for a plural. It misses
//! `centuries` and finds `I` in `is`, as the textbook says.

use std::borrow::Cow;

pub(super) fn stem(word: &str) -> Cow<'_, str> {
    Cow::Borrowed(word.strip_suffix('s').filter(|stem| !stem.is_empty()).unwrap_or(word))
}
