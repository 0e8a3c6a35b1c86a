//! Pages that were asked for, on disk: a line of JSON each, so that a study that goes on asks for none twice. A
//! line that was cut by a kill is passed over, and its page asked for again.

use super::SizedPage;
use fyke_store::StoreError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of the file that are read.
const MOST_BYTES: u64 = 1 << 30;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptPage {
    key: String,
    /// Empty where there was no page.
    url: String,
    words: String,
    links: Vec<String>,
    has_meta: bool,
    has_dublin_core: bool,
}

/// The pages that are known.
#[derive(Debug)]
pub(super) struct KeptPages {
    path: PathBuf,
    file: File,
    known: HashMap<String, KeptPage>,
}

impl KeptPages {
    pub(super) fn open(path: &Path) -> Result<KeptPages, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let file = OpenOptions::new().create(true).append(true).read(true).open(path);
        let mut file = file.map_err(failed)?;
        let (mut known, mut is_whole) = (HashMap::new(), true);
        for line in BufReader::new((&file).take(MOST_BYTES)).split(b'\n') {
            let page = serde_json::from_slice::<KeptPage>(&line.map_err(failed)?);
            is_whole = page.is_ok();
            if let Ok(page) = page {
                known.insert(page.key.clone(), page);
            }
        }
        if !is_whole {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(KeptPages { path: path.to_owned(), file, known })
    }

    /// What came of a page before; none when it was never asked for.
    pub(super) fn get(&self, key: &str) -> Option<Option<SizedPage>> {
        let kept = self.known.get(key)?;
        Some((!kept.url.is_empty()).then(|| SizedPage {
            url: kept.url.clone(),
            words: kept.words.split(' ').map(str::to_owned).collect(),
            sketch: fyke_text::sketch(&kept.words),
            links: kept.links.clone(),
            has_meta: kept.has_meta,
            has_dublin_core: kept.has_dublin_core,
        }))
    }

    pub(super) fn keep(&mut self, key: &str, page: Option<&SizedPage>) -> Result<(), StoreError> {
        let failed = |error| StoreError::io(&self.path, error);
        let kept = KeptPage {
            key: key.to_owned(),
            url: page.map(|page| page.url.clone()).unwrap_or_default(),
            words: page.map(|page| page.words.join(" ")).unwrap_or_default(),
            links: page.map(|page| page.links.clone()).unwrap_or_default(),
            has_meta: page.is_some_and(|page| page.has_meta),
            has_dublin_core: page.is_some_and(|page| page.has_dublin_core),
        };
        let mut line = serde_json::to_vec(&kept).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(failed)?;
        self.known.insert(kept.key.clone(), kept);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_known_again_also_that_there_is_none_and_a_cut_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.jsonl");
        let words = ["tide", "mill"].map(str::to_owned).to_vec();
        let sketch = fyke_text::sketch("tide mill");
        let links = vec!["http://a.test/2".to_owned()];
        let url = "http://a.test/1".to_owned();
        let page = SizedPage { url, words, sketch, links, has_meta: true, has_dublin_core: false };
        let mut kept = KeptPages::open(&path).unwrap();
        kept.keep("one", Some(&page)).unwrap();
        kept.keep("none", None).unwrap();
        kept.keep("cut", Some(&page)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let kept = KeptPages::open(&path).unwrap();
        assert_eq!(kept.get("one"), Some(Some(page)));
        assert_eq!(kept.get("none"), Some(None));
        assert_eq!(kept.get("cut"), None);
    }
}
