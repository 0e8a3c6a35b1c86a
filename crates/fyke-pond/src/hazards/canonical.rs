//! Canonical links: in the page, relative and absolute, and in the header (RFC 6596).

use super::{Hazard, PLAIN, prose};
use crate::truth::Alias;
use crate::{Answer, Ask, Pond};

pub const ROW: Hazard = Hazard {
    name: "canonical",
    hosts: &["canonical.test"],
    what: "Three articles under further URLs, which name the canonical one by an absolute link, a \
           relative link or a Link header. A good crawler keeps the canonical URL only.",
    answer,
    links: &[("http://canonical.test/", "Articles and offprints")],
    aliases: |_| {
        let full = |path: &str| format!("http://canonical.test{path}");
        VARIANTS
            .iter()
            .map(|(path, of, _)| Alias { url: full(path), canonical: full(of) })
            .collect()
    },
    ..PLAIN
};

#[derive(PartialEq)]
enum By {
    Absolute,
    Relative,
    Header,
}

const VARIANTS: &[(&str, &str, By)] = &[
    ("/article/1?from=home", "/article/1", By::Absolute),
    ("/print/1", "/article/1", By::Header),
    ("/article/2?from=feed", "/article/2", By::Relative),
    ("/print/2", "/article/2", By::Absolute),
    ("/article/3/", "/article/3", By::Relative),
    ("/print/3", "/article/3", By::Header),
];

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let articles = ["/article/1", "/article/2", "/article/3"];
    if ask.path == "/" {
        let all = articles.into_iter().chain(VARIANTS.iter().map(|(path, ..)| *path));
        let links = prose::list(all.map(|path| (path, "Article")));
        return Some(prose::article(pond, ask, "Articles and offprints", &links));
    }
    if articles.contains(&ask.path) {
        return Some(article(pond, ask.path, ""));
    }
    let (_, of, by) = VARIANTS.iter().find(|(path, ..)| *path == ask.path)?;
    let link = |href: &str| format!("<link rel=\"canonical\" href=\"{href}\">");
    let mut answer = match by {
        By::Absolute => article(pond, of, &link(&format!("http://canonical.test{of}"))),
        By::Relative => article(pond, of, &link(of)),
        By::Header => article(pond, of, ""),
    };
    if *by == By::Header {
        let value = format!("<http://canonical.test{of}>; rel=\"canonical\"");
        answer.headers.push(("link", value));
    }
    Some(answer)
}

fn article(pond: &Pond, path: &str, head: &str) -> Answer {
    let text = prose::text(pond, &format!("canonical {path}"), 12);
    prose::page(
        &format!("Article {}", path.trim_start_matches("/article/")),
        head,
        &format!("<p>{text}</p>"),
    )
}
