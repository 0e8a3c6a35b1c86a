//! A host most of whose pages no page links to: only its sitemaps do.

use super::{Hazard, PLAIN, prose};
use crate::robots::{PondRobots, text};

pub const ROW: Hazard = Hazard {
    name: "sitemaps",
    hosts: &["sitemap.test"],
    what: "robots.txt names a sitemap index, the index three sitemaps (plain XML, gzip, text); \
           nine of twelve pages stand nowhere else. A good crawler fetches them all.",
    answer: |pond, ask| match ask.path {
        "/" => {
            let links = prose::list([("/linked/1", "First"), ("/linked/2", "Second")]);
            Some(prose::article(pond, ask, "A site with a map", &links))
        }
        "/linked/1" | "/linked/2" => Some(prose::article(pond, ask, "A page with a link", "")),
        path => {
            let number: u32 = path.strip_prefix("/only/")?.parse().ok()?;
            let title = format!("Mapped page {number}");
            (1..=ONLY).contains(&number).then(|| prose::article(pond, ask, &title, ""))
        }
    },
    links: &[("http://sitemap.test/", "A site with a map")],
    rules: PondRobots {
        answer: |_, _| {
            text("Sitemap: http://sitemap.test/sitemap-index.xml\nUser-agent: *\nDisallow:\n")
        },
        forbids: |_, _| false,
        delay_ms: 0,
    },
    ..PLAIN
};

/// Pages that only sitemaps name, a third of them in each of three.
pub(crate) const ONLY: u32 = 9;
