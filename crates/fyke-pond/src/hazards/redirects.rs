//! Redirects: short and long chains, loops, and redirects into private networks.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Ask, Pond};

/// Browsers give up after twenty; what comes later only a careless crawler asks for.
const PATIENT_HOPS: u32 = 20;
const CHAIN: u32 = 30;

pub(crate) const CHAINS: Hazard = Hazard {
    name: "redirects",
    hosts: &["redirects.test"],
    what: "A chain of three hops that leads to a page, a chain of thirty, a loop of two and a page \
           that redirects to itself. A good crawler arrives by the first, gives up the second \
           within twenty hops (later ones are trap fetches), and asks for no URL twice.",
    answer: chains,
    links: &[("http://redirects.test/", "Moved, and moved again")],
    ..PLAIN
};

fn chains(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let starts = [
        ("/hop/1", "Three hops"),
        ("/chain/1", "Thirty hops"),
        ("/loop/a", "Round and round"),
        ("/self", "Itself"),
    ];
    if let Some(nth) = number(ask.path, "/hop/") {
        let to = if nth < 3 { format!("/hop/{}", nth + 1) } else { "/landed".into() };
        let status = [301, 302, 307][nth as usize % 3];
        return (nth <= 3).then(|| Answer::redirect(status, to));
    }
    if let Some(nth) = number(ask.path, "/chain/") {
        let to = if nth < CHAIN { format!("/chain/{}", nth + 1) } else { "/chained".into() };
        let kind = if nth > PATIENT_HOPS { AnswerKind::Trap } else { AnswerKind::Other };
        return (nth <= CHAIN).then(|| Answer { kind, ..Answer::redirect(302, to) });
    }
    match ask.path {
        "/" => Some(prose::article(pond, ask, "Moved, and moved again", &prose::list(starts))),
        "/landed" => Some(prose::article(pond, ask, "Landed after three hops", "")),
        "/chained" => {
            let page = prose::article(pond, ask, "Landed after thirty hops", "");
            Some(Answer { kind: AnswerKind::Trap, ..page })
        }
        "/loop/a" => Some(Answer::redirect(302, "/loop/b".into())),
        "/loop/b" => Some(Answer::redirect(302, "http://redirects.test/loop/a".into())),
        "/self" => Some(Answer::redirect(301, "/self".into())),
        _ => None,
    }
}

fn number(path: &str, prefix: &str) -> Option<u32> {
    path.strip_prefix(prefix)?.parse().ok().filter(|&n| n > 0)
}

pub(crate) const PRIVATE: Hazard = Hazard {
    name: "private-redirect",
    hosts: &["inward.test"],
    what: "Redirects to addresses of private networks and of the machine itself. A good crawler \
           records them and asks none of those addresses.",
    answer: |pond, ask| {
        let to = match ask.path {
            "/metadata" => "http://169.254.169.254/latest/",
            "/inside" => "http://10.0.0.1/",
            "/itself" => "http://127.0.0.1/",
            "/six" => "http://[::1]/",
            "/decimal" => "http://2130706433/",
            _ => {
                let pages = [
                    ("/metadata", "Metadata"),
                    ("/inside", "Inside"),
                    ("/itself", "Itself"),
                    ("/six", "Six"),
                    ("/decimal", "Decimal"),
                ];
                return prose::small_host(pond, ask, "Doors that lead inward", &pages);
            }
        };
        Some(Answer::redirect(302, to.into()))
    },
    links: &[("http://inward.test/", "Doors that lead inward")],
    ..PLAIN
};
