//! ARC 1 and 2, the format before WARC: a line with URL, address, date, media type and length, then
//! the response. The version block in front names the fields of the line.

use super::message::{self, Envelope};
use super::source::ArchiveWindow;
use super::{
    FoundRecord, MOST_BLOCK, Skip, SkippedRecord, TakenCapture, digits_date, parse_url, skipped,
};

/// Longest line in front of a record.
const MOST_LINE: usize = 16 * 1024;

/// The line in front of a record.
#[derive(Debug, PartialEq)]
struct Header<'a> {
    url: &'a str,
    date: &'a str,
    media: &'a str,
    /// None where the number is none.
    length: Option<u64>,
}

/// Whether a file begins as ARC files do.
pub(super) fn opens(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let line = head.split(|&b| b == b'\n').next().unwrap_or_default();
    parse(line).is_some()
}

/// Reads the next record.
pub(super) fn next(source: &mut ArchiveWindow) -> Option<FoundRecord> {
    let mut passed = 0;
    let mut spot = source.spot();
    loop {
        if let Err(what) = source.fill(MOST_LINE) {
            return Some(skipped(spot, Skip::Damaged, what));
        }
        let bytes = source.bytes();
        let window = &bytes[..bytes.len().min(MOST_LINE)];
        if window.is_empty() {
            break;
        }
        let end = memchr::memchr(b'\n', window).map_or(window.len(), |end| end + 1);
        let line = &window[..end];
        if parse(line).is_some() {
            break;
        }
        // Line ends stand between records; anything else is damage.
        passed += line.trim_ascii().len();
        source.take(end);
        if passed == 0 {
            spot = source.spot();
        }
    }
    if passed > 0 {
        let what = format!("not an ARC record; {passed} bytes skipped");
        return Some(skipped(spot, Skip::Damaged, what));
    }
    if source.bytes().is_empty() {
        return None;
    }
    let spot = source.spot();
    Some(FoundRecord { spot, taken: read(source) })
}

/// Reads the record whose line stands at the window's start.
fn read(source: &mut ArchiveWindow) -> Result<TakenCapture, SkippedRecord> {
    let window = source.bytes();
    let end = memchr::memchr(b'\n', window).map_or(window.len(), |end| end + 1);
    let line = window[..end].to_vec();
    source.take(end);
    let header = parse(&line).ok_or(SkippedRecord::new(Skip::Damaged, String::new()))?;
    let Header { url, length, .. } = header;
    let length = match length.map(usize::try_from) {
        Some(Ok(length)) if length <= MOST_BLOCK => length,
        Some(_) => {
            return Err(SkippedRecord::new(
                Skip::TooBig,
                format!("{url}: its length is beyond the limit"),
            ));
        }
        None => return Err(SkippedRecord::new(Skip::Damaged, format!("{url}: no length"))),
    };
    source.fill(length + MOST_LINE).map_err(|what| SkippedRecord::new(Skip::Damaged, what))?;
    if let Some(end) = early_end(source.bytes(), length) {
        source.take(end);
        let what = format!("{url} claims {length} bytes, after {end} the next record opens");
        return Err(SkippedRecord::new(Skip::Damaged, what));
    }
    let came = source.bytes().len();
    if came < length {
        let why = source.ending();
        source.take(came);
        return Err(SkippedRecord::new(
            Skip::Damaged,
            format!("{url} claims {length} bytes, after {came} {why}"),
        ));
    }
    let taken = capture(&header, &source.bytes()[..length]);
    source.take(length);
    taken
}

/// Where the next record opens inside a block, while none opens after it.
fn early_end(bytes: &[u8], length: usize) -> Option<usize> {
    let tail = bytes.get(length..).unwrap_or_default().trim_ascii_start();
    let opens = |bytes: &[u8]| {
        let bytes = &bytes[..bytes.len().min(MOST_LINE)];
        parse(&bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())]).is_some()
    };
    if bytes.len() >= length && (tail.is_empty() || opens(tail)) {
        return None;
    }
    let lines = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    std::iter::once(0).chain(lines).find(|&start| opens(&bytes[start..]))
}

fn capture(
    &Header { url, date, media, .. }: &Header<'_>,
    block: &[u8],
) -> Result<TakenCapture, SkippedRecord> {
    if url.starts_with("filedesc:") {
        return Err(SkippedRecord::new(Skip::Metadata, url.to_owned()));
    }
    let url = parse_url(url)?;
    let time = digits_date(date)
        .ok_or_else(|| SkippedRecord::new(Skip::Date, format!("{url}: date {date:?}")))?;
    let envelope = Envelope { url, time: Some(time), truncated: None };
    match block.starts_with(b"HTTP/") {
        true => message::response(envelope, block),
        false => Ok(message::content(envelope, Some(media), block)),
    }
}

/// Reads a line in front of a record: five fields in version 1, ten in version 2. The URL comes
/// first and may hold spaces, so fields are counted from the end.
fn parse(line: &[u8]) -> Option<Header<'_>> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let scheme = line.split(':').next()?;
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric());
    if !is_scheme || scheme.len() == line.len() {
        return None;
    }
    [5, 10].into_iter().find_map(|count| {
        let mut fields: Vec<&str> = line.rsplitn(count, ' ').collect();
        fields.reverse();
        let [url, address, date, media, .., length] = fields[..] else { return None };
        let is_date = date.len() >= 12 && date.bytes().all(|b| b.is_ascii_digit());
        let is_address = address.parse::<std::net::IpAddr>().is_ok() || address == "-";
        let length = length.parse().ok();
        (is_date && is_address).then_some(Header { url, date, media, length })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_in_front_is_read_in_both_versions() {
        let check = |line: &str, expected: Option<(&str, &str, &str, Option<u64>)>| {
            let header =
                expected.map(|(url, date, media, length)| Header { url, date, media, length });
            assert_eq!(parse(line.as_bytes()), header, "{line}");
        };
        let date = "20140216050221";
        check(
            "http://a.test/ 1.2.3.4 20140216050221 text/html 1591\n",
            Some(("http://a.test/", date, "text/html", Some(1591))),
        );
        check(
            "http://a.test/b c 1.2.3.4 20140216050221 text/html 7\r\n",
            Some(("http://a.test/b c", date, "text/html", Some(7))),
        );
        check(
            "http://a.test/ 1.2.3.4 20140216050221 text/html 200 X - 0 f.arc.gz 9",
            Some(("http://a.test/", date, "text/html", Some(9))),
        );
        check(
            "http://a.test/ 1.2.3.4 20140216050221 text/html -1",
            Some(("http://a.test/", date, "text/html", None)),
        );
        check("URL IP-address Archive-date Content-type Archive-length", None);
        check("<p>a: b c d e f</p>", None);
        check("", None);
    }
}
