//! The ledger's log: its records one by one, and whole files of them with damage.

use crate::scratch;
use fyke_store::Reader;
use fyke_store::ledger::reads_back;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The payload of a record.
pub fn ledger_record(bytes: &[u8]) {
    assert_ne!(reads_back(bytes), Some(false), "written again, the record says something else");
}

const MAGIC: &[u8; 8] = b"fykelog1";

/// The first byte says how many bytes of the file are damaged; three bytes each say where and how. Then records: a
/// byte with the length, and the payload.
pub fn ledger_log(bytes: &[u8]) {
    let Some((&damaged, rest)) = bytes.split_first() else { return };
    let damaged = usize::from(damaged % 4);
    let Some((damage, mut rest)) = rest.split_at_checked(3 * damaged) else { return };
    let mut log = MAGIC.to_vec();
    while let Some((&length, behind)) = rest.split_first() {
        let (payload, behind) = behind.split_at(behind.len().min(length.into()));
        rest = behind;
        if !payload.is_empty() {
            let sum = xxh3_64_with_seed(payload, log.len() as u64) as u32;
            log.extend_from_slice(&(payload.len() as u32).to_le_bytes());
            log.extend_from_slice(&sum.to_le_bytes());
            log.extend_from_slice(payload);
        }
    }
    for place in damage.as_chunks::<3>().0 {
        let at = usize::from(u16::from_le_bytes([place[0], place[1]])) % log.len();
        log[at] ^= place[2];
    }
    read(&log, damage.is_empty());
}

/// Reads all that a reader beside a writer can ask for.
fn read(log: &[u8], is_whole: bool) {
    let settings = scratch::file("collection/fyke.toml", b"");
    scratch::file("collection/ledger/log/00000.log", log);
    let root = settings.parent().expect("it stands in a folder");
    let Ok(reader) = Reader::open(root) else { return };
    let view = reader.view();
    let ledger = &view.ledger;
    let mut found = 0;
    for row in ledger.rows().chain(ledger.queued().map(|row| row.map(|row| (row.id, row.row)))) {
        let Ok((id, _)) = row else { continue };
        found += 1;
        assert!(found <= 2 * log.len(), "rows without end");
        let known = ledger.get(id).expect("the file is there");
        if is_whole && ledger.damage().is_empty() {
            assert!(known.is_some(), "a row that is listed is found");
        }
        let _ = ledger.history(id, 9);
    }
    for host in ledger.hosts() {
        let Ok((authority, _)) = host else { continue };
        let _ = ledger.host(&authority);
        let _ = ledger.secure_robots(&authority);
    }
    let _ = (ledger.counts(), ledger.found().count());
}
