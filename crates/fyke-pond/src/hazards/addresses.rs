//! Names and addresses: hosts that share one, names without one, and doors that are shut.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Body};

pub const SHARED: Hazard = Hazard {
    name: "shared-address",
    hosts: &["shared-a.test", "shared-b.test", "shared-c.test"],
    what: "Three hosts on one address. A good crawler that counts requests per address asks one of \
           them at a time.",
    answer: |pond, ask| {
        let pages = [("/one", "One"), ("/two", "Two"), ("/three", "Three"), ("/four", "Four")];
        prose::small_host(pond, ask, "One house, three doors", &pages)
    },
    links: &[
        ("http://shared-a.test/", "First door"),
        ("http://shared-b.test/", "Second door"),
        ("http://shared-c.test/", "Third door"),
    ],
    ..PLAIN
};

pub(crate) const UNRESOLVED: Hazard = Hazard {
    name: "unresolved-names",
    what: "Links to names that no resolver knows. A good crawler records a DNS failure for each \
           and does not ask for ever.",
    links: &[
        ("http://no-such-name.test/", "A house that was pulled down"),
        ("http://www.no-such-name.test/page", "A room in it"),
    ],
    ..PLAIN
};

pub const REFUSED: Hazard = Hazard {
    name: "refused-connection",
    hosts: &["refused.test"],
    what: "A name whose address refuses connections. A good crawler records the failure and backs \
           off; the judge never sees it.",
    links: &[("http://refused.test/", "A door that is locked")],
    ..PLAIN
};

pub(crate) const CLOSES: Hazard = Hazard {
    name: "closed-connection",
    hosts: &["closes.test"],
    what: "/slam closes the connection instead of an answer, /half in the middle of its headers, \
           /babble sends what is no HTTP. A good crawler records three failures and goes on.",
    answer: |pond, ask| {
        let raw: &[u8] = match ask.path {
            "/slam" => b"",
            "/half" => b"HTTP/1.1 200 OK\r\ncontent-type: text/ht",
            "/babble" => b"good morning, what can I do for you?\r\n\r\n",
            _ => {
                let pages = [("/slam", "Slam"), ("/half", "Half"), ("/babble", "Babble")];
                return prose::small_host(pond, ask, "A door that slams", &pages);
            }
        };
        Some(Answer { body: Body::Raw(raw.to_vec()), kind: AnswerKind::Other, ..Answer::missing() })
    },
    links: &[("http://closes.test/", "A door that slams")],
    ..PLAIN
};
