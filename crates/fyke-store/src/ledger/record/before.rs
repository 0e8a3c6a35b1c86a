//! Records of rows as earlier versions wrote them (kinds 1, 2, 3, 7 and 8): read for ever, written never.
//! What they say in words alone (that a URL is a sitemap, how far it lies off the subject, that its host was
//! given up) is read out of the words here and nowhere else.
//!
//! | kind | fields |
//! |---|---|
//! | 1 found | id, reason, the whole row |
//! | 2 state | id, reason, position before, position of the origin, what may change |
//! | 3 whole | id, reason, position before, the whole row |
//! | 7 found | as 1, and what a sitemap said of the URL |
//! | 8 whole | as 3, and what a sitemap said of the URL |

use super::super::{Listed, Row, RowKind};
use super::{UrlRecord, UrlRecordHead, decode, fields, word};
use crate::log::Position;
use crate::{Place, Reason};
use fyke_web::UrlId;
use serde::Deserialize;

/// What stands in a record after its fixed fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    Row,
    RowAndListed,
    Change,
}

/// A whole row.
#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
struct WholeBefore {
    url: String,
    reason: Reason,
    parent: Option<UrlId>,
    depth: u16,
    priority: u8,
    found: i64,
    fetched: Option<i64>,
    status: u16,
    tries: u16,
    capture: Option<Place>,
    digest: Option<[u8; 16]>,
    redirect: Option<String>,
    detail: String,
}

/// What may change about a URL.
#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
struct ChangeBefore {
    depth: u16,
    priority: u8,
    fetched: Option<i64>,
    status: u16,
    tries: u16,
    capture: Option<Place>,
    digest: Option<[u8; 16]>,
    redirect: Option<String>,
    detail: String,
}

/// Reads the fixed fields of a record; none when it is of no known kind.
pub(super) fn read(kind: u8, body: &[u8]) -> Option<UrlRecord<'_>> {
    let (layout, positions) = match kind {
        1 => (Earlier::Row, 0),
        2 => (Earlier::Change, 2),
        3 => (Earlier::Row, 1),
        7 => (Earlier::RowAndListed, 0),
        8 => (Earlier::RowAndListed, 1),
        _ => return None,
    };
    let UrlRecordHead { id, reason, mut body } = UrlRecordHead::read(body)?;
    let mut found = [None; 2];
    for place in found.iter_mut().take(positions) {
        let (position, rest) = word(body)?;
        (*place, body) = (Some(Position(position)), rest);
    }
    let ([before, origin], layout) = (found, super::RowLayout::Before(layout));
    Some(UrlRecord { id, reason, before, origin, layout, body })
}

/// The row of a record that holds all of it, or of it only what a state leaves as it is.
pub(super) fn row(layout: Earlier, body: &[u8], is_origin: bool) -> Option<Row> {
    let (whole, listed): (WholeBefore, Option<Listed>) = match layout {
        Earlier::Row => (decode(body)?, None),
        Earlier::RowAndListed => {
            let (row, said): (WholeBefore, Listed) = decode(body)?;
            (row, Some(said).filter(|said| *said != Listed::default()))
        }
        Earlier::Change => return None,
    };
    let WholeBefore { url, reason, parent, depth, priority, found, .. } = whole;
    let origin = Row { url, parent, found, listed, ..fields::blank(reason) };
    if is_origin {
        return Some(origin);
    }
    let WholeBefore { fetched, status, tries, capture, digest, redirect, detail, .. } = whole;
    let state =
        ChangeBefore { depth, priority, fetched, status, tries, capture, digest, redirect, detail };
    Some(state.after(origin))
}

/// The row of a state, on what its origin gave.
pub(super) fn row_after(body: &[u8], origin: Row) -> Option<Row> {
    decode::<ChangeBefore>(body).map(|change| change.after(origin))
}

impl ChangeBefore {
    fn after(self, origin: Row) -> Row {
        let ChangeBefore { depth, priority, fetched, status, tries, .. } = self;
        let ChangeBefore { capture, digest, redirect, detail, .. } = self;
        let kind = kind(origin.reason, &detail);
        let off_subject = off_subject(&detail);
        let given_up = detail.starts_with(GIVEN_UP);
        let row = Row { depth, priority, fetched, status, tries, capture, digest, ..origin };
        Row { redirect, detail, kind, off_subject, given_up, ..row }
    }
}

