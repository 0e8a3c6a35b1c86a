//! Sites without end, beside a few documents: calendars whose pages differ by their date alone, and one page under
//! every path.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title, value};

const PAGES: usize = 20;
const CALENDAR_SITE: &str = "calendar.kinds.test";

pub(super) const CALENDAR: SiteKind = SiteKind {
    name: "calendar",
    host: CALENDAR_SITE,
    what: "20 pages, each with a link to a calendar of ?date= and &view= that goes on for ever in both directions and in \
           three views.",
    documents: PAGES,
    most_requests: 60,
    page: calendar,
};

/// Days in a year of twelve months of thirty days.
const YEAR: usize = 360;

fn date(day: usize) -> String {
    format!("{:04}{:02}{:02}", day / YEAR, day % YEAR / 30 + 1, day % 30 + 1)
}

fn of_date(text: &str) -> Option<usize> {
    let all: usize = text.parse().ok().filter(|_| text.len() == 8)?;
    let (month, day) = ((all / 100 % 100).checked_sub(1)?, (all % 100).checked_sub(1)?);
    (month < 12 && day < 30).then_some(all / 10_000 * YEAR + month * 30 + day)
}

fn calendar(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    if path == "/events" {
        let day = of_date(value(query, "date")?)?;
        let view = value(query, "view")?;
        let step = match view {
            "day" => 1,
            "week" => 7,
            "month" => 30,
            _ => return None,
        };
        let link = |day: usize, view: &str, name: &str| {
            item(&format!("/events?date={}&view={view}", date(day)), name)
        };
        let mut main = format!("<p>Nothing happens on {}, nor near it.</p>", date(day));
        main += &link(day + step, view, "Later");
        main += &link(day.saturating_sub(step), view, "Earlier");
        main += &["day", "week", "month"].map(|view| link(day, view, view)).concat();
        return list(html(CALENDAR_SITE, &format!("Calendar of {}", date(day)), &main));
    }
    plain(CALENDAR_SITE, path, &item("/events?date=20261118&view=month", "Calendar"))
}

/// One of twenty pages that lead to each other, and to something else.
fn plain(site: &str, path: &str, more: &str) -> Option<KindPage> {
    let page: usize = match path {
        "/" => 0,
        _ => path.strip_prefix("/about/")?.parse().ok().filter(|page| *page < PAGES)?,
    };
    let mut main = format!("{more}<p>{}</p>", text(site, page, 8));
    for near in [page + 1, page + 3] {
        let near = near % PAGES;
        main += &item(&format!("/about/{near}"), &title(site, near));
    }
    document(page, html(site, &title(site, page), &main))
}

const MONTH_SITE: &str = "months.kinds.test";

pub(super) const MONTHS: SiteKind = SiteKind {
    name: "months",
    host: MONTH_SITE,
    what: "20 pages, and a calendar under /year/month whose months lead to their days, and days to their months, for ever.",
    documents: PAGES,
    most_requests: 85,
    page: months,
};

fn months(asked: &str) -> Option<KindPage> {
    let parts: Vec<usize> = asked.split('/').filter_map(|part| part.parse().ok()).collect();
    let (year, month, day) = match (asked.starts_with("/about"), &parts[..]) {
        (false, [year, month]) => (*year, *month, None),
        (false, [year, month, day]) => (*year, *month, Some(*day)),
        _ => return plain(MONTH_SITE, asked, &item("/2026/11", "Calendar")),
    };
    let is_date = (1..=12).contains(&month) && day.is_none_or(|day| (1..=30).contains(&day));
    (is_date && year < 1_000_000).then_some(())?;
    let path = |months: usize| format!("/{}/{:02}", months / 12, months % 12 + 1);
    let months = year * 12 + month - 1;
    let days = |day: usize| item(&format!("{}/{day:02}", path(months)), &day.to_string());
    let main = match day {
        None => {
            let days: String = (1..=30).map(days).collect();
            let next = item(&path(months + 1), "Next month");
            format!("<ul>{days}</ul>{next}{}", item(&path(months.saturating_sub(1)), "Last month"))
        }
        Some(_) => format!("<p>No appointments.</p>{}", item(&path(months), "The whole month")),
    };
    list(html(MONTH_SITE, &format!("Month {month} of {year}"), &main))
}

const COPY_SITE: &str = "copies.kinds.test";

pub(super) const COPIES: SiteKind = SiteKind {
    name: "copies",
    host: COPY_SITE,
    what: "One page under every path, with links beside it that nobody has made yet, by words and by numbers.",
    documents: 1,
    most_requests: 45,
    page: copies,
};

fn copies(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    let seed = path.len() * 31 + number(query, "n").unwrap_or(1) * 7;
    let words = ["alder", "birch", "cedar", "elm", "fir", "hazel", "oak", "pine", "rowan", "yew"];
    let mut main = format!("<p>{}</p>", text(COPY_SITE, 0, 12));
    let last = path.rsplit('/').next().unwrap_or("");
    for word in words {
        main += &item(&format!("/{last}{word}"), "More");
    }
    main += &item(&format!("/?n={seed}"), "More");
    (path.len() < 400).then_some(())?;
    document(0, html(COPY_SITE, "One page", &main))
}
