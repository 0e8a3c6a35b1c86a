//! The fields of a row as they stand on disk, one line each. A record's body is a sequence of fields: a
//! key (the tag, and in its lowest bit whether bytes follow or a number), then the number, or the length
//! and the bytes; keys, numbers and lengths are varints. A field that has its default is not written; one
//! of an unknown tag is skipped.
//!
//! A tag never gets another meaning. A new field is a new tag: a member of [`Row`] and a line here. Where
//! the content lies in a file of the disk and not in a WARC record, a tag beside `capture` will say so.

use super::super::rendering::Rendering;
use super::super::row::{FedText, FeedVisits, MOST_VISITS, Row, RowKind, Visit};
use crate::{Place, Reason};
use fyke_web::UrlId;
use std::borrow::Cow;

/// What a field holds, as it stands in a record.
#[derive(Debug)]
pub(super) enum Encoded<'a> {
    Number(u64),
    Bytes(Cow<'a, [u8]>),
}

/// Which record holds a field: the one that took the URL in, or each that says how it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Belongs {
    Origin,
    State,
}

/// One field of a row.
pub(super) struct RowField {
    pub(super) tag: u8,
    #[cfg_attr(not(test), expect(dead_code, reason = "the table is read by people, too"))]
    pub(super) name: &'static str,
    pub(super) belongs: Belongs,
    /// The field of a row; none when it has its default.
    pub(super) get: fn(&Row) -> Option<Encoded<'_>>,
    /// Sets it in a row whose fields before it are set; none when it cannot be what was written.
    pub(super) set: fn(&mut Row, Encoded<'_>) -> Option<()>,
}

const fn field(
    tag: u8,
    name: &'static str,
    belongs: Belongs,
    get: fn(&Row) -> Option<Encoded<'_>>,
    set: fn(&mut Row, Encoded<'_>) -> Option<()>,
) -> RowField {
    RowField { tag, name, belongs, get, set }
}

use Belongs::{Origin, State};

/// Every field, in the order in which they are written.
#[rustfmt::skip]
pub(super) const FIELDS: [RowField; 33] = [
    field(1, "url", Origin, |row| text(&row.url), |row, it| it.text().map(|it| row.url = it)),
    field(2, "parent", Origin, |row| row.parent.map(|id| Encoded::Number(id.0)), |row, it| it.number().map(|it| row.parent = Some(UrlId(it)))),
    field(3, "found", Origin, |row| number(zigzag(row.found)), |row, it| it.time().map(|it| row.found = it)),
    field(4, "listed.modified", Origin, |row| text_of(&row.listed.as_ref()?.modified), |row, it| it.text().map(|it| row.listed.get_or_insert_default().modified = Some(it))),
    field(5, "listed.change", Origin, |row| text_of(&row.listed.as_ref()?.change), |row, it| it.text().map(|it| row.listed.get_or_insert_default().change = Some(it))),
    field(6, "listed.priority", Origin, |row| some(row.listed.as_ref()?.priority), |row, it| it.small().map(|it| row.listed.get_or_insert_default().priority = Some(it))),
    field(24, "redirects", Origin, |row| number(row.redirects), |row, it| it.small().map(|it| row.redirects = it)),
    field(7, "kind", State, |row| number(row.kind as u64), set_kind),
    field(8, "depth", State, |row| number(row.depth), |row, it| it.small().map(|it| row.depth = it)),
    field(9, "priority", State, |row| (row.priority != 1).then_some(Encoded::Number(row.priority.into())), |row, it| it.small().map(|it| row.priority = it)),
    field(10, "fetched", State, |row| row.fetched.map(|time| Encoded::Number(zigzag(time))), |row, it| it.time().map(|it| row.fetched = Some(it))),
    field(11, "status", State, |row| number(row.status), |row, it| it.small().map(|it| row.status = it)),
    field(12, "tries", State, |row| number(row.tries), |row, it| it.small().map(|it| row.tries = it)),
    field(13, "capture", State, |row| row.capture.map(encode_place), |row, it| decode_place(&it.bytes()?).map(|it| row.capture = Some(it))),
    field(14, "digest", State, |row| row.digest.as_ref().map(|it| Encoded::Bytes(Cow::Borrowed(it))), |row, it| it.bytes()?.as_ref().try_into().ok().map(|it| row.digest = Some(it))),
    field(15, "redirect", State, |row| text_of(&row.redirect), |row, it| it.text().map(|it| row.redirect = Some(it))),
    field(16, "detail", State, |row| text(&row.detail), |row, it| it.text().map(|it| row.detail = it)),
    field(17, "off_subject", State, |row| some(row.off_subject), |row, it| it.small().map(|it| row.off_subject = Some(it))),
    field(18, "given_up", State, |row| number(u64::from(row.given_up)), |row, it| it.number().map(|it| row.given_up = it != 0)),
    field(19, "etag", State, |row| text_of(&row.etag), |row, it| it.text().map(|it| row.etag = Some(it))),
    field(20, "last_modified", State, |row| text_of(&row.last_modified), |row, it| it.text().map(|it| row.last_modified = Some(it))),
    field(21, "visits", State, encode_visits, |row, it| decode_visits(row, &it.bytes()?)),
    field(22, "visited", State, |row| (row.visited != visited(row)).then_some(Encoded::Number(row.visited.into())), |row, it| it.small().map(|it| row.visited = it)),
    field(23, "changed", State, |row| (row.changed != changed(row)).then_some(Encoded::Number(row.changed.into())), |row, it| it.small().map(|it| row.changed = it)),
    field(25, "on_copy", Origin, |row| number(u64::from(row.on_copy)), |row, it| it.number().map(|it| row.on_copy = it != 0)),
    field(26, "due", State, |row| row.due.map(|time| Encoded::Number(zigzag(time))), |row, it| it.time().map(|it| row.due = Some(it))),
    field(27, "missed", State, |row| number(row.missed), |row, it| it.small().map(|it| row.missed = it)),
    field(28, "failed", State, |row| number(row.failed), |row, it| it.small().map(|it| row.failed = it)),
    field(30, "fed", State, |row| row.fed.map(encode_fed), |row, it| decode_fed(&it.bytes()?).map(|it| row.fed = Some(it))),
    field(31, "feed", State, |row| row.feed.map(encode_feed), |row, it| decode_feed(&it.bytes()?).map(|it| row.feed = Some(it))),
    field(36, "lies", State, |row| number(u64::from(row.lies)), |row, it| it.number().map(|it| row.lies = it != 0)),
    field(35, "rendering", State, |row| row.rendering.map(|it| Encoded::Number(it.number())), |row, it| it.number().map(|it| row.rendering = Rendering::of_number(it))),
    field(34, "private", State, |row| number(u64::from(row.private)), |row, it| it.number().map(|it| row.private = it != 0)),
];

/// Tags that have a place in [`BY_TAG`].
const TAGS: usize = 64;

/// Where each tag stands in the table, and one past it for those that do not.
const BY_TAG: [usize; TAGS] = {
    let mut places = [FIELDS.len(); TAGS];
    let mut at = 0;
    while at < FIELDS.len() {
        places[FIELDS[at].tag as usize] = at;
        at += 1;
    }
    places
};

/// Writes the fields of a row: all, or those of a state alone.
pub(super) fn write(out: &mut Vec<u8>, row: &Row, is_state: bool) {
    for field in &FIELDS {
        if is_state && field.belongs == Origin {
            continue;
        }
        let tag = u64::from(field.tag) << 1;
        match (field.get)(row) {
            None => {}
            Some(Encoded::Number(number)) => {
                write_varint(out, tag);
                write_varint(out, number);
            }
            Some(Encoded::Bytes(bytes)) => {
                write_varint(out, tag | 1);
                write_varint(out, bytes.len() as u64);
                out.extend_from_slice(&bytes);
            }
        }
    }
}

/// Sets the fields of a body in a row, all or those that belong there alone; none when the body is broken.
pub(super) fn read(mut body: &[u8], row: &mut Row, only: Option<Belongs>) -> Option<()> {
    while !body.is_empty() {
        let (key, rest) = varint(body)?;
        let (number, rest) = varint(rest)?;
        let value;
        (value, body) = match key & 1 {
            0 => (Encoded::Number(number), rest),
            _ => {
                let (bytes, rest) = rest.split_at_checked(usize::try_from(number).ok()?)?;
                (Encoded::Bytes(Cow::Borrowed(bytes)), rest)
            }
        };
        let place = usize::try_from(key >> 1).ok().and_then(|tag| BY_TAG.get(tag));
        if let Some(field) = place.and_then(|place| FIELDS.get(*place))
            && only.is_none_or(|only| only == field.belongs)
        {
            (field.set)(row, value)?;
        }
    }
    Some(())
}

/// A row of which nothing is known but its reason.
pub(super) fn blank(reason: Reason) -> Row {
    Row::new("", reason, 0)
}

impl<'a> Encoded<'a> {
    fn number(self) -> Option<u64> {
        match self {
            Encoded::Number(number) => Some(number),
            Encoded::Bytes(_) => None,
        }
    }

    fn small<T: TryFrom<u64>>(self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    fn time(self) -> Option<i64> {
        self.number().map(unzigzag)
    }

    fn text(self) -> Option<String> {
        String::from_utf8(self.bytes()?.into_owned()).ok()
    }

    fn bytes(self) -> Option<Cow<'a, [u8]>> {
        match self {
            Encoded::Number(_) => None,
            Encoded::Bytes(bytes) => Some(bytes),
        }
    }
}

fn number<'a>(number: impl Into<u64>) -> Option<Encoded<'a>> {
    let number = number.into();
    (number != 0).then_some(Encoded::Number(number))
}

fn some<'a>(number: Option<impl Into<u64>>) -> Option<Encoded<'a>> {
    number.map(|number| Encoded::Number(number.into()))
}

fn text(text: &str) -> Option<Encoded<'_>> {
    (!text.is_empty()).then_some(Encoded::Bytes(Cow::Borrowed(text.as_bytes())))
}

/// An empty text is one, too.
fn text_of(text: &Option<String>) -> Option<Encoded<'_>> {
    text.as_ref().map(|text| Encoded::Bytes(Cow::Borrowed(text.as_bytes())))
}