/// Where the words stood that made a URL a sitemap: while it waited, once it was read, and when its host
/// named too many.
const OF_SITEMAPS: [Reason; 3] = [Reason::Queued, Reason::Type, Reason::BudgetHost];

fn kind(reason: Reason, detail: &str) -> RowKind {
    let is_said = detail == "sitemap" || detail.starts_with("sitemap: ");
    if is_said && OF_SITEMAPS.contains(&reason) { RowKind::Sitemap } else { RowKind::Page }
}

/// "1 page off the subject on the way", "3 pages off the subject on the way".
fn off_subject(detail: &str) -> Option<u16> {
    let number = detail.strip_suffix(" off the subject on the way")?;
    let (number, _) = number.split_once(' ')?;
    number.parse().ok()
}

const GIVEN_UP: &str = "host given up for this run: ";

#[cfg(test)]
mod tests {
    use super::super::{LedgerRecord, found, read, state};
    use super::*;

    // Records that the version before wrote, taken out of the log of a crawl.
    const FOUND: &str = "0143e2691579f9fd1a0113687474703a2f2f6d6172696e652e746573742f01000001babbfac8bd68\
                         00000000000000";
    const KEPT: &str = "0243e2691579f9fd1a0008000000000000000800000000000000000101ccbbfac8bd68c801010100ad\
                        069f10019ef6368827f03a6c57d5b9024a44c1540000";
    const LISTED: &str = "0843e2691579f9fd1a00710700000000000013687474703a2f2f6d6172696e652e746573742f0000\
                          0001babbfac8bd6801ccbbfac8bd68c801010100ad069f10019ef6368827f03a6c57d5b9024a44c15\
                          40000010a323032342d30312d30310000";
    const SITEMAP: &str = "022e65cbfe99cebfe620ee06000000000000ee06000000000000000101debbfac8bd68c801010100\
                           ae54f90301c37f915359d0ad293ef981be32a4e122001b736974656d61703a20302055524c732c20\
                           3320736974656d617073";
    const OFF: &str = "01e5f5a6655c58c12a2535687474703a2f2f6372616674732e746573742f70726f6a656374732f736c65\
                       657065722d747261696e2d7265766976616c2d3135382501f782ffc1d2bea9973f020882c6fac8bd6800\
                       000000000021312070616765206f666620746865207375626a656374206f6e2074686520776179";

    /// When the first of them was written.
    const FOUND_AT: i64 = 1_794_970_177_245;

    fn bytes(hex: &str) -> Vec<u8> {
        let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
        (0..hex.len()).step_by(2).map(digit).collect()
    }

    /// The row of a record, on another row where it is a state.
    fn row_of(record: &[u8], origin: Option<Row>) -> Row {
        let Some(LedgerRecord::Url(record)) = read(record) else { panic!("about no URL") };
        let row = match origin {
            None => record.row(),
            Some(origin) => record.row_after(origin),
        };
        row.expect("a row")
    }

    fn check(hex: &str, origin: Option<&Row>, expected: &Row) {
        assert_eq!(row_of(&bytes(hex), origin.cloned()), *expected);
    }

    fn seed() -> Row {
        Row::new("http://marine.test/", Reason::Queued, 1_795_000_000_000)
    }

    #[test]
    fn rows_of_the_version_before_are_read_from_its_bytes() {
        let found = row_of(&bytes(FOUND), None);
        check(FOUND, None, &Row { found: FOUND_AT, ..seed() });
        let digest = bytes("9ef6368827f03a6c57d5b9024a44c154").try_into().ok();
        let kept = Row {
            reason: Reason::Kept,
            fetched: Some(FOUND_AT + 9),
            status: 200,
            tries: 1,
            capture: Some(Place { file: 0, offset: 813, length: 2079 }),
            digest,
            ..found.clone()
        };
        check(KEPT, Some(&found), &kept);
        let said = Listed { modified: Some("2024-01-01".to_owned()), ..Listed::default() };
        check(LISTED, None, &Row { listed: Some(said), ..kept.clone() });
        let silent = LISTED.replace("010a323032342d30312d30310000", "000000");
        check(&silent, None, &kept);
    }

