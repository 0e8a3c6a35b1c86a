//! Pages that differ in numbers alone: the weather of past days, data sheets of parts, and a timetable that goes on for
//! ever. The first two are worth having, the last is not.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title, value};

const WEATHER_SITE: &str = "weather.kinds.test";
const MONTHS: usize = 12;
const DAYS: usize = 28;

pub(super) const WEATHER: SiteKind = SiteKind {
    name: "weather",
    host: WEATHER_SITE,
    what: "The weather of 336 days of 2003 under /2003/month/day, listed by month; the days differ in their numbers alone.",
    documents: MONTHS * DAYS,
    most_requests: 360,
    page: weather,
};

/// A number that follows from where it stands.
fn measured(of: usize, nth: usize, most: usize) -> usize {
    (of * 2_654_435_761 + nth * 40_503).rotate_right(13) % most
}

fn weather(asked: &str) -> Option<KindPage> {
    if asked == "/" {
        let month = |m: usize| item(&format!("/2003/{m:02}/"), &format!("Month {m}"));
        let rows: String = (1..=MONTHS).map(month).collect();
        return list(html(WEATHER_SITE, "The weather of 2003", &format!("<ul>{rows}</ul>")));
    }
    let (month, day) = asked.strip_prefix("/2003/")?.split_once('/')?;
    let at: usize = month.parse().ok().filter(|m| (1..=MONTHS).contains(m))?;
    if day.is_empty() {
        let day = |d: usize| item(&format!("/2003/{at:02}/{d:02}"), &format!("{d}."));
        let rows: String = (1..=DAYS).map(day).collect();
        return list(html(WEATHER_SITE, &format!("Month {at}"), &format!("<ul>{rows}</ul>")));
    }
    let day: usize = day.parse().ok().filter(|d| (1..=DAYS).contains(d))?;
    let which = (at - 1) * DAYS + day - 1;
    let [low, high, rain, wind] =
        [(0, 12), (1, 25), (2, 40), (3, 90)].map(|(nth, most)| measured(which, nth, most));
    let main = format!(
        "<p>Lowest {low} degrees, highest {high} degrees.</p><p>Rain {rain} mm, wind {wind} km/h from the west.</p>"
    );
    document(which, html(WEATHER_SITE, &format!("The weather of {day}/{at}/2003"), &main))
}

const PART_SITE: &str = "parts.kinds.test";
const PARTS: usize = 400;
const PER_LIST: usize = 50;

pub(super) const PARTS_ROW: SiteKind = SiteKind {
    name: "parts",
    host: PART_SITE,
    what: "400 data sheets of screws and springs in eight lists: the same table each time, with other numbers in it.",
    documents: PARTS,
    most_requests: 430,
    page: parts,
};

fn parts(asked: &str) -> Option<KindPage> {
    if asked == "/" {
        let part = |at: usize| item(&format!("/parts/list-{at}.html"), &format!("List {at}"));
        let rows: String = (0..PARTS / PER_LIST).map(part).collect();
        return list(html(PART_SITE, "Parts", &format!("<ul>{rows}</ul>")));
    }
    let rest = asked.strip_prefix("/parts/")?.strip_suffix(".html")?;
    if let Some(at) = rest.strip_prefix("list-") {
        let at: usize = at.parse().ok().filter(|at| *at < PARTS / PER_LIST)?;
        let part =
            |n: usize| item(&format!("/parts/{}.html", 4_000 + n), &format!("No. {}", 4_000 + n));
        let rows: String = (at * PER_LIST..(at + 1) * PER_LIST).map(part).collect();
        return list(html(PART_SITE, &format!("List {at}"), &format!("<ul>{rows}</ul>")));
    }
    let which = rest.parse::<usize>().ok()?.checked_sub(4_000).filter(|n| *n < PARTS)?;
    let row = |(nth, name): (usize, &&str)| {
        format!("<tr><td>{name}</td><td>{}</td></tr>", measured(which, nth, 900))
    };
    let names = ["Length in mm", "Width in mm", "Weight in g", "Load in N", "Pieces a box"];
    let rows: String = names.iter().enumerate().map(row).collect();
    let main = format!("<table>{rows}</table>");
    document(which, html(PART_SITE, &format!("Part No. {}", 4_000 + which), &main))
}

const STOP_SITE: &str = "timetable.kinds.test";
const PAGES: usize = 30;
const STOPS: usize = 12;

pub(super) const TIMETABLE: SiteKind = SiteKind {
    name: "timetable",
    host: STOP_SITE,
    what: "30 pages of a bus company, and for each of 12 stops the departures after ?date= and &time=, with links to an \
           hour later and to the day after, for ever; their minutes differ.",
    documents: PAGES,
    most_requests: 130,
    page: timetable,
};

/// Days are counted from the year 2000; every month has thirty.
fn date(day: usize) -> String {
    format!("{}-{:02}-{:02}", 2000 + day / 360, day % 360 / 30 + 1, day % 30 + 1)
}

fn of_date(text: &str) -> Option<usize> {
    let mut parts = text.split('-').map(|part| part.parse::<usize>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_date =
        (2000..9_999).contains(&year) && (1..=12).contains(&month) && (1..=30).contains(&day);
    is_date.then(|| (year - 2000) * 360 + (month - 1) * 30 + day - 1)
}

fn timetable(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    if path == "/departures" {
        let stop = number(query, "stop").filter(|stop| *stop < STOPS)?;
        let day = of_date(value(query, "date")?)?;
        let hour = number(query, "time").filter(|hour| *hour < 24)?;
        let link = |day: usize, hour: usize, name: &str| {
            item(&format!("/departures?stop={stop}&date={}&time={hour:02}", date(day)), name)
        };
        let line = |nth: usize| {
            let minute = measured(stop * 100_000 + day * 24 + hour, nth, 60);
            format!("<li>{hour:02}:{minute:02} line {nth}</li>")
        };
        let mut main: String = (1..9).map(line).collect();
        main += &link(day, (hour + 1) % 24, "Later");
        main += &link(day + 1, hour, "The next day");
        return list(html(STOP_SITE, &format!("Departures from stop {stop}"), &main));
    }
    let page: usize = match path {
        "/" => 0,
        _ => path.strip_prefix("/page/")?.parse().ok().filter(|page| *page < PAGES)?,
    };
    let stop = page % STOPS;
    let mut main = item(&format!("/departures?stop={stop}&date=2026-11-18&time=08"), "Departures");
    main += &format!("<p>{}</p>", text(STOP_SITE, page, 7));
    for near in [page + 1, page + 7] {
        main += &item(&format!("/page/{}", near % PAGES), &title(STOP_SITE, near % PAGES));
    }
    document(page, html(STOP_SITE, &title(STOP_SITE, page), &main))
}
