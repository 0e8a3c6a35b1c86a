//! The heads of requests, made quickly, in the form that each reader wants.

use super::message::text;
use super::proxy::Server;
use crate::fetch::{Failed, Validators};
use bytes::Bytes;
use fyke_store::Reason;
use fyke_web::Url;
use http_body_util::Empty;
use hyper::Uri;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, COOKIE, HeaderMap, HeaderName, HeaderValue, USER_AGENT,
};
use hyper::http::uri::PathAndQuery;
use std::borrow::Cow;

const KINDS: &str =
    "text/html,application/xhtml+xml,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5";
const ENCODINGS: &str = "gzip, deflate, br, zstd";

/// What every request says.
#[derive(Debug)]
pub(super) struct Heads {
    user_agent: HeaderValue,
    /// The same as HTTP/1 has it.
    tail: String,
}

impl Heads {
    /// Characters that no header may carry are left out of the agent's name.
    pub(super) fn new(user_agent: &str) -> Heads {
        let agent: String = user_agent.chars().filter(|c| (' '..='~').contains(c)).collect();
        let tail = format!(
            "User-Agent: {agent}\r\nAccept: {KINDS}\r\nAccept-Encoding: {ENCODINGS}\r\n\r\n"
        );
        let user_agent = HeaderValue::from_str(&agent).expect("only visible ASCII is left");
        Heads { user_agent, tail }
    }
}

/// One request, to be written as its reader wants it.
#[derive(Debug)]
pub(super) struct RequestHead<'a> {
    heads: &'a Heads,
    url: &'a Url,
    target: PathAndQuery,
    /// A proxy that reads the request, and does not only pass it on.
    proxy: Option<&'a Server>,
    /// The value of its `Cookie`.
    cookies: Option<String>,
    known: Option<&'a Validators>,
    record: Vec<u8>,
}

/// What only some requests say.
#[derive(Clone, Copy, Default)]
struct OwnFields<'a> {
    cookies: Option<&'a str>,
    known: Option<&'a Validators>,
    /// What only a proxy is told.
    secret: Option<&'a HeaderValue>,
}

impl<'a> RequestHead<'a> {
    pub(super) fn new(
        heads: &'a Heads,
        url: &'a Url,
        proxy: Option<&'a Server>,
        cookies: Option<String>,
        known: Option<&'a Validators>,
    ) -> Result<RequestHead<'a>, Failed> {
        let target = target(url)?;
        if !url.authority().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(refused(&"a host that no header can name"));
        }
        let proxy = proxy.filter(|_| url.scheme() == "http");
        let own = OwnFields { cookies: cookies.as_deref(), known, secret: None };
        let record = heads.write(["", target.as_str()], url.authority(), own);
        Ok(RequestHead { heads, url, target, proxy, cookies, known, record })
    }

    /// The request as the server gets it, in the form of HTTP/1.1 whatever is spoken; what only a
    /// proxy is told is left out, as it may be a secret.
    pub(super) fn record(self) -> Vec<u8> {
        self.record
    }

    /// The request in HTTP/1.1.
    pub(super) fn http1(&self) -> Cow<'_, [u8]> {
        let Some(proxy) = self.proxy else { return Cow::Borrowed(&self.record) };
        let place = ["http://", self.url.authority()].concat();
        let written = [&place, self.target.as_str()];
        let (cookies, known) = (self.cookies.as_deref(), self.known);
        let own = OwnFields { cookies, known, secret: proxy.authorisation.as_ref() };
        Cow::Owned(self.heads.write(written, self.url.authority(), own))
    }

    /// The request for HTTP/2, which makes its own fields of the whole URL.
    pub(super) fn http2(&self) -> Result<hyper::Request<Empty<Bytes>>, Failed> {
        let uri = Uri::builder().scheme(self.url.scheme()).authority(self.url.authority());
        let uri = uri.path_and_query(self.target.clone()).build().map_err(|e| refused(&e))?;
        let mut request = hyper::Request::new(Empty::new());
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.heads.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(KINDS));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
        if let Some(cookies) = &self.cookies {
            headers.insert(COOKIE, HeaderValue::from_str(cookies).map_err(|e| refused(&e))?);
        }
        for (name, value) in self.known.into_iter().flat_map(Validators::headers) {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|e| refused(&e))?;
            headers.insert(name, HeaderValue::from_str(value).map_err(|e| refused(&e))?);
        }
        Ok(request)
    }
}

