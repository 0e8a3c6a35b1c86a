//! robots.txt of all kinds (000 "robots.txt", RFC 9309): what the file says, and what it means.

use super::{Hazard, PLAIN, prose};
use crate::robots::{Agent, OPEN, PondRobots, text};
use crate::{Answer, AnswerKind, Body};

pub(crate) const GROUPS: Hazard = Hazard {
    name: "robots-groups",
    hosts: &["robots-groups.test"],
    what: "Two groups for fyke stand apart and must be merged; the group * forbids everything. A \
           good crawler fetches the hall and the open attic, neither cellar nor attic.",
    answer: |pond, ask| prose::small_host(pond, ask, "House with two rules", GROUPS_PAGES),
    links: &[("http://robots-groups.test/", "House with two rules")],
    rules: PondRobots {
        answer: |_, _| text(GROUPS_TEXT),
        forbids: |agent, path| {
            let attic = path.starts_with("/attic/") && !path.starts_with("/attic/open");
            agent == Agent::Other || path.starts_with("/cellar/") || attic
        },
        delay_ms: 0,
    },
    ..PLAIN
};

const GROUPS_PAGES: &[(&str, &str)] = &[
    ("/hall", "The hall"),
    ("/cellar/box", "A box in the cellar"),
    ("/attic/trunk", "A trunk in the attic"),
    ("/attic/open-day", "Open day in the attic"),
];

const GROUPS_TEXT: &str = "User-agent: otherbot\nDisallow: /\n\n\
    User-agent: fyke\nDisallow: /cellar/ # and what is in it\n\n\
    User-agent: *\nDisallow: /\n\n\
    User-agent: FYKE\nUser-agent: anotherbot\nDisallow: /attic/\nAllow: /attic/open\n";

pub(crate) const WILDCARDS: Hazard = Hazard {
    name: "robots-wildcards",
    hosts: &["robots-wildcards.test"],
    what: "Rules with * and $: /*.pdf$, /*/drafts/, /*?print= and /exact$. A good crawler fetches \
           only the look-alikes that no rule matches.",
    answer: |pond, ask| prose::small_host(pond, ask, "Stars and ends", WILDCARDS_PAGES),
    links: &[("http://robots-wildcards.test/", "Stars and ends")],
    rules: PondRobots {
        answer: |_, _| {
            text(
                "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*/drafts/\nDisallow: /*?print=\n\
                 Disallow: /exact$\n",
            )
        },
        forbids: |_, path| {
            let in_drafts = path.find("/drafts/").is_some_and(|at| at > 0);
            path.ends_with(".pdf") || in_drafts || path.contains("?print=") || path == "/exact"
        },
        delay_ms: 0,
    },
    ..PLAIN
};

const WILDCARDS_PAGES: &[(&str, &str)] = &[
    ("/plan.pdf", "The plan"),
    ("/plan.pdf.html", "About the plan"),
    ("/notes/drafts/one", "A draft"),
    ("/drafts/two", "Draft horses"),
    ("/letter?print=1", "The letter, to print"),
    ("/letter", "The letter"),
    ("/exact", "Exact"),
    ("/exactly", "Exactly"),
];

pub const LONGEST: Hazard = Hazard {
    name: "robots-longest",
    hosts: &["robots-longest.test"],
    what: "The longest matching rule decides, Allow wins a tie, and %C3%A9 equals its letter. A \
           good crawler fetches the open store and the tie, not the secret list or the café.",
    answer: |pond, ask| prose::small_host(pond, ask, "The longer rule", LONGEST_PAGES),
    links: &[("http://robots-longest.test/", "The longer rule")],
    rules: PondRobots {
        answer: |_, _| {
            text(
                "User-agent: *\nDisallow: /store/open/secret\nAllow: /store/open/\n\
                 Disallow: /store/\nDisallow: /tie\nAllow: /tie\nDisallow: /caf%C3%A9\n",
            )
        },
        forbids: |_, path| {
            let open = path.starts_with("/store/open/") && !path.starts_with("/store/open/secret");
            let cafe = ["/caf%c3%a9", "/café"];
            let lower = path.to_ascii_lowercase();
            (path.starts_with("/store/") && !open) || cafe.iter().any(|c| lower.starts_with(c))
        },
        delay_ms: 0,
    },
    ..PLAIN
};

const LONGEST_PAGES: &[(&str, &str)] = &[
    ("/store/closed", "Closed store"),
    ("/store/open/list", "Open list"),
    ("/store/open/secret-list", "Secret list"),
    ("/tie-break", "Tie break"),
    ("/caf%C3%A9-menu", "What the café serves"),
];

pub(crate) const DELAY: Hazard = Hazard {
    name: "robots-crawl-delay",
    hosts: &["robots-delay.test"],
    what: "Crawl-delay of one second on a host of four pages. A good crawler leaves a second \
           between any two requests here.",
    answer: |pond, ask| {
        let pages = [("/one", "One"), ("/two", "Two"), ("/three", "Three")];
        prose::small_host(pond, ask, "Slowly, please", &pages)
    },
    links: &[("http://robots-delay.test/", "Slowly, please")],
    rules: PondRobots {
        answer: |_, _| text("User-agent: *\nCrawl-delay: 1\n"),
        forbids: |_, _| false,
        delay_ms: 1000,
    },
    ..PLAIN
};

