//! Archives of others, read for import: WARC, ARC and TREC files, whole or damaged (D4). The format
//! is found by content. Reading never fails: a record that gives no capture gives a [`Skip`].

mod arc;
mod message;
mod source;
mod trec;
mod warc;

use fyke_web::{Capture, Url, UrlError};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::Serialize;
use source::ArchiveWindow;
use std::fs::File;
use std::io;
use std::path::Path;

/// Largest record that is read into memory.
const MOST_BLOCK: usize = 64 * 1024 * 1024;
/// How much of a file is looked at to find its format.
const MOST_OPENING: usize = 64 * 1024;

/// How the records of a file stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ArchiveFormat {
    Warc,
    Arc,
    Trec,
}

impl ArchiveFormat {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ArchiveFormat::Warc => "warc",
            ArchiveFormat::Arc => "arc",
            ArchiveFormat::Trec => "trec",
        }
    }
}

/// How a format is known and read.
struct ArchiveRow {
    format: ArchiveFormat,
    /// Whether a file that begins so is of this format.
    opens: fn(&[u8]) -> bool,
    /// The next record.
    next: fn(&mut ArchiveWindow) -> Option<FoundRecord>,
}

/// A row a format.
const FORMATS: &[ArchiveRow] = &[
    ArchiveRow { format: ArchiveFormat::Warc, opens: warc::opens, next: warc::next },
    ArchiveRow { format: ArchiveFormat::Arc, opens: arc::opens, next: arc::next },
    ArchiveRow { format: ArchiveFormat::Trec, opens: trec::opens, next: trec::next },
];

/// Where a record begins: offset in the file, and for a packed file the unpacked bytes after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordSpot {
    pub offset: u64,
    pub inside: u64,
}

/// Why a record gives no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    Revisit,
    Request,
    Metadata,
    Scheme,
    Url,
    Date,
    Message,
    TooBig,
    Damaged,
    /// A file of no format that text can be taken from.
    Type,
}

impl Skip {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Skip::Revisit => "revisit",
            Skip::Request => "request",
            Skip::Metadata => "metadata",
            Skip::Scheme => "scheme",
            Skip::Url => "url",
            Skip::Date => "date",
            Skip::Message => "message",
            Skip::TooBig => "too-big",
            Skip::Damaged => "damaged",
            Skip::Type => "type",
        }
    }

    /// Whether something is wrong with the record; others are only of no use here.
    #[must_use]
    pub fn is_trouble(self) -> bool {
        !matches!(self, Skip::Revisit | Skip::Request | Skip::Metadata | Skip::Scheme | Skip::Type)
    }
}

/// The capture in a record.
#[derive(Debug)]
pub struct TakenCapture {
    /// Its `time` is 0 where the record says none.
    pub capture: Capture,
    pub is_dated: bool,
}

/// Why a record gives no capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedRecord {
    pub why: Skip,
    /// More about it in words.
    pub what: String,
}

impl SkippedRecord {
    #[must_use]
    pub fn new(why: Skip, what: String) -> SkippedRecord {
        SkippedRecord { why, what }
    }
}

/// A record, and where it stands.
#[derive(Debug)]
pub struct FoundRecord {
    pub spot: RecordSpot,
    /// What it gives, or why nothing.
    pub taken: Result<TakenCapture, SkippedRecord>,
}

/// An archive that is being read: an iterator over its records.
#[derive(Debug)]
pub struct Archive {
    source: ArchiveWindow,
    pub format: ArchiveFormat,
    next: fn(&mut ArchiveWindow) -> Option<FoundRecord>,
    /// Damage met while the format was looked for.
    opening: Option<FoundRecord>,
}

