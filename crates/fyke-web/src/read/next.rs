//! Links to the next page of a list, by what is said of them (`rel=next`, "next") or by their URLs: the same but for
//! a number, which is one more. How many pages a list has says nothing of how far away its last one is.

use crate::Url;

/// What a link to the next page is called, in lower case.
const WORDS: &[&str] = &[
    "next",
    "next page",
    "next »",
    "next ›",
    "next >",
    "next →",
    "older posts",
    "older entries",
    "older",
    "more",
    "»",
    "›",
    "→",
    ">",
    ">>",
    "weiter",
    "nächste seite",
    "suivant",
    "page suivante",
    "siguiente",
    "seguente",
    "successivo",
    "próxima",
    "следующая",
    "далее",
    "次へ",
    "下一页",
    "naslednja",
];
/// The longest of them, and white space around it.
const LONGEST_WORD: usize = 40;

/// Whether this is all that a link to the next page is called.
pub(super) fn is_next_word(text: &str) -> bool {
    let text = text.trim_ascii_start();
    if !text.bytes().next().is_some_and(|first| BEGINS[usize::from(first)]) {
        return false;
    }
    let text = text.trim();
    if !(1..=LONGEST_WORD).contains(&text.len()) {
        return false;
    }
    match text.is_ascii() {
        true => WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)),
        false => WORDS.contains(&text.to_lowercase().as_str()),
    }
}

/// Whether one of them may begin with this byte, in either case: nearly all links begin with another.
const BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut at = 0;
    while at < WORDS.len() {
        let first = WORDS[at].as_bytes()[0];
        begins[first as usize] = true;
        begins[first.to_ascii_uppercase() as usize] = true;
        at += 1;
    }
    // What is not ASCII may be another letter in lower case.
    let mut byte = 0x80;
    while byte < 256 {
        begins[byte] = true;
        byte += 1;
    }
    begins
};

/// Names of a page's number in a URL.
const NUMBERED: &[&str] = &["page", "p", "pg", "paged", "pagina", "seite", "start-page", "pn"];

/// Whether a URL is that of a page with the next number.
pub(super) fn is_successor(from: &Url, to: &Url) -> bool {
    from.authority() == to.authority()
        && follows(from.path_and_query().as_bytes(), to.path_and_query().as_bytes())
}

fn follows(from: &[u8], to: &[u8]) -> bool {
    let same = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    // A number may begin with digits that both have.
    let digits = from[..same].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = number(&from[same - digits..]);
    let (next, next_rest) = self::number(&to[same - digits..]);
    match (number, next) {
        (Some(number), Some(next)) => rest == next_rest && number.checked_add(1) == Some(next),
        // The first page of a list has no number most often.
        _ => same == from.len() && is_second(&to[same..]),
    }
}

/// The number at the start, if there is one that can be counted on, and what comes after it.
fn number(text: &[u8]) -> (Option<u64>, &[u8]) {
    let (digits, rest) = text.split_at(text.iter().take_while(|b| b.is_ascii_digit()).count());
    let add = |sum: u64, digit: &u8| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
    let number = digits.iter().try_fold(0, add).filter(|_| !digits.is_empty());
    (number, rest)
}

/// Whether what is added to a URL names the second page: "?page=2", "/page/2/", "page2".
fn is_second(added: &[u8]) -> bool {
    let Ok(added) = std::str::from_utf8(added) else { return false };
    let Some(name) = added.trim_end_matches('/').strip_suffix('2') else { return false };
    let name = name.trim_start_matches(['?', '&', '/']).trim_end_matches(['=', '/', '-', '_']);
    NUMBERED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_are_known_by_their_numbers() {
        let check = |from: &str, to: &str, expected: bool| {
            let url = |path: &str| Url::parse(&format!("http://a.test{path}")).expect("a URL");
            assert_eq!(is_successor(&url(from), &url(to)), expected, "{from} {to}");
        };
        check("/list?page=3", "/list?page=4", true);
        check("/list?page=9&sort=a", "/list?page=10&sort=a", true);
        check("/list?page=199", "/list?page=200", true);
        check("/blog/page/2/", "/blog/page/3/", true);
        check("/t/topic-7.html", "/t/topic-8.html", true);
        for second in ["/list?page=2", "/list/page/2", "/list/page/2/", "/list/p2"] {
            check("/list", second, true);
        }
        check("/list?q=eels", "/list?q=eels&page=2", true);
        check("/list?page=3", "/list?page=5", false);
        check("/list?page=3", "/list?page=2", false);
        check("/list?page=3", "/other?page=4", false);
        check("/list?page=3", "/list?page=4&sort=a", false);
        check("/list", "/list/2", false);
        check("/list", "/list?year=2", false);
        check("/1/2", "/2/3", false);
        check("/list?page=99999999999999999999", "/list?page=100000000000000000000", false);
        check("/list", "/list", false);
        let [a, b] =
            ["http://a.test/p1", "http://b.test/p2"].map(|url| Url::parse(url).expect("a URL"));
        assert!(!is_successor(&a, &b));
    }

    #[test]
    fn only_what_says_no_more_than_next_is_a_next_word() {
        for word in ["next", " Next\n", "Next »", "»", "Older posts", "Suivant", "下一页"] {
            assert!(is_next_word(word), "{word}");
        }
        for word in ["", "next year's plans", "what comes next", "nextdoor", "2"] {
            assert!(!is_next_word(word), "{word}");
        }
        assert!(WORDS.iter().all(|word| is_next_word(word) && is_next_word(&word.to_uppercase())));
        assert!(
            WORDS.iter().all(|word| word.to_lowercase() == **word && word.len() <= LONGEST_WORD)
        );
    }
}
