//! Dates, sums of money and addresses in the notices of the pond, as `fyke text --annotate` finds them (003 §4.6): one is
//! right when its kind and its words are; a dot behind it may belong to the sentence.

use super::report::{BenchReport, Figure};
use fyke_formats::open;
use fyke_pond::notices::{Notice, NoticeKind, Notices};
use fyke_text::entity::{EntityKind, entities};
use fyke_web::document::ReadContent;
use fyke_web::{Capture, REFINERS, Url};
use std::ops::Range;

/// The patterns were written on seeds 1 and 2.
const SEEDS: std::ops::RangeInclusive<u64> = 101..=105;
const KINDS: [(NoticeKind, EntityKind, &str); 3] = [
    (NoticeKind::Date, EntityKind::Date, "notices: dates"),
    (NoticeKind::Money, EntityKind::Money, "notices: money"),
    (NoticeKind::Address, EntityKind::Address, "notices: addresses"),
];

/// Parts of a kind that were found, that are there, and both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PartCounts {
    found: usize,
    there: usize,
    right: usize,
}

/// Adds a row for each kind.
pub(crate) fn add(report: &mut BenchReport) -> anyhow::Result<()> {
    let mut counts = [PartCounts::default(); KINDS.len()];
    for notice in SEEDS.flat_map(|seed| Notices { seed }.all()) {
        count(&main_text(&notice)?, &notice, &mut counts);
    }
    for ((.., label), counts) in KINDS.iter().zip(counts) {
        let PartCounts { found, there, right } = counts;
        let share = |of: usize| right as f64 / of.max(1) as f64;
        let f1 = 2. * right as f64 / (found + there).max(1) as f64;
        let figure = |name: &'static str, value: f64| Figure { name, value, unit: "" };
        let row = [("precision", share(found)), ("recall", share(there)), ("f1", f1)];
        report.labels.push((*label).to_owned());
        report.series.push(row.map(|(name, value)| figure(name, value)).to_vec());
    }
    Ok(())
}

fn main_text(notice: &Notice) -> anyhow::Result<String> {
    let url = Url::parse(&notice.url).map_err(|why| anyhow::anyhow!("{}: {why}", notice.url))?;
    let capture = Capture {
        url,
        time: 0,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        payload: notice.html.clone().into_bytes(),
        truncated: None,
    };
    let ReadContent { found, .. } = open(&capture).content(&REFINERS[0]);
    Ok(found.text)
}

fn count(text: &str, notice: &Notice, counts: &mut [PartCounts]) {
    let found = entities(text);
    let mut at = 0;
    // Where each part stands; one that the main text lacks is missed.
    let true_parts: Vec<(NoticeKind, Option<Range<usize>>)> = notice
        .parts
        .iter()
        .map(|part| {
            let from = text.get(at..).and_then(|rest| rest.find(&part.text)).map(|from| from + at);
            at = from.map_or(at, |from| from + part.text.len());
            (part.kind, from.map(|from| from..from + bare(&part.text).len()))
        })
        .collect();
    for ((kind, entity, _), counts) in KINDS.iter().zip(counts) {
        let found = found.iter().filter(|one| one.kind == *entity);
        let found: Vec<Range<usize>> =
            found.map(|one| one.from..one.from + bare(&text[one.from..one.to]).len()).collect();
        let there = true_parts.iter().filter(|(of, _)| of == kind);
        let is_right = |place: &Option<Range<usize>>| {
            place.as_ref().is_some_and(|place| found.contains(place))
        };
        counts.found += found.len();
        counts.there += there.clone().count();
        counts.right += there.filter(|(_, place)| is_right(place)).count();
    }
}

fn bare(text: &str) -> &str {
    text.trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_pond::notices::NoticePart;

    #[test]
    fn a_part_is_right_when_its_kind_and_its_words_are() {
        let part = |kind, text: &str| NoticePart { kind, text: text.to_owned() };
        let parts = vec![
            part(NoticeKind::Date, "May 3, 2019"),
            part(NoticeKind::Address, "5 Elm St."),
            part(NoticeKind::Money, "three crowns"),
        ];
        let notice = Notice { parts, ..Notice::default() };
        let mut counts = [PartCounts::default(); 3];
        let text = "On May 3, 2019 the shop at 5 Elm St. took three crowns and $5.";
        count(text, &notice, &mut counts);
        let one = PartCounts { found: 1, there: 1, right: 1 };
        assert_eq!(counts, [one, PartCounts { right: 0, ..one }, one]);
    }
}
