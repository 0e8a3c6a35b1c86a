//! The heads of requests, made quickly, and what is read from the heads of answers.

use super::connection::Request;
use crate::fetch::Failed;
use fyke_store::Reason;
use fyke_web::Url;
use http_body_util::Empty;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue,
    PROXY_AUTHORIZATION, USER_AGENT,
};
use hyper::http::uri::PathAndQuery;
use hyper::{Uri, Version};
use std::time::Duration;

const KINDS: &str =
    "text/html,application/xhtml+xml,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5";
const ENCODINGS: &str = "gzip, deflate, br, zstd";

/// How a target is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    /// "/path" to the server itself.
    Origin,
    /// The whole URL without a Host header: HTTP/2 makes its own fields of it.
    Http2,
    /// The whole URL to a proxy, with what it wants to know of us.
    Proxied(Option<&'a HeaderValue>),
}

/// What every request says.
#[derive(Debug)]
pub(super) struct Heads {
    user_agent: HeaderValue,
    /// The same as bytes, for the record of the request.
    tail: String,
}

impl Heads {
    /// Characters that no header may carry are left out of the agent's name.
    pub(super) fn new(user_agent: &str) -> Heads {
        let agent: String = user_agent.chars().filter(|c| (' '..='~').contains(c)).collect();
        let tail = format!(
            "user-agent: {agent}\r\naccept: {KINDS}\r\naccept-encoding: {ENCODINGS}\r\n\r\n"
        );
        let user_agent = HeaderValue::from_str(&agent).expect("only visible ASCII is left");
        Heads { user_agent, tail }
    }

    /// `target` is what [`target`] says of the URL.
    pub(super) fn request(
        &self,
        url: &Url,
        target: &PathAndQuery,
        form: Form<'_>,
    ) -> Result<Request, Failed> {
        let mut request = Request::new(Empty::new());
        *request.uri_mut() = written(url, target, form).map_err(|e| refused(&e))?;
        let headers = request.headers_mut();
        if !matches!(form, Form::Http2) {
            let host = HeaderValue::from_str(url.authority()).map_err(|e| refused(&e))?;
            headers.insert(HOST, host);
        }
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(KINDS));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
        if let Form::Proxied(Some(authorisation)) = form {
            headers.insert(PROXY_AUTHORIZATION, authorisation.clone());
        }
        Ok(request)
    }

    /// The request as the server gets it, in the form of HTTP/1.1 whatever was spoken; what only a
    /// proxy was told is left out, as it may be a secret.
    pub(super) fn record(&self, url: &Url, target: &PathAndQuery) -> Vec<u8> {
        let parts =
            ["GET ", target.as_str(), " HTTP/1.1\r\nhost: ", url.authority(), "\r\n", &self.tail];
        parts.concat().into_bytes()
    }
}

/// What of a URL goes to its server.
pub(super) fn target(url: &Url) -> Result<PathAndQuery, Failed> {
    let path = url.path_and_query();
    PathAndQuery::try_from(path)
        .or_else(|_| PathAndQuery::try_from(escape(path)))
        .map_err(|e| refused(&e))
}

fn written(url: &Url, target: &PathAndQuery, form: Form<'_>) -> Result<Uri, hyper::http::Error> {
    match form {
        Form::Origin => Ok(Uri::from(target.clone())),
        Form::Http2 | Form::Proxied(_) => {
            let uri = Uri::builder().scheme(url.scheme()).authority(url.authority());
            uri.path_and_query(target.clone()).build()
        }
    }
}

fn refused(error: &dyn std::error::Error) -> Failed {
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

/// The headers of an answer as text.
pub(super) fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| match value.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    let row = |(name, value): (&HeaderName, &HeaderValue)| (name.as_str().to_owned(), text(value));
    headers.iter().map(row).collect()
}

/// For how long the server of an HTTP/1 answer keeps its connection open: `None` when it does not
/// say; a second less than it says, as its clock started earlier; nothing when it closes.
pub(super) fn kept_for(version: Version, headers: &HeaderMap) -> Option<Duration> {
    let says = |word: &str| {
        let values = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|w| w.trim().eq_ignore_ascii_case(word))
    };
    if says("close") || version < Version::HTTP_11 && !says("keep-alive") {
        return Some(Duration::ZERO);
    }
    let value = headers.get("keep-alive")?.to_str().ok()?;
    let parameters = value.split([',', ';']).filter_map(|parameter| parameter.split_once('='));
    let timeout = |(name, seconds): (&str, &str)| {
        let is_timeout = name.trim().eq_ignore_ascii_case("timeout");
        is_timeout.then(|| seconds.trim().trim_matches('"').parse().ok()).flatten()
    };
    let seconds: u64 = parameters.filter_map(timeout).next()?;
    Some(Duration::from_secs(seconds.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_how_long_it_keeps_a_connection() {
        let check = |version, connection: &str, keep_alive: &str, expected: Option<u64>| {
            let mut headers = HeaderMap::new();
            let value = |text: &str| HeaderValue::from_str(text).expect("a value");
            headers.insert("connection", value(connection));
            headers.insert("keep-alive", value(keep_alive));
            let found = kept_for(version, &headers);
            assert_eq!(found, expected.map(Duration::from_secs), "{connection} | {keep_alive}");
        };
        check(Version::HTTP_11, "", "", None);
        check(Version::HTTP_11, "keep-alive", "timeout=5, max=100", Some(4));
        check(Version::HTTP_11, "", "max=100, Timeout = \"15\"", Some(14));
        check(Version::HTTP_11, "", "timeout=0", Some(0));
        check(Version::HTTP_11, "", "timeout=-1", None);
        check(Version::HTTP_11, "", "timeout=99999999999999999999", None);
        check(Version::HTTP_11, "upgrade, Close", "timeout=5", Some(0));
        check(Version::HTTP_10, "", "timeout=5", Some(0));
        check(Version::HTTP_10, "Keep-Alive", "timeout=5", Some(4));
    }

    #[test]
    fn a_request_is_written_in_the_form_its_reader_wants() {
        let heads = Heads::new("fyke/0.1 (+x@y.z)\r\nx: y");
        let check = |url: &str, form, uri: &str, host: Option<&str>| {
            let address = Url::parse(url).expect("a URL");
            let target = target(&address).expect("a target");
            let request = heads.request(&address, &target, form).expect("a head");
            assert_eq!(request.uri().to_string(), uri, "{url}");
            let found = request.headers().get(HOST).map(|value| value.to_str().expect("text"));
            assert_eq!(found, host, "{url}");
            assert_eq!(request.headers()[USER_AGENT], "fyke/0.1 (+x@y.z)x: y");
        };
        check("http://a.test/p?q=|", Form::Origin, "/p?q=|", Some("a.test"));
        check("http://a.test:81/p", Form::Proxied(None), "http://a.test:81/p", Some("a.test:81"));
        check("https://a.test/", Form::Http2, "https://a.test/", None);
        check("http://[::1]:81/", Form::Origin, "/", Some("[::1]:81"));
        check("http://a.test//b.test/", Form::Origin, "//b.test/", Some("a.test"));
        let url = Url::parse("http://a.test/p?q=%20%60|").expect("a URL");
        let record = heads.record(&url, &target(&url).expect("a target"));
        let record = String::from_utf8(record).expect("text");
        assert!(
            record.starts_with("GET /p?q=%20%60| HTTP/1.1\r\nhost: a.test\r\nuser-agent: fyke")
        );
        assert!(record.ends_with("zstd\r\n\r\n"), "{record}");
    }
}