impl Heads {
    fn write(
        &self,
        [place, path]: [&str; 2],
        host: &str,
        OwnFields { cookies, known, secret }: OwnFields<'_>,
    ) -> Vec<u8> {
        let mut head =
            ["GET ", place, path, " HTTP/1.1\r\nHost: ", host, "\r\n"].concat().into_bytes();
        if let Some(cookies) = cookies {
            head.extend_from_slice(b"Cookie: ");
            head.extend_from_slice(cookies.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        if let Some(secret) = secret {
            head.extend_from_slice(b"Proxy-Authorization: ");
            head.extend_from_slice(secret.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        for (name, value) in known.into_iter().flat_map(Validators::headers) {
            [name, ": ", value, "\r\n"]
                .iter()
                .for_each(|part| head.extend_from_slice(part.as_bytes()));
        }
        head.extend_from_slice(self.tail.as_bytes());
        head
    }
}

/// What of a URL goes to its server.
fn target(url: &Url) -> Result<PathAndQuery, Failed> {
    let path = url.path_and_query();
    PathAndQuery::try_from(path)
        .or_else(|_| PathAndQuery::try_from(escape(path)))
        .map_err(|e| refused(&e))
}

fn refused(error: &dyn std::fmt::Display) -> Failed {
    Failed::of_page(Reason::Protocol, format!("no request can be made of this URL: {error}"))
}

/// Characters that WHATWG leaves in a URL but HTTP does not take.
fn escape(target: &str) -> String {
    let escape = |c: char| match c {
        '!' | '#'..=';' | '=' | '?'..='[' | ']' | '_' | 'a'..='z' | '~' => c.to_string(),
        c => c.to_string().bytes().map(|b| format!("%{b:02X}")).collect(),
    };
    target.chars().map(escape).collect()
}

/// The headers of an answer in HTTP/2 as text.
pub(super) fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let row = |(name, value): (&HeaderName, &HeaderValue)| {
        (name.as_str().to_owned(), text(name.as_str(), value.as_bytes()))
    };
    headers.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Proxy;

    #[test]
    fn a_request_is_written_in_the_form_its_reader_wants() {
        let heads = Heads::new("fyke/0.1 (+x@y.z)\r\nx: y");
        let proxy = Proxy::parse("http://u:p@proxy.test:8080", "", "").expect("a proxy");
        let check = |url: &str, proxied: bool, line: &str, host: &str| {
            let url = Url::parse(url).expect("a URL");
            let server = proxy.for_url(&url).filter(|_| proxied);
            let asked = RequestHead::new(&heads, &url, server, None, None).expect("a request");
            let text = String::from_utf8(asked.http1().into_owned()).expect("text");
            let start = format!("GET {line} HTTP/1.1\r\nHost: {host}\r\n");
            assert!(text.starts_with(&start), "{text}");
            assert!(text.contains("\r\nUser-Agent: fyke/0.1 (+x@y.z)x: y\r\n"), "{text}");
            assert!(text.ends_with("zstd\r\n\r\n"), "{text}");
            assert_eq!(text.contains("\r\nProxy-Authorization: Basic dTpw\r\n"), proxied, "{text}");
            let record = String::from_utf8(asked.record()).expect("text");
            assert!(record.starts_with("GET /") && !record.contains("Proxy"), "{record}");
        };
        check("http://a.test/p?q=|", false, "/p?q=|", "a.test");
        check("http://a.test/p?q=%20%60|", false, "/p?q=%20%60|", "a.test");
        check("http://a.test:81/p", true, "http://a.test:81/p", "a.test:81");
        check("http://[::1]:81/", false, "/", "[::1]:81");
        check("http://a.test//b.test/", false, "//b.test/", "a.test");
        let url = Url::parse("https://a.test/p?q").expect("a URL");
        let cookies = Some("s=1".to_owned());
        let known = Validators::new(Some("\"7\""), Some("Thu, 19 Nov 2026 20:00:00 GMT"));
        let asked = RequestHead::new(&heads, &url, proxy.for_url(&url), cookies, known.as_ref())
            .expect("a request");
        let request = asked.http2().expect("a request");
        assert_eq!(request.uri().to_string(), "https://a.test/p?q");
        assert_eq!(request.headers()[USER_AGENT], "fyke/0.1 (+x@y.z)x: y");
        assert_eq!(request.headers()[COOKIE], "s=1");
        assert_eq!(request.headers()["if-none-match"], "\"7\"");
        let text = String::from_utf8(asked.http1().into_owned()).expect("text");
        assert!(text.contains("\r\nCookie: s=1\r\n"), "{text}");
        let since =
            "\r\nIf-None-Match: \"7\"\r\nIf-Modified-Since: Thu, 19 Nov 2026 20:00:00 GMT\r\n";
        assert!(text.contains(since), "{text}");
        assert_eq!(Validators::new(Some("a\r\nb"), Some("")), None);
    }
}