pub(crate) const ABSENT: Hazard = Hazard {
    name: "robots-404",
    hosts: &["robots-absent.test"],
    what: "robots.txt answers 404: everything may be fetched.",
    answer: |pond, ask| {
        prose::small_host(pond, ask, "No rules at all", &[("/one", "One"), ("/two", "Two")])
    },
    links: &[("http://robots-absent.test/", "No rules at all")],
    rules: PondRobots {
        answer: |_, _| Answer { kind: AnswerKind::Robots, ..Answer::missing() },
        forbids: |_, _| false,
        delay_ms: 0,
    },
    ..PLAIN
};

pub(crate) const UNAVAILABLE: Hazard = Hazard {
    name: "robots-503",
    hosts: &["robots-unavailable.test"],
    what: "robots.txt answers 503: nothing may be fetched, and a good crawler asks for no page.",
    answer: |pond, ask| prose::small_host(pond, ask, "Out of order", &[("/one", "One")]),
    links: &[("http://robots-unavailable.test/", "Out of order")],
    rules: PondRobots {
        answer: |_, _| Answer { status: 503, ..text("try again another day\n") },
        forbids: |_, _| true,
        delay_ms: 0,
    },
    ..PLAIN
};

pub const MOVED: Hazard = Hazard {
    name: "robots-redirect",
    hosts: &["robots-moved.test", "robots-rules.test"],
    what: "robots.txt redirects to a file on another host, which forbids /cellar/. A good crawler \
           follows it and applies it to the host it asked.",
    answer: |pond, ask| match (ask.host, ask.path) {
        ("robots-rules.test", "/shared.txt") => Some(text("User-agent: *\nDisallow: /cellar/\n")),
        ("robots-rules.test", _) => None,
        _ => prose::small_host(
            pond,
            ask,
            "Rules kept elsewhere",
            &[("/hall", "The hall"), ("/cellar/box", "A box in the cellar")],
        ),
    },
    links: &[("http://robots-moved.test/", "Rules kept elsewhere")],
    rules: PondRobots {
        answer: |pond, ask| {
            if ask.host == "robots-rules.test" {
                return (OPEN.answer)(pond, ask);
            }
            let location = "http://robots-rules.test/shared.txt".into();
            Answer { kind: AnswerKind::Robots, ..Answer::redirect(302, location) }
        },
        forbids: |_, path| path.starts_with("/cellar/"),
        delay_ms: 0,
    },
    ..PLAIN
};

pub const HTML: Hazard = Hazard {
    name: "robots-html",
    hosts: &["robots-html.test"],
    what: "robots.txt answers 200 with a web page, which holds no rule: everything may be fetched.",
    answer: |pond, ask| prose::small_host(pond, ask, "A page for rules", &[("/one", "One")]),
    links: &[("http://robots-html.test/", "A page for rules")],
    rules: PondRobots {
        answer: |_, _| Answer {
            kind: AnswerKind::Robots,
            ..prose::page("Welcome", "", "<p>Nothing here is meant for machines.</p>")
        },
        forbids: |_, _| false,
        delay_ms: 0,
    },
    ..PLAIN
};

pub(crate) const HUGE: Hazard = Hazard {
    name: "robots-huge",
    hosts: &["robots-huge.test"],
    what: "robots.txt of 2 MB: the rule against /early/ stands at 400 KiB and binds; whether the \
           rule against /late/ at the end is still read is the crawler's choice.",
    answer: |pond, ask| {
        let pages = [("/early/page", "Early"), ("/late/page", "Late"), ("/fair/page", "Fair")];
        prose::small_host(pond, ask, "Far too many rules", &pages)
    },
    links: &[("http://robots-huge.test/", "Far too many rules")],
    rules: PondRobots {
        answer: |_, _| huge(),
        forbids: |_, path| path.starts_with("/early/"),
        delay_ms: 0,
    },
    ..PLAIN
};

fn huge() -> Answer {
    let mut lines = String::with_capacity(2_100_000);
    lines += "User-agent: otherbot\n";
    fill(&mut lines, 400 * 1024);
    lines += "\nUser-agent: *\nDisallow: /early/\n\nUser-agent: otherbot\n";
    fill(&mut lines, 2_000_000);
    lines += "\nUser-agent: *\nDisallow: /late/\n";
    text(&lines)
}

fn fill(lines: &mut String, size: usize) {
    while lines.len() < size {
        *lines += &format!("Disallow: /filler/{}\n", lines.len());
    }
}

pub(crate) const UNTIDY: Hazard = Hazard {
    name: "robots-untidy",
    hosts: &["robots-untidy.test"],
    what: "robots.txt with a byte order mark, bare carriage returns, odd case and broken lines; it \
           forbids /cellar/ and a good crawler sees that.",
    answer: |pond, ask| {
        let pages = [("/hall", "The hall"), ("/cellar/box", "A box in the cellar")];
        prose::small_host(pond, ask, "Untidy rules", &pages)
    },
    links: &[("http://robots-untidy.test/", "Untidy rules")],
    rules: PondRobots {
        answer: |_, _| Answer { body: Body::Bytes(UNTIDY_BYTES.to_vec()), ..text("") },
        forbids: |_, path| path.starts_with("/cellar/"),
        delay_ms: 0,
    },
    ..PLAIN
};

const UNTIDY_BYTES: &[u8] = b"\xef\xbb\xbfuSER-aGENT :  *\rthis line means nothing\r\n\
    disALLOW:/cellar/\r\xff\xfe: \n";
