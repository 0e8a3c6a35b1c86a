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
        let pending = ledger.close(|| (0, 0), true).expect("closed").expect("a commit");
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
