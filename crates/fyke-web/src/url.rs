//! URLs: parsed by WHATWG, requested as found, keyed by their normal form (000 "URL
//! normalization"). A `Url` is one string and a few offsets, so its parts are slices. Links of the
//! plain shapes that make up most of the web are joined without a full parse; a test holds that
//! path to the full one.

mod normal;
mod shape;

pub use normal::hex_digit;
pub(crate) use normal::push_octet;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use url::Url as Whatwg;
use xxhash_rust::xxh3::xxh3_64;

/// Longest URL that is fetched, in bytes.
const MOST_BYTES: usize = 2_048;
/// Longest text worth parsing: a fragment may make a link longer than the URL it names.
const MOST_INPUT: usize = 65_536;

/// Key of a URL: xxh3-64 of its normal form. Fixed for ever; it is written to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UrlId(pub u64);

/// An absolute http or https URL as found, its fragment and user name dropped; or, in a collection,
/// that of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    text: String,
    /// Where the host ends; it begins after "://".
    host_end: u16,
    /// Where the path begins.
    path: u16,
    port: u16,
}

/// Why a text is no URL that can be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UrlError {
    /// Not a URL at all; the reason in words.
    Malformed(String),
    /// A scheme other than http and https.
    Scheme(String),
    /// No host.
    Host,
    /// Longer than 2,048 bytes.
    TooLong,
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UrlError::Malformed(why) => write!(f, "not a URL ({why})"),
            UrlError::Scheme(scheme) => {
                write!(f, "scheme \"{scheme}\" cannot be fetched, use http or https")
            }
            UrlError::Host => write!(f, "the URL names no host"),
            UrlError::TooLong => write!(f, "the URL is longer than {MOST_BYTES} bytes"),
        }
    }
}
impl std::error::Error for UrlError {}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The authority in the text of a stored URL (`host`, or `host:port`): what stands between scheme and path. Of a
/// file's URL, and of what is no URL, it is empty.
#[must_use]
pub fn authority_of(stored: &str) -> &str {
    let rest = stored.split_once("://").map_or("", |(_, rest)| rest);
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

/// The host in the text of a stored URL, without a port.
#[must_use]
pub fn host_of(stored: &str) -> &str {
    let authority = authority_of(stored);
    // An IPv6 address has colons of its own, in brackets.
    let end = authority.rfind(':').filter(|at| !authority[*at..].contains(']'));
    &authority[..end.unwrap_or(authority.len())]
}

impl Url {
    /// Parses an absolute URL.
    ///
    /// # Errors
    /// When it cannot be fetched by http or https.
    pub fn parse(text: &str) -> Result<Url, UrlError> {
        if let Some(url) = plain_absolute(text) {
            return Ok(url);
        }
        if text.len() > MOST_INPUT {
            return Err(UrlError::TooLong);
        }
        Whatwg::parse(text).map_err(malformed).and_then(from_whatwg)
    }

    /// Parses an absolute URL that a collection may hold: one that can be fetched, or that of a file
    /// which was imported.
    ///
    /// # Errors
    /// As [`Url::parse`].
    pub fn stored(text: &str) -> Result<Url, UrlError> {
        match Url::parse(text) {
            Err(UrlError::Scheme(scheme)) if scheme == "file" => {
                Whatwg::parse(text).map_err(malformed).and_then(from_file)
            }
            parsed => parsed,
        }
    }

    /// Resolves `link`, found on this page.
    ///
    /// # Errors
    /// As [`Url::parse`].
    pub fn join(&self, link: &str) -> Result<Url, UrlError> {
        // The fragment is dropped in any case.
        let before = &link[..memchr::memchr(b'#', link.as_bytes()).unwrap_or(link.len())];
        if let Some(url) = plain_absolute(before).or_else(|| self.plain_relative(before)) {
            return Ok(url);
        }
        if link.len() > MOST_INPUT {
            return Err(UrlError::TooLong);
        }
        let base = Whatwg::parse(&self.text).map_err(malformed)?;
        let joined = base.join(&two_slashes(link)).map_err(malformed)?;
        let leads_to_file = self.is_file() && joined.scheme() == "file";
        if leads_to_file { from_file(joined) } else { from_whatwg(joined) }
    }

    /// A link that is a plain path, absolute or beside this page, needs no parser.
    fn plain_relative(&self, link: &str) -> Option<Url> {
        let bytes = link.as_bytes();
        let stem = match bytes.first()? {
            b'/' if bytes.get(1) == Some(&b'/') => return None,
            b'/' => self.path.into(),
            b'?' => return None,
            _ if bytes.contains(&b':') => return None,
            _ => {
                let path = self.path().rfind('/')?;
                usize::from(self.path) + path + 1
            }
        };
        if !is_plain(bytes) || stem + link.len() > MOST_BYTES {
            return None;
        }
        let mut text = String::with_capacity(stem + link.len());
        text.push_str(&self.text[..stem]);
        text.push_str(link);
        Some(Url { text, ..*self })
    }

    /// The URL to request, as found.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The normal form: what duplicates share. Idempotent: a normal form is its own.
    #[must_use]
    pub fn normal(&self) -> String {
        normal::normal(self)
    }

    /// Key of the normal form.
    #[must_use]
    pub fn id(&self) -> UrlId {
        if normal::is_normal(self.path_and_query()) {
            return UrlId(xxh3_64(self.text.as_bytes()));
        }
        UrlId(xxh3_64(self.normal().as_bytes()))
    }

    /// The same URL under http, where it was typed without a scheme.
    #[must_use]
    pub fn under_http(&self, typed: &str) -> Option<Url> {
        let plain = || Url::parse(&self.as_str().replacen("https://", "http://", 1)).ok();
        if typed.contains("://") { None } else { plain() }
    }

    /// "http", "https", or "file" for what was imported.
    #[must_use]
    pub fn scheme(&self) -> &str {
        match (self.is_https(), self.is_file()) {
            (true, _) => "https",
            (_, true) => "file",
            _ => "http",
        }
    }

    /// Whether it is the URL of a file, which no crawl may ask for.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.text.starts_with("file:")
    }

    /// Host name in lower case, without port; an IPv6 address keeps its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.text[self.host_start()..self.host_end.into()]
    }

    /// Port, the scheme's default where none is written.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `host`, or `host:port` where the port is not the default: the unit of politeness.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.text[self.host_start()..self.path.into()]
    }

    /// "/a/b?c=d".
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.text[self.path.into()..]
    }

    /// "/a/b".
    #[must_use]
    pub fn path(&self) -> &str {
        let whole = self.path_and_query();
        &whole[..whole.find('?').unwrap_or(whole.len())]
    }

    /// The registrable domain by the public suffix list ("example.co.uk"); the host where there is
    /// none (an address, a public suffix itself).
    #[must_use]
    pub fn registrable_domain(&self) -> &str {
        let host = self.host();
        // By WHATWG a host that ends in a digit-only label is an address.
        if host.ends_with(']') || host.ends_with(|c: char| c.is_ascii_digit()) {
            return host;
        }
        psl::domain_str(host).unwrap_or(host)
    }

    /// Hash of the registrable domain.
    #[must_use]
    pub fn domain_hash(&self) -> u64 {
        xxh3_64(self.registrable_domain().as_bytes())
    }

    /// The partition (of 256) that owns this URL, by its domain.
    #[must_use]
    pub fn partition(&self) -> u8 {
        partition_of(self.domain_hash())
    }

    /// The home of the same host: "http://a.test/robots.txt" for `at("/robots.txt")`.
    ///
    /// # Errors
    /// As [`Url::parse`].
    pub fn at(&self, path: &str) -> Result<Url, UrlError> {
        let home = &self.text[..self.path.into()];
        let slash = if path.starts_with('/') { "" } else { "/" };
        Url::parse(&format!("{home}{slash}{path}"))
    }

    fn is_https(&self) -> bool {
        self.text.as_bytes().get(4) == Some(&b's')
    }

    fn host_start(&self) -> usize {
        if self.is_https() { 8 } else { 7 }
    }
}

