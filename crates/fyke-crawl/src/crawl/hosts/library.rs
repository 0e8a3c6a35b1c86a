//! The robots.txt files that are kept ready, in a bounded room: files with the same text once, and what finds
//! no room is read from the ledger again when its host's turn comes.

use crate::options::AGENT;
use fyke_web::Robots;
use std::collections::HashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of all of one thread's files.
const MOST_BYTES: usize = 32 << 20;

/// Files by the hash of their text.
#[derive(Debug, Default)]
pub(super) struct Library {
    files: HashMap<u64, LibraryFile>,
    bytes: usize,
}

#[derive(Debug)]
struct LibraryFile {
    robots: Arc<Robots>,
    /// Somebody wanted it since the room was last cleared.
    is_used: bool,
}

impl Library {
    /// Takes in a file; gives what it is found by.
    pub(super) fn take_in(&mut self, text: &[u8]) -> (u64, Arc<Robots>) {
        let key = xxh3_64(text);
        if let Some(robots) = self.get(key) {
            return (key, robots);
        }
        let robots = Arc::new(Robots::parse(text, AGENT));
        self.bytes += robots.size();
        self.files.insert(key, LibraryFile { robots: Arc::clone(&robots), is_used: false });
        if self.bytes > MOST_BYTES {
            self.clear(key);
        }
        (key, robots)
    }

    pub(super) fn get(&mut self, key: u64) -> Option<Arc<Robots>> {
        let file = self.files.get_mut(&key)?;
        file.is_used = true;
        Some(Arc::clone(&file.robots))
    }

    /// Makes room: what nobody wanted since the last time goes, and where that is not enough, all but one.
    fn clear(&mut self, newest: u64) {
        self.files.retain(|key, file| std::mem::take(&mut file.is_used) || *key == newest);
        self.count();
        if self.bytes > MOST_BYTES / 2 {
            self.files.retain(|key, _| *key == newest);
            self.count();
        }
    }

    fn count(&mut self) {
        self.bytes = self.files.values().map(|file| file.robots.size()).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of so many rules, which differs from others by its number.
    fn text(number: usize, rules: usize) -> String {
        let rule = |n| format!("Disallow: /{number}/{n}\n");
        format!("User-agent: *\n{}", (0..rules).map(rule).collect::<String>())
    }

    #[test]
    fn files_find_room_again_and_again_and_those_in_use_stay() {
        let mut library = Library::default();
        let (wanted, _) = library.take_in(text(0, 10).as_bytes());
        let mut kept = 0;
        for number in 1..200 {
            let (key, robots) = library.take_in(text(number, 2000).as_bytes());
            assert!(!robots.check(&format!("/{number}/7")).allowed);
            assert!(library.get(key).is_some(), "the newest is always there");
            assert!(library.bytes <= MOST_BYTES);
            kept += usize::from(library.get(wanted).is_some());
        }
        assert!(kept > 100, "what is asked for all the time is seldom cleared: {kept}");
        assert!(library.files.len() < 190, "the room is bounded");
        let before = library.bytes;
        library.take_in(text(199, 2000).as_bytes());
        assert_eq!(library.bytes, before, "the same text takes room once");
    }
}
