//! What every request passes: it must be meant for this site, its body must come whole and soon, and its
//! answer is not waited for without end.

use super::answer::{self, RequestTrouble};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use fyke_crawl::push::CALLBACKS;
use std::net::IpAddr;
use std::time::Duration;

/// Bytes of the longest body that any page takes; most take less.
const LONGEST_BODY: usize = 256 << 10;
/// Time for a body to come.
const BODY: Duration = Duration::from_secs(10);
/// Time for an answer to be found.
const ANSWER: Duration = Duration::from_secs(120);

/// Sets the headers every answer carries; on loopback, answers only to names of this machine, so
/// that a page elsewhere cannot read the site by pointing its own name at 127.0.0.1.
pub(crate) async fn guard(State(loopback): State<bool>, request: Request, next: Next) -> Response {
    // A hub knows the site by its public name, and its token opens nothing else.
    let is_hub = request.uri().path().starts_with(CALLBACKS);
    let mut response = match meant(loopback, &request) {
        _ if is_hub => answered(request, next).await.unwrap_or_else(RequestTrouble::answer),
        Ok(()) => passed(request, next).await.unwrap_or_else(RequestTrouble::answer),
        Err(trouble) => trouble.answer(),
    };
    answer::protect(response.headers_mut());
    response
}

async fn passed(request: Request, next: Next) -> Result<Response, RequestTrouble> {
    let (head, body) = request.into_parts();
    let body = whole(body, BODY).await?;
    answered(Request::from_parts(head, body), next).await
}

/// The answer, if it is found in time.
async fn answered(request: Request, next: Next) -> Result<Response, RequestTrouble> {
    let answer = next.run(request);
    let slow = || RequestTrouble::Busy("this takes longer than anybody waits for".to_owned());
    tokio::time::timeout(ANSWER, answer).await.map_err(|_| slow())
}

/// A body, once all of it has come; it may take so long.
async fn whole(body: Body, longest: Duration) -> Result<Body, RequestTrouble> {
    let body = tokio::time::timeout(longest, to_bytes(body, LONGEST_BODY)).await;
    let late = || RequestTrouble::Bad("the request did not come whole in time".to_owned());
    let cut = |_| RequestTrouble::Bad("the request is too long, or was cut".to_owned());
    Ok(Body::from(body.map_err(|_| late())?.map_err(cut)?))
}

fn meant(loopback: bool, request: &Request) -> Result<(), RequestTrouble> {
    let is_ours = is_of_this_machine(request.headers(), request.uri().host());
    if is_ours || !loopback {
        return Ok(());
    }
    let host = request.headers().get(header::HOST).map(HeaderValue::as_bytes);
    let host = String::from_utf8_lossy(host.unwrap_or_default());
    let detail = format!("this site answers only on this machine, not as {host:?}");
    Err(RequestTrouble::Misdirected(detail))
}

/// Whether every name that a request calls the site by is one of this machine.
fn is_of_this_machine(headers: &HeaderMap, asked: Option<&str>) -> bool {
    let mut named = headers.get_all(header::HOST).iter().peekable();
    let is_named = named.peek().is_some() || asked.is_some();
    let is_ours = |host: &HeaderValue| host.to_str().is_ok_and(names_this_machine);
    is_named && named.all(is_ours) && asked.is_none_or(names_this_machine)
}

/// Whether this is `localhost` or a loopback address, with a port or without, and nothing else.
fn names_this_machine(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, "")) => (address, None),
        Some((address, rest)) => match rest.strip_prefix(':') {
            Some(port) => (address, Some(port)),
            None => return false,
        },
        None => host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
    };
    let is_port =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let name = name.strip_suffix('.').unwrap_or(name);
    let address = name.parse::<IpAddr>();
    port.is_none_or(is_port)
        && (name.eq_ignore_ascii_case("localhost")
            || address.is_ok_and(|address| address.to_canonical().is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    #[test]
    fn only_names_of_this_machine_are_answered_on_loopback() {
        let ours = "localhost LOCALHOST.:7700 127.0.0.1:7700 [::1]:7700 [::1] 127.0.0.9";
        for host in ours.split(' ') {
            assert!(names_this_machine(host), "{host}");
        }
        let others = "evil.test evil.test:7700 10.0.0.1 localhost.evil.test localhost..:7700 \
            localhost:evil.test localhost:7700.evil.test 127.0.0.1:7700@evil.test [::1]evil.test \
            [::1]:80.evil.test [::1 localhost: localhost:+80 localhost:99999 127.0.0.1.evil.test \
            127.1 [10.0.0.1] x@localhost";
        for host in others.split_whitespace().chain([""]) {
            assert!(!names_this_machine(host), "{host}");
        }
    }

    #[test]
    fn a_body_that_does_not_come_whole_in_time_is_not_waited_for() {
        use futures_util::StreamExt;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let come = |rest: bool| {
            let first = futures_util::stream::iter([Ok::<_, std::io::Error>("query=")]);
            let rest = if rest {
                first.boxed()
            } else {
                first.chain(futures_util::stream::pending()).boxed()
            };
            Body::from_stream(rest)
        };
        let soon = Duration::from_millis(10);
        let late = runtime.block_on(whole(come(false), soon)).expect_err("half a body");
        assert_eq!(late.answer().status(), StatusCode::BAD_REQUEST);
        let body = runtime.block_on(whole(come(true), BODY)).expect("a whole body");
        let bytes = runtime.block_on(to_bytes(body, LONGEST_BODY)).expect("bytes");
        assert_eq!(&bytes[..], b"query=");
    }

    #[test]
    fn every_name_in_a_request_counts() {
        let check = |hosts: &[&'static str], asked: Option<&str>, expected: bool| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, HeaderValue::from_static(host));
            }
            assert_eq!(is_of_this_machine(&headers, asked), expected, "{hosts:?} {asked:?}");
        };
        check(&["localhost"], None, true);
        check(&["localhost"], Some("localhost"), true);
        check(&[], Some("127.0.0.1"), true);
        check(&[], None, false);
        check(&["localhost", "evil.test"], None, false);
        check(&["localhost"], Some("evil.test"), false);
        check(&["evil.test"], Some("localhost"), false);
    }
}
