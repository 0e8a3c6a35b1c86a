//! Pages that ask not to be kept or not to have their links followed: meta robots, X-Robots-Tag
//! and rel=nofollow.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, Ask, Pond};

pub const META: Hazard = Hazard {
    name: "meta-robots",
    hosts: &["meta.test"],
    what: "Pages with meta robots noindex, nofollow, none, and one that addresses another robot. A \
           good crawler keeps /kept, /otherbot and what /noindex links to, and fetches nothing \
           under /beyond/ (nofollow fetches).",
    answer: |pond, ask| {
        let tag =
            |name: &str, content: &str| format!("<meta name=\"{name}\" content=\"{content}\">");
        let (head, link) = match ask.path {
            "/noindex" => (tag("robots", "noindex"), "/after-noindex"),
            "/nofollow" => (tag("ROBOTS", "NoFollow"), "/beyond/nofollow"),
            "/none" => (tag("robots", "none"), "/beyond/none"),
            "/fyke" => (tag("fyke", "noindex, nofollow"), "/beyond/fyke"),
            "/otherbot" => (tag("otherbot", "noindex,nofollow"), "/after-otherbot"),
            _ => return outside(pond, ask, "Pages with wishes"),
        };
        Some(wishing(pond, ask, &head, link))
    },
    links: &[("http://meta.test/", "Pages with wishes")],
    nofollow: |path| path.starts_with("/beyond/"),
    ..PLAIN
};

pub const HEADER: Hazard = Hazard {
    name: "x-robots-tag",
    hosts: &["x-robots.test"],
    what: "The same wishes as X-Robots-Tag headers, some for one robot only. A good crawler keeps \
           /kept, /otherbot and what /noindex links to, and fetches nothing under /beyond/.",
    answer: |pond, ask| {
        let (value, link) = match ask.path {
            "/noindex" => ("noindex", "/after-noindex"),
            "/nofollow" => ("nofollow, noarchive", "/beyond/nofollow"),
            "/none" => ("none", "/beyond/none"),
            "/fyke" => ("fyke: noindex, nofollow", "/beyond/fyke"),
            "/otherbot" => ("otherbot: noindex, nofollow", "/after-otherbot"),
            _ => return outside(pond, ask, "Headers with wishes"),
        };
        let mut answer = wishing(pond, ask, "", link);
        answer.headers.push(("x-robots-tag", value.into()));
        Some(answer)
    },
    links: &[("http://x-robots.test/", "Headers with wishes")],
    nofollow: |path| path.starts_with("/beyond/"),
    ..PLAIN
};

fn wishing(pond: &Pond, ask: &Ask, head: &str, link: &str) -> Answer {
    let text = prose::text(pond, &format!("{}{}", ask.host, ask.path), 10);
    let main = format!("<p>{text}</p>\n{}", prose::list([(link, "Further on")]));
    prose::page("A page with a wish", head, &main)
}

/// The pages without a wish.
fn outside(pond: &Pond, ask: &Ask, title: &str) -> Option<Answer> {
    let linked = [
        ("/kept", "Kept"),
        ("/noindex", "Not to be kept"),
        ("/nofollow", "Not to be followed"),
        ("/none", "Neither"),
        ("/fyke", "Neither, for one robot"),
        ("/otherbot", "For another robot"),
    ];
    let found = ["/kept", "/after-noindex", "/after-otherbot"].contains(&ask.path);
    if found || ask.path.starts_with("/beyond/") {
        return Some(prose::article(pond, ask, "A page without a wish", ""));
    }
    (ask.path == "/").then(|| prose::article(pond, ask, title, &prose::list(linked)))
}

pub const NOFOLLOW: Hazard = Hazard {
    name: "nofollow-links",
    hosts: &["nofollow.test"],
    what: "Links with rel=nofollow lead to /untrusted/, the others to /trusted/. A good crawler \
           fetches the three trusted pages; each untrusted one is a nofollow fetch.",
    answer: |pond, ask| match ask.path {
        "/" => {
            let links = "<a href=\"/trusted/1\">Trusted</a>\n\
                <a rel=\"noopener\" href=\"/trusted/2\">Trusted</a>\n\
                <a class=\"nofollow\" href=\"/trusted/3\">Trusted</a>\n\
                <a rel=\"nofollow\" href=\"/untrusted/1\">Untrusted</a>\n\
                <a href=\"/untrusted/2\" rel=\"ugc NoFollow\">Untrusted</a>\n\
                <a rel=nofollow href=/untrusted/3>Untrusted</a>\n";
            Some(prose::article(pond, ask, "The visitors' book", links))
        }
        path if path.starts_with("/trusted/") || path.starts_with("/untrusted/") => {
            Some(prose::article(pond, ask, "An entry", &prose::list([("/", "The visitors' book")])))
        }
        _ => None,
    },
    links: &[("http://nofollow.test/", "The visitors' book")],
    nofollow: |path| path.starts_with("/untrusted/"),
    ..PLAIN
};
