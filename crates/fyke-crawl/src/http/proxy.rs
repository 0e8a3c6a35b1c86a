//! Proxies, as `http_proxy`, `https_proxy` and `no_proxy` name them (reading the environment is the
//! caller's). A plain request goes to the proxy with its whole URL; for https the proxy is asked for a
//! tunnel (`CONNECT`), so it sees the name and nothing else.

use crate::fetch::Failed;
use fyke_store::Reason;
use fyke_web::Url;
use hyper::header::HeaderValue;
use hyper::http::uri::Authority;
use std::net::IpAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Bytes of a proxy's answer to `CONNECT`.
const ANSWER_BYTES: usize = 8 * 1024;
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Which proxy serves which URL.
#[derive(Clone, Debug, Default)]
pub struct Proxy {
    http: Option<Server>,
    https: Option<Server>,
    exceptions: Vec<Exception>,
}

/// A proxy's place and what it wants to know of us.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    /// Marked as a secret, so that no log shows it.
    pub(super) authorisation: Option<HeaderValue>,
}

/// What is reached without a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Exception {
    Everything,
    /// A name and all names under it, on one port or all.
    Name(String, Option<u16>),
    /// Addresses whose first bits are these.
    Network(IpAddr, u8),
}

/// Why a proxy setting cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a proxy is written http://[user:password@]host:port, not {0}")]
pub struct ProxyError(String);

impl Proxy {
    /// From the three settings; an empty one says nothing.
    ///
    /// # Errors
    /// When a proxy is not written as it should be, or is to be spoken to in anything but plain HTTP.
    pub fn parse(http: &str, https: &str, no_proxy: &str) -> Result<Proxy, ProxyError> {
        let exceptions = no_proxy.split([',', ' ']).filter_map(exception).collect();
        Ok(Proxy { http: server(http)?, https: server(https)?, exceptions })
    }

    /// The proxy for a URL, if it has one.
    pub(super) fn for_url(&self, url: &Url) -> Option<&Server> {
        let server = if url.scheme() == "https" { &self.https } else { &self.http };
        let server = server.as_ref()?;
        (!self.exceptions.iter().any(|exception| exception.covers(url))).then_some(server)
    }
}

impl Exception {
    fn covers(&self, url: &Url) -> bool {
        let host = url.host().trim_matches(['[', ']']).trim_end_matches('.');
        match self {
            Exception::Everything => true,
            Exception::Name(name, port) => {
                let above = host.strip_suffix(name.as_str());
                above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
                    && port.is_none_or(|port| port == url.port())
            }
            Exception::Network(network, bits) => {
                host.parse().is_ok_and(|ip| shares(ip, *network, *bits))
            }
        }
    }
}

/// Whether two addresses of one family agree in their first bits.
fn shares(a: IpAddr, b: IpAddr, bits: u8) -> bool {
    let agree = |x: u128, width: u32| x.checked_shr(width - u32::from(bits)).unwrap_or(0) == 0;
    match (a, b) {
        (IpAddr::V4(a), IpAddr::V4(b)) => agree(u128::from(a.to_bits() ^ b.to_bits()), 32),
        (IpAddr::V6(a), IpAddr::V6(b)) => agree(a.to_bits() ^ b.to_bits(), 128),
        _ => false,
    }
}

fn exception(text: &str) -> Option<Exception> {
    let text = text.trim().to_ascii_lowercase();
    let bare = text.trim_matches(['[', ']']);
    let widest = |ip: &IpAddr| if ip.is_ipv4() { 32 } else { 128 };
    if text == "*" {
        return Some(Exception::Everything);
    }
    if let Ok(ip) = bare.parse::<IpAddr>() {
        return Some(Exception::Network(ip, widest(&ip)));
    }
    if let Some((ip, bits)) = bare.split_once('/') {
        let (ip, bits) = (ip.parse::<IpAddr>().ok()?, bits.parse().ok()?);
        return (bits <= widest(&ip)).then_some(Exception::Network(ip, bits));
    }
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port.parse().ok()?)),
        None => (text.as_str(), None),
    };
    let name = name.trim_start_matches('*').trim_matches('.');
    (!name.is_empty()).then(|| Exception::Name(name.to_owned(), port))
}

fn server(text: &str) -> Result<Option<Server>, ProxyError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let place = text.rsplit_once('@').map_or(text, |(_, place)| place);
    let refused = || ProxyError(format!("\"{place}\""));
    let rest = match text.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
        Some(_) => return Err(refused()),
        None => text,
    };
    let (user, place) = match rest.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, rest),
    };
    let authority: Authority = place.trim_end_matches('/').parse().map_err(|_| refused())?;
    let port = authority.port_u16().unwrap_or(80);
    let host = authority.host().trim_matches(['[', ']']).to_ascii_lowercase();
    if host.is_empty() {
        return Err(refused());
    }
    Ok(Some(Server { host, port, authorisation: user.map(basic) }))
}

/// The header of "user:password", whose percent signs are taken off first.
fn basic(user: &str) -> HeaderValue {
    let text = format!("Basic {}", base64(&unescape(user)));
    let mut value = HeaderValue::try_from(text).expect("base64 is visible ASCII");
    value.set_sensitive(true);
    value
}

