//! The same pages under many prefixes: a manual in twelve versions, and a site under both schemes.

use super::{KindPage, SiteKind, document, html, item, text, title};

const PAGES: usize = 60;
const VERSION_SITE: &str = "manual.kinds.test";
const VERSION_NAMES: [&str; 12] =
    ["latest", "stable", "3.1", "3.0", "2.9", "2.8", "2.7", "2.6", "2.5", "2.4", "2.3", "2.2"];

pub(super) const VERSIONS: SiteKind = SiteKind {
    name: "manual",
    host: VERSION_SITE,
    what: "60 pages of a manual in twelve versions under /en/version/; each page names its version and leads to the same \
           page of all others.",
    documents: PAGES,
    most_requests: 80,
    page: versions,
};

fn versions(asked: &str) -> Option<KindPage> {
    let (version, page) = match asked {
        "/" => ("stable", 0),
        _ => {
            let (version, page) = asked.strip_prefix("/en/")?.split_once('/')?;
            (version, page.strip_prefix("page")?.strip_suffix(".html")?.parse().ok()?)
        }
    };
    (page < PAGES && VERSION_NAMES.contains(&version)).then_some(())?;
    let mut main =
        format!("<i>This is version {version}</i><p>{}</p>", text(VERSION_SITE, page, 20));
    for near in [page + 1, page + 2, page * 2] {
        let near = near % PAGES;
        main += &item(&format!("/en/{version}/page{near}.html"), &title(VERSION_SITE, near));
    }
    for other in VERSION_NAMES {
        main += &item(&format!("/en/{other}/page{page}.html"), other);
    }
    document(page, html(VERSION_SITE, &title(VERSION_SITE, page), &main))
}

const SCHEME_PAGES: usize = 30;
const SCHEME_SITE: &str = "schemes.kinds.test";

pub(super) const SCHEMES: SiteKind = SiteKind {
    name: "schemes",
    host: SCHEME_SITE,
    what: "30 pages that are the same with TLS and without; each leads to others under both schemes.",
    documents: SCHEME_PAGES,
    most_requests: 40,
    page: schemes,
};

fn schemes(asked: &str) -> Option<KindPage> {
    let page: usize = match asked {
        "/" => 0,
        _ => asked.strip_prefix("/page")?.parse().ok().filter(|page| *page < SCHEME_PAGES)?,
    };
    let mut main = format!("<p>{}</p>", text(SCHEME_SITE, page, 8));
    for near in [page + 1, page + 2, page + 5] {
        let near = near % SCHEME_PAGES;
        for scheme in ["http", "https"] {
            let path = if near == 0 { "/".to_owned() } else { format!("/page{near}") };
            main += &item(&format!("{scheme}://{SCHEME_SITE}{path}"), &title(SCHEME_SITE, near));
        }
    }
    document(page, html(SCHEME_SITE, &title(SCHEME_SITE, page), &main))
}
