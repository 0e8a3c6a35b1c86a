//! The heads of requests, made quickly, in the form that each reader wants.

use super::message::text;
use super::proxy::Server;
use crate::fetch::{Failed, Validators};
use bytes::Bytes;
use fyke_store::Reason;
use fyke_web::Url;
use http_body_util::Full;
use hyper::Uri;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName,
    HeaderValue, USER_AGENT,
};
use hyper::http::uri::PathAndQuery;
use std::borrow::Cow;

const KINDS: &str =
    "text/html,application/xhtml+xml,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5";
const ENCODINGS: &str = "gzip, deflate, br, zstd";
const FORM: &str = "application/x-www-form-urlencoded";

/// What a request carries besides its URL; not to be printed.
#[derive(Default)]
pub(super) struct Carried<'a> {
    /// The value of its `Cookie`.
    pub(super) cookies: Option<String>,
    /// The value of its `Authorization`.
    pub(super) authorization: Option<&'a str>,
    /// Fields of a form: the request is a POST then.
    pub(super) form: Option<&'a str>,
    /// What is known of the page: it is asked for only if it has changed.
    pub(super) known: Option<&'a Validators>,
    /// It shows an account: what it carries is not recorded.
    pub(super) is_private: bool,
}

impl std::fmt::Debug for Carried<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Carried")
    }
}

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
    carried: Carried<'a>,
    record: Vec<u8>,
}

impl<'a> RequestHead<'a> {
    pub(super) fn new(
        heads: &'a Heads,
        url: &'a Url,
        proxy: Option<&'a Server>,
        carried: Carried<'a>,
    ) -> Result<RequestHead<'a>, Failed> {
        let target = target(url)?;
        if !url.authority().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(refused(&"a host that no header can name"));
        }
        let proxy = proxy.filter(|_| url.scheme() == "http");
        let shown = if carried.is_private { &Carried::default() } else { &carried };
        let record = heads.write(["", target.as_str()], url.authority(), shown, None);
        Ok(RequestHead { heads, url, target, proxy, carried, record })
    }

    /// The request as the server gets it, in the form of HTTP/1.1 whatever is spoken; what only a
    /// proxy is told is left out, as it may be a secret, and so is what an account is known by.
    pub(super) fn record(self) -> Vec<u8> {
        self.record
    }

    /// The request in HTTP/1.1.
    pub(super) fn http1(&self) -> Cow<'_, [u8]> {
        if self.proxy.is_none() && !self.carried.is_private {
            return Cow::Borrowed(&self.record);
        }
        let host = self.url.authority();
        let place = self.proxy.map_or(String::new(), |_| ["http://", host].concat());
        let secret = self.proxy.and_then(|proxy| proxy.authorisation.as_ref());
        let written = [place.as_str(), self.target.as_str()];
        Cow::Owned(self.heads.write(written, host, &self.carried, secret))
    }

    /// The request for HTTP/2, which makes its own fields of the whole URL.
    pub(super) fn http2(&self) -> Result<hyper::Request<Full<Bytes>>, Failed> {
        let uri = Uri::builder().scheme(self.url.scheme()).authority(self.url.authority());
        let uri = uri.path_and_query(self.target.clone()).build().map_err(|e| refused(&e))?;
        let form = self.carried.form.unwrap_or_default();
        let mut request = hyper::Request::new(Full::new(Bytes::from(form.to_owned())));
        *request.uri_mut() = uri;
        if self.carried.form.is_some() {
            *request.method_mut() = hyper::Method::POST;
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(FORM));
        }
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.heads.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(KINDS));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
        let secrets = [
            (COOKIE, self.carried.cookies.as_deref()),
            (AUTHORIZATION, self.carried.authorization),
        ];
        for (name, value) in secrets {
            let Some(value) = value else { continue };
            let mut value = HeaderValue::from_str(value).map_err(|e| refused(&e))?;
            value.set_sensitive(self.carried.is_private);
            headers.insert(name, value);
        }
        for (name, value) in self.carried.known.into_iter().flat_map(Validators::headers) {
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
        carried: &Carried<'_>,
        secret: Option<&HeaderValue>,
    ) -> Vec<u8> {
        let method = if carried.form.is_some() { "POST " } else { "GET " };
        let mut head =
            [method, place, path, " HTTP/1.1\r\nHost: ", host, "\r\n"].concat().into_bytes();
        let mut add = |name: &str, value: &[u8]| {
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(value);
            head.extend_from_slice(b"\r\n");
        };
        if let Some(cookies) = &carried.cookies {
            add("Cookie: ", cookies.as_bytes());
        }
        if let Some(authorization) = carried.authorization {
            add("Authorization: ", authorization.as_bytes());
        }
        if let Some(secret) = secret {
            add("Proxy-Authorization: ", secret.as_bytes());
        }
        if let Some(form) = carried.form {
            add("Content-Type: ", FORM.as_bytes());
            add("Content-Length: ", form.len().to_string().as_bytes());
        }
        for (name, value) in carried.known.into_iter().flat_map(Validators::headers) {
            add(&[name, ": "].concat(), value.as_bytes());
        }
        head.extend_from_slice(self.tail.as_bytes());
        head.extend_from_slice(carried.form.unwrap_or_default().as_bytes());
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
            let asked =
                RequestHead::new(&heads, &url, server, Carried::default()).expect("a request");
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
        let known = Validators::new(Some("\"7\""), Some("Thu, 19 Nov 2026 20:00:00 GMT"));
        let carried = Carried {
            cookies: Some("s=1".to_owned()),
            known: known.as_ref(),
            ..Carried::default()
        };
        let asked =
            RequestHead::new(&heads, &url, proxy.for_url(&url), carried).expect("a request");
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
        assert_eq!(asked.record(), text.as_bytes());
    }

    #[test]
    fn what_an_account_is_known_by_is_sent_and_not_recorded() {
        let heads = Heads::new("fyke/0.1");
        let url = Url::parse("https://a.test/login").expect("a URL");
        let carried = || Carried {
            cookies: Some("s=hush".to_owned()),
            authorization: Some("Bearer hush"),
            form: Some("pass=hush"),
            known: None,
            is_private: true,
        };
        let asked = RequestHead::new(&heads, &url, None, carried()).expect("a request");
        let text = String::from_utf8(asked.http1().into_owned()).expect("text");
        assert!(text.starts_with("POST /login HTTP/1.1\r\n"), "{text}");
        assert!(
            text.contains("\r\nContent-Length: 9\r\n") && text.ends_with("\r\n\r\npass=hush"),
            "{text}"
        );
        assert_eq!(text.matches("hush").count(), 3, "{text}");
        let request = asked.http2().expect("a request");
        assert_eq!(request.method(), hyper::Method::POST);
        assert!(!format!("{:?}", request.headers()).contains("hush"));
        let record = String::from_utf8(asked.record()).expect("text");
        assert!(record.starts_with("GET /login") && !record.contains("hush"), "{record}");
    }
}