fn unescape(text: &str) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, tail @ ..] = rest {
        let octet = match tail {
            [a, b, ..] if *first == b'%' && a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                std::str::from_utf8(&tail[..2]).ok().and_then(|h| u8::from_str_radix(h, 16).ok())
            }
            _ => None,
        };
        out.push(octet.unwrap_or(*first));
        rest = if octet.is_some() { &tail[2..] } else { tail };
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(*chunk.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = char::from(BASE64[bits >> (18 - 6 * i) & 63]);
            out.push(if i <= chunk.len() { letter } else { '=' });
        }
    }
    out
}

/// Asks a proxy for a tunnel to the URL's host.
pub(super) async fn tunnel(
    stream: &mut TcpStream,
    url: &Url,
    server: &Server,
) -> Result<(), Failed> {
    let place = format!("{}:{}", url.host(), url.port());
    let mut ask = format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n").into_bytes();
    if let Some(authorisation) = &server.authorisation {
        ask.extend_from_slice(b"Proxy-Authorization: ");
        ask.extend_from_slice(authorisation.as_bytes());
        ask.extend_from_slice(b"\r\n");
    }
    ask.extend_from_slice(b"\r\n");
    let failed = |what: String| Failed::of_host(Reason::Connect, format!("the proxy {what}"));
    stream.write_all(&ask).await.map_err(|e| failed(format!("went away: {e}")))?;
    let answer = read_head(stream).await.map_err(|e| failed(format!("gave no answer: {e}")))?;
    let line = String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned();
    let status = line.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1));
    match status.and_then(|status| status.parse::<u16>().ok()) {
        Some(200..=299) => Ok(()),
        Some(407) => Err(failed(refusal().to_owned())),
        Some(status) => Err(failed(format!("refused a tunnel to {place}: status {status}"))),
        None => Err(failed("does not speak HTTP".to_owned())),
    }
}

/// What status 407 means to whoever set the proxy.
pub(super) fn refusal() -> &'static str {
    "wants a name and a password: set http://user:password@host:port"
}

async fn read_head(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    // Byte by byte: what follows the head belongs to the tunnel.
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() == ANSWER_BYTES {
            return Err(std::io::Error::other("its head has no end"));
        }
        head.push(stream.read_u8().await?);
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn proxy(no_proxy: &str) -> Proxy {
        Proxy::parse("http://p.test:3128", "q.test:81/", no_proxy).expect("a proxy")
    }

    #[test]
    fn each_scheme_has_its_proxy_and_exceptions_have_none() {
        let check = |no_proxy: &str, url: &str, expected: Option<&str>| {
            let found = proxy(no_proxy);
            let found = found.for_url(&Url::parse(url).expect("a URL"));
            assert_eq!(found.map(|server| server.host.as_str()), expected, "{no_proxy} | {url}");
        };
        check("", "http://a.test/", Some("p.test"));
        check("", "https://a.test/", Some("q.test"));
        check("*", "https://a.test/", None);
        check("b.test, .a.test", "http://a.test/", None);
        check("*.a.test", "http://x.A.test./", None);
        check("a.test", "http://ba.test/", Some("p.test"));
        check("a.test:8080", "http://a.test/", Some("p.test"));
        check("a.test:8080", "http://a.test:8080/", None);
        check("10.0.0.0/8", "http://10.9.9.9/", None);
        check("10.0.0.0/8", "http://11.0.0.1/", Some("p.test"));
        check("0.0.0.0/0", "http://11.0.0.1/", None);
        check("0.0.0.0/0", "http://[::1]/", Some("p.test"));
        check("::1,192.0.2.1", "http://[::1]/", None);
        check("fd00::/8", "http://[fd12::1]/", None);
        check("10.0.0.0/99,,a.test:x,.", "http://a.test/", Some("p.test"));
    }

    #[test]
    fn a_proxy_is_read_with_its_password_and_nonsense_is_refused() {
        let server = server("http://us%65r:p%40ss@p.test").expect("valid").expect("a proxy");
        assert_eq!((server.host.as_str(), server.port), ("p.test", 80));
        let authorisation = server.authorisation.as_ref().expect("a header");
        assert_eq!(authorisation.as_bytes(), b"Basic dXNlcjpwQHNz");
        assert!(!format!("{server:?}").contains("dXNl"), "a log shows no password");
        for text in ["socks5://p.test:1", "https://p.test", "http://", "http://a b", "x:y:z"] {
            assert!(super::server(text).is_err(), "{text}");
        }
        let error = super::server("ftp://user:secret@p.test").expect_err("no proxy").to_string();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let rows = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, expected) in rows {
            assert_eq!(base64(plain.as_bytes()), expected);
        }
    }

    proptest! {
        #[test]
        fn no_setting_breaks_the_reader(http in "\\PC*", no_proxy in "\\PC*") {
            let url = Url::parse("http://a.test/").expect("a URL");
            if let Ok(proxy) = Proxy::parse(&http, "", &no_proxy) {
                proxy.for_url(&url);
            }
        }
    }
}