    #[test]
    fn what_the_version_before_said_in_words_becomes_a_kind_and_numbers() {
        let map = row_of(&bytes(SITEMAP), Some(seed()));
        assert_eq!((map.reason, map.kind), (Reason::Type, RowKind::Sitemap));
        assert_eq!((map.detail.as_str(), map.given_up), ("sitemap: 0 URLs, 3 sitemaps", false));
        let off = row_of(&bytes(OFF), None);
        assert_eq!((off.reason, off.kind), (Reason::ScopeSubject, RowKind::Page));
        assert_eq!((off.off_subject, off.depth, off.priority), (Some(1), 2, 8));
        let told = |reason: Reason, detail: &str| {
            let record = change(&Row { reason, detail: detail.to_owned(), ..seed() });
            let row = row_of(&record, Some(seed()));
            assert_eq!(row.detail, detail, "people still read it");
            (row.kind, row.off_subject, row.given_up)
        };
        let page = RowKind::Page;
        assert_eq!(told(Reason::Queued, "sitemap"), (RowKind::Sitemap, None, false));
        assert_eq!(told(Reason::ScopePath, "sitemap"), (page, None, false));
        let many = "17 pages off the subject on the way";
        assert_eq!(told(Reason::Queued, many), (page, Some(17), false));
        let silent = "host given up for this run: refused";
        assert_eq!(told(Reason::Connect, silent), (page, None, true));
        assert_eq!(told(Reason::Offtopic, "relevance 0.12"), (page, None, false));
    }

    fn head(kind: u8, row: &Row, positions: &[u64]) -> Vec<u8> {
        let mut head = [&[kind][..], &7u64.to_le_bytes(), &[row.reason as u8]].concat();
        positions.iter().for_each(|position| head.extend(position.to_le_bytes()));
        head
    }

    /// A state as the version before wrote it.
    fn change(row: &Row) -> Vec<u8> {
        let Row { depth, priority, fetched, status, tries, capture, digest, .. } = *row;
        let (redirect, detail) = (row.redirect.clone(), row.detail.clone());
        let change = ChangeBefore {
            depth,
            priority,
            fetched,
            status,
            tries,
            capture,
            digest,
            redirect,
            detail,
        };
        postcard::to_extend(&change, head(2, row, &[900_000, 900_000])).expect("it encodes")
    }

    /// A found row as the version before wrote it.
    fn whole(row: &Row) -> Vec<u8> {
        let Row { reason, parent, depth, priority, found, fetched, .. } = *row;
        let Row { status, tries, capture, digest, .. } = *row;
        let (url, redirect, detail) = (row.url.clone(), row.redirect.clone(), row.detail.clone());
        #[rustfmt::skip]
        let whole = WholeBefore {
            url, reason, parent, depth, priority, found, fetched, status, tries, capture, digest,
            redirect, detail,
        };
        postcard::to_extend(&whole, head(1, row, &[])).expect("it encodes")
    }

    #[test]
    fn a_plain_row_takes_no_more_bytes_than_before() {
        let parent = Some(UrlId(0x9E37_79B9_7F4A_7C15));
        let queued = Row { parent, depth: 3, priority: 4, ..seed() };
        let position = Position(900_000);
        let mut kept = Row { reason: Reason::Kept, status: 200, tries: 1, ..queued.clone() };
        kept.fetched = Some(kept.found + 60_000);
        kept.capture = Some(Place { file: 2, offset: 90_000_000, length: 9_000 });
        let capture = fyke_web::Capture {
            url: fyke_web::Url::parse(&kept.url).expect("a URL"),
            time: 0,
            status: 200,
            headers: Vec::new(),
            payload: Vec::new(),
            truncated: None,
        };
        kept.take_answer(&capture, [0xAB; 16]);
        assert_eq!((kept.visits.len(), kept.visited, kept.changed), (1, 1, 1));
        let now = [found(UrlId(7), &queued), state(UrlId(7), &kept, position, position)];
        let before = [whole(&queued), change(&kept)];
        let sizes = [&now, &before].map(|records| records.each_ref().map(Vec::len));
        assert_eq!(row_of(&before[0], None), queued, "it is the old form");
        assert_eq!(row_of(&now[1], Some(queued)), kept);
        assert_eq!(sizes, [[53, 60], [57, 65]], "now, before");
    }
}
