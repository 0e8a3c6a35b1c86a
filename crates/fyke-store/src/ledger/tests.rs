//! The ledger from inside: what its sieves note.

use super::*;

#[test]
fn sieves_of_other_marks_are_made_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let refused = [Reason::Nofollow, Reason::ScopeDepth, Reason::ScopeSubject];
    {
        let ledger = Ledger::open(dir.path()).expect("a ledger");
        for (n, reason) in refused.into_iter().enumerate() {
            let (id, row) = (UrlId(n as u64), Row::new("http://a.test/", reason, 0));
            let position = ledger.find(id, &row).expect("written").expect("new");
            ledger.urls.set(id.0, record::plain(position).0);
        }
        let pending = ledger.close(|| Spot::START, true).expect("closed").expect("a commit");
        // As sieves noted it when positions had other marks.
        let old = ledger.covered.load(Ordering::Relaxed).to_le_bytes().to_vec();
        [&ledger.hosts, &ledger.urls].iter().for_each(|sieve| sieve.freeze(old.clone()));
        ledger.commit(&pending).expect("on disk");
        ledger.settle().expect("on disk");
    }
    let ledger = Ledger::open(dir.path()).expect("a ledger");
    for (n, reason) in refused.into_iter().enumerate() {
        let known = ledger.known(UrlId(n as u64)).expect("read");
        assert_eq!(known, Known::under(reason), "{}", reason.name());
    }
}

#[test]
fn a_record_that_names_a_place_behind_the_log_is_damage_and_the_rest_stands() {
    let dir = tempfile::tempdir().expect("a folder");
    let ledger = Ledger::open(dir.path()).expect("a ledger");
    let row = Row::new("http://a.test/", Reason::Queued, 0);
    for (id, origin) in [(1, Position(5 << 32 | 99)), (2, Position(u64::MAX))] {
        let record = record::state(UrlId(id), &row, origin, origin);
        let position = ledger.log.append(&record).expect("appended");
        ledger.urls.set(id, record::of_state(position).0);
        assert_eq!(ledger.get(UrlId(id)).expect("the rest can be read"), None);
    }
    ledger.find(UrlId(3), &row).expect("written").expect("new");
    let rows: Vec<_> = ledger.rows().map(|row| row.expect("the rest can be read").0).collect();
    assert_eq!(rows, [UrlId(3)]);
    assert_eq!(ledger.damage().len(), 2, "{:?}", ledger.damage());
}
