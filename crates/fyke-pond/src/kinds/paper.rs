//! A newspaper: articles under their dates, each in four forms, and days without any that lead on for ever.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title};
use std::fmt::Write as _;

const ARTICLES: usize = 240;
const A_DAY: usize = 3;
const PER_PAGE: usize = 12;
const SITE: &str = "paper.kinds.test";
const SECTIONS: [&str; 4] = ["town", "sports", "arts", "market"];

pub(super) const ROW: SiteKind = SiteKind {
    name: "paper",
    host: SITE,
    what: "240 articles of 80 days, three a day, each with a form for printing, one for phones and two marks of where the \
           reader came from; lists by section and by day, and days before and after them without articles, for ever.",
    documents: ARTICLES,
    most_requests: 480,
    page,
};

/// Days are counted from the year 1990; every month has thirty.
fn date(day: usize) -> String {
    format!("/{}/{:02}/{:02}/", 1990 + day / 360, day % 360 / 30 + 1, day % 30 + 1)
}

/// The day of the first articles.
const FIRST: usize = 24 * 360 + 70;

fn path(article: usize) -> String {
    let slug = title(SITE, article).to_lowercase().replace(' ', "-");
    format!("{}{slug}", date(FIRST + article / A_DAY))
}

fn page(asked: &str) -> Option<KindPage> {
    let (asked, query) = split(asked);
    if asked == "/" {
        let sections = SECTIONS.map(|name| item(&format!("/section/{name}"), name)).concat();
        let today = item(&date(FIRST + ARTICLES / A_DAY - 1), "Today's paper");
        return list(html(SITE, "The paper", &format!("{sections}{today}")));
    }
    if let Some(name) = asked.strip_prefix("/section/") {
        let at = SECTIONS.iter().position(|known| *known == name)?;
        return section(at, number(query, "page").unwrap_or(1).checked_sub(1)?);
    }
    if let Some(printed) = asked.strip_prefix("/print/") {
        let article = printed.parse().ok().filter(|article| *article < ARTICLES)?;
        return document(article, article_page(article));
    }
    let own = asked.strip_suffix("/amp").unwrap_or(asked);
    if let Some(article) = (0..ARTICLES).find(|article| path(*article) == own) {
        return document(article, article_page(article));
    }
    let parts: Vec<usize> = asked.split('/').filter_map(|part| part.parse().ok()).collect();
    let [year @ 1990..=9_998, month @ 1..=12, day @ 1..=30] = parts[..] else { return None };
    (asked == date((year - 1990) * 360 + (month - 1) * 30 + day - 1)).then_some(())?;
    of_day((year - 1990) * 360 + (month - 1) * 30 + day - 1)
}

fn of_day(day: usize) -> Option<KindPage> {
    let articles = (0..ARTICLES).filter(|article| FIRST + article / A_DAY == day);
    let mut rows: String = articles.map(|n| item(&path(n), &title(SITE, n))).collect();
    if rows.is_empty() {
        rows += "<p>No paper on this day.</p>";
    }
    rows += &item(&date(day.saturating_sub(1)), "The day before");
    rows += &item(&date(day + 1), "The day after");
    list(html(SITE, &format!("The paper of {}", date(day)), &rows))
}

fn section(at: usize, page: usize) -> Option<KindPage> {
    let articles: Vec<usize> = (0..ARTICLES).rev().filter(|article| article % 4 == at).collect();
    let shown = articles.iter().skip(page.saturating_mul(PER_PAGE)).take(PER_PAGE);
    let mut rows: String = shown.map(|n| item(&path(*n), &title(SITE, *n))).collect();
    (!rows.is_empty()).then_some(())?;
    if (page + 1) * PER_PAGE < articles.len() {
        rows += &item(&format!("/section/{}?page={}", SECTIONS[at], page + 2), "Older");
    }
    list(html(SITE, SECTIONS[at], &rows))
}

fn article_page(article: usize) -> String {
    let mut main = String::new();
    for part in 0..2 {
        let _ = writeln!(main, "<p>{}</p>", text(SITE, article * 2 + part, 6));
    }
    let own = path(article);
    main += &item(&format!("/print/{article}"), "Print");
    main += &item(&format!("{own}/amp"), "For phones");
    main += &item(&format!("{own}?from=newsletter"), "Link for the newsletter");
    main += &item(&format!("{own}?comments=all"), "All comments");
    main += &item(&date(FIRST + article / A_DAY), "All of this day");
    html(SITE, &title(SITE, article), &main)
}
