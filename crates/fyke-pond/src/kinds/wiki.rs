//! A wiki as MediaWiki makes it: articles under short paths, and their histories, old revisions and forms under
//! `index.php` with parameters.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title, value};
use std::fmt::Write as _;

const ARTICLES: usize = 50;
const REVISIONS: usize = 6;
const SITE: &str = "wiki.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "wiki",
    host: SITE,
    what: "50 articles; for each a form, a history, and six old revisions that differ from the article in a line about \
           when they were made.",
    documents: ARTICLES,
    most_requests: 240,
    page,
};

fn name(article: usize) -> String {
    title(SITE, article).replace(' ', "_")
}

fn page(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    if path == "/" {
        let links: String =
            (0..8).map(|at| item(&format!("/wiki/{}", name(at)), &name(at))).collect();
        return list(html(SITE, "Main page", &format!("<ul>{links}</ul>")));
    }
    let wanted = path.strip_prefix("/wiki/").or_else(|| value(query, "title"))?;
    let article = (0..ARTICLES).find(|article| name(*article) == wanted)?;
    match (value(query, "action"), number(query, "oldid")) {
        (Some("edit"), _) => {
            let form = format!(
                "<form><textarea>{}</textarea></form><p>Save page</p>",
                text(SITE, article, 10)
            );
            list(html(SITE, &format!("Editing {wanted}"), &form))
        }
        (Some("history"), _) => {
            let revision = |n: usize| {
                let link = item(
                    &format!("/index.php?title={wanted}&oldid={}", article * 10 + n),
                    "revision",
                );
                format!("{link}<i>{n} May 2019, by Guest</i>")
            };
            let rows: String = (1..=REVISIONS).map(revision).collect();
            list(html(SITE, &format!("History of {wanted}"), &format!("<ul>{rows}</ul>")))
        }
        (None, old) => document(article, article_page(article, old)),
        _ => None,
    }
}

fn article_page(article: usize, old: Option<usize>) -> String {
    let name_here = name(article);
    let mut main = match old {
        Some(id) => format!("<p>Old revision {id}</p>"),
        None => String::new(),
    };
    let _ =
        write!(main, "<p>{}</p><p>{}</p>", text(SITE, article, 10), text(SITE, article + 500, 10));
    for near in [article + 1, article + 7, article * 3] {
        main += &item(&format!("/wiki/{}", name(near % ARTICLES)), &name(near % ARTICLES));
    }
    for action in ["edit", "history"] {
        main += &item(&format!("/index.php?title={name_here}&action={action}"), action);
    }
    html(SITE, &title(SITE, article), &main)
}
