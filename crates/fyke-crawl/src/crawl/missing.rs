//! Made-up paths: what a host says of pages that it does not have. Once a host has given a few pages, it is asked for
//! two that nobody can have written, behind its gap and by its robots.txt like any other; the answers are captures, and
//! never documents. What they are good for is in `fyke_derive::whole::soft404`.

use fyke_web::Url;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Pages that a host must have given.
pub(super) const LEAST_PAGES: u64 = 5;
/// What stands in the row of a made-up path that was answered as if it were a page.
pub(super) const ANSWERED: &str =
    "a made-up path: this is what the host says of pages it does not have";

/// The made-up paths of a host: always the same, so that no run asks twice.
pub(super) fn made_up(home: &Url) -> Vec<Url> {
    let word = |seed| xxh3_64_with_seed(home.authority().as_bytes(), seed);
    let paths = [format!("/{:016x}", word(1)), format!("/{:016x}.html", word(2))];
    paths.iter().filter_map(|path| home.at(path).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_paths_are_the_same_each_time_and_others_on_another_host() {
        let of = |home: &str| made_up(&Url::parse(home).expect("a URL"));
        assert_eq!(of("http://a.test/"), of("http://a.test/"));
        let (a, b) = (of("http://a.test/"), of("http://b.test/"));
        assert_eq!((a.len(), b.len()), (2, 2));
        assert!(a.iter().zip(&b).all(|(a, b)| a.path() != b.path()), "{a:?} {b:?}");
    }
}
