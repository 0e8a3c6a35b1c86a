//! Answers that are not read beyond their head: it says that what follows is no page (media, programs), or longer than
//! a page may be. Such an answer is a capture without a payload.

use crate::fetch::{BodyWanted, Request};
use fyke_formats::{extension, holds_no_text};

/// Why the body of an answer with this head is not read, as WARC says why a payload is not whole; none when it is read.
pub(crate) fn unread(
    request: &Request,
    status: u16,
    headers: &[(String, String)],
) -> Option<&'static str> {
    let BodyWanted::Page(most) = request.limits.body else { return None };
    if !(200..300).contains(&status) {
        return None;
    }
    let header = |name: &str| {
        let found = headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    };
    let length = header("content-length").filter(|_| header("transfer-encoding").is_none());
    let is_longer = length.and_then(|n| n.parse::<u64>().ok()).is_some_and(|n| n > most as u64);
    let media = header("content-type").unwrap_or_default();
    match holds_no_text(media, &extension(request.url.path())) {
        true => Some("unspecified"),
        false => is_longer.then_some("length"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Limits;
    use fyke_web::Url;
    use std::time::Duration;

    #[test]
    fn a_head_says_whether_a_page_may_follow() {
        let check = |path: &str, status, head: &str, expected: Option<&str>| {
            let url = Url::parse(&format!("http://a.test{path}")).expect("a URL");
            let body = BodyWanted::Page(1000);
            let limits = Limits { max_bytes: 9, timeout: Duration::ZERO, body };
            let request =
                Request { url, sockets: Vec::new(), limits, known: None, form: None, now: 0 };
            let row = |line: &str| line.split_once(": ").map(|(n, v)| (n.to_owned(), v.to_owned()));
            let headers: Vec<_> = head.lines().filter_map(row).collect();
            assert_eq!(unread(&request, status, &headers), expected, "{path} {status} {head}");
            let any = Limits { body: BodyWanted::Any, ..limits };
            assert_eq!(unread(&Request { limits: any, ..request }, status, &headers), None);
        };
        check("/a", 200, "Content-Type: text/html\nContent-Length: 1000", None);
        check("/a", 200, "Content-Type: text/html\nContent-Length: 1001", Some("length"));
        check("/a", 206, "content-length: 99999999999999999999", None);
        check("/a", 200, "Content-Length: 2000\nTransfer-Encoding: chunked", None);
        check("/a", 404, "Content-Type: image/png", None);
        check("/a", 203, "Content-Type: image/png\nContent-Length: 7", Some("unspecified"));
        check("/a.mp4", 200, "Content-Type: application/octet-stream", Some("unspecified"));
        check("/a.pdf", 200, "Content-Type: application/octet-stream", None);
        check("/a.png", 200, "", None);
    }
}