/// A kind of a later version is taken for a page.
fn set_kind(row: &mut Row, value: Encoded<'_>) -> Option<()> {
    let kind = RowKind::ALL.get(value.small::<usize>()?);
    row.kind = kind.copied().unwrap_or_default();
    Some(())
}

fn encode_place<'a>(place: Place) -> Encoded<'a> {
    let mut bytes = Vec::with_capacity(12);
    for number in [place.file.into(), place.offset, place.length.into()] {
        write_varint(&mut bytes, number);
    }
    Encoded::Bytes(Cow::Owned(bytes))
}

fn decode_place(bytes: &[u8]) -> Option<Place> {
    let (file, rest) = varint(bytes)?;
    let (offset, rest) = varint(rest)?;
    let (length, _) = varint(rest)?;
    Some(Place { file: file.try_into().ok()?, offset, length: length.try_into().ok()? })
}

/// A place, and the hash of the text behind it.
fn encode_fed<'a>(FedText { place, print }: FedText) -> Encoded<'a> {
    let mut bytes = Vec::with_capacity(22);
    for number in [place.file.into(), place.offset, place.length.into(), print] {
        write_varint(&mut bytes, number);
    }
    Encoded::Bytes(Cow::Owned(bytes))
}

fn decode_fed(bytes: &[u8]) -> Option<FedText> {
    let place = decode_place(bytes)?;
    let (_, rest) = varint(bytes)?;
    let (_, rest) = varint(rest)?;
    let (_, rest) = varint(rest)?;
    varint(rest).map(|(print, _)| FedText { place, print })
}

