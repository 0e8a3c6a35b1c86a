//! Archives whose URLs look like a calendar's and are none: a diary, laws by year and number, verses by chapter.

use super::{KindPage, SiteKind, document, html, item, list, text};

const DAYS: usize = 426;
const DIARY_SITE: &str = "diary.kinds.test";

pub(super) const DIARY: SiteKind = SiteKind {
    name: "diary",
    host: DIARY_SITE,
    what: "426 days of 2010 and 2011 in a row, each with a link to the day before and after it alone; a text for each.",
    documents: DAYS,
    most_requests: 430,
    page: diary,
};

/// Every month has 31 days here.
fn day(number: usize) -> String {
    let (month, day) = (number / 31, number % 31 + 1);
    format!("/diary/{}-{:02}-{day:02}", 2010 + month / 12, month % 12 + 1)
}

fn diary(asked: &str) -> Option<KindPage> {
    if asked == "/" {
        return list(html(DIARY_SITE, "A diary", &item(&day(0), "From the first day on")));
    }
    let number = (0..DAYS).find(|number| day(*number) == asked)?;
    let mut main = format!("<p>{}</p>", text(DIARY_SITE, number, 6));
    if number > 0 {
        main += &item(&day(number - 1), "The day before");
    }
    if number + 1 < DAYS {
        main += &item(&day(number + 1), "The day after");
    }
    document(number, html(DIARY_SITE, &asked[7..], &main))
}

const YEARS: usize = 30;
const LAWS: usize = 10;
const LAW_SITE: &str = "law.kinds.test";

pub(super) const LAW: SiteKind = SiteKind {
    name: "law",
    host: LAW_SITE,
    what: "300 laws under /law/year/number from 1950 to 1979, listed by year under /law?year=.",
    documents: YEARS * LAWS,
    most_requests: 340,
    page: law,
};

fn law(asked: &str) -> Option<KindPage> {
    if asked == "/" {
        let year = |at: usize| item(&format!("/law?year={}", 1950 + at), &format!("{}", 1950 + at));
        let rows: String = (0..YEARS).map(year).collect();
        return list(html(LAW_SITE, "The laws", &format!("<ul>{rows}</ul>")));
    }
    let of_year = |year: &str| year.parse().ok().and_then(|year: usize| year.checked_sub(1950));
    if let Some(year) = asked.strip_prefix("/law?year=") {
        let at = of_year(year).filter(|at| *at < YEARS)?;
        let law = |n: usize| item(&format!("/law/{}/{n}", 1950 + at), &format!("Law {n}"));
        let rows: String = (1..=LAWS).map(law).collect();
        return list(html(LAW_SITE, &format!("Laws of {year}"), &format!("<ul>{rows}</ul>")));
    }
    let (year, number) = asked.strip_prefix("/law/")?.split_once('/')?;
    let at = of_year(year).filter(|at| *at < YEARS)?;
    let number: usize = number.parse().ok().filter(|n| (1..=LAWS).contains(n))?;
    let which = at * LAWS + number - 1;
    document(which, html(LAW_SITE, &format!("Law {number} of {year}"), &text(LAW_SITE, which, 8)))
}

const VERSE_SITE: &str = "verses.kinds.test";
const CHAPTERS: usize = 12;
const VERSES_EACH: usize = 15;

pub(super) const VERSES: SiteKind = SiteKind {
    name: "verses",
    host: VERSE_SITE,
    what: "180 verses under /genesis/part/chapter/verse, where one number often stands three times in a row.",
    documents: CHAPTERS * VERSES_EACH,
    most_requests: 200,
    page: verses,
};

fn verses(asked: &str) -> Option<KindPage> {
    if asked == "/" {
        let chapter = |c: usize| item(&format!("/genesis/1/{c}/1"), &format!("Chapter {c}"));
        let rows: String = (1..=CHAPTERS).map(chapter).collect();
        return list(html(VERSE_SITE, "Verses", &format!("<ul>{rows}</ul>")));
    }
    let (chapter, verse) = asked.strip_prefix("/genesis/1/")?.split_once('/')?;
    let chapter: usize = chapter.parse().ok().filter(|c| (1..=CHAPTERS).contains(c))?;
    let verse: usize = verse.parse().ok().filter(|v| (1..=VERSES_EACH).contains(v))?;
    let which = (chapter - 1) * VERSES_EACH + verse - 1;
    let mut main = format!("<p>{}</p>", text(VERSE_SITE, which, 1));
    if verse < VERSES_EACH {
        main += &item(&format!("/genesis/1/{chapter}/{}", verse + 1), "Next verse");
    }
    document(which, html(VERSE_SITE, &format!("Genesis {chapter}, {verse}"), &main))
}
