//! The sort-friendly form of a URL that archive indexes are keyed by: `test,a)/path?q=1`. The rules
//! are those of the tools that read the index (host turned round, `www.` dropped, lower case, query
//! sorted, session ids taken out); our own normal form plays no part here.

use fyke_web::Url;
use regex::bytes::Regex;
use std::sync::LazyLock;

/// Session ids in a query: what stands before and after each stays.
static QUERY_SESSIONS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compile(&[
        r"(?i-u)^(.*)(?:jsessionid=[0-9a-z]{32})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:phpsessid=[0-9a-z]{32})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:sid=[0-9a-z]{32})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:aspsessionid[a-z]{8}=[a-z]{24})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$",
    ])
});

/// Session ids in a path.
static PATH_SESSIONS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compile(&[
        r"(?i-u)^(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)$",
        r"(?i-u)^(.*/)(?:\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$",
    ])
});

fn compile(patterns: &[&str]) -> Vec<Regex> {
    patterns.iter().map(|p| Regex::new(p).expect("the patterns are fixed and valid")).collect()
}

/// The key of a URL in a CDXJ index.
#[must_use]
pub fn surt(url: &Url) -> String {
    let (path, query) = match url.path_and_query().split_once('?') {
        Some((path, query)) => (path, query),
        None => (url.path_and_query(), ""),
    };
    let mut key = host(url.host());
    let default = if url.scheme() == "https" { 443 } else { 80 };
    if url.port() != default {
        key.push_str(&format!(":{}", url.port()));
    }
    key.push(')');
    key.push_str(&canonical_path(path));
    let query = canonical_query(query);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    key
}

fn host(host: &str) -> String {
    let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
    let after_digits =
        host.strip_prefix("www").map(|h| h.trim_start_matches(|c: char| c.is_ascii_digit()));
    let host = after_digits.and_then(|h| h.strip_prefix('.')).unwrap_or(&host);
    host.trim_matches('.').rsplit('.').collect::<Vec<_>>().join(",")
}

fn canonical_path(path: &str) -> String {
    let plain = unescape(path.as_bytes());
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in plain.split(|&b| b == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let last = kept.pop().unwrap_or(b"");
    kept.retain(|segment| !segment.is_empty());
    kept.push(last);
    let path = [b"/", kept.join(&b'/').as_slice()].concat();
    let path = escape(&path).to_ascii_lowercase();
    let path = strip(path.as_bytes(), &PATH_SESSIONS);
    let path = match path.strip_suffix(b"/") {
        Some(shorter) if !shorter.is_empty() => shorter,
        _ => &path,
    };
    String::from_utf8_lossy(path).into_owned()
}

fn canonical_query(query: &str) -> String {
    let query = escape(&unescape(query.as_bytes()));
    let query = strip(query.as_bytes(), &QUERY_SESSIONS).to_ascii_lowercase();
    let query = String::from_utf8_lossy(&query);
    if query.len() <= 1 {
        return query.into_owned();
    }
    let mut arguments: Vec<Vec<&str>> =
        query.split('&').map(|argument| argument.splitn(2, '=').collect()).collect();
    arguments.sort_unstable();
    arguments.iter().map(|pair| pair.join("=")).collect::<Vec<_>>().join("&")
}

/// Takes out what each pattern matches, leaving its two groups.
fn strip(text: &[u8], patterns: &[Regex]) -> Vec<u8> {
    patterns.iter().fold(text.to_vec(), |text, pattern| match pattern.captures(&text) {
        Some(found) => {
            let group = |n| found.get(n).map_or(&b""[..], |m| m.as_bytes());
            [group(1), group(2)].concat()
        }
        None => text,
    })
}

/// Takes percent escapes off until none is left: each round shortens the text, so it ends.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    loop {
        let mut plain = Vec::with_capacity(text.len());
        let mut rest = &text[..];
        while let Some((&byte, tail)) = rest.split_first() {
            let code = (byte == b'%')
                .then(|| tail.get(..2))
                .flatten()
                .and_then(|hex| std::str::from_utf8(hex).ok())
                .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
                .and_then(|hex| u8::from_str_radix(hex, 16).ok());
            plain.push(code.unwrap_or(byte));
            rest = if code.is_some() { &tail[2..] } else { tail };
        }
        if plain.len() == text.len() {
            return plain;
        }
        text = plain;
    }
}

/// Escapes all but visible ASCII without `#` and `%`.
fn escape(text: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for &byte in text {
        if byte.is_ascii_graphic() && byte != b'#' && byte != b'%' {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