/// The partition (of 256) of a domain's hash.
#[must_use]
pub fn partition_of(domain: u64) -> u8 {
    domain.to_le_bytes()[7]
}

fn malformed(error: url::ParseError) -> UrlError {
    match error {
        url::ParseError::EmptyHost => UrlError::Host,
        other => UrlError::Malformed(other.to_string()),
    }
}

/// A link whose host stands behind three slashes or more, with two: by the standard all of them are
/// passed over, but the parser refuses it.
fn two_slashes(link: &str) -> Cow<'_, str> {
    let link = link.trim_start_matches(|c: char| c <= ' ');
    let rest = link.trim_start_matches(['/', '\\']);
    if link.len() - rest.len() > 2 { Cow::Owned(format!("//{rest}")) } else { Cow::Borrowed(link) }
}

/// Takes over what the WHATWG parser made: no fragment, no user, no dot after the host.
fn from_whatwg(mut url: Whatwg) -> Result<Url, UrlError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UrlError::Scheme(url.scheme().chars().take(32).collect()));
    }
    url.set_fragment(None);
    let dropped = url.set_username("").and_then(|()| url.set_password(None));
    let host = url.host_str().unwrap_or_default();
    if dropped.is_err() || host.trim_end_matches('.').is_empty() {
        return Err(UrlError::Host);
    }
    if host.ends_with('.') {
        let bare = host.trim_end_matches('.').to_owned();
        url.set_host(Some(&bare)).map_err(malformed)?;
    }
    offsets(url.into())
}

