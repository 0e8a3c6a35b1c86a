//! Pages that change by a known process, for revisit policies (source 000, freshness): the live
//! readings of the newspaper.
//!
//! Changes come as a Poisson process conditioned on its count: every stretch of 64 mean gaps
//! holds exactly 64 changes at independent uniform times, so the version at any moment is
//! arithmetic. Only digits change, always as many, so word counts and ranking stay the same.

use serde::Serialize;

use crate::Pond;
use crate::hazards::changing;
use crate::plan::{HostKind, PondHost};
use crate::render::{PageSheet, PondPage};
use crate::words::template::number;
use crate::words::{PondDice, Voice, mix, topics};

use super::OPENING;

const STRETCH: u64 = 64;
const ROWS: usize = 8;

/// A page that changes, and its mean time between changes.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    pub url: String,
    pub mean_ms: u64,
}

/// When a live page was changed last, in seconds since 1970: its clock began with the server.
pub fn modified(page: &PondPage, epoch_ms: u64) -> u64 {
    page.modified - OPENING + epoch_ms / 1_000
}

/// Whether this is a page that changes.
pub fn is_reading(host: &PondHost, path: &str) -> bool {
    is_live(host) && path.starts_with("/live/")
}

pub fn is_live(host: &PondHost) -> bool {
    host.kind == HostKind::News && host.name == "courier.test"
}

fn path(topic: usize) -> String {
    format!("/live/{}", topics()[topic].name.replace(' ', "-"))
}

pub fn paths(host: &PondHost) -> impl Iterator<Item = String> {
    let topics = if is_live(host) { topics().len() } else { 0 };
    (0..topics.min(1)).map(|_| "/live".to_owned()).chain((0..topics).map(path))
}

/// From a quarter of a minute up to eight hours, at the usual speed.
fn mean_ms(pond: &Pond, topic: usize) -> u64 {
    ((15_000 << topic) / pond.live_speed.max(1)).max(1)
}

/// All pages that change; none when the hazard is switched off.
pub fn changes(pond: &Pond) -> Vec<Change> {
    let topics = if is_changing(pond) { topics().len() } else { 0 };
    let url = |topic| format!("http://courier.test{}", path(topic));
    (0..topics).map(|topic| Change { url: url(topic), mean_ms: mean_ms(pond, topic) }).collect()
}

fn is_changing(pond: &Pond) -> bool {
    pond.hazards.has(changing::ROW.name)
}

/// How many changes there were up to now, and when the last was.
fn version(key: u64, mean: u64, now_ms: u64) -> (u64, u64) {
    let (stretch, within) = (now_ms / (mean * STRETCH), now_ms % (mean * STRETCH));
    let begin = stretch * mean * STRETCH;
    let times = (0..STRETCH).map(|k| mix(key, stretch * STRETCH + k) % (mean * STRETCH));
    let past = times.filter(|time| *time <= within);
    let (count, last) = past.fold((0, 0), |(count, last), time| (count + 1, time.max(last)));
    (stretch * STRETCH + count, begin + last)
}

pub fn page(pond: &Pond, host: &PondHost, asked: &str, now_ms: u64) -> Option<PondPage> {
    if !is_live(host) || !asked.starts_with("/live") {
        return None;
    }
    if asked == "/live" {
        return Some(index(host));
    }
    let topic = (0..topics().len()).find(|topic| path(*topic) == asked)?;
    Some(reading(pond, host, topic, if is_changing(pond) { now_ms } else { 0 }))
}

fn index(host: &PondHost) -> PondPage {
    let title = "Live readings";
    let mut sheet = PageSheet::english(host, title.as_bytes());
    sheet.raw("<h1>Live readings</h1>\n<ul>\n");
    for (n, topic) in topics().iter().enumerate() {
        sheet.raw("<li><a href=\"").raw(&path(n)).raw("\">Readings: ").raw(topic.name);
        sheet.raw("</a></li>\n");
    }
    sheet.raw("</ul>\n").end_main();
    sheet.open_side();
    sheet.close();
    sheet.into_page(title.as_bytes(), "list")
}

fn reading(pond: &Pond, host: &PondHost, topic: usize, now_ms: u64) -> PondPage {
    let key = mix(mix(pond.seed, host.key), topic as u64);
    let (version, changed_ms) = version(key, mean_ms(pond, topic), now_ms);
    let about = &topics()[topic];
    let voice = Voice { topic: about, sub: &about.subs[0], other: &about.subs[1], variant: 2 };
    let title = format!("Readings: {}", about.name);
    let mut sheet = PageSheet::english(host, title.as_bytes());
    sheet.raw("<h1>").raw(&title).raw("</h1>\n<p>");
    let mut dice = PondDice::new(key);
    for sentence in &about.sentences {
        sentence.fill(&voice, &mut dice, &mut sheet.out);
        sheet.raw(" ");
    }
    // In the text as well as in the table: a change is a change of what a reader came for.
    let mut digits = PondDice::new(mix(key, version));
    sheet.raw("The last reading was ");
    number(1_000 + digits.below(9_000), &mut sheet.out);
    sheet.raw(".</p>\n<table>\n");
    for row in 0..ROWS {
        sheet.raw("<tr><td>").raw(about.nouns[row]).raw("</td><td>");
        number(1_000 + digits.below(9_000), &mut sheet.out);
        sheet.raw("</td></tr>\n");
    }
    sheet.raw("</table>\n").end_main();
    sheet.open_side();
    sheet.close();
    let mut page = sheet.into_page(title.as_bytes(), "live");
    page.version = version;
    page.modified = OPENING + changed_ms / 1_000;
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_only_grow_and_come_at_their_rate() {
        let mean = 1_000;
        let mut before = 0;
        for now in (0..640_000).step_by(250) {
            let (count, last) = version(9, mean, now);
            assert!(count >= before && last <= now);
            before = count;
        }
        assert_eq!(version(9, mean, 640_000 - 1).0, 640);
    }
}
