//! News on a clock: hosts that publish an item every so often at known times, each in a feed that keeps a few and drops
//! the oldest, some with a text that is edited later; a page for each item that names the same time; and a hub that
//! loses some messages and repeats others (WebSub). All but the hub is a pure function of seed, time and URL.

mod hub;
mod server;

pub use hub::HubCounts;
pub use server::{RunningNews, serve};

use crate::feeds::escape;
use crate::words::mix;
use crate::{Answer, AnswerKind, Body};
use serde::Serialize;
use std::fmt::Write as _;

/// The hub's host.
pub const HUB: &str = "hub.test";
/// One item in so many is edited, half a gap after it was published.
const EDITED: u64 = 5;
/// Boats that an item names.
const BOATS: u64 = 24;
/// Letters of a word that stands in one item alone.
const WORD: usize = 10;

/// A web of news.
#[derive(Clone, Debug)]
pub struct Newsroom {
    pub seed: u64,
    pub hosts: usize,
    /// Milliseconds between two items of a host.
    pub every_ms: u64,
    /// Items that a feed holds.
    pub keeps: u64,
    /// What feeds say in minutes, if anything.
    pub ttl: Option<u32>,
    /// Feeds name the hub.
    pub has_hub: bool,
}

/// An item, as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrueItem {
    pub url: String,
    /// Milliseconds since 1970.
    pub published: u64,
    /// A word that stands nowhere else.
    pub word: String,
    /// A word that stands there once it was edited, and when that is.
    pub edit: Option<TrueEdit>,
}

/// An edit of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrueEdit {
    pub time: u64,
    pub word: String,
}

/// When a question is asked: milliseconds since the newsroom opened, and when that was, since 1970.
#[derive(Clone, Copy, Debug)]
pub struct NewsTime {
    pub now_ms: u64,
    pub epoch_ms: u64,
}

impl Newsroom {
    fn host(number: usize) -> String {
        format!("news{number}.test")
    }

    /// The feeds.
    #[must_use]
    pub fn feeds(&self) -> Vec<String> {
        (0..self.hosts)
            .map(|number| format!("http://{}/feed.xml", Newsroom::host(number)))
            .collect()
    }

    fn number(&self, host: &str) -> Option<usize> {
        let number = host.strip_prefix("news")?.strip_suffix(".test")?.parse().ok()?;
        (number < self.hosts && Newsroom::host(number) == host).then_some(number)
    }

    /// When an item comes: those that are there when the newsroom opens have negative times.
    fn comes_ms(&self, host: usize, item: u64) -> i64 {
        let (every, old) = (self.every_ms.max(1), self.keeps);
        let shift = mix(mix(self.seed, host as u64), 77) % every;
        (item as i64 - old as i64) * every as i64 + shift as i64
    }

    /// How many items a host has published.
    fn published(&self, host: usize, now_ms: u64) -> u64 {
        let first = self.comes_ms(host, 0);
        let since = now_ms as i64 - first;
        if since < 0 { 0 } else { (since / self.every_ms.max(1) as i64) as u64 + 1 }
    }

    fn item(&self, host: usize, item: u64, epoch_ms: u64) -> TrueItem {
        let comes = self.comes_ms(host, item);
        let published = epoch_ms.saturating_add_signed(comes);
        let key = mix(mix(self.seed, host as u64 + 1), item);
        let edit = (item % EDITED == EDITED - 1)
            .then(|| TrueEdit { time: published + self.every_ms / 2, word: word(mix(key, 2)) });
        let url = format!("http://{}/item/{item}", Newsroom::host(host));
        TrueItem { url, published, word: word(mix(key, 1)), edit }
    }

    /// Every item that was published after the newsroom opened.
    #[must_use]
    pub fn truth(&self, time: NewsTime) -> Vec<TrueItem> {
        let news = |host: usize| {
            let published = self.published(host, time.now_ms);
            (0..published)
                .filter(move |item| self.comes_ms(host, *item) > 0)
                .map(move |item| self.item(host, item, time.epoch_ms))
        };
        (0..self.hosts).flat_map(news).collect()
    }