/// Takes over the URL of a file on this machine.
fn from_file(mut url: Whatwg) -> Result<Url, UrlError> {
    url.set_fragment(None);
    if url.host_str().is_some() {
        return Err(UrlError::Host);
    }
    offsets(url.into())
}

/// Finds the parts of a serialised URL without user and fragment.
fn offsets(text: String) -> Result<Url, UrlError> {
    if text.len() > MOST_BYTES {
        return Err(UrlError::TooLong);
    }
    let (start, default) = if text.starts_with("https") { (8, 443) } else { (7, 80) };
    let rest = text.get(start..).ok_or(UrlError::Host)?;
    let path = start + rest.find('/').ok_or(UrlError::Host)?;
    let authority = &text[start..path];
    // The colon of a port stands after the bracket of an IPv6 address.
    let colon = authority.rfind(':').filter(|&c| authority.rfind(']').is_none_or(|b| b < c));
    let port = colon.and_then(|c| authority[c + 1..].parse().ok()).unwrap_or(default);
    let host_end = colon.map_or(path, |c| start + c);
    let short = |n: usize| u16::try_from(n).map_err(|_| UrlError::TooLong);
    Ok(Url { host_end: short(host_end)?, path: short(path)?, port, text })
}

/// "http://host/path" that the parser would hand back byte for byte; else none.
fn plain_absolute(text: &str) -> Option<Url> {
    let rest = text.strip_prefix("http").map(|r| r.strip_prefix('s').unwrap_or(r))?;
    let rest = rest.strip_prefix("://")?;
    let slash = memchr::memchr(b'/', rest.as_bytes())?;
    let (host, path) = rest.split_at(slash);
    if text.len() > MOST_BYTES || !is_plain_host(host) || !is_plain(path.as_bytes()) {
        return None;
    }
    offsets(text.to_owned()).ok()
}

/// A name of lower-case labels that is surely neither an address nor punycode.
fn is_plain_host(host: &str) -> bool {
    let plain = |label: &str| {
        let bytes = label.as_bytes();
        let letters = bytes.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        letters && !label.is_empty() && bytes.get(2..4) != Some(b"--") && bytes.len() < 64
    };
    let edge = |b: Option<&u8>| b.is_some_and(u8::is_ascii_lowercase);
    let bytes = host.as_bytes();
    host.len() < 200 && edge(bytes.last()) && edge(bytes.first()) && host.split('.').all(plain)
}

/// Bytes of a path (and query) that the parser leaves as they are, and those for which their
/// neighbours decide.
const PLAIN: u8 = 1;
const DEPENDS: u8 = 2;
static BYTES: [u8; 256] = bytes();

const fn bytes() -> [u8; 256] {
    let mut bytes = [0; 256];
    let mut at = 0;
    while at < 128 {
        let letter = (at as u8).is_ascii_alphanumeric();
        bytes[at] = if letter { PLAIN } else { 0 };
        at += 1;
    }
    let others = b"-_~/?=&+,;:@!()*$";
    at = 0;
    while at < others.len() {
        bytes[others[at] as usize] = PLAIN;
        at += 1;
    }
    bytes[b'.' as usize] = DEPENDS;
    bytes[b'%' as usize] = DEPENDS;
    bytes
}

/// A path (and query) in which the parser has nothing to change: no dot segments, nothing to
/// encode, no fragment.
fn is_plain(path: &[u8]) -> bool {
    (0..path.len()).all(|at| match BYTES[usize::from(path[at])] {
        PLAIN => true,
        DEPENDS => match path[at] {
            b'.' => at > 0 && path[at - 1] != b'/',
            // An escape stays as it is, but for that of a dot.
            _ => !matches!(path.get(at + 1..at + 3), Some([b'2', b'e' | b'E'])),
        },
        _ => false,
    })
}
