//! From a capture of any format to a page, or to what a crawl reads of it: its format is found out and its
//! encodings are taken off; what is not HTML, XML or plain text is converted.

use crate::{Conversion, Source, detect, extension};
use fyke_web::capture::Came;
use fyke_web::page::Format;
use fyke_web::{Capture, Fingerprint, OpenCapture, Page, SeenSkim, Skim, SkimSeer};
use std::borrow::Cow;

/// Most bytes of a decoded body that are read.
const MOST_BYTES: usize = 16 << 20;

/// Finds out the format of a capture and takes off all encodings. Never fails; trouble becomes notes.
#[must_use]
pub fn open(capture: &Capture) -> OpenCapture<'_> {
    let content_type = capture.header("content-type");
    // What came as it is fits in memory already; only what is packed may grow.
    let (mut body, mut came) = capture.unpacked(MOST_BYTES.max(capture.payload.len()));
    let extension = extension(capture.url.path());
    let found = detect(&body, content_type, &extension);
    // A package must be whole to be read; of text the head will do.
    if found.is_none_or(|row| row.is_text) && body.len() > MOST_BYTES {
        body = head(body);
        came = Came::Cut;
    }
    match found {
        Some(row @ Conversion { format: Format::Converted(name), .. }) => {
            let source = Source { bytes: &body, content_type, extension: &extension };
            OpenCapture::converted(capture, name, row.convert(&source), came)
        }
        Some(row) => OpenCapture::text(capture, row.format, body, came),
        None => OpenCapture::unknown(capture, came),
    }
}

/// As much of a text as is read.
fn head(body: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match body {
        Cow::Borrowed(body) => Cow::Borrowed(&body[..MOST_BYTES]),
        Cow::Owned(mut body) => {
            body.truncate(MOST_BYTES);
            Cow::Owned(body)
        }
    }
}

/// Texts of formats that are converted may take long from this size on …
const LONG_TEXT: usize = 64 << 10;
/// … and any others from this one.
const LONG: usize = 1 << 20;

/// Whether reading a capture may take long, by a glance at it: it is large, or of a format that is more than text.
/// Markup and text are read in time that grows as they do, which a test holds.
#[must_use]
pub fn may_take_long(capture: &Capture) -> bool {
    let payload = &capture.payload;
    if payload.len() > LONG {
        return true;
    }
    let content_type = capture.header("content-type");
    if capture.header("content-encoding").is_some() {
        // What is packed is known by its name alone.
        let named = content_type.unwrap_or_default();
        return !named.contains("html") && !named.starts_with("text/");
    }
    if payload.first() == Some(&b'<') {
        return false;
    }
    let found = detect(payload, content_type, &extension(capture.url.path()));
    found.is_some_and(|row| match row.format {
        Format::Converted(_) => !row.is_text || payload.len() > LONG_TEXT,
        Format::Html | Format::Text | Format::Xml | Format::Other => false,
    })
}

/// Reads a capture. Never fails; trouble becomes notes.
#[must_use]
pub fn parse(capture: &Capture) -> Page {
    open(capture).page()
}

/// Skims a capture: see [`OpenCapture::skim`].
#[must_use]
pub fn skim(capture: &Capture) -> Skim {
    open(capture).skim()
}

/// See [`OpenCapture::skim_with_fingerprint`].
#[must_use]
pub fn skim_with_fingerprint(capture: &Capture) -> (Skim, Fingerprint) {
    open(capture).skim_with_fingerprint()
}

/// See [`OpenCapture::skim_seen`].
#[must_use]
pub fn skim_seen(capture: &Capture, seer: &mut impl SkimSeer) -> SeenSkim {
    open(capture).skim_seen(seer)
}