    /// What a feed is at a time: another number is another text.
    fn version(&self, host: usize, now_ms: u64) -> u64 {
        let half = now_ms.saturating_sub(self.every_ms / 2);
        self.published(host, now_ms) * 1_000_003 + self.published(host, half)
    }

    fn text_of(&self, item: &TrueItem, now: u64) -> String {
        let edited = item.edit.as_ref().filter(|edit| edit.time <= now);
        let after =
            edited.map_or(String::new(), |edit| format!(" It was corrected: {}.", edit.word));
        // Names enough that no two items look like copies.
        let key = item.word.bytes().fold(0, |key, byte| mix(key, byte.into()));
        let boats: Vec<String> = (0..BOATS).map(|n| word(mix(key, n))).collect();
        format!(
            "<p>The office reports {} from the harbour. Boats that wait there for the tide are the {}. \
             Nobody had expected that so early in the year.{after}</p>",
            item.word,
            boats.join(", the ")
        )
    }

    /// The feed of a host, and its validator.
    fn feed(&self, host: usize, time: NewsTime) -> (String, String) {
        let published = self.published(host, time.now_ms);
        let name = Newsroom::host(host);
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\
             <channel><title>{name}</title><link>http://{name}/</link><description>News</description>\n\
             <atom:link rel=\"self\" href=\"http://{name}/feed.xml\"/>\n"
        );
        if let Some(ttl) = self.ttl {
            let _ = writeln!(xml, "<ttl>{ttl}</ttl>");
        }
        if self.has_hub {
            let _ = writeln!(xml, "<atom:link rel=\"hub\" href=\"http://{HUB}/\"/>");
        }
        let now = time.epoch_ms + time.now_ms;
        for number in (published.saturating_sub(self.keeps)..published).rev() {
            let item = self.item(host, number, time.epoch_ms);
            let (url, date) = (&item.url, http_date(item.published / 1_000));
            let text = escape(&self.text_of(&item, now));
            let _ = writeln!(
                xml,
                "<item><title>Report {number}</title><link>{url}</link><guid>{url}</guid>\
                 <pubDate>{date}</pubDate><description>{text}</description></item>"
            );
        }
        let etag = format!("\"{:x}\"", self.version(host, time.now_ms));
        (xml + "</channel></rss>\n", etag)
    }

    /// The answer to a GET.
    #[must_use]
    pub fn answer(&self, host: &str, path: &str, time: NewsTime) -> Answer {
        if path == "/robots.txt" {
            return typed("text/plain", AnswerKind::Robots, "User-agent: *\nAllow: /\n".to_owned());
        }
        let Some(host) = self.number(host) else { return Answer::missing() };
        match path {
            "/" => self.home(host, time),
            "/feed.xml" => {
                let (xml, etag) = self.feed(host, time);
                let mut answer = typed("application/rss+xml", AnswerKind::Feed, xml);
                answer.headers.push(("etag", etag));
                answer
            }
            _ => self.page(host, path, time).unwrap_or_else(Answer::missing),
        }
    }

    fn home(&self, host: usize, time: NewsTime) -> Answer {
        let published = self.published(host, time.now_ms);
        let mut html = format!(
            "<!DOCTYPE html><title>{}</title><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\">\
             <p>All that the office has reported of late from harbours and rivers.</p><ul>",
            Newsroom::host(host)
        );
        for number in (published.saturating_sub(self.keeps)..published).rev() {
            let _ = write!(html, "<li><a href=\"/item/{number}\">Report {number}</a></li>");
        }
        typed("text/html", AnswerKind::Page, html + "</ul>")
    }

    fn page(&self, host: usize, path: &str, time: NewsTime) -> Option<Answer> {
        let number: u64 = path.strip_prefix("/item/")?.parse().ok()?;
        if number >= self.published(host, time.now_ms) {
            return None;
        }
        let item = self.item(host, number, time.epoch_ms);
        let now = time.epoch_ms + time.now_ms;
        let changed = item.edit.as_ref().map(|edit| edit.time).filter(|time| *time <= now);
        let html = format!(
            "<!DOCTYPE html><title>Report {number}</title><h1>Report {number}</h1>{}",
            self.text_of(&item, now)
        );
        let mut answer = typed("text/html", AnswerKind::Page, html);
        let modified = http_date(changed.unwrap_or(item.published) / 1_000);
        answer.headers.push(("last-modified", modified));
        Some(answer)
    }
}

