//! Reading the log: searches with their clicks. A line that is cut off or not ours is skipped
//! and counted.

use super::{LoggedSearch, SearchRecord, folder, log, recent};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The longest line that is read.
const LONGEST: u64 = 1 << 20;

/// The whole log.
#[derive(Clone, Debug, Default)]
pub struct Logged {
    /// In the order they were made.
    pub searches: Vec<Searched>,
    /// Lines that say nothing.
    pub unreadable: u64,
}

/// A search with all its pages, and the ranks that were clicked.
#[derive(Clone, Debug)]
pub struct Searched {
    pub search: LoggedSearch,
    /// From 1; each once.
    pub clicks: BTreeSet<usize>,
}

/// The log of the collection at `root`; empty where there is none.
///
/// # Errors
/// When a file of it cannot be read.
pub fn read(root: &Path) -> io::Result<Logged> {
    let mut logged = Logged::default();
    let mut places = HashMap::new();
    for path in log::files(&folder(root))? {
        for record in records(&path)? {
            logged.take(&mut places, record?);
        }
    }
    Ok(logged)
}

impl Logged {
    fn take(&mut self, places: &mut HashMap<u64, usize>, record: Option<SearchRecord>) {
        match record {
            Some(SearchRecord::Search(search)) => match places.get(&search.id) {
                Some(&place) => self.searches[place].search.shown.extend(search.shown),
                None => {
                    places.insert(search.id, self.searches.len());
                    self.searches.push(Searched { search, clicks: BTreeSet::new() });
                }
            },
            Some(SearchRecord::Click(click)) => {
                // A click outlives its search when the day of the search has been deleted.
                if let Some(&place) = places.get(&click.id) {
                    self.searches[place].clicks.insert(click.rank);
                }
            }
            None => self.unreadable += 1,
        }
    }
}

/// The latest searches, as many as are remembered, the oldest first. What cannot be read is left
/// out: links of old pages are a courtesy.
pub(crate) fn last(root: &Path) -> Vec<LoggedSearch> {
    let mut days = VecDeque::new();
    let mut size = 0;
    for path in log::files(&folder(root)).unwrap_or_default().iter().rev() {
        let Ok(records) = records(path) else { continue };
        let search = |record: Option<SearchRecord>| match record {
            Some(SearchRecord::Search(search)) => Some(search),
            _ => None,
        };
        let day: Vec<LoggedSearch> = records.map_while(Result::ok).filter_map(search).collect();
        size += day.iter().map(|page| page.shown.len() + 1).sum::<usize>();
        days.push_front(day);
        if size >= recent::MOST {
            break;
        }
    }
    days.into_iter().flatten().collect()
}

/// The lines of a file that hold anything; none for one that cannot be understood.
fn records(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Option<SearchRecord>>>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    Ok(std::iter::from_fn(move || {
        loop {
            line.clear();
            match io::Read::take(&mut file, LONGEST).read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) if line == b"\n" => {}
                Ok(_) => return Some(Ok(serde_json::from_slice(&line).ok())),
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::super::{SearchFindings, mine};
    use super::*;
    use proptest::prelude::*;

    fn write(lines: impl AsRef<[u8]>) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder(root.path())).unwrap();
        std::fs::write(folder(root.path()).join("2026-11-16.jsonl"), lines).unwrap();
        root
    }

    const LINES: &str = r#"
{"kind":"search","id":"00000000000000aa","time":"2026-11-16T06:03Z","query":"eels","start":0,"total":3,"shown":[{"document":"0000000000000001","url":"http://a.test/1","team":"A","ranks":[1,2]}],"experiment":{"method":"team-draft","a":"standard","b":"flat"}}
{"kind":"click","id":"00000000000000aa","time":"2026-11-16T06:04Z","rank":1}
{"kind":"click","id":"00000000000000ab","time":"2026-11-16T06:04Z","rank":1}
{"kind":"search","id":"00000000000000aa","time":"2026-11-16T06:04Z","query":"eels","start":1,"total":3,"shown":[{"document":"0000000000000002","url":"http://a.test/2"}]}
{"kind":"click","id":"00000000000000aa","time":"2026-11-16T06:04Z","rank":1}
not ours
{"kind":"search","id":"00000000000000ac","time":"2026-11-16T06:05Z","query":"pike","start":0,"total":0,"shown":[]}
{"kind":"click","id":"00000000000000aa","ti"#;

    #[test]
    fn pages_and_clicks_are_put_together_and_a_torn_end_is_no_trouble() {
        let root = write(LINES);
        let logged = read(root.path()).unwrap();
        let found: Vec<_> = logged
            .searches
            .iter()
            .map(|s| (s.search.query.as_str(), s.search.shown.len(), s.clicks.len()))
            .collect();
        assert_eq!(found, [("eels", 2, 1), ("pike", 0, 0)]);
        assert_eq!(logged.unreadable, 2);
        assert_eq!(last(root.path()).len(), 3);
    }

    #[test]
    fn no_log_is_an_empty_one() {
        let root = tempfile::tempdir().unwrap();
        assert!(read(root.path()).unwrap().searches.is_empty());
        assert!(last(root.path()).is_empty());
    }

    #[test]
    fn lines_read_back_as_they_were_written() {
        for line in LINES.lines().filter(|line| line.ends_with('}')) {
            let record: SearchRecord = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_after_any_cut_are_read_and_counted(
            cut in 0..LINES.len(), bytes in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let root = write([&LINES.as_bytes()[..cut], &bytes].concat());
            let logged = read(root.path()).unwrap();
            prop_assert!(logged.searches.len() <= 2);
            let counted: u64 = mine(&logged.searches, 0).iter().map(|row| row.searches).sum();
            let found = SearchFindings::of(&logged.searches);
            prop_assert_eq!(counted, found.traffic.searches);
            prop_assert!(last(root.path()).len() <= 3);
        }
    }
}