/// Minutes, hours and days.
fn encode_feed<'a>(FeedVisits { every, skip_hours, skip_days }: FeedVisits) -> Encoded<'a> {
    let mut bytes = Vec::with_capacity(8);
    for number in [every, skip_hours, skip_days.into()] {
        write_varint(&mut bytes, number.into());
    }
    Encoded::Bytes(Cow::Owned(bytes))
}

fn decode_feed(bytes: &[u8]) -> Option<FeedVisits> {
    let (every, rest) = varint(bytes)?;
    let (hours, rest) = varint(rest)?;
    let (days, _) = varint(rest)?;
    let every = every.try_into().ok()?;
    Some(FeedVisits { every, skip_hours: hours.try_into().ok()?, skip_days: days.try_into().ok()? })
}

/// How many visits there were if all are kept: so many stand there, unless the field says otherwise.
fn visited(row: &Row) -> u32 {
    row.visits.len().min(MOST_VISITS) as u32
}

fn changed(row: &Row) -> u32 {
    row.visits.iter().filter(|visit| visit.changed).count() as u32
}

/// Each visit by how long it was before the one after it (the newest: before the last request), and in the
/// lowest bit whether the content had changed. So one visit takes a byte, as a rule.
fn encode_visits(row: &Row) -> Option<Encoded<'_>> {
    let mut bytes = Vec::new();
    let mut after = row.fetched.unwrap_or(0);
    for visit in row.visits.iter().take(MOST_VISITS) {
        let gap = zigzag(after.wrapping_sub(visit.time));
        // Of a gap that has no bit to spare the highest is lost: a hundred million years.
        write_varint(&mut bytes, gap << 1 | u64::from(visit.changed));
        after = visit.time;
    }
    (!bytes.is_empty()).then_some(Encoded::Bytes(Cow::Owned(bytes)))
}

