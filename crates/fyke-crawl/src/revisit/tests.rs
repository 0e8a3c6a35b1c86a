//! Rows and the times at which they are due.

use super::*;
use fyke_store::{Listed, Visit};

const HOUR: i64 = 3_600_000;
/// Thursday, 19 November 2026, 20:00 UTC.
const NOW: i64 = 1_795_118_400_000;

/// A page visited so many hours ago, newest first; those with a minus saw a change.
fn visited(url: &str, hours: &[i64]) -> Row {
    let visit = |hours: &i64| Visit { time: NOW - hours.abs() * HOUR, changed: *hours < 0 };
    let visits: Vec<Visit> = hours.iter().map(visit).collect();
    let (fetched, changed) =
        (visits.first().map(|visit| visit.time), visits.iter().filter(|v| v.changed).count());
    let (visited, changed) = (visits.len() as u32, changed as u32);
    Row {
        fetched,
        visits,
        visited,
        changed,
        status: 200,
        depth: 1,
        ..Row::new(url, Reason::Kept, 0)
    }
}

fn plan_of(rows: &[Row], options: &RevisitOptions) -> RevisitPlan {
    let mut census = RevisitCensus::default();
    rows.iter().for_each(|row| census.add(row));
    census.plan(options, NOW)
}

fn rows() -> Vec<Row> {
    (0..40)
        .map(|n| {
            let hours: Vec<i64> =
                (1..8).map(|v| if n % 4 == 0 { -v * 24 } else { v * 24 }).collect();
            visited(&format!("http://a.test/{n}"), &hours)
        })
        .collect()
}

#[test]
fn every_kind_has_its_row_once_and_only_what_was_fetched_is_due_again() {
    let kinds: Vec<RowKind> = KINDS.iter().map(|of| of.kind).collect();
    assert_eq!(kinds, RowKind::ALL);
    let plan = plan_of(&rows(), &RevisitOptions::by_age());
    let queued = Row::new("http://a.test/", Reason::Queued, 0);
    assert_eq!(next_visit(&queued, &plan), None);
    let refused = Row { reason: Reason::ScopeHost, ..visited("http://b.test/", &[5]) };
    assert_eq!(next_visit(&refused, &plan), None);
    let feed = Row {
        kind: RowKind::Feed,
        due: Some(17),
        reason: Reason::Type,
        ..visited("http://a.test/f", &[5])
    };
    assert_eq!(next_visit(&feed, &plan), Some(17));
    let hub =
        Row { kind: RowKind::Hub, due: Some(19), ..Row::new("http://h.test/", Reason::Dns, 0) };
    assert_eq!((hub.fetched, next_visit(&hub, &plan)), (None, Some(19)));
    assert_eq!(next_visit(&Row { due: None, ..hub }, &plan), None);
    let off = plan_of(&rows(), &RevisitOptions::default());
    assert_eq!(next_visit(&feed, &off), None);
}

#[test]
fn what_changes_more_often_is_due_sooner_and_on_average_as_often_as_asked_for() {
    let rows = rows();
    let plan = plan_of(&rows, &RevisitOptions::by_age());
    let waits: Vec<f64> = rows
        .iter()
        .map(|row| days(next_visit(row, &plan).expect("a time") - row.visits[0].time))
        .collect();
    assert!(waits[0] < 0.6 * waits[1], "{waits:?}");
    let a_day: f64 = waits.iter().map(|wait| 1.0 / wait).sum();
    assert!((a_day / (40.0 / 7.0) - 1.0).abs() < 0.15, "{a_day} requests a day");
    let few = RevisitOptions { per_day: Some(1), ..RevisitOptions::by_age() };
    let few = plan_of(&rows, &few);
    assert!(next_visit(&rows[0], &few) > next_visit(&rows[0], &plan));
}

