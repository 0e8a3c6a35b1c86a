//! Deriving of captures on all cores, as many as memory allows: a small one may unpack to a large page.

use fyke_derive::{Derived, derive_noted};
use fyke_store::Collection;
use fyke_web::Capture;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Derives the first of the captures, at least one, until that takes about so many bytes; the answers keep
/// their order.
pub(super) fn derive_some(
    collection: &Collection,
    captures: &[Capture],
    most_bytes: usize,
) -> Vec<Derived> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let left = Mutex::new(captures.iter().enumerate());
    let bytes = AtomicUsize::new(0);
    let next = || {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        // Looked at under the lock, so that what is derived is a beginning without gaps.
        if bytes.load(Ordering::Relaxed) < most_bytes { left.next() } else { None }
    };
    let rules = collection.extract_rules();
    let work = || {
        let (mut all, reading) = (Vec::new(), collection.underway.place());
        while let Some((place, capture)) = next() {
            let derived = derive_noted(&reading, capture, &rules);
            bytes.fetch_add(weight(&derived), Ordering::Relaxed);
            all.push((place, derived));
        }
        all
    };
    let mut all: Vec<(usize, Derived)> = std::thread::scope(|scope| {
        let tasks: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |task: std::thread::ScopedJoinHandle<'_, Vec<(usize, Derived)>>| {
            task.join().expect("deriving catches every panic")
        };
        tasks.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, derived)| derived).collect()
}

/// About the bytes it takes: the text stands in the page and in the document.
fn weight(derived: &Derived) -> usize {
    let text = derived.document.as_ref().map_or(0, |document| document.text.len());
    2 * text + derived.links.iter().map(|link| link.anchor.len()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::Url;

    fn page(number: usize, words: usize) -> Capture {
        let url = Url::parse(&format!("http://a.test/{number}")).unwrap();
        let payload = "eel ".repeat(words).into_bytes();
        let headers = vec![("Content-Type".to_owned(), "text/plain".to_owned())];
        Capture { url, time: 0, status: 200, headers, payload, truncated: None }
    }

    #[test]
    fn large_pages_are_derived_a_few_at_a_time_and_small_ones_together() {
        let small: Vec<Capture> = (0..50).map(|number| page(number, 20)).collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("fyke.toml"), "").unwrap();
        let collection = Collection::open(folder.path()).unwrap();
        let derived = derive_some(&collection, &small, 1 << 20);
        let urls = |derived: &[Derived]| -> Vec<String> {
            let document = |one: &Derived| one.document.as_ref().unwrap().url.clone();
            derived.iter().map(document).collect()
        };
        let expected: Vec<_> = small.iter().map(|page| page.url.as_str().to_owned()).collect();
        assert_eq!(urls(&derived), expected);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let large: Vec<Capture> = (0..threads + 8).map(|number| page(number, 100_000)).collect();
        let derived = derive_some(&collection, &large, 2 << 20);
        assert!((3..3 + threads).contains(&derived.len()), "{}", derived.len());
        assert_eq!(urls(&derived), expected[..derived.len()]);
    }
}
