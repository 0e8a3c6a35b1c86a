//! What a study found, as one value for the terminal, the page and JSON: a row a method, and what 001 warns of
//! where it was seen.

use super::DrawTally;
use crate::plot::{Axis, FigureInterval, Mark, Plot};
use fyke_learn::size::{
    DrawnQuery, EngineSide, METHODS, SizeBias, SizeEvidence, SizeMethod, SizeQuantity,
    address_shares, servers_in_all, share_in_other,
};
use fyke_stages::show;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The latest report of a collection.
const FILE: &str = "report.json";
/// Bytes of a report that are read.
const MOST_BYTES: u64 = 4 << 20;

/// What a method found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeRow {
    pub method: String,
    pub what: String,
    /// Of what it is a figure.
    pub quantity: String,
    pub is_raw: bool,
    pub value: Option<f64>,
    /// 95 of 100 cases.
    pub interval: Option<(f64, f64)>,
    pub bootstrap: Option<(f64, f64)>,
    /// Queries, walks or servers that it rests on.
    pub number: usize,
    /// Why there is no figure.
    pub reason: Option<String>,
    /// In what ways it errs.
    pub biases: Vec<(String, String)>,
}

impl SizeRow {
    /// A number as people read it: a ratio with decimals, pages without.
    #[must_use]
    pub fn shown(&self, value: f64) -> String {
        match self.quantity == SizeQuantity::Ratio.name() {
            true => format!("{value:.3}"),
            false => show::count(value.round() as u64),
        }
    }

    /// The ends of an interval; empty for none.
    #[must_use]
    pub fn shown_ends(&self, ends: Option<(f64, f64)>) -> String {
        ends.map_or(String::new(), |(low, high)| {
            format!("{} – {}", self.shown(low), self.shown(high))
        })
    }
}

/// A share with its interval in per cent.
#[must_use]
pub fn shown_share(share: Option<[f64; 3]>) -> String {
    share.map_or("–".to_owned(), |[share, low, high]| {
        format!("{:.1} % ({:.1} to {:.1})", share * 100.0, low * 100.0, high * 100.0)
    })
}

/// How many of an engine's own pages are found again by so many words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresentShare {
    pub engine: String,
    pub words: usize,
    pub of: u64,
    pub there: u64,
    /// Hits of all these queries.
    pub hits: u64,
}

/// What stood at addresses, in the form of the source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AddressReport {
    pub drawn: u64,
    pub empty: u64,
    pub closed: u64,
    pub excluded: u64,
    pub servers: u64,
    pub pages: u64,
    pub servers_in_all: Option<[f64; 3]>,
    pub meta: Option<[f64; 3]>,
    pub dublin_core: Option<[f64; 3]>,
}

/// A study of two engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SizeReport {
    pub first: String,
    pub second: String,
    /// When it was made, in milliseconds since 1970.
    pub time: i64,
    /// Pages of an engine that can be counted.
    pub known: [Option<u64>; 2],
    pub rows: Vec<SizeRow>,
    /// The weighted share of each engine's pages that the other has, with its interval.
    pub shares: [Option<[f64; 3]>; 2],
    pub draws: [DrawTally; 2],
    pub strengths: Vec<PresentShare>,
    pub addresses: Option<AddressReport>,
    pub warnings: Vec<String>,
    /// Queries sent to each engine, and pages fetched.
    pub asked: [u64; 2],
    pub fetched: u64,
    /// Whether it was ended early, and by what.
    pub ended: Option<String>,
}

impl SizeReport {
    pub(super) fn of(
        evidence: &SizeEvidence,
        draws: [DrawTally; 2],
        strengths: Vec<PresentShare>,
    ) -> SizeReport {
        let mut warnings: Vec<String> = Vec::new();
        for (side, tally) in EngineSide::BOTH.into_iter().zip(&draws) {
            warn_of_draws(side, tally, evidence.from(side), &mut warnings);
        }
        warn_of_strengths(&strengths, &mut warnings);
        let addresses = (!evidence.addresses.is_empty()).then(|| {
            let shares = address_shares(&evidence.addresses);
            if shares.cut > 0 {
                warnings.push(format!(
                    "{} servers have more pages than were read: endless pages, or very large ones; the \
                     number of all pages is a lower bound",
                    shares.cut
                ));
            }
            AddressReport {
                drawn: shares.drawn,
                empty: shares.empty,
                closed: shares.closed,
                excluded: shares.excluded,
                servers: shares.servers,
                pages: shares.pages,
                servers_in_all: servers_in_all(evidence.space, &shares),
                meta: shares.meta,
                dublin_core: shares.dublin_core,
            }
        });
        SizeReport {
            known: evidence.known,
            rows: METHODS.iter().map(|method| row(method, evidence)).collect(),
            shares: EngineSide::BOTH.map(|side| share(evidence, side)),
            draws,
            strengths,
            addresses,
            warnings,
            ..SizeReport::default()
        }
    }