fn typed(media: &str, kind: AnswerKind, text: String) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", format!("{media}; charset=utf-8"))],
        body: Body::Bytes(text.into_bytes()),
        kind,
    }
}

/// A word of letters.
fn word(key: u64) -> String {
    let letter = |n: usize| char::from(b'a' + (mix(key, n as u64) % 26) as u8);
    (0..WORD).map(letter).collect()
}

/// A time in seconds since 1970 as HTTP and mail write it.
fn http_date(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days from 1 March of the year 0 on, in eras of 400 years.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (weekday, name) = (DAYS[(days % 7) as usize], MONTHS[month as usize - 1]);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{weekday}, {day:02} {name} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room() -> Newsroom {
        Newsroom { seed: 7, hosts: 2, every_ms: 1_000, keeps: 4, ttl: Some(5), has_hub: true }
    }

    fn text(answer: Answer) -> String {
        let Body::Bytes(bytes) = answer.body else { panic!("no bytes") };
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn items_come_at_their_times_and_the_oldest_are_dropped() {
        let room = room();
        let time = |now_ms| NewsTime { now_ms, epoch_ms: 1_700_000_000_000 };
        for now_ms in [0, 999, 10_500] {
            let feed = text(room.answer("news0.test", "/feed.xml", time(now_ms)));
            assert_eq!(feed.matches("<item>").count(), 4, "{now_ms}");
        }
        let truth = room.truth(time(10_500));
        assert!((20..=22).contains(&truth.len()), "{}", truth.len());
        let newest = truth.iter().rfind(|item| item.url.contains("news0")).expect("an item");
        assert!(newest.published <= 1_700_000_010_500);
        let feed = text(room.answer("news0.test", "/feed.xml", time(10_500)));
        assert!(feed.contains(&newest.word) && feed.contains(&http_date(newest.published / 1_000)));
        let oldest = truth.iter().find(|item| item.url.contains("news0")).expect("an item");
        assert!(!feed.contains(&oldest.word), "it was dropped");
        let path = oldest.url.trim_start_matches("http://news0.test");
        let page = room.answer("news0.test", path, time(10_500));
        let modified =
            page.headers.iter().find(|(name, _)| *name == "last-modified").expect("a time");
        if oldest.edit.is_none() {
            assert_eq!(modified.1, http_date(oldest.published / 1_000), "page and feed agree");
        }
        assert!(text(page).contains(&oldest.word));
    }

    #[test]
    fn an_edited_item_has_its_new_word_from_then_on() {
        let room = room();
        let time = |now_ms| NewsTime { now_ms, epoch_ms: 0 };
        let truth = room.truth(time(60_000));
        let item = truth.iter().find(|item| item.edit.is_some()).expect("an edited item");
        let edit = item.edit.as_ref().expect("an edit");
        let (host, path) = item.url.trim_start_matches("http://").split_once('/').expect("a path");
        let page = |now| text(room.answer(host, &format!("/{path}"), time(now)));
        assert!(!page(edit.time - 1).contains(&edit.word) && page(edit.time).contains(&edit.word));
        let etag = |now| room.answer(host, "/feed.xml", time(now)).headers[1].1.clone();
        assert_ne!(etag(edit.time - 1), etag(edit.time));
    }

    #[test]
    fn times_are_written_as_mail_writes_them() {
        assert_eq!(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(http_date(951_827_696), "Tue, 29 Feb 2000 12:34:56 GMT");
        assert_eq!(http_date(1_735_689_599), "Tue, 31 Dec 2024 23:59:59 GMT");
    }
}
