//! Proxies, as `http_proxy`, `https_proxy` and `no_proxy` name them (reading the environment is the
//! caller's). A plain request goes to the proxy with its whole URL; for https the proxy is asked for a
//! tunnel (`CONNECT`), so it sees the name and nothing else.

use crate::fetch::Failed;
use fyke_store::Reason;
use fyke_web::Url;
use hyper::Uri;
use hyper::header::HeaderValue;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Bytes of a proxy's answer to `CONNECT`.
const ANSWER_BYTES: usize = 8 * 1024;

/// Which proxy serves which URL.
#[derive(Clone, Debug, Default)]
pub struct Proxy {
    http: Option<Server>,
    https: Option<Server>,
    /// What is asked by way of a proxy, on the ports that an exception names and on all others.
    on_port: BTreeMap<u16, Arc<Matcher>>,
    elsewhere: Option<Arc<Matcher>>,
}

/// A proxy's place and what it wants to know of us.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    /// Marked as a secret, so that no log shows it.
    pub(super) authorisation: Option<HeaderValue>,
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
        let (http, https) = (server(http)?, server(https)?);
        let all: Vec<Exception> = no_proxy.split([',', ' ']).filter_map(exception).collect();
        if all.iter().any(|exception| exception.name == "*") {
            return Ok(Proxy::default());
        }
        let on = |port| Arc::new(matcher(&all, port));
        let on_port = all.iter().filter_map(|exception| exception.port);
        let on_port = on_port.map(|port| (port, on(Some(port)))).collect();
        Ok(Proxy { http, https, on_port, elsewhere: Some(on(None)) })
    }

    /// The proxy for a URL, if it has one.
    pub(super) fn for_url(&self, url: &Url) -> Option<&Server> {
        let server = if url.scheme() == "https" { &self.https } else { &self.http };
        let server = server.as_ref()?;
        let matcher = self.on_port.get(&url.port()).or(self.elsewhere.as_ref())?;
        let place = format!("http://{}/", url.host().trim_end_matches('.')).parse::<Uri>();
        let is_exception = place.is_ok_and(|place| matcher.intercept(&place).is_none());
        (!is_exception).then_some(server)
    }
}

/// What is reached without a proxy: a name and all names under it, an address or a network; on one port or
/// on all of them.
struct Exception {
    name: String,
    port: Option<u16>,
}

/// Decides about hosts alone, by the exceptions of all ports and of this one.
fn matcher(exceptions: &[Exception], port: Option<u16>) -> Matcher {
    let counts = |exception: &&Exception| exception.port.is_none() || exception.port == port;
    let names = exceptions.iter().filter(counts).map(|exception| exception.name.as_str());
    Matcher::builder().all("http://any.invalid").no(names.collect::<Vec<_>>().join(",")).build()
}

/// An entry of `no_proxy` as the matcher reads it, which knows no ports, no brackets and no "*.name".
fn exception(text: &str) -> Option<Exception> {
    let text = text.trim().to_ascii_lowercase();
    let is_address = text.contains(['/', '[']) || text.matches(':').count() > 1 || text == "*";
    if is_address {
        return Some(Exception { name: text.replace(['[', ']'], ""), port: None });
    }
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port.parse().ok()?)),
        None => (text.as_str(), None),
    };
    let name = name.trim_start_matches('*').trim_matches('.');
    (!name.is_empty()).then(|| Exception { name: name.to_owned(), port })
}

fn server(text: &str) -> Result<Option<Server>, ProxyError> {
    let text = text.trim();
    let text = text.strip_suffix('/').unwrap_or(text);
    if text.is_empty() {
        return Ok(None);
    }
    let place = text.rsplit_once('@').map_or(text, |(_, place)| place);
    let any = Uri::from_static("http://any.invalid/");
    let found = Matcher::builder().http(text).build().intercept(&any);
    let found = found.filter(|found| found.uri().scheme_str() == Some("http"));
    let read = |found: &Intercept| {
        let host = found.uri().host()?.trim_matches(['[', ']']).to_ascii_lowercase();
        let port = found.uri().port_u16().unwrap_or(80);
        Some(Server { host, port, authorisation: found.basic_auth().cloned() })
    };
    let server = found.as_ref().and_then(read).filter(|server| !server.host.is_empty());
    server.map(Some).ok_or_else(|| ProxyError(format!("\"{place}\"")))
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
        check("a.test, *", "http://10.0.0.1/", None);
        check("b.test, .a.test", "http://a.test/", None);
        check("*.a.test", "http://x.A.test./", None);
        check("a.test", "http://ba.test/", Some("p.test"));
        check("a.test:8080", "http://a.test/", Some("p.test"));
        check("a.test:8080", "http://a.test:8080/", None);
        check("a.test:8080,b.test", "http://b.test:8080/", None);
        check("a.test:8080,b.test:81", "http://b.test:8080/", Some("p.test"));
        check("b.test c.test", "http://x.c.test/", None);
        check("10.0.0.0/8", "http://10.9.9.9/", None);
        check("10.0.0.0/8", "http://11.0.0.1/", Some("p.test"));
        check("0.0.0.0/0", "http://11.0.0.1/", None);
        check("0.0.0.0/0", "http://[::1]/", Some("p.test"));
        check("::1,192.0.2.1", "http://[::1]/", None);
        check("[::1]", "http://[::1]:81/", None);
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