fn decode_visits(row: &mut Row, mut bytes: &[u8]) -> Option<()> {
    let mut after = row.fetched.unwrap_or(0);
    row.visits.clear();
    while !bytes.is_empty() && row.visits.len() < MOST_VISITS {
        let (word, rest) = varint(bytes)?;
        bytes = rest;
        after = after.wrapping_sub(unzigzag(word >> 1));
        row.visits.push(Visit { time: after, changed: word & 1 != 0 });
    }
    (row.visited, row.changed) = (visited(row), changed(row));
    Some(())
}

/// Small for numbers near zero, of either sign.
pub(super) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
pub(super) fn write_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a varint; none when it does not end, or holds more than 64 bits.
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        let bits = u64::from(byte & 0x7F);
        if at == 9 && bits > 1 {
            return None;
        }
        number |= bits << (7 * at);
        if byte < 0x80 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::super::Listed;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A row none of whose fields has its default.
    fn full() -> Row {
        let some = |text: &str| Some(text.to_owned());
        let listed =
            Listed { modified: some("2024-01-01"), change: some("daily"), priority: Some(80) };
        let visit = |time, changed| Visit { time, changed };
        Row {
            url: "http://a.test/".to_owned(),
            reason: Reason::Kept,
            kind: RowKind::Sitemap,
            parent: Some(UrlId(u64::MAX)),
            redirects: 9,
            depth: 300,
            priority: 3,
            found: 1_795_000_000_000,
            fetched: Some(-1),
            status: 200,
            tries: 2,
            capture: Some(Place { file: 7, offset: 1 << 40, length: u32::MAX }),
            digest: Some([9; 16]),
            redirect: some(""),
            detail: "words".to_owned(),
            off_subject: Some(0),
            given_up: true,
            etag: some("\"a\""),
            last_modified: some("Sat, 01 Jan 2028 00:00:00 GMT"),
            visits: vec![visit(99, false), visit(7, true), visit(8, true)],
            visited: 40,
            changed: 30,
            listed: Some(listed),
            on_copy: true,
            due: Some(-7),
            missed: 1,
            failed: 300,
            fed: Some(FedText { place: Place { file: 2, offset: 77, length: 9 }, print: u64::MAX }),
            feed: Some(FeedVisits { every: 60, skip_hours: 1 << 23, skip_days: 1 }),
            private: true,
            lies: true,
            rendering: Rendering::of_number(1),
        }
    }

    fn check(row: &Row) {
        let mut body = Vec::new();
        write(&mut body, row, false);
        let mut found = blank(row.reason);
        read(&body, &mut found, None).expect("it was written so");
        assert_eq!(found, *row);
        // A state and its origin give the same.
        let (mut state, mut found) = (Vec::new(), blank(row.reason));
        write(&mut state, row, true);
        read(&body, &mut found, Some(Origin)).expect("it was written so");
        read(&state, &mut found, Some(State)).expect("it was written so");
        assert_eq!(found, *row);
        for end in 0..body.len() {
            let _ = read(&body[..end], &mut blank(row.reason), None);
        }
    }

    #[test]
    fn every_field_has_a_tag_and_a_name_of_its_own_and_comes_back() {
        let full = full();
        for field in &FIELDS {
            let value = (field.get)(&full).unwrap_or_else(|| panic!("{} is missing", field.name));
            let mut one = blank(Reason::Kept);
            assert!((field.get)(&one).is_none(), "{} has no default", field.name);
            (field.set)(&mut one, value).unwrap_or_else(|| panic!("{} is not set", field.name));
            assert_ne!(one, blank(Reason::Kept), "{}", field.name);
            check(&one);
            // What is of another form is refused, not believed.
            let other = match (field.get)(&full) {
                Some(Encoded::Number(_)) => Encoded::Bytes(Cow::Borrowed(&[1])),
                _ => Encoded::Number(1),
            };
            assert!((field.set)(&mut one, other).is_none(), "{}", field.name);
        }
        let tags: BTreeSet<u8> = FIELDS.iter().map(|field| field.tag).collect();
        let names: BTreeSet<&str> = FIELDS.iter().map(|field| field.name).collect();
        assert_eq!((tags.len(), names.len()), (FIELDS.len(), FIELDS.len()));
        assert!(!tags.contains(&0), "nought is no tag");
        check(&full);
        check(&blank(Reason::Queued));
    }

    #[test]
    fn a_field_of_a_later_version_is_skipped() {
        let (row, mut body) = (full(), Vec::new());
        for key in [60 << 1, 1_000 << 1, u64::MAX - 1] {
            write_varint(&mut body, key);
            write_varint(&mut body, 300);
        }
        write_varint(&mut body, 61 << 1 | 1);
        write_varint(&mut body, 3);
        body.extend_from_slice(b"new");
        write(&mut body, &row, false);
        let mut found = blank(Reason::Kept);
        read(&body, &mut found, None).expect("it can be read");
        assert_eq!(found, row);
        // So is a kind: its URL is taken for a page.
        let mut found = blank(Reason::Kept);
        read(&[7 << 1, 99], &mut found, None).expect("it can be read");
        assert_eq!(found.kind, RowKind::Page);
    }

    #[test]
    fn whatever_stands_in_a_record_is_read_or_refused() {
        proptest!(|(body in prop::collection::vec(any::<u8>(), 0..200))| {
            let mut row = blank(Reason::Kept);
            let _ = read(&body, &mut row, None);
            prop_assert!(row.visits.len() <= MOST_VISITS);
        });
        proptest!(|(number: u64, time: i64)| {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, number);
            prop_assert_eq!(varint(&bytes), Some((number, &[][..])));
            prop_assert_eq!(unzigzag(zigzag(time)), time);
        });
        assert_eq!(varint(&[0xFF; 10]), None);
        assert_eq!(varint(&[]), None);
    }
}
