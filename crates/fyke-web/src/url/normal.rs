//! The normal form of a URL: what the spellings of one address share. Departs from RFC 3986 §6
//! where the web does: session ids and click tracking are dropped, parameters sorted, `&amp;`
//! repaired.

use super::Url;
use std::sync::LazyLock;

/// Names of one data file: whole names sorted, and prefixes.
struct ParameterNames {
    whole: Vec<&'static str>,
    prefixes: Vec<&'static str>,
}

static SESSION: LazyLock<ParameterNames> =
    LazyLock::new(|| names(include_str!("../../data/session.txt")));
static TRACKING: LazyLock<ParameterNames> =
    LazyLock::new(|| names(include_str!("../../data/tracking.txt")));

fn names(file: &'static str) -> ParameterNames {
    let rows = || file.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let mut whole: Vec<_> = rows().filter(|l| !l.ends_with('*')).collect();
    whole.sort_unstable();
    ParameterNames { whole, prefixes: rows().filter_map(|l| l.strip_suffix('*')).collect() }
}

impl ParameterNames {
    fn contain(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        self.whole.binary_search(&name.as_str()).is_ok()
            || self.prefixes.iter().any(|prefix| name.starts_with(prefix))
    }
}

/// Whether a path and query surely is its own normal form; a quick way round most of the work.
pub(super) fn is_normal(path_and_query: &str) -> bool {
    let bytes = path_and_query.as_bytes();
    memchr::memchr3(b'?', b'%', b';', bytes).is_none()
        && memchr::memchr3(b'{', b'}', b'|', bytes).is_none()
        && memchr::memchr(b'^', bytes).is_none()
}

pub(super) fn normal(url: &Url) -> String {
    let whole = url.path_and_query();
    let home = &url.as_str()[..url.as_str().len() - whole.len()];
    let mut out = String::with_capacity(url.as_str().len());
    out.push_str(home);
    if is_normal(whole) {
        out.push_str(whole);
        return out;
    }
    let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
    push_path(&mut out, &fold_escapes(path));
    let query = fold_escapes(query);
    for (i, parameter) in kept_parameters(&query).into_iter().enumerate() {
        out.push(if i == 0 { '?' } else { '&' });
        out.push_str(parameter);
    }
    out
}

/// Copies a path without the `;name=value` parameters that carry a session.
fn push_path(out: &mut String, path: &str) {
    for segment in path.split_inclusive('/') {
        let (body, slash) = segment.strip_suffix('/').map_or((segment, ""), |body| (body, "/"));
        let mut parts = body.split(';');
        let first = parts.next().unwrap_or_default();
        // A bare dot segment must not come out of it: the parser would resolve it.
        if matches!(first, "." | "..") {
            out.push_str(segment);
            continue;
        }
        out.push_str(first);
        for part in parts {
            if !part.split_once('=').is_some_and(|(name, _)| SESSION.contain(name)) {
                out.push(';');
                out.push_str(part);
            }
        }
        out.push_str(slash);
    }
}

/// Parameters that name content, sorted by name; those of one name keep their order.
fn kept_parameters(query: &str) -> Vec<&str> {
    let mut kept: Vec<&str> = query
        .split('&')
        .map(|parameter| parameter.trim_start_matches("amp;"))
        .filter(|parameter| !parameter.is_empty())
        .filter(|p| !SESSION.contain(name_of(p)) && !TRACKING.contain(name_of(p)))
        .collect();
    kept.sort_by(|a, b| name_of(a).cmp(name_of(b)));
    kept
}

fn name_of(parameter: &str) -> &str {
    &parameter[..parameter.find('=').unwrap_or(parameter.len())]
}

/// Escapes in upper case, unreserved characters without one, a stray `%` escaped, and so what no URL may carry but
/// browsers leave as it is.
fn fold_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['%', '{', '}', '|', '^']) {
        out.push_str(&rest[..at]);
        let byte = rest.as_bytes()[at];
        if byte != b'%' {
            push_octet(&mut out, byte);
            rest = &rest[at + 1..];
            continue;
        }
        let escape = rest.as_bytes().get(at + 1..at + 3);
        match escape.and_then(|hex| Some(hex_digit(hex[0])? << 4 | hex_digit(hex[1])?)) {
            Some(byte) => {
                push_octet(&mut out, byte);
                rest = &rest[at + 3..];
            }
            None => {
                out.push_str("%25");
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// One octet that was escaped: plain where it is unreserved, else escaped in upper case.
pub(crate) fn push_octet(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
        out.push(char::from(byte));
    } else {
        out.push('%');
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
}

pub fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|d| u8::try_from(d).ok())
}
