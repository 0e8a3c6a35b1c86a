//! What was learned of hosts, between the passes of a run and between runs. Of a run that has ended only hosts
//! with something against them are kept; a file that cannot be read is as good as none.

use super::HostEvidence;
use crate::control::lock;
use fyke_store::StoreError;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// The first line of the file.
const HEAD: &[u8] = b"fyke evidence 2\n";
const NAME: &str = "ledger/evidence";

/// What is known of hosts that no thread has met in this pass, by authority.
#[derive(Debug, Default)]
pub(in crate::crawl) struct EvidenceNote {
    hosts: Mutex<BTreeMap<String, HostEvidence>>,
}

impl EvidenceNote {
    /// What an earlier run left in the collection's folder.
    pub(in crate::crawl) fn open(root: &Path) -> EvidenceNote {
        let hosts = fs::read(root.join(NAME)).ok().and_then(|bytes| read(&bytes));
        EvidenceNote { hosts: Mutex::new(hosts.unwrap_or_default()) }
    }

    pub(super) fn take(&self, authority: &str) -> Option<HostEvidence> {
        lock(&self.hosts).remove(authority)
    }

    pub(super) fn put(&self, authority: String, known: HostEvidence) {
        lock(&self.hosts).insert(authority, known);
    }
}

/// Writes what speaks against URLs of hosts, for the next run.
pub(in crate::crawl) fn keep_evidence(root: &Path, note: &EvidenceNote) -> Result<(), StoreError> {
    let (path, new) = (root.join(NAME), root.join("ledger/evidence.new"));
    let hosts = lock(&note.hosts);
    let kept = hosts.iter().filter(|(_, known)| known.is_suspicious());
    let kept: BTreeMap<&String, &HostEvidence> = kept.collect();
    if kept.is_empty() && !path.exists() {
        return Ok(());
    }
    let body = postcard::to_stdvec(&kept).expect("plain values always encode");
    let checksum = xxh3_64(&body).to_le_bytes();
    fs::write(&new, [HEAD, &checksum, &body].concat())
        .and_then(|()| fs::rename(&new, &path))
        .map_err(|error| StoreError::io(&path, error))
}

fn read(bytes: &[u8]) -> Option<BTreeMap<String, HostEvidence>> {
    let (checksum, body) = bytes.strip_prefix(HEAD)?.split_first_chunk::<8>()?;
    let is_whole = xxh3_64(body).to_le_bytes() == *checksum;
    postcard::from_bytes(body).ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::evidence::PageYield;
    use fyke_web::Url;

    #[test]
    fn what_speaks_against_urls_is_kept_and_damage_is_forgotten() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("ledger")).expect("a folder");
        let note = EvidenceNote::open(dir.path());
        let url = |n: u32| Url::parse(&format!("http://a.test/{n}")).expect("a URL");
        let mut known = HostEvidence::default();
        let brought = |n| PageYield { is_news: n == 0, successors: 0 };
        (0..9).for_each(|n| known.note_shapes(&url(n), false, brought(n)));
        note.put("a.test".to_owned(), known);
        note.put("b.test".to_owned(), HostEvidence::default());
        keep_evidence(dir.path(), &note).expect("a disk");
        let again = EvidenceNote::open(dir.path());
        assert!(again.take("a.test").is_some_and(|known| known.is_suspicious()));
        assert!(again.take("b.test").is_none(), "nothing speaks against it");
        let path = dir.path().join(NAME);
        let mut bytes = fs::read(&path).expect("a file");
        for at in [0, 20, bytes.len() - 1] {
            bytes[at] ^= 1;
            fs::write(&path, &bytes).expect("a disk");
            assert!(EvidenceNote::open(dir.path()).take("a.test").is_none());
            bytes[at] ^= 1;
        }
    }
}