    /// Where studies of a collection are kept.
    #[must_use]
    pub fn folder(root: &Path) -> PathBuf {
        root.join("size")
    }

    /// Keeps it in the folder of studies, in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.persist(folder.join(FILE)).map(drop).map_err(|error| error.error)
    }

    /// The latest report of a collection; none when there is none, or it cannot be read.
    #[must_use]
    pub fn read(root: &Path) -> Option<SizeReport> {
        let path = SizeReport::folder(root).join(FILE);
        let is_small = std::fs::metadata(&path).is_ok_and(|file| file.len() <= MOST_BYTES);
        let text = is_small.then(|| std::fs::read(&path).ok()).flatten()?;
        serde_json::from_slice(&text).ok()
    }
}

fn row(method: &SizeMethod, evidence: &SizeEvidence) -> SizeRow {
    let figure = (method.estimate)(evidence);
    let named = |bias: &SizeBias| (bias.name().to_owned(), bias.explain().to_owned());
    let found = figure.ok();
    SizeRow {
        method: method.name.to_owned(),
        what: method.what.to_owned(),
        quantity: method.quantity.name().to_owned(),
        is_raw: method.is_raw,
        value: found.map(|figure| figure.value),
        interval: found.map(|figure| figure.interval),
        bootstrap: found.and_then(|figure| figure.bootstrap),
        number: found.map_or(0, |figure| figure.number),
        reason: figure.err().map(|why| why.explain().to_owned()),
        biases: method.biases.iter().map(named).collect(),
    }
}

/// The weighted share of an engine's pages that the other has.
fn share(evidence: &SizeEvidence, side: EngineSide) -> Option<[f64; 3]> {
    let figure = share_in_other(evidence, side, &[]).ok()?;
    let (low, high) = figure.interval;
    Some([figure.value, low, high].map(|share| share.min(1.0)))
}

fn warn_of_draws(
    side: EngineSide,
    tally: &DrawTally,
    drawn: &[DrawnQuery],
    warnings: &mut Vec<String>,
) {
    let DrawTally { queries, empty, cut, gone, wrong, poor } = *tally;
    let letter = side.letter();
    let mut warn = |some: u64, least: f64, what: &str| {
        if queries > 0 && some as f64 > least * queries as f64 {
            warnings.push(format!("{letter}: {some} of {queries} queries {what}"));
        }
    };
    warn(
        cut,
        0.2,
        "had more results than can be had (result cap): pages that match many are missing from the corrected figures; use rarer words (--rarer 4)",
    );
    warn(empty, 0.7, "found nothing: use more frequent words (--rarer 0.3)");
    warn(gone, 0.02, "gave a page that could not be had (gone, slow, or forbidden by robots.txt)");
    warn(
        wrong,
        0.05,
        "gave a page that does not hold the words: the engine matches other forms of words, other parts of pages, or not all words",
    );
    warn(
        poor,
        0.1,
        "gave a page with fewer than five words of the lexicon: such pages are not in the figures",
    );
    let pages: Vec<_> = drawn.iter().filter_map(|query| query.page).collect();
    let copies = pages
        .iter()
        .filter(|page| [page.home, page.other].contains(&fyke_learn::size::Presence::Copy))
        .count();
    if copies * 20 > pages.len() {
        warnings.push(format!(
            "{letter}: of {copies} of {} pages a near-copy was found in the place of the page: mirrors, or \
             soft 404 pages that are all alike",
            pages.len()
        ));
    }
    let deep = pages.iter().filter(|page| page.depth > 8).count();
    if deep * 10 > pages.len() {
        warnings.push(format!(
            "{letter}: {deep} of {} pages lie more than eight steps deep: endless pages, as of calendars",
            pages.len()
        ));
    }
}