impl Archive {
    /// Opens a file; none when its content is no archive that is known, and its name that of none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path) -> io::Result<Option<Archive>> {
        if let Some(archive) = Archive::recognise(ArchiveWindow::open(File::open(path)?)?) {
            return Ok(Some(archive));
        }
        let Some((format, is_packed)) = named(path) else { return Ok(None) };
        let file = File::open(path)?;
        let source =
            if is_packed { ArchiveWindow::packed(file) } else { ArchiveWindow::open(file)? };
        let row = FORMATS.iter().find(|row| row.format == format);
        Ok(row.map(|row| Archive { source, format, next: row.next, opening: None }))
    }

    /// Finds the format by content.
    fn recognise(mut source: ArchiveWindow) -> Option<Archive> {
        let mut opening = None;
        loop {
            let damage = source.fill(MOST_OPENING).err();
            let head = &source.bytes()[..source.bytes().len().min(MOST_OPENING)];
            if let Some(row) = FORMATS.iter().find(|row| (row.opens)(head)) {
                let &ArchiveRow { format, next, .. } = row;
                return Some(Archive { source, format, next, opening });
            }
            // A damaged start may hide the format; the next member tells.
            let what = damage.or_else(|| source.damage())?;
            opening.get_or_insert_with(|| skipped(RecordSpot::default(), Skip::Damaged, what));
            source.take(usize::MAX);
        }
    }

    /// Bytes of the file read so far.
    pub fn position(&mut self) -> u64 {
        self.source.position()
    }
}

impl Iterator for Archive {
    type Item = FoundRecord;

    fn next(&mut self) -> Option<FoundRecord> {
        self.opening.take().or_else(|| (self.next)(&mut self.source))
    }
}

/// The format that a file's name tells, and whether it is packed: for one whose start is damaged.
fn named(path: &Path) -> Option<(ArchiveFormat, bool)> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let plain = name.strip_suffix(".gz");
    let formats = [(".warc", ArchiveFormat::Warc), (".arc", ArchiveFormat::Arc)];
    let stem = plain.unwrap_or(&name);
    let (_, format) = formats.into_iter().find(|(extension, _)| stem.ends_with(extension))?;
    Some((format, plain.is_some()))
}

/// A name as it stands in the path of a URL: all but unreserved characters escaped.
#[must_use]
pub fn escaped(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for &byte in name {
        match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            true => text.push(char::from(byte)),
            false => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn skipped(spot: RecordSpot, why: Skip, what: impl Into<String>) -> FoundRecord {
    FoundRecord { spot, taken: Err(SkippedRecord::new(why, what.into())) }
}

fn parse_url(text: &str) -> Result<Url, SkippedRecord> {
    let text = text.trim().trim_start_matches('<').trim_end_matches('>');
    let shown = || text.chars().take(200).collect::<String>();
    Url::parse(text).map_err(|why| match why {
        UrlError::Scheme(_) => SkippedRecord::new(Skip::Scheme, shown()),
        why => SkippedRecord::new(Skip::Url, format!("{}: {why}", shown())),
    })
}

/// Milliseconds of a date in digits, as "20140216050221"; what is missing at its end is the least.
fn digits_date(text: &str) -> Option<i64> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(14).collect();
    let part = |from: usize, to: usize, least: i8| match digits.get(from..to) {
        Some(part) => part.parse().ok(),
        None => Some(least),
    };
    let year = digits.get(..4)?.parse().ok()?;
    let (month, day) = (part(4, 6, 1)?, part(6, 8, 1)?);
    let (hour, minute, second) = (part(8, 10, 0)?, part(10, 12, 0)?, part(12, 14, 0)?);
    let date = DateTime::new(year, month, day, hour, minute, second.min(59), 0).ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

/// Milliseconds of a date as HTTP headers have it.
fn http_date(text: &str) -> Option<i64> {
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text.trim());
    date.ok().map(Timestamp::as_millisecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_digits_may_be_short_or_with_a_leap_second() {
        let check = |text: &str, expected: Option<&str>| {
            let expected = expected.map(|date| crate::warc::milliseconds(date).unwrap());
            assert_eq!(digits_date(text), expected, "{text}");
        };
        check("20140216050221", Some("2014-02-16T05:02:21Z"));
        check("2014-02-16T05:02:60Z", Some("2014-02-16T05:02:59Z"));
        check("2014", Some("2014-01-01T00:00:00Z"));
        check("201402", Some("2014-02-01T00:00:00Z"));
        check("20141302", None);
        check("", None);
    }

    #[test]
    fn dates_of_http_are_read() {
        assert_eq!(http_date("Wed, 01 Jan 1997 01:21:13 GMT"), Some(852_081_673_000));
        assert_eq!(http_date("yesterday"), None);
    }
}