#[test]
fn a_page_that_a_sitemap_calls_newer_is_due_at_once_unless_its_sitemap_lies() {
    let newer = |modified: &str| {
        let listed = Listed { modified: Some(modified.to_owned()), ..Listed::default() };
        Row { listed: Some(listed), ..visited("http://a.test/x", &[10, 34]) }
    };
    let plan = plan_of(&rows(), &RevisitOptions::by_age());
    let at_once =
        |row: &Row, plan: &RevisitPlan| next_visit(row, plan).is_some_and(|time| time < NOW);
    assert!(at_once(&newer("2026-11-19T18:00:00Z"), &plan));
    assert!(!at_once(&newer("2026-11-19T02:00:00+01:00"), &plan), "before the last visit");
    assert!(!at_once(&newer("soon"), &plan));
    assert!(!at_once(&newer("2099-01-01"), &plan), "a time to come");
    // Every visit so far that it announced found nothing new.
    let mut lies = rows();
    for row in &mut lies {
        let modified = Some("2026-11-19T07:00:00Z".to_owned());
        row.listed = Some(Listed { modified, ..Listed::default() });
        row.visits = visited(&row.url, &[10, 34]).visits;
    }
    let plan = plan_of(&lies, &RevisitOptions::by_age());
    assert!(!at_once(&newer("2026-11-19T18:00:00Z"), &plan));
}

#[test]
fn a_sitemaps_words_and_the_last_change_that_a_server_tells_move_the_rate() {
    let plan = plan_of(&[], &RevisitOptions::by_age());
    let plain = visited("http://a.test/x", &[24]);
    let listed =
        |change: &str| Some(Listed { change: Some(change.to_owned()), ..Listed::default() });
    let rate = |row: &Row| plan.rate(row);
    let daily = Row { listed: listed("daily"), ..plain.clone() };
    let yearly = Row { listed: listed("yearly"), ..plain.clone() };
    assert!(rate(&daily) > rate(&plain) && rate(&yearly) < rate(&plain));
    assert!(rate(&daily) < 0.2, "a word is no order: {}", rate(&daily));
    let told = |text: &str| Row { last_modified: Some(text.to_owned()), ..plain.clone() };
    let [new, old] = ["Wed, 18 Nov 2026 19:00:00 GMT", "Fri, 18 Nov 2016 19:00:00 GMT"].map(told);
    assert!(rate(&new) > 2.5 * rate(&plain) && rate(&old) < 0.05 * rate(&plain));
}

#[test]
fn failures_wait_longer_each_time_and_what_is_gone_is_looked_for_seldom() {
    let plan = plan_of(&rows(), &RevisitOptions::by_age());
    let waits: Vec<i64> = [1, 2, 3, 40].map(|n| plan.after_failures(n, 0) / HOUR).to_vec();
    assert_eq!(waits, [1, 2, 4, 60 * 24]);
    let gone = Row { reason: Reason::Gone, status: 404, ..visited("http://a.test/x", &[24]) };
    let at = next_visit(&gone, &plan).expect("a time");
    assert_eq!(days(at - gone.fetched.expect("a time")), 60.0);
}

#[test]
fn a_row_that_knows_of_no_visit_goes_by_its_last_fetch() {
    let capture = Some(fyke_store::Place { file: 0, offset: 0, length: 1 });
    let row = Row { visits: Vec::new(), visited: 0, capture, ..visited("http://a.test/x", &[24]) };
    let plan = plan_of(&rows(), &RevisitOptions::by_age());
    let at = next_visit(&row, &plan).expect("a time");
    assert!(at > row.fetched.expect("a time") && plan.worth(&row, at) > 0.0);
}

#[test]
fn times_of_sitemaps_are_read_in_each_of_their_forms() {
    for text in [
        "2026-11-19T20:00:00Z",
        "2026-11-19T21:00:00+01:00",
        "2026-11-19T20:00:00",
        "2026-11-19T20:00",
    ] {
        assert_eq!(w3c_time(text), Some(NOW), "{text}");
    }
    assert_eq!(w3c_time("2026-11-19"), Some(NOW - 20 * HOUR));
    assert_eq!(w3c_time("19.11.2026"), None);
}
