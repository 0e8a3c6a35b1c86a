//! A harvest in words and as a plot, for the command line and the page of the crawl.

use super::Harvested;
use crate::plot::{Axis, Mark, Plot};
use fyke_stages::show;

/// Shares of the pages about the subject whose cost is told.
const SHARES: [u64; 3] = [25, 50, 75];

/// The curve of a harvest beside that of breadth-first.
#[must_use]
pub fn plot(found: &Harvested) -> Plot {
    let points = |curve: &[(u64, u64)]| {
        let start = std::iter::once(&(0, 0));
        start.chain(curve).map(|p| (p.0 as f64, p.1 as f64)).collect()
    };
    let marks = vec![
        Mark::Line { label: "this crawl".to_owned(), points: points(&found.curve) },
        Mark::Model {
            label: "breadth-first over the same pages".to_owned(),
            points: points(&found.breadth_first),
        },
    ];
    let (x, y) = (Axis::linear("pages fetched"), Axis::linear("about the subject"));
    Plot { title: "Pages about the subject, as they were found".to_owned(), x, y, marks }
}

/// What was found, what it took, and what is left: names and values.
#[must_use]
pub fn rows(found: &Harvested) -> Vec<(String, String)> {
    let share =
        |part: u64, whole: u64| format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64);
    let row = |name: &str, value: String| (name.to_owned(), value);
    let mut rows = vec![
        row("pages fetched", show::count(found.pages)),
        row("about the subject", show::count(found.on)),
        row("harvest rate", share(found.on, found.pages)),
        row("of the last 500 pages", share(found.late_on, found.late_pages)),
    ];
    // Of nothing no share is ever reached.
    for percent in SHARES.into_iter().filter(|_| found.on > 0) {
        let (here, there) = (reach(&found.curve, percent), reach(&found.breadth_first, percent));
        let value = format!("{} pages; breadth-first {}", show::count(here), show::count(there));
        rows.push(row(&format!("{percent} % of them after"), value));
    }
    let queued = show::count(found.queued);
    rows.push(row("waiting", format!("{queued}, about {:.0} on the subject", found.queued_on)));
    rows.push(row("on the subject in all", in_all(found)));
    rows
}

fn in_all(found: &Harvested) -> String {
    match (found.all, found.all_between) {
        (Some(all), Some((least, most))) => {
            let between = format!("{least:.0} to {most:.0}");
            format!("about {all:.0} ({between}) by its own judgement, that other hosts link to")
        }
        _ => format!("cannot say: {}", found.unknown.unwrap_or("nothing was fetched")),
    }
}

/// Pages fetched until so many per cent of those about the subject were there.
fn reach(curve: &[(u64, u64)], percent: u64) -> u64 {
    let all = curve.last().map_or(0, |point| point.1);
    let enough = |point: &&(u64, u64)| point.1 * 100 >= all * percent;
    curve.iter().find(enough).map_or(0, |point| point.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_reached_where_the_curve_says() {
        let curve = [(10, 2), (20, 5), (30, 6), (40, 8)];
        assert_eq!([25, 50, 75, 100].map(|percent| reach(&curve, percent)), [10, 20, 30, 40]);
        assert_eq!(reach(&[], 50), 0);
    }

    #[test]
    fn a_harvest_without_an_estimate_says_why() {
        let found = Harvested { unknown: Some("too few"), ..Harvested::default() };
        let rows = rows(&found);
        assert_eq!(rows.last().map(|row| row.1.as_str()), Some("cannot say: too few"));
        assert!(plot(&found).svg().contains("breadth-first"));
    }

    #[test]
    fn a_harvest_of_nothing_has_no_shares_that_were_reached() {
        let barren = Harvested { pages: 2, curve: vec![(1, 0), (2, 0)], ..Harvested::default() };
        let names =
            |found: &Harvested| rows(found).into_iter().map(|row| row.0).collect::<Vec<_>>();
        assert!(!names(&barren).iter().any(|name| name.contains("of them after")), "{barren:?}");
        let found = Harvested { on: 1, curve: vec![(1, 0), (2, 1)], ..barren };
        assert!(names(&found).contains(&"25 % of them after".to_owned()));
    }
}