fn warn_of_strengths(strengths: &[PresentShare], warnings: &mut Vec<String>) {
    for row in strengths.iter().filter(|row| row.words == 8 && row.there * 20 < row.of * 19) {
        warnings.push(format!(
            "{}: {} of {} of its own pages are found again by eight words: the engine takes part of pages \
             or of queries only; shares are corrected by what it finds of its own",
            row.engine, row.there, row.of
        ));
    }
}

/// A plot for each quantity that some method has a figure of.
#[must_use]
pub fn size_plots(report: &SizeReport) -> Vec<Plot> {
    let quantities =
        [SizeQuantity::Ratio, SizeQuantity::First, SizeQuantity::Second, SizeQuantity::Web];
    quantities.into_iter().filter_map(|quantity| size_plot(report, quantity)).collect()
}

/// The figures of one quantity with their intervals.
fn size_plot(report: &SizeReport, quantity: SizeQuantity) -> Option<Plot> {
    let rows: Vec<&SizeRow> = report
        .rows
        .iter()
        .filter(|row| row.quantity == quantity.name() && row.value.is_some())
        .collect();
    if rows.is_empty() {
        return None;
    }
    // The first method stands at the top.
    let names: Vec<String> = rows.iter().rev().map(|row| row.method.clone()).collect();
    let of = |is_raw: bool| {
        let rows = rows.iter().rev().enumerate().filter(|(_, row)| row.is_raw == is_raw);
        let figure = |(at, row): (usize, &&SizeRow)| {
            let (value, (low, high)) = (row.value?, row.interval?);
            Some(FigureInterval { at: at as f64, value, low, high })
        };
        rows.filter_map(figure).collect::<Vec<_>>()
    };
    let marks = [("corrected", of(false)), ("raw", of(true))].into_iter();
    let marks = marks.filter(|(_, figures)| !figures.is_empty());
    let mut marks: Vec<Mark> = marks
        .map(|(label, figures)| Mark::Intervals { label: label.to_owned(), figures })
        .collect();
    if quantity == SizeQuantity::Ratio {
        marks.push(Mark::Marker { label: "equal size".to_owned(), at: 1.0 });
    }
    let title = match quantity {
        SizeQuantity::Ratio => "|A| / |B| by each method, 95 % intervals".to_owned(),
        other => format!("{}: number by each method, 95 % intervals", other.name()),
    };
    Some(Plot { title, x: Axis::log(quantity.name()), y: Axis::named(&names), marks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_back_as_it_was_written_and_rubbish_is_none() {
        let root = tempfile::tempdir().unwrap();
        let folder = SizeReport::folder(root.path());
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(SizeReport::read(root.path()), None);
        let report = SizeReport::of(&SizeEvidence::default(), Default::default(), Vec::new());
        assert_eq!(report.rows.len(), METHODS.len());
        assert!(report.rows.iter().all(|row| row.reason.is_some() && !row.biases.is_empty()));
        report.write(&folder).unwrap();
        assert_eq!(SizeReport::read(root.path()), Some(report));
        std::fs::write(folder.join(FILE), "{").unwrap();
        assert_eq!(SizeReport::read(root.path()), None);
    }

    #[test]
    fn what_the_source_warns_of_is_said_where_it_was_seen() {
        let tally = DrawTally { queries: 100, empty: 80, cut: 30, gone: 9, wrong: 9, poor: 50 };
        let strengths =
            vec![PresentShare { engine: "B".to_owned(), words: 8, of: 20, there: 10, hits: 30 }];
        let said = SizeReport::of(&SizeEvidence::default(), [tally, tally], strengths).warnings;
        for word in ["result cap", "found nothing", "robots.txt", "other forms", "eight words"] {
            assert!(said.iter().any(|warning| warning.contains(word)), "{word}: {said:?}");
        }
        let quiet = SizeReport::of(&SizeEvidence::default(), Default::default(), Vec::new());
        assert_eq!(quiet.warnings, [""; 0]);
    }

    #[test]
    fn figures_are_drawn_with_their_intervals() {
        let mut report = SizeReport::of(&SizeEvidence::default(), Default::default(), Vec::new());
        assert!(size_plot(&report, SizeQuantity::Ratio).is_none());
        report.rows[1] =
            SizeRow { value: Some(0.5), interval: Some((0.3, 0.8)), ..report.rows[1].clone() };
        let plot = size_plot(&report, SizeQuantity::Ratio).unwrap();
        let svg = plot.svg();
        assert!(svg.contains("overlap") && svg.contains("<circle"), "{svg}");
    }
}
