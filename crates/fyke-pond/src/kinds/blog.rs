//! A blog as WordPress makes it: posts under old dates, archives by year, month and category, and for every comment a
//! URL of the post that differs in `replytocom` alone.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title};
use std::fmt::Write as _;

const POSTS: usize = 60;
const COMMENTS: usize = 4;
const PER_PAGE: usize = 10;
const SITE: &str = "blog.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "blog",
    host: SITE,
    what: "60 posts of 2005 to 2009; archives by month, year and category with excerpts; four URLs with replytocom and \
           two with share for each post.",
    documents: POSTS,
    most_requests: 180,
    page,
};

/// Year and month of a post.
fn date(post: usize) -> (usize, usize) {
    (2005 + post / 12, 1 + post % 12)
}

fn path(post: usize) -> String {
    let (year, month) = date(post);
    let slug: String = title(SITE, post).to_lowercase().replace(' ', "-");
    format!("/{year}/{month:02}/{slug}/")
}

/// All posts, the last first.
fn newest() -> Vec<usize> {
    (0..POSTS).rev().collect()
}

fn page(asked: &str) -> Option<KindPage> {
    let (asked, query) = split(asked);
    if asked == "/" {
        return archive("Our blog", "/", &newest(), 1);
    }
    let parts: Vec<&str> = asked.split('/').filter(|part| !part.is_empty()).collect();
    let page = match parts[..] {
        [.., "page", number] => number.parse().ok()?,
        _ => 1,
    };
    let in_year = |year: &str| -> Vec<usize> {
        (0..POSTS).filter(|post| date(*post).0.to_string() == year).collect()
    };
    match parts[..] {
        ["page", _] => archive("Our blog", "/", &newest(), page),
        ["category", name, ..] => {
            let at = ["nets", "boats", "weather"].iter().position(|known| *known == name)?;
            let posts: Vec<usize> = (0..POSTS).filter(|post| post % 3 == at).collect();
            archive(&format!("All on {name}"), &format!("/category/{name}/"), &posts, page)
        }
        [year] | [year, "page", _] => archive(year, &format!("/{year}/"), &in_year(year), page),
        [year, month] => {
            let is_of = |post: &usize| {
                date(*post) == (year.parse().unwrap_or(0), month.parse().unwrap_or(0))
            };
            archive(month, asked, &(0..POSTS).filter(is_of).collect::<Vec<_>>(), 1)
        }
        [..] => {
            let post = (0..POSTS).find(|post| path(*post) == asked)?;
            document(post, post_page(post, number(query, "replytocom")))
        }
    }
}

fn archive(name: &str, base: &str, posts: &[usize], page: usize) -> Option<KindPage> {
    let mut rows = String::new();
    for post in posts.iter().skip((page - page.min(1)).saturating_mul(PER_PAGE)).take(PER_PAGE) {
        rows += &item(&path(*post), &title(SITE, *post));
        let _ = writeln!(rows, "<p>{}</p>", text(SITE, *post, 2));
        let (year, month) = date(*post);
        rows += &item(&format!("/{year}/"), &year.to_string());
        rows += &item(&format!("/{year}/{month:02}/"), &format!("{month}/{year}"));
    }
    if page * PER_PAGE < posts.len() {
        rows += &item(&format!("{base}page/{}/", page + 1), "Older posts");
    }
    let is_there = (page - page.min(1)) * PER_PAGE < posts.len();
    is_there.then_some(())?;
    list(html(SITE, name, &format!("<ul>{rows}</ul>")))
}

fn post_page(post: usize, reply: Option<usize>) -> String {
    let mut main = format!("<p>{}</p><p>{}</p>", text(SITE, post, 8), text(SITE, post + 1_000, 8));
    let categories = ["nets", "boats", "weather"];
    main += &item(&format!("/category/{}/", categories[post % 3]), categories[post % 3]);
    for name in ["twitter", "facebook"] {
        main += &item(&format!("{}?share={name}", path(post)), &format!("Share on {name}"));
    }
    for comment in 0..COMMENTS {
        let id = post * COMMENTS + comment + 1;
        let _ = writeln!(main, "<p>{}</p>", text(SITE, 10_000 + id, 2));
        main += &item(&format!("{}?replytocom={id}", path(post)), "Reply");
    }
    match reply {
        Some(id) => main += &format!("<h3>Leave a reply to Guest {id}</h3><p>Cancel reply</p>"),
        None => main += "<h3>Leave a reply</h3>",
    }
    html(SITE, &title(SITE, post), &main)
}
